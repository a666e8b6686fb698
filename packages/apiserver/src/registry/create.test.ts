import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import {
  configMap,
  refusal,
  RegistryUnderTest,
  thing,
  things,
  withThings,
} from './registry-under-test.test-support.ts';

describe('API-C1: what only the server decides', () => {
  test('is set, whatever the client sent', async () => {
    const api = await withThings();
    const sent = {
      uid: 'mine',
      creationTimestamp: '2001-01-01T00:00:00Z',
      deletionTimestamp: '2001-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 7,
      selfLink: '/mine',
      generation: 9,
      resourceVersion: '0',
    };
    const { metadata } = await api.create('things', thing('a', { metadata: sent }), things);
    expect(metadata.uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(metadata).toMatchObject({
      namespace: 'default',
      generation: 1,
      creationTimestamp: new Date(api.clock.now()).toISOString().replace('.000Z', 'Z'),
    });
    for (const field of ['deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink'])
      expect(metadata).not.toHaveProperty(field);
    expect(await api.get('things', 'a', things)).toMatchObject({ metadata });
  });

  test('a kind that keeps no generation leaves the one that was sent', async () => {
    const api = new RegistryUnderTest();
    const { metadata } = await api.create('configmaps', configMap('a', { metadata: { generation: 4 } }));
    expect(metadata['generation']).toBe(4);
  });

  test('a version that was sent is refused', async () => {
    const api = new RegistryUnderTest();
    const sent = configMap('a', { metadata: { resourceVersion: '12' } });
    expect(await refusal(api.create('configmaps', sent))).toMatchObject({
      code: 500,
      reason: '',
      message: 'resourceVersion should not be set on objects to be created',
    });
    expect(api.changes).toEqual([]);
  });
});

describe('API-C2: the namespace of a new object', () => {
  test('must be there', async () => {
    const api = new RegistryUnderTest();
    expect(await refusal(api.create('configmaps', configMap('a'), { namespace: 'nope' }))).toMatchObject({
      code: 404,
      message: 'namespaces "nope" not found',
    });
  });

  test('must be the one of the URL', async () => {
    const api = new RegistryUnderTest();
    const sent = configMap('a', { metadata: { namespace: 'other' } });
    expect(await refusal(api.create('configmaps', sent))).toMatchObject({ code: 400, reason: 'BadRequest' });
  });

  test('must not be going', async () => {
    const api = new RegistryUnderTest();
    await api.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } });
    await api.create('configmaps', configMap('before'), { namespace: 'n' });
    await api.remove('namespaces', 'n');
    expect(await refusal(api.create('configmaps', configMap('a'), { namespace: 'n' }))).toMatchObject({
      code: 403,
      message:
        'configmaps "a" is forbidden: unable to create new content in namespace n because it is being terminated',
    });
    const changed = { ...(await api.get('configmaps', 'before', { namespace: 'n' })), data: { k: '1' } };
    expect((await api.update('configmaps', changed, { namespace: 'n' }))['data']).toEqual({ k: '1' });
  });

  test('is looked at before the object is judged', async () => {
    const api = new RegistryUnderTest();
    const sent = configMap('NOT VALID', { data: { 'not/valid': '' } });
    expect(await refusal(api.create('configmaps', sent, { namespace: 'nope' }))).toMatchObject({ code: 404 });
  });
});

describe('API-C4: a generated name', () => {
  const unnamed = (generateName: string): JsonObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { generateName },
  });

  test('begins as asked for', async () => {
    const api = new RegistryUnderTest();
    const { metadata } = await api.create('configmaps', unnamed('a-'));
    expect(metadata.name).toMatch(/^a-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect(metadata['generateName']).toBe('a-');
  });

  test('is cut to 63 characters', async () => {
    const api = new RegistryUnderTest();
    const { metadata } = await api.create('configmaps', unnamed('a'.repeat(70)));
    expect(metadata.name).toMatch(/^a{58}[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });

  test('that is taken is tried again', async () => {
    const drawn: number[] = [];
    const api = new RegistryUnderTest({ random: () => drawn.shift() ?? 0.3 });
    await api.create('configmaps', configMap('a-bbbbb'));
    drawn.push(...Array<number>(5).fill(0), ...Array<number>(5).fill(0.999));
    const { metadata } = await api.create('configmaps', unnamed('a-'));
    expect(metadata.name).toBe('a-99999');
  });

  test('of which eight are taken is a conflict', async () => {
    const api = new RegistryUnderTest({ random: () => 0 });
    await api.create('configmaps', unnamed('a-'));
    expect(await refusal(api.create('configmaps', unnamed('a-')))).toMatchObject({
      code: 409,
      reason: 'AlreadyExists',
      message: 'configmaps "a-bbbbb" already exists',
    });
  });

  test('counts only where no name is given', async () => {
    const api = new RegistryUnderTest();
    const { metadata } = await api.create('configmaps', configMap('own', { metadata: { generateName: 'a-' } }));
    expect(metadata.name).toBe('own');
  });
});

describe('API-C5: a name that is there', () => {
  test('is refused, and the object stays', async () => {
    const api = new RegistryUnderTest();
    const first = await api.create('configmaps', configMap('a', { data: { k: '1' } }));
    expect(await refusal(api.create('configmaps', configMap('a')))).toMatchObject({
      code: 409,
      reason: 'AlreadyExists',
      message: 'configmaps "a" already exists',
    });
    expect(await api.get('configmaps', 'a')).toEqual(first);
  });

  test('says so where the object is on its way out', async () => {
    const api = new RegistryUnderTest();
    await api.create('configmaps', configMap('a', { metadata: { finalizers: ['a/b'] } }));
    await api.remove('configmaps', 'a');
    const { message } = await refusal(api.create('configmaps', configMap('a')));
    expect(message).toBe('object is being deleted: configmaps "a" already exists');
  });
});

describe('API-C7: the status of a new custom resource', () => {
  test('is not taken from the client', async () => {
    const api = await withThings();
    const created = await api.create('things', thing('a', { spec: {}, status: { ready: true } }), things);
    expect(created).toMatchObject({ spec: { size: 1 } });
    expect(created).not.toHaveProperty('status.ready');
    expect(JSON.stringify(created.metadata['managedFields'])).not.toContain('f:status');
  });
});

describe('API-C13: a create that is a dry run', () => {
  test('answers what would be, and stores nothing', async () => {
    const api = new RegistryUnderTest();
    const answered = await api.create('configmaps', configMap('a'), { query: 'dryRun=All' });
    expect(answered.metadata.uid).not.toBe('');
    expect(answered.metadata).not.toHaveProperty('resourceVersion');
    expect(api.changes).toEqual([]);
    expect(await refusal(api.get('configmaps', 'a'))).toMatchObject({ code: 404 });
  });

  test('is refused for what a real one is refused for', async () => {
    const api = new RegistryUnderTest();
    await api.create('configmaps', configMap('a'));
    expect(await refusal(api.create('configmaps', configMap('a'), { query: 'dryRun=All' }))).toMatchObject({
      code: 409,
    });
    expect(await refusal(api.create('configmaps', configMap('B'), { query: 'dryRun=All' }))).toMatchObject({
      code: 422,
    });
  });
});

test('API-C11: duplicate owners are removed with a warning', async () => {
  const api = new RegistryUnderTest();
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' };
  const body = configMap('a', { metadata: { ownerReferences: [owner, owner] } });
  const answer = await api.ask('create', 'configmaps', { body });
  expect(answer.warnings.join()).toContain('.metadata.ownerReferences contains duplicate entries');
  expect((await api.get('configmaps', 'a')).metadata['ownerReferences']).toEqual([owner]);
});
