// API-K10: printer columns, short names, categories.
import type { Case, Json } from '../../src/case.ts';
import { claim, define, get, mergePatch, post, thing, things, thingsPath } from '../../src/steps.ts';
import {
  accepted,
  crdPath,
  discovered,
  type Fields,
  integer,
  judgeRoot,
  list,
  loose,
  object,
  text,
  listed,
} from './definitions.ts';

const asTable = { send: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } };

const schema = object({
  spec: object({
    replicas: integer,
    ratio: { type: 'number' },
    on: { type: 'boolean' },
    image: text,
    since: { type: 'string', format: 'date-time' },
    names: list(text),
    open: loose,
  }),
  status: object({ conditions: list(object({ type: text, status: text })) }),
});

const columns: Json = [
  { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas', description: 'how many', format: 'int32' },
  { name: 'Ratio', type: 'number', jsonPath: '.spec.ratio' },
  { name: 'On', type: 'boolean', jsonPath: '.spec.on' },
  { name: 'Image', type: 'string', jsonPath: '.spec.image', priority: 1 },
  { name: 'Since', type: 'date', jsonPath: '.spec.since', priority: 2 },
  { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  { name: 'Names', type: 'string', jsonPath: '.spec.names[*]' },
  { name: 'Object', type: 'string', jsonPath: '.spec.open' },
  { name: 'Wrong', type: 'integer', jsonPath: '.spec.image' },
  { name: 'Missing', type: 'string', jsonPath: '.spec.nope' },
];

const withColumns = (additionalPrinterColumns: Json): Fields => ({
  version: { additionalPrinterColumns, schema: { openAPIV3Schema: schema } },
});

const column = (more: Fields): Json => [{ name: 'C', type: 'string', jsonPath: '.spec.a', ...more }];
const judgeColumn = (step: string, more: Fields): ReturnType<typeof judgeRoot> =>
  judgeRoot(step, object({ spec: object({ a: text }) }), { additionalPrinterColumns: column(more) });

const nameless = {
  ...asTable,
  mask: ['body.columnDefinitions.0.description'],
  because: 'the texts the server has for Name and Age are those of Kubernetes (API-Q8)',
};

export const columnCases: readonly Case[] = [
  {
    id: 'k10-columns',
    section: 'subresources-crds',
    shows: ['API-K10', 'API-L9'],
    title: 'a table has the name and the declared columns, with their priorities',
    steps: [
      ...define('crd', things(loose, withColumns(columns))),
      post(
        'create',
        thingsPath,
        thing('a', {
          spec: {
            replicas: 3,
            ratio: 1.5,
            on: true,
            image: 'nginx',
            since: '2020-01-02T03:04:05Z',
            names: ['x', 'y'],
            open: { k: 'v' },
          },
          status: {
            conditions: [
              { type: 'Other', status: 'False' },
              { type: 'Ready', status: 'True' },
            ],
          },
        }),
        { setup: true },
      ),
      post('create-empty', thingsPath, thing('b'), { setup: true }),
      listed('list', thingsPath, nameless),
      get('one', `${thingsPath}/a`, nameless),
    ],
    claims: [
      claim('the name comes first', 'list.body.columnDefinitions.0.name', { is: 'Name' }),
      claim('the declared columns follow', 'list.body.columnDefinitions.1', {
        contains: { name: 'Replicas', type: 'integer', format: 'int32', description: 'how many', priority: 0 },
      }),
      claim('all of them', 'list.body.columnDefinitions', { length: 11 }),
      claim('priority is passed on', 'list.body.columnDefinitions.4.priority', { is: 1 }),
      claim('wide columns are there as well', 'list.body.rows.0.cells.4', { is: 'nginx' }),
      claim('a condition', 'list.body.rows.0.cells.6', { is: 'True' }),
      claim('only the first match', 'list.body.rows.0.cells.7', { is: 'x' }),
      claim('a missing path is null', 'list.body.rows.0.cells.10', { is: null }),
      claim('an empty object has nulls', 'list.body.rows.1.cells.1', { is: null }),
      claim('no Age of its own', 'list.body.columnDefinitions.10.name', { is: 'Missing' }),
    ],
  },
  {
    id: 'k10-age',
    section: 'subresources-crds',
    shows: ['API-K10'],
    title: 'without columns there are Name and Age; with an empty list too',
    steps: [
      ...define('crd', things(loose)),
      post('create', thingsPath, thing('a'), { setup: true }),
      listed('plain', thingsPath, { ...nameless, mask: ['body.columnDefinitions.*.description'] }),
      mergePatch(
        'columns',
        crdPath,
        {
          spec: {
            versions: [
              {
                name: 'v1',
                served: true,
                storage: true,
                schema: { openAPIV3Schema: schema },
                additionalPrinterColumns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
              },
            ],
          },
        },
        { setup: true },
      ),
      get('own-age', thingsPath, {
        ...nameless,
        until: {
          at: 'own-age.body.columnDefinitions.1.description',
          matches: 'CustomResourceDefinition|Custom resource',
        },
      }),
    ],
    claims: [
      claim('Name and Age', 'plain.body.columnDefinitions', { length: 2 }),
      claim('Age', 'plain.body.columnDefinitions.1.name', { is: 'Age' }),
      claim('an own Age', 'own-age.body.columnDefinitions', { length: 2 }),
    ],
  },
  {
    id: 'k10-columns-valid',
    section: 'subresources-crds',
    shows: ['API-K10'],
    title: 'a column has a name, a type and a path',
    steps: [
      judgeColumn('right', {}),
      judgeColumn('no-name', { name: '' }),
      judgeColumn('no-type', { type: '' }),
      judgeColumn('type', { type: 'text' }),
      judgeColumn('format', { format: 'nope' }),
      judgeColumn('no-path', { jsonPath: '' }),
      judgeColumn('bare-path', { jsonPath: 'spec.a' }),
      judgeColumn('broken-path', { jsonPath: '.spec[' }),
      judgeColumn('unknown-path', { jsonPath: '.spec.nope.deep' }),
    ],
    claims: [
      accepted('right', 'right'),
      ...['no-name', 'no-type', 'type', 'format', 'no-path', 'bare-path'].map((step) =>
        claim(`${step} is refused`, `${step}.body.code`, { is: 422 }),
      ),
      claim('the types', 'type.body.message', { contains: 'must be one of boolean,date,integer,number,string' }),
      accepted('the path need not exist', 'unknown-path'),
    ],
  },
  {
    id: 'k10-names',
    section: 'subresources-crds',
    shows: ['API-K10'],
    title: 'short names and categories are in discovery',
    steps: [
      ...define(
        'crd',
        things(loose, {
          names: {
            kind: 'Thing',
            plural: 'things',
            singular: 'thing',
            listKind: 'ThingList',
            shortNames: ['th', 'tg'],
            categories: ['all', 'mine'],
          },
        }),
      ),
      discovered('things'),
      get('by-short-name', '/apis/{{group}}/v1/namespaces/{{ns}}/th'),
    ],
    claims: [
      claim('short names', 'discovery.body.resources.0.shortNames', { is: ['th', 'tg'] }),
      claim('categories', 'discovery.body.resources.0.categories', { is: ['all', 'mine'] }),
      claim('a short name is not a path', 'by-short-name.status', { is: 404 }),
    ],
  },
];
