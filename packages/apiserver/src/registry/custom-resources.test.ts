// From the moment a definition is stored until its last object is gone.
import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import {
  definitions,
  refusal,
  RegistryUnderTest,
  type Stored,
  thing,
  thingDefinition,
  things,
  thingSchema,
  withThings,
} from './registry-under-test.test-support.ts';

const crds = 'customresourcedefinitions';
const name = 'things.example.com';

interface Condition extends JsonObject {
  type: string;
  status: string;
  reason: string;
}

const conditionsOf = (definition: JsonObject): string[] =>
  ((definition['status'] as { conditions?: Condition[] | null }).conditions ?? []).map(
    ({ type, status, reason }) => `${type} ${status} ${reason}`,
  );

describe('API-K2: a definition', () => {
  test('is answered before anything was accepted, and established a moment later', async () => {
    const api = new RegistryUnderTest();
    const answered = await api.create(crds, thingDefinition(), definitions);
    expect(answered['status']).toMatchObject({
      conditions: null,
      storedVersions: ['v1'],
      acceptedNames: { plural: '' },
    });
    const stored = await api.get(crds, name, definitions);
    expect(conditionsOf(stored)).toEqual(['NamesAccepted True NoConflicts', 'Established True InitialNamesAccepted']);
    expect(stored['status']).toMatchObject({ acceptedNames: { plural: 'things', kind: 'Thing' } });
  });

  test('whose names are taken waits, and gets them when they are free', async () => {
    const api = await withThings();
    const rival = thingDefinition({
      names: { plural: 'others', singular: 'other', kind: 'Thing', listKind: 'ThingList' },
    });
    await api.create(crds, { ...rival, metadata: { name: 'others.example.com' } }, definitions);
    const waiting = await api.get(crds, 'others.example.com', definitions);
    expect(conditionsOf(waiting)[0]).toMatch(/^NamesAccepted False /);
    expect(api.registry.find('example.com', 'v1', 'others')).toBeUndefined();
    await api.remove(crds, name, definitions);
    expect(conditionsOf(await api.get(crds, 'others.example.com', definitions))).toContain(
      'Established True InitialNamesAccepted',
    );
    expect(api.registry.find('example.com', 'v1', 'others')?.kind).toBe('Thing');
  });
});

describe('API-D4: what a definition says is served', () => {
  test('at once, and not after it is gone', async () => {
    const api = await withThings();
    expect(api.registry.find('example.com', 'v1', 'things')?.hasStatus).toBe(true);
    await api.remove(crds, name, definitions);
    expect(api.registry.find('example.com', 'v1', 'things')).toBeUndefined();
    expect(api.registry.findKind('example.com', 'Thing')).toBeUndefined();
  });

  test('by the schema of today, also for what was stored before', async () => {
    const api = await withThings();
    await api.create('things', thing('a', { spec: { note: 'n' } }), things);
    const definition = await api.get(crds, name, definitions);
    const spec = {
      type: 'object',
      properties: { size: { type: 'integer', default: 4 }, more: { type: 'string', default: 'm' } },
    };
    const schema = { openAPIV3Schema: { ...thingSchema, properties: { spec } } };
    await api.update(
      crds,
      {
        ...definition,
        spec: {
          ...(definition['spec'] as JsonObject),
          versions: [{ name: 'v1', served: true, storage: true, schema }],
        },
      },
      definitions,
    );
    // Stored as size 1: a new default is for what is absent, and what the schema no longer knows is not shown.
    expect((await api.get('things', 'a', things))['spec']).toEqual({ size: 1, more: 'm' });
  });

  test('in each of its versions, from one store', async () => {
    const api = new RegistryUnderTest();
    const schema = { openAPIV3Schema: thingSchema };
    const versions = [
      { name: 'v1', served: true, storage: true, schema },
      { name: 'v2', served: true, storage: false, schema },
      { name: 'v3', served: false, storage: false, schema },
    ];
    await api.create(crds, thingDefinition({ versions }), definitions);
    await api.create(
      'things',
      { ...thing('a', { spec: { size: 3 } }), apiVersion: 'example.com/v2' },
      { apiVersion: 'example.com/v2' },
    );
    expect(await api.get('things', 'a', things)).toMatchObject({ apiVersion: 'example.com/v1', spec: { size: 3 } });
    expect(api.registry.find('example.com', 'v3', 'things')).toBeUndefined();
  });
});

describe('API-K4, API-K5: a custom resource', () => {
  test('loses what its schema does not know, with a warning, and gets defaults', async () => {
    const api = await withThings();
    const answer = await api.ask('create', 'things', { body: thing('a', { spec: { nope: 1 } }), ...things });
    expect(answer).toMatchObject({ object: { spec: { size: 1 } }, warnings: ['unknown field "spec.nope"'] });
    expect((await api.get('things', 'a', things))['spec']).toEqual({ size: 1 });
  });
});

describe('API-X9: a definition that is deleted', () => {
  async function held(): Promise<{ api: RegistryUnderTest; going: Stored }> {
    const api = await withThings();
    await api.create('things', thing('free'), things);
    await api.create('things', thing('held', { metadata: { finalizers: ['a/b'] } }), things);
    const going = await api.remove(crds, name, definitions);
    return { api, going };
  }

  test('says that it is going, takes its objects along, and waits for the last', async () => {
    const { api, going } = await held();
    expect(going.metadata['finalizers']).toEqual(['customresourcecleanup.apiextensions.k8s.io']);
    expect(conditionsOf(going).at(-1)).toBe('Terminating True InstanceDeletionPending');
    const stored = await api.get(crds, name, definitions);
    expect(conditionsOf(stored).at(-1)).toBe('Terminating True InstanceDeletionInProgress');
    expect((await api.list('things', things)).items.map(({ metadata }) => metadata.name)).toEqual(['held']);
  });

  test('takes no new objects', async () => {
    const { api } = await held();
    expect(await refusal(api.create('things', thing('new'), things))).toMatchObject({
      code: 403,
      message:
        'things.example.com "new" is forbidden: create not allowed while custom resource definition is terminating',
    });
  });

  test('is gone with the last finalizer of its last object', async () => {
    const { api } = await held();
    await api.patch('things', 'held', { body: { metadata: { finalizers: null } }, ...things });
    expect(await refusal(api.get(crds, name, definitions))).toMatchObject({ code: 404 });
    expect(api.registry.find('example.com', 'v1', 'things')).toBeUndefined();
  });

  test('leaves nothing to one of the same name', async () => {
    const { api } = await held();
    await api.patch('things', 'held', { body: { metadata: { finalizers: null } }, ...things });
    await api.create(crds, thingDefinition({ scope: 'Cluster' }), definitions);
    expect(api.registry.find('example.com', 'v1', 'things')?.namespaced).toBe(false);
    expect((await api.list('things', things)).items).toEqual([]);
  });
});
