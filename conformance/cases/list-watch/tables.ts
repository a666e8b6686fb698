import type { Case, Json } from '../../src/case.ts';
import {
  apply,
  claim,
  configMap,
  configMaps,
  events,
  get,
  mergePatch,
  post,
  put,
  remove,
  thing,
  things,
  thingsPath,
  watch,
} from '../../src/steps.ts';
import { ready } from './manifests.ts';

const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
const asTable = { send: table };
const withoutTexts = {
  ...asTable,
  mask: ['body.columnDefinitions.*.description'],
  because: 'the texts are compared in l9-descriptions',
};
const textless = { mask: withoutTexts.mask, because: withoutTexts.because };
const eventsWithoutTexts = {
  mask: ['events.0.object.columnDefinitions.*.description'],
  because: 'the texts are compared in l9-descriptions',
};

const columns: Json = [
  { name: 'Colour', type: 'string', jsonPath: '.spec.colour', description: 'What it looks like.' },
  { name: 'Count', type: 'integer', jsonPath: '.spec.count', format: 'int32' },
  { name: 'Share', type: 'number', jsonPath: '.spec.share', priority: 1 },
  { name: 'On', type: 'boolean', jsonPath: '.spec.on' },
  { name: 'Born', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  { name: 'Due', type: 'date', jsonPath: '.spec.due' },
  { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  { name: 'Hosts', type: 'string', jsonPath: '.spec.hosts[*]' },
  { name: 'First', type: 'string', jsonPath: '.spec.hosts[0]' },
];

const printed = things(
  { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  { version: { additionalPrinterColumns: columns } },
);

const full = thing('full', {
  spec: { colour: 'red', count: 3, share: 1.5, on: true, due: '2001-02-03T04:05:06Z', hosts: ['a', 'b'] },
  status: {
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Other', status: 'False' },
    ],
  },
});

export const tables: readonly Case[] = [
  {
    id: 'l9-list-and-get',
    section: 'list-watch',
    shows: ['API-L9'],
    title: 'a list and an object as a table, with metadata in place of the objects',
    steps: [
      post('create', configMaps, configMap('a', { data: { x: '1', y: '2' }, metadata: { labels: { k: 'v' } } }), {
        setup: true,
      }),
      get('list', configMaps, withoutTexts),
      get('one', `${configMaps}/a`, withoutTexts),
      get('nobody', `${configMaps}?fieldSelector=metadata.name%3Dnobody`, withoutTexts),
      get('missing', `${configMaps}/nobody`, asTable),
    ],
    claims: [
      claim('Table', 'list.body.kind', { is: 'Table' }),
      claim('of meta.k8s.io/v1', 'list.body.apiVersion', { is: 'meta.k8s.io/v1' }),
      claim('the type answered', 'list.headers.content-type', { is: 'application/json' }),
      claim('columnDefinitions', 'list.body.columnDefinitions.0', {
        inOrder: ['name', 'type', 'format', 'description', 'priority'],
      }),
      claim('rows: cells', 'list.body.rows.0.cells.0', { is: 'a' }),
      claim('rows: cells', 'list.body.rows.0.cells.1', { is: 2 }),
      claim('object is PartialObjectMetadata', 'list.body.rows.0.object.kind', { is: 'PartialObjectMetadata' }),
      claim('of meta.k8s.io/v1', 'list.body.rows.0.object.apiVersion', { is: 'meta.k8s.io/v1' }),
      claim('a get is a table', 'one.body.kind', { is: 'Table' }),
      claim('with the object’s RV', 'one.body.metadata.resourceVersion', {
        sameAs: 'create.body.metadata.resourceVersion',
      }),
      claim('an empty one has columns', 'nobody.body.columnDefinitions.0.name', { is: 'Name' }),
      claim('and rows', 'nobody.body.rows', { is: [] }),
      claim('errors stay what they are', 'missing.body.kind', { is: 'Status' }),
    ],
  },
  {
    id: 'l9-include-object',
    section: 'list-watch',
    shows: ['API-L9'],
    title: 'includeObject: None, Metadata, Object',
    steps: [
      post('create', configMaps, configMap('a', { data: { x: '1' } }), { setup: true }),
      get('none', `${configMaps}?includeObject=None`, withoutTexts),
      get('metadata', `${configMaps}?includeObject=Metadata`, withoutTexts),
      get('object', `${configMaps}?includeObject=Object`, withoutTexts),
      get('unknown', `${configMaps}?includeObject=Everything`, withoutTexts),
      get('one', `${configMaps}/a?includeObject=None`, withoutTexts),
      ...ready(printed),
      post('create-thing', thingsPath, full, { setup: true }),
      get('custom-none', `${thingsPath}?includeObject=None`, withoutTexts),
      get('custom-object', `${thingsPath}?includeObject=Object`, withoutTexts),
    ],
    claims: [
      claim('None', 'none.body.rows.0.object', { is: null }),
      claim('Metadata', 'metadata.body.rows.0.object.kind', { is: 'PartialObjectMetadata' }),
      claim('Object', 'object.body.rows.0.object.kind', { is: 'ConfigMap' }),
      claim('Object: in full', 'object.body.rows.0.object.data.x', { is: '1' }),
      claim('others: 400', 'unknown.status', { is: 400 }),
      claim('None on a get', 'one.body.rows.0.object', { is: null }),
      claim('None of a custom resource', 'custom-none.body.rows.0.object', { is: null }),
      claim('Object of a custom resource', 'custom-object.body.rows.0.object.kind', { is: 'Thing' }),
      claim('in full', 'custom-object.body.rows.0.object.spec.colour', { is: 'red' }),
    ],
  },
  {
    id: 'l9-watch',
    section: 'list-watch',
    shows: ['API-L9', 'API-W1'],
    title: 'a watch sends a table of one row each, with columns in the first alone',
    steps: [
      post('a', configMaps, configMap('a'), { setup: true }),
      post('b', configMaps, configMap('b'), { setup: true }),
      watch('w', `${configMaps}?watch=1`, withoutTexts),
      events('first', 'w', { count: 2, ...eventsWithoutTexts }),
      mergePatch('change', `${configMaps}/a`, { data: { x: '1' } }, { setup: true }),
      remove('gone', `${configMaps}/b`, { setup: true }),
      events('later', 'w', { count: 2, quietMs: 200 }),
    ],
    claims: [
      claim('a table', 'first.events.0.object.kind', { is: 'Table' }),
      claim('columns in the first event', 'first.events.0.object.columnDefinitions.0.name', { is: 'Name' }),
      claim('only: null elsewhere', 'first.events.1.object.columnDefinitions', { is: null }),
      claim('one row', 'first.events.1.object.rows', { length: 1 }),
      claim('changes alike', 'later.events.0.type', { is: 'MODIFIED' }),
      claim('changes have no columns', 'later.events.0.object.columnDefinitions', { is: null }),
      claim('the row', 'later.events.0.object.rows.0.cells.1', { is: 1 }),
      claim('deletions alike', 'later.events.1.type', { is: 'DELETED' }),
      claim('deletions are tables', 'later.events.1.object.kind', { is: 'Table' }),
    ],
  },
  {
    id: 'l9-watch-custom',
    section: 'list-watch',
    shows: ['API-L9'],
    title: 'a watch of custom resources as tables',
    steps: [
      ...ready(printed),
      post('create', thingsPath, full, { setup: true }),
      watch('w', `${thingsPath}?watch=1&includeObject=Object`, withoutTexts),
      events('first', 'w', { count: 1, ...eventsWithoutTexts }),
      mergePatch('change', `${thingsPath}/full`, { spec: { colour: 'blue' } }, { setup: true }),
      events('later', 'w', { count: 1, quietMs: 200 }),
    ],
    claims: [
      claim('columns in the first event', 'first.events.0.object.columnDefinitions.1.name', { is: 'Colour' }),
      claim('only', 'later.events.0.object.columnDefinitions', { is: null }),
      claim('includeObject', 'later.events.0.object.rows.0.object.kind', { is: 'Thing' }),
      claim('the row', 'later.events.0.object.rows.0.cells.1', { is: 'blue' }),
    ],
  },
  {
    id: 'l9-writes',
    section: 'list-watch',
    shows: ['API-L9'],
    title: 'writes are answered with a table',
    steps: [
      post('create', configMaps, configMap('a', { data: { x: '1' } }), withoutTexts),
      put('update', `${configMaps}/a`, configMap('a', { data: { x: '2', y: '2' } }), withoutTexts),
      mergePatch('patch', `${configMaps}/a`, { data: { z: '3' } }, withoutTexts),
      apply('apply', `${configMaps}/b?fieldManager=m`, configMap('b', { data: { x: '1' } }), withoutTexts),
      remove('gone', `${configMaps}/a`, withoutTexts),
      post('kept', configMaps, configMap('c', { metadata: { finalizers: ['example.com/wait'] } }), { setup: true }),
      remove('pending', `${configMaps}/c`, withoutTexts),
      remove('collection', `${configMaps}?fieldSelector=metadata.name%3Db`, withoutTexts),
      post('again', configMaps, configMap('c'), withoutTexts),
      mergePatch('free', `${configMaps}/c`, { metadata: { finalizers: null } }, withoutTexts),
    ],
    claims: [
      claim('create', 'create.body.kind', { is: 'Table' }),
      claim('create: 201', 'create.status', { is: 201 }),
      claim('update', 'update.body.kind', { is: 'Table' }),
      claim('update: the row', 'update.body.rows.0.cells.1', { is: 2 }),
      claim('patch', 'patch.body.kind', { is: 'Table' }),
      claim('apply', 'apply.body.kind', { is: 'Table' }),
      claim('a delete is answered with a Status', 'gone.body.kind', { is: 'Status' }),
      claim('a pending delete with a table', 'pending.body.kind', { is: 'Table' }),
    ],
  },
  {
    id: 'l9-custom-columns',
    section: 'list-watch',
    shows: ['API-L9', 'API-K10'],
    title: 'a definition’s columns: Name first, dates as durations, nothing where the path leads nowhere',
    steps: [
      ...ready(printed),
      post('create', thingsPath, full, { setup: true }),
      post('create-bare', thingsPath, thing('bare'), { setup: true }),
      post(
        'create-odd',
        thingsPath,
        thing('odd', { spec: { colour: 7, count: 'x', on: 'yes', due: 'soon', hosts: [] } }),
        {
          setup: true,
        },
      ),
      get('list', thingsPath, {
        ...asTable,
        mask: ['body.rows.1.cells.6', 'body.columnDefinitions.0.description'],
        because: 'the years since 2001; the text of Name is compared in l9-descriptions',
      }),
    ],
    claims: [
      claim('Name + columns', 'list.body.columnDefinitions.0.name', { is: 'Name' }),
      claim('Name + columns', 'list.body.columnDefinitions', { length: 10 }),
      claim('description', 'list.body.columnDefinitions.1.description', { is: 'What it looks like.' }),
      claim('priority', 'list.body.columnDefinitions.3.priority', { is: 1 }),
      claim('format', 'list.body.columnDefinitions.2.format', { is: 'int32' }),
      claim('name', 'list.body.rows.0.cells.0', { is: 'bare' }),
      claim('missing path: null', 'list.body.rows.0.cells.1', { is: null }),
      claim('missing path: null', 'list.body.rows.0.cells.7', { is: null }),
      claim('a value', 'list.body.rows.1.cells.1', { is: 'red' }),
      claim('a number', 'list.body.rows.1.cells.2', { is: 3 }),
      claim('date as human duration', 'list.body.rows.1.cells.5', { matches: '^\\d+s$' }),
      claim('date as human duration', 'list.body.rows.1.cells.6', { matches: '^\\d+y$' }),
      claim('a filter', 'list.body.rows.1.cells.7', { is: 'True' }),
    ],
  },
  {
    id: 'l9-custom-age',
    section: 'list-watch',
    shows: ['API-L9'],
    title: 'without columns of its own a custom resource shows Name and Age',
    steps: [
      ...ready(things({ type: 'object' })),
      post('create', thingsPath, thing('a'), { setup: true }),
      get('list', thingsPath, withoutTexts),
      get('one', `${thingsPath}/a`, withoutTexts),
    ],
    claims: [
      claim('Name', 'list.body.columnDefinitions.0.name', { is: 'Name' }),
      claim('Age', 'list.body.columnDefinitions.1.name', { is: 'Age' }),
      claim('no more', 'list.body.columnDefinitions', { length: 2 }),
      claim('date as human duration', 'list.body.rows.0.cells.1', { matches: '^\\d+s$' }),
    ],
  },
  {
    id: 'l9-accept',
    section: 'list-watch',
    shows: ['API-L9'],
    title: 'how a table is asked for',
    steps: [
      post('create', configMaps, configMap('a'), { setup: true }),
      get('with-fallback', configMaps, { ...textless, send: { accept: `${table.accept},application/json` } }),
      get('as-kubectl', configMaps, {
        ...textless,
        send: {
          accept: `${table.accept},application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json`,
        },
      }),
      get('beta', configMaps, { ...textless, send: { accept: 'application/json;as=Table;v=v1beta1;g=meta.k8s.io' } }),
      get('spaced', configMaps, { ...textless, send: { accept: 'application/json; as=Table; g=meta.k8s.io; v=v1' } }),
      get('yaml', configMaps, {
        send: { accept: 'application/yaml;as=Table;v=v1;g=meta.k8s.io' },
        mask: ['body'],
        because: 'the text of a YAML answer is full of times and versions',
      }),
      get('no-version', configMaps, { send: { accept: 'application/json;as=Table;g=meta.k8s.io' } }),
      get('unknown-version', configMaps, { send: { accept: 'application/json;as=Table;v=v9;g=meta.k8s.io' } }),
      get('unknown-kind', configMaps, { send: { accept: 'application/json;as=Chart;v=v1;g=meta.k8s.io' } }),
    ],
    claims: [
      claim('the first that is known wins', 'with-fallback.body.kind', { is: 'Table' }),
      claim('v1beta1 as well', 'beta.body.apiVersion', { is: 'meta.k8s.io/v1beta1' }),
      claim('unknown version: 406', 'unknown-version.status', { is: 406 }),
      claim('unknown kind: 406', 'unknown-kind.status', { is: 406 }),
    ],
  },
];
