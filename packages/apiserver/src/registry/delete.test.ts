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

async function withConfigMap(rest: JsonObject = {}): Promise<{ api: RegistryUnderTest; before: Stored }> {
  const api = new RegistryUnderTest();
  const before = await api.create('configmaps', configMap('a', rest));
  api.changes.length = 0;
  return { api, before };
}

const boundPod = (spec: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }], ...spec },
});

const inSeconds = (api: RegistryUnderTest, seconds: number): string =>
  new Date(api.clock.now() + seconds * 1000).toISOString().replace(/\.\d+Z/, 'Z');

describe('API-X1: an object that nothing holds', () => {
  test('is gone at once', async () => {
    const { api, before } = await withConfigMap();
    expect(await api.remove('configmaps', 'a')).toMatchObject({
      kind: 'Status',
      status: 'Success',
      details: { name: 'a', kind: 'configmaps', uid: before.metadata.uid },
    });
    expect(api.changes.map(({ type }) => type)).toEqual(['DELETED']);
    expect(await refusal(api.remove('configmaps', 'a'))).toMatchObject({ code: 404 });
  });

  test('stays in a dry run', async () => {
    const { api, before } = await withConfigMap();
    expect(await api.remove('configmaps', 'a', { query: 'dryRun=All' })).toMatchObject({ status: 'Success' });
    expect(await api.get('configmaps', 'a')).toEqual(before);
  });
});

describe('API-X2: an object with finalizers', () => {
  test('is marked, once', async () => {
    const { api } = await withConfigMap({ metadata: { finalizers: ['a/b'] } });
    const marked = await api.remove('configmaps', 'a');
    expect(marked.metadata).toMatchObject({ deletionTimestamp: inSeconds(api, 0), deletionGracePeriodSeconds: 0 });
    await api.clock.advance(9000);
    expect(await api.remove('configmaps', 'a')).toEqual(marked);
    expect(api.changes).toHaveLength(1);
  });

  test('is not marked by a dry run', async () => {
    const { api, before } = await withConfigMap({ metadata: { finalizers: ['a/b'] } });
    const answer = await api.remove('configmaps', 'a', { query: 'dryRun=All' });
    expect(answer.metadata).toHaveProperty('deletionTimestamp');
    expect(await api.get('configmaps', 'a')).toEqual(before);
  });
});

describe('API-X3: preconditions', () => {
  test.each([
    ['uid', { uid: 'other' }, 'the UID in the precondition (other) does not match the UID in record ('],
    [
      'version',
      { resourceVersion: '1' },
      'the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (',
    ],
  ])('another %s is a conflict', async (_, preconditions, text) => {
    const { api, before } = await withConfigMap();
    const { code, message } = await refusal(api.remove('configmaps', 'a', { body: { preconditions } }));
    expect(code).toBe(409);
    expect(message).toContain(`Operation cannot be fulfilled on ConfigMap "a": ${text}`);
    expect(await api.get('configmaps', 'a')).toEqual(before);
  });

  test('the right ones are met', async () => {
    const { api, before } = await withConfigMap();
    const { uid, resourceVersion } = before.metadata;
    expect(await api.remove('configmaps', 'a', { body: { preconditions: { uid, resourceVersion } } })).toMatchObject({
      status: 'Success',
    });
  });
});

describe('API-X5: what becomes of dependents', () => {
  test.each([
    ['Foreground', ['foregroundDeletion']],
    ['Orphan', ['orphan']],
  ])('%s leaves a finalizer', async (propagationPolicy, finalizers) => {
    const { api } = await withConfigMap();
    expect((await api.remove('configmaps', 'a', { body: { propagationPolicy } })).metadata['finalizers']).toEqual(
      finalizers,
    );
  });

  test.each([
    ['Foreground', 'orphan', ['a/b', 'foregroundDeletion']],
    ['Orphan', 'foregroundDeletion', ['a/b', 'orphan']],
    ['Background', 'orphan', ['a/b']],
    ['Orphan', 'orphan', ['orphan', 'a/b']],
  ])('%s overrides the finalizer %s', async (propagationPolicy, there, finalizers) => {
    const { api } = await withConfigMap({ metadata: { finalizers: [there, 'a/b'] } });
    expect((await api.remove('configmaps', 'a', { body: { propagationPolicy } })).metadata['finalizers']).toEqual(
      finalizers,
    );
  });

  describe('and Background takes the last finalizer away', () => {
    const waiting = async (): Promise<{ api: RegistryUnderTest; marked: Stored }> => {
      const { api } = await withConfigMap();
      const marked = await api.remove('configmaps', 'a', { body: { propagationPolicy: 'Orphan' } });
      return { api, marked };
    };
    const background = (more: JsonObject = {}): { body: JsonObject } => ({
      body: { propagationPolicy: 'Background', ...more },
    });

    test('the object goes at once', async () => {
      const { api } = await waiting();
      expect(await api.remove('configmaps', 'a', background())).toMatchObject({ status: 'Success' });
      expect(await refusal(api.get('configmaps', 'a'))).toMatchObject({ code: 404 });
    });

    test('on the condition of a version it never goes, as on the real server', async () => {
      const { api, marked } = await waiting();
      const { resourceVersion } = marked.metadata;
      const { code, message } = await refusal(
        api.remove('configmaps', 'a', background({ preconditions: { resourceVersion } })),
      );
      expect(code).toBe(409);
      expect(message).toContain(
        `Precondition failed: ResourceVersion in precondition: , ResourceVersion in object meta: ${resourceVersion}`,
      );
      expect(await api.get('configmaps', 'a')).toEqual(marked);
    });

    test('a dry run answers an object of which only the kind is known, and changes nothing', async () => {
      const { api, marked } = await waiting();
      const { resourceVersion } = marked.metadata;
      const options = background({ dryRun: ['All'], preconditions: { resourceVersion } });
      expect(await api.remove('configmaps', 'a', options)).toEqual({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {},
      });
      expect(await api.get('configmaps', 'a')).toEqual(marked);
    });

    test('of a Pod that was marked without grace, it goes in one change', async () => {
      const api = new RegistryUnderTest();
      await api.create('pods', { ...boundPod(), metadata: { name: 'p', finalizers: ['orphan'] } });
      await api.remove('pods', 'p', { body: { gracePeriodSeconds: 0 } });
      api.changes.length = 0;
      expect(await api.remove('pods', 'p', background())).toMatchObject({ kind: 'Pod' });
      expect(api.changes.map(({ type }) => type)).toEqual(['DELETED']);
    });
  });

  test('a Job without a policy orphans its Pods, and says so', async () => {
    const api = new RegistryUnderTest();
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
    const batch = { apiVersion: 'batch/v1' };
    await api.create(
      'jobs',
      { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'j' }, spec: { template } },
      batch,
    );
    const answer = await api.ask('delete', 'jobs', { name: 'j', ...batch });
    expect(answer).toMatchObject({ object: { metadata: { finalizers: ['orphan'] } } });
    expect(answer.warnings.join()).toContain('child pods are preserved by default when jobs are deleted');
    const said = await api.ask('delete', 'jobs', { name: 'j', body: { propagationPolicy: 'Background' }, ...batch });
    expect(said.warnings).toEqual([]);
  });
});

describe('API-X4: grace', () => {
  test('of a Pod on a node is that of its spec, unless asked for', async () => {
    const api = new RegistryUnderTest();
    await api.create('pods', boundPod({ terminationGracePeriodSeconds: 40 }));
    const { metadata } = await api.remove('pods', 'p');
    expect(metadata).toMatchObject({ deletionTimestamp: inSeconds(api, 40), deletionGracePeriodSeconds: 40 });
  });

  test('can be shortened, and not prolonged', async () => {
    const api = new RegistryUnderTest();
    await api.create('pods', boundPod());
    const grace = async (gracePeriodSeconds: number): Promise<unknown> =>
      (await api.remove('pods', 'p', { body: { gracePeriodSeconds } })).metadata['deletionGracePeriodSeconds'];
    expect(await grace(20)).toBe(20);
    expect(await grace(10)).toBe(10);
    expect(await grace(25)).toBe(10);
    expect(await grace(-1)).toBe(1);
  });

  test('of none ends the Pod: it is marked and gone, in two changes', async () => {
    const api = new RegistryUnderTest();
    await api.create('pods', boundPod());
    api.changes.length = 0;
    const answer = await api.remove('pods', 'p', { body: { gracePeriodSeconds: 0 } });
    expect(answer).toMatchObject({ kind: 'Pod', metadata: { deletionGracePeriodSeconds: 0 } });
    expect(api.changes.map(({ type }) => type)).toEqual(['MODIFIED', 'DELETED']);
    const { resourceVersion } = answer.metadata;
    expect(api.changes.at(-1)?.object).toMatchObject({ metadata: { resourceVersion } });
  });

  test('is not needed by a Pod without a node', async () => {
    const api = new RegistryUnderTest();
    await api.create('pods', boundPod({ nodeName: '' }));
    await api.remove('pods', 'p');
    expect(await refusal(api.get('pods', 'p'))).toMatchObject({ code: 404 });
  });
});

test.each(['default', 'kube-system', 'kube-public'])('API-X7: the namespace %s may not be deleted', async (name) => {
  const api = new RegistryUnderTest();
  expect(await refusal(api.remove('namespaces', name))).toMatchObject({
    code: 403,
    message: `namespaces "${name}" is forbidden: this namespace may not be deleted`,
  });
  expect((await api.get('namespaces', name)).metadata).not.toHaveProperty('deletionTimestamp');
});

describe('API-X8: a collection', () => {
  async function filled(): Promise<RegistryUnderTest> {
    const api = new RegistryUnderTest();
    for (const [name, app] of [
      ['a', 'x'],
      ['b', 'y'],
      ['c', 'x'],
    ] as const) {
      await api.create('configmaps', configMap(name, { metadata: { labels: { app } } }));
    }
    return api;
  }
  const left = async (api: RegistryUnderTest): Promise<string[]> =>
    (await api.list('configmaps')).items.map(({ metadata }) => metadata.name);

  test('is deleted as selected, and the list of what went is answered', async () => {
    const api = await filled();
    const answer = await api.ask('deletecollection', 'configmaps', { query: 'labelSelector=app%3Dx' });
    expect(answer).toMatchObject({
      type: 'list',
      list: { items: [{ metadata: { name: 'a' } }, { metadata: { name: 'c' } }] },
    });
    expect(await left(api)).toEqual(['b']);
  });

  test('stays in a dry run', async () => {
    const api = await filled();
    await api.ask('deletecollection', 'configmaps', { query: 'dryRun=All' });
    expect(await left(api)).toEqual(['a', 'b', 'c']);
  });

  test('ends at the first whose precondition does not hold', async () => {
    const api = await filled();
    const { metadata } = await api.get('configmaps', 'a');
    const body = { preconditions: { uid: metadata.uid } };
    expect(await refusal(api.ask('deletecollection', 'configmaps', { body }))).toMatchObject({ code: 409 });
    expect(await left(api)).toEqual(['b', 'c']);
  });
});

test('a custom resource is answered as a Status of its group', async () => {
  const api = await withThings();
  await api.create('things', thing('a'), things);
  expect(await api.remove('things', 'a', things)).toMatchObject({
    status: 'Success',
    details: { name: 'a', group: 'example.com', kind: 'things' },
  });
});
