// API-K13: a definition that is made again.
import type { Case, Json, Step } from '../../src/case.ts';
import { claim, define, get, post, remove, thing, things, thingsPath } from '../../src/steps.ts';
import { crdPath, discovered, integer, object, text, version, versioned, listed } from './definitions.ts';

/** The definition is deleted, and gone. */
const gone: Step[] = [
  remove('drop', crdPath, { setup: true }),
  get('dropped', crdPath, { until: { at: 'dropped.status', is: 404 } }),
];

export const recreated: readonly Case[] = [
  {
    id: 'k13-empty',
    section: 'subresources-crds',
    shows: ['API-K13'],
    title: 'a definition made again has none of the old objects',
    steps: [
      ...define('crd', things(object({ a: text }))),
      post('old', thingsPath, thing('x', { spec: { a: 'a' } })),
      ...gone,
      get('not-served', thingsPath, { until: { at: 'not-served.status', is: 404 } }),
      ...define('again', things(object({ a: text }))),
      listed('list', thingsPath),
      get('read', `${thingsPath}/x`),
      post('fresh', thingsPath, thing('x', { spec: { a: 'b' } })),
    ],
    claims: [
      claim('the old one is gone', 'dropped.status', { is: 404 }),
      claim('not served in between', 'not-served.status', { is: 404 }),
      claim('no objects', 'list.body.items', { is: [] }),
      claim('not by name either', 'read.status', { is: 404 }),
      claim('a new object is new', 'fresh.body.metadata.uid', { differsFrom: 'old.body.metadata.uid' }),
      claim('with a generation of its own', 'fresh.body.metadata.generation', { is: 1 }),
    ],
  },
  {
    id: 'k13-other-schema',
    section: 'subresources-crds',
    shows: ['API-K13'],
    title: 'a definition made again has none of the old schema',
    steps: [
      ...define('crd', things(object({ a: integer, b: text }, { required: ['b'] }))),
      post('old', thingsPath, thing('x', { spec: { a: 1, b: 'b' } }), { setup: true }),
      ...gone,
      ...define('again', things(object({ a: text, c: { ...text, default: 'd' } }))),
      post('fresh', thingsPath, thing('x', { spec: { a: 'text', b: 'pruned' } })),
      post('old-type', `${thingsPath}?dryRun=All`, thing('y', { spec: { a: 1 } })),
    ],
    claims: [
      claim('the new schema alone', 'fresh.body.spec', { is: { a: 'text', c: 'd' } }),
      claim('the old type is refused', 'old-type.body.code', { is: 422 }),
    ],
  },
  {
    id: 'k13-other-scope',
    section: 'subresources-crds',
    shows: ['API-K13'],
    title: 'a definition made again may have another scope, other versions and other names',
    steps: [
      ...define('crd', things(object({ a: text }))),
      post('old', thingsPath, thing('x', { spec: { a: 'a' } }), { setup: true }),
      ...gone,
      ...define(
        'again',
        versioned([version('v2', object({ spec: object({ a: text }) }) as Json)], {
          scope: 'Cluster',
          names: { kind: 'Other', plural: 'things', singular: 'other', listKind: 'OtherList' },
        }),
      ),
      post('fresh', '/apis/{{group}}/v2/things', {
        apiVersion: '{{group}}/v2',
        kind: 'Other',
        metadata: { name: 'x' },
        spec: { a: 'a' },
      }),
      listed('list', '/apis/{{group}}/v2/things'),
      get('old-path', thingsPath, { until: { at: 'old-path.status', is: 404 } }),
      get('definition', crdPath, { only: ['body.status'], because: 'the rest is as it was sent' }),
      discovered('things', ['discovery', 'v2']),
    ],
    claims: [
      claim('cluster-scoped', 'fresh.body.metadata.namespace', { present: false }),
      claim('alone', 'list.body.items', { length: 1 }),
      claim('the old version is gone', 'old-path.status', { is: 404 }),
      claim('stored versions begin anew', 'definition.body.status.storedVersions', { is: ['v2'] }),
      claim('discovery too', 'discovery.body.resources.0.kind', { is: 'Other' }),
    ],
  },
];
