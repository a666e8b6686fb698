// API-K3: structural schemas.
import type { Case, Json, Step } from '../../src/case.ts';
import { claim } from '../../src/steps.ts';
import {
  accepted,
  atField as at,
  type Fields,
  integer,
  judgeField,
  judgeRoot,
  loose,
  object,
  refused,
  text,
} from './definitions.ts';

const root = 'spec.validation.openAPIV3Schema';

type Placed = (nested: Fields) => Fields;
const junctors: Readonly<Record<string, Placed>> = {
  allOf: (nested) => ({ allOf: [nested] }),
  anyOf: (nested) => ({ anyOf: [nested] }),
  oneOf: (nested) => ({ oneOf: [nested] }),
  not: (nested) => ({ not: nested }),
};
const place: Readonly<Record<string, string>> = { allOf: 'allOf[0]', anyOf: 'anyOf[0]', oneOf: 'oneOf[0]', not: 'not' };

/** What a schema below a junctor may not say, and what the server answers. */
const forbidden: readonly (readonly [key: string, nested: Fields, outer: Fields, says: string])[] = [
  ['type', { type: 'string' }, text, 'must be empty to be structural'],
  ['description', { description: 'd' }, text, 'must be empty to be structural'],
  ['title', { title: 't' }, text, 'must be empty to be structural'],
  ['default', { default: 'd' }, text, 'must be undefined to be structural'],
  ['nullable', { nullable: true }, text, 'must be false to be structural'],
  [
    'additionalProperties',
    { additionalProperties: { minLength: 1 } },
    object({ a: text }),
    'must be undefined to be structural',
  ],
  [
    'x-kubernetes-preserve-unknown-fields',
    { 'x-kubernetes-preserve-unknown-fields': true },
    loose,
    'must be false to be structural',
  ],
  [
    'x-kubernetes-int-or-string',
    { 'x-kubernetes-int-or-string': true },
    { 'x-kubernetes-int-or-string': true },
    'must be false to be structural',
  ],
  [
    'x-kubernetes-validations',
    { 'x-kubernetes-validations': [{ rule: 'true' }] },
    text,
    'must be empty to be structural',
  ],
];

const below = (junctor: string): Case => ({
  id: `k3-below-${junctor.toLowerCase()}`,
  section: 'subresources-crds',
  shows: ['API-K3'],
  title: `below ${junctor} a schema has no type, documentation, default, nullable, extension`,
  steps: [
    ...forbidden.map(([key, nested, outer]) => judgeField(key, { ...outer, ...junctors[junctor]?.(nested) })),
    judgeField('allowed', { ...text, ...junctors[junctor]?.({ minLength: 1, pattern: 'a', enum: ['a'] }) }),
  ],
  claims: [
    ...forbidden.map(([key, , , says]) =>
      claim(`no ${key}`, `${key}.body.details.causes`, {
        contains: {
          field: `${at}.${place[junctor]}.${key}`,
          message: `Forbidden: ${says}`,
        },
      }),
    ),
    accepted('values are allowed', 'allowed'),
  ],
});

const map = (schema: Json, more: Fields = {}): Fields => ({ type: 'object', additionalProperties: schema, ...more });
const list = (schema: Json, more: Fields = {}): Fields => ({ type: 'array', items: schema, ...more });
const required = (clause: string, step: string, field: string): Case['claims'] =>
  refused(clause, step, [field, 'must not be empty']);

export const structural: readonly Case[] = [
  {
    id: 'k3-types',
    section: 'subresources-crds',
    shows: ['API-K3'],
    title: 'a type stands everywhere but beside int-or-string and preserve-unknown',
    steps: [
      judgeRoot('root', { properties: { spec: object({ a: text }) } }),
      judgeField('field', { maxLength: 3 }),
      judgeField('item', list({ maxLength: 3 })),
      judgeField('value', map({ maxLength: 3 })),
      judgeField('nested', object({ g: {} })),
      judgeField('int-or-string', { 'x-kubernetes-int-or-string': true }),
      judgeField('preserving', { 'x-kubernetes-preserve-unknown-fields': true }),
      judgeField('strange', { type: 'text' }),
      judgeField('null', { type: 'null' }),
      judgeRoot('root-type', { type: 'array', items: text }),
      judgeField('untyped-items', { type: 'array' }),
    ],
    claims: [
      ...required('the root', 'root', `${root}.type`),
      ...required('a field', 'field', `${at}.type`),
      ...required('an item', 'item', `${at}.items.type`),
      ...required('a value of a map', 'value', `${at}.additionalProperties.type`),
      ...required('a nested field', 'nested', `${at}.properties[g].type`),
      accepted('but int-or-string', 'int-or-string'),
      accepted('but preserve-unknown', 'preserving'),
      claim('types are those of OpenAPI', 'strange.body.code', { is: 422 }),
      claim('null is not a type', 'null.body.code', { is: 422 }),
      claim('the root is an object', 'root-type.body.code', { is: 422 }),
      claim('a list has items', 'untyped-items.body.code', { is: 422 }),
    ],
  },
  {
    id: 'k3-int-or-string',
    section: 'subresources-crds',
    shows: ['API-K3'],
    title: 'int-or-string has two forms with types below anyOf, and no others',
    steps: [
      judgeField('any', { 'x-kubernetes-int-or-string': true, anyOf: [integer, text] }),
      judgeField('all', { 'x-kubernetes-int-or-string': true, allOf: [{ anyOf: [integer, text] }, { pattern: 'a' }] }),
      judgeField('reversed', { 'x-kubernetes-int-or-string': true, anyOf: [text, integer] }),
      judgeField('typed', { 'x-kubernetes-int-or-string': true, type: 'string' }),
      judgeField('preserving', { 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true }),
    ],
    claims: [
      accepted('anyOf integer, string', 'any'),
      accepted('that below allOf', 'all'),
      claim('in this order only', 'reversed.body.code', { is: 422 }),
      accepted('a type beside it is accepted', 'typed'),
      claim('not with preserve-unknown', 'preserving.body.code', { is: 422 }),
    ],
  },
  {
    id: 'k3-ref',
    section: 'subresources-crds',
    shows: ['API-K3'],
    title: 'references and definitions are refused',
    steps: [
      judgeField('ref', { ...text, $ref: '#/definitions/x' }),
      judgeField('definitions', { ...text, definitions: { x: text } }),
      judgeField('id', { ...text, id: 'x' }),
      judgeField('pattern-properties', { type: 'object', patternProperties: { a: text } }),
      judgeField('dependencies', { type: 'object', dependencies: { a: ['b'] } }),
      judgeField('additional-items', { type: 'array', items: text, additionalItems: true }),
      judgeField('tuple', { type: 'array', items: [text, integer] }),
    ],
    claims: [
      ...refused('$ref', 'ref', [`${at}.$ref`, 'Forbidden: $ref is not supported']),
      ...refused('definitions', 'definitions', [`${at}.definitions`, 'Forbidden: definitions is not supported']),
      ...refused('id', 'id', [`${at}.id`, 'Forbidden: id is not supported']),
      ...refused('patternProperties', 'pattern-properties', [
        `${at}.patternProperties`,
        'Forbidden: patternProperties is not supported',
      ]),
      ...refused('dependencies', 'dependencies', [`${at}.dependencies`, 'Forbidden: dependencies is not supported']),
      ...refused('additionalItems', 'additional-items', [
        `${at}.additionalItems`,
        'Forbidden: additionalItems is not supported',
      ]),
      claim('a list of items', 'tuple.body.code', { is: 422 }),
    ],
  },
  {
    id: 'k3-unique-items',
    section: 'subresources-crds',
    shows: ['API-K3'],
    title: 'uniqueItems may not be true',
    steps: [
      judgeField('true', list(text, { uniqueItems: true })),
      judgeField('false', list(text, { uniqueItems: false })),
    ],
    claims: [
      ...refused('true', 'true', [
        `${at}.uniqueItems`,
        'Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
      ]),
      accepted('false', 'false'),
    ],
  },
  {
    id: 'k3-additional-properties',
    section: 'subresources-crds',
    shows: ['API-K3'],
    title: 'additionalProperties stand alone, and not at the root',
    steps: [
      judgeField('beside', object({ a: text }, { additionalProperties: text })),
      judgeField('false-beside', object({ a: text }, { additionalProperties: false })),
      judgeField('true-beside', object({ a: text }, { additionalProperties: true })),
      judgeField('alone', map(text)),
      judgeField('false-alone', { type: 'object', additionalProperties: false }),
      judgeField('true-alone', { type: 'object', additionalProperties: true }),
      judgeRoot('root', map(text)),
      judgeRoot('false-root', { type: 'object', additionalProperties: false }),
    ],
    claims: [
      ...refused('beside properties', 'beside', [
        `${at}.additionalProperties`,
        'Forbidden: additionalProperties and properties are mutual exclusive',
      ]),
      ...refused('false beside properties', 'false-beside', [
        `${at}.additionalProperties`,
        'Forbidden: additionalProperties and properties are mutual exclusive',
      ]),
      accepted('true beside properties is accepted', 'true-beside'),
      accepted('alone', 'alone'),
      accepted('false alone', 'false-alone'),
      accepted('true alone', 'true-alone'),
      claim('not at the root', 'root.body.code', { is: 422 }),
      claim('false not at the root either', 'false-root.body.code', { is: 422 }),
    ],
  },
  ...Object.keys(junctors).map(below),
  {
    id: 'k3-complete',
    section: 'subresources-crds',
    shows: ['API-K3'],
    title: 'what a junctor at the root speaks of stands outside of it as well; deeper down nobody looks',
    steps: [
      ...Object.entries(junctors).flatMap(([junctor, placed]): Step[] => [
        judgeRoot(
          `${junctor}-property`,
          object({ spec: object({ a: text }) }, placed({ properties: { b: { minLength: 1 } } })),
        ),
        judgeRoot(
          `${junctor}-nested`,
          object(
            { spec: object({ a: text }) },
            placed({ properties: { spec: { properties: { b: { minLength: 1 } } } } }),
          ),
        ),
        judgeRoot(
          `${junctor}-items`,
          object({ spec: loose }, placed({ properties: { spec: { items: { minLength: 1 } } } })),
        ),
        judgeRoot(
          `${junctor}-declared`,
          object(
            { spec: object({ a: text }) },
            placed({ properties: { spec: { properties: { a: { minLength: 1 } } } } }),
          ),
        ),
        judgeField(`${junctor}-deep`, object({ a: text }, placed({ properties: { b: { minLength: 1 } } }))),
      ]),
      judgeRoot('metadata', {
        ...object({ metadata: { type: 'object' }, spec: object({ a: text }) }),
        allOf: [{ properties: { metadata: { required: ['labels'] } } }],
      }),
    ],
    claims: [
      ...Object.keys(junctors).flatMap((junctor) => [
        ...refused(`${junctor}: a property`, `${junctor}-property`, [
          `${root}.properties[b]`,
          `Required value: because it is defined in ${root}.${place[junctor]}.properties[b]`,
        ]),
        ...refused(`${junctor}: a nested property`, `${junctor}-nested`, [
          `${root}.properties[spec].properties[b]`,
          `Required value: because it is defined in ${root}.${place[junctor]}.properties[spec].properties[b]`,
        ]),
        ...refused(`${junctor}: items`, `${junctor}-items`, [
          `${root}.properties[spec].items`,
          `Required value: because it is defined in ${root}.${place[junctor]}.properties[spec].items`,
        ]),
        accepted(`${junctor}: declared outside`, `${junctor}-declared`),
        accepted(`${junctor}: below the root it is not checked`, `${junctor}-deep`),
      ]),
      claim('metadata not at all', 'metadata.body.message', { contains: 'must not be specified in a nested context' }),
    ],
  },
  {
    id: 'k3-metadata',
    section: 'subresources-crds',
    shows: ['API-K3'],
    title: 'of metadata a schema restricts name and generateName only',
    steps: [
      judgeRoot('bare', object({ metadata: { type: 'object' }, spec: object({ a: text }) })),
      judgeRoot(
        'name',
        object({ metadata: object({ name: { type: 'string', maxLength: 5 } }), spec: object({ a: text }) }),
      ),
      judgeRoot('labels', object({ metadata: object({ labels: map(text) }), spec: object({ a: text }) })),
      judgeRoot('kind', object({ kind: integer, spec: object({ a: text }) })),
      judgeRoot('api-version', object({ apiVersion: integer, spec: object({ a: text }) })),
      judgeRoot('metadata-text', object({ metadata: text, spec: object({ a: text }) })),
    ],
    claims: [
      accepted('bare', 'bare'),
      accepted('name', 'name'),
      claim('no labels', 'labels.body.message', {
        contains: 'must not specify anything other than name and generateName, but metadata is implicitly specified',
      }),
      claim('kind is a string', 'kind.body.code', { is: 422 }),
      claim('apiVersion is a string', 'api-version.body.code', { is: 422 }),
      claim('metadata is an object', 'metadata-text.body.code', { is: 422 }),
    ],
  },
  {
    id: 'k3-extensions',
    section: 'subresources-crds',
    shows: ['API-K3'],
    title: 'the extensions of a schema fit its type',
    steps: [
      judgeField('preserve-false', { type: 'object', 'x-kubernetes-preserve-unknown-fields': false }),
      judgeField('map-type', { ...text, 'x-kubernetes-map-type': 'atomic' }),
      judgeField('map-type-value', { ...loose, 'x-kubernetes-map-type': 'loose' }),
      judgeField('list-type', { ...text, 'x-kubernetes-list-type': 'atomic' }),
      judgeField('list-type-value', list(text, { 'x-kubernetes-list-type': 'bag' })),
      judgeField('embedded-text', { ...text, 'x-kubernetes-embedded-resource': true }),
      judgeField('embedded-empty', { type: 'object', 'x-kubernetes-embedded-resource': true }),
      judgeField('pattern', { ...text, pattern: '(?=a)b' }),
    ],
    claims: [
      ...refused('preserve-unknown is true or absent', 'preserve-false', [
        `${at}.x-kubernetes-preserve-unknown-fields`,
        'Invalid value: false: must be true or undefined',
      ]),
      claim('map-type', 'map-type.body.code', { is: 422 }),
      claim('map-type value', 'map-type-value.body.details.causes.0.reason', { is: 'FieldValueNotSupported' }),
      claim('list-type', 'list-type.body.code', { is: 422 }),
      claim('list-type value', 'list-type-value.body.details.causes.0.reason', { is: 'FieldValueNotSupported' }),
      claim('an embedded resource is an object', 'embedded-text.body.code', { is: 422 }),
      claim('and has properties', 'embedded-empty.body.code', { is: 422 }),
      claim('patterns are RE2', 'pattern.body.message', { contains: 'must be a valid regular expression, but isn' }),
    ],
  },
];
