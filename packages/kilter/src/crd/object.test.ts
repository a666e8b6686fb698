import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { KilterError } from '../errors/index.ts';
import { customResource, entries, listMap, quantity, ResourceError } from './index.ts';

class WebApp extends customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'WebApp',
  spec: z.object({
    image: z.string().min(1),
    replicas: z.int().max(100).default(1),
    env: z
      .array(z.object({ name: z.string(), value: z.string() }))
      .meta(listMap('name'))
      .default([]),
    tlsSecret: z.string().optional(),
    labels: z
      .record(z.string(), z.string())
      .meta(entries({ max: 1 }))
      .optional(),
    memory: z.union([z.int(), z.string()]).meta(quantity()).optional(),
    extra: z.any().optional(),
  }),
  status: z.object({ availableReplicas: z.int().optional() }),
}) {}

const Policy = customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Policy',
  scope: 'Cluster',
  spec: z.object({}),
});

function problemsOf(run: () => unknown): string[] {
  try {
    run();
  } catch (error) {
    if (!(error instanceof ResourceError)) throw error;
    expect(error.problems.every(({ code }) => code === 'CRD_OBJECT_INVALID')).toBe(true);
    return error.problems.map(({ path }) => path);
  }
  return [];
}

describe('build', () => {
  test('fills defaults and gives plain JSON', () => {
    const app = WebApp.build({ name: 'shop', namespace: 'default', labels: { a: 'b' }, spec: { image: 'nginx:1.27' } });
    expect(app).toStrictEqual({
      apiVersion: 'example.com/v1',
      kind: 'WebApp',
      metadata: { name: 'shop', namespace: 'default', labels: { a: 'b' } },
      spec: { image: 'nginx:1.27', replicas: 1, env: [] },
    });
    expect(app).not.toBeInstanceOf(WebApp);
  });

  test('leaves nothing undefined in it', () => {
    const app = WebApp.build({
      name: 'shop',
      namespace: undefined,
      spec: { image: 'a', tlsSecret: undefined, extra: { a: undefined, b: [1, undefined] } },
    });
    expect(app).toStrictEqual({
      apiVersion: 'example.com/v1',
      kind: 'WebApp',
      metadata: { name: 'shop' },
      spec: { image: 'a', replicas: 1, env: [], extra: { b: [1, null] } },
    });
  });

  test('names every wrong field in one error', () => {
    const run = (): unknown =>
      WebApp.build({ name: 'Shop', spec: { image: '', replicas: 'x' as never, env: [{ name: 'a' } as never] } });
    expect(problemsOf(run)).toEqual(['metadata.name', 'spec.image', 'spec.replicas', 'spec.env[0].value']);
    expect(run).toThrow(/WebApp\.example\.com "Shop" has 4 problems:\n- metadata\.name: /);
  });

  test('knows what only helpers say', () => {
    const image = 'a';
    const twice = [
      { name: 'a', value: '1' },
      { name: 'a', value: '2' },
    ];
    expect(problemsOf(() => WebApp.build({ name: 'shop', spec: { image, env: twice } }))).toEqual(['spec.env[1]']);
    expect(problemsOf(() => WebApp.build({ name: 'shop', spec: { image, memory: 'much' } }))).toEqual(['spec.memory']);
    expect(problemsOf(() => WebApp.build({ name: 'shop', spec: { image, labels: { a: '1', b: '2' } } }))).toEqual([
      'spec.labels',
    ]);
  });

  test('refuses what is not JSON', () => {
    const extra = { when: new Date(0), big: 1n, not: Number.NaN };
    expect(problemsOf(() => WebApp.build({ name: 'shop', spec: { image: 'a', extra } }))).toEqual([
      'spec.extra.when',
      'spec.extra.big',
      'spec.extra.not',
    ]);
  });

  test('a namespace on a cluster-scoped kind is refused', () => {
    expect(problemsOf(() => Policy.build({ name: 'p', namespace: 'default' }))).toEqual(['metadata.namespace']);
    expect(problemsOf(() => Policy.fields({ name: 'p', namespace: 'default' }))).toEqual(['metadata.namespace']);
    expect(Policy.build({ name: 'p' })).toStrictEqual({
      apiVersion: 'example.com/v1',
      kind: 'Policy',
      metadata: { name: 'p' },
      spec: {},
    });
  });

  test('an optional spec may be absent, a defaulted one is filled in', () => {
    const base = { group: 'example.com', version: 'v1', kind: 'Maybe' } as const;
    const spec = z.object({ a: z.string() });
    expect(customResource({ ...base, spec: spec.optional() }).build({ name: 'x' })).not.toHaveProperty('spec');
    expect(customResource({ ...base, spec: spec.default({ a: 'b' }) }).build({ name: 'x' }).spec).toEqual({ a: 'b' });
  });

  test('an asynchronous schema is refused', () => {
    const spec = z.object({ a: z.string().refine(async () => true) });
    const Async = customResource({ group: 'example.com', version: 'v1', kind: 'Async', spec });
    expect(() => Async.build({ name: 'x', spec: { a: 'b' } })).toThrow('CRD_SCHEMA_ASYNC');
  });
});

describe('fields', () => {
  test('are just these, without defaults', () => {
    expect(WebApp.fields({ name: 'shop', namespace: 'default', spec: { replicas: 3 } })).toStrictEqual({
      apiVersion: 'example.com/v1',
      kind: 'WebApp',
      metadata: { name: 'shop', namespace: 'default' },
      spec: { replicas: 3 },
    });
    expect(WebApp.fields({ name: 'shop' })).not.toHaveProperty('spec');
  });

  test.each<[string, object, string[]]>([
    ['an unknown field', { replcas: 3 }, ['spec.replcas']],
    ['a field of another type', { replicas: '3' }, ['spec.replicas']],
    ['a value out of bounds', { replicas: 101 }, ['spec.replicas']],
    ['a value that is too short', { image: '' }, ['spec.image']],
    ['an item of another type', { env: ['a'] }, ['spec.env[0]']],
    ['an unknown field of an item', { env: [{ name: 'a', vlue: 'b' }] }, ['spec.env[0].vlue']],
    ['an item without the key that tells which it is', { env: [{ value: 'b' }] }, ['spec.env[0].name']],
    ['the same item twice', { env: [{ name: 'a' }, { name: 'a' }] }, ['spec.env[1]']],
    ['an invalid quantity', { memory: 'much' }, ['spec.memory']],
    ['null', { image: null }, ['spec.image']],
    ['several at once', { image: 3, replicas: 'x' }, ['spec.image', 'spec.replicas']],
    ['what is not JSON', { extra: new Date(0) }, ['spec.extra']],
  ])('are checked: %s', (_, spec, paths) => {
    expect(problemsOf(() => WebApp.fields({ name: 'shop', spec: spec as never }))).toEqual(paths);
  });

  test('do not miss what is missing', () => {
    expect(problemsOf(() => WebApp.fields({ name: 'shop', spec: { env: [{ name: 'a' }] } }))).toEqual([]);
    const Union = customResource({
      group: 'example.com',
      version: 'v1',
      kind: 'Union',
      spec: z.object({
        u: z.discriminatedUnion('t', [
          z.object({ t: z.literal('a'), a: z.string() }),
          z.object({ t: z.literal('b'), b: z.object({ c: z.string(), d: z.string() }) }),
        ]),
      }),
    });
    expect(problemsOf(() => Union.fields({ name: 'u', spec: { u: { b: { c: 'x' } } as never } }))).toEqual([]);
    expect(problemsOf(() => Union.fields({ name: 'u', spec: { u: { b: { c: 1 } } as never } }))).toEqual([
      'spec.u.b.c',
    ]);
  });

  test('labels and annotations are checked as the server checks them', () => {
    const at = (identity: object): string[] => problemsOf(() => WebApp.fields({ name: 'shop', ...identity }));
    expect(at({ labels: { 'example.com/app': 'a', b: '' }, annotations: { a: 'any text' } })).toEqual([]);
    expect(at({ labels: { 'a b': 'x' } })).toEqual(['metadata.labels[a b]']);
    expect(at({ labels: { a: 'x y' } })).toEqual(['metadata.labels[a]']);
    expect(at({ labels: { a: 'x'.repeat(64) } })).toEqual(['metadata.labels[a]']);
    expect(at({ annotations: { 'a/b/c': 'x' } })).toEqual(['metadata.annotations[a/b/c]']);
  });
});

describe('parse', () => {
  const good = {
    apiVersion: 'example.com/v1',
    kind: 'WebApp',
    metadata: { name: 'shop', namespace: 'default', uid: 'u', finalizers: ['example.com/x'] },
    spec: { image: 'a', unknown: 1 },
    status: {
      availableReplicas: 1,
      observedGeneration: 3,
      conditions: [
        { type: 'Ready', status: 'True', reason: 'Up', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
      ],
    },
  };

  test('gives a typed object: defaults filled, unknown fields gone, metadata kept', () => {
    expect(WebApp.parse(good)).toStrictEqual({ ...good, spec: { image: 'a', replicas: 1, env: [] } });
  });

  test('does not change what it is given', () => {
    const before = structuredClone(good);
    WebApp.parse(good);
    expect(good).toStrictEqual(before);
  });

  test.each([
    { generateName: 'shop-' },
    { generateName: 's' },
    { name: '', generateName: 'shop.a--' },
    { name: 'shop', generateName: '' },
    { name: 'shop-x7', generateName: 'shop-' },
  ])('takes an object whose name the server is to make: %j', (metadata) => {
    expect(WebApp.parse({ ...good, metadata }).metadata).toStrictEqual(metadata);
  });

  test.each([
    ['a bad beginning of a name', { ...good, metadata: { generateName: 'Shop-' } }, ['metadata.generateName']],
    ['a beginning that is a dash', { ...good, metadata: { generateName: '-' } }, ['metadata.generateName']],
    ['a beginning that is not text', { ...good, metadata: { generateName: ['a'] } }, ['metadata.generateName']],
    ['a bad name beside one', { ...good, metadata: { name: 'A', generateName: 'a' } }, ['metadata.name']],
    ['an empty one', { ...good, metadata: { generateName: '' } }, ['metadata.name']],
    ['another version', { ...good, apiVersion: 'example.com/v2' }, ['apiVersion']],
    ['another kind', { ...good, kind: 'Shop' }, ['kind']],
    ['no metadata', { ...good, metadata: undefined }, ['metadata']],
    ['no name', { ...good, metadata: {} }, ['metadata.name']],
    ['a bad namespace', { ...good, metadata: { name: 'a', namespace: 'A.b' } }, ['metadata.namespace']],
    ['a label that is not text', { ...good, metadata: { name: 'a', labels: { a: 1 } } }, ['metadata.labels[a]']],
    ['no spec', { ...good, spec: undefined }, ['spec']],
    ['an invalid status', { ...good, status: 3 }, ['status']],
    ['a wrong status field', { ...good, status: { availableReplicas: 'x' } }, ['status.availableReplicas']],
    [
      'a wrong condition',
      { ...good, status: { conditions: [{ ...good.status.conditions[0], status: 'Maybe' }] } },
      ['status.conditions[0].status'],
    ],
    ['a wrong generation', { ...good, status: { observedGeneration: 1.5 } }, ['status.observedGeneration']],
    [
      'several at once',
      { kind: 'X', metadata: { name: 'a' }, spec: { image: 3 } },
      ['apiVersion', 'kind', 'spec.image'],
    ],
    ['no object', 'shop', ['WebApp']],
    ['null', null, ['WebApp']],
  ])('%s', (_, value, paths) => expect(problemsOf(() => WebApp.parse(value))).toEqual(paths));
});

describe('the class', () => {
  test('is called like the kind, as class and as const, and carries its names', () => {
    expect(WebApp.name).toBe('WebApp');
    expect((Policy as unknown as { name: string }).name).toBe('Policy');
    expect(WebApp.names).toEqual({
      group: 'example.com',
      version: 'v1',
      kind: 'WebApp',
      plural: 'webapps',
      singular: 'webapp',
      listKind: 'WebAppList',
      shortNames: [],
      scope: 'Namespaced',
    });
  });

  test('makes no instances', () => {
    const Constructor = WebApp as unknown as new () => unknown;
    expect(() => new Constructor()).toThrow(KilterError);
    expect(() => new Constructor()).toThrow('CRD_CONSTRUCTED');
  });
});
