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
