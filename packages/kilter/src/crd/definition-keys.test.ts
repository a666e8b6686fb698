import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { condition, customResource, ResourceError, rule } from './index.ts';

const base = { group: 'example.com', version: 'v1', kind: 'Thing' } as const;
const text = z.string().max(9);

function problemsOf(run: () => unknown): string[] {
  try {
    run();
  } catch (error) {
    if (!(error instanceof ResourceError)) throw error;
    return error.problems.map(({ code, path }) => `${code} ${path}`);
  }
  return [];
}

describe('CRD-N7, CRD-M26: keys of a definition go where the manifest has them', () => {
  const Thing = customResource({
    ...base,
    scope: 'Cluster',
    shortNames: ['th'],
    categories: ['all'],
    labels: { 'example.com/team': 'a' },
    annotations: { 'example.com/note': 'any text' },
    spec: z.object({ name: text, replicas: z.int() }),
    status: z.object({ replicas: z.int().optional(), selector: z.string().optional() }),
    rules: [rule('size(self.metadata.name) <= 52', 'a shorter name, please')],
    columns: [
      { name: 'Replicas', path: '.spec.replicas' },
      { name: 'Ready', path: condition('Ready'), priority: 1 },
    ],
    scale: { spec: '.spec.replicas', status: '.status.replicas', selector: '.status.selector' },
    selectable: ['.spec.name'],
    versions: {
      v1alpha1: {
        spec: z.object({ name: text, replicas: z.int() }),
        rules: [rule('self.spec.name != ""', 'no empty name')],
        columns: [{ name: 'Name', path: '.spec.name' }],
        age: false,
        selectable: ['.spec.replicas'],
      },
    },
  });
  const { metadata, spec } = Thing.manifest();
  const [newest, older] = spec.versions;

  test('the resource', () => {
    expect(metadata).toEqual({
      name: 'things.example.com',
      labels: { 'example.com/team': 'a' },
      annotations: { 'example.com/note': 'any text' },
    });
    expect(spec).toMatchObject({ group: 'example.com', scope: 'Cluster' });
    expect(spec.names).toEqual({
      kind: 'Thing',
      listKind: 'ThingList',
      plural: 'things',
      singular: 'thing',
      shortNames: ['th'],
      categories: ['all'],
    });
    expect(spec.versions.map(({ name }) => name)).toEqual(['v1', 'v1alpha1']);
  });

  test('the newest version', () => {
    expect(newest?.schema?.openAPIV3Schema?.['x-kubernetes-validations']).toEqual([
      { rule: 'size(self.metadata.name) <= 52', message: 'a shorter name, please' },
    ]);
    expect(newest?.subresources).toEqual({
      status: {},
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.selector',
      },
    });
    expect(newest?.additionalPrinterColumns).toEqual([
      { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas' },
      { name: 'Ready', type: 'string', priority: 1, jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
      { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    ]);
    expect(newest?.selectableFields).toEqual([{ jsonPath: '.spec.name' }]);
  });

  test('an older version has its own', () => {
    expect(older?.schema?.openAPIV3Schema?.['x-kubernetes-validations']).toEqual([
      { rule: 'self.spec.name != ""', message: 'no empty name' },
    ]);
    expect(older?.subresources).toEqual({ status: {} });
    expect(older?.additionalPrinterColumns).toEqual([{ name: 'Name', type: 'string', jsonPath: '.spec.name' }]);
    expect(older?.selectableFields).toEqual([{ jsonPath: '.spec.replicas' }]);
  });

  test.each<[string, object, string[]]>([
    ['a wrong rule', { rules: [rule(' ')] }, ['CRD_RULE_INVALID rules']],
    ['an invalid label', { labels: { 'a b': 'x' } }, ['CRD_NAME_INVALID labels[a b]']],
    ['an invalid label value', { labels: { a: 'x y' } }, ['CRD_NAME_INVALID labels[a]']],
    ['an invalid annotation', { annotations: { 'a b': 'x' } }, ['CRD_NAME_INVALID annotations[a b]']],
    ['annotations that are too long', { annotations: { a: 'x'.repeat(262_145) } }, ['CRD_NAME_INVALID annotations']],
    [
      'a name that is too long',
      { group: `${'a.'.repeat(120)}com`, plural: 'x'.repeat(20) },
      ['CRD_NAME_INVALID group'],
    ],
    [
      'two columns of one name',
      {
        columns: [
          { name: 'A', path: '.spec.name' },
          { name: 'a', path: '.kind' },
        ],
      },
      ['CRD_PATH_INVALID columns[1]'],
    ],
    [
      'a column of an unknown type',
      { columns: [{ name: 'A', path: '.spec.name', type: 'text' }] },
      ['CRD_PATH_INVALID columns[0]'],
    ],
    [
      'a column of another type than its value',
      { columns: [{ name: 'A', path: '.spec.name', type: 'integer' }] },
      ['CRD_PATH_INVALID columns[0]'],
    ],
    [
      'a column of an unknown format',
      { columns: [{ name: 'A', path: '.spec.name', format: 'f' }] },
      ['CRD_PATH_INVALID columns[0]'],
    ],
    [
      'a column of half a priority',
      { columns: [{ name: 'A', path: '.spec.name', priority: 0.5 }] },
      ['CRD_PATH_INVALID columns[0]'],
    ],
    [
      'a column with a filter kubectl does not know',
      { columns: [{ name: 'A', path: '.metadata.ownerReferences[?(@.kind=="a" && @.name=="b")].uid' }] },
      ['CRD_PATH_INVALID columns[0]'],
    ],
    [
      'a condition whose name has quotes',
      { status: z.object({}), columns: [{ name: 'A', path: condition('a"b') }] },
      ['CRD_PATH_INVALID columns[0]'],
    ],
    ['a key that is misspelled', { colums: [] }, ['CRD_KEY_UNKNOWN colums']],
    [
      'a column that is',
      { columns: [{ name: 'A', path: '.spec.name', prio: 1 }] },
      ['CRD_KEY_UNKNOWN columns[0].prio'],
    ],
    [
      'a version that is',
      { versions: { v1beta1: { deprcated: true } } },
      ['CRD_KEY_UNKNOWN versions.v1beta1.deprcated'],
    ],
    [
      'a scale that is',
      {
        status: z.object({ n: z.int().optional() }),
        scale: { spec: '.spec.n', status: '.status.n', labelSelectorPath: '.status.s' },
      },
      ['CRD_KEY_UNKNOWN scale.labelSelectorPath', 'CRD_PATH_INVALID scale.spec'],
    ],
    [
      'a rule as it is written in a manifest',
      { rules: [{ rule: 'self.spec.name != ""', message: 'no name' }] },
      ['CRD_RULE_INVALID rules'],
    ],
    ['brackets in a selectable path', { selectable: [".spec['name']"] }, ['CRD_PATH_INVALID selectable[0]']],
    [
      'escapes in a scale path',
      { status: z.object({ n: z.int().optional() }), scale: { spec: '.spec.na\\.me', status: '.status.n' } },
      ['CRD_PATH_INVALID scale.spec'],
    ],
  ])('%s is refused', (_, wrong, problems) => {
    expect(problemsOf(() => customResource({ ...base, spec: z.object({ name: text }), ...wrong }))).toEqual(problems);
  });

  test.each<[string, object]>([
    ['a string column shows anything', { columns: [{ name: 'A', path: '.spec.list', type: 'string' }] }],
    ['a date column shows a string', { columns: [{ name: 'A', path: '.spec.name', type: 'date' }] }],
    ['AGE is not shown twice', { columns: [{ name: 'age', path: '.metadata.creationTimestamp' }] }],
  ])('%s', (_, columns) => {
    const spec = z.object({ name: text, list: z.array(text).optional() });
    const manifest = customResource({ ...base, spec, ...columns }).manifest();
    const names = manifest.spec.versions[0]?.additionalPrinterColumns?.map(({ name }) => name.toUpperCase()) ?? [];
    expect(names.filter((name) => name === 'AGE')).toHaveLength(1);
  });
});

describe('CRD-M28: what markers say elsewhere needs no word here', () => {
  test('the manifest holds nothing of permissions, webhooks or generated code', () => {
    const { spec } = customResource({ ...base, spec: z.object({}) }).manifest();
    expect(Object.keys(spec)).toEqual(['group', 'names', 'scope', 'versions']);
    expect(Object.keys(spec.versions[0] ?? {})).toEqual(['name', 'served', 'storage', 'schema']);
  });

  test('group and version come from the definition, once for all that is made of it', () => {
    const Thing = customResource({ ...base, spec: z.object({}) });
    expect(Thing.names).toMatchObject({ group: 'example.com', version: 'v1' });
    expect(Thing.build({ name: 'a' }).apiVersion).toBe('example.com/v1');
    expect(Thing.manifest().spec.versions[0]?.name).toBe('v1');
  });
});
