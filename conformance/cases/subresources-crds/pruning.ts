// API-K4: unknown fields, and resources embedded in others.
import type { Case } from '../../src/case.ts';
import {
  apply,
  claim,
  define,
  get,
  jsonPatch,
  mergePatch,
  post,
  put,
  thing,
  things,
  thingsPath,
} from '../../src/steps.ts';
import { integer, list, loose, map, object, reschema, text, tried, listed } from './definitions.ts';

const shape = object({
  a: text,
  nested: object({ b: text }),
  items: list(object({ c: text })),
  entries: map(object({ d: text })),
});

const embedded = object({
  open: { ...loose, 'x-kubernetes-embedded-resource': true },
  closed: object({ spec: object({ image: text }) }, { 'x-kubernetes-embedded-resource': true }),
});

const inner = (more: { [key: string]: string | number | object }): never =>
  ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, ...more }) as never;

export const pruning: readonly Case[] = [
  {
    id: 'k4-on-request',
    section: 'subresources-crds',
    shows: ['API-K4'],
    title: 'unknown fields are dropped from a request, with a warning each',
    steps: [
      ...define('crd', things(shape)),
      post('create', thingsPath, {
        ...thing('x', {
          spec: {
            a: 'a',
            nope: 1,
            nested: { b: 'b', nope: 1 },
            items: [{ c: 'c', nope: 1 }],
            entries: { e: { d: 'd', nope: 1 } },
          },
        }),
        nope: 1,
      }),
      get('stored', `${thingsPath}/x`),
      put('update', `${thingsPath}/x`, {
        ...thing('x', {
          metadata: { resourceVersion: '{{create.body.metadata.resourceVersion}}' },
          spec: { a: 'b', other: 1 },
        }),
      }),
      mergePatch('merge', `${thingsPath}/x`, { spec: { merged: 1 } }),
      jsonPatch('json', `${thingsPath}/x`, [{ op: 'add', path: '/spec/added', value: 1 }]),
      apply('apply', `${thingsPath}/x?fieldManager=m`, thing('x', { spec: { applied: 1 } })),
    ],
    claims: [
      claim('dropped', 'create.body.spec', {
        is: { a: 'a', nested: { b: 'b' }, items: [{ c: 'c' }], entries: { e: { d: 'd' } } },
      }),
      claim('at the root', 'create.body.nope', { present: false }),
      claim('with warning: root', 'create.headers.warning', { contains: 'unknown field \\"nope\\"' }),
      claim('with warning: field', 'create.headers.warning', { contains: 'unknown field \\"spec.nope\\"' }),
      claim('with warning: nested', 'create.headers.warning', { contains: 'unknown field \\"spec.nested.nope\\"' }),
      claim('with warning: item', 'create.headers.warning', { contains: 'unknown field \\"spec.items[0].nope\\"' }),
      claim('with warning: value', 'create.headers.warning', { contains: 'unknown field \\"spec.entries.e.nope\\"' }),
      claim('not stored', 'stored.body.spec', { sameAs: 'create.body.spec' }),
      claim('update', 'update.body.spec', { is: { a: 'b' } }),
      claim('update, with warning', 'update.headers.warning', { contains: 'unknown field \\"spec.other\\"' }),
      claim('merge patch', 'merge.body.spec', { is: { a: 'b' } }),
      claim('merge patch, with warning', 'merge.headers.warning', { contains: 'unknown field \\"spec.merged\\"' }),
      claim('JSON patch', 'json.body.spec', { is: { a: 'b' } }),
      claim('JSON patch, with warning', 'json.headers.warning', { contains: 'unknown field \\"spec.added\\"' }),
    ],
  },
  {
    id: 'k4-on-read',
    section: 'subresources-crds',
    shows: ['API-K4'],
    title: 'a field that leaves the schema is not read from storage, and comes back with the schema',
    steps: [
      ...define('crd', things(object({ a: text, b: text }))),
      post('create', thingsPath, thing('x', { spec: { a: 'a', b: 'b' } }), { setup: true }),
      reschema('narrow', object({ spec: object({ a: text }) })),
      get('pruned', `${thingsPath}/x`, { until: { at: 'pruned.body.spec', is: { a: 'a' } } }),
      listed('list', thingsPath),
      reschema('widen', object({ spec: object({ a: text, b: text }) })),
      get('back', `${thingsPath}/x`, { until: { at: 'back.body.spec', is: { a: 'a', b: 'b' } } }),
      reschema('narrow-again', object({ spec: object({ a: text }) })),
      get('pruned-again', `${thingsPath}/x`, { setup: true, until: { at: 'pruned-again.body.spec', is: { a: 'a' } } }),
      mergePatch('write', `${thingsPath}/x`, { spec: { a: 'changed' } }),
      reschema('widen-again', object({ spec: object({ a: text, b: text, c: text }) })),
      post('settled', `${thingsPath}?dryRun=All`, thing('y', { spec: { c: 'c' } }), {
        setup: true,
        until: { at: 'settled.body.spec.c', is: 'c' },
      }),
      get('lost', `${thingsPath}/x`),
    ],
    claims: [
      claim('pruned on read', 'pruned.body.spec', { is: { a: 'a' } }),
      claim('pruned in lists', 'list.body.items.0.spec', { is: { a: 'a' } }),
      claim('without warning', 'pruned.headers.warning', { present: false }),
      claim('the version stays: nothing was written', 'back.body.metadata.resourceVersion', {
        sameAs: 'create.body.metadata.resourceVersion',
      }),
      claim('a write in between loses it', 'lost.body.spec', { is: { a: 'changed' } }),
    ],
  },
  {
    id: 'k4-metadata',
    section: 'subresources-crds',
    shows: ['API-K4'],
    title: 'a schema never prunes metadata',
    steps: [
      ...define(
        'crd',
        things(object({ a: text }), {
          version: { schema: { openAPIV3Schema: object({ metadata: { type: 'object' }, spec: object({ a: text }) }) } },
        }),
      ),
      post(
        'create',
        thingsPath,
        thing('x', {
          metadata: {
            labels: { l: 'l' },
            annotations: { a: 'a' },
            finalizers: ['example.com/f'],
            ownerReferences: [
              { apiVersion: 'v1', kind: 'ConfigMap', name: 'c', uid: '00000000-0000-0000-0000-000000000001' },
            ],
            nope: 1,
          },
        }),
      ),
      mergePatch('done', `${thingsPath}/x`, { metadata: { finalizers: null } }),
    ],
    claims: [
      claim('labels', 'create.body.metadata.labels', { is: { l: 'l' } }),
      claim('annotations', 'create.body.metadata.annotations', { is: { a: 'a' } }),
      claim('finalizers', 'create.body.metadata.finalizers', { is: ['example.com/f'] }),
      claim('owner references', 'create.body.metadata.ownerReferences', { length: 1 }),
      claim('what metadata does not know goes', 'create.body.metadata.nope', { present: false }),
      claim('with a warning', 'create.headers.warning', { contains: 'unknown field \\"metadata.nope\\"' }),
    ],
  },
  {
    id: 'k4-preserved',
    section: 'subresources-crds',
    shows: ['API-K4'],
    title: 'preserve-unknown stops pruning; properties below it start it again',
    steps: [
      ...define(
        'crd',
        things(
          object({
            open: { 'x-kubernetes-preserve-unknown-fields': true },
            half: { ...loose, properties: { closed: object({ a: text }) } },
            rows: list(loose),
            closed: object({ a: text }),
            nothing: { type: 'object' },
            all: { type: 'object', additionalProperties: true },
            none: { type: 'object', additionalProperties: false },
          }),
        ),
      ),
      post(
        'create',
        thingsPath,
        thing('x', {
          spec: {
            open: { any: { thing: [1, 'two', null, { deep: true }] } },
            half: { more: 1, closed: { a: 'a', nope: 1 } },
            rows: [{ x: 1 }],
            closed: { a: 'a', nope: 1 },
            nothing: { nope: 1 },
            all: { kept: 1 },
            none: {},
          },
        }),
      ),
      tried('none', { none: { nope: 1 } }),
    ],
    claims: [
      claim('kept', 'create.body.spec.open', { is: { any: { thing: [1, 'two', null, { deep: true }] } } }),
      claim('kept beside properties', 'create.body.spec.half.more', { is: 1 }),
      claim('pruned below nested properties', 'create.body.spec.half.closed', { is: { a: 'a' } }),
      claim('kept in items', 'create.body.spec.rows', { is: [{ x: 1 }] }),
      claim('pruned elsewhere', 'create.body.spec.closed', { is: { a: 'a' } }),
      claim('an object without properties keeps nothing', 'create.body.spec.nothing', { is: {} }),
      claim('additionalProperties true keeps all', 'create.body.spec.all', { is: { kept: 1 } }),
    ],
  },
  {
    id: 'k4-embedded',
    section: 'subresources-crds',
    shows: ['API-K4'],
    title: 'an embedded resource has apiVersion, kind and metadata, which are checked',
    steps: [
      ...define('crd', things(embedded)),
      post(
        'create',
        thingsPath,
        thing('x', {
          spec: {
            open: inner({ any: 1, metadata: { name: 'p', labels: { l: 'l' }, nope: 1 } }),
            closed: inner({ any: 1, spec: { image: 'i', nope: 1 } }),
          },
        }),
      ),
      tried('no-version', { open: { kind: 'Pod', metadata: { name: 'p' } } }),
      tried('no-kind', { open: { apiVersion: 'v1', metadata: { name: 'p' } } }),
      tried('neither', { closed: { metadata: { name: 'p' } } }),
      tried('bad-version', { open: inner({ apiVersion: 'a/b/c' }) }),
      tried('bad-kind', { open: inner({ kind: 'a b' }) }),
      tried('number-kind', { open: inner({ kind: 1 }) }),
      tried('bad-name', { open: inner({ metadata: { name: '..' } }) }),
      tried('bad-label', { open: inner({ metadata: { name: 'p', labels: { l: 'not valid!' } } }) }),
      tried('label-number', { open: inner({ metadata: { name: 'p', labels: { l: 1 } } }) }),
      tried('metadata-text', { open: inner({ metadata: 'p' }) }),
      tried('no-metadata', { open: { apiVersion: 'v1', kind: 'Pod' } }),
    ],
    claims: [
      claim('metadata is kept', 'create.body.spec.open.metadata.labels', { is: { l: 'l' } }),
      claim('its unknown fields are not', 'create.body.spec.open.metadata.nope', { present: false }),
      claim('apiVersion, kind, metadata need no declaration', 'create.body.spec.closed', {
        is: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { image: 'i' } },
      }),
      claim('apiVersion is required', 'no-version.body.details.causes', {
        contains: { field: 'spec.open.apiVersion', message: 'Required value' },
      }),
      claim('kind is required', 'no-kind.body.details.causes', {
        contains: { field: 'spec.open.kind', message: 'Required value' },
      }),
      claim('both', 'neither.body.code', { is: 422 }),
      claim('apiVersion is checked', 'bad-version.body.code', { is: 422 }),
      claim('kind is checked', 'bad-kind.body.code', { is: 422 }),
      claim('labels are checked', 'bad-label.body.code', { is: 422 }),
    ],
  },
  {
    id: 'k4-wrong-types',
    section: 'subresources-crds',
    shows: ['API-K4'],
    title: 'below a value of another type everything is unknown, and validation refuses it',
    steps: [
      ...define('crd', things(object({ n: integer, o: object({ a: text }) }))),
      tried('object-for-number', { n: { a: 1 } }),
      tried('list-for-object', { o: [{ a: 'a', nope: 1 }] }),
    ],
    claims: [
      claim('an object for a number', 'object-for-number.body.code', { is: 422 }),
      claim('with a warning about what is in it', 'object-for-number.headers.warning', {
        contains: 'unknown field \\"spec.n.a\\"',
      }),
      claim('a list for an object', 'list-for-object.body.code', { is: 422 }),
    ],
  },
];
