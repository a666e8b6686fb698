// 409, 410 and 413: the object is another one by now, the past is gone, the document is too large.
import type { Case } from '../../src/case.ts';
import {
  apply,
  claim,
  configMap,
  configMaps,
  define,
  get,
  jsonPatch,
  post,
  put,
  remove,
  thing,
  things,
  thingsPath,
} from '../../src/steps.ts';

const section = 'errors';
const token = (start: string): string =>
  Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: 1, start })).toString('base64url');

export const conflicts: readonly Case[] = [
  {
    id: 'e6-stale-write',
    section,
    shows: ['API-E6', 'API-C8'],
    title: '409 Conflict of a write: details.kind is the resource',
    steps: [
      post('create', configMaps, configMap('x', { data: { k: '1' } }), { setup: true }),
      put('changed', `${configMaps}/x`, configMap('x', { data: { k: '2' } }), { setup: true }),
      put(
        'stale',
        `${configMaps}/x`,
        configMap('x', { metadata: { resourceVersion: '{{create.body.metadata.resourceVersion}}' }, data: { k: '3' } }),
      ),
      jsonPatch('stale-patch', `${configMaps}/x`, [
        { op: 'replace', path: '/metadata/resourceVersion', value: '{{create.body.metadata.resourceVersion}}' },
        { op: 'replace', path: '/data/k', value: '4' },
      ]),
    ],
    claims: ['stale', 'stale-patch'].flatMap((step) => [
      claim(`409: ${step}`, `${step}.status`, { is: 409 }),
      claim(`HTTP code = code: ${step}`, `${step}.body.code`, { is: 409 }),
      claim(`Conflict: ${step}`, `${step}.body.reason`, { is: 'Conflict' }),
      claim(`details: ${step}`, `${step}.body.details`, { is: { name: 'x', kind: 'configmaps' } }),
    ]),
  },
  {
    id: 'e6-delete-precondition',
    section,
    shows: ['API-E6', 'API-X3'],
    title: '409 Conflict of a delete precondition: details.kind is the Kind',
    steps: [
      ...define('crd', things({ type: 'object' })),
      post('create', configMaps, configMap('d1'), { setup: true }),
      remove('uid', `${configMaps}/d1`, { body: { preconditions: { uid: 'zzz' } } }),
      remove('version', `${configMaps}/d1`, { body: { preconditions: { resourceVersion: '1' } } }),
      post('thing', thingsPath, thing('d1'), { setup: true }),
      remove('custom', `${thingsPath}/d1`, { body: { preconditions: { uid: 'zzz' } } }),
      get('after', `${configMaps}/d1`),
    ],
    claims: [
      ...['uid', 'version', 'custom'].flatMap((step) => [
        claim(`409: ${step}`, `${step}.status`, { is: 409 }),
        claim(`Conflict: ${step}`, `${step}.body.reason`, { is: 'Conflict' }),
      ]),
      claim('the message', 'uid.body.message', {
        matches:
          '^Operation cannot be fulfilled on ConfigMap "d1": the UID in the precondition \\(zzz\\) does not match the UID in record \\(.*\\)\\. The object might have been deleted and then recreated$',
      }),
      claim('details.kind is the Kind', 'uid.body.details.kind', { is: 'ConfigMap' }),
      claim('details.kind is the Kind of a CR', 'custom.body.details.kind', { is: 'Thing' }),
      claim('nothing is deleted', 'after.status', { is: 200 }),
    ],
  },
  {
    id: 'e6-apply-conflict',
    section,
    shows: ['API-E6', 'API-S5'],
    title: '409 Conflict of an apply, with a cause per field',
    steps: [
      apply('create', `${configMaps}/x?fieldManager=m1`, configMap('x', { data: { k: '1' } }), { setup: true }),
      apply('conflict', `${configMaps}/x?fieldManager=m2`, configMap('x', { data: { k: '2' } })),
    ],
    claims: [
      claim('409', 'conflict.status', { is: 409 }),
      claim('Conflict', 'conflict.body.reason', { is: 'Conflict' }),
      claim('the message', 'conflict.body.message', {
        is: 'Apply failed with 1 conflict: conflict with "m1": .data.k',
      }),
      claim('the cause', 'conflict.body.details.causes', {
        is: [{ reason: 'FieldManagerConflict', message: 'conflict with "m1"', field: '.data.k' }],
      }),
    ],
  },
  {
    id: 'e6-already-exists',
    section,
    shows: ['API-E6', 'API-C5'],
    title: '409 AlreadyExists of a create: details.kind is the resource',
    steps: [post('first', configMaps, configMap('x'), { setup: true }), post('again', configMaps, configMap('x'))],
    claims: [
      claim('409', 'again.status', { is: 409 }),
      claim('HTTP code = code', 'again.body.code', { is: 409 }),
      claim('AlreadyExists', 'again.body.reason', { is: 'AlreadyExists' }),
      claim('details', 'again.body.details', { is: { name: 'x', kind: 'configmaps' } }),
    ],
  },
  {
    id: 'e7-exact-list',
    section,
    shows: ['API-E7', 'API-L7'],
    title: 'an exact list of a version long gone is 410 Expired',
    steps: [
      post('create', configMaps, configMap('x'), { setup: true }),
      get('exact', `${configMaps}?resourceVersion=1&resourceVersionMatch=Exact`),
      get('limited', `${configMaps}?resourceVersion=1&limit=1`),
    ],
    claims: ['exact', 'limited'].flatMap((step) => [
      claim(`410: ${step}`, `${step}.status`, { is: 410 }),
      claim(`HTTP code = code: ${step}`, `${step}.body.code`, { is: 410 }),
      claim(`Expired: ${step}`, `${step}.body.reason`, { is: 'Expired' }),
      claim(`the message: ${step}`, `${step}.body.message`, {
        is: 'The resourceVersion for the provided list is too old.',
      }),
    ]),
  },
  {
    id: 'e7-continue',
    section,
    shows: ['API-E7', 'API-L6'],
    title: 'a continue token of a version long gone is 410 Expired, with a token that goes on',
    steps: [
      post('a', configMaps, configMap('a'), { setup: true }),
      post('b', configMaps, configMap('b'), { setup: true }),
      post('c', configMaps, configMap('c'), { setup: true }),
      get('expired', `${configMaps}?limit=1&continue=${token('a\0')}`),
      get('on', `${configMaps}?limit=1&continue={{expired.body.metadata.continue}}`),
    ],
    claims: [
      claim('410', 'expired.status', { is: 410 }),
      claim('Expired', 'expired.body.reason', { is: 'Expired' }),
      claim('a token that goes on', 'expired.body.metadata.continue', { present: true }),
      claim('it goes on', 'on.body.items.0.metadata.name', { is: 'b' }),
      claim('with the rest', 'on.body.metadata.continue', { present: true }),
    ],
  },
  {
    id: 'e7-watch',
    section,
    shows: ['API-E7', 'API-W3'],
    title: 'a watch from a version long gone is 200 and one ERROR event with 410 Expired',
    steps: [
      post('create', configMaps, configMap('x'), { setup: true }),
      { do: 'watch', name: 'w', path: `${configMaps}?watch=1&resourceVersion=1` },
      { do: 'events', name: 'seen', of: 'w', untilEnd: true },
    ],
    claims: [
      claim('200', 'seen.status', { is: 200 }),
      claim('one event', 'seen.events', { length: 1 }),
      claim('ERROR', 'seen.events.0.type', { is: 'ERROR' }),
      claim('410', 'seen.events.0.object.code', { is: 410 }),
      claim('Expired', 'seen.events.0.object.reason', { is: 'Expired' }),
      claim('the message', 'seen.events.0.object.message', { matches: '^too old resource version: 1 \\(\\d+\\)$' }),
      claim('then it ends', 'seen.ended', { is: true }),
    ],
  },
  {
    id: 'e8-body-too-large',
    section,
    shows: ['API-E8', 'API-M1'],
    title: 'a body of more than 3 MiB is 413',
    steps: [
      post('post', configMaps, { text: '{{times:3145729:: }}' }),
      put('put', `${configMaps}/x`, { text: '{{times:3145729:: }}' }),
      jsonPatch('patch', `${configMaps}/x`, { text: '{{times:3145729:: }}' }),
      post('just', configMaps, { text: '{{times:3145728:: }}' }),
    ],
    claims: [
      ...['post', 'put', 'patch'].flatMap((step) => [
        claim(`413: ${step}`, `${step}.status`, { is: 413 }),
        claim(`HTTP code = code: ${step}`, `${step}.body.code`, { is: 413 }),
        claim(`the reason: ${step}`, `${step}.body.reason`, { is: 'RequestEntityTooLarge' }),
        claim(`the message: ${step}`, `${step}.body.message`, {
          is: 'Request entity too large: limit is 3145728',
        }),
      ]),
      claim('3 MiB are taken', 'just.status', { is: 400 }),
    ],
  },
  {
    id: 'e8-patch-too-long',
    section,
    shows: ['API-E8', 'API-P1'],
    title: 'a JSON patch of more than 10,000 operations is 413',
    steps: [
      ...define('crd', things({ type: 'object' })),
      post('create', configMaps, configMap('x'), { setup: true }),
      post('thing', thingsPath, thing('x'), { setup: true }),
      jsonPatch('over', `${configMaps}/x`, {
        text: '[{{times:10001:,:{"op":"test","path":"/kind","value":"ConfigMap"} }}]',
      }),
      jsonPatch('just', `${configMaps}/x`, {
        text: '[{{times:10000:,:{"op":"test","path":"/kind","value":"ConfigMap"} }}]',
      }),
      jsonPatch('custom', `${thingsPath}/x`, {
        text: '[{{times:10001:,:{"op":"test","path":"/kind","value":"Thing"} }}]',
      }),
    ],
    claims: [
      claim('413', 'over.status', { is: 413 }),
      claim('the reason', 'over.body.reason', { is: 'RequestEntityTooLarge' }),
      claim('10,000 are taken', 'just.status', { is: 200 }),
      claim('413 for a CR', 'custom.status', { is: 413 }),
    ],
  },
];
