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
  strategicPatch,
  thing,
  things,
  thingsPath,
} from '../../src/steps.ts';
import { applied } from './manifests.ts';

const x = `${configMaps}/x`;
const openSpec = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;
const modified =
  'Operation cannot be fulfilled on configmaps "x": the object has been modified; please apply your changes to the latest version and try again';

const racing = (path: string, key: string, keys: readonly string[]): RequestStep[] =>
  keys.map((name) =>
    mergePatch(
      `race-${name}`,
      path,
      { [key]: { [name]: '1' } },
      { only: ['status'], because: 'who comes first is not settled' },
    ),
  );

const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

export const conditionalPatches: readonly Case[] = [
  {
    id: 'p3-missing-object',
    section: 'patch-apply',
    shows: ['API-P3'],
    title: 'a patch of a missing object is 404, whatever its kind; only apply creates',
    steps: [
      ...define('crd', things(openSpec)),
      jsonPatch('json', x, [{ op: 'add', path: '/data', value: {} }]),
      mergePatch('merge', x, { data: { k: 'v' } }),
      strategicPatch('strategic', x, { data: { k: 'v' } }),
      mergePatch('custom', `${thingsPath}/x`, { spec: { n: 1 } }),
      jsonPatch('custom-json', `${thingsPath}/x`, [{ op: 'add', path: '/spec', value: {} }]),
      mergePatch('with-version', x, { metadata: { resourceVersion: '1' }, data: { k: 'v' } }),
      jsonPatch('undecodable', x, { text: 'no' }),
      mergePatch('missing-namespace', '/api/v1/namespaces/{{ns}}-none/configmaps/x', { data: { k: 'v' } }),
      mergePatch('dry-run', `${x}?dryRun=All`, { data: { k: 'v' } }),
      apply('apply', applied(x, 'm1'), configMap('x', { data: { k: 'v' } })),
      apply('apply-missing-namespace', applied('/api/v1/namespaces/{{ns}}-none/configmaps/x', 'm1'), configMap('x')),
    ],
    claims: [
      claim('404 for a JSON patch', 'json.status', { is: 404 }),
      claim('404 for a merge patch', 'merge.status', { is: 404 }),
      claim('404 for a strategic merge patch', 'strategic.status', { is: 404 }),
      claim('404 for a custom resource', 'custom.status', { is: 404 }),
      claim('NotFound', 'merge.body.message', { is: 'configmaps "x" not found' }),
      claim('only apply creates', 'apply.status', { is: 201 }),
    ],
  },
  {
    id: 'p3-version',
    section: 'patch-apply',
    shows: ['API-P3'],
    title: 'with a resourceVersion a patch is conditional',
    steps: [
      post('create', configMaps, configMap('x', { data: { k: 'v' } })),
      mergePatch('current', x, {
        metadata: { resourceVersion: '{{create.body.metadata.resourceVersion}}' },
        data: { k: '1' },
      }),
      mergePatch('stale-merge', x, {
        metadata: { resourceVersion: '{{create.body.metadata.resourceVersion}}' },
        data: { k: '2' },
      }),
      strategicPatch('stale-strategic', x, {
        metadata: { resourceVersion: '{{create.body.metadata.resourceVersion}}' },
        data: { k: '2' },
      }),
      jsonPatch('stale-json', x, [
        { op: 'replace', path: '/metadata/resourceVersion', value: '{{create.body.metadata.resourceVersion}}' },
        { op: 'replace', path: '/data/k', value: '2' },
      ]),
      apply(
        'stale-apply',
        applied(x, 'm1', 'force=true'),
        configMap('x', { metadata: { resourceVersion: '{{create.body.metadata.resourceVersion}}' }, data: { k: '2' } }),
      ),
      mergePatch('stale-without-change', x, {
        metadata: { resourceVersion: '{{create.body.metadata.resourceVersion}}' },
      }),
      mergePatch('null-version', x, { metadata: { resourceVersion: null }, data: { k: '3' } }),
      mergePatch('empty-version', x, { metadata: { resourceVersion: '' }, data: { k: '4' } }),
      mergePatch('no-number', x, { metadata: { resourceVersion: 'abc' }, data: { k: '5' } }),
      jsonPatch('tested', x, [
        { op: 'test', path: '/metadata/resourceVersion', value: '{{create.body.metadata.resourceVersion}}' },
        { op: 'replace', path: '/data/k', value: '2' },
      ]),
      get('end', x),
    ],
    claims: [
      claim('the current version is taken', 'current.status', { is: 200 }),
      claim('409 for a stale merge patch', 'stale-merge.status', { is: 409 }),
      claim('the message', 'stale-merge.body.message', { is: modified }),
      claim('409 for a stale strategic merge patch', 'stale-strategic.status', { is: 409 }),
      claim('409 for a stale JSON patch', 'stale-json.status', { is: 409 }),
      claim('409 for a stale apply', 'stale-apply.status', { is: 409 }),
      claim('even if nothing changes', 'stale-without-change.status', { is: 409 }),
      claim('null is not a condition', 'null-version.status', { is: 200 }),
      claim('nor is an empty one', 'empty-version.status', { is: 200 }),
    ],
  },
  {
    id: 'p3-custom-version',
    section: 'patch-apply',
    shows: ['API-P3'],
    title: 'a custom resource is patched without a version, or on the condition of one',
    steps: [
      ...define('crd', things(openSpec)),
      post('create', thingsPath, thing('x', { spec: { n: 1 } })),
      mergePatch('without', `${thingsPath}/x`, { spec: { n: 2 } }),
      mergePatch('stale', `${thingsPath}/x`, {
        metadata: { resourceVersion: '{{create.body.metadata.resourceVersion}}' },
        spec: { n: 3 },
      }),
      mergePatch('null-version', `${thingsPath}/x`, { metadata: { resourceVersion: null }, spec: { n: 4 } }),
      apply(
        'stale-apply',
        applied(`${thingsPath}/x`, 'm1', 'force=true'),
        thing('x', { metadata: { resourceVersion: '{{create.body.metadata.resourceVersion}}' }, spec: { n: 5 } }),
      ),
      jsonPatch('removed-version', `${thingsPath}/x`, [
        { op: 'remove', path: '/metadata/resourceVersion' },
        { op: 'replace', path: '/spec/n', value: 6 },
      ]),
    ],
    claims: [
      claim('without a version: unconditional', 'without.status', { is: 200 }),
      claim('with a stale one: 409', 'stale.status', { is: 409 }),
      claim('the apply as well', 'stale-apply.status', { is: 409 }),
    ],
  },
  {
    id: 'p3-races',
    section: 'patch-apply',
    shows: ['API-P3'],
    title: 'patches without a version that race are all done, and no client sees a conflict',
    steps: [
      ...define('crd', things(openSpec)),
      post('create', configMaps, configMap('x', { data: { k: 'v' } }), { setup: true }),
      post('create-thing', thingsPath, thing('x', { spec: {} }), { setup: true }),
      { do: 'together', name: 'race', requests: racing(x, 'data', letters) },
      { do: 'together', name: 'custom-race', requests: racing(`${thingsPath}/x`, 'spec', letters) },
      get('end', x),
      get('custom-end', `${thingsPath}/x`),
    ],
    claims: [
      ...letters.map((_, index) => claim('never 409', `race.answers.${index}.status`, { is: 200 })),
      ...letters.map((_, index) => claim('never 409', `custom-race.answers.${index}.status`, { is: 200 })),
      claim('every one is there', 'end.body.data', { length: 9 }),
      claim('in the custom resource too', 'custom-end.body.spec', { length: 8 }),
    ],
  },
  {
    id: 'p3-identity',
    section: 'patch-apply',
    shows: ['API-P3'],
    title: 'a patch cannot change name, namespace or uid',
    steps: [
      post('create', configMaps, configMap('x', { data: { k: 'v' } })),
      mergePatch('name', x, { metadata: { name: 'y' } }),
      mergePatch('namespace', x, { metadata: { namespace: 'default' } }),
      mergePatch('uid', x, { metadata: { uid: '00000000-0000-4000-8000-000000000000' } }),
      jsonPatch('json-name', x, [{ op: 'replace', path: '/metadata/name', value: 'y' }]),
      jsonPatch('json-namespace', x, [{ op: 'replace', path: '/metadata/namespace', value: 'default' }]),
      jsonPatch('json-uid', x, [
        { op: 'replace', path: '/metadata/uid', value: '00000000-0000-4000-8000-000000000000' },
      ]),
      strategicPatch('strategic-name', x, { metadata: { name: 'y' } }),
      strategicPatch('strategic-namespace', x, { metadata: { namespace: 'default' } }),
      strategicPatch('strategic-uid', x, { metadata: { uid: '00000000-0000-4000-8000-000000000000' } }),
      mergePatch('no-name', x, { metadata: { name: null } }),
      mergePatch('no-namespace', x, { metadata: { namespace: null } }),
      mergePatch('no-uid', x, { metadata: { uid: null } }),
      mergePatch('no-metadata', x, { metadata: null }),
      mergePatch('kind', x, { kind: 'Secret' }),
      mergePatch('api-version', x, { apiVersion: 'v2' }),
      mergePatch('no-kind', x, { kind: null }),
      mergePatch('generated', x, {
        metadata: { creationTimestamp: null, generation: 7, deletionTimestamp: '2020-01-01T00:00:00Z' },
      }),
      get('end', x),
    ],
    claims: [
      claim('name', 'name.status', { is: 400 }),
      claim('namespace', 'namespace.status', { is: 400 }),
      claim('uid', 'uid.status', { is: 422 }),
      claim('name by a JSON patch', 'json-name.status', { is: 400 }),
      claim('namespace by a JSON patch', 'json-namespace.status', { is: 400 }),
      claim('uid by a JSON patch', 'json-uid.status', { is: 422 }),
      claim('name by a strategic one', 'strategic-name.status', { is: 400 }),
      claim('namespace by a strategic one', 'strategic-namespace.status', { is: 400 }),
      claim('uid by a strategic one', 'strategic-uid.status', { is: 422 }),
    ],
  },
  {
    id: 'p3-custom-identity',
    section: 'patch-apply',
    shows: ['API-P3'],
    title: 'nor those of a custom resource',
    steps: [
      ...define('crd', things(openSpec)),
      post('create', thingsPath, thing('x', { spec: { n: 1 } })),
      mergePatch('name', `${thingsPath}/x`, { metadata: { name: 'y' } }),
      mergePatch('namespace', `${thingsPath}/x`, { metadata: { namespace: 'default' } }),
      mergePatch('uid', `${thingsPath}/x`, { metadata: { uid: '00000000-0000-4000-8000-000000000000' } }),
      mergePatch('no-metadata', `${thingsPath}/x`, { metadata: null }),
      mergePatch('kind', `${thingsPath}/x`, { kind: 'Other' }),
      mergePatch('api-version', `${thingsPath}/x`, { apiVersion: '{{group}}/v2' }),
      mergePatch('no-kind', `${thingsPath}/x`, { kind: null }),
      get('end', `${thingsPath}/x`),
    ],
    claims: [
      claim('name', 'name.status', { is: 400 }),
      claim('namespace', 'namespace.status', { is: 400 }),
      claim('uid', 'uid.status', { is: 422 }),
    ],
  },
];
