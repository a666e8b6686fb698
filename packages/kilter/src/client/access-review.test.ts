import { expect, test } from 'vitest';
import { hasCode } from '../errors/index.ts';
import type { AccessQuestion } from './index.ts';
import { failure, Node, WebApp, world } from './scripted-client.test-support.ts';

const allowed = { body: { kind: 'SelfSubjectAccessReview', status: { allowed: true, reason: 'RBAC: allowed by x' } } };
const webapps = { group: 'example.com', version: 'v1', resource: 'webapps' };

test.each<[AccessQuestion, object]>([
  [{ verb: 'list', kind: WebApp }, { resourceAttributes: { verb: 'list', ...webapps } }],
  [
    { verb: 'patch', kind: WebApp, namespace: 'x', name: 'shop', subresource: 'status' },
    { resourceAttributes: { verb: 'patch', ...webapps, namespace: 'x', name: 'shop', subresource: 'status' } },
  ],
  [
    { verb: 'get', kind: Node, namespace: 'ignored' },
    { resourceAttributes: { verb: 'get', group: '', version: 'v1', resource: 'nodes' } },
  ],
  [
    { verb: 'get', resource: 'deployments', group: 'apps', namespace: 'x' },
    { resourceAttributes: { verb: 'get', group: 'apps', resource: 'deployments', namespace: 'x' } },
  ],
  [{ verb: 'get', resource: 'pods' }, { resourceAttributes: { verb: 'get', group: '', resource: 'pods' } }],
  [{ verb: 'get', path: '/metrics' }, { nonResourceAttributes: { verb: 'get', path: '/metrics' } }],
])('the question %j', async (question, spec) => {
  const { client, seen } = world([allowed]);
  expect(await client.can(question)).toEqual({
    allowed: true,
    denied: false,
    reason: 'RBAC: allowed by x',
    evaluationError: '',
  });
  expect(seen).toEqual([
    {
      method: 'POST',
      path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      query: {},
      type: 'application/json',
      body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec },
    },
  ]);
});

test('a client of one namespace asks about that one', async () => {
  const { client, seen } = world([allowed]);
  await client.with({ namespace: 'x' }).can({ verb: 'list', kind: WebApp });
  expect(seen[0]?.body).toMatchObject({ spec: { resourceAttributes: { namespace: 'x' } } });
});

test('not allowed, denied, and undecided are told apart', async () => {
  const status = { allowed: false, denied: true, evaluationError: 'webhook down' };
  const { client } = world([{ body: { status: { allowed: false } } }, { body: { status } }]);
  const nobody = { allowed: false, denied: false, reason: '', evaluationError: '' };
  expect(await client.can({ verb: 'get', kind: WebApp })).toEqual(nobody);
  expect(await client.can({ verb: 'get', kind: WebApp })).toEqual({
    ...nobody,
    denied: true,
    evaluationError: 'webhook down',
  });
});

test('it stores nothing, so that who does not lead may ask', async () => {
  const { client, seen } = world([allowed], { guarded: true, gate: { closed: () => 'not leading' } });
  await client.can({ verb: 'get', kind: WebApp });
  expect(seen).toHaveLength(1);
});

test('a question about nothing is refused; an answer without a verdict is not a permission', async () => {
  const { client, seen } = world([{ body: { kind: 'SelfSubjectAccessReview' } }]);
  const nothing = { verb: 'get' } as unknown as AccessQuestion;
  expect(hasCode(await failure(client.can(nothing)), 'CLIENT_OPTION_INVALID')).toBe(true);
  expect(seen).toEqual([]);
  expect(hasCode(await failure(client.can({ verb: 'get', kind: WebApp })), 'CLIENT_UNEXPECTED_ANSWER')).toBe(true);
});
