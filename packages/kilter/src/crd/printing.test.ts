import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { CustomResourceDefinitionVersion } from '../k8s/apiextensions/v1.ts';
import { type Column, condition, customResource, type Problem, ResourceError, type Scale } from './index.ts';

const spec = z.object({
  image: z.string(),
  replicas: z.int(),
  ratio: z.number(),
  on: z.boolean(),
  when: z.iso.datetime(),
  day: z.iso.date(),
  size: z.union([z.int(), z.string()]),
  env: z.array(z.object({ name: z.string() })),
  labels: z.record(z.string(), z.string()),
  free: z.any(),
  part: z.object({ name: z.string() }),
});
const status = z.object({ ready: z.int().optional(), selector: z.string().optional() });

interface Extra {
  columns?: Column[];
  age?: boolean;
  scale?: Scale;
  selectable?: string[];
}
const define = (extra: Extra) =>
  customResource({ group: 'example.com', version: 'v1', kind: 'Thing', spec, status, ...extra });
const versionOf = (extra: Extra): CustomResourceDefinitionVersion | undefined =>
  define(extra).manifest().spec.versions[0];
function problemsOf(extra: Extra): readonly Problem[] {
  try {
    define(extra);
  } catch (error) {
    if (error instanceof ResourceError) return error.problems;
    throw error;
  }
  return [];
}
const placesOf = (extra: Extra): string[] => problemsOf(extra).map(({ code, path }) => `${code} ${path}`);

describe('CRD-S4: a column has the type of what its path leads to', () => {
  test.each([
    ['.spec.image', 'string'],
    ['.spec.replicas', 'integer'],
    ['.spec.ratio', 'number'],
    ['.spec.on', 'boolean'],
    ['.spec.when', 'date'],
    ['.spec.day', 'string'],
    ['.spec.size', 'string'],
    ['.spec.env[0].name', 'string'],
    ['.spec.env[*].name', 'string'],
    ['.spec.env[?(@.name=="a")].name', 'string'],
    [".spec.labels['example.com/app']", 'string'],
    ['.spec.labels.example\\.com/app', 'string'],
    ['.spec.part.name', 'string'],
    ['.status.ready', 'integer'],
    ['.status.conditions[0].lastTransitionTime', 'date'],
    ['.metadata.creationTimestamp', 'date'],
    ['.metadata.generation', 'integer'],
    ['.metadata.labels.app', 'string'],
    [condition('Ready'), 'string'],
  ])('%s is a %s', (path, type) => {
    expect(versionOf({ columns: [{ name: 'X', path }] })?.additionalPrinterColumns?.[0]).toEqual({
      name: 'X',
      type,
      jsonPath: path,
    });
  });

  test('condition() is the status of the condition of that type', () => {
    expect(condition('Ready')).toBe('.status.conditions[?(@.type=="Ready")].status');
  });

  test('other words of a column are passed on', () => {
    const column = {
      name: 'X',
      path: '.spec.free.a',
      type: 'integer',
      format: 'int32',
      description: 'd',
      priority: 1,
    } as const;
    expect(versionOf({ columns: [column] })?.additionalPrinterColumns?.[0]).toEqual({
      name: 'X',
      type: 'integer',
      format: 'int32',
      description: 'd',
      priority: 1,
      jsonPath: '.spec.free.a',
    });
  });

  test.each([
    ['a field that is not there', '.spec.imgae'],
    ['a field of a string', '.spec.image.tag'],
    ['a field of a list', '.spec.env.name'],
    ['a filter on a field that is not there', '.spec.env[?(@.nam=="a")].name'],
    ['an index into an object', '.spec.part[0]'],
    ['no leading dot', 'spec.image'],
    ['an object', '.spec.part'],
    ['a list', '.spec.env'],
    ['anything, without a type', '.spec.free'],
    ['nothing', ''],
  ])('CRD-E13: %s', (_, path) => {
    const places = placesOf({ columns: [{ name: 'X', path }] });
    expect(places).toContain('CRD_PATH_INVALID columns[0]');
  });
});

describe('CRD-S5: Age', () => {
  const column = { name: 'Image', path: '.spec.image' };
  const namesOf = (extra: Extra): string[] | undefined =>
    versionOf(extra)?.additionalPrinterColumns?.map(({ name }) => name);
  test('is appended to columns', () => expect(namesOf({ columns: [column] })).toEqual(['Image', 'Age']));
  test('not if it is given', () => {
    expect(namesOf({ columns: [{ name: 'Age', path: '.metadata.creationTimestamp' }, column] })).toEqual([
      'Age',
      'Image',
    ]);
  });
  test('not if it is unwanted', () => expect(namesOf({ columns: [column], age: false })).toEqual(['Image']));
  test('not without columns, where the server shows it', () => expect(namesOf({})).toBeUndefined());
});

describe('CRD-S6: scale', () => {
  const good = { spec: '.spec.replicas', status: '.status.ready' };
  test('the paths stand in the subresource', () => {
    expect(versionOf({ scale: { ...good, selector: '.status.selector' } })?.subresources).toEqual({
      status: {},
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.ready',
        labelSelectorPath: '.status.selector',
      },
    });
  });

  test('without a selector it warns', () => {
    const codes = (extra: Extra): string[] => define(extra).warnings.map(({ code }) => code);
    expect(codes({ scale: good })).toContain('CRD_SCALE_SELECTOR');
    expect(codes({ scale: { ...good, selector: '.status.selector' } })).not.toContain('CRD_SCALE_SELECTOR');
  });

  test.each([
    ['spec elsewhere', { ...good, spec: '.status.ready' }, 'scale.spec'],
    ['spec that is not an integer', { ...good, spec: '.spec.image' }, 'scale.spec'],
    ['spec that is not there', { ...good, spec: '.spec.count' }, 'scale.spec'],
    ['spec with array notation', { ...good, spec: '.spec.env[0]' }, 'scale.spec'],
    ['status elsewhere', { ...good, status: '.spec.replicas' }, 'scale.status'],
    ['status that is not an integer', { ...good, status: '.status.selector' }, 'scale.status'],
    ['a selector in metadata', { ...good, selector: '.metadata.name' }, 'scale.selector'],
    ['a selector that is not a string', { ...good, selector: '.spec.replicas' }, 'scale.selector'],
  ])('CRD-E13: %s', (_, scale, path) => expect(placesOf({ scale })).toEqual([`CRD_PATH_INVALID ${path}`]));
});

describe('CRD-S7: selectable fields', () => {
  test('stand in the version', () => {
    expect(versionOf({ selectable: ['.spec.image', '.spec.on', '.spec.replicas'] })?.selectableFields).toEqual([
      { jsonPath: '.spec.image' },
      { jsonPath: '.spec.on' },
      { jsonPath: '.spec.replicas' },
    ]);
  });

  test.each([
    ['a field that is not there', ['.spec.no'], ['selectable[0]']],
    ['a number', ['.spec.ratio'], ['selectable[0]']],
    ['a list', ['.spec.env[0].name'], ['selectable[0]']],
    ['metadata', ['.metadata.name'], ['selectable[0]']],
    ['one twice', ['.spec.image', '.spec.image'], ['selectable[1]']],
  ])('CRD-E13: %s', (_, selectable, paths) => {
    expect(placesOf({ selectable })).toEqual(paths.map((path) => `CRD_PATH_INVALID ${path}`));
  });

  test('CRD-E13: more than eight', () => {
    const many = z.object(Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`f${i}`, z.string()])));
    const paths = Array.from({ length: 9 }, (_, i) => `.spec.f${i}`);
    const of = (count: number): unknown =>
      customResource({
        group: 'example.com',
        version: 'v1',
        kind: 'Thing',
        spec: many,
        selectable: paths.slice(0, count),
      });
    expect(() => of(9)).toThrow('CRD_PATH_INVALID');
    expect(() => of(8)).not.toThrow();
  });
});
