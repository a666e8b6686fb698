import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { condense } from './condense.ts';
import { readDocuments } from './documents.ts';
import { extractFacts } from './extraction.ts';
import type { VersionFacts } from './facts.ts';

const root = mkdtempSync(join(tmpdir(), 'kilter-extract-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const shared = Object.fromEntries(
  [
    'APIGroupList',
    'APIResourceList',
    'APIVersions',
    'DeleteOptions',
    'ListMeta',
    'Status',
    'WatchEvent',
    'ObjectMeta',
  ].map((name) => [`${meta}.${name}`, { type: 'object', description: 'Some words about it.' }]),
);
const gvk = { group: 'things.k8s.io', version: 'v1', kind: 'Thing' };
const thing = {
  description: 'A thing is a thing.',
  type: 'object',
  required: ['size'],
  properties: {
    metadata: { description: 'Its name.', default: {}, allOf: [{ $ref: `#/components/schemas/${meta}.ObjectMeta` }] },
    size: { description: 'How big it is.', type: 'integer', format: 'int32', default: 0 },
    names: { type: 'array', items: { type: 'string', default: '' }, 'x-kubernetes-list-type': 'set' },
  },
  'x-kubernetes-group-version-kind': [gvk],
};
const list = { type: 'object', properties: { items: { type: 'array', items: {} } } };
const paths = {
  '/apis/things.k8s.io/v1/things': { get: { 'x-kubernetes-action': 'list', 'x-kubernetes-group-version-kind': gvk } },
};
const resources = [
  {
    name: 'things',
    singularName: 'thing',
    kind: 'Thing',
    namespaced: true,
    verbs: ['get', 'list'],
    shortNames: ['th'],
  },
  { name: 'things/status', singularName: '', kind: 'Thing', namespaced: true, verbs: ['get'] },
];

interface Planted {
  readonly schemas?: object;
  readonly resources?: readonly object[];
  readonly paths?: object;
  readonly files?: Readonly<Record<string, unknown>>;
}

let folders = 0;

/** A folder with the documents of one group, and what a test plants. */
function documents(planted: Planted = {}): string {
  const folder = resolve(root, String((folders += 1)));
  const schemas = {
    ...shared,
    'io.k8s.api.things.v1.Thing': thing,
    'io.k8s.api.things.v1.ThingList': list,
    ...planted.schemas,
  };
  const files: Record<string, unknown> = {
    'openapi-spec/v3/api_openapi.json': { paths: {} },
    'openapi-spec/v3/apis__things.k8s.io__v1_openapi.json': { paths: planted.paths ?? paths, components: { schemas } },
    'discovery/apis.json': {},
    'discovery/apis__things.k8s.io__v1.json': { resources: planted.resources ?? resources },
    ...planted.files,
  };
  for (const [path, value] of Object.entries(files)) {
    mkdirSync(resolve(folder, path, '..'), { recursive: true });
    writeFileSync(resolve(folder, path), JSON.stringify(value));
  }
  return folder;
}

const extract = (planted?: Planted): VersionFacts[] => extractFacts(readDocuments(documents(planted)));

describe('from documents to facts', () => {
  test('kinds with their names, verbs and subresources; components without prose', () => {
    const things = extract().find(({ group }) => group === 'things.k8s.io');
    expect(things).toEqual({
      group: 'things.k8s.io',
      version: 'v1',
      listed: 1,
      resources: [
        {
          kind: 'Thing',
          plural: 'things',
          singular: 'thing',
          scope: 'Namespaced',
          shortNames: ['th'],
          verbs: ['get', 'list'],
          subresources: { status: { verbs: ['get'] } },
          component: 'io.k8s.api.things.v1.Thing',
        },
      ],
      spoken: [],
      components: {
        'io.k8s.api.things.v1.Thing': {
          type: 'object',
          required: ['size'],
          properties: {
            metadata: { $ref: `${meta}.ObjectMeta`, default: {} },
            names: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string', default: '' } },
            size: { type: 'integer', format: 'int32', default: 0 },
          },
        },
      },
    });
  });

  test('what all groups share stands once, in meta', () => {
    const [first] = extract();
    expect(first).toMatchObject({ group: 'meta', components: { [`${meta}.ObjectMeta`]: { type: 'object' } } });
  });

  test.each<[problem: string, planted: Planted, message: string]>([
    [
      'two documents that disagree on a component',
      {
        files: {
          'openapi-spec/v3/version_openapi.json': {
            components: { schemas: { [`${meta}.Status`]: { type: 'string' } } },
          },
        },
      },
      `disagree on ${meta}.Status`,
    ],
    [
      'a document of a form nobody knows',
      { files: { 'openapi-spec/v3/news__today_openapi.json': {} } },
      'documents of no known form: news__today',
    ],
    [
      'a version without discovery',
      { files: { 'openapi-spec/v3/apis__things.k8s.io__v2_openapi.json': {} } },
      'OpenAPI documents without discovery: apis__things.k8s.io__v2',
    ],
    [
      'discovery without a document',
      { files: { 'discovery/apis__things.k8s.io__v3.json': {} } },
      'discovery without an OpenAPI document: apis__things.k8s.io__v3',
    ],
    [
      'a list that only the paths have',
      { resources: resources.map((one) => ({ ...one, verbs: ['get'] })) },
      'differ in Thing',
    ],
    ['a list that only discovery has', { paths: {} }, 'differ in Thing'],
    [
      'a keyword nobody knows',
      { schemas: { 'io.k8s.api.things.v1.Thing': { ...thing, maxLength: 3 } } },
      'unknown keywords maxLength',
    ],
    [
      'a reference to nothing',
      {
        schemas: {
          'io.k8s.api.things.v1.Thing': { ...thing, properties: { x: { $ref: '#/x/io.k8s.api.things.v1.Gone' } } },
        },
      },
      'no document holds the component io.k8s.api.things.v1.Gone',
    ],
    [
      'a component nobody needs',
      { schemas: { 'io.k8s.api.things.v1.Orphan': { type: 'object' } } },
      'nothing refers to',
    ],
    [
      'a kind without a component',
      { schemas: { 'io.k8s.api.things.v1.Thing': { type: 'object' } } },
      'no component is Thing',
    ],
  ])('%s is refused', (_, planted, message) => {
    expect(() => extract(planted)).toThrow(message);
  });

  test('allOf with more than the reference is refused', () => {
    expect(() => condense({ allOf: [{}, {}] }, 'Thing.size')).toThrow('Thing.size: allOf with 2 members');
  });
});
