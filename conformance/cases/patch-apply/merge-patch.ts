import type { Case } from '../../src/case.ts';
import {
  claim,
  configMap,
  configMaps,
  define,
  get,
  mergePatch,
  post,
  thing,
  things,
  thingsPath,
} from '../../src/steps.ts';
import { deployment, deployments, podPatch, podSpecOf } from './manifests.ts';

const x = `${configMaps}/x`;
const openSpec = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;

export const mergePatches: readonly Case[] = [
  {
    id: 'p2-null-deletes',
    section: 'patch-apply',
    shows: ['API-P2'],
    title: 'a merge patch merges objects, and null deletes',
    steps: [
      post(
        'create',
        configMaps,
        configMap('x', { metadata: { labels: { a: '1', b: '2' } }, data: { k: 'v', l: 'w' } }),
      ),
      mergePatch('merge', x, { data: { k: 'other', n: 'new' }, metadata: { labels: { c: '3' } } }),
      mergePatch('null', x, { data: { l: null }, metadata: { labels: { a: null } } }),
      mergePatch('null-missing', x, { data: { none: null }, binaryData: null }),
      mergePatch('null-object', x, { metadata: { labels: null } }),
      mergePatch('empty', x, {}),
      mergePatch('all-gone', x, { data: null }),
    ],
    claims: [
      claim('objects are merged', 'merge.body.data', { is: { k: 'other', l: 'w', n: 'new' } }),
      claim('null deletes a key', 'null.body.data', { is: { k: 'other', n: 'new' } }),
      claim('null for what is missing changes nothing', 'null-missing.body.metadata.resourceVersion', {
        sameAs: 'null.body.metadata.resourceVersion',
      }),
      claim('null deletes an object', 'null-object.body.metadata.labels', { present: false }),
      claim('an empty patch changes nothing', 'empty.body.metadata.resourceVersion', {
        sameAs: 'null-object.body.metadata.resourceVersion',
      }),
      claim('all of it', 'all-gone.body.data', { present: false }),
    ],
  },
  {
    id: 'p2-custom-resource',
    section: 'patch-apply',
    shows: ['API-P2'],
    title: 'in a custom resource arrays are replaced, and null fields of objects inside lists go too',
    steps: [
      ...define('crd', things(openSpec)),
      post(
        'create',
        thingsPath,
        thing('x', { spec: { list: ['a', 'b'], objects: [{ n: 1, m: 2 }], deep: { a: { b: 1 } } } }),
      ),
      mergePatch('array', `${thingsPath}/x`, { spec: { list: ['c'] } }),
      mergePatch('empty-array', `${thingsPath}/x`, { spec: { list: [] } }),
      mergePatch('inside-list', `${thingsPath}/x`, {
        spec: { objects: [{ n: 3, gone: null, deep: { gone: null, stays: 1 }, inner: [{ gone: null }] }] },
      }),
      mergePatch('null-in-list', `${thingsPath}/x`, { spec: { list: ['a', null, 'b'] } }),
      mergePatch('new-object', `${thingsPath}/x`, { spec: { fresh: { gone: null, deep: { gone: null } } } }),
      mergePatch('object-over-text', `${thingsPath}/x`, { spec: { deep: { a: 'text' } } }),
      mergePatch('text-over-object', `${thingsPath}/x`, { spec: { deep: { a: { c: 1, gone: null } } } }),
      mergePatch('object-over-list', `${thingsPath}/x`, { spec: { objects: { n: 1 } } }),
      get('end', `${thingsPath}/x`),
    ],
    claims: [
      claim('arrays are replaced', 'array.body.spec.list', { is: ['c'] }),
      claim('by an empty one too', 'empty-array.body.spec.list', { is: [] }),
      claim('null fields of objects inside lists go too', 'inside-list.body.spec.objects', {
        is: [{ n: 3, deep: { stays: 1 }, inner: [{}] }],
      }),
      claim('null fields of new objects as well', 'new-object.body.spec.fresh', { is: { deep: {} } }),
      claim('an object takes the place of a text', 'text-over-object.body.spec.deep.a', { is: { c: 1 } }),
    ],
  },
  {
    id: 'p2-built-in-lists',
    section: 'patch-apply',
    shows: ['API-P2'],
    title: 'a merge patch replaces the containers of a Deployment, defaults return',
    steps: [
      post(
        'create',
        deployments,
        deployment('d', {
          containers: [
            { name: 'app', image: 'app:1' },
            { name: 'side', image: 's:1' },
          ],
        }),
      ),
      mergePatch(
        'replace',
        `${deployments}/d`,
        podPatch({ containers: [{ name: 'app', image: 'app:2', command: null }] }),
      ),
      mergePatch('null-default', `${deployments}/d`, { spec: { replicas: null, strategy: null } }),
      mergePatch('no-name', `${deployments}/d`, podPatch({ containers: [{ image: 'app:3' }] })),
    ],
    claims: [
      claim('arrays are replaced', `${podSpecOf('replace')}.containers`, { length: 1 }),
      claim('by what the patch has', `${podSpecOf('replace')}.containers.0.image`, { is: 'app:2' }),
      claim('null brings the default back', 'null-default.body.spec.replicas', { is: 1 }),
      claim('validated', 'no-name.status', { is: 422 }),
    ],
  },
  {
    id: 'p2-bad-bodies',
    section: 'patch-apply',
    shows: ['API-P2'],
    title: 'a merge patch that is not an object is refused',
    steps: [
      post('create', configMaps, configMap('x', { data: { k: 'v' } })),
      mergePatch('list', x, [{ data: { k: 'w' } }]),
      mergePatch('broken', x, { text: '{"data":' }),
      mergePatch('text', x, 'data'),
      mergePatch('unvalidated-list', `${x}?fieldValidation=Ignore`, [{ data: { k: 'w' } }]),
      mergePatch('unvalidated-broken', `${x}?fieldValidation=Ignore`, { text: '{"data":' }),
      mergePatch('wrong-type', x, { data: { k: 1 } }),
      mergePatch('unknown-field', x, { nope: 1, data: { k: 'w' } }),
      mergePatch('unknown-field-strict', `${x}?fieldValidation=Strict`, { nope: 1, data: { k: 'x' } }),
      mergePatch('repeated-field', x, { text: '{"data":{"k":"x"},"data":{"k":"y"}}' }),
      mergePatch('immutable', x, { immutable: true }),
      mergePatch('after-immutable', x, { data: { k: 'z' } }),
    ],
    claims: [
      claim('400', 'list.status', { is: 400 }),
      claim('error decoding patch', 'list.body.message', { matches: '^error decoding patch: ' }),
      claim('broken JSON', 'broken.status', { is: 400 }),
      claim('the result is decoded', 'wrong-type.status', { isNot: 200 }),
      claim('warned', 'unknown-field.headers.warning', { matches: 'unknown field \\\\"nope\\\\"' }),
      claim('the result is validated', 'after-immutable.status', { is: 422 }),
    ],
  },
];
