import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import {
  configMap,
  refusal,
  RegistryUnderTest,
  type Stored,
  thing,
  things,
  withThings,
} from './registry-under-test.test-support.ts';

const data = (object: JsonObject): unknown => object['data'];

async function withConfigMap(rest: JsonObject = {}): Promise<{ api: RegistryUnderTest; before: Stored }> {
  const api = new RegistryUnderTest();
  const before = await api.create('configmaps', configMap('a', rest));
  api.changes.length = 0;
  return { api, before };
}

describe('API-C8: whom a PUT means', () => {
  test('another version is a conflict', async () => {
    const { api, before } = await withConfigMap();
    await api.update('configmaps', { ...before, data: { k: '1' } });
    expect(await refusal(api.update('configmaps', { ...before, data: { k: '2' } }))).toMatchObject({
      code: 409,
      message:
        'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    });
    expect(data(await api.get('configmaps', 'a'))).toEqual({ k: '1' });
  });

  test('another uid is a conflict', async () => {
    const { api, before } = await withConfigMap();
    const { code, message } = await refusal(api.update('configmaps', configMap('a', { metadata: { uid: 'other' } })));
    expect(code).toBe(409);
    expect(message).toContain(
      `Precondition failed: UID in precondition: other, UID in object meta: ${before.metadata.uid}`,
    );
  });

  test('no version means whatever is there, but of a custom resource', async () => {
    const { api } = await withConfigMap();
    expect(data(await api.update('configmaps', configMap('a', { data: { k: '1' } })))).toEqual({ k: '1' });
    const custom = await withThings();
    await custom.create('things', thing('a'), things);
    expect(await refusal(custom.update('things', thing('a'), things))).toMatchObject({
      code: 422,
      message: expect.stringContaining(
        'metadata.resourceVersion: Invalid value: 0: must be specified for an update',
      ) as string,
    });
  });

  test('a version that is no number is refused', async () => {
    const { api } = await withConfigMap();
    const sent = configMap('a', { metadata: { resourceVersion: 'x' } });
    expect(await refusal(api.update('configmaps', sent))).toMatchObject({ code: 500, reason: '' });
  });

  test('another name than that of the URL is refused', async () => {
    const { api } = await withConfigMap();
    const { message } = await refusal(api.update('configmaps', configMap('b'), { name: 'a' }));
    expect(message).toBe('the name of the object (b) does not match the name on the URL (a)');
  });

  test('an object that is not there is not found', async () => {
    const api = new RegistryUnderTest();
    expect(await refusal(api.update('configmaps', configMap('a')))).toMatchObject({ code: 404 });
  });
});

describe('API-C9: a PUT that creates', () => {
  const lease = (metadata: JsonObject = {}): JsonObject => ({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'l', ...metadata },
  });
  const leases = { apiVersion: 'coordination.k8s.io/v1', name: 'l' };

  test('answers 201, and takes no notice of a version', async () => {
    const api = new RegistryUnderTest();
    const body = lease({ resourceVersion: '3' });
    expect(await api.ask('update', 'leases', { ...leases, body })).toMatchObject({ code: 201 });
  });

  test('is refused if it names a uid', async () => {
    const api = new RegistryUnderTest();
    expect(await refusal(api.ask('update', 'leases', { ...leases, body: lease({ uid: 'u' }) }))).toMatchObject({
      code: 409,
    });
    expect(api.changes).toEqual([]);
  });
});

describe('what no update changes', () => {
  test('stays where it is left out', async () => {
    const { api, before } = await withConfigMap();
    const updated = await api.update('configmaps', configMap('a', { data: { k: '1' }, metadata: { selfLink: '/x' } }));
    expect(updated.metadata).toMatchObject({
      uid: before.metadata.uid,
      creationTimestamp: before.metadata['creationTimestamp'],
    });
    expect(updated.metadata).not.toHaveProperty('selfLink');
  });

  test('deletion fields cannot be set', async () => {
    const { api } = await withConfigMap();
    const metadata = { deletionTimestamp: '2030-01-01T00:00:00Z' };
    expect(await refusal(api.update('configmaps', configMap('a', { metadata })))).toMatchObject({
      code: 422,
      message: expect.stringContaining('field is immutable') as string,
    });
  });

  test('API-X2: nor unset', async () => {
    const { api } = await withConfigMap({ metadata: { finalizers: ['a/b'] } });
    const { metadata } = await api.remove('configmaps', 'a');
    const sent = configMap('a', { metadata: { finalizers: ['a/b'] }, data: { k: '1' } });
    expect((await api.update('configmaps', sent)).metadata).toMatchObject({
      deletionTimestamp: metadata['deletionTimestamp'],
      deletionGracePeriodSeconds: 0,
    });
  });
});

describe('API-C10: an update that changes nothing', () => {
  test.each([
    ['a PUT', (api: RegistryUnderTest, before: Stored) => api.update('configmaps', before)],
    ['a patch', (api: RegistryUnderTest) => api.patch('configmaps', 'a', { body: { data: { k: '1' } } })],
  ])('by %s is not stored', async (_, write) => {
    const { api, before } = await withConfigMap({ data: { k: '1' } });
    await api.clock.advance(5000);
    expect((await write(api, before)).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    expect(api.changes).toEqual([]);
  });
});

describe('API-C7: spec and status are written apart', () => {
  test('a write to the object keeps the status', async () => {
    const api = await withThings();
    await api.create('things', thing('a', { spec: { size: 2 } }), things);
    await api.patch('things', 'a', { body: { status: { ready: true } }, subresource: 'status', ...things });
    const body = { spec: { size: 3 }, status: { ready: false } };
    expect(await api.patch('things', 'a', { body, ...things })).toMatchObject({
      spec: { size: 3 },
      status: { ready: true },
    });
  });

  test('a write to the status of a custom resource changes nothing else', async () => {
    const api = await withThings();
    const before = await api.create('things', thing('a', { spec: { size: 2 } }), things);
    const body = { metadata: { labels: { l: '1' }, finalizers: ['a/b'] }, spec: { size: 3 }, status: { ready: true } };
    const after = await api.patch('things', 'a', { body, subresource: 'status', ...things });
    expect(after).toMatchObject({ spec: { size: 2 }, status: { ready: true }, metadata: { generation: 1 } });
    expect(after.metadata).not.toHaveProperty('labels');
    expect(after.metadata).not.toHaveProperty('finalizers');
    expect(after.metadata.resourceVersion).not.toBe(before.metadata.resourceVersion);
  });

  test('a write to the status of a Pod lets labels through, and no owners', async () => {
    const api = new RegistryUnderTest();
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    await api.create('pods', { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec });
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' };
    const body = { metadata: { labels: { l: '1' }, ownerReferences: [owner] }, status: { phase: 'Running' } };
    const after = await api.patch('pods', 'p', { body, subresource: 'status' });
    expect(after).toMatchObject({ metadata: { labels: { l: '1' } }, status: { phase: 'Running' } });
    expect(after.metadata).not.toHaveProperty('ownerReferences');
  });

  test('a write to the status of nothing is not found, an apply included', async () => {
    const api = await withThings();
    const body = thing('a', { status: { ready: true } });
    const asking = { body, subresource: 'status', query: 'fieldManager=m', ...things };
    expect(await refusal(api.patch('things', 'a', { ...asking, patchType: 'apply' }))).toMatchObject({ code: 404 });
    expect(await refusal(api.patch('things', 'a', asking))).toMatchObject({ code: 404 });
  });
});

describe('API-C6: generation', () => {
  test('grows with what is neither metadata nor status', async () => {
    const api = await withThings();
    const generation = async (body: JsonObject, subresource?: string): Promise<unknown> =>
      (await api.patch('things', 'a', { body, subresource, ...things })).metadata['generation'];
    await api.create('things', thing('a', { metadata: { finalizers: ['a/b'] } }), things);
    expect(await generation({ metadata: { labels: { l: '1' } } })).toBe(1);
    expect(await generation({ status: { ready: true } }, 'status')).toBe(1);
    expect(await generation({ spec: { size: 2 } })).toBe(2);
    expect(await generation({ spec: { size: 2 } })).toBe(2);
    expect((await api.remove('things', 'a', things)).metadata['generation']).toBe(3);
  });
});

describe('API-C12: finalizers', () => {
  test('cannot be added while the object is going', async () => {
    const { api } = await withConfigMap({ metadata: { finalizers: ['a/b'] } });
    await api.remove('configmaps', 'a');
    const body = { metadata: { finalizers: ['a/b', 'a/c'] } };
    expect(await refusal(api.patch('configmaps', 'a', { body }))).toMatchObject({
      code: 422,
      message: expect.stringContaining('no new finalizers can be added if the object is being deleted') as string,
    });
  });

  test('API-X2: the write that takes the last one deletes the object and answers it', async () => {
    const { api } = await withConfigMap({ metadata: { finalizers: ['a/b'] } });
    await api.remove('configmaps', 'a');
    const answer = await api.patch('configmaps', 'a', { body: { metadata: { finalizers: null } } });
    expect(answer.metadata.name).toBe('a');
    expect(api.changes.at(-1)?.type).toBe('DELETED');
    expect(await refusal(api.get('configmaps', 'a'))).toMatchObject({ code: 404 });
  });

  test('a dry run that takes the last one deletes nothing', async () => {
    const { api } = await withConfigMap({ metadata: { finalizers: ['a/b'] } });
    await api.remove('configmaps', 'a');
    await api.patch('configmaps', 'a', { body: { metadata: { finalizers: null } }, query: 'dryRun=All' });
    expect((await api.get('configmaps', 'a')).metadata['finalizers']).toEqual(['a/b']);
  });

  test('without a slash are warned of', async () => {
    const api = await withThings();
    const body = thing('a', { metadata: { finalizers: ['bare'] } });
    const { warnings } = await api.ask('create', 'things', { body, ...things });
    expect(warnings.join()).toContain('metadata.finalizers: "bare": prefer a domain-qualified finalizer name');
  });
});

test('API-C13: an update that is a dry run answers what would be', async () => {
  const { api, before } = await withConfigMap();
  const answer = await api.patch('configmaps', 'a', { body: { data: { k: '1' } }, query: 'dryRun=All' });
  expect(data(answer)).toEqual({ k: '1' });
  expect(answer.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  expect(await api.get('configmaps', 'a')).toEqual(before);
});

test('a namespace is finalized by its own subresource, which takes nothing else', async () => {
  const api = new RegistryUnderTest();
  await api.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } });
  const going = await api.remove('namespaces', 'n');
  expect(going).toMatchObject({ status: { phase: 'Terminating' }, spec: { finalizers: ['kubernetes'] } });
  const body = { ...going, metadata: { ...going.metadata, labels: { l: '1' } }, spec: {} };
  const kept = await api.update('namespaces', body);
  expect(kept).toMatchObject({ spec: { finalizers: ['kubernetes'] } });
  await api.update('namespaces', { ...kept, spec: { finalizers: [] } }, { subresource: 'finalize' });
  expect(await refusal(api.get('namespaces', 'n'))).toMatchObject({ code: 404 });
});
