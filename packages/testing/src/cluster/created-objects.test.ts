import { kindLabel } from 'kilter/api';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { connectTo } from 'kilter/runtime';
import { expect, test } from 'vitest';
import { apiServer } from '@kilter/apiserver';
import { createdBy, CreatedObjects } from './created-objects.ts';

const body = (kind: string, metadata: object): string => JSON.stringify({ apiVersion: 'v1', kind, metadata });
const shop = body('WebApp', { name: 'shop', namespace: 'default', uid: 'u1' });

test.each([
  [
    'in a namespace',
    'POST /apis/example.com/v1/namespaces/default/webapps',
    shop,
    'WebApp.example.com',
    'default/shop',
  ],
  [
    'with a query',
    'POST /apis/example.com/v1/namespaces/default/webapps?fieldManager=x',
    shop,
    'WebApp.example.com',
    'default/shop',
  ],
  [
    'by an apply',
    'PATCH /apis/example.com/v1/namespaces/default/webapps/shop?force=true',
    shop,
    'WebApp.example.com',
    'default/shop',
  ],
  [
    'by an update',
    'PUT /apis/example.com/v1/namespaces/default/webapps/shop',
    shop,
    'WebApp.example.com',
    'default/shop',
  ],
  [
    'of the core group',
    'POST /api/v1/namespaces/default/pods',
    body('Pod', { name: 'p-x7', uid: 'u' }),
    'Pod',
    'default/p-x7',
  ],
  ['a namespace', 'POST /api/v1/namespaces', body('Namespace', { name: 'n', uid: 'u' }), 'Namespace', 'n'],
  ['without a namespace', 'POST /apis/g.io/v1/things', body('Thing', { name: 't', uid: 'u' }), 'Thing.g.io', 't'],
])('created: %s', (_, target, text, label, key) => {
  const [method = '', path = ''] = target.split(' ');
  const created = createdBy({ method, path }, { status: 201, text });
  expect(kindLabel(created!.kind.names)).toBe(label);
  expect([created?.ref.namespace, created?.ref.name].filter(Boolean).join('/')).toBe(key);
});

test.each([
  ['a dry run', 'POST /api/v1/namespaces/default/pods?dryRun=All', 201, shop],
  ['an answer that says no such thing', 'POST /api/v1/namespaces/default/pods', 200, shop],
  [
    'a review, which nobody stores',
    'POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    201,
    body('SelfSubjectAccessReview', {}),
  ],
  ['a token', 'POST /api/v1/namespaces/default/serviceaccounts/x/token', 201, body('TokenRequest', { name: 'x' })],
  ['a read', 'GET /api/v1/namespaces/default/pods/x', 201, shop],
  ['no JSON', 'POST /api/v1/namespaces/default/pods', 201, 'k8s\0'],
  ['a path of another world', 'POST /metrics', 201, shop],
])('not created: %s', (_, target, status, text) => {
  const [method = '', path = ''] = target.split(' ');
  expect(createdBy({ method, path }, { status, text })).toBeUndefined();
});

test('a watched connection remembers what is created over it, newest first, and hands every answer on', async () => {
  await using server = apiServer();
  const created = new CreatedObjects();
  const client = connectTo(created.watching(server.connection('me')));
  const other = connectTo(server.connection('other'));
  const build = (name: string) => ConfigMap.build({ name, namespace: 'default', data: { k: 'v' } });
  await other.create(build('theirs'));
  const { metadata, data } = await client.create(build('mine'));
  expect(data).toEqual({ k: 'v' });
  await client.apply(build('applied'), { manager: 'me' });
  await client.apply(build('theirs'), { manager: 'me', force: true });
  await client.patch(ConfigMap, 'mine', { data: { k: 'w' } });
  await client.create(build('tried'), { dryRun: true });
  expect(created.list().map(({ ref }) => ref.name)).toEqual(['applied', 'mine']);
  expect(created.list()[1]?.uid).toBe(metadata.uid);
});
