import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import type { Condition, FieldsOf, Kind, KindNames, ObjectMeta, Stored } from '../api/index.ts';
import type { CustomResourceDefinition } from '../k8s/apiextensions/v1.ts';
import {
  assertCompatible,
  type Compatibility,
  compatibility,
  condition,
  customResource,
  entries,
  exactlyOneOf,
  listMap,
  rule,
} from './index.ts';

const spec = z
  .object({
    image: z.string().min(1),
    replicas: z.int().default(1),
    env: z
      .array(z.object({ name: z.string(), value: z.string() }))
      .meta(listMap('name'))
      .default([]),
    tlsSecret: z.string().optional(),
  })
  .meta(rule('!self.image.endsWith(":latest")', 'pin the image tag'));
const status = z.object({ availableReplicas: z.int().optional(), node: z.string().optional() });

class WebApp extends customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'WebApp',
  scope: 'Namespaced',
  shortNames: ['wa'],
  spec,
  status,
  columns: [
    { name: 'Image', path: '.spec.image' },
    { name: 'Ready', path: condition('Ready') },
  ],
  scale: { spec: '.spec.replicas', status: '.status.availableReplicas' },
}) {}

const Plain = customResource({
  group: 'example.com',
  version: 'v1beta1',
  kind: 'Plain',
  spec: z.object({ a: z.string() }),
});
type Plain = typeof Plain.prototype;

declare const app: WebApp;
declare const plain: Plain;

interface Spec {
  image: string;
  replicas: number;
  env: { name: string; value: string }[];
  tlsSecret?: string | undefined;
}

describe('the type of an object', () => {
  test('is the output form of the schema', () => {
    expectTypeOf(app.spec).toEqualTypeOf<Spec>();
    expectTypeOf(app.apiVersion).toEqualTypeOf<'example.com/v1'>();
    expectTypeOf(app.kind).toEqualTypeOf<'WebApp'>();
    expectTypeOf(app.metadata).toEqualTypeOf<ObjectMeta>();
    expectTypeOf(plain.spec).toEqualTypeOf<{ a: string }>();
    expectTypeOf(plain.apiVersion).toEqualTypeOf<'example.com/v1beta1'>();
  });

  test('the status is optional and has what every status has', () => {
    expectTypeOf(app.status?.availableReplicas).toEqualTypeOf<number | undefined>();
    expectTypeOf(app.status?.observedGeneration).toEqualTypeOf<number | undefined>();
    expectTypeOf(app.status?.conditions).toEqualTypeOf<Condition[] | undefined>();
    // @ts-expect-error it may be absent
    void app.status.node;
  });

  test('without a status schema there is none', () => {
    // @ts-expect-error no such field
    void plain.status;
    expectTypeOf<keyof Plain>().toEqualTypeOf<'apiVersion' | 'kind' | 'metadata' | 'spec'>();
  });

  test('is plain: a literal is one', () => {
    const literal: WebApp = {
      apiVersion: 'example.com/v1',
      kind: 'WebApp',
      metadata: { name: 'x' },
      spec: { image: 'a', replicas: 1, env: [] },
    };
    expectTypeOf(literal).toEqualTypeOf<WebApp>();
    // @ts-expect-error replicas is filled in by defaults, a literal must say it
    const incomplete: WebApp['spec'] = { image: 'a', env: [] };
    void incomplete;
  });
});

describe('the kind', () => {
  test('is a kind of its objects, as class and as const', () => {
    expectTypeOf(WebApp).toExtend<Kind<WebApp>>();
    expectTypeOf(Plain).toExtend<Kind<Plain>>();
    const typeOf = <T extends { apiVersion: string; kind: string; metadata: ObjectMeta }>(kind: Kind<T>): T =>
      kind.prototype;
    expectTypeOf(typeOf(WebApp)).toEqualTypeOf<WebApp>();
    expectTypeOf(typeOf(Plain)).toEqualTypeOf<Plain>();
  });

  test('names', () => {
    expectTypeOf(WebApp.names).toExtend<KindNames>();
    expectTypeOf(WebApp.names.kind).toEqualTypeOf<'WebApp'>();
    expectTypeOf(WebApp.names.shortNames).toEqualTypeOf<readonly string[]>();
    expectTypeOf(WebApp.manifest()).toEqualTypeOf<CustomResourceDefinition>();
  });

  test('makes no instances', () => {
    // @ts-expect-error objects are made by build
    void new WebApp();
    // @ts-expect-error objects are made by build
    void new Plain();
  });
});

describe('the scope', () => {
  class Zone extends customResource({
    group: 'example.com',
    version: 'v1',
    kind: 'Zone',
    scope: 'Cluster',
    spec,
    versions: { v1alpha1: { spec: z.object({ a: z.string() }) } },
  }) {}

  test('is known of what a server answered', () => {
    expectTypeOf<Stored<WebApp>['metadata']['namespace']>().toEqualTypeOf<string>();
    expectTypeOf<Stored<Plain>['metadata']['namespace']>().toEqualTypeOf<string>();
    expectTypeOf<Stored<Zone>['metadata']['namespace']>().toEqualTypeOf<undefined>();
    const older = Zone.at('v1alpha1');
    expectTypeOf<Stored<typeof older.prototype>['metadata']['namespace']>().toEqualTypeOf<undefined>();
    expectTypeOf<Stored<Zone>['metadata']['uid']>().toEqualTypeOf<string>();
    expectTypeOf<Stored<WebApp>>().toExtend<WebApp>();
    // @ts-expect-error what is written need not say it
    expectTypeOf<WebApp>().toExtend<Stored<WebApp>>();
  });
});

describe('build, fields, parse', () => {
  test('build takes the input form and gives the class', () => {
    const built = WebApp.build({ name: 'shop', namespace: app.metadata.namespace, spec: { image: 'a' } });
    expectTypeOf(built).toEqualTypeOf<WebApp>();
    expectTypeOf(Plain.build({ name: 'x', spec: { a: 'b' } })).toEqualTypeOf<Plain>();
    // @ts-expect-error image is missing
    WebApp.build({ name: 'shop', spec: {} });
    // @ts-expect-error the spec is missing
    WebApp.build({ name: 'shop' });
    // @ts-expect-error the name is missing
    WebApp.build({ spec: { image: 'a' } });
    // @ts-expect-error no such field
    WebApp.build({ name: 'shop', spec: { image: 'a', replcas: 1 } });
    // @ts-expect-error wrong type
    WebApp.build({ name: 'shop', spec: { image: 'a', replicas: '1' } });
    // @ts-expect-error the status is not given to build
    WebApp.build({ name: 'shop', spec: { image: 'a' }, status: {} });
  });

  test('fields are some of them', () => {
    expectTypeOf(WebApp.fields({ name: 'shop', spec: { replicas: 3 } })).toEqualTypeOf<FieldsOf<WebApp>>();
    expectTypeOf(WebApp.fields({ name: 'shop' })).toEqualTypeOf<FieldsOf<WebApp>>();
    // @ts-expect-error no such field
    WebApp.fields({ name: 'shop', spec: { replcas: 3 } });
    // @ts-expect-error wrong type
    WebApp.fields({ name: 'shop', spec: { replicas: '3' } });
  });

  test('parse', () => {
    expectTypeOf(WebApp.parse(JSON.parse('{}'))).toEqualTypeOf<WebApp>();
    expectTypeOf(Plain.parse({})).toEqualTypeOf<Plain>();
  });

  test('a spec without required fields, optional or defaulted, may be left out', () => {
    const base = { group: 'example.com', version: 'v1', kind: 'Maybe' } as const;
    customResource({ ...base, spec: z.object({ a: z.string().optional() }) }).build({ name: 'x' });
    const optional = customResource({ ...base, spec: z.object({ a: z.string() }).optional() }).build({ name: 'x' });
    expectTypeOf(optional.spec).toEqualTypeOf<{ a: string } | undefined>();
    const defaulted = customResource({ ...base, spec: z.object({ a: z.string() }).default({ a: 'b' }) }).build({
      name: 'x',
    });
    expectTypeOf(defaulted.spec).toEqualTypeOf<{ a: string }>();
  });
});

describe('versions', () => {
  const old = z.object({ image: z.string(), count: z.string() });
  class Shop extends customResource({
    group: 'example.com',
    version: 'v1',
    kind: 'Shop',
    spec: z.object({ image: z.string(), replicas: z.int().default(1) }),
    status: z.object({ ready: z.boolean().optional() }),
    versions: { v1alpha1: { spec: old, deprecated: 'use v1' } },
  }).converts({
    v1alpha1: {
      up: (before) => ({ image: before.image, replicas: Number(before.count) }),
      down: (after) => ({ image: after.image, count: String(after.replicas) }),
    },
  }) {}

  test('an older version is a kind with types of its own and the same status', () => {
    const kind = Shop.at('v1alpha1');
    type Old = typeof kind.prototype;
    expectTypeOf<Old['spec']>().toEqualTypeOf<{ image: string; count: string }>();
    expectTypeOf<Old['apiVersion']>().toEqualTypeOf<'example.com/v1alpha1'>();
    expectTypeOf<NonNullable<Old['status']>['ready']>().toEqualTypeOf<boolean | undefined>();
    expectTypeOf(kind.build({ name: 'x', spec: { image: 'a', count: '1' } })).toEqualTypeOf<Old>();
    expectTypeOf(Shop.build({ name: 'x', spec: { image: 'a' } })).toEqualTypeOf<Shop>();
    // @ts-expect-error no such version
    Shop.at('v2');
  });

  test('conversions are checked against the schemas', () => {
    const base = { group: 'example.com', version: 'v1', kind: 'Shop' } as const;
    const shop = customResource({
      ...base,
      spec: z.object({ mode: z.enum(['on', 'off']) }),
      versions: { v1alpha1: { spec: z.object({ on: z.boolean() }) } },
    });
    shop.converts({
      v1alpha1: { up: ({ on }) => ({ mode: on ? 'on' : 'off' }), down: ({ mode }) => ({ on: mode === 'on' }) },
    });
    // @ts-expect-error no such mode
    shop.converts({ v1alpha1: { up: () => ({ mode: 'maybe' }), down: () => ({ on: true }) } });
    // @ts-expect-error down is missing
    shop.converts({ v1alpha1: { up: () => ({ mode: 'on' }) } });
    // @ts-expect-error no such version
    shop.converts({ v2: { up: () => ({ mode: 'on' }), down: () => ({ on: true }) } });
    const single = customResource({ ...base, spec: z.object({}) });
    // @ts-expect-error there is no older version
    void single.at;
  });
});

describe('a definition', () => {
  const base = { group: 'example.com', version: 'v1', kind: 'Thing' } as const;
  test('refuses what it does not know', () => {
    // @ts-expect-error the spec is missing
    void (() => customResource(base));
    // @ts-expect-error a spec is an object
    void (() => customResource({ ...base, spec: z.string() }));
    // @ts-expect-error no such scope
    void (() => customResource({ ...base, spec, scope: 'namespaced' }));
    // @ts-expect-error no such option
    void (() => customResource({ ...base, spec, plurals: 'things' }));
    // @ts-expect-error a column has a path
    void (() => customResource({ ...base, spec, columns: [{ name: 'X' }] }));
    // @ts-expect-error no such type of column
    void (() => customResource({ ...base, spec, columns: [{ name: 'X', path: '.spec.image', type: 'text' }] }));
    // @ts-expect-error a list map has a key
    listMap();
    // @ts-expect-error no such reason
    rule('true', 'm', { reason: 'Bad' });
  });
});

describe('other libraries', () => {
  const base = { group: 'example.com', version: 'v1', kind: 'Thing' } as const;

  test('valibot: input, output and partial fields', () => {
    const entries = { image: v.string(), replicas: v.optional(v.number(), 1), note: v.optional(v.string()) };
    class Thing extends customResource({ ...base, spec: toStandardJsonSchema(v.object(entries)) }) {}
    const built = Thing.build({ name: 'a', spec: { image: 'x' } });
    expectTypeOf(built).toEqualTypeOf<Thing>();
    expectTypeOf(built.spec.replicas).toEqualTypeOf<number>();
    expectTypeOf(built.spec.note).toEqualTypeOf<string | undefined>();
    // @ts-expect-error image is missing
    Thing.build({ name: 'a', spec: {} });
    // @ts-expect-error wrong type
    Thing.fields({ name: 'a', spec: { replicas: '1' } });
    void v.pipe(v.string(), v.metadata(rule('self != ""')));
    void v.pipe(v.array(v.object({ n: v.string() })), v.metadata(listMap('n')));
  });

  test('arktype: input and output', () => {
    const Thing = customResource({ ...base, spec: type({ image: 'string', 'note?': 'string' }) });
    const built = Thing.build({ name: 'a', spec: { image: 'x' } });
    expectTypeOf(built.spec.image).toEqualTypeOf<string>();
    expectTypeOf(built.spec.note).toEqualTypeOf<string | undefined>();
    // @ts-expect-error image is missing
    Thing.build({ name: 'a', spec: {} });
  });
});

describe('what is derived', () => {
  const base = { group: 'example.com', version: 'v1', kind: 'Thing' } as const;

  test('the page and the comparison', () => {
    expectTypeOf(WebApp.docs()).toEqualTypeOf<string>();
    expectTypeOf(compatibility(WebApp.manifest(), Plain.manifest())).toEqualTypeOf<Compatibility>();
    assertCompatible(WebApp.manifest(), WebApp.manifest(), { waivers: [{ path: 'spec.image', reason: 'unused' }] });
    // @ts-expect-error a waiver has a reason
    assertCompatible(WebApp.manifest(), WebApp.manifest(), { waivers: [{ path: 'spec.image' }] });
  });

  test('CRD-M28: permissions, webhooks and generated code are not keys of a definition', () => {
    // @ts-expect-error derived from controllers
    void (() => customResource({ ...base, spec, rbac: [] }));
    // @ts-expect-error declared by mutating() and validating()
    void (() => customResource({ ...base, spec, webhooks: [] }));
    // @ts-expect-error group and version are said once
    void (() => customResource({ ...base, spec, groupName: 'example.com' }));
  });

  test('helpers take what they can use', () => {
    // @ts-expect-error one of one field is not a choice
    exactlyOneOf('a');
    // @ts-expect-error a number of entries
    entries({ max: '3' });
    // @ts-expect-error no such option
    rule('true', 'm', { path: '.a' });
  });

  test('the older version of a kind is not a kind of the newest', () => {
    const Shop = customResource({
      ...base,
      spec: z.object({ replicas: z.int() }),
      versions: { v1alpha1: { spec: z.object({ count: z.string() }) } },
    });
    const older = Shop.at('v1alpha1');
    expectTypeOf(older.prototype).not.toEqualTypeOf(Shop.prototype);
    // @ts-expect-error a field of the newest
    older.fields({ name: 'a', spec: { replicas: 3 } });
  });
});
