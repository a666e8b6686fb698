import { expect, test } from 'vitest';
import { apiServer } from './api-server.ts';

test.each<[options: object, message: string]>([
  [
    { authorisation: 'RBAC' },
    "apiServer has no option 'authorisation'; it has runtime, controllers, users, authorization",
  ],
  [{ authorization: 'rbac' }, 'authorization: rbac is not a mode; give AlwaysAllow or RBAC'],
  [{ controllers: { garbage: false } }, "controllers has no option 'garbage'; it has gc, workloads"],
  [{ controllers: { workloads: { node: 3 } } }, "controllers.workloads has no option 'node'; it has nodes, podTimes"],
  [[], 'apiServer takes an object of options, not []'],
])('API-H6: %j is refused, instead of a server with other rules than meant', (options, message) => {
  expect(() => apiServer(options)).toThrow(message);
});

test('API-H6: so are options of listen that do not exist', async () => {
  await using server = apiServer();
  await expect(server.listen({ prt: 8080 } as object)).rejects.toThrow(
    "listen has no option 'prt'; it has plain, host",
  );
});

test.each<[rule: object, message: string]>([
  [
    { verb: 'patch', fault: { status: { code: 500 } } },
    "fail: fault takes a type: { type: 'status' | 'delay' | 'lost-request'",
  ],
  [{ verb: 'PATCH', fault: { type: 'lost-answer' } }, 'fail: verb is "PATCH"; it takes get, list, watch, create'],
  [{ method: 'PATCH', fault: { type: 'lost-answer' } }, "fail has no option 'method'; it has verb, group, kind"],
  [{ kind: class Pod {}, fault: { type: 'lost-answer' } }, "fail: kind is a string, as in kind: 'ConfigMap'"],
  [{ verb: 'patch' }, 'fail: fault takes a type'],
  [{ fault: { type: 'status', status: 500 } }, "fail: the fault status has no option 'status'; it has type, code"],
])('API-H6: a fault that would never happen is refused: %j', async (rule, message) => {
  await using server = apiServer();
  expect(() => server.fail(rule as never)).toThrow(message);
});
