// Objects, maps, lists, and what is kept of what nobody described.
import { atomic, embedded, entries, listAtomic, listMap, listSet } from 'kilter/crd';
import * as v from 'valibot';
import { z } from 'zod';
import { field, ofSpec, ofX, type Row, spec } from './row.test-support.ts';

const { takes, becomes, refuses } = ofX;

const objects: readonly Row[] = [
  field('an object of known fields', 'CRD-F1 CRD-M7 CRD-A2', {
    forms: {
      zod: z.object({ a: z.string(), b: z.int().optional() }),
      valibot: v.object({ a: v.string(), b: v.optional(v.pipe(v.number(), v.integer())) }),
      arktype: { x: { a: 'string', 'b?': 'number.integer' } },
    },
    cases: [
      takes({ a: 'a', b: 1 }),
      becomes({ a: 'a', c: 1 }, { a: 'a' }, { unknown: ['spec.x.c'] }),
      becomes({ a: 'a', c: 1 }, { a: 'a' }, { fieldValidation: 'Ignore', unknown: [] }),
      {
        act: 'create',
        object: { spec: { x: { a: 'a', c: 1 } } },
        problems: ['body BadRequest: unknown field "spec.x.c"'],
        fieldValidation: 'Strict',
      },
      refuses({}, '.a Required'),
      refuses({ b: '1' }, '.a Required', '.b TypeInvalid'),
      refuses([], 'TypeInvalid'),
      refuses(undefined, 'Required'),
    ],
  }),
  field('a strict object is pruned like any other', 'CRD-F1', {
    forms: {
      zod: z.strictObject({ a: z.string() }).optional(),
      valibot: v.optional(v.strictObject({ a: v.string() })),
    },
    cases: [
      takes({ a: 'a' }),
      becomes({ a: 'a', c: 1 }, { a: 'a' }, { unknown: ['spec.x.c'] }),
      refuses({ c: 1 }, '.a Required'),
      takes(undefined),
    ],
  }),
  field('objects deeper down', 'CRD-M7', {
    forms: {
      zod: z.object({ a: z.object({ b: z.object({ c: z.string() }) }).optional() }),
      valibot: v.object({ a: v.optional(v.object({ b: v.object({ c: v.string() }) })) }),
      arktype: { x: { 'a?': { b: { c: 'string' } } } },
    },
    cases: [
      takes({}),
      takes({ a: { b: { c: '' } } }),
      refuses({ a: {} }, '.a.b Required'),
      refuses({ a: { b: {} } }, '.a.b.c Required'),
      refuses({ a: { b: 1 } }, '.a.b TypeInvalid'),
      refuses({ a: { b: { c: 1 } } }, '.a.b.c TypeInvalid'),
      refuses({ a: 1 }, '.a TypeInvalid'),
      refuses(undefined, 'Required'),
    ],
  }),
  field('two objects in one', 'CRD-F7', {
    forms: {
      zod: z.object({ a: z.string() }).and(z.object({ b: z.int().max(5) })),
      valibot: v.intersect([
        v.object({ a: v.string() }),
        v.object({ b: v.pipe(v.number(), v.integer(), v.maxValue(5)) }),
      ]),
    },
    cases: [
      takes({ a: 'a', b: 5 }),
      refuses({ a: 'a' }, '.b Required'),
      refuses({ b: 6 }, '.a Required', '.b Invalid'),
      refuses({ a: 1, b: '1' }, '.a TypeInvalid', '.b TypeInvalid'),
      refuses(undefined, 'Required'),
    ],
  }),
  field('references are written out', 'CRD-F6', {
    forms: {
      zod: (() => {
        const port = z.int().min(1).meta({ id: 'Port' });
        return z.object({ a: port, b: port });
      })(),
    },
    cases: [
      takes({ a: 1, b: 2 }),
      refuses({ a: 0, b: 1 }, '.a Invalid'),
      refuses({ a: 1, b: 0 }, '.b Invalid'),
      refuses({ a: '1', b: '1' }, '.a TypeInvalid', '.b TypeInvalid'),
      refuses({}, '.a Required', '.b Required'),
      refuses(undefined, 'Required'),
    ],
  }),
  field('nullable objects', 'CRD-M8 CRD-D4', {
    forms: {
      zod: z.object({ a: z.string() }).nullable(),
      valibot: v.nullable(v.object({ a: v.string() })),
      arktype: { x: [{ a: 'string' }, '|', 'null'] },
    },
    cases: [
      takes(null),
      takes({ a: '' }),
      refuses({}, '.a Required'),
      refuses({ a: 1 }, '.a TypeInvalid'),
      refuses(undefined, 'Required'),
    ],
  }),
  spec('a field named like a JavaScript built-in', 'CRD-F1 CRD-M7', {
    forms: {
      zod: z.object({ constructor: z.string(), toString: z.int().optional() }),
      valibot: v.object({ constructor: v.string(), toString: v.optional(v.pipe(v.number(), v.integer())) }),
    },
    cases: [
      ofSpec.takes({ constructor: 'a', toString: 1 }),
      ofSpec.takes({ constructor: 'a' }),
      ofSpec.refuses({}, '.constructor Required'),
      ofSpec.refuses({ constructor: 1, toString: 'a' }, '.constructor TypeInvalid', '.toString TypeInvalid'),
    ],
  }),
];

const open: readonly Row[] = [
  field('a loose object keeps what it does not know', 'CRD-M16 CRD-F12', {
    forms: {
      zod: z.looseObject({ a: z.string() }),
      valibot: v.objectWithRest({ a: v.string() }, v.unknown()),
      arktype: { x: { a: 'string', '[string]': 'unknown' } },
    },
    cases: [
      takes({ a: 'a', b: { c: [1] } }),
      refuses({ b: 1 }, '.a Required'),
      refuses({ a: 1 }, '.a TypeInvalid'),
      refuses(undefined, 'Required'),
    ],
  }),
  field('a described field inside a loose object is pruned again', 'CRD-D4 CRD-M16', {
    forms: { zod: z.looseObject({ a: z.object({ b: z.string().optional() }).optional() }).optional() },
    cases: [
      becomes({ a: { b: 'b', c: 1 }, d: { e: 1 } }, { a: { b: 'b' }, d: { e: 1 } }, { unknown: ['spec.x.a.c'] }),
      takes(undefined),
      takes({}),
      refuses({ a: 1 }, '.a TypeInvalid'),
      refuses({ a: { b: 1 } }, '.a.b TypeInvalid'),
    ],
  }),
  field('anything at all', 'CRD-M17 CRD-F12', {
    forms: { zod: z.any().optional(), valibot: v.optional(v.any()), arktype: { 'x?': 'unknown' } },
    cases: [takes(1), takes('a'), takes([{ a: null }]), takes({ a: { b: 1 } }), takes(undefined), takes(null)],
  }),
  field('anything, but something', 'CRD-M17 CRD-M7', {
    forms: { zod: z.unknown(), valibot: v.unknown(), arktype: { x: 'unknown' } },
    cases: [takes(1), takes({ a: {} }), takes(null), refuses(undefined, 'Required')],
  }),
  field('any JSON', 'CRD-M17', {
    forms: { zod: z.json().optional() },
    cases: [takes({ a: [1, { b: true }] }), takes(false), takes(null), takes(undefined)],
  }),
  field('an embedded object', 'CRD-M14 CRD-A1', {
    forms: { zod: z.any().meta(embedded()).optional() },
    cases: [
      takes({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: { a: 'b' } }, data: { a: 'b' } }),
      takes(undefined),
      refuses({ kind: 'ConfigMap', metadata: { name: 'a' } }, '.apiVersion Required'),
      refuses({ apiVersion: 'v1', metadata: {} }, '.kind Required'),
      refuses({ apiVersion: 'v1', kind: '-', metadata: {} }, '.kind Invalid'),
      refuses({ apiVersion: 'v1', kind: 'A', metadata: { name: 'a/b' } }, '.metadata.name Invalid'),
      refuses('v1', 'TypeInvalid'),
    ],
  }),
  field('an embedded object of which the spec is known', 'CRD-M14', {
    forms: {
      zod: z
        .looseObject({ spec: z.object({ n: z.int() }) })
        .meta(embedded())
        .optional(),
    },
    cases: [
      takes({ apiVersion: 'v1', kind: 'A', metadata: {}, spec: { n: 1 }, more: { b: 1 } }),
      takes(undefined),
      becomes(
        { apiVersion: 'v1', kind: 'A', metadata: {}, spec: { n: 1, m: 1 } },
        { apiVersion: 'v1', kind: 'A', metadata: {}, spec: { n: 1 } },
        { unknown: ['spec.x.spec.m'] },
      ),
      refuses({ apiVersion: 'v1', kind: 'A' }, '.spec Required'),
      refuses({ apiVersion: 'v1', kind: 'A', spec: {} }, '.spec.n Required'),
      refuses({ apiVersion: 'v1', kind: 'A', spec: { n: 'a' } }, '.spec.n TypeInvalid'),
      refuses({ kind: 'A', spec: { n: 1 } }, '.apiVersion Required'),
    ],
  }),
  field('metadata of one’s own keeps what its schema says', 'CRD-M15', {
    forms: {
      zod: z.object({ labels: z.record(z.string(), z.string()) }),
      valibot: v.object({ labels: v.record(v.string(), v.string()) }),
      arktype: { x: { labels: 'Record<string, string>' } },
    },
    cases: [
      takes({ labels: { a: 'b' } }),
      becomes({ labels: { a: 'b' }, name: 'n' }, { labels: { a: 'b' } }, { unknown: ['spec.x.name'] }),
      refuses({ labels: { a: 1 } }, '.labels.a TypeInvalid'),
      refuses({}, '.labels Required'),
      refuses({ labels: [] }, '.labels TypeInvalid'),
      refuses(undefined, 'Required'),
    ],
  }),
];

const maps: readonly Row[] = [
  field('a map', 'CRD-M6', {
    forms: {
      zod: z.record(z.string(), z.int().max(9)),
      valibot: v.record(v.string(), v.pipe(v.number(), v.integer(), v.maxValue(9))),
      arktype: { x: { '[string]': 'number.integer <= 9' } },
    },
    cases: [
      takes({}),
      takes({ 'a.b/c': 9 }),
      refuses({ a: 10 }, '.a Invalid'),
      refuses({ a: 'b' }, '.a TypeInvalid'),
      refuses([], 'TypeInvalid'),
      refuses(undefined, 'Required'),
    ],
  }),
  field('how many entries', 'CRD-M3', {
    forms: {
      zod: z
        .record(z.string(), z.string())
        .meta(entries({ min: 1, max: 2 }))
        .optional(),
      valibot: v.optional(v.pipe(v.record(v.string(), v.string()), v.metadata(entries({ min: 1, max: 2 }) as never))),
    },
    cases: [
      takes({ a: '' }),
      takes({ a: '', b: '' }),
      takes(undefined),
      refuses({}, 'Invalid'),
      refuses({ a: '', b: '', c: '' }, 'TooMany'),
      refuses({ a: 1 }, '.a TypeInvalid'),
    ],
  }),
  field('keys of a map are held by a rule', 'CRD-M6 CRD-F11', {
    forms: {
      zod: z
        .record(
          z
            .string()
            .regex(/^[a-z]+$/)
            .max(3),
          z.string(),
        )
        .meta(entries({ max: 10 }))
        .optional(),
      valibot: v.optional(
        v.pipe(
          v.record(v.pipe(v.string(), v.regex(/^[a-z]+$/), v.maxLength(3)), v.string()),
          v.metadata(entries({ max: 10 }) as never),
        ),
      ),
    },
    cases: [
      takes({ abc: '' }),
      takes(undefined),
      takes({ a: '', b: '', c: '', d: '', e: '', f: '', g: '', h: '', i: '', j: '' }),
      refuses({ A: '' }, 'Invalid'),
      refuses({ abcd: '' }, 'Invalid'),
      refuses({ abc: 1 }, '.abc TypeInvalid', '<nil> Invalid'),
      refuses(
        { a: '', b: '', c: '', d: '', e: '', f: '', g: '', h: '', i: '', j: '', k: '' },
        'TooMany',
        '<nil> Invalid',
      ),
    ],
  }),
  field('a map of objects', 'CRD-M6', {
    forms: {
      zod: z.record(z.string(), z.object({ a: z.string() })).optional(),
      valibot: v.optional(v.record(v.string(), v.object({ a: v.string() }))),
      arktype: { 'x?': { '[string]': { a: 'string' } } },
    },
    cases: [
      takes({ k: { a: '' } }),
      becomes({ k: { a: '', b: 1 } }, { k: { a: '' } }, { unknown: ['spec.x.k.b'] }),
      takes(undefined),
      refuses({ k: {} }, '.k.a Required'),
      refuses({ k: { a: 1 } }, '.k.a TypeInvalid'),
    ],
  }),
  field('a map of anything', 'CRD-F12', {
    forms: { zod: z.record(z.string(), z.any()).optional() },
    cases: [takes({ a: 1, b: { c: [null] }, d: null }), takes(undefined), refuses([], 'TypeInvalid')],
  }),
  field('an atomic map', 'CRD-M20', {
    forms: {
      zod: z.record(z.string(), z.string()).meta(atomic()),
      valibot: v.pipe(v.record(v.string(), v.string()), v.metadata(atomic())),
    },
    manifest: { 'spec.versions.0.schema.openAPIV3Schema.properties.spec.properties.x.x-kubernetes-map-type': 'atomic' },
    cases: [
      takes({ a: 'b' }),
      refuses({ a: 1 }, '.a TypeInvalid'),
      refuses('a', 'TypeInvalid'),
      refuses(undefined, 'Required'),
    ],
    equivalent: { 'spec.x x-kubernetes-map-type': 'it decides who owns what after an apply, not what is valid' },
  }),
];

const lists: readonly Row[] = [
  field('a list', 'CRD-M3', {
    forms: {
      zod: z.array(z.string().max(2)).min(1).max(3),
      valibot: v.pipe(v.array(v.pipe(v.string(), v.maxLength(2))), v.minLength(1), v.maxLength(3)),
      arktype: { x: '1 <= (string <= 2)[] <= 3' },
    },
    cases: [
      takes(['a']),
      takes(['a', 'a', 'ab']),
      refuses([], 'Invalid'),
      refuses(['a', 'b', 'c', 'd'], 'TooMany'),
      refuses(['abc', 1], '[0] TooLong', '[1] TypeInvalid'),
      refuses({}, 'TypeInvalid'),
      refuses(undefined, 'Required'),
    ],
  }),
  field('a list of lists', 'CRD-M6', {
    forms: {
      zod: z.array(z.array(z.int())).optional(),
      valibot: v.optional(v.array(v.array(v.pipe(v.number(), v.integer())))),
      arktype: { 'x?': 'number.integer[][]' },
    },
    cases: [
      takes([[], [1, 2]]),
      takes(undefined),
      refuses([1], '[0] TypeInvalid'),
      refuses([['a']], '[0][0] TypeInvalid'),
    ],
  }),
  field('a list of objects', 'CRD-M6 CRD-M18', {
    forms: {
      zod: z
        .array(z.object({ a: z.string() }))
        .meta(listAtomic())
        .optional(),
      valibot: v.optional(v.pipe(v.array(v.object({ a: v.string() })), v.metadata(listAtomic()))),
    },
    cases: [
      takes([{ a: '' }, { a: '' }]),
      takes(undefined),
      becomes([{ a: '', b: 1 }], [{ a: '' }], { unknown: ['spec.x[0].b'] }),
      refuses([{}], '[0].a Required'),
      refuses([{ a: 1 }], '[0].a TypeInvalid'),
      refuses([1], '[0] TypeInvalid'),
    ],
    equivalent: { 'spec.x x-kubernetes-list-type': 'atomic is what a list is without it' },
  }),
  field('a list map', 'CRD-M18 CRD-A6', {
    forms: {
      zod: z.array(z.object({ name: z.string(), v: z.int().optional() })).meta(listMap('name')),
      valibot: v.pipe(
        v.array(v.object({ name: v.string(), v: v.optional(v.pipe(v.number(), v.integer())) })),
        v.metadata(listMap('name')),
      ),
    },
    cases: [
      takes([]),
      takes([
        { name: 'a', v: 1 },
        { name: 'b', v: 1 },
      ]),
      refuses([{ name: 'a', v: 1 }, { name: 'b' }, { name: 'a', v: 2 }], '[2] Duplicate'),
      refuses([{ v: 1 }], '[0].name Required'),
      refuses([{ v: 1 }, { v: 2 }], '[0].name Required', '[1].name Required', '[1] Duplicate'),
      refuses([{ name: 'a', v: 'b' }], '[0].v TypeInvalid'),
      refuses([{ name: 1 }], '[0].name TypeInvalid'),
      refuses(undefined, 'Required'),
    ],
  }),
  field('a list map of two keys, one with a default', 'CRD-M18 CRD-E9', {
    forms: {
      zod: z
        .array(z.object({ port: z.int(), protocol: z.string().default('TCP') }))
        .meta(listMap('port', 'protocol'))
        .optional(),
      valibot: v.optional(
        v.pipe(
          v.array(v.object({ port: v.pipe(v.number(), v.integer()), protocol: v.optional(v.string(), 'TCP') })),
          v.metadata(listMap('port', 'protocol')),
        ),
      ),
    },
    cases: [
      takes([
        { port: 1, protocol: 'UDP' },
        { port: 1, protocol: 'TCP' },
      ]),
      takes([
        { port: 1, protocol: 'UDP' },
        { port: 2, protocol: 'UDP' },
      ]),
      becomes([{ port: 1 }], [{ port: 1, protocol: 'TCP' }]),
      takes(undefined),
      refuses([{ port: 1 }, { port: 1, protocol: 'TCP' }], '[1] Duplicate'),
      refuses([{ protocol: 'TCP' }], '[0].port Required'),
      refuses([{ port: 'a', protocol: 1 }], '[0].port TypeInvalid', '[0].protocol TypeInvalid'),
    ],
  }),
  field('a list set', 'CRD-M18 CRD-M19 CRD-A6', {
    forms: {
      zod: z.array(z.string()).meta(listSet()).optional(),
      valibot: v.optional(v.pipe(v.array(v.string()), v.metadata(listSet()))),
    },
    cases: [
      takes(['a', 'b']),
      takes([]),
      takes(undefined),
      refuses(['a', 'b', 'a', 'a'], '[2] Duplicate'),
      refuses([1], '[0] TypeInvalid'),
    ],
  }),
  field('a set of numbers tells 1 from 2', 'CRD-M18 CRD-A6', {
    forms: { zod: z.array(z.int()).meta(listSet()).optional() },
    cases: [takes([1, 2]), takes(undefined), refuses([1, 1], '[1] Duplicate'), refuses(['1', 1], '[0] TypeInvalid')],
  }),
];

const unions: readonly Row[] = [
  field('a tagged union', 'CRD-M24 CRD-F3 CRD-F14', {
    forms: {
      zod: z.discriminatedUnion('type', [
        z.object({ type: z.literal('http'), port: z.int().min(1) }),
        z.object({ type: z.literal('exec'), command: z.string() }),
      ]),
      valibot: v.variant('type', [
        v.object({ type: v.literal('http'), port: v.pipe(v.number(), v.integer(), v.minValue(1)) }),
        v.object({ type: v.literal('exec'), command: v.string() }),
      ]),
    },
    cases: [
      takes({ type: 'http', port: 1 }),
      takes({ type: 'exec', command: 'ls' }),
      takes({ type: 'http', port: 1, command: 'ls' }),
      takes({ type: 'exec', port: 1, command: 'ls' }),
      refuses({ type: 'exec' }, '.port Required', '.type NotSupported', '<nil> Invalid'),
      refuses({ port: 1, command: 'ls' }, '.type Required', '<nil> Invalid'),
      refuses(
        { type: 'http' },
        '.port Required',
        '<nil> Invalid: must validate one and only one schema (oneOf). Found none valid',
      ),
      refuses({ type: 'other', port: 1 }, '.type NotSupported', '<nil> Invalid'),
      refuses({ type: 'http', port: 0 }, '.port Invalid', '<nil> Invalid'),
      refuses({ type: 'exec', command: 1 }, '.command TypeInvalid'),
      refuses(undefined, 'Required'),
    ],
  }),
  field('one object or the other', 'CRD-F3', {
    forms: {
      zod: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]).optional(),
      valibot: v.optional(v.union([v.object({ a: v.string() }), v.object({ b: v.string() })])),
    },
    cases: [
      takes({ a: '' }),
      takes({ b: '' }),
      takes({ a: '', b: '' }),
      takes(undefined),
      refuses({}, '.a Required', '<nil> Invalid: must validate at least one schema (anyOf)'),
      refuses({ a: 1 }, '.a TypeInvalid'),
      refuses({ b: 1 }, '.b TypeInvalid'),
    ],
  }),
];

export const objectRows: readonly Row[] = [...objects, ...open, ...maps, ...lists, ...unions];
