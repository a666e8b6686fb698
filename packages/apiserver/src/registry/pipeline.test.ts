// Who is asked about a change, when, and what becomes of a change that was overtaken meanwhile.
import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { forbidden } from '../status/index.ts';
import type { AdmissionRequest, AdmissionStep } from './admission-step.ts';
import { configMap, refusal, RegistryUnderTest, type Stored } from './registry-under-test.test-support.ts';

type Metadata = Record<string, unknown>;
const metadata = (object: JsonObject | undefined): Metadata => (object?.['metadata'] ?? {}) as Metadata;
const isConfigMap = ({ resource }: AdmissionRequest): boolean => resource.plural === 'configmaps';

/** Asks about ConfigMaps alone, as a webhook with rules would. */
function about(step: {
  mutate?: (request: AdmissionRequest) => Promise<JsonObject>;
  validate?: (request: AdmissionRequest) => Promise<void>;
}): AdmissionStep {
  const { mutate, validate } = step;
  return {
    ...(mutate !== undefined && { mutate: (request) => (isConfigMap(request) ? mutate(request) : undefined) }),
    ...(validate !== undefined && { validate: (request) => (isConfigMap(request) ? validate(request) : undefined) }),
  };
}

const labelled = (name: string) =>
  about({
    mutate: async ({ object = {} }) => {
      const labels = { ...(metadata(object)['labels'] as JsonObject | undefined), [name]: 'x' };
      return { ...object, metadata: { ...(metadata(object) as JsonObject), labels } };
    },
  });

const refusing = (message: string) =>
  about({
    validate: async ({ resource, object }) => {
      throw forbidden(resource, String(metadata(object)['name']), { message });
    },
  });

/** Waits for the test whenever it is asked about an update. */
function gate() {
  const waiting: (() => void)[] = [];
  let closed = true;
  const pass = (): Promise<void> => new Promise((resolve) => (closed ? waiting.push(resolve) : resolve()));
  const step = about({ validate: async ({ operation }) => (operation === 'create' ? undefined : pass()) });
  const open = (): void => {
    closed = false;
    for (const resume of waiting.splice(0)) resume();
  };
  return { step, open, waiting };
}

describe('without anybody to ask', () => {
  test('a change is stored within the call', async () => {
    const api = new RegistryUnderTest();
    const creating = api.create('configmaps', configMap('a'));
    expect(api.changes.map(({ type, object }) => [type, metadata(object)['name']])).toEqual([['ADDED', 'a']]);
    const created = await creating;
    const going = api.remove('configmaps', 'a', { body: { preconditions: { uid: created.metadata.uid } } });
    expect(api.changes.at(-1)?.type).toBe('DELETED');
    await going;
  });
});

describe('whoever may change an object', () => {
  test('sees it defaulted and owned, before it has a name, a uid and a time', async () => {
    const seen: AdmissionRequest[] = [];
    const admission = [
      {
        mutate: (request: AdmissionRequest) => {
          seen.push(structuredClone({ ...request, resource: request.resource.plural, warn: undefined }) as never);
          return undefined;
        },
      },
    ];
    const api = new RegistryUnderTest({ admission });
    const spec = { selector: { app: 'a' }, ports: [{ port: 80 }] };
    await api.create('services', { apiVersion: 'v1', kind: 'Service', metadata: { generateName: 'a-' }, spec });
    const [{ object, ...request } = {} as AdmissionRequest] = seen;
    expect(request).toMatchObject({ operation: 'create', dryRun: false, user: { name: 'admin' }, old: undefined });
    expect(object?.['spec']).toMatchObject({ type: 'ClusterIP', ports: [{ protocol: 'TCP' }] });
    expect(metadata(object)['managedFields']).toMatchObject([{ manager: 'tester', operation: 'Update' }]);
    for (const field of ['name', 'uid', 'creationTimestamp']) expect(metadata(object)[field]).toBeUndefined();
    expect(object?.['spec']).not.toHaveProperty('clusterIP');
  });

  test('is asked in order, each about what the one before made of it', async () => {
    const api = new RegistryUnderTest({ admission: [labelled('one'), labelled('two')] });
    const { metadata: stored } = await api.create('configmaps', configMap('a', { data: { k: '1' } }));
    expect(Object.keys(stored['labels'] as JsonObject)).toEqual(['one', 'two']);
    expect(JSON.stringify(stored['managedFields'])).not.toContain('f:labels');
  });

  test('cannot make an object that breaks the rules', async () => {
    const breaks = about({ mutate: async ({ object = {} }) => ({ ...object, data: { 'not/a key': '' } }) });
    const api = new RegistryUnderTest({ admission: [breaks] });
    expect(await refusal(api.create('configmaps', configMap('a')))).toMatchObject({ code: 422, reason: 'Invalid' });
    expect(api.changes).toEqual([]);
  });

  test('cannot change what an update never changes', async () => {
    const api = new RegistryUnderTest({
      admission: [
        about({
          mutate: async ({ object = {}, old }) =>
            old === undefined
              ? object
              : {
                  ...object,
                  metadata: { ...(object['metadata'] as JsonObject), creationTimestamp: null, resourceVersion: '1' },
                },
        }),
      ],
    });
    const created = await api.create('configmaps', configMap('a'));
    const updated = await api.update('configmaps', { ...created, data: { k: '1' } });
    expect(updated.metadata['creationTimestamp']).toBe(created.metadata['creationTimestamp']);
    expect(Number(updated.metadata.resourceVersion)).toBeGreaterThan(Number(created.metadata.resourceVersion));
  });
});

describe('whoever may refuse an object', () => {
  test('sees it as it would be stored', async () => {
    let seen: JsonObject | undefined;
    const looks = about({ validate: async ({ object }) => void (seen = structuredClone(object)) });
    const api = new RegistryUnderTest({ admission: [looks, labelled('one')] });
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'a-' } };
    const stored = await api.create('configmaps', body);
    expect(metadata(seen)['labels']).toEqual({ one: 'x' });
    expect(metadata(seen)).toMatchObject({ name: stored.metadata.name, uid: stored.metadata.uid });
  });

  test('keeps it out of the store; the first in order is the one the client hears', async () => {
    const api = new RegistryUnderTest({ admission: [refusing('first'), refusing('second')] });
    expect(await refusal(api.create('configmaps', configMap('a')))).toMatchObject({
      code: 403,
      message: 'configmaps "a" is forbidden: first',
    });
    expect(api.changes).toEqual([]);
  });

  test('is not asked about what the rules refuse', async () => {
    const api = new RegistryUnderTest({ admission: [refusing('never')] });
    expect(await refusal(api.create('configmaps', configMap('A')))).toMatchObject({ code: 422 });
  });

  test('keeps a deletion from happening, and is shown what would go', async () => {
    let seen: AdmissionRequest | undefined;
    const step = about({
      validate: async (request) => {
        if (request.operation !== 'delete') return;
        seen = request;
        throw forbidden(request.resource, 'a', { message: 'it stays' });
      },
    });
    const api = new RegistryUnderTest({ admission: [step] });
    await api.create('configmaps', configMap('a', { data: { k: '1' } }));
    expect(await refusal(api.remove('configmaps', 'a'))).toMatchObject({ code: 403 });
    expect(seen).toMatchObject({ object: undefined, old: { data: { k: '1' } } });
    expect((await api.get('configmaps', 'a'))['data']).toEqual({ k: '1' });
  });

  test('knows of a dry run, which stores nothing', async () => {
    const asked: boolean[] = [];
    const api = new RegistryUnderTest({
      admission: [about({ validate: async ({ dryRun }) => void asked.push(dryRun) })],
    });
    await api.create('configmaps', configMap('a'), { query: 'dryRun=All' });
    expect(asked).toEqual([true]);
    expect(api.changes).toEqual([]);
  });
});

test('nobody is asked about what the server writes itself', async () => {
  const asked: string[] = [];
  const admission = [
    {
      validate: ({ user, resource, operation }: AdmissionRequest) =>
        void asked.push(`${user.name} ${operation} ${resource.plural}`) as undefined,
    },
  ];
  const api = new RegistryUnderTest({ admission });
  const names = { plural: 'things', kind: 'Thing', singular: 'thing', listKind: 'ThingList' };
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }];
  await api.create(
    'customresourcedefinitions',
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.example.com' },
      spec: { group: 'example.com', names, scope: 'Namespaced', versions },
    },
    { apiVersion: 'apiextensions.k8s.io/v1' },
  );
  expect(api.changes.length).toBeGreaterThan(1);
  expect(asked).toEqual(['admin create customresourcedefinitions']);
});

describe('a change that is overtaken while others are asked', () => {
  const quicker = async (api: RegistryUnderTest, data: JsonObject): Promise<Stored> => {
    // What the gate keeps waiting is not asked again: this write passes it first.
    const current = await api.get('configmaps', 'a');
    return api.update('configmaps', { ...current, data });
  };

  test('a patch is applied to what is there now', async () => {
    const { step, open, waiting } = gate();
    const api = new RegistryUnderTest({ admission: [step] });
    await api.create('configmaps', configMap('a', { data: { k: '1' } }));
    const patching = api.patch('configmaps', 'a', { body: { data: { p: 'patched' } } });
    await api.clock.settle();
    expect(waiting).toHaveLength(1);
    const writing = quicker(api, { k: '2' });
    await api.clock.settle();
    waiting.pop()?.();
    await writing;
    open();
    expect((await patching)['data']).toEqual({ k: '2', p: 'patched' });
  });

  test('a PUT that names the version it saw is refused', async () => {
    const { step, open, waiting } = gate();
    const api = new RegistryUnderTest({ admission: [step] });
    const created = await api.create('configmaps', configMap('a'));
    const putting = refusal(api.update('configmaps', { ...created, data: { mine: '1' } }));
    await api.clock.settle();
    const writing = quicker(api, { k: '2' });
    await api.clock.settle();
    waiting.pop()?.();
    await writing;
    open();
    expect(await putting).toMatchObject({ code: 409, reason: 'Conflict' });
    expect((await api.get('configmaps', 'a'))['data']).toEqual({ k: '2' });
  });

  test('a PUT that names none is made', async () => {
    const { step, open, waiting } = gate();
    const api = new RegistryUnderTest({ admission: [step] });
    await api.create('configmaps', configMap('a'));
    const putting = api.update('configmaps', configMap('a', { data: { mine: '1' } }));
    await api.clock.settle();
    const writing = quicker(api, { k: '2' });
    await api.clock.settle();
    waiting.pop()?.();
    await writing;
    open();
    expect((await putting)['data']).toEqual({ mine: '1' });
  });

  test('a deletion looks at its preconditions again', async () => {
    const { step, open, waiting } = gate();
    const api = new RegistryUnderTest({ admission: [step] });
    const { metadata: before } = await api.create('configmaps', configMap('a'));
    const body = { preconditions: { resourceVersion: before.resourceVersion } };
    const deleting = refusal(api.remove('configmaps', 'a', { body }));
    await api.clock.settle();
    const writing = quicker(api, { k: '2' });
    await api.clock.settle();
    waiting.pop()?.();
    await writing;
    open();
    expect(await deleting).toMatchObject({ code: 409, reason: 'Conflict' });
  });

  test('an object that is gone is not found', async () => {
    const { step, open, waiting } = gate();
    const api = new RegistryUnderTest({ admission: [step] });
    await api.create('configmaps', configMap('a'));
    const patching = refusal(api.patch('configmaps', 'a', { body: { data: { p: '1' } } }));
    await api.clock.settle();
    const deleting = api.remove('configmaps', 'a');
    await api.clock.settle();
    waiting.pop()?.();
    await deleting;
    open();
    expect(await patching).toMatchObject({ code: 404 });
  });

  test('two creates of one name: the second to be stored is refused', async () => {
    const api = new RegistryUnderTest({ admission: [about({ validate: async () => undefined })] });
    const both = await Promise.allSettled(
      [1, 2].map((n) => api.create('configmaps', configMap('a', { data: { n: `${n}` } }))),
    );
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });

  test('that is overtaken each time comes to an end', async () => {
    let asked = 0;
    const api: RegistryUnderTest = new RegistryUnderTest({
      admission: [
        about({
          validate: async ({ user: asking, operation }) => {
            if (asking.name !== 'admin' || operation === 'create') return;
            asked += 1;
            const user = { name: 'other', groups: [] };
            await api.patch('configmaps', 'a', { body: { data: { n: `${asked}` } }, user });
          },
        }),
      ],
    });
    await api.create('configmaps', configMap('a'));
    expect(await refusal(api.patch('configmaps', 'a', { body: { data: { p: '1' } } }))).toMatchObject({ code: 409 });
    expect(asked).toBe(32);
  });
});
