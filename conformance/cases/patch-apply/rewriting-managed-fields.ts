import type { Case, Json } from '../../src/case.ts';
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
  strategicPatch,
  thing,
  things,
  thingsPath,
} from '../../src/steps.ts';
import { applied, deployment, deployments, entry, managersOf } from './manifests.ts';

const x = `${configMaps}/x`;
const old = '2020-01-01T00:00:00Z';
const sent = (more: { [key: string]: Json }): Json => ({
  manager: 'sent',
  operation: 'Apply',
  apiVersion: 'v1',
  time: old,
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:data': { 'f:k': {} } },
  ...more,
});
const withFields = (managedFields: Json, data: Json = { k: 'v' }): { [key: string]: Json } =>
  configMap('x', { metadata: { managedFields }, data });
const tracked = post('create', `${configMaps}?fieldManager=m0`, configMap('x', { data: { k: 'v' } }), { setup: true });
const again = (name: string): ReturnType<typeof put> =>
  mergePatch(
    name,
    `${x}?fieldManager=m0`,
    { metadata: { managedFields: [sent({ manager: 'm0', operation: 'Update' })] } },
    { setup: true },
  );
const trackedAgain = (name: string): ReturnType<typeof put> =>
  apply(name, applied(x, 'm0', 'force=true'), configMap('x', { data: { k: 'v' } }), { setup: true });
const gone = (step: string) => claim(`cleared: ${step}`, managersOf(step), { present: false });
const kept = (step: string) => claim(`kept: ${step}`, entry(step, 0, 'manager'), { is: 'm0' });

const invalid: readonly (readonly [string, { [key: string]: Json }])[] = [
  ['no-operation', { operation: '' }],
  ['unknown-operation', { operation: 'Create' }],
  ['no-version', { apiVersion: '' }],
  ['no-fields-type', { fieldsType: '' }],
  ['unknown-fields-type', { fieldsType: 'FieldsV2' }],
  ['no-colon', { fieldsV1: { data: {} } }],
  ['broken-key', { fieldsV1: { 'f:data': { 'k:{"a"': {} } } }],
  ['broken-value', { fieldsV1: { 'f:data': { 'v:{': {} } } }],
  ['broken-index', { fieldsV1: { 'f:data': { 'i:one': {} } } }],
];

export const rewritingManagedFields: readonly Case[] = [
  {
    id: 's9-reset',
    section: 'patch-apply',
    shows: ['API-S9'],
    title: '[{}] clears managedFields, and [] does so in a built-in kind',
    steps: [
      tracked,
      put('put-reset', x, withFields([{}])),
      trackedAgain('tracked-1'),
      put('put-empty', x, withFields([])),
      trackedAgain('tracked-2'),
      mergePatch('merge-reset', x, { metadata: { managedFields: [{}] } }),
      trackedAgain('tracked-3'),
      jsonPatch('json-reset', x, [{ op: 'replace', path: '/metadata/managedFields', value: [{}] }]),
      trackedAgain('tracked-4'),
      strategicPatch('strategic-reset', x, { metadata: { managedFields: [{}] } }),
      trackedAgain('tracked-5'),
      mergePatch('merge-empty', x, { metadata: { managedFields: [] } }),
      trackedAgain('tracked-6'),
      jsonPatch('json-empty', x, [{ op: 'add', path: '/metadata/managedFields', value: [] }]),
      trackedAgain('tracked-7'),
      strategicPatch('strategic-empty', x, { metadata: { managedFields: [] } }),
    ],
    claims: [
      gone('put-reset'),
      gone('put-empty'),
      gone('merge-reset'),
      gone('json-reset'),
      gone('strategic-reset'),
      gone('merge-empty'),
      gone('json-empty'),
      gone('strategic-empty'),
    ],
  },
  {
    id: 's9-kept',
    section: 'patch-apply',
    shows: ['API-S9'],
    title: 'managedFields that are left out, null or removed are kept',
    steps: [
      tracked,
      put('put-left-out', x, configMap('x', { data: { k: 'v' } })),
      put('put-null', x, withFields(null)),
      put('put-left-out-with-change', `${x}?fieldManager=m1`, configMap('x', { data: { k: 'v', l: 'w' } })),
      mergePatch('merge-null', x, { metadata: { managedFields: null } }),
      jsonPatch('json-remove', x, [{ op: 'remove', path: '/metadata/managedFields' }]),
      strategicPatch('strategic-null', x, { metadata: { managedFields: null } }),
      put('put-two-empty', x, withFields([{}, {}], { k: 'v', l: 'w' })),
    ],
    claims: [
      kept('put-left-out'),
      kept('put-null'),
      kept('put-left-out-with-change'),
      claim('and the change is tracked', managersOf('put-left-out-with-change'), { length: 2 }),
      kept('merge-null'),
      kept('json-remove'),
      kept('strategic-null'),
      kept('put-two-empty'),
    ],
  },
  {
    id: 's9-custom-reset',
    section: 'patch-apply',
    shows: ['API-S9'],
    title: 'of a custom resource [{}] clears them, [] does not',
    steps: [
      ...define(
        'crd',
        things(
          { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          { version: { subresources: { status: {} } } },
        ),
      ),
      post('create', `${thingsPath}?fieldManager=m0`, thing('x', { spec: { n: 1 } }), { setup: true }),
      mergePatch('by-status', `${thingsPath}/x/status`, { metadata: { managedFields: [{}] } }),
      mergePatch('merge-reset', `${thingsPath}/x`, { metadata: { managedFields: [{}] } }),
      apply('tracked', applied(`${thingsPath}/x`, 'm0'), thing('x', { spec: { n: 1 } })),
      put('put-empty', `${thingsPath}/x`, {
        ...thing('x', { spec: { n: 1 } }),
        metadata: { name: 'x', resourceVersion: '{{tracked.body.metadata.resourceVersion}}', managedFields: [] },
      }),
      apply('tracked-again', applied(`${thingsPath}/x`, 'm0'), thing('x', { spec: { n: 1 } }), { setup: true }),
      mergePatch('merge-empty', `${thingsPath}/x`, { metadata: { managedFields: [] } }),
      get('end', `${thingsPath}/x`),
    ],
    claims: [
      gone('merge-reset'),
      claim('[] in a PUT does not', managersOf('put-empty'), { length: 2 }),
      claim('nor in a merge patch', managersOf('merge-empty'), { length: 2 }),
      claim('a subresource does not clear them', managersOf('by-status'), { length: 1 }),
    ],
  },
  {
    id: 's9-untracked',
    section: 'patch-apply',
    shows: ['API-S9', 'API-S4'],
    title: 'other writes of a cleared object stay untracked until the next apply',
    steps: [
      tracked,
      mergePatch('reset', x, { metadata: { managedFields: [{}] } }),
      mergePatch('merge', `${x}?fieldManager=m1`, { data: { a: '1' } }),
      put('put', `${x}?fieldManager=m2`, configMap('x', { data: { k: 'v', a: '1', b: '2' } })),
      jsonPatch('json', `${x}?fieldManager=m3`, [{ op: 'add', path: '/data/c', value: '3' }]),
      apply('apply', applied(x, 'm4'), configMap('x', { data: { d: '4' } })),
      mergePatch('tracked', `${x}?fieldManager=m5`, { data: { e: '5' } }),
    ],
    claims: [
      gone('reset'),
      gone('merge'),
      gone('put'),
      gone('json'),
      claim('until the next apply', managersOf('apply'), { length: 2 }),
      claim('what was there has an owner', entry('apply', 1, 'manager'), { is: 'before-first-apply' }),
      claim('then updates too', managersOf('tracked'), { length: 3 }),
    ],
  },
  {
    id: 's9-written',
    section: 'patch-apply',
    shows: ['API-S9'],
    title: 'valid entries that are sent take the place of the stored ones',
    steps: [
      tracked,
      mergePatch('written', `${x}?fieldManager=m1`, { metadata: { managedFields: [sent({})] } }),
      mergePatch('written-with-change', `${x}?fieldManager=m1`, {
        metadata: { managedFields: [sent({})] },
        data: { k: 'w', l: '1' },
      }),
      put('no-fields', `${x}?fieldManager=m2`, withFields([sent({ fieldsV1: null })], { k: 'w', l: '1' })),
      put(
        'no-time',
        `${x}?fieldManager=m2`,
        withFields(
          [
            {
              manager: 'a',
              operation: 'Update',
              apiVersion: 'v1',
              fieldsType: 'FieldsV1',
              fieldsV1: { 'f:data': { 'f:k': {} } },
            },
          ],
          { k: 'w', l: '1' },
        ),
      ),
      put('no-manager', `${x}?fieldManager=m2`, withFields([sent({ manager: '' })], { k: 'w', l: '1' })),
      put(
        'twice',
        `${x}?fieldManager=m2`,
        withFields([sent({}), sent({ fieldsV1: { 'f:data': { 'f:l': {} } } })], { k: 'w', l: '1' }),
      ),
      put(
        'sorted',
        `${x}?fieldManager=m2`,
        withFields([sent({ operation: 'Update', manager: 'z' }), sent({ manager: 'b' }), sent({ manager: 'a' })], {
          k: 'w',
          l: '1',
        }),
      ),
      put(
        'by-time',
        `${x}?fieldManager=m2`,
        withFields(
          [
            sent({ manager: 'a', time: '2020-01-02T00:00:00Z' }),
            sent({ manager: 'b' }),
            sent({ manager: 'c', time: null }),
            sent({ manager: 'd', operation: 'Update', time: '2019-01-01T00:00:00Z' }),
            sent({ manager: 'e', operation: 'Update', time: null }),
          ],
          { k: 'w', l: '1' },
        ),
      ),
      put(
        'fields-that-are-not-there',
        `${x}?fieldManager=m2`,
        withFields([sent({ fieldsV1: { 'f:data': { 'f:none': {} }, 'f:nowhere': {} } })], { k: 'w', l: '1' }),
      ),
      post(
        'on-create',
        `${configMaps}?fieldManager=m3`,
        configMap('y', { metadata: { managedFields: [sent({})] }, data: { k: 'v', l: 'w' } }),
      ),
      post(
        'empty-on-create',
        `${configMaps}?fieldManager=m3`,
        configMap('z', { metadata: { managedFields: [] }, data: { k: 'v' } }),
      ),
      post(
        'reset-on-create',
        `${configMaps}?fieldManager=m3`,
        configMap('w', { metadata: { managedFields: [{}] }, data: { k: 'v' } }),
      ),
    ],
    claims: [
      claim('written', entry('written', 0), { contains: { manager: 'sent', operation: 'Apply', time: old } }),
      claim('a change beside is tracked', managersOf('written-with-change'), {
        contains: { manager: 'm1', operation: 'Update' },
      }),
      claim('sorted by operation and name', managersOf('sorted'), { length: 3 }),
      ...['c', 'b', 'a', 'e', 'd'].map((manager, index) =>
        claim(`by operation, then time: ${manager}`, entry('by-time', index, 'manager'), { is: manager }),
      ),
      claim('applies first', entry('sorted', 0, 'manager'), { is: 'a' }),
      claim('updates last', entry('sorted', 2, 'manager'), { is: 'z' }),
    ],
  },
  {
    id: 's9-invalid-entries',
    section: 'patch-apply',
    shows: ['API-S9'],
    title: 'one invalid entry voids the whole list sent, the stored one stays, and it is not an error',
    steps: [
      tracked,
      ...invalid.map(([name, more]) =>
        put(name, `${x}?fieldManager=m1`, withFields([sent({ manager: 'good' }), sent(more)])),
      ),
      mergePatch('by-merge-patch', `${x}?fieldManager=m1`, {
        metadata: { managedFields: [sent({ fieldsType: 'FieldsV2' })] },
      }),
      put(
        'unknown-step',
        `${x}?fieldManager=m1`,
        withFields([sent({ fieldsV1: { 'x:what': {}, 'f:data': { 'f:k': {}, 'x:inner': { 'f:deep': {} } } } })]),
      ),
      again('back'),
      put('only-unknown-steps', `${x}?fieldManager=m1`, withFields([sent({ fieldsV1: { 'x:what': {} } })])),
      again('back-again'),
      put('wrong-type', `${x}?fieldManager=m1`, withFields('text')),
      put('wrong-entry-type', `${x}?fieldManager=m1`, withFields(['text'])),
      put('wrong-fields-type', `${x}?fieldManager=m1`, withFields([sent({ fieldsV1: 'text' })])),
      put('bad-time', `${x}?fieldManager=m1`, withFields([sent({ time: 'yesterday' })])),
      get('end', x),
    ],
    claims: [
      ...invalid.flatMap(([name]) => [claim('never an error', `${name}.status`, { is: 200 }), kept(name)]),
      kept('by-merge-patch'),
      claim('only steps of an unknown kind are dropped one by one', entry('unknown-step', 0), {
        contains: { manager: 'sent', fieldsV1: { 'f:data': { 'f:k': {} } } },
      }),
    ],
  },
  {
    id: 's9-kubectl-rewrite',
    section: 'patch-apply',
    shows: ['API-S9', 'API-O5'],
    title: 'kubectl’s migration from client-side apply rewrites managedFields by a JSON patch',
    steps: [
      post('create', `${deployments}?fieldManager=kubectl-client-side-apply`, deployment('d'), { setup: true }),
      get('read', `${deployments}/d`),
      jsonPatch('rewrite', `${deployments}/d`, [
        {
          op: 'replace',
          path: '/metadata/managedFields',
          value: [
            {
              manager: 'kubectl',
              operation: 'Apply',
              apiVersion: 'apps/v1',
              time: old,
              fieldsType: 'FieldsV1',
              fieldsV1: { 'f:spec': { 'f:replicas': {}, 'f:selector': {} } },
            },
          ],
        },
        { op: 'replace', path: '/metadata/resourceVersion', value: '{{read.body.metadata.resourceVersion}}' },
      ]),
      jsonPatch('stale', `${deployments}/d`, [
        { op: 'replace', path: '/metadata/managedFields', value: [{}] },
        { op: 'replace', path: '/metadata/resourceVersion', value: '{{read.body.metadata.resourceVersion}}' },
      ]),
      apply('left-out', applied(`${deployments}/d`, 'kubectl'), {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'd' },
        spec: { selector: { matchLabels: { app: 'd' } } },
      }),
      get('end', `${deployments}/d`),
    ],
    claims: [
      claim('works', 'rewrite.status', { is: 200 }),
      claim('one entry', managersOf('rewrite'), { length: 1 }),
      claim('as written', entry('rewrite', 0), { contains: { manager: 'kubectl', operation: 'Apply', time: old } }),
      claim('conditional', 'stale.status', { is: 409 }),
      claim('the rewritten owner counts', 'left-out.body.spec.replicas', { is: 1 }),
    ],
  },
];
