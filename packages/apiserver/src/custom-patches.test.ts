// What webhooks may make of custom resources.
import type { Json, JsonObject } from 'kilter/api';
import { expect, test } from 'vitest';
import { paths, type ServerUnderTest, types, withWebApps } from './server-under-test.test-support.ts';
import { allow, configure, FakeWebhooks, patching, webhook } from './webhooks.test-support.ts';

const merge = { type: types.merge };
const app: JsonObject = {
  apiVersion: 'example.com/v1',
  kind: 'WebApp',
  metadata: { name: 'a' },
  spec: { image: 'i' },
};
const about = (resource: string): JsonObject => ({
  rules: [{ apiGroups: ['*'], apiVersions: ['*'], resources: [resource], operations: ['CREATE', 'UPDATE'] }],
});

async function patchedBy(resource: string, patch: Json): Promise<{ api: ServerUnderTest; hooks: FakeWebhooks }> {
  const hooks = new FakeWebhooks();
  const api = await withWebApps({ services: hooks.resolver });
  hooks.admission('adds', () => patching(patch));
  hooks.admission('looks', () => allow);
  await configure(api, 'Mutating', [webhook('adds', about(resource)), webhook('looks', about(resource))]);
  return { api, hooks };
}

const versionOf = ({ metadata }: JsonObject): unknown => (metadata as JsonObject)['resourceVersion'];
const generationOf = ({ metadata }: JsonObject): unknown => (metadata as JsonObject)['generation'];

test('API-A2: fields beside the schema are seen by the next webhook, and by nobody once the object is stored', async () => {
  const { api, hooks } = await patchedBy('webapps', [{ op: 'add', path: '/unknown', value: 'x' }]);
  await using _ = api;
  const created = await api.ok(`POST ${paths.webApps}`, app);
  expect(created).not.toHaveProperty('unknown');
  expect(hooks.of('looks')[0]).toMatchObject({ object: { unknown: 'x' } });
  expect(await api.ok(`GET ${paths.webApps}/a`)).toEqual(created);
});

test('API-A2: such fields make every write a change, also the next one that does not bring them', async () => {
  const { api } = await patchedBy('webapps', [{ op: 'add', path: '/unknown', value: 'x' }]);
  await using _ = api;
  const created = await api.ok(`POST ${paths.webApps}`, app);
  const same = await api.ok(`PATCH ${paths.webApps}/a`, { spec: { image: 'i' } }, merge);
  expect(versionOf(same)).not.toBe(versionOf(created));
  expect(generationOf(same)).toBe(2);
  const status = await api.ok(`PATCH ${paths.webApps}/a/status`, {}, merge);
  expect(versionOf(status)).not.toBe(versionOf(same));
  const again = await api.ok(`PATCH ${paths.webApps}/a/status`, {}, merge);
  expect(versionOf(again)).toBe(versionOf(status));
});

test('API-A2: of a patch to the status of a custom resource, the status alone counts', async () => {
  const { api } = await patchedBy('webapps/status', [
    { op: 'add', path: '/spec', value: { image: 'other' } },
    { op: 'add', path: '/metadata/labels', value: { by: 'hook' } },
    { op: 'add', path: '/status/selector', value: 'hook' },
  ]);
  await using _ = api;
  const created = await api.ok(`POST ${paths.webApps}`, app);
  await api.ok(`PATCH ${paths.webApps}/a/status`, { status: { replicas: 1 } }, merge);
  const stored = await api.ok(`GET ${paths.webApps}/a`);
  expect(stored['spec']).toEqual(created['spec']);
  expect(stored['metadata']).not.toHaveProperty('labels');
  expect(stored['status']).toEqual({ replicas: 1, selector: 'hook' });
  expect(stored).toHaveProperty('metadata.managedFields.1.subresource', 'status');
});

test('API-A2: what a webhook adds to a status beside the schema makes a write that changes nothing a change', async () => {
  const { api } = await patchedBy('webapps/status', [{ op: 'add', path: '/status', value: { unknown: 'x' } }]);
  await using _ = api;
  await api.ok(`POST ${paths.webApps}`, app);
  const [first, second] = [
    await api.ok(`PATCH ${paths.webApps}/a/status`, { status: {} }, merge),
    await api.ok(`PATCH ${paths.webApps}/a`, {}, merge),
  ];
  expect(first['status']).toEqual({});
  expect(versionOf(second)).not.toBe(versionOf(first));
  const third = await api.ok(`PATCH ${paths.webApps}/a/status`, { status: {} }, merge);
  expect(versionOf(third)).not.toBe(versionOf(second));
});

test('API-A2: an object stored with such fields is written once more by a delete that only marks it again', async () => {
  const { api } = await patchedBy('webapps', [{ op: 'add', path: '/unknown', value: 'x' }]);
  await using _ = api;
  await api.ok(`POST ${paths.webApps}`, { ...app, metadata: { name: 'a', finalizers: ['example.com/wait'] } });
  await api.ok(`DELETE ${paths.webApps}/a`);
  const patched = await api.ok(`PATCH ${paths.webApps}/a`, { spec: { image: 'j' } }, merge);
  const again = await api.ok(`DELETE ${paths.webApps}/a`);
  expect(versionOf(again)).not.toBe(versionOf(patched));
  expect(versionOf(await api.ok(`DELETE ${paths.webApps}/a`))).toBe(versionOf(again));
});

test('API-A2: a webhook writes no status where a client cannot', async () => {
  const { api } = await patchedBy('webapps', [{ op: 'add', path: '/status', value: { selector: 'hook' } }]);
  await using _ = api;
  expect(await api.ok(`POST ${paths.webApps}`, app)).not.toHaveProperty('status.selector');
  const patched = await api.ok(`PATCH ${paths.webApps}/a`, { spec: { image: 'j' } }, merge);
  expect(patched).toMatchObject({ spec: { image: 'j' } });
  expect(patched).not.toHaveProperty('status.selector');
});
