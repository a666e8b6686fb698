// API-K6: values and what the schema says about them, word by word.
import type { Case, Claim, Json, Step } from '../../src/case.ts';
import { claim, define, post, thing, things, thingsPath } from '../../src/steps.ts';
import { accepted, causes, type Fields, integer, list, loose, map, object, text, tried } from './definitions.ts';

/** A value tried against its own schema field, and the cause it gives (none: it is valid). */
interface Trial {
  readonly field: string;
  readonly schema: Fields;
  readonly values: readonly (readonly [step: string, value: Json, message?: string, at?: string])[];
}

const steps = (trials: readonly Trial[]): Step[] => [
  ...define('crd', things(object(Object.fromEntries(trials.map(({ field, schema }) => [field, schema]))))),
  ...trials.flatMap(({ field, values }) => values.map(([step, value]) => tried(step, { [field]: value }))),
];

const claims = (trials: readonly Trial[]): Claim[] =>
  trials.flatMap(({ field, values }) =>
    values.flatMap(([step, , message, at = '']) =>
      message === undefined ? [accepted(step, step)] : causes(step, step, [[`spec.${field}${at}`, message]]),
    ),
  );

const trialsCase = (id: string, title: string, trials: readonly Trial[]): Case => ({
  id,
  section: 'subresources-crds',
  shows: ['API-K6'],
  title,
  steps: steps(trials),
  claims: claims(trials),
});

const numbers: readonly Trial[] = [
  {
    field: 'replicas',
    schema: { type: 'integer', minimum: 1, maximum: 10 },
    values: [
      ['most', 10],
      ['too-many', 99, 'Invalid value: 99: spec.replicas in body should be less than or equal to 10'],
      ['too-few', 0, 'Invalid value: 0: spec.replicas in body should be greater than or equal to 1'],
    ],
  },
  {
    field: 'open',
    schema: { type: 'number', minimum: 0, maximum: 1, exclusiveMinimum: true, exclusiveMaximum: true },
    values: [
      ['inside', 0.5],
      ['upper-end', 1, 'Invalid value: 1: spec.open in body should be less than 1'],
      ['lower-end', 0, 'Invalid value: 0: spec.open in body should be greater than 0'],
    ],
  },
  {
    field: 'step',
    schema: { type: 'integer', multipleOf: 5 },
    values: [
      ['multiple', 15],
      ['no-multiple', 7, 'Invalid value: 7: spec.step in body should be a multiple of 5'],
    ],
  },
];

const texts: readonly Trial[] = [
  {
    field: 'image',
    schema: { type: 'string', minLength: 1, maxLength: 5 },
    values: [
      ['characters', '日本語𝒳é'],
      ['too-short', '', 'Invalid value: "": spec.image in body should be at least 1 chars long'],
      ['too-long', 'abcdef', 'Too long: may not be more than 5 bytes'],
    ],
  },
  {
    field: 'pattern',
    schema: { type: 'string', pattern: '[a-z]+[0-9]' },
    values: [
      ['unanchored', '--a1--'],
      ['no-match', 'A', 'Invalid value: "A": spec.pattern in body should match \'[a-z]+[0-9]\''],
    ],
  },
  {
    field: 'color',
    schema: { type: 'string', enum: ['red', 'green'] },
    values: [
      ['listed', 'red'],
      ['not-listed', 'blue', 'Unsupported value: "blue": supported values: "red", "green"'],
    ],
  },
  {
    field: 'level',
    schema: { type: 'integer', enum: [1, 2] },
    values: [
      ['listed-number', 2],
      ['not-listed-number', 3, 'Unsupported value: 3: supported values: "1", "2"'],
    ],
  },
  {
    field: 'nullable',
    schema: { type: 'string', nullable: true, enum: ['red'] },
    values: [['null-in-enum', null, 'Unsupported value: null: supported values: "red"']],
  },
];

const collections: readonly Trial[] = [
  {
    field: 'rows',
    schema: list(text, { minItems: 1, maxItems: 2 }),
    values: [
      ['two', ['a', 'b']],
      ['none', [], 'Invalid value: 0: spec.rows in body should have at least 1 items'],
      ['three', ['a', 'b', 'c'], 'Too many: 3: must have at most 2 items'],
      ['wrong-item', [1], 'Invalid value: "integer": spec.rows[0] in body must be of type string: "integer"', '[0]'],
    ],
  },
  {
    field: 'entries',
    schema: map({ type: 'integer', maximum: 5 }, { minProperties: 1, maxProperties: 2 }),
    values: [
      ['two-entries', { a: 1, b: 2 }],
      ['no-entries', {}, 'Invalid value: 0: spec.entries in body should have at least 1 properties'],
      ['three-entries', { a: 1, b: 2, c: 3 }, 'Too many: 3: must have at most 2 items'],
      ['wrong-value', { a: 9 }, 'Invalid value: 9: spec.entries.a in body should be less than or equal to 5', '.a'],
    ],
  },
  {
    field: 'inner',
    schema: object({ image: text, tag: text }, { required: ['image'] }),
    values: [
      ['given', { image: 'i' }],
      ['missing', { tag: 't' }, 'Required value', '.image'],
      ['null', { image: null }, 'Required value', '.image'],
    ],
  },
];

const types: readonly Trial[] = [
  {
    field: 'replicas',
    schema: integer,
    values: [
      ['integer', 3],
      ['integral', 3.0],
      ['integer-text', 'string', 'Invalid value: "string": spec.replicas in body must be of type integer: "string"'],
      ['integer-boolean', true, 'Invalid value: "boolean": spec.replicas in body must be of type integer: "boolean"'],
    ],
  },
  {
    field: 'ratio',
    schema: { type: 'number' },
    values: [
      ['number', 1.5],
      ['number-integer', 2],
      ['number-text', '1', 'Invalid value: "string": spec.ratio in body must be of type number: "string"'],
    ],
  },
  {
    field: 'name',
    schema: text,
    values: [
      ['text-number', 1, 'Invalid value: "integer": spec.name in body must be of type string: "integer"'],
      ['text-object', {}, 'Invalid value: "object": spec.name in body must be of type string: "object"'],
    ],
  },
  {
    field: 'on',
    schema: { type: 'boolean' },
    values: [
      ['boolean', false],
      ['boolean-text', 'true', 'Invalid value: "string": spec.on in body must be of type boolean: "string"'],
    ],
  },
  {
    field: 'rows',
    schema: list(text),
    values: [['list-text', 'a', 'Invalid value: "string": spec.rows in body must be of type array: "string"']],
  },
  {
    field: 'open',
    schema: loose,
    values: [['object-list', [], 'Invalid value: "array": spec.open in body must be of type object: "array"']],
  },
  {
    field: 'either',
    schema: { 'x-kubernetes-int-or-string': true, anyOf: [integer, text] },
    values: [
      ['either-number', 1],
      ['either-text', '50%'],
    ],
  },
];

/** Every format the server knows, with a value it takes and one it does not. */
const formats: readonly (readonly [format: string, good: Json, bad: Json])[] = [
  ['bsonobjectid', '507f1f77bcf86cd799439011', 'nope'],
  ['uri', 'https://example.com/a', 'nope'],
  ['email', 'a@example.com', 'nope'],
  ['hostname', 'a.example.com', '-nope-'],
  ['ipv4', '10.0.0.1', '10.0.0.300'],
  ['ipv6', 'fe80::1', '10.0.0.1'],
  ['cidr', '10.0.0.0/8', '10.0.0.0'],
  ['mac', '00:00:5e:00:53:01', 'nope'],
  ['uuid', '123e4567-e89b-12d3-a456-426614174000', 'nope'],
  ['uuid3', '123e4567-e89b-32d3-a456-426614174000', '123e4567-e89b-42d3-a456-426614174000'],
  ['uuid4', '123e4567-e89b-42d3-a456-426614174000', '123e4567-e89b-32d3-a456-426614174000'],
  ['uuid5', '123e4567-e89b-52d3-a456-426614174000', '123e4567-e89b-42d3-a456-426614174000'],
  ['isbn', '978-0321751041', '978-0321751042'],
  ['isbn10', '0321751043', '978-0321751041'],
  ['isbn13', '978-0321751041', '0321751043'],
  ['creditcard', '4111 1111 1111 1111', '1234'],
  ['ssn', '123-45-6789', '123'],
  ['hexcolor', '#fff', '#ggg'],
  ['rgbcolor', 'rgb(255,255,255)', 'rgb(300,0,0)'],
  ['byte', 'aGVsbG8=', '***'],
  ['date', '2024-02-29', '2023-02-29'],
  ['duration', '1h30m', 'soon'],
  ['date-time', '2024-02-29T12:00:00Z', 'yesterday'],
  ['datetime', '2024-02-29T12:00:00.123+02:00', '2024-02-29'],
  ['k8s-short-name', 'my-name', 'My_name'],
  ['k8s-long-name', 'my.long-name', 'my..name'],
];

const formatField = (format: string): string => format.replaceAll('-', '');

export const values: readonly Case[] = [
  trialsCase('k6-numbers', 'bounds of numbers', numbers),
  trialsCase('k6-texts', 'lengths, patterns and choices', texts),
  trialsCase('k6-collections', 'sizes of lists and maps, required fields', collections),
  trialsCase('k6-types', 'types', types),
  {
    id: 'k6-checked-values',
    section: 'subresources-crds',
    shows: ['API-K6'],
    title: 'numbers out of the range of their type are refused without a field',
    steps: [
      ...define(
        'crd',
        things(
          object({ small: { ...integer, format: 'int32' }, large: { ...integer, format: 'int64' }, plain: integer }),
        ),
      ),
      tried('int32', { small: 2147483647 }),
      tried('no-int32', { small: 2147483648 }),
      tried('fraction', { plain: 1.5 }),
      post('int64', `${thingsPath}?dryRun=All`, {
        text: '{"apiVersion":"{{group}}/v1","kind":"Thing","metadata":{"name":"tried"},"spec":{"large":9223372036854775807}}',
      }),
      post('no-int64', `${thingsPath}?dryRun=All`, {
        text: '{"apiVersion":"{{group}}/v1","kind":"Thing","metadata":{"name":"tried"},"spec":{"large":9223372036854775808}}',
      }),
    ],
    claims: [
      accepted('int32', 'int32'),
      ...causes('above int32', 'no-int32', [
        ['<nil>', 'Invalid value: "": Checked value must be of type integer with format int32 in spec.small'],
      ]),
      ...causes('a fraction', 'fraction', [
        ['spec.plain', 'Invalid value: "number": spec.plain in body must be of type integer: "number"'],
        ['<nil>', 'Invalid value: "": Checked value must be of type integer (default format) in spec.plain'],
      ]),
      accepted('int64', 'int64'),
    ],
  },
  {
    id: 'k6-message',
    section: 'subresources-crds',
    shows: ['API-K6', 'API-E9'],
    title: 'the message of an answer joins where and what; several stand in brackets',
    steps: [
      ...define(
        'crd',
        things(
          object({ replicas: { ...integer, maximum: 10 }, image: { ...text, minLength: 1 } }, { required: ['image'] }),
        ),
      ),
      tried('too-many', { image: 'i', replicas: 99 }),
      tried('too-short', { image: '' }),
      tried('type', { image: 'i', replicas: 'string' }),
      tried('required', {}),
      tried('required-and-bound', { replicas: 99 }),
      post('no-spec', `${thingsPath}?dryRun=All`, thing('tried')),
    ],
    claims: [
      claim('bound', 'too-many.body.message', {
        is: 'Thing.{{group}} "tried" is invalid: spec.replicas: Invalid value: 99: spec.replicas in body should be less than or equal to 10',
      }),
      claim('length', 'too-short.body.message', {
        is: 'Thing.{{group}} "tried" is invalid: spec.image: Invalid value: "": spec.image in body should be at least 1 chars long',
      }),
      claim('type', 'type.body.message', {
        is: 'Thing.{{group}} "tried" is invalid: spec.replicas: Invalid value: "string": spec.replicas in body must be of type integer: "string"',
      }),
      claim('reason of a type', 'type.body.details.causes.0.reason', { is: 'FieldValueTypeInvalid' }),
      claim('required', 'required.body.message', {
        is: 'Thing.{{group}} "tried" is invalid: spec.image: Required value',
      }),
      claim('two', 'required-and-bound.body.details.causes', { length: 2 }),
      claim('a missing spec requires nothing', 'no-spec.status', { is: 201 }),
    ],
  },
  {
    id: 'k6-junctors',
    section: 'subresources-crds',
    shows: ['API-K6'],
    title: 'allOf, anyOf, oneOf, not',
    steps: [
      ...define(
        'crd',
        things(
          object({
            all: { ...text, allOf: [{ minLength: 2 }, { pattern: '^a' }] },
            any: { ...text, anyOf: [{ enum: ['a'] }, { minLength: 3 }] },
            one: { ...text, oneOf: [{ pattern: 'a' }, { pattern: 'b' }] },
            not: { ...text, not: { pattern: 'a' } },
            pick: object({ a: text, b: text }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
          }),
        ),
      ),
      tried('all', { all: 'ab' }),
      tried('all-one', { all: 'b2' }),
      tried('any', { any: 'abc' }),
      tried('any-none', { any: 'b' }),
      tried('one', { one: 'a' }),
      tried('one-none', { one: 'c' }),
      tried('one-both', { one: 'ab' }),
      tried('not', { not: 'b' }),
      tried('not-matched', { not: 'a' }),
      tried('pick', { pick: { a: 'a' } }),
      tried('pick-both', { pick: { a: 'a', b: 'b' } }),
      tried('pick-none', { pick: {} }),
    ],
    claims: [
      accepted('all', 'all'),
      accepted('any', 'any'),
      accepted('one', 'one'),
      accepted('not', 'not'),
      accepted('pick', 'pick'),
      ...['all-one', 'any-none', 'one-none', 'one-both', 'not-matched', 'pick-both', 'pick-none'].map((step) =>
        claim(`${step} is refused`, `${step}.body.code`, { is: 422 }),
      ),
    ],
  },
  {
    id: 'k6-formats',
    section: 'subresources-crds',
    shows: ['API-K6'],
    title: 'every format the server knows is checked',
    steps: [
      ...define(
        'crd',
        things(
          object(
            Object.fromEntries(
              formats.map(([format]) => [`f${formatField(format)}${format.length}`, { ...text, format }]),
            ),
          ),
        ),
      ),
      ...formats.flatMap(([format, good, bad]) => [
        tried(`${format}-good`, { [`f${formatField(format)}${format.length}`]: good }),
        tried(`${format}-bad`, { [`f${formatField(format)}${format.length}`]: bad }),
      ]),
    ],
    claims: formats.flatMap(([format]) => [
      accepted(`${format} takes what it means`, `${format}-good`),
      claim(`${format} refuses the rest`, `${format}-bad.body.details.causes.0.reason`, {
        is: 'FieldValueTypeInvalid',
      }),
    ]),
  },
  {
    id: 'k6-formats-ignored',
    section: 'subresources-crds',
    shows: ['API-K6'],
    title: 'a format the server does not know is ignored, and so is one of another type',
    steps: [
      ...define(
        'crd',
        things(
          object({
            a: { ...text, format: 'starts-with-a' },
            b: { ...text, format: 'int32' },
            c: { ...integer, format: 'ipv4' },
            d: { ...text, format: 'password' },
            e: { ...text, format: 'i-p-v-4' },
          }),
        ),
      ),
      tried('unknown', { a: 'b' }),
      tried('of-numbers', { b: 'b' }),
      tried('of-texts', { c: 3 }),
      tried('password', { d: 'anything' }),
      tried('dashes', { e: 'no address' }),
    ],
    claims: [
      accepted('unknown', 'unknown'),
      accepted('of numbers', 'of-numbers'),
      accepted('of texts', 'of-texts'),
      accepted('password takes everything', 'password'),
      claim('dashes in a name do not count', 'dashes.body.code', { is: 422 }),
    ],
  },
];
