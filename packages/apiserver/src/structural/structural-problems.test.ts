import type { Json, JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { structuralProblems } from './structural-problems.ts';

const path = 'spec.validation.openAPIV3Schema';
const at = `${path}.properties[spec].properties[f]`;

/** Problems of one field of spec, each as `place: reason: detail`, the place below the field. */
function ofField(schema: Json): string[] {
  const root = { type: 'object', properties: { spec: { type: 'object', properties: { f: schema } } } };
  return texts(structuralProblems(root)).map((text) => text.replace(`${at}.`, ''));
}

const texts = (issues: ReturnType<typeof structuralProblems>): string[] =>
  issues.map(
    ({ field, reason, message }) =>
      `${field}: ${reason.replace('FieldValue', '')}: ${message.replace(/^(Required value|Forbidden): /, '')}`,
  );
const ofRoot = (schema: unknown, hasStatus = false): string[] =>
  texts(structuralProblems(schema, { hasStatus })).map((text) => text.replace(path, ''));

describe('schemas that are structural', () => {
  const rows: [why: string, schema: Json][] = [
    [
      'scalars with constraints',
      { type: 'string', minLength: 1, pattern: '^a', enum: ['a'], format: 'hostname', nullable: true, default: 'a' },
    ],
    ['int-or-string without a type', { 'x-kubernetes-int-or-string': true }],
    [
      'int-or-string as it is usually written',
      { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }], pattern: '^1' },
    ],
    [
      'int-or-string with more',
      {
        'x-kubernetes-int-or-string': true,
        allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { maximum: 5 }],
      },
    ],
    ['anything', { 'x-kubernetes-preserve-unknown-fields': true }],
    ['a map', { type: 'object', additionalProperties: { type: 'integer' } }],
    [
      'a map of anything, next to fields',
      { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true },
    ],
    [
      'branches about fields that are there',
      {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'string' } },
        oneOf: [{ required: ['a'] }, { required: ['b'], properties: { b: { minLength: 1 } } }],
      },
    ],
    [
      'a list map',
      {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
        items: { type: 'object', required: ['k'], properties: { k: { type: 'string' } } },
      },
    ],
    ['a set', { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } }],
    [
      'an embedded resource',
      { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    ],
    [
      'rules',
      {
        type: 'object',
        properties: { a: { type: 'string' } },
        'x-kubernetes-validations': [
          { rule: 'has(self.a)', message: 'm', fieldPath: '.a', reason: 'FieldValueRequired' },
          { rule: 'self == oldSelf' },
        ],
      },
    ],
  ];
  test.each(rows)('%s', (_, schema) => {
    expect(ofField(schema)).toEqual([]);
  });

  test('metadata with a rule for its name', () => {
    const schema = {
      type: 'object',
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 5 } } },
      },
    };
    expect(ofRoot(schema)).toEqual([]);
  });
});

describe('API-K3: types everywhere', () => {
  test.each([
    [{}, ['type: Required: must not be empty for specified object fields']],
    [{ type: 'array', items: {} }, ['items.type: Required: must not be empty for specified array items']],
    [
      { type: 'object', additionalProperties: {} },
      ['additionalProperties.type: Required: must not be empty for specified object fields'],
    ],
    [{ type: 'array' }, ['items: Required: must be specified']],
    [
      { type: 'foo' },
      [
        'type: NotSupported: Unsupported value: "foo": supported values: "array", "boolean", "integer", "number", "object", "string"',
      ],
    ],
    [
      { 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true },
      [
        'x-kubernetes-preserve-unknown-fields: Invalid: Invalid value: true: must be false if x-kubernetes-int-or-string is true',
      ],
    ],
    [
      { type: 'string', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
      ['type: Invalid: Invalid value: "string": must be object if x-kubernetes-embedded-resource is true'],
    ],
    [
      { type: 'object', 'x-kubernetes-embedded-resource': true },
      [
        'properties: Required: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
      ],
    ],
  ])('%j', (schema, problems) => {
    expect(ofField(schema)).toEqual(problems);
  });

  test('an object at the root', () => {
    expect(ofRoot({})).toEqual(['.type: Required: must not be empty at the root']);
    expect(ofRoot({ type: 'string' })).toEqual(['.type: Invalid: Invalid value: "string": must be object at the root']);
    expect(ofRoot({ type: 'object', additionalProperties: { type: 'string' } })).toEqual([
      '.additionalProperties: Forbidden: must not be used at the root',
    ]);
    expect(ofRoot({ type: 'object', nullable: true })).toEqual([
      '.nullable: Forbidden: nullable cannot be true at the root',
    ]);
  });

  test('of metadata only names', () => {
    const root = (metadata: Json): Json => ({ type: 'object', properties: { metadata } });
    const more =
      '.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified';
    expect(ofRoot(root({ type: 'object', properties: { labels: { type: 'object' } } }))).toEqual([more]);
    expect(ofRoot(root({ type: 'object', maxProperties: 1 }))).toEqual([more]);
    expect(ofRoot(root({ type: 'string' }))).toEqual([
      '.properties[metadata].type: Invalid: Invalid value: "string": must be object',
    ]);
    expect(ofRoot({ type: 'object', properties: { kind: { type: 'integer' } } })).toEqual([
      '.properties[kind].type: Invalid: Invalid value: "integer": must be string',
    ]);
  });
});

describe('API-K3: keywords that are refused', () => {
  test.each([
    [{ $ref: '#/x' }, ['$ref: Forbidden: $ref is not supported']],
    [{ type: 'string', id: 'x' }, ['id: Forbidden: id is not supported']],
    [
      { type: 'object', patternProperties: { a: {} } },
      ['patternProperties: Forbidden: patternProperties is not supported'],
    ],
    [
      { type: 'array', items: { type: 'string' }, uniqueItems: true },
      ['uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic'],
    ],
    [
      { type: 'array', items: [{ type: 'string' }] },
      ['items: Forbidden: items must be a schema object and not an array'],
    ],
    [
      { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
      ['additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive'],
    ],
    [
      { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'string' } },
      ['additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive'],
    ],
    [
      { type: 'string', pattern: '(?=a)' },
      [expect.stringMatching(/^pattern: Invalid: .*must be a valid regular expression, but isn't: /)],
    ],
    [
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': false },
      ['x-kubernetes-preserve-unknown-fields: Invalid: Invalid value: false: must be true or undefined'],
    ],
    [
      { type: 'string', 'x-kubernetes-map-type': 'atomic' },
      ['type: Invalid: Invalid value: "string": must be object if x-kubernetes-map-type is specified'],
    ],
    [
      { type: 'object', 'x-kubernetes-map-type': 'x' },
      ['x-kubernetes-map-type: NotSupported: Unsupported value: "x": supported values: "atomic", "granular"'],
    ],
  ])('%j', (schema, problems) => {
    expect(ofField(schema)).toEqual(problems);
  });

  test('with a status subresource the root says little', () => {
    const schema = { type: 'object', properties: { spec: { type: 'object' } }, required: ['spec'] };
    expect(ofRoot(schema, true)).toEqual([]);
    expect(ofRoot({ ...schema, anyOf: [{ required: ['spec'] }] }, true)).toEqual([
      expect.stringMatching(
        /^: Invalid: Invalid value: only \[Description Type .* XPreserveUnknownFields XValidations\] fields are allowed at the root of the schema if the status subresource is enabled$/,
      ),
    ]);
    expect(ofRoot({ ...schema, anyOf: [{ required: ['spec'] }] }, false)).toEqual([]);
  });
});

describe('API-K3: branches say nothing that belongs outside of them', () => {
  const forbidden: [keyword: string, value: Json, detail: string][] = [
    ['type', 'object', 'must be empty to be structural'],
    ['title', 't', 'must be empty to be structural'],
    ['description', 'd', 'must be empty to be structural'],
    ['default', {}, 'must be undefined to be structural'],
    ['nullable', true, 'must be false to be structural'],
    ['additionalProperties', { minLength: 1 }, 'must be undefined to be structural'],
    ['x-kubernetes-preserve-unknown-fields', true, 'must be false to be structural'],
    ['x-kubernetes-embedded-resource', true, 'must be false to be structural'],
    ['x-kubernetes-int-or-string', true, 'must be false to be structural'],
    ['x-kubernetes-validations', [{ rule: 'true' }], 'must be empty to be structural'],
  ];
  const spot: [junctor: string, wrap: (branch: Json) => JsonObject, place: string][] = [
    ['anyOf', (branch) => ({ anyOf: [branch] }), 'anyOf[0]'],
    ['oneOf', (branch) => ({ oneOf: [{}, branch] }), 'oneOf[1]'],
    ['allOf', (branch) => ({ allOf: [branch] }), 'allOf[0]'],
    ['not', (branch) => ({ not: branch }), 'not'],
    ['a branch of a branch', (branch) => ({ not: { anyOf: [branch] } }), 'not.anyOf[0]'],
    [
      'a field of a branch',
      (branch) => ({ properties: { a: { type: 'object' } }, allOf: [{ properties: { a: branch } }] }),
      'allOf[0].properties[a]',
    ],
  ];
  const rows = spot.flatMap(([junctor, wrap, place]) =>
    forbidden.map(([keyword, value, detail]) => ({
      junctor,
      keyword,
      schema: { type: 'object', ...wrap({ [keyword]: value }) },
      problem: `${place}.${keyword}: Forbidden: ${detail}`,
    })),
  );
  test.each(rows)('$keyword in $junctor', ({ schema, problem }) => {
    expect(ofField(schema)).toContain(problem);
  });

  test('fields that only a branch has', () => {
    const root = {
      type: 'object',
      properties: { a: { type: 'object', properties: {} } },
      anyOf: [{ properties: { b: {}, a: { properties: { c: {} } } } }],
    };
    expect(ofRoot(root)).toEqual(
      [
        `.properties[b]: Required: because it is defined in ${path}.anyOf[0].properties[b]`,
        `.properties[a].properties[c]: Required: because it is defined in ${path}.anyOf[0].properties[a].properties[c]`,
      ].map((text) => text),
    );
  });

  test('metadata in a branch', () => {
    expect(
      ofField({ type: 'object', properties: { metadata: { type: 'object' } }, not: { properties: { metadata: {} } } }),
    ).toEqual(['not.properties[metadata]: Forbidden: must not be specified in a nested context']);
  });
});

describe('lists', () => {
  const map = (more: JsonObject, item: JsonObject = {}): Json => ({
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
    items: { type: 'object', required: ['k'], properties: { k: { type: 'string' } }, ...item },
    ...more,
  });
  const set = (items: Json): Json => ({ type: 'array', 'x-kubernetes-list-type': 'set', items });
  const key = 'this property is in x-kubernetes-list-map-keys, so it';
  test.each([
    [
      map({ 'x-kubernetes-list-map-keys': ['z'] }),
      ['x-kubernetes-list-map-keys: Invalid: Invalid value: ["z"]: entries must all be names of item properties'],
    ],
    [
      map({ 'x-kubernetes-list-map-keys': ['k', 'k'] }),
      ['x-kubernetes-list-map-keys: Invalid: Invalid value: ["k","k"]: must not contain duplicate entries'],
    ],
    [
      map({ 'x-kubernetes-list-map-keys': [] }),
      ['x-kubernetes-list-map-keys: Required: must not be empty if x-kubernetes-list-type is map'],
    ],
    [
      map({ items: { type: 'string' } }),
      ['items.type: Invalid: Invalid value: "string": must be object if parent array\'s x-kubernetes-list-type is map'],
    ],
    [
      map({}, { required: [] }),
      [`items.properties[k].default: Required: ${key} must have a default or be a required property`],
    ],
    [map({}, { required: [], properties: { k: { type: 'string', default: 'x' } } }), []],
    [map({}, { nullable: true }), ['items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is map']],
    [
      map({}, { properties: { k: { type: 'string', nullable: true } } }),
      [`items.properties[k].nullable: Forbidden: ${key} cannot be nullable`],
    ],
    [
      map({}, { properties: { k: { type: 'object' } } }),
      [
        'items.properties[k].type: Invalid: Invalid value: "object": must be a scalar type if parent array\'s x-kubernetes-list-type is map',
      ],
    ],
    [
      map({ 'x-kubernetes-list-type': 'set' }),
      [
        'items.x-kubernetes-map-type: Invalid: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set',
        'x-kubernetes-list-type: Invalid: Invalid value: "set": must be map if x-kubernetes-list-map-keys is non-empty',
      ],
    ],
    [
      set({ type: 'object' }),
      [
        'items.x-kubernetes-map-type: Invalid: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set',
      ],
    ],
    [set({ type: 'object', 'x-kubernetes-map-type': 'atomic' }), []],
    [
      { type: 'string', 'x-kubernetes-list-type': 'set' },
      ['type: Invalid: Invalid value: "string": must be array if x-kubernetes-list-type is specified'],
    ],
    [
      { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'x' },
      ['x-kubernetes-list-type: NotSupported: Unsupported value: "x": supported values: "atomic", "set", "map"'],
    ],
    [
      { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-map-keys': ['k'] },
      ['x-kubernetes-list-type: Required: must be map if x-kubernetes-list-map-keys is non-empty'],
    ],
  ])('%j', (schema, problems) => {
    expect(ofField(schema)).toEqual(problems);
  });
});

describe('API-K5, CRD-D1: defaults are valid', () => {
  test.each([
    [{ type: 'integer', default: 1 }, []],
    [
      { type: 'integer', default: 'x' },
      ['default: TypeInvalid: Invalid value: "string":  in body must be of type integer: "string"'],
    ],
    [
      { type: 'integer', default: 5, maximum: 1 },
      ['default: Invalid: Invalid value: 5:  in body should be less than or equal to 1'],
    ],
    [
      { type: 'object', properties: { a: { type: 'string' } }, default: { b: 1 } },
      ['default: Invalid: Invalid value: {"b":1}: must not have unknown fields'],
    ],
    [
      { type: 'object', properties: { a: { type: 'integer' } }, default: { a: 'x' } },
      ['default.a: TypeInvalid: Invalid value: "string": a in body must be of type integer: "string"'],
    ],
    [
      { type: 'object', required: ['a'], properties: { a: { type: 'integer' } }, default: {} },
      ['default.a: Required: Required value'],
    ],
    [
      { type: 'array', items: { type: 'object', properties: { a: { type: 'integer', default: 'x' } } } },
      ['items.properties[a].default: TypeInvalid: Invalid value: "string":  in body must be of type integer: "string"'],
    ],
    [
      { type: 'integer', default: 1, 'x-kubernetes-validations': [{ rule: 'self > 5' }] },
      ['default: Invalid: Invalid value: 1: failed rule: self > 5'],
    ],
    [
      {
        type: 'integer',
        default: 1,
        'x-kubernetes-validations': [{ rule: 'oldSelf.hasValue()', optionalOldSelf: true }],
      },
      ['default: Invalid: Invalid value: 1: failed rule: oldSelf.hasValue()'],
    ],
    [{ type: 'integer', nullable: true, default: null }, []],
  ])('%j', (schema, problems) => {
    expect(ofField(schema)).toEqual(problems);
  });

  test('none for what every resource has', () => {
    expect(ofRoot({ type: 'object', properties: { kind: { type: 'string', default: 'X' } } })).toEqual([
      '.properties[kind].default: Forbidden: must not be set in top-level kind',
    ]);
  });
});

describe('rules', () => {
  const rule = (...rules: Json[]): Json => ({
    type: 'object',
    properties: { a: { type: 'string' } },
    'x-kubernetes-validations': rules,
  });
  const first = 'x-kubernetes-validations[0]';
  test.each([
    [rule({ rule: ' ' }), [`${first}.rule: Required: rule is not specified`]],
    [
      rule({ rule: 'true', message: ' ' }),
      [`${first}.message: Invalid: Invalid value: " ": must be non-empty if specified`],
    ],
    [
      rule({ rule: 'true', message: 'a\nb' }),
      [String.raw`${first}.message: Invalid: Invalid value: "a\nb": must not contain line breaks`],
    ],
    [rule({ rule: 'tr\nue' }), [`${first}.message: Required: message must be specified if rule contains line breaks`]],
    [
      rule({ rule: 'true', messageExpression: ' ' }),
      [`${first}.messageExpression: Required: messageExpression must be non-empty if specified`],
    ],
    [
      rule({ rule: 'true', reason: 'X' }),
      [
        `${first}.reason: NotSupported: Unsupported value: "X": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"`,
      ],
    ],
    [
      rule({ rule: 'true', fieldPath: '.z' }),
      [`${first}.fieldPath: Invalid: Invalid value: ".z": must be a valid path`],
    ],
    [rule({ rule: 'true', fieldPath: 'a' }), [`${first}.fieldPath: Invalid: Invalid value: "a": must be a valid path`]],
    [
      rule({ rule: 'true', optionalOldSelf: true }),
      [`${first}.optionalOldSelf: Invalid: Invalid value: true: may not be set if oldSelf is not used in rule`],
    ],
    [
      rule({ rule: 'has(self.typo)' }),
      [
        `${first}.rule: Invalid: Invalid value: {"Rule":"has(self.typo)","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: compilation failed: ERROR: <input>:1:4: undefined field 'typo'\n | has(self.typo)\n | ...^`,
      ],
    ],
    [
      { type: 'array', items: { type: 'boolean', 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] } },
      [
        `items.${first}.rule: Invalid: Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within ${at}`,
      ],
    ],
  ])('%j', (schema, problems) => {
    expect(ofField(schema)).toEqual(problems);
  });

  test('what only this evaluator cannot read does not condemn a definition', () => {
    expect(ofField(rule({ rule: 'isURL(self.a)' }))).toEqual([]);
  });
});

describe('what is not a schema', () => {
  test.each([
    [null],
    ['x'],
    [[]],
    [{ properties: 5 }],
    [{ properties: { a: 'x' } }],
    [{ items: 5 }],
    [{ anyOf: {} }],
    [{ required: 'a' }],
    [{ type: ['string', 'null'] }],
    [{ maximum: '5' }],
    [{ 'x-kubernetes-validations': [{ rule: 1 }] }],
    [{ 'x-kubernetes-validations': 'x' }],
  ])('%j', (schema) => {
    const problems = structuralProblems(schema);
    expect(problems.map(({ reason }) => reason)).toContain('FieldValueTypeInvalid');
  });

  test('problems stand where the caller says', () => {
    expect(structuralProblems({}, { path: 'spec.versions[1].schema.openAPIV3Schema' })).toEqual([
      {
        field: 'spec.versions[1].schema.openAPIV3Schema.type',
        reason: 'FieldValueRequired',
        message: 'Required value: must not be empty at the root',
      },
    ]);
  });
});
