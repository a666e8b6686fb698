import type { Case, RequestStep } from '../../src/case.ts';
import {
  apply,
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
  strategicPatch,
  thing,
  things,
  thingsPath,
} from '../../src/steps.ts';
import { anyCauses, applied, deployment, deployments, entry, managersOf } from './manifests.ts';

const x = `${configMaps}/x`;
const openSpec = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;
const two = (index: number): string => String(index).padStart(2, '0');
const writers = (from: number, to: number): RequestStep[] =>
  Array.from({ length: to - from + 1 }, (_, index) => two(from + index)).map((n) =>
    mergePatch(`write-${n}`, `${x}?fieldManager=u${n}`, { data: { [`k${n}`]: n } }, { setup: true }),
  );

export const otherWriters: readonly Case[] = [
  {
    id: 's4-manager-name',
    section: 'patch-apply',
    shows: ['API-S4'],
    title: 'the manager is fieldManager, or the User-Agent up to its first slash',
    steps: [
      post('agent', configMaps, configMap('a', { data: { k: 'v' } }), {
        send: { 'user-agent': 'agent/v1.2.3 (linux/amd64) kubernetes/abc' },
      }),
      post('no-slash', configMaps, configMap('b', { data: { k: 'v' } }), { send: { 'user-agent': 'plain agent' } }),
      post('slash-first', configMaps, configMap('c', { data: { k: 'v' } }), { send: { 'user-agent': '/v1' } }),
      post('no-agent', configMaps, configMap('d', { data: { k: 'v' } }), { send: { 'user-agent': '' } }),
      post('long-agent', configMaps, configMap('e', { data: { k: 'v' } }), {
        send: { 'user-agent': `${'a'.repeat(200)}/v1` },
      }),
      post('named', `${configMaps}?fieldManager=named`, configMap('f', { data: { k: 'v' } }), {
        send: { 'user-agent': 'agent/v1' },
      }),
      post('empty-name', `${configMaps}?fieldManager=`, configMap('g', { data: { k: 'v' } }), {
        send: { 'user-agent': 'agent/v1' },
      }),
      apply('apply', applied(`${configMaps}/h`, 'named'), configMap('h', { data: { k: 'v' } }), {
        send: { 'user-agent': 'agent/v1' },
      }),
    ],
    claims: [
      claim('User-Agent up to the first slash', entry('agent', 0, 'manager'), { is: 'agent' }),
      claim('all of it without one', entry('no-slash', 0, 'manager'), { is: 'plain agent' }),
      claim('nothing before it', entry('slash-first', 0, 'manager'), { is: 'unknown' }),
      claim('fieldManager first', entry('named', 0, 'manager'), { is: 'named' }),
      claim('an empty one is none', entry('empty-name', 0, 'manager'), { is: 'agent' }),
    ],
  },
  {
    id: 's4-verbs',
    section: 'patch-apply',
    shows: ['API-S4'],
    title: 'every other write owns the fields it changes',
    steps: [
      post('post', `${configMaps}?fieldManager=w1-post`, configMap('x', { data: { a: '1' } })),
      put('put', `${x}?fieldManager=w2-put`, configMap('x', { data: { a: '1', b: '2' } })),
      mergePatch('merge', `${x}?fieldManager=w3-merge`, { data: { c: '3', a: '1' } }),
      jsonPatch('json', `${x}?fieldManager=w4-json`, [{ op: 'add', path: '/data/d', value: '4' }]),
      strategicPatch('strategic', `${x}?fieldManager=w5-strategic`, { data: { e: '5' } }),
      mergePatch('no-change', `${x}?fieldManager=w6-none`, { data: { e: '5' } }),
      mergePatch('finalizer', `${x}?fieldManager=w7-finalizer`, { metadata: { finalizers: ['example.com/f'] } }),
      remove('delete', x),
      get('deleting', x),
    ],
    claims: [
      claim('POST', entry('post', 0), { contains: { manager: 'w1-post', operation: 'Update' } }),
      claim('PUT owns what it changed', entry('put', 1, 'fieldsV1'), { is: { 'f:data': { 'f:b': {} } } }),
      claim('merge patch', entry('merge', 2, 'fieldsV1'), { is: { 'f:data': { 'f:c': {} } } }),
      claim('JSON patch', entry('json', 3, 'fieldsV1'), { is: { 'f:data': { 'f:d': {} } } }),
      claim('strategic merge patch', entry('strategic', 4, 'fieldsV1'), { is: { 'f:data': { 'f:e': {} } } }),
      claim('what changes nothing owns nothing', managersOf('no-change'), { length: 5 }),
      claim('a delete owns nothing', managersOf('deleting'), { length: 6 }),
    ],
  },
  {
    id: 's4-takes-silently',
    section: 'patch-apply',
    shows: ['API-S4'],
    title: 'a write takes fields from whoever had them, without a word',
    steps: [
      apply('apply', applied(x, 'm1'), configMap('x', { data: { a: '1', b: '2' } })),
      mergePatch('change', `${x}?fieldManager=m2`, { data: { a: 'changed' } }),
      mergePatch('change-again', `${x}?fieldManager=m3`, { data: { a: 'other' } }),
      mergePatch('remove', `${x}?fieldManager=m3`, { data: { b: null } }),
      mergePatch('remove-all', `${x}?fieldManager=m4`, { data: null }),
      ...define('crd', things(openSpec)),
      apply(
        'custom',
        applied(`${thingsPath}/x`, 'm1'),
        thing('x', { spec: { a: 1, list: ['a'], deep: { b: 1, c: 2 } } }),
      ),
      mergePatch('custom-change', `${thingsPath}/x?fieldManager=m2`, { spec: { list: ['b'], deep: { b: 2 } } }),
      mergePatch('custom-type', `${thingsPath}/x?fieldManager=m3`, { spec: { deep: 'text' } }),
    ],
    claims: [
      claim('no conflict', 'change.status', { is: 200 }),
      claim('no warning', 'change.headers.warning', { present: false }),
      claim('the first loses it', entry('change', 0, 'fieldsV1'), { is: { 'f:data': { 'f:b': {} } } }),
      claim('the second has it', entry('change', 1, 'fieldsV1'), { is: { 'f:data': { 'f:a': {} } } }),
      claim('an entry with nothing left goes', managersOf('change-again'), { length: 2 }),
      claim('a removed field belongs to nobody', managersOf('remove'), { length: 1 }),
      claim('nothing left, nobody', 'remove-all.body.metadata.managedFields', { present: false }),
    ],
  },
  {
    id: 's4-ancient-changes',
    section: 'patch-apply',
    shows: ['API-S4'],
    title: 'above ten Update entries the oldest become ancient-changes',
    steps: [
      apply('apply', applied(x, 'm1'), configMap('x', { data: { applied: '1' } }), { setup: true }),
      ...writers(1, 9),
      mergePatch('tenth', `${x}?fieldManager=u10`, { data: { k10: '10' } }),
      mergePatch('eleventh', `${x}?fieldManager=u11`, { data: { k11: '11' } }),
      mergePatch('twelfth', `${x}?fieldManager=u12`, { data: { k12: '12' } }),
      apply('another-apply', applied(x, 'm2'), configMap('x', { data: { more: '1' } })),
      apply(
        'conflict',
        applied(x, 'm1'),
        configMap('x', { data: { applied: '1', k01: 'mine', k12: 'mine' } }),
        anyCauses,
      ),
    ],
    claims: [
      claim('ten are kept', managersOf('tenth'), { length: 11 }),
      claim('the eleventh pushes the oldest two together', managersOf('eleventh'), { length: 11 }),
      claim('ancient-changes', managersOf('eleventh'), {
        contains: {
          manager: 'ancient-changes',
          operation: 'Update',
          fieldsV1: { 'f:data': { 'f:k01': {}, 'f:k02': {} } },
        },
      }),
      claim('and takes the next', managersOf('twelfth'), {
        contains: { manager: 'ancient-changes', fieldsV1: { 'f:data': { 'f:k01': {}, 'f:k02': {}, 'f:k03': {} } } },
      }),
      claim('applies do not count', managersOf('another-apply'), { length: 12 }),
      claim('it conflicts as any other', 'conflict.body.message', {
        matches: 'conflicts with "ancient-changes" using v1',
      }),
    ],
  },
  {
    id: 's4-before-first-apply',
    section: 'patch-apply',
    shows: ['API-S4'],
    title: 'the first apply to an untracked object gives what is there to before-first-apply',
    steps: [
      post('create', configMaps, configMap('x', { metadata: { labels: { a: '1' } }, data: { k: 'v', l: 'w' } }), {
        setup: true,
      }),
      mergePatch('untracked', x, { metadata: { managedFields: [{}] } }),
      apply('conflict', applied(x, 'm1'), configMap('x', { data: { k: 'other' } })),
      apply('shared', applied(x, 'm1'), configMap('x', { data: { k: 'v' } })),
      apply('forced', applied(x, 'm1', 'force=true'), configMap('x', { data: { k: 'mine' } })),
      post('create-deployment', deployments, deployment('d'), { setup: true }),
      mergePatch('untracked-deployment', `${deployments}/d`, { metadata: { managedFields: [{}] } }, { setup: true }),
      apply('deployment', applied(`${deployments}/d`, 'm1'), {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'd', labels: { a: '1' } },
      }),
      ...define('crd', things(openSpec)),
      post('create-thing', thingsPath, thing('x', { spec: { n: 1 }, status: { s: 1 } }), { setup: true }),
      mergePatch('untracked-thing', `${thingsPath}/x`, { metadata: { managedFields: [{}] } }, { setup: true }),
      apply('thing', applied(`${thingsPath}/x`, 'm1'), thing('x', { spec: { m: 1 } })),
    ],
    claims: [
      claim('untracked', 'untracked.body.metadata.managedFields', { present: false }),
      claim('what is there is owned', 'conflict.body.message', {
        is: 'Apply failed with 1 conflict: conflict with "before-first-apply" using v1: .data.k',
      }),
      claim('before-first-apply', managersOf('shared'), {
        contains: {
          manager: 'before-first-apply',
          operation: 'Update',
          fieldsV1: {
            'f:data': { '.': {}, 'f:k': {}, 'f:l': {} },
            'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } },
          },
        },
      }),
      claim('of a custom resource', managersOf('thing'), { contains: { manager: 'before-first-apply' } }),
    ],
  },
];
