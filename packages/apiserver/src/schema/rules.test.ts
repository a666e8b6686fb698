import type { Json, JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import type { Issue, Schema, ValidationRule } from '../values/schema.ts';
import { validate, verdictOn } from './validate.ts';

const fields: Record<string, Schema> = {
  n: { type: 'integer' },
  s: { type: 'string' },
  d: { type: 'number' },
  'foo-bar': { type: 'string' },
  namespace: { type: 'string' },
  a__b: { type: 'integer' },
  l: { type: 'array', items: { type: 'integer' } },
  set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
  lm: {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
    items: { type: 'object', required: ['k'], properties: { k: { type: 'string' }, v: { type: 'integer' } } },
  },
  m: { type: 'object', additionalProperties: { type: 'string' } },
  ios: { 'x-kubernetes-int-or-string': true },
  t: { type: 'string', format: 'date-time' },
  dt: { type: 'string', format: 'date' },
  du: { type: 'string', format: 'duration' },
  by: { type: 'string', format: 'byte' },
  nul: { type: 'string', nullable: true },
  any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  raw: { 'x-kubernetes-preserve-unknown-fields': true },
  o: { type: 'object', properties: { x: { type: 'integer' }, y: { type: 'string' } } },
  emb: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
};

const spec: JsonObject = {
  n: 5,
  s: 'hello',
  d: 1.5,
  'foo-bar': 'fb',
  namespace: 'ns',
  a__b: 1,
  l: [1, 2, 3],
  set: ['a', 'b'],
  lm: [
    { k: 'x', v: 1 },
    { k: 'y', v: 2 },
  ],
  m: { k1: 'v1', 'k-2': 'v2' },
  ios: '50%',
  t: '2024-01-02T03:04:05Z',
  dt: '2024-01-02',
  du: '1h30m',
  by: 'YWJj',
  nul: null,
  any: { z: 1 },
  o: { x: 1, y: 'q' },
  emb: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', labels: { l: 'm' } }, spec: { q: 1 } },
};

const base: JsonObject = { apiVersion: 'example.com/v1', kind: 'X', metadata: { name: 'nm', labels: { a: 'b' } } };
const schemaWith = (...rules: ValidationRule[]): Schema => ({
  type: 'object',
  properties: {
    metadata: { type: 'object' },
    spec: { type: 'object', properties: fields, 'x-kubernetes-validations': rules },
  },
});

function judge(rule: ValidationRule, value: JsonObject = spec, old?: JsonObject): Issue[] {
  return validate({ ...base, spec: value }, schemaWith(rule), old === undefined ? {} : { old: { ...base, spec: old } });
}

describe('rules that hold', () => {
  test.each([
    'self.n == 5 && self.s.startsWith("h")',
    'self.d > 1 && self.n >= 1.5',
    'self.l.all(x, x > 0) && self.l.exists(x, x == 2) && self.l.exists_one(x, x > 2)',
    'self.l.map(x, x * 2) == [2, 4, 6]',
    'self.n in [1, self.n]',
    '"a" in self.set && "k1" in self.m',
    'self.m.all(k, self.m[k].startsWith("v")) && size(self.m) == 2',
    'self.lm.exists(i, i.k == "x" && i.v == 1)',
    'type(self.ios) == int ? self.ios < 5 : self.ios.endsWith("%")',
    'self.t < timestamp("2025-01-01T00:00:00Z") && self.t.getFullYear() == 2024',
    'self.dt < timestamp("2024-01-03T00:00:00Z")',
    'self.du == duration("90m") && self.du.getMinutes() == 90',
    'self.by == b"abc"',
    '!has(self.nul)',
    'has(self.o.x) && has(self.any)',
    'self.?n.orValue(0) == 5 && self.m[?"zz"].orValue("d") == "d"',
    'self.emb.kind == "Pod" && self.emb.metadata.name == "p"',
    'self.s.matches("(?i)^HELLO$")',
    '"a.matches(b)".size() == 12',
    'self.lm.all(i, self.lm.exists_one(j, i.k == j.k))',
    'has(self.o) || self.l[9] == 1',
    '\n self.n > 0 // oldSelf in a comment',
    'self.s != "oldSelf"',
  ])('%s', (rule) => {
    expect(judge({ rule, message: 'does not hold' })).toEqual([]);
  });

  test('escaped names', () => {
    expect(
      judge({ rule: 'self.foo__dash__bar == "fb" && self.__namespace__ == "ns" && self.a__underscores__b == 1' }),
    ).toEqual([]);
  });
});

describe('CRD-R5: the message of a rule that does not hold', () => {
  const rows: [why: string, rule: ValidationRule, message: string][] = [
    ['the rule itself', { rule: '  self.n > 10 ' }, 'failed rule: self.n > 10'],
    ['its message, trimmed', { rule: 'self.n > 10', message: ' too small ' }, 'too small'],
    [
      'its message expression before its message',
      { rule: 'self.n > 10', message: 'm', messageExpression: '"n is " + string(self.n)' },
      'n is 5',
    ],
    [
      'the message if the expression fails',
      { rule: 'self.n > 10', message: 'm', messageExpression: 'self.m["zz"]' },
      'm',
    ],
    ['the message if the expression is blank', { rule: 'self.n > 10', message: 'm', messageExpression: '" "' }, 'm'],
    [
      'the message if the expression breaks the line',
      { rule: 'self.n > 10', message: 'm', messageExpression: '"a\\nb"' },
      'm',
    ],
    [
      'the message if the expression is not text',
      { rule: 'self.n > 10', message: 'm', messageExpression: 'self.n' },
      'm',
    ],
    [
      'the message if the expression exceeds 5 KiB',
      { rule: 'self.n > 10', message: 'm', messageExpression: `"${'x'.repeat(5121)}"` },
      'm',
    ],
    ['the rule if there is nothing else', { rule: 'self.n > 10', messageExpression: '""' }, 'failed rule: self.n > 10'],
  ];
  test.each(rows)('%s', (...[, rule, message]) => {
    expect(judge(rule)).toEqual([{ field: 'spec', reason: 'FieldValueInvalid', message: `Invalid value: ${message}` }]);
  });
});

describe('CRD-R2: reason and field', () => {
  const rows: [rule: Partial<ValidationRule>, issue: Issue][] = [
    [{}, { field: 'spec', reason: 'FieldValueInvalid', message: 'Invalid value: m' }],
    [{ reason: 'FieldValueInvalid' }, { field: 'spec', reason: 'FieldValueInvalid', message: 'Invalid value: m' }],
    [{ reason: 'FieldValueForbidden' }, { field: 'spec', reason: 'FieldValueForbidden', message: 'Forbidden: m' }],
    [{ reason: 'FieldValueRequired' }, { field: 'spec', reason: 'FieldValueRequired', message: 'Required value: m' }],
    [{ reason: 'FieldValueDuplicate' }, { field: 'spec', reason: 'FieldValueDuplicate', message: 'Duplicate value' }],
    [{ fieldPath: '.o.x' }, { field: 'spec.o.x', reason: 'FieldValueInvalid', message: 'Invalid value: m' }],
    [{ fieldPath: ".m['k-2']" }, { field: 'spec.m[k-2]', reason: 'FieldValueInvalid', message: 'Invalid value: m' }],
    [{ fieldPath: '.foo-bar' }, { field: 'spec.foo-bar', reason: 'FieldValueInvalid', message: 'Invalid value: m' }],
  ];
  test.each(rows)('%j', (rule, issue) => {
    expect(judge({ rule: 'false', message: 'm', ...rule })).toEqual([issue]);
  });
});

describe('where rules stand', () => {
  const schema = (rule: ValidationRule): Schema => ({
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          n: { type: 'integer', 'x-kubernetes-validations': [rule] },
          l: { type: 'array', items: { type: 'integer', 'x-kubernetes-validations': [rule] } },
          m: { type: 'object', additionalProperties: { type: 'integer', 'x-kubernetes-validations': [rule] } },
          nul: { type: 'integer', nullable: true, 'x-kubernetes-validations': [rule] },
        },
      },
    },
  });

  test('a scalar is shown, items and entries have their place, null is not judged', () => {
    const value = { spec: { n: 1, l: [9, 2], m: { 'a.b': 3 }, nul: null } };
    expect(
      validate(value, schema({ rule: 'self > 5', message: 'more' })).map(
        ({ field, message }) => `${field}: ${message}`,
      ),
    ).toEqual([
      'spec.n: Invalid value: 1: more',
      'spec.l[1]: Invalid value: 2: more',
      'spec.m[a.b]: Invalid value: 3: more',
    ]);
    expect(validate({ spec: { n: 1 } }, schema({ rule: 'self > 5', reason: 'FieldValueDuplicate' }))).toEqual([
      { field: 'spec.n', reason: 'FieldValueDuplicate', message: 'Duplicate value: 1' },
    ]);
  });

  test('CRD-R3: of metadata only the names are seen, and of preserved data nothing', () => {
    const root = (rule: string): string[] =>
      validate({ ...base, spec }, { ...schemaWith(), 'x-kubernetes-validations': [{ rule }] }).map(
        ({ field, message }) => `${field}: ${message}`,
      );
    expect(
      root(
        'self.metadata.name == "nm" && !has(self.metadata.generateName) && self.kind == "X" && self.apiVersion == "example.com/v1"',
      ),
    ).toEqual([]);
    expect(root('size(self.metadata.name) <= 1')).toEqual([
      '<nil>: Invalid value: failed rule: size(self.metadata.name) <= 1',
    ]);
    expect(root('has(self.metadata.labels)')).toEqual([expect.stringContaining("undefined field 'labels'")]);
    expect(judge({ rule: 'self.any.z == 1' })).toEqual([
      expect.objectContaining({ message: expect.stringContaining("undefined field 'z'") as string }),
    ]);
    expect(judge({ rule: 'has(self.raw)' })).toEqual([
      expect.objectContaining({ message: expect.stringContaining("undefined field 'raw'") as string }),
    ]);
  });
});

describe('CRD-R6: transition rules', () => {
  const next = { ...spec, n: 6 };
  test('run on an update, where an old value is', () => {
    expect(judge({ rule: 'self.n == oldSelf.n' }, next)).toEqual([]);
    expect(judge({ rule: 'self.n == oldSelf.n' }, next, spec)).toHaveLength(1);
    expect(judge({ rule: 'self.n >= oldSelf.n' }, next, spec)).toEqual([]);
  });

  test('do not run for a value that is new', () => {
    const rule: ValidationRule = { rule: 'self == oldSelf' };
    const schema: Schema = {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: {
            o: { type: 'object', properties: { x: { type: 'integer' } }, 'x-kubernetes-validations': [rule] },
          },
        },
      },
    };
    expect(validate({ spec: { o: { x: 1 } } }, schema, { old: { spec: {} } })).toEqual([]);
    expect(validate({ spec: { o: { x: 1 } } }, schema, { old: { spec: { o: { x: 2 } } } })).toHaveLength(1);
  });

  test('find the old item of a list map by its key', () => {
    const item: Schema = {
      type: 'object',
      required: ['k'],
      properties: {
        k: { type: 'string' },
        v: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= oldSelf', message: 'shrinks' }] },
      },
    };
    const schema: Schema = {
      type: 'object',
      properties: {
        l: { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'], items: item },
      },
    };
    const old = {
      l: [
        { k: 'a', v: 5 },
        { k: 'b', v: 1 },
      ],
    };
    expect(
      validate(
        {
          l: [
            { k: 'b', v: 2 },
            { k: 'a', v: 4 },
            { k: 'c', v: 0 },
          ],
        },
        schema,
        { old },
      ).map(({ field }) => field),
    ).toEqual(['l[1].v']);
  });

  test('with optionalOldSelf they run on create too, and ask whether there is an old value', () => {
    const rule = { rule: '!oldSelf.hasValue() || oldSelf.value().n == self.n', optionalOldSelf: true };
    expect(judge(rule, next)).toEqual([]);
    expect(judge(rule, next, spec)).toHaveLength(1);
    expect(judge({ rule: 'oldSelf.hasValue()', optionalOldSelf: true }, next)).toHaveLength(1);
    expect(judge({ rule: 'oldSelf.orValue(self).n == 5', optionalOldSelf: true }, next, spec)).toEqual([]);
  });

  test('the order of sets and list maps is not a change, that of other lists is', () => {
    const reordered = {
      ...spec,
      set: ['b', 'a'],
      lm: [
        { k: 'y', v: 2 },
        { k: 'x', v: 1 },
      ],
    };
    expect(
      judge({ rule: 'self.set == oldSelf.set && self.lm == oldSelf.lm && self == oldSelf' }, reordered, spec),
    ).toEqual([]);
    expect(
      judge(
        { rule: 'self.lm == oldSelf.lm' },
        {
          ...spec,
          lm: [
            { k: 'y', v: 2 },
            { k: 'x', v: 9 },
          ],
        },
        spec,
      ),
    ).toHaveLength(1);
    expect(judge({ rule: 'self.l == oldSelf.l' }, { ...spec, l: [3, 2, 1] }, spec)).toHaveLength(1);
  });

  test('data no rule can look into still counts for equality', () => {
    const changes: Record<string, Json>[] = [{ any: { z: 2 } }, { emb: { ...(spec['emb'] as JsonObject), spec: {} } }];
    for (const change of changes)
      expect(judge({ rule: 'self == oldSelf', message: 'immutable' }, { ...spec, ...change }, spec)).toHaveLength(1);
  });
});

describe('rules that fail when they run are not a pass', () => {
  const rows: [rule: string, detail: string][] = [
    ['self.m["zz"] == "x"', 'no such key: zz evaluating rule: self.m["zz"] == "x"'],
    ['self.l[9] == 1', 'index out of bounds: 9 evaluating rule: self.l[9] == 1'],
    ['self.n / 0 == 1', 'division by zero evaluating rule: self.n / 0 == 1'],
    ['self.n * 9223372036854775807 > 0', 'integer overflow evaluating rule: self.n * 9223372036854775807 > 0'],
    [
      'self.ios < 5',
      "'no such overload': call arguments did not match a supported operator, function or macro signature for rule: self.ios < 5",
    ],
  ];
  test.each(rows)('%s', (rule, detail) => {
    expect(judge({ rule })).toEqual([
      { field: 'spec', reason: 'FieldValueInvalid', message: `Invalid value: "object": ${detail}` },
    ]);
  });
});

describe('CRD-A9: rules that cannot be run are never taken as passed', () => {
  test.each([
    'self.n ==',
    'nope(self.n)',
    'self.s.nope()',
    'has(self.typo)',
    'self.typo == 1 || true',
    'self.lm.all(i, i.typo == 1)',
    'cel.bind(x, self.n, x > 1)',
    'self.n + 1',
  ])('%s', (rule) => {
    const verdict = verdictOn({ ...base, spec }, schemaWith({ rule }));
    expect(verdict.issues).toHaveLength(1);
    expect(verdict.unchecked).toEqual([{ field: 'spec', rule, why: expect.any(String) as string }]);
  });

  test('a rule that other rules do not need is judged all the same', () => {
    const verdict = verdictOn(
      { ...base, spec },
      schemaWith({ rule: 'nope()' }, { rule: 'self.n > 10' }, { rule: 'self.n > 1' }),
    );
    expect(verdict.issues.map(({ message }) => message)).toEqual([
      expect.stringContaining('rule could not be evaluated'),
      'Invalid value: failed rule: self.n > 10',
    ]);
  });
});
