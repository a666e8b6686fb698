import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { CustomResourceDefinition } from '../k8s/apiextensions/v1.ts';
import {
  assertCompatible,
  compatibility,
  type CompatibilityVerdict,
  customResource,
  embedded,
  listMap,
  listSet,
  atomic,
  ResourceError,
  rule,
} from './index.ts';

const base = { group: 'example.com', version: 'v1', kind: 'Thing' } as const;

/** The manifest of a resource whose spec has one field `x`, or none. */
function crd(x?: z.ZodType, more: Partial<Parameters<typeof customResource>[0]> = {}): CustomResourceDefinition {
  return customResource({ ...base, spec: z.object(x === undefined ? {} : { x }), ...more } as never).manifest();
}

const said = (before: CustomResourceDefinition, after: CustomResourceDefinition): string[] =>
  compatibility(before, after).changes.map(
    ({ statement, verdict, path, what }) => `${statement} ${verdict} ${path}: ${what}`,
  );

const text = z.string();
const one = z.object({ a: text });

describe('changes of a field', () => {
  type Case = readonly [string, z.ZodType | undefined, z.ZodType | undefined, readonly string[]];
  const rows: readonly Case[] = [
    ['nothing changes', text, text, []],
    ['words are not a change', text, text.describe('Other words.'), []],
    ['CRD-K1: an optional field is added', undefined, text.optional(), ['CRD-K1 safe spec.x: optional field added']],
    ['CRD-K1: a defaulted field is added', undefined, text.default('a'), ['CRD-K1 safe spec.x: defaulted field added']],
    ['CRD-K1: a field is made optional', text, text.optional(), ['CRD-K1 safe spec.x: made optional']],
    ['CRD-K1: a maximum is raised', text.max(3), text.max(4), ['CRD-K1 safe spec.x: maxLength loosened']],
    ['CRD-K1: a maximum is removed', text.max(3), text, ['CRD-K1 safe spec.x: maxLength loosened']],
    ['CRD-K1: a minimum is lowered', z.int().min(3), z.int().min(2), ['CRD-K1 safe spec.x: minimum loosened']],
    ['CRD-K1: a bound becomes inclusive', z.int().gt(3), z.int().min(3), ['CRD-K1 safe spec.x: minimum loosened']],
    ['CRD-K1: a pattern is removed', text.regex(/a/), text, ['CRD-K1 safe spec.x: pattern loosened']],
    ['CRD-K1: a rule is removed', text.meta(rule('true')), text, ['CRD-K1 safe spec.x: rule removed']],
    ['CRD-K1: null is allowed', text, text.nullable(), ['CRD-K1 safe spec.x: nullable added']],
    [
      'CRD-K1: unknown fields are kept',
      one,
      z.looseObject({ a: text }),
      ['CRD-K1 safe spec.x: preserve-unknown added'],
    ],
    [
      'CRD-K1: a smaller step',
      z.int().multipleOf(6),
      z.int().multipleOf(3),
      ['CRD-K1 safe spec.x: multipleOf loosened'],
    ],
    [
      'CRD-K1: one more alternative',
      z.union([z.object({ a: text }), z.object({ b: text })]),
      z.union([z.object({ a: text }), z.object({ b: text }), z.object({ c: text })]),
      ['CRD-K1 safe spec.x: anyOf loosened', 'CRD-K1 safe spec.x.c: optional field added'],
    ],
    ['CRD-K2: an enum value is added', z.enum(['a']), z.enum(['a', 'b']), ['CRD-K2 visible spec.x: enum value added']],
    ['CRD-K1: a minimum that says nothing', text, text.min(0), []],
    ['CRD-K1: a bound in other words', z.int().gt(0).lt(10), z.int().min(1).max(9), []],
    [
      'CRD-K2: a branch is added to a discriminated union',
      z.discriminatedUnion('t', [z.object({ t: z.literal('a') }), z.object({ t: z.literal('b') })]),
      z.discriminatedUnion('t', [
        z.object({ t: z.literal('a') }),
        z.object({ t: z.literal('b') }),
        z.object({ t: z.literal('c') }),
      ]),
      ['CRD-K2 visible spec.x: branch of a union added'],
    ],
    ['CRD-K2: an enum is given up', z.enum(['a']), text, ['CRD-K2 visible spec.x: enum removed']],
    [
      'CRD-K2: widened to int-or-string',
      z.int(),
      z.union([z.int(), text]),
      ['CRD-K2 visible spec.x: widened to int-or-string', 'CRD-K1 safe spec.x: format loosened'],
    ],
    ['CRD-K2: a default is added', text.optional(), text.default('a'), ['CRD-K2 visible spec.x: default added']],
    ['CRD-K3: a maximum is lowered', text.max(4), text.max(3), ['CRD-K3 warning spec.x: maxLength tightened']],
    ['CRD-K3: a maximum is added', z.array(text), z.array(text).max(3), ['CRD-K3 warning spec.x: maxItems tightened']],
    ['CRD-K3: a minimum is raised', z.int().min(2), z.int().min(3), ['CRD-K3 warning spec.x: minimum tightened']],
    ['CRD-K3: a bound becomes exclusive', z.int().max(3), z.int().lt(3), ['CRD-K3 warning spec.x: maximum tightened']],
    ['CRD-K3: another pattern', text.regex(/a/), text.regex(/b/), ['CRD-K3 warning spec.x: pattern changed']],
    ['CRD-K3: a format is added', text, text.meta({ format: 'ipv4' }), ['CRD-K3 warning spec.x: format changed']],
    [
      'CRD-K3: an enum value is removed',
      z.enum(['a', 'b']),
      z.enum(['a']),
      ['CRD-K3 warning spec.x: enum value removed'],
    ],
    ['CRD-K3: an enum is added', text, z.enum(['a']), ['CRD-K3 warning spec.x: enum added']],
    [
      'CRD-K3: a branch of a discriminated union has other values',
      z.discriminatedUnion('t', [z.object({ t: z.literal('a') }), z.object({ t: z.literal('b') })]),
      z.discriminatedUnion('t', [z.object({ t: z.literal('a') }), z.object({ t: z.literal('c') })]),
      ['CRD-K3 warning spec.x: oneOf changed'],
    ],
    [
      'CRD-K3: an object must be a Kubernetes object',
      z.looseObject({}),
      z.looseObject({}).meta(embedded()),
      ['CRD-K3 warning spec.x: must be a Kubernetes object'],
    ],
    [
      'CRD-K3: a rule runs on create too',
      text.max(9).meta(rule('oldSelf != "a"', 'm')),
      text.max(9).meta(rule('oldSelf != "a"', 'm', { optionalOldSelf: true })),
      ['CRD-K3 warning spec.x: rule runs on create too'],
    ],
    ['CRD-K3: a rule is added', text, text.meta(rule('true')), ['CRD-K3 warning spec.x: rule added']],
    [
      'CRD-K3: another alternative',
      z.union([z.object({ a: text }), z.object({ b: text })]),
      z.union([z.object({ a: text, b: text }), z.object({ b: text, a: text.min(3) })]),
      ['CRD-K3 warning spec.x: anyOf changed'],
    ],
    [
      'CRD-K5: an embedded object is embedded no more',
      z.object({ spec: z.object({ a: text }) }).meta(embedded()),
      z.object({ spec: z.object({ a: text }) }),
      ['CRD-K5 breaking spec.x: embedded resource removed'],
    ],
    [
      'CRD-K7: a default goes with its field, which is kept',
      z.looseObject({ a: text.default('b') }),
      z.looseObject({}),
      ['CRD-K7 breaking spec.x.a: default removed with its field'],
    ],
    ['CRD-K4: a required field is added', undefined, text, ['CRD-K4 breaking spec.x: required field added']],
    ['CRD-K4: a field is made required', text.optional(), text, ['CRD-K4 breaking spec.x: made required']],
    ['CRD-K4: a field is removed', text.optional(), undefined, ['CRD-K4 breaking spec.x: field removed']],
    [
      'CRD-K4: a field is renamed',
      z.object({ a: text.optional() }),
      z.object({ b: text.optional() }),
      ['CRD-K4 breaking spec.x.a: field removed', 'CRD-K1 safe spec.x.b: optional field added'],
    ],
    ['CRD-K4: another type', text, z.int(), ['CRD-K4 breaking spec.x: type changed']],
    ['CRD-K4: an object becomes a map', one, z.record(text, text), ['CRD-K4 breaking spec.x: type changed']],
    ['CRD-K4: int-or-string is narrowed', z.union([z.int(), text]), text, ['CRD-K4 breaking spec.x: type changed']],
    [
      'CRD-K4: deep in a list',
      z.array(one),
      z.array(z.object({ a: z.int() })),
      ['CRD-K4 breaking spec.x[*].a: type changed'],
    ],
    [
      'CRD-K4: deep in a map',
      z.record(text, one),
      z.record(text, z.object({ a: z.int() })),
      ['CRD-K4 breaking spec.x[*].a: type changed'],
    ],
    [
      'CRD-K5: unknown fields are pruned',
      z.looseObject({ a: text }),
      one,
      ['CRD-K5 breaking spec.x: preserve-unknown removed'],
    ],
    ['CRD-K5: anything becomes something', z.any(), text, ['CRD-K5 breaking spec.x: preserve-unknown removed']],
    ['CRD-K5: null is no longer allowed', text.nullable(), text, ['CRD-K5 breaking spec.x: nullable removed']],
    [
      'CRD-K6: a list becomes a set',
      z.array(text),
      z.array(text).meta(listSet()),
      ['CRD-K6 breaking spec.x: list type changed'],
    ],
    [
      'CRD-K6: other keys',
      z.array(z.object({ a: text, b: text })).meta(listMap('a')),
      z.array(z.object({ a: text, b: text })).meta(listMap('a', 'b')),
      ['CRD-K6 breaking spec.x: list keys changed'],
    ],
    ['CRD-K6: an object becomes atomic', one, one.meta(atomic()), ['CRD-K6 breaking spec.x: map type changed']],
    ['CRD-K7: a default is changed', text.default('a'), text.default('b'), ['CRD-K7 breaking spec.x: default changed']],
    ['CRD-K7: a default is removed', text.default('a'), text.optional(), ['CRD-K7 breaking spec.x: default removed']],
  ];
  test.each(rows)('%s', (_, before, after, expected) => expect(said(crd(before), crd(after))).toEqual(expected));

  test('CRD-K6: what is said and what is the default are the same', () => {
    const spoken = z.array(text).meta({ 'x-kubernetes-list-type': 'atomic' });
    expect(said(crd(z.array(text)), crd(spoken))).toEqual([]);
  });
});

describe('changes of the resource', () => {
  const status = z.object({ n: z.int().optional() });
  const two = { versions: { v1alpha1: { spec: z.object({}) } } };
  const rows: readonly (readonly [string, CustomResourceDefinition, CustomResourceDefinition, readonly string[]])[] = [
    [
      'CRD-K1: short names',
      crd(),
      crd(undefined, { shortNames: ['t'] }),
      ['CRD-K1 safe names.shortNames: short names changed'],
    ],
    [
      'CRD-K1: columns',
      crd(text),
      crd(text, { columns: [{ name: 'X', path: '.spec.x' }] }),
      ['CRD-K1 safe versions.v1.additionalPrinterColumns: columns changed'],
    ],
    [
      'CRD-K1: one of two patterns goes',
      crd(z.string().regex(/^a/).regex(/z$/)),
      crd(z.string().regex(/z$/)),
      ['CRD-K1 safe spec.x: pattern loosened'],
    ],
    [
      'CRD-K1: one of three patterns goes, and the others change places',
      crd(z.string().regex(/^a/).regex(/z$/).regex(/m/)),
      crd(z.string().regex(/m/).regex(/^a/)),
      ['CRD-K1 safe spec.x: pattern loosened'],
    ],
    [
      'CRD-K1: patterns only change places',
      crd(z.string().regex(/^a/).regex(/z$/)),
      crd(z.string().regex(/z$/).regex(/^a/)),
      [],
    ],
    [
      'CRD-K3: another pattern comes beside the one there is',
      crd(z.string().regex(/^a/)),
      crd(z.string().regex(/^a/).regex(/z$/)),
      ['CRD-K3 warning spec.x: pattern changed'],
    ],
    [
      'CRD-K3: one of two patterns is another one',
      crd(z.string().regex(/^a/).regex(/z$/)),
      crd(z.string().regex(/^a/).regex(/y$/)),
      ['CRD-K3 warning spec.x: pattern changed'],
    ],
    [
      'CRD-K1: an object that keeps everything becomes a map of anything',
      crd(z.looseObject({})),
      crd(z.record(z.string(), z.any())),
      [],
    ],
    [
      'CRD-K4: it becomes a map of texts',
      crd(z.looseObject({})),
      crd(z.record(z.string(), z.string())),
      ['CRD-K4 breaking spec.x: type changed'],
    ],
    ['CRD-K1: and back', crd(z.record(z.string(), z.unknown())), crd(z.looseObject({})), []],
    [
      'CRD-K5: a map of anything becomes a map of texts',
      crd(z.record(z.string(), z.any())),
      crd(z.record(z.string(), z.string())),
      ['CRD-K5 breaking spec.x[*]: preserve-unknown removed'],
    ],
    ['CRD-K1: a version is added', crd(), crd(undefined, two), ['CRD-K1 safe versions.v1alpha1: version added']],
    [
      'CRD-K1: a selectable path is added',
      crd(text),
      crd(text, { selectable: ['.spec.x'] }),
      ['CRD-K1 safe versions.v1.selectableFields: selectable path added'],
    ],
    [
      'CRD-K7: the status subresource comes',
      crd(),
      crd(undefined, { status }),
      [
        'CRD-K7 breaking versions.v1.subresources.status: subresource added',
        'CRD-K1 safe status: optional field added',
      ],
    ],
    [
      'CRD-K7: the status subresource goes',
      crd(undefined, { status }),
      crd(),
      ['CRD-K7 breaking versions.v1.subresources.status: subresource removed', 'CRD-K4 breaking status: field removed'],
    ],
    [
      'CRD-K7: the scale subresource comes',
      crd(z.int(), { status }),
      crd(z.int(), { status, scale: { spec: '.spec.x', status: '.status.n' } }),
      ['CRD-K7 breaking versions.v1.subresources.scale: subresource added'],
    ],
    [
      'CRD-K7: a selectable path goes',
      crd(text, { selectable: ['.spec.x'] }),
      crd(text),
      ['CRD-K7 breaking versions.v1.selectableFields: selectable path removed'],
    ],
    [
      'CRD-K7: a served version goes',
      crd(undefined, two),
      crd(),
      ['CRD-K7 breaking versions.v1alpha1: served version removed'],
    ],
    [
      'CRD-K7: a version is no longer served',
      crd(undefined, two),
      crd(undefined, { versions: { v1alpha1: { spec: z.object({}), served: false } } }),
      ['CRD-K7 breaking versions.v1alpha1.served: no longer served'],
    ],
    ['CRD-K8: another plural', crd(), crd(undefined, { plural: 'thingies' }), ['CRD-K8 refused names.plural: changed']],
    ['CRD-K8: another group', crd(), crd(undefined, { group: 'example.org' }), ['CRD-K8 refused group: changed']],
    ['CRD-K8: another scope', crd(), crd(undefined, { scope: 'Cluster' }), ['CRD-K8 refused scope: changed']],
    [
      'CRD-K8: another kind',
      crd(),
      crd(undefined, { kind: 'Thong', plural: 'things', singular: 'thing', listKind: 'ThingList' }),
      ['CRD-K8 refused names.kind: changed'],
    ],
  ];
  test.each(rows)('%s', (_, before, after, expected) => expect(said(before, after)).toEqual(expected));

  test('CRD-K8: kind and scope may change until the server has established them', () => {
    const before: CustomResourceDefinition = {
      ...crd(),
      status: { conditions: [{ type: 'Established', status: 'False' }], storedVersions: ['v1'] },
    };
    expect(compatibility(before, crd(undefined, { scope: 'Cluster' })).verdict).toBe('visible');
    const established: CustomResourceDefinition = {
      ...before,
      status: { conditions: [{ type: 'Established', status: 'True' }], storedVersions: ['v1'] },
    };
    expect(compatibility(established, crd(undefined, { scope: 'Cluster' })).verdict).toBe('refused');
  });

  test('CRD-K8, CRD-V10: a version that objects are stored in cannot go, and the migration is named', () => {
    const older: CustomResourceDefinition = { ...crd(undefined, two), status: { storedVersions: ['v1alpha1', 'v1'] } };
    const { changes } = compatibility(older, crd());
    expect(changes).toMatchObject([
      { path: 'versions.v1alpha1', verdict: 'refused', what: 'stored version removed', before: 'v1alpha1' },
    ]);
    expect(changes[0]?.cure).toContain('status.storedVersions');
    // Once nothing is stored in it, only its clients lose it.
    expect(compatibility({ ...older, status: { storedVersions: ['v1'] } }, crd()).verdict).toBe('breaking');
  });

  test('each version is compared with itself', () => {
    const older = (x: z.ZodType) => crd(text, { versions: { v1alpha1: { spec: z.object({ x }) } } });
    const { changes } = compatibility(older(text.default('a')), older(text.default('b')));
    expect(changes).toMatchObject([{ version: 'v1alpha1', path: 'spec.x', before: 'a', after: 'b' }]);
  });
});

describe('the verdict', () => {
  test.each([
    ['safe', text.max(3), text.max(4)],
    ['visible', z.enum(['a']), z.enum(['a', 'b'])],
    ['warning', z.enum(['a', 'b']), z.enum(['a', 'c'])],
    ['breaking', text.max(3), z.int()],
  ] as [CompatibilityVerdict, z.ZodType, z.ZodType][])('%s is the worst of all', (verdict, before, after) => {
    expect(compatibility(crd(before), crd(after)).verdict).toBe(verdict);
  });

  test('CRD-E16: what breaks is thrown with path, before and after, all at once', () => {
    const before = crd(z.object({ a: text, b: text.default('x') }));
    const after = crd(z.object({ a: z.int(), b: text.default('y') }));
    const run = (): unknown => assertCompatible(before, after);
    expect(run).toThrow(ResourceError);
    try {
      run();
    } catch (error) {
      const { problems } = error as ResourceError;
      expect(problems.map(({ code, path, message }) => [code, path, message])).toEqual([
        ['CRD_INCOMPATIBLE', 'v1 spec.x.a', 'type changed (CRD-K4): before "string", after "integer"'],
        ['CRD_INCOMPATIBLE', 'v1 spec.x.b', 'default changed (CRD-K7): before "x", after "y"'],
      ]);
      expect(problems.every(({ cure }) => cure !== '')).toBe(true);
    }
  });

  test('CRD-E16: safe, visible and tightened changes pass', () => {
    expect(assertCompatible(crd(z.enum(['a', 'b'])), crd(z.enum(['a', 'c']))).verdict).toBe('warning');
  });

  test('CRD-E16: a waiver lets one place pass, and its reason stands in the result', () => {
    const waiver = { path: 'spec.x', reason: 'nobody has set it yet' };
    const result = assertCompatible(crd(text), crd(z.int()), { waivers: [waiver] });
    expect(result.changes).toMatchObject([{ verdict: 'breaking', waived: 'nobody has set it yet' }]);
    expect(result.verdict).toBe('safe');
    expect(result.unused).toEqual([]);
  });

  test('a waiver for another place or version lets nothing pass, and is told of', () => {
    const elsewhere = { path: 'spec.y', reason: 'r' };
    const other = { path: 'spec.x', version: 'v2', reason: 'r' };
    expect(() => assertCompatible(crd(text), crd(z.int()), { waivers: [elsewhere, other] })).toThrow(
      'CRD_INCOMPATIBLE',
    );
    expect(compatibility(crd(text), crd(text), { waivers: [elsewhere] }).unused).toEqual([elsewhere]);
  });

  test('what the server refuses cannot be waived, and a waiver needs a reason', () => {
    const waivers = [{ path: 'scope', reason: 'we want to' }];
    expect(() => assertCompatible(crd(), crd(undefined, { scope: 'Cluster' }), { waivers })).toThrow(
      'CRD_INCOMPATIBLE',
    );
    const blank = [{ path: 'spec.x', reason: ' ' }];
    expect(() => compatibility(crd(text), crd(z.int()), { waivers: blank })).toThrow(/waived without a reason/);
  });

  test('what is misspelled in a waiver is refused: it would hold for every version', () => {
    const waivers = [{ path: 'spec.x', reason: 'r', verson: 'v1' }] as never;
    expect(() => compatibility(crd(text), crd(z.int()), { waivers })).toThrow(
      "waivers[0] has no option 'verson'; it has path, reason, version",
    );
    expect(() => compatibility(crd(text), crd(text), { waiver: [] } as object)).toThrow(
      "compatibility() has no option 'waiver'; it has waivers",
    );
  });
});
