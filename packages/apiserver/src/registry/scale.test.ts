// The Scale of an object, as it is read and written.
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
} from './registry-under-test.test-support.ts';
import { replicaSteps, scaleOf, writableScale } from './scale.ts';

const paths = {
  specReplicasPath: '.spec.size',
  statusReplicasPath: '.status.size',
  labelSelectorPath: '.spec.selector',
};
const shown = (selector: JsonObject | string | undefined): unknown => {
  const object = { metadata: { name: 'a' }, spec: { size: 2, ...(selector !== undefined && { selector }) } };
  return (scaleOf(object, paths)['status'] as JsonObject)['selector'];
};

describe('API-R1: the selector of a Scale is a text', () => {
  test.each([
    [undefined, undefined],
    ['a=b', 'a=b'],
    [{ app: 'x', tier: 'y' }, 'app=x,tier=y'],
    [{ matchLabels: { app: 'x' } }, 'app=x'],
    [
      {
        matchLabels: { z: '1' },
        matchExpressions: [
          { key: 'a', operator: 'In', values: ['1', '2'] },
          { key: 'b', operator: 'NotIn', values: ['3'] },
          { key: 'c', operator: 'Exists' },
          { key: 'd', operator: 'DoesNotExist' },
        ],
      },
      '!d,a in (1,2),b notin (3),c,z=1',
    ],
    [{}, undefined],
  ])('%j', (selector, expected) => {
    expect(shown(selector)).toBe(expected);
  });
});

test('a path has steps', () => {
  expect(replicaSteps('.spec.replicas')).toEqual(['spec', 'replicas']);
});

test('API-R1: an object without the count has no Scale to read, and one to write', () => {
  expect(() => scaleOf({ metadata: {} }, paths)).toThrow(
    'Internal error occurred: the spec replicas field ".spec.size" does not exist',
  );
  const { spec, status } = writableScale({ metadata: {} }, paths);
  expect({ spec, status }).toEqual({ spec: {}, status: { replicas: 0 } });
});

const scaleSchema = {
  openAPIV3Schema: {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: { size: { type: 'integer', minimum: 0 } } },
      status: { type: 'object', properties: { size: { type: 'integer' } } },
    },
  },
};

async function scalable(spec: JsonObject = { size: 2 }): Promise<{ api: RegistryUnderTest; before: Stored }> {
  const api = new RegistryUnderTest();
  const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' };
  const version = { name: 'v1', served: true, storage: true, schema: scaleSchema, subresources: { scale } };
  await api.create('customresourcedefinitions', thingDefinition({ versions: [version] }), definitions);
  return { api, before: await api.create('things', thing('a', { spec }), things) };
}

const asking = { ...things, subresource: 'scale', name: 'a' } as const;
const scale = (replicas: unknown, metadata: JsonObject = {}): JsonObject =>
  ({
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'a', ...metadata },
    spec: { replicas },
  }) as JsonObject;

describe('API-R1: a write to a Scale', () => {
  test('sets the count of the object, and nothing else', async () => {
    const { api, before } = await scalable();
    expect(await api.object('update', 'things', { ...asking, body: scale(5, { labels: { l: '1' } }) })).toMatchObject({
      kind: 'Scale',
      spec: { replicas: 5 },
    });
    const after = await api.get('things', 'a', things);
    expect(after).toMatchObject({ spec: { size: 5 }, metadata: { generation: 2, uid: before.metadata.uid } });
    expect(after.metadata).not.toHaveProperty('labels');
  });

  test('can be a patch', async () => {
    const { api } = await scalable();
    const body = { spec: { replicas: 7 } };
    await api.patch('things', 'a', { ...asking, body });
    expect(await api.get('things', 'a', things)).toMatchObject({ spec: { size: 7 } });
  });

  test('owns the count through the subresource', async () => {
    const { api } = await scalable();
    await api.patch('things', 'a', { ...asking, body: { spec: { replicas: 7 } }, query: 'fieldManager=scaler' });
    const { managedFields } = (await api.get('things', 'a', things)).metadata as unknown as {
      managedFields: JsonObject[];
    };
    expect(managedFields.find(({ manager }) => manager === 'scaler')).toMatchObject({
      subresource: 'scale',
      apiVersion: 'example.com/v1',
      fieldsV1: { 'f:spec': { 'f:size': {} } },
    });
  });

  test.each([
    ['a count that is not one', 1.5, 400],
    ['a count below nothing', -1, 422],
  ])('%s is refused', async (_, replicas, code) => {
    const { api, before } = await scalable();
    expect(await refusal(api.ask('update', 'things', { ...asking, body: scale(replicas) }))).toMatchObject({ code });
    expect(await api.get('things', 'a', things)).toEqual(before);
  });

  test('of a stale version, or of nothing, is refused', async () => {
    const { api } = await scalable();
    const stale = scale(3, { resourceVersion: '1' });
    expect(await refusal(api.ask('update', 'things', { ...asking, body: stale }))).toMatchObject({ code: 409 });
    expect(await refusal(api.ask('update', 'things', { ...asking, name: 'b', body: scale(3) }))).toMatchObject({
      code: 404,
    });
  });

  test('sets a count that was not there', async () => {
    const { api } = await scalable({});
    expect(await refusal(api.ask('get', 'things', asking))).toMatchObject({ code: 500, reason: 'InternalError' });
    await api.ask('update', 'things', { ...asking, body: scale(3) });
    expect(await api.object('get', 'things', asking)).toMatchObject({ spec: { replicas: 3 } });
  });

  test('of a dry run stores nothing', async () => {
    const { api, before } = await scalable();
    expect(await api.object('update', 'things', { ...asking, body: scale(9), query: 'dryRun=All' })).toMatchObject({
      spec: { replicas: 9 },
    });
    expect(await api.get('things', 'a', things)).toEqual(before);
  });
});
