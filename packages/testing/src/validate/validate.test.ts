import { KilterError } from 'kilter';
import type { JsonObject, KindNames, KubeObject } from 'kilter/api';
import { customResource, listMap, rule } from 'kilter/crd';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type DefinedKind, validate, type ValidateOptions } from './validate.ts';

class WebApp extends customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'WebApp',
  scope: 'Namespaced',
  spec: z
    .object({
      image: z.string().min(1),
      replicas: z.int().min(0).max(100).default(1),
      env: z
        .array(z.object({ name: z.string(), value: z.string() }))
        .meta(listMap('name'))
        .default([]),
    })
    .meta(rule('!self.image.endsWith(":latest")', 'pin the image tag')),
  status: z.object({ availableReplicas: z.int().optional() }),
}) {}

const app = (spec: unknown, more: object = {}): object => ({
  apiVersion: 'example.com/v1',
  kind: 'WebApp',
  metadata: { name: 'shop' },
  spec,
  ...more,
});

describe('the verdict on a kind of one’s own', () => {
  test('CRD-A2: unknown fields go with a warning, defaults are filled in', () => {
    const value = app({ image: 'nginx:1.27', nope: 1 });
    expect(validate(WebApp, value)).toEqual({
      valid: true,
      object: app({ image: 'nginx:1.27', replicas: 1, env: [] }),
      warnings: ['unknown field "spec.nope"'],
    });
    expect(value).toEqual(app({ image: 'nginx:1.27', nope: 1 }));
  });

  test('all that is wrong comes at once, with field, reason and message', () => {
    const env = [
      { name: 'A', value: '1' },
      { name: 'A', value: '2' },
    ];
    const verdict = validate(WebApp, app({ image: 'nginx:latest', replicas: 101, env }));
    expect(verdict).toEqual({
      valid: false,
      errors: [
        {
          field: 'spec.replicas',
          reason: 'FieldValueInvalid',
          message: 'Invalid value: 101: spec.replicas in body should be less than or equal to 100',
        },
        { field: 'spec.env[1]', reason: 'FieldValueDuplicate', message: 'Duplicate value: {"name":"A"}' },
        { field: 'spec', reason: 'FieldValueInvalid', message: 'Invalid value: pin the image tag' },
      ],
      warnings: [],
    });
  });

  test('the type follows the kind', () => {
    const verdict = validate(WebApp, app({ image: 'nginx:1.27' }));
    const replicas: number = verdict.valid ? verdict.object.spec.replicas : 0;
    expect(replicas).toBe(1);
  });

  test('fields that are undefined are not sent', () => {
    expect(validate(WebApp, { ...app({ image: 'a:1', replicas: undefined }), status: undefined }).valid).toBe(true);
  });
});

describe('CRD-A10: what the schema library refuses and no server ever will', () => {
  class Picky extends customResource({
    group: 'example.com',
    version: 'v1',
    kind: 'Picky',
    spec: z.object({
      even: z
        .int()
        .refine((n) => n % 2 === 0, 'must be even')
        .optional(),
      short: z
        .string()
        .regex(/^[a-z]+$/i)
        .optional(),
    }),
    status: z.object({
      n: z
        .int()
        .refine((n) => n < 5, 'below 5')
        .optional(),
    }),
  }) {}
  const picky = (spec: object, more: object = {}): object => ({
    apiVersion: 'example.com/v1',
    kind: 'Picky',
    metadata: { name: 'a' },
    spec,
    ...more,
  });
  const disagreeing = (verdict: { warnings: readonly string[] }): string[] =>
    verdict.warnings.map((text) => text.split(':')[0] ?? '');

  test('is a warning with its place, and the object is valid', () => {
    const verdict = validate(Picky, picky({ even: 3, short: 'a' }));
    expect(verdict.valid).toBe(true);
    expect(verdict.warnings).toEqual([
      'CRD_SCHEMA_DISAGREES spec.even: the schema library says "must be even", but the API server accepts it: this check never reaches the server; write a rule',
    ]);
    expect(validate(Picky, picky({ even: 2 })).warnings).toEqual([]);
  });

  test('also in the status', () => {
    const value = picky({}, { status: { n: 9 } });
    expect(disagreeing(validate(Picky, value, { subresource: 'status' }))).toEqual(['CRD_SCHEMA_DISAGREES status.n']);
  });

  test('what the server refuses needs no second voice', () => {
    expect(validate(Picky, picky({ even: 3.5 })).warnings).toEqual([]);
  });

  test('what an update was forgiven is not a disagreement', () => {
    const old = picky({ short: '1', even: 2 }) as typeof Picky.prototype;
    expect(validate(Picky, picky({ short: '1', even: 4 }), { old }).warnings).toEqual([
      expect.stringMatching(/^spec\.short: Invalid value/),
    ]);
  });
});

const names: KindNames = {
  group: 'example.com',
  version: 'v1',
  kind: 'Thing',
  plural: 'things',
  singular: 'thing',
  listKind: 'ThingList',
  shortNames: [],
  scope: 'Cluster',
};

function thing(schema: object, subresources?: object): DefinedKind {
  const root = { type: 'object', ...schema };
  return {
    names,
    prototype: {} as KubeObject,
    manifest: () => ({
      spec: {
        versions: [
          { name: 'v1alpha1', schema: { openAPIV3Schema: { type: 'string' } } },
          { name: 'v1', schema: { openAPIV3Schema: root }, subresources },
        ],
      },
    }),
  };
}

const object = (fields: object = {}): object => ({
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { name: 'x' },
  ...fields,
});
const errors = (kind: DefinedKind, value: unknown, options?: ValidateOptions): string[] => {
  const verdict = validate(kind, value, options);
  return verdict.valid
    ? []
    : verdict.errors.map(({ field, reason }) => `${field}: ${reason.replace('FieldValue', '')}`);
};

describe('CRD-A1: the order of what is judged', () => {
  const kind = thing(
    {
      properties: {
        spec: {
          type: 'object',
          properties: {
            replicas: { type: 'integer', default: 1, maximum: 5, minimum: 0 },
            e: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
            s: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'integer' } },
            nul: { type: 'string' },
          },
          'x-kubernetes-validations': [{ rule: 'false' }],
        },
      },
    },
    { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
  );

  test('pruned, nulls settled and defaulted before anything; then metadata, schema, scale, embedded resources, list types, rules', () => {
    const value = object({
      metadata: { name: 'X' },
      spec: { replicas: -1, nul: null, nope: 1, e: { apiVersion: 'v1', kind: '-' }, s: [1, 1] },
    });
    expect(errors(kind, value)).toEqual([
      'metadata.name: Invalid',
      'spec.replicas: Invalid',
      '.spec.replicas: Invalid',
      'spec.e.kind: Invalid',
      'spec.s[1]: Duplicate',
      'spec: Invalid',
    ]);
  });

  test('a default fills in before the schema and its rules judge', () => {
    const filled = thing({
      properties: {
        spec: {
          type: 'object',
          required: ['n'],
          properties: { n: { type: 'integer', default: 3, maximum: 5 } },
          'x-kubernetes-validations': [{ rule: 'self.n == 3' }],
        },
      },
    });
    expect(validate(filled, object({ spec: { n: null } }))).toMatchObject({ valid: true, object: { spec: { n: 3 } } });
  });

  test('an object of another kind is judged no further', () => {
    expect(errors(kind, { ...object(), kind: 'Other', metadata: {} })).toEqual(['kind: Invalid']);
    expect(errors(kind, { metadata: { name: 'x' } })).toEqual(['kind: Invalid', 'apiVersion: Invalid']);
    expect(validate(kind, { ...object(), apiVersion: 'example.com/v2' })).toMatchObject({
      errors: [{ field: 'apiVersion', message: 'Invalid value: "example.com/v2": must be example.com/v1' }],
    });
  });

  test.each([['x'], [5], [null], [undefined], [[]]])('%j is not an object', (value) => {
    expect(errors(kind, value)).toEqual(['<nil>: TypeInvalid']);
  });

  test('CRD-A3: without a name no rule runs, and the verdict says so', () => {
    const ruled = thing({ 'x-kubernetes-validations': [{ rule: 'false' }] });
    const verdict = validate(ruled, { ...object(), metadata: {} });
    expect(verdict).toMatchObject({
      errors: [
        { field: 'metadata.name', reason: 'FieldValueRequired' },
        { field: '<nil>', message: expect.stringContaining('some validation rules were not checked') as string },
      ],
    });
  });
});

describe('CRD-A7: updates and status', () => {
  const status = { type: 'object', properties: { n: { type: 'integer', maximum: 5 } } };
  const spec = {
    type: 'object',
    properties: {
      n: { type: 'integer', maximum: 5 },
      fixed: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'immutable' }] },
    },
  };
  const kind = thing({ properties: { spec, status } }, { status: {} });
  const stored = (fields: object): KubeObject => object(fields) as KubeObject;

  test('a create drops status, an update keeps the stored one', () => {
    const value = object({ spec: {}, status: { n: 9 } });
    expect(validate(kind, value)).toMatchObject({ valid: true, object: object({ spec: {} }) });
    expect((validate(kind, value) as unknown as { object: JsonObject }).object).not.toHaveProperty('status');
    expect(validate(kind, value, { old: stored({ status: { n: 3 } }) })).toMatchObject({
      valid: true,
      object: { status: { n: 3 } },
    });
  });

  test('a write of status takes nothing but status', () => {
    const verdict = validate(kind, object({ spec: { n: 9 }, status: { n: 4 } }), {
      subresource: 'status',
      old: stored({ spec: { n: 1 } }),
    });
    expect(verdict).toMatchObject({ valid: true, object: { spec: { n: 1 }, status: { n: 4 } } });
    expect(
      errors(kind, object({ status: { n: 9 } }), { subresource: 'status', old: stored({ spec: { n: 1 } }) }),
    ).toEqual(['status.n: Invalid']);
    expect(errors(kind, object({ spec: { n: 9 }, status: {} }), { subresource: 'status' })).toEqual([]);
  });

  test('what stays as it was is a warning, transition rules run', () => {
    const old = stored({ spec: { n: 9, fixed: 'a' } });
    expect(validate(kind, object({ spec: { n: 9, fixed: 'a' } }), { old })).toEqual({
      valid: true,
      object: old,
      warnings: ['spec.n: Invalid value: 9: spec.n in body should be less than or equal to 5'],
    });
    expect(errors(kind, object({ spec: { n: 9, fixed: 'b' } }), { old })).toEqual(['spec.fixed: Invalid']);
  });

  test('a kind without the subresource takes status like any field', () => {
    expect(errors(thing({ properties: { status } }), object({ status: { n: 9 } }))).toEqual(['status.n: Invalid']);
  });
});

describe('where there is no verdict', () => {
  const codeOf = (act: () => unknown): string | undefined => {
    try {
      act();
      return undefined;
    } catch (error) {
      return error instanceof KilterError ? error.code : String(error);
    }
  };

  const ruled = (schema: object, ...rules: object[]): DefinedKind =>
    thing({ properties: { spec: { type: 'object', ...schema, 'x-kubernetes-validations': rules } } });

  test('CRD-A9: a rule that cannot be run is never taken as passed', () => {
    const unheard = ruled({ properties: { u: { type: 'string', maxLength: 5 } } }, { rule: 'unheardOf(self.u)' });
    expect(codeOf(() => validate(unheard, object({ spec: { u: 'x' } })))).toBe('CRD_RULE_INVALID');
    expect(codeOf(() => validate(unheard, object()))).toBe('CRD_RULE_INVALID');
  });

  test.each([
    ['does not compile', { rule: 'self.n ==' }, 'spec.x-kubernetes-validations[0].rule'],
    ['names a field there is not', { rule: 'has(self.typo)' }, "undefined field 'typo'"],
    ['is not a bool', { rule: 'self.n' }, 'cel expression must evaluate to a bool'],
    [
      'has a message that is not a string',
      { rule: 'self.n > 0', messageExpression: 'self.n' },
      'must evaluate to a string',
    ],
  ])('CRD-E10: a rule that %s is refused with its place, whatever the object', (_, rule, said) => {
    const kind = ruled({ properties: { n: { type: 'integer' } } }, rule);
    expect(codeOf(() => validate(kind, object()))).toBe('CRD_RULE_INVALID');
    expect(() => validate(kind, object())).toThrow(said);
  });

  test('CRD-E11: a rule that may cost too much is refused', () => {
    const list = { type: 'array', items: { type: 'string' } };
    const kind = ruled({ properties: { l: list } }, { rule: 'self.l.all(a, self.l.all(b, a == b))' });
    expect(codeOf(() => validate(kind, object()))).toBe('CRD_RULE_COST');
    expect(() => validate(kind, object())).toThrow('estimated rule cost exceeds budget by factor of more than 100x');
    const bounded = ruled(
      { properties: { l: { ...list, maxItems: 20, items: { type: 'string', maxLength: 20 } } } },
      { rule: 'self.l.all(a, self.l.all(b, a == b))' },
    );
    expect(validate(bounded, object({ spec: { l: ['a', 'a'] } })).valid).toBe(true);
  });

  test('CRD-D1: a default that breaks its rule', () => {
    const n = { type: 'integer', default: 0, 'x-kubernetes-validations': [{ rule: 'self > 0', message: 'positive' }] };
    const kind = ruled({ properties: { n } });
    expect(codeOf(() => validate(kind, object()))).toBe('CRD_DEFAULT_INVALID');
    expect(() => validate(kind, object())).toThrow('spec.n.default: Invalid value: 0: positive');
  });

  test('a schema that is not structural', () => {
    const kind = thing({ properties: { spec: { type: 'object', properties: { a: {} } } } });
    expect(codeOf(() => validate(kind, object()))).toBe('TESTING_KIND_INVALID');
    expect(() => validate(kind, object())).toThrow('spec.a.type: Required value');
  });

  test('a manifest without the kind’s version', () => {
    const kind: DefinedKind = { ...thing({}), names: { ...names, version: 'v2' } };
    expect(codeOf(() => validate(kind, object()))).toBe('TESTING_KIND_INVALID');
    expect(() => validate(kind, object())).toThrow('only for: v1alpha1, v1');
  });

  test('a value that is not JSON', () => {
    expect(codeOf(() => validate(thing({}), object({ spec: { n: 5n } })))).toBe('TESTING_VALUE_NOT_JSON');
  });
});

describe('what validate cannot know', () => {
  test('CRD-A11: nothing that needs another object is judged: neither a namespace nor an owner that does not exist', () => {
    const Lonely = customResource({ group: 'example.com', version: 'v1', kind: 'Lonely', spec: z.object({}) });
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'nobody', uid: 'c0ffee' };
    const lonely = Lonely.build({ name: 'a', namespace: 'nowhere', spec: {} });
    const owned = (uid: string) => ({
      ...lonely,
      metadata: { ...lonely.metadata, ownerReferences: [{ ...owner, uid }] },
    });
    expect(validate(Lonely, owned('c0ffee')).valid).toBe(true);
    expect(validate(Lonely, owned('')).valid).toBe(false);
  });
});
