// Names, scope, status, columns, scale, selectable fields: the definition around the schemas.
import { condition, listMap, rule } from 'kilter/crd';
import { z } from 'zod';
import { definition, ofObject, ofSpec, ofStatus, type Row, rulesNotRun, spec } from './row.test-support.ts';

const refusedName = (title: string, shows: string, { rest, path }: { rest: object; path: string }): Row =>
  definition(title, `${shows} CRD-E1`, {
    rest: rest as Record<string, unknown>,
    refused: [`CRD_NAME_INVALID ${path}`],
  });

const plural = (kind: string, expected: string): Row =>
  definition(`the plural of ${kind}`, 'CRD-N3', {
    rest: { kind },
    manifest: { 'spec.names.plural': expected, 'metadata.name': `${expected}.table.example.com` },
    cases: [ofSpec.takes({})],
  });

const names: readonly Row[] = [
  definition('the names of a kind', 'CRD-N1 CRD-N2 CRD-N4 CRD-E1', {
    rest: { kind: 'WebApp' },
    manifest: {
      'metadata.name': 'webapps.table.example.com',
      'spec.group': 'table.example.com',
      'spec.names': { kind: 'WebApp', listKind: 'WebAppList', plural: 'webapps', singular: 'webapp' },
      'spec.scope': 'Namespaced',
    },
    cases: [
      ofObject.takes({ spec: {} }),
      ofObject.refuses({ metadata: { name: 'Upper' }, spec: {} }, 'metadata.name Invalid'),
    ],
  }),
  definition('names that are given', 'CRD-N2 CRD-N4 CRD-N8 CRD-M26', {
    rest: {
      kind: 'Person',
      plural: 'people',
      singular: 'human',
      listKind: 'Crowd',
      shortNames: ['pp'],
      categories: ['beings'],
    },
    manifest: {
      'spec.names': {
        kind: 'Person',
        listKind: 'Crowd',
        plural: 'people',
        singular: 'human',
        shortNames: ['pp'],
        categories: ['beings'],
      },
    },
    cases: [ofSpec.takes({}), ofSpec.refuses(undefined, 'Required')],
  }),
  definition('a kind of the cluster', 'CRD-N4', {
    rest: { scope: 'Cluster' },
    manifest: { 'spec.scope': 'Cluster' },
    cases: [ofSpec.takes({}), ofObject.refuses({ metadata: { name: 'a_b' }, spec: {} }, 'metadata.name Invalid')],
  }),
  definition('labels, annotations and words', 'CRD-N5', {
    rest: { labels: { a: 'b' }, annotations: { c: 'd' }, description: 'A thing.' },
    manifest: {
      'metadata.labels': { a: 'b' },
      'metadata.annotations': { c: 'd' },
      'spec.versions.0.schema.openAPIV3Schema.description': 'A thing.',
    },
    cases: [ofSpec.takes({}), ofSpec.refuses(undefined, 'Required')],
  }),
  ...(
    [
      ['Bus', 'buses'],
      ['Box', 'boxes'],
      ['Quiz', 'quizes'],
      ['Church', 'churches'],
      ['Dish', 'dishes'],
      ['Policy', 'policies'],
      ['Day', 'days'],
      ['Gateway', 'gateways'],
      ['Leaf', 'leafs'],
    ] as const
  ).map(([kind, expected]) => plural(kind, expected)),
  refusedName('a group without a dot', 'CRD-N1', { rest: { group: 'example' }, path: 'group' }),
  refusedName('a group in capitals', 'CRD-N1', { rest: { group: 'Example.com' }, path: 'group' }),
  refusedName('a kind that starts with a digit', 'CRD-N2', { rest: { kind: '9Lives' }, path: 'kind' }),
  refusedName('a plural with a dot', 'CRD-N3', { rest: { plural: 'web.apps' }, path: 'plural' }),
  refusedName('a short name in capitals', 'CRD-N4', { rest: { shortNames: ['WA'] }, path: 'shortNames[0]' }),
  refusedName('a version that is not a label', 'CRD-N7', { rest: { version: 'V1' }, path: 'version' }),
  definition('a protected group', 'CRD-E2 CRD-N5', {
    rest: { group: 'table.k8s.io' },
    refused: ['CRD_GROUP_PROTECTED group'],
  }),
  definition('a protected group with approval', 'CRD-E2 CRD-N5', {
    rest: { group: 'table.k8s.io', annotations: { 'api-approved.kubernetes.io': 'unapproved, an experiment' } },
    cases: [ofSpec.takes({}), ofSpec.refuses(undefined, 'Required')],
  }),
  definition('a manifest that is too large to annotate', 'CRD-N11', {
    rest: { description: 'x'.repeat(262_145) },
    warns: ['CRD_MANIFEST_LARGE manifest'],
    cases: [ofSpec.takes({}), ofSpec.refuses(undefined, 'Required')],
  }),
  definition('the same without its words', 'CRD-N11', {
    rest: { description: 'x'.repeat(262_145), descriptions: 'none' },
    warns: [],
    cases: [ofSpec.takes({}), ofSpec.refuses(undefined, 'Required')],
  }),
  spec('required fields are sorted', 'CRD-N10', {
    forms: { zod: z.object({ b: z.int(), a: z.int() }) },
    manifest: { 'spec.versions.0.schema.openAPIV3Schema.properties.spec.required': ['a', 'b'] },
    cases: [
      ofSpec.takes({ a: 1, b: 1 }),
      ofSpec.refuses({}, '.a Required', '.b Required'),
      ofSpec.refuses({ a: '', b: '' }, '.a TypeInvalid', '.b TypeInvalid'),
    ],
  }),
];

const v1alpha1 = { spec: z.object({ n: z.int().optional() }) };
const versions: readonly Row[] = [
  definition('an older version beside the newest', 'CRD-M27 CRD-E14', {
    spec: { zod: z.object({ n: z.int().optional() }) },
    rest: { versions: { v1alpha1: { ...v1alpha1, deprecated: 'use v1' }, v1beta1: { ...v1alpha1, served: false } } },
    manifest: {
      'spec.versions.0.name': 'v1',
      'spec.versions.0.storage': true,
      'spec.versions.1.name': 'v1beta1',
      'spec.versions.1.served': false,
      'spec.versions.2.name': 'v1alpha1',
      'spec.versions.2.storage': false,
      'spec.versions.2.deprecationWarning': 'use v1',
    },
    cases: [ofSpec.takes({ n: 1 }), ofSpec.refuses({ n: '' }, '.n TypeInvalid'), ofSpec.refuses(undefined, 'Required')],
  }),
  definition('two versions that are stored', 'CRD-M27 CRD-E14', {
    spec: { zod: z.object({ n: z.int().optional() }) },
    rest: { storage: true, versions: { v1alpha1: { ...v1alpha1, storage: true } } },
    refused: ['CRD_VERSIONS_INVALID storage'],
  }),
];

const time = '2026-01-02T03:04:05Z';
const ready = { type: 'Ready', status: 'True', reason: 'Ok', message: '', lastTransitionTime: time };
const bound = z.int().max(5).optional();

const status: readonly Row[] = [
  definition('a kind without a status', 'CRD-N6 CRD-A2', {
    cases: [
      ofObject.becomes({ spec: {}, status: { a: 1 } }, { spec: {} }, { unknown: ['status'] }),
      ofObject.refuses({ spec: 1 }, 'spec TypeInvalid'),
    ],
  }),
  definition('every status has conditions', 'CRD-S1', {
    rest: { status: z.object({}) },
    cases: [
      ofStatus.takes({ observedGeneration: 1, conditions: [ready] }),
      ofStatus.takes({
        conditions: [{ ...ready, type: 'example.com/Ready', status: 'Unknown', observedGeneration: 0 }],
      }),
      ofStatus.takes({
        conditions: [
          { ...ready, status: 'False', reason: 'a'.repeat(1024), type: 'T'.repeat(316), message: 'm'.repeat(32_768) },
        ],
      }),
      ofStatus.takes({ conditions: [{ ...ready, reason: 'A' }] }),
      ofStatus.refuses({ conditions: [ready, ready] }, '.conditions[1] Duplicate'),
      ofStatus.refuses({ conditions: [{ ...ready, status: 'Maybe' }] }, '.conditions[0].status NotSupported'),
      ofStatus.refuses(
        { conditions: [{ ...ready, status: true }] },
        '.conditions[0].status TypeInvalid',
        '.conditions[0].status NotSupported',
      ),
      ofStatus.refuses({ conditions: [{ ...ready, reason: '' }] }, '.conditions[0].reason Invalid'),
      ofStatus.refuses({ conditions: [{ ...ready, reason: '1st' }] }, '.conditions[0].reason Invalid'),
      ofStatus.refuses(
        { conditions: [{ ...ready, reason: 1, message: 1, type: 1 }] },
        '.conditions[0].reason TypeInvalid',
        '.conditions[0].message TypeInvalid',
        '.conditions[0].type TypeInvalid',
      ),
      ofStatus.refuses({ conditions: [{ ...ready, reason: 'a'.repeat(1025) }] }, '.conditions[0].reason TooLong'),
      ofStatus.refuses({ conditions: [{ ...ready, type: 'T'.repeat(317) }] }, '.conditions[0].type TooLong'),
      ofStatus.refuses({ conditions: [{ ...ready, type: 'a b' }] }, '.conditions[0].type Invalid'),
      ofStatus.refuses({ conditions: [{ ...ready, message: 'm'.repeat(32_769) }] }, '.conditions[0].message TooLong'),
      ofStatus.refuses(
        { conditions: [{ ...ready, lastTransitionTime: 'now' }] },
        '.conditions[0].lastTransitionTime TypeInvalid',
      ),
      ofStatus.refuses(
        { conditions: [{ ...ready, observedGeneration: -1 }] },
        '.conditions[0].observedGeneration Invalid',
      ),
      ofStatus.refuses(
        { conditions: [{ ...ready, observedGeneration: '1' }] },
        '.conditions[0].observedGeneration TypeInvalid',
      ),
      ofStatus.refuses(
        { conditions: [{}] },
        '.conditions[0].type Required',
        '.conditions[0].status Required',
        '.conditions[0].reason Required',
        '.conditions[0].message Required',
        '.conditions[0].lastTransitionTime Required',
      ),
      ofStatus.refuses(
        { observedGeneration: 'a', conditions: {} },
        '.observedGeneration TypeInvalid',
        '.conditions TypeInvalid',
      ),
      ofObject.refuses({}, 'spec Required'),
      ofObject.takes({ spec: {} }),
    ],
    equivalent: { 'status.conditions.items.reason minLength 0': 'the pattern asks for a letter' },
  }),
  definition('a write of the object drops its status, and one of the status the rest', 'CRD-A7 CRD-S3', {
    spec: { zod: z.object({ n: z.int().optional() }) },
    rest: { status: z.object({ n: bound }) },
    cases: [
      ofObject.becomes({ spec: { n: 1 }, status: { n: 9 } }, { spec: { n: 1 } }, { generation: 1 }),
      ofStatus.takes({ n: 5 }),
      {
        act: 'update',
        from: { spec: { n: 1 }, status: { n: 1 } },
        object: { spec: { n: 2 }, status: { n: 2 } },
        stored: { spec: { n: 2 }, status: { n: 1 } },
        generation: 2,
      },
      {
        act: 'update',
        from: { spec: { n: 1 } },
        object: { metadata: { labels: { a: 'b' } }, spec: { n: 1 } },
        stored: { spec: { n: 1 } },
        generation: 1,
      },
      ofStatus.change(
        { spec: { n: 1 } },
        { spec: { n: 2 }, status: { n: 2 } },
        { stored: { spec: { n: 1 }, status: { n: 2 } }, generation: 1 },
      ),
      ofStatus.refuses({ n: 6 }, '.n Invalid'),
      ofStatus.refuses({ n: '' }, '.n TypeInvalid'),
      ofObject.refuses({ spec: { n: '' } }, 'spec.n TypeInvalid'),
      ofObject.refuses({}, 'spec Required'),
    ],
  }),
  definition('without a status every change outside metadata counts', 'CRD-S3', {
    spec: { zod: z.object({ n: z.int().optional() }) },
    cases: [
      {
        act: 'update',
        from: { spec: { n: 1 } },
        object: { spec: { n: 2 } },
        stored: { spec: { n: 2 } },
        generation: 2,
      },
      {
        act: 'update',
        from: { spec: { n: 1 } },
        object: { metadata: { annotations: { a: 'b' } }, spec: { n: 1 } },
        stored: { spec: { n: 1 } },
        generation: 1,
      },
      ofObject.refuses({ spec: { n: '' } }, 'spec.n TypeInvalid'),
      ofObject.refuses({}, 'spec Required'),
    ],
  }),
  definition('a write of status is judged by all rules and by list types', 'CRD-A7', {
    spec: { zod: z.object({ n: z.int().optional() }) },
    rest: {
      status: z.object({
        n: z.int().optional(),
        l: z
          .array(z.object({ k: z.string() }))
          .meta(listMap('k'))
          .optional(),
      }),
      rules: [
        rule(
          '!has(self.status) || !has(self.status.n) || !has(self.spec.n) || self.status.n <= self.spec.n',
          'not more than asked',
        ),
      ],
    },
    cases: [
      ofStatus.change({ spec: { n: 2 } }, { status: { n: 2 } }, { stored: { spec: { n: 2 }, status: { n: 2 } } }),
      ofStatus.change({ spec: { n: 2 } }, { status: { n: 3 } }, { problems: ['<nil> Invalid: not more than asked'] }),
      ofStatus.change({ spec: {} }, { status: { n: 3 } }, { stored: { spec: {}, status: { n: 3 } } }),
      ofStatus.refuses({ l: [{ k: 'a' }, { k: 'a' }] }, '.l[1] Duplicate'),
      ofStatus.refuses({ l: [{}] }, '.l[0].k Required', rulesNotRun),
      ofStatus.refuses({ l: [{ k: 1 }], n: '' }, '.l[0].k TypeInvalid', '.n TypeInvalid', rulesNotRun),
      ofObject.refuses({ spec: { n: '' } }, 'spec.n TypeInvalid', rulesNotRun),
      ofObject.refuses({}, 'spec Required', rulesNotRun),
    ],
  }),
  definition('status fields are defaulted', 'CRD-S2 CRD-E12', {
    rest: { status: z.object({ phase: z.enum(['Pending', 'Done']).default('Pending') }) },
    cases: [
      ofStatus.becomes({}, { phase: 'Pending' }),
      ofStatus.takes({ phase: 'Done' }),
      ofStatus.refuses({ phase: 'Gone' }, '.phase NotSupported'),
      ofStatus.refuses({ phase: 1 }, '.phase TypeInvalid', '.phase NotSupported'),
      ofObject.refuses({}, 'spec Required'),
      ofObject.takes({ spec: {} }),
    ],
  }),
  definition('a status field that is required', 'CRD-S2 CRD-E12', {
    rest: { status: z.object({ phase: z.string() }) },
    refused: ['CRD_STATUS_REQUIRED status.phase'],
  }),
];

const printing: readonly Row[] = [
  definition('columns take their type from the schema', 'CRD-S4 CRD-S5 CRD-E13 CRD-M26', {
    spec: {
      zod: z.object({
        image: z.string().optional(),
        n: z.int().optional(),
        at: z.iso.datetime().optional(),
        on: z.boolean().optional(),
      }),
    },
    rest: {
      status: z.object({}),
      columns: [
        { name: 'Image', path: '.spec.image' },
        { name: 'N', path: '.spec.n' },
        { name: 'At', path: '.spec.at' },
        { name: 'On', path: '.spec.on' },
        { name: 'Ready', path: condition('Ready') },
      ],
    },
    manifest: {
      'spec.versions.0.additionalPrinterColumns': [
        { name: 'Image', type: 'string', jsonPath: '.spec.image' },
        { name: 'N', type: 'integer', jsonPath: '.spec.n' },
        { name: 'At', type: 'date', jsonPath: '.spec.at' },
        { name: 'On', type: 'boolean', jsonPath: '.spec.on' },
        { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
    cases: [
      ofSpec.takes({ image: 'a', n: 1, at: time, on: true }),
      ofSpec.refuses(
        { image: 1, n: 'a', at: 'b', on: 'c' },
        '.image TypeInvalid',
        '.n TypeInvalid',
        '.at TypeInvalid',
        '.on TypeInvalid',
      ),
      ofSpec.refuses(undefined, 'Required'),
    ],
  }),
  definition('no column Age', 'CRD-S5', {
    rest: { columns: [], age: false },
    manifest: { 'spec.versions.0.additionalPrinterColumns': undefined },
    cases: [ofSpec.takes({}), ofSpec.refuses(undefined, 'Required')],
  }),
  definition('a column of a field there is not', 'CRD-S4 CRD-E13 CRD-M26', {
    rest: { columns: [{ name: 'A', path: '.spec.typo' }] },
    refused: ['CRD_PATH_INVALID columns[0]'],
  }),
  definition('replica counts are held in range', 'CRD-S6 CRD-A1 CRD-E13', {
    spec: { zod: z.object({ replicas: z.int().optional() }) },
    rest: {
      status: z.object({ replicas: z.int().optional(), selector: z.string().optional() }),
      scale: { spec: '.spec.replicas', status: '.status.replicas', selector: '.status.selector' },
    },
    warns: [],
    cases: [
      ofSpec.takes({ replicas: 0 }),
      ofSpec.takes({ replicas: 2_147_483_647 }),
      ofObject.refuses({ spec: { replicas: -1 } }, '/.spec.replicas Invalid'),
      ofObject.refuses({ spec: { replicas: 2_147_483_648 } }, '/.spec.replicas Invalid'),
      ofSpec.refuses({ replicas: 'a' }, '.replicas TypeInvalid', '/.spec.replicas Invalid'),
      ofStatus.takes({ replicas: 1, selector: 'a=b' }),
      ofStatus.refuses({ replicas: -1 }, '/.status.replicas Invalid'),
      ofStatus.refuses(
        { replicas: 'a', selector: 1 },
        '.replicas TypeInvalid',
        '.selector TypeInvalid',
        '/.status.replicas Invalid',
        '/.status.selector Invalid',
      ),
      ofObject.refuses({}, 'spec Required'),
    ],
  }),
  definition('a scale without a selector', 'CRD-S6', {
    spec: { zod: z.object({ replicas: z.int().optional() }) },
    rest: {
      status: z.object({ replicas: z.int().optional() }),
      scale: { spec: '.spec.replicas', status: '.status.replicas' },
    },
    warns: ['CRD_SCALE_SELECTOR scale'],
    cases: [
      ofSpec.takes({ replicas: 1 }),
      ofObject.refuses({}, 'spec Required'),
      ofSpec.refuses({ replicas: '' }, '.replicas TypeInvalid', '/.spec.replicas Invalid'),
      ofStatus.refuses({ replicas: '' }, '.replicas TypeInvalid', '/.status.replicas Invalid'),
    ],
  }),
  definition('a scale of a string', 'CRD-S6 CRD-E13', {
    spec: { zod: z.object({ replicas: z.string() }) },
    rest: {
      status: z.object({ replicas: z.int().optional() }),
      scale: { spec: '.spec.replicas', status: '.status.replicas' },
    },
    refused: ['CRD_PATH_INVALID scale.spec'],
  }),
  definition('fields to select by', 'CRD-S7 CRD-E13', {
    spec: { zod: z.object({ image: z.string().optional(), n: z.int().optional() }) },
    rest: { selectable: ['.spec.image', '.spec.n'] },
    manifest: { 'spec.versions.0.selectableFields': [{ jsonPath: '.spec.image' }, { jsonPath: '.spec.n' }] },
    cases: [
      ofSpec.takes({ image: 'a', n: 1 }),
      ofSpec.refuses({ image: 1, n: '' }, '.image TypeInvalid', '.n TypeInvalid'),
      ofSpec.refuses(undefined, 'Required'),
    ],
  }),
  definition('a list to select by', 'CRD-S7 CRD-E13', {
    spec: { zod: z.object({ l: z.array(z.string()) }) },
    rest: { selectable: ['.spec.l'] },
    refused: ['CRD_PATH_INVALID selectable[0]'],
  }),
  definition('the root holds no more than it may', 'CRD-N9', {
    rest: { status: z.object({}), rules: [rule('self.metadata.name.size() > 1', 'two letters')] },
    cases: [
      ofObject.takes({ metadata: { name: 'ab' }, spec: {} }),
      ofObject.refuses({ metadata: { name: 'a' }, spec: {} }, 'Invalid: two letters'),
      ofObject.refuses({}, 'spec Required', rulesNotRun),
    ],
  }),
  definition('an object of another kind is judged no further', 'CRD-A1', {
    cases: [
      ofSpec.takes({}),
      ofObject.refuses({ metadata: { name: 'a', labels: { '-': '' } }, spec: {} }, 'metadata.labels Invalid'),
    ],
  }),
];

export const resourceRows: readonly Row[] = [...names, ...versions, ...status, ...printing];
