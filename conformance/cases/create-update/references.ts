// Owner references and finalizers.
import type { Case } from '../../src/case.ts';
import {
  claim,
  configMap,
  configMaps,
  define,
  get,
  jsonPatch,
  mergePatch,
  post,
  put,
  remove,
  thing,
  things,
  thingsPath,
} from '../../src/steps.ts';
import { deployment, deployments } from './manifests.ts';

const section = 'create-update';
const definition = define('crd', things({ type: 'object' }));
const uidOf = (digit: number): string => `${String(digit).repeat(8)}-2222-4333-8444-555555555555`;
const owner = (name: string, digit: number): { [key: string]: string } => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name,
  uid: uidOf(digit),
});
const controller = (name: string, digit: number): { [key: string]: string | boolean } => ({
  ...owner(name, digit),
  controller: true,
});
const onlyOne =
  'Only one reference can have Controller set to true. Found "true" in references for ConfigMap/a and ConfigMap/b';
const noNew = 'no new finalizers can be added if the object is being deleted, ';

export const references: readonly Case[] = [
  {
    id: 'c11-two-controllers',
    section,
    shows: ['API-C11', 'API-E9'],
    title: 'two references that control are refused',
    steps: [
      ...definition,
      post(
        'create',
        configMaps,
        configMap('x', { metadata: { ownerReferences: [controller('a', 1), controller('b', 2)] } }),
      ),
      post(
        'custom',
        thingsPath,
        thing('x', { metadata: { ownerReferences: [controller('a', 1), controller('b', 2)] } }),
      ),
      post(
        'one',
        configMaps,
        configMap('y', {
          metadata: { ownerReferences: [controller('a', 1), owner('b', 2), { ...owner('c', 3), controller: false }] },
        }),
      ),
      mergePatch('patch', `${configMaps}/y`, {
        metadata: { ownerReferences: [controller('a', 1), controller('b', 2)] },
      }),
    ],
    claims: [
      claim('422', 'create.status', { is: 422 }),
      claim('the message', 'create.body.message', { contains: onlyOne }),
      claim('422 for a CR', 'custom.status', { is: 422 }),
      claim('the message for a CR', 'custom.body.message', { contains: onlyOne }),
      claim('one controller is taken', 'one.status', { is: 201 }),
      claim('422 on an update', 'patch.status', { is: 422 }),
      claim('the message on an update', 'patch.body.message', { contains: onlyOne }),
    ],
  },
  {
    id: 'c11-duplicate-owners',
    section,
    shows: ['API-C11', 'API-T6'],
    title: 'owners given twice are removed, with a warning',
    steps: [
      ...definition,
      post(
        'create',
        configMaps,
        configMap('x', { metadata: { ownerReferences: [owner('a', 1), owner('a', 1), owner('b', 2)] } }),
      ),
      post('custom', thingsPath, thing('x', { metadata: { ownerReferences: [owner('a', 1), owner('a', 1)] } })),
      post('other-name', configMaps, configMap('y', { metadata: { ownerReferences: [owner('a', 1), owner('b', 1)] } })),
      jsonPatch('patch', `${configMaps}/x`, [{ op: 'add', path: '/metadata/ownerReferences/-', value: owner('b', 2) }]),
      put(
        'put',
        `${configMaps}/x`,
        configMap('x', { metadata: { ownerReferences: [owner('a', 1), owner('b', 2), owner('b', 2)] } }),
      ),
    ],
    claims: [
      claim('201', 'create.status', { is: 201 }),
      claim('removed', 'create.body.metadata.ownerReferences', { is: [owner('a', 1), owner('b', 2)] }),
      claim('with a warning', 'create.headers.warning', { matches: 'ownerReferences contains duplicate entries' }),
      claim('removed from a CR', 'custom.body.metadata.ownerReferences', { is: [owner('a', 1)] }),
      claim('with a warning for a CR', 'custom.headers.warning', { present: true }),
      claim('removed from a PUT', 'put.body.metadata.ownerReferences', { is: [owner('a', 1), owner('b', 2)] }),
      claim('with a warning on a PUT', 'put.headers.warning', { present: true }),
      claim('removed from a patch', 'patch.body.metadata.ownerReferences', { is: [owner('a', 1), owner('b', 2)] }),
      claim('with a warning on a patch', 'patch.headers.warning', { present: true }),
    ],
  },
  {
    id: 'c11-invalid-owners',
    section,
    shows: ['API-C11', 'API-C16'],
    title: 'a reference needs apiVersion, kind, name and uid, and no Event',
    steps: [
      post('empty', configMaps, configMap('x', { metadata: { ownerReferences: [{}] } })),
      post(
        'version',
        configMaps,
        configMap('x', { metadata: { ownerReferences: [{ ...owner('a', 1), apiVersion: 'a/b/c' }] } }),
      ),
      post(
        'event',
        configMaps,
        configMap('x', { metadata: { ownerReferences: [{ ...owner('a', 1), kind: 'Event' }] } }),
      ),
    ],
    claims: [
      claim('422', 'empty.status', { is: 422 }),
      claim('422 for a bad version', 'version.status', { is: 422 }),
      claim('422 for an Event', 'event.status', { is: 422 }),
    ],
  },
  {
    id: 'c12-unqualified-finalizer',
    section,
    shows: ['API-C12', 'API-T6'],
    title: 'a finalizer without a domain on a custom resource gets a warning, on a built-in kind an error',
    steps: [
      ...definition,
      post('create', thingsPath, thing('x', { metadata: { finalizers: ['x'] } })),
      mergePatch('patch', `${thingsPath}/x`, { metadata: { finalizers: ['x', 'y'] } }),
      mergePatch('untouched', `${thingsPath}/x`, { metadata: { labels: { a: 'b' } } }),
      mergePatch('qualified', `${thingsPath}/x`, { metadata: { finalizers: ['example.com/hold'] } }),
      mergePatch('again', `${thingsPath}/x`, { metadata: { finalizers: ['x'] } }),
      mergePatch('slash', `${thingsPath}/x`, { metadata: { finalizers: ['bad name/'] } }),
      post('built-in', configMaps, configMap('x', { metadata: { finalizers: ['x'] } })),
      post('known', configMaps, configMap('y', { metadata: { finalizers: ['orphan', 'kubernetes'] } })),
      mergePatch('release', `${thingsPath}/x`, { metadata: { finalizers: null } }, { setup: true }),
    ],
    claims: [
      claim('created', 'create.status', { is: 201 }),
      claim('200', 'again.status', { is: 200 }),
      claim('with warning', 'again.headers.warning', { contains: 'prefer a domain-qualified finalizer name' }),
      claim('the words', 'again.headers.warning', {
        matches: 'metadata\\.finalizers: \\\\"x\\\\": prefer a domain-qualified',
      }),
      claim('on create as well', 'create.headers.warning', { matches: 'prefer a domain-qualified finalizer name' }),
      claim('no warning for a domain', 'qualified.headers.warning', { present: false }),
      claim('an error on a built-in kind', 'built-in.status', { is: 422 }),
      claim('the known ones need no domain', 'known.status', { is: 201 }),
    ],
  },
  {
    id: 'c12-new-while-deleting',
    section,
    shows: ['API-C12', 'API-E9'],
    title: 'no finalizer can be added while the object is deleted, but one can go',
    steps: [
      ...definition,
      post('create', configMaps, configMap('x', { metadata: { finalizers: ['example.com/a', 'example.com/b'] } }), {
        setup: true,
      }),
      remove('delete', `${configMaps}/x`, { setup: true }),
      mergePatch('add', `${configMaps}/x`, {
        metadata: { finalizers: ['example.com/a', 'example.com/b', 'example.com/c'] },
      }),
      mergePatch('swap', `${configMaps}/x`, { metadata: { finalizers: ['example.com/c'] } }),
      mergePatch('reorder', `${configMaps}/x`, { metadata: { finalizers: ['example.com/b', 'example.com/a'] } }),
      mergePatch('less', `${configMaps}/x`, { metadata: { finalizers: ['example.com/b'] } }),
      mergePatch('none', `${configMaps}/x`, { metadata: { finalizers: null } }),
      get('gone', `${configMaps}/x`),
      post('thing', thingsPath, thing('x', { metadata: { finalizers: ['example.com/a'] } }), { setup: true }),
      remove('thing-delete', `${thingsPath}/x`, { setup: true }),
      mergePatch('custom', `${thingsPath}/x`, { metadata: { finalizers: ['example.com/a', 'example.com/c'] } }),
      mergePatch('release', `${thingsPath}/x`, { metadata: { finalizers: null } }),
      post('deployment', deployments, deployment('x', { metadata: { finalizers: ['example.com/a'] } }), {
        setup: true,
      }),
      remove('deployment-delete', `${deployments}/x`, { setup: true }),
      mergePatch('grouped', `${deployments}/x`, { metadata: { finalizers: ['example.com/a', 'example.com/c'] } }),
    ],
    claims: [
      claim('422', 'add.status', { is: 422 }),
      claim('the message', 'add.body.message', { contains: noNew }),
      claim('the field', 'add.body.details.causes.0.field', { is: 'metadata.finalizers' }),
      claim('Forbidden', 'add.body.details.causes.0.reason', { is: 'FieldValueForbidden' }),
      claim('not in exchange', 'swap.status', { is: 422 }),
      claim('one can go', 'less.status', { is: 200 }),
      claim('the last one ends it', 'gone.status', { is: 404 }),
      claim('422 for a CR', 'custom.status', { is: 422 }),
      claim('the message for a CR', 'custom.body.message', { contains: noNew }),
      claim('422 with a group', 'grouped.status', { is: 422 }),
    ],
  },
];
