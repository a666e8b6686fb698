import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { knownKind } from '../api/index.ts';
import { customResource, ResourceError } from './index.ts';
import { pluralOf } from './names.ts';

const spec = z.object({});
const base = { group: 'example.com', version: 'v1', kind: 'WebApp', spec } as const;

function problemsOf(define: () => unknown): string[] {
  try {
    define();
  } catch (error) {
    if (error instanceof ResourceError) return error.problems.map(({ code, path }) => `${code} ${path}`);
    throw error;
  }
  return [];
}

describe('CRD-N3, CRD-N8: the plural follows one simple rule and guesses no irregular noun', () => {
  test.each([
    ['webapp', 'webapps'],
    ['class', 'classes'],
    ['box', 'boxes'],
    ['buzz', 'buzzes'],
    ['batch', 'batches'],
    ['mesh', 'meshes'],
    ['policy', 'policies'],
    ['gateway', 'gateways'],
    ['index', 'indexes'],
    ['datum', 'datums'],
    ['child', 'childs'],
    ['y', 'ys'],
  ])('%s becomes %s', (singular, plural) => expect(pluralOf(singular)).toBe(plural));

  test('a plural that is written wins', () => {
    expect(customResource({ ...base, plural: 'webs' }).manifest().metadata.name).toBe('webs.example.com');
  });

  test('the plural follows the singular, not the kind', () => {
    expect(customResource({ ...base, singular: 'policy' }).names.plural).toBe('policies');
  });
});

test('CRD-N1: the name of the definition is the plural and the group', () => {
  const { metadata, spec: manifest } = customResource(base).manifest();
  expect(metadata).toEqual({ name: 'webapps.example.com' });
  expect(manifest.group).toBe('example.com');
});

test('CRD-N2: singular and list kind follow the kind unless they are given', () => {
  expect(customResource(base).manifest().spec.names).toEqual({
    kind: 'WebApp',
    listKind: 'WebAppList',
    plural: 'webapps',
    singular: 'webapp',
  });
  const given = customResource({ ...base, singular: 'web', listKind: 'Webs' }).manifest().spec.names;
  expect(given).toMatchObject({ listKind: 'Webs', singular: 'web' });
});

test('CRD-N4: a resource is namespaced unless it says Cluster; short names and categories are passed on', () => {
  expect(customResource(base).manifest().spec.scope).toBe('Namespaced');
  const { spec: manifest } = customResource({
    ...base,
    scope: 'Cluster',
    shortNames: ['wa'],
    categories: ['all'],
  }).manifest();
  expect(manifest.scope).toBe('Cluster');
  expect(manifest.names).toMatchObject({ shortNames: ['wa'], categories: ['all'] });
});

test('CRD-N5: labels and annotations go to the definition itself, the description to the root of its schema', () => {
  const { metadata, spec: manifest } = customResource({
    ...base,
    labels: { team: 'shop' },
    annotations: { note: 'x' },
    description: 'A web application.',
  }).manifest();
  expect(metadata).toEqual({ name: 'webapps.example.com', labels: { team: 'shop' }, annotations: { note: 'x' } });
  expect(manifest.versions[0]?.schema?.openAPIV3Schema?.description).toBe('A web application.');
});

describe('CRD-E1: a name the server refuses is refused here, with its place', () => {
  const long = 'x'.repeat(64);
  test.each([
    ['a group without a dot', { group: 'example' }, 'group'],
    ['a group in upper case', { group: 'Example.com' }, 'group'],
    ['an empty label in the group', { group: 'example..com' }, 'group'],
    ['a kind that starts with a digit', { kind: '3D' }, 'kind'],
    ['a kind with an underscore', { kind: 'Web_App' }, 'kind'],
    ['a derived plural that is too long', { kind: 'X'.repeat(63), listKind: 'Xs' }, 'plural'],
    ['a list kind with a space', { listKind: 'Web Apps' }, 'listKind'],
    ['a list kind that is the kind', { listKind: 'WebApp' }, 'listKind'],
    ['a singular in upper case', { singular: 'WebApp', plural: 'webapps' }, 'singular'],
    ['a plural that is too long', { plural: long }, 'plural'],
    ['a short name in upper case', { shortNames: ['wa', 'WA'] }, 'shortNames[1]'],
    ['a category with a dot', { categories: ['a.b'] }, 'categories[0]'],
    ['a version in upper case', { version: 'V1' }, 'version'],
    ['another scope', { scope: 'Global' as 'Cluster' }, 'scope'],
  ])('%s', (_, wrong, path) => {
    expect(problemsOf(() => customResource({ ...base, ...wrong }))).toEqual([`CRD_NAME_INVALID ${path}`]);
  });

  test('an older version is checked as well', () => {
    expect(problemsOf(() => customResource({ ...base, versions: { v1_alpha: { spec } } }))).toEqual([
      'CRD_NAME_INVALID versions.v1_alpha',
    ]);
  });
});

describe('CRD-E2: groups of Kubernetes itself need the approval annotation', () => {
  const approval = 'api-approved.kubernetes.io';
  test.each([['k8s.io'], ['apps.k8s.io'], ['kubernetes.io'], ['x.kubernetes.io']])('%s is refused', (group) => {
    expect(problemsOf(() => customResource({ ...base, group }))).toEqual(['CRD_GROUP_PROTECTED group']);
  });

  test.each([['unapproved, an experiment'], ['https://github.com/kubernetes/kubernetes/pull/1']])(
    'it passes with "%s"',
    (text) => {
      expect(
        problemsOf(() => customResource({ ...base, group: 'a.k8s.io', annotations: { [approval]: text } })),
      ).toEqual([]);
    },
  );

  test('it does not pass with another text', () => {
    const define = (): unknown => customResource({ ...base, group: 'a.k8s.io', annotations: { [approval]: 'yes' } });
    expect(problemsOf(define)).toEqual(['CRD_GROUP_PROTECTED group']);
  });

  test('a name that only ends alike is free', () => {
    expect(problemsOf(() => customResource({ ...base, group: 'mykubernetes.io' }))).toEqual([]);
  });
});

test('a definition makes its kind known, so that a client finds the plural of a plain object', () => {
  customResource({ ...base, kind: 'Remembered', versions: { v1beta1: { spec } } });
  expect(knownKind({ apiVersion: 'example.com/v1', kind: 'Remembered' })?.plural).toBe('remembereds');
  expect(knownKind({ apiVersion: 'example.com/v1beta1', kind: 'Remembered' })?.plural).toBe('remembereds');
});

test('CRD-E1: a definition without names says which are missing', () => {
  expect(() => customResource({ spec: z.object({}), group: 'example.com' } as never)).toThrow(
    expect.objectContaining({
      problems: [
        expect.objectContaining({ code: 'CRD_NAME_INVALID', path: 'version' }),
        expect.objectContaining({ code: 'CRD_NAME_INVALID', path: 'kind' }),
      ],
    }),
  );
});
