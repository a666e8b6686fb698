// dryRun=All: everything happens, nothing stays.
import type { Case, Json } from '../../src/case.ts';
import {
  apply,
  claim,
  configMap,
  configMaps,
  define,
  events,
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
  watch,
} from '../../src/steps.ts';
import { deployment, deployments } from './manifests.ts';

const section = 'create-update';
const dry = 'dryRun=All';
const admission = 'admissionregistration.k8s.io/v1';

const hookConfiguration = (kind: string, hook: string): Json => ({
  apiVersion: admission,
  kind,
  metadata: { name: '{{id}}' },
  webhooks: [
    {
      name: 'hook.example.com',
      clientConfig: { url: `{{hooks}}/${hook}`, caBundle: '{{hooksCA}}' },
      sideEffects: kind.startsWith('Mutating') ? 'None' : 'NoneOnDryRun',
      admissionReviewVersions: ['v1'],
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': '{{ns}}' } },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] }],
    },
  ],
});
const review = (response: { readonly [key: string]: Json }): { readonly json: Json } => ({
  json: { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid: '{{uid}}', ...response } },
});
const patch = [{ op: 'add', path: '/data', value: { by: 'hook' } }];

export const dryRun: readonly Case[] = [
  {
    id: 'c13-create',
    section,
    shows: ['API-C13'],
    title: 'a dry create answers as a real one and stores nothing',
    steps: [
      ...define('crd', things({ type: 'object', properties: { n: { type: 'integer', default: 7 } } })),
      get('before', configMaps, { setup: true }),
      watch('w', `${configMaps}?watch=1&resourceVersion={{before.body.metadata.resourceVersion}}`),
      post('built-in', `${configMaps}?${dry}`, configMap('x', { data: { k: 'v' } })),
      get('built-in-after', `${configMaps}/x`),
      post('custom', `${thingsPath}?${dry}`, thing('x', { spec: {} })),
      get('custom-after', `${thingsPath}/x`),
      post('defaults', `${deployments}?${dry}`, deployment('x')),
      get('defaults-after', `${deployments}/x`),
      post('generated', `${configMaps}?${dry}`, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { generateName: 'web-' },
      }),
      apply('applied', `${configMaps}/y?fieldManager=m&${dry}`, configMap('y', { data: { k: 'v' } })),
      get('applied-after', `${configMaps}/y`),
      events('heard', 'w', { count: 0, quietMs: 300 }),
    ],
    claims: [
      claim('201', 'built-in.status', { is: 201 }),
      claim('with a uid', 'built-in.body.metadata.uid', { present: true }),
      claim('without a version', 'built-in.body.metadata.resourceVersion', { present: false }),
      claim('stores nothing', 'built-in-after.status', { is: 404 }),
      claim('201 for a CR', 'custom.status', { is: 201 }),
      claim('runs the defaults of a CR', 'custom.body.spec.n', { is: 7 }),
      claim('stores nothing of a CR', 'custom-after.status', { is: 404 }),
      claim('runs defaults', 'defaults.body.spec.replicas', { is: 1 }),
      claim('stores no deployment', 'defaults-after.status', { is: 404 }),
      claim('runs name generation', 'generated.body.metadata.name', { matches: '^web-.{5}$' }),
      claim('runs an apply', 'applied.status', { is: 201 }),
      claim('stores nothing of an apply', 'applied-after.status', { is: 404 }),
      claim('no watcher hears of it', 'heard.events', { length: 0 }),
    ],
  },
  {
    id: 'c13-change',
    section,
    shows: ['API-C13'],
    title: 'a dry PUT, every dry PATCH and a dry status write answer with the change and store nothing',
    steps: [
      ...define(
        'crd',
        things(
          { type: 'object', properties: { n: { type: 'integer' } } },
          { version: { subresources: { status: {} } } },
        ),
      ),
      post('create', configMaps, configMap('x', { data: { k: '1' } })),
      put('put', `${configMaps}/x?${dry}`, configMap('x', { data: { k: '2' } })),
      mergePatch('merge', `${configMaps}/x?${dry}`, { data: { k: '3' } }),
      jsonPatch('json', `${configMaps}/x?${dry}`, [{ op: 'replace', path: '/data/k', value: '4' }]),
      strategicPatch('strategic', `${configMaps}/x?${dry}`, { data: { k: '5' } }),
      apply('apply', `${configMaps}/x?fieldManager=m&force=true&${dry}`, configMap('x', { data: { k: '6' } })),
      get('after', `${configMaps}/x`),
      post('thing', thingsPath, thing('x', { spec: { n: 1 } })),
      mergePatch('thing-merge', `${thingsPath}/x?${dry}`, { spec: { n: 2 } }),
      mergePatch('thing-status', `${thingsPath}/x/status?${dry}`, { status: { phase: 'Up' } }),
      get('thing-after', `${thingsPath}/x`),
    ],
    claims: [
      ...['put', 'merge', 'json', 'strategic', 'apply'].map((step, index) =>
        claim(`shows the change: ${step}`, `${step}.body.data.k`, { is: String(index + 2) }),
      ),
      ...['put', 'merge', 'json', 'strategic', 'apply'].map((step) =>
        claim(`the version stays: ${step}`, `${step}.body.metadata.resourceVersion`, {
          sameAs: 'create.body.metadata.resourceVersion',
        }),
      ),
      claim('stores nothing', 'after.body', { sameAs: 'create.body' }),
      claim('the generation shows', 'thing-merge.body.metadata.generation', { is: 2 }),
      claim('the status shows', 'thing-status.body.status.phase', { is: 'Up' }),
      claim('stores nothing of a CR', 'thing-after.body', { sameAs: 'thing.body' }),
    ],
  },
  {
    id: 'c13-delete',
    section,
    shows: ['API-C13', 'API-X8'],
    title: 'a dry delete, by query or by body, and a dry deletecollection delete nothing',
    steps: [
      post('plain', configMaps, configMap('plain', { metadata: { labels: { a: 'b' } } }), { setup: true }),
      post('held', configMaps, configMap('held', { metadata: { finalizers: ['example.com/hold'] } })),
      remove('delete', `${configMaps}/plain?${dry}`),
      remove('by-body', `${configMaps}/plain`, {
        body: { apiVersion: 'v1', kind: 'DeleteOptions', dryRun: ['All'] },
      }),
      remove('delete-held', `${configMaps}/held?${dry}`),
      remove('collection', `${configMaps}?labelSelector=a%3Db&${dry}`),
      get('plain-after', `${configMaps}/plain`),
      get('held-after', `${configMaps}/held`),
    ],
    claims: [
      claim('200', 'delete.status', { is: 200 }),
      claim('200 by body', 'by-body.status', { is: 200 }),
      claim('a pending delete shows', 'delete-held.body.metadata.deletionTimestamp', { present: true }),
      claim('200 for the collection', 'collection.status', { is: 200 }),
      claim('nothing is deleted', 'plain-after.status', { is: 200 }),
      claim('nothing is pending', 'held-after.body', { sameAs: 'held.body' }),
    ],
  },
  {
    id: 'c13-refusals',
    section,
    shows: ['API-C13'],
    title: 'a dry write is refused as a real one is',
    steps: [
      post('create', configMaps, configMap('x'), { setup: true }),
      post('taken', `${configMaps}?${dry}`, configMap('x')),
      post('invalid', `${configMaps}?${dry}`, configMap('NOT-VALID')),
      post('nowhere', `/api/v1/namespaces/{{id}}-nope/configmaps?${dry}`, configMap('x')),
      put('missing', `${configMaps}/nope?${dry}`, configMap('nope')),
      put('stale', `${configMaps}/x?${dry}`, configMap('x', { metadata: { resourceVersion: '1' }, data: { k: 'v' } })),
      remove('delete', `${configMaps}/nope?${dry}`),
    ],
    claims: [
      claim('409 for a name taken', 'taken.status', { is: 409 }),
      claim('422 for an invalid one', 'invalid.status', { is: 422 }),
      claim('404 without namespace', 'nowhere.status', { is: 404 }),
      claim('404 for nothing', 'missing.status', { is: 404 }),
      claim('409 for a stale version', 'stale.status', { is: 409 }),
      claim('404 for a delete of nothing', 'delete.status', { is: 404 }),
    ],
  },
  {
    id: 'c13-webhooks',
    section,
    shows: ['API-C13', 'API-A5'],
    title: 'a dry write is sent to webhooks, and says that it is dry',
    hooks: {
      mutate: {
        respond: review({
          allowed: true,
          patchType: 'JSONPatch',
          patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
        }),
      },
      validate: { respond: review({ allowed: false, status: { code: 403, message: 'no way' } }) },
    },
    steps: [
      post(
        'mutating',
        `/apis/${admission}/mutatingwebhookconfigurations`,
        hookConfiguration('MutatingWebhookConfiguration', 'mutate'),
        { setup: true },
      ),
      post('mutated', `${configMaps}?${dry}`, configMap('x'), {
        until: { at: 'mutated.body.data', present: true },
      }),
      {
        do: 'hook-log',
        name: 'asked',
        hook: 'mutate',
        count: 1,
        only: ['requests.0.body.request.dryRun', 'requests.0.body.request.options'],
        because: 'the whole of a review is API-A2’s; here the dry run counts',
      },
      post(
        'validating',
        `/apis/${admission}/validatingwebhookconfigurations`,
        hookConfiguration('ValidatingWebhookConfiguration', 'validate'),
        { setup: true },
      ),
      post('denied', `${configMaps}?${dry}`, configMap('x'), { until: { at: 'denied.status', is: 403 } }),
      {
        do: 'hook-log',
        name: 'asked-to-validate',
        hook: 'validate',
        count: 1,
        only: ['requests.0.body.request.dryRun'],
        because: 'the whole of a review is API-A2’s; here the dry run counts',
      },
      get('after', `${configMaps}/x`),
    ],
    claims: [
      claim('mutating webhooks included', 'mutated.body.data', { is: { by: 'hook' } }),
      claim('they learn of it', 'asked.requests.0.body.request.dryRun', { is: true }),
      claim('validating webhooks included', 'denied.body.message', {
        is: 'admission webhook "hook.example.com" denied the request: no way',
      }),
      claim('they learn of it too', 'asked-to-validate.requests.0.body.request.dryRun', { is: true }),
      claim('stores nothing', 'after.status', { is: 404 }),
    ],
  },
  {
    id: 'c13-other-values',
    section,
    shows: ['API-C13', 'API-E9'],
    title: 'any other value of dryRun is 422, for every verb',
    steps: [
      ...define('crd', things({ type: 'object' })),
      post('create', configMaps, configMap('x'), { setup: true }),
      post('post', `${configMaps}?dryRun=Some`, configMap('y')),
      put('put', `${configMaps}/x?dryRun=Some`, configMap('x')),
      mergePatch('patch', `${configMaps}/x?dryRun=Some`, {}),
      remove('delete', `${configMaps}/x?dryRun=Some`),
      remove('delete-by-body', `${configMaps}/x`, { body: { dryRun: ['Some'] } }),
      remove('collection', `${configMaps}?dryRun=Some`),
      post('custom', `${thingsPath}?dryRun=Some`, thing('y')),
      post('lower', `${configMaps}?dryRun=all`, configMap('y')),
      post('true', `${configMaps}?dryRun=true`, configMap('y')),
      post('twice', `${configMaps}?dryRun=All&dryRun=All`, configMap('y')),
      post('empty', `${configMaps}?dryRun=`, configMap('empty')),
      get('after', `${configMaps}/x`),
    ],
    claims: [
      ...['post', 'put', 'patch', 'delete', 'delete-by-body', 'collection', 'custom', 'lower', 'true'].flatMap(
        (step) => [
          claim(`422: ${step}`, `${step}.status`, { is: 422 }),
          claim(`NotSupported: ${step}`, `${step}.body.details.causes.0.reason`, { is: 'FieldValueNotSupported' }),
        ],
      ),
      claim('CreateOptions', 'post.body.details.kind', { is: 'CreateOptions' }),
      claim('UpdateOptions', 'put.body.details.kind', { is: 'UpdateOptions' }),
      claim('PatchOptions', 'patch.body.details.kind', { is: 'PatchOptions' }),
      claim('DeleteOptions', 'delete.body.details.kind', { is: 'DeleteOptions' }),
      claim('nothing is deleted', 'after.status', { is: 200 }),
    ],
  },
];
