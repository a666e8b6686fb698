// What a webhook may answer that is not an answer, and patches that do not apply.
import type { Case, HookScript, Json, Step } from '../../src/case.ts';
import { claim, configMap, configMaps, get, post } from '../../src/steps.ts';
import { allow, mutating, patching, validating, webhook } from './manifests.ts';

const review = (response: Json): HookScript => ({
  respond: { json: { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response } },
});
const raw = (json: Json): HookScript => ({ respond: { json } });
const asked = (name: string): Json => configMap(name, { data: { start: 'x' } });
const ready = (at: string, matches: string): Step =>
  post('ready', `${configMaps}?dryRun=All`, asked('x'), {
    until: { at, matches },
    only: ['status'],
    because: 'only waits until the webhook is at work',
  });

interface Strange {
  readonly id: string;
  readonly title: string;
  readonly hook: HookScript;
  readonly sort?: 'validating';
  /** A part of the message. */
  readonly says: string;
}

const strange: readonly Strange[] = [
  {
    id: 'no-response',
    title: 'a review without an answer',
    hook: raw({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' }),
    says: 'webhook response was absent',
  },
  {
    id: 'other-version',
    title: 'a review of another version',
    hook: raw({
      apiVersion: 'admission.k8s.io/v1beta1',
      kind: 'AdmissionReview',
      response: { uid: '{{uid}}', allowed: true },
    }),
    says: 'unknown conversion',
  },
  {
    id: 'other-kind',
    title: 'another kind',
    hook: raw({ apiVersion: 'v1', kind: 'ConfigMap' }),
    says: 'failed calling webhook',
  },
  { id: 'no-kind', title: 'an object without a kind', hook: raw({ a: 'b' }), says: 'failed calling webhook' },
  { id: 'empty', title: 'nothing', hook: { respond: { text: '' } }, says: 'failed calling webhook' },
  { id: 'status-404', title: 'not found', hook: { status: 404 }, says: 'failed calling webhook' },
  { id: 'status-403', title: 'forbidden', hook: { status: 403 }, says: 'failed calling webhook' },
  { id: 'status-302', title: 'a redirect that leads nowhere', hook: { status: 302 }, says: 'failed calling webhook' },
  { id: 'status-600', title: 'a code of another world', hook: { status: 599 }, says: 'failed calling webhook' },
  {
    id: 'status-object',
    title: 'a Status that is a failure',
    hook: {
      status: 500,
      respond: { json: { apiVersion: 'v1', kind: 'Status', status: 'Failure', message: 'so it is', code: 500 } },
    },
    says: 'so it is',
  },
  {
    id: 'patch-without-type',
    title: 'a patch without its type',
    hook: review({ uid: '{{uid}}', allowed: true, patch: 'W10=' }),
    says: 'response.patch but not response.patchType',
  },
  {
    id: 'type-without-patch',
    title: 'a type without its patch',
    hook: review({ uid: '{{uid}}', allowed: true, patchType: 'JSONPatch' }),
    says: 'response.patchType but not response.patch',
  },
  {
    id: 'other-patch-type',
    title: 'a patch of another type',
    hook: review({
      uid: '{{uid}}',
      allowed: true,
      patchType: 'MergePatch',
      patch: 'W3sib3AiOiJhZGQiLCJwYXRoIjoiL2RhdGEvYSIsInZhbHVlIjoiYiJ9XQ==',
    }),
    says: 'unsupported patch type',
  },
  {
    id: 'validating-patch',
    title: 'a validating webhook that patches',
    sort: 'validating',
    hook: patching([{ op: 'add', path: '/data/a', value: 'b' }]),
    says: 'validating webhook may not return response.patch',
  },
  {
    id: 'patch-no-list',
    title: 'a patch that is not a list',
    hook: review({
      uid: '{{uid}}',
      allowed: true,
      patchType: 'JSONPatch',
      patch: Buffer.from('{"a":"b"}').toString('base64'),
    }),
    says: 'undecodable patch',
  },
  {
    id: 'patch-no-json',
    title: 'a patch that is not JSON',
    hook: review({
      uid: '{{uid}}',
      allowed: true,
      patchType: 'JSONPatch',
      patch: Buffer.from('[nope').toString('base64'),
    }),
    says: 'undecodable patch',
  },
  {
    id: 'patch-add-nowhere',
    title: 'an operation that adds below nothing',
    hook: patching([{ op: 'add', path: '/spec/deep/er', value: 'b' }]),
    says: 'add operation does not apply',
  },
  {
    id: 'patch-remove-nothing',
    title: 'an operation that removes nothing',
    hook: patching([{ op: 'remove', path: '/data/none' }]),
    says: 'remove',
  },
  {
    id: 'patch-test-fails',
    title: 'a test that fails',
    hook: patching([{ op: 'test', path: '/data/start', value: 'y' }]),
    says: 'testing value',
  },
  {
    id: 'patch-unknown-operation',
    title: 'an operation nobody knows',
    hook: patching([{ op: 'nope', path: '/data/start' }]),
    says: 'Unexpected kind',
  },
  {
    id: 'patch-wrong-type',
    title: 'a field of another type',
    hook: patching([{ op: 'replace', path: '/data', value: 'text' }]),
    says: 'Internal error occurred',
  },
  {
    id: 'patch-other-kind',
    title: 'another kind in the object',
    hook: patching([{ op: 'replace', path: '/kind', value: 'Secret' }]),
    says: '',
  },
];

const strangely = ({ id, title, hook, sort, says }: Strange): Case => ({
  id: `a3-answer-${id}`,
  section: 'admission-identity',
  shows: ['API-A3'],
  title: `a webhook answers ${title}`,
  hooks: { hook },
  steps: [
    (sort === 'validating' ? validating : mutating)('m', [webhook('hook')]),
    post('create', `${configMaps}?dryRun=All`, asked('x'), { until: { at: 'create.status', is: 500 } }),
    post('stored', configMaps, asked('y'), { only: ['status'], because: 'the topic is the store' }),
    get('nothing', `${configMaps}/y`, { only: ['status'], because: 'the topic is the store' }),
  ],
  claims: [
    claim('500', 'create.status', { is: 500 }),
    ...(says === '' ? [] : [claim('the message', 'create.body.message', { contains: says })]),
    claim('nothing is stored', 'nothing.status', { is: 404 }),
  ],
});

export const answers: readonly Case[] = [
  ...strange.map(strangely),
  {
    id: 'a3-patch-unknown-fields',
    section: 'admission-identity',
    shows: ['API-A3'],
    title: 'fields a patch adds that the kind does not know are dropped, and what is invalid is refused',
    hooks: {
      adds: patching([
        { op: 'add', path: '/nope', value: 'x' },
        { op: 'add', path: '/data/by', value: 'hook' },
      ]),
      breaks: patching([{ op: 'add', path: '/data/not~1a key', value: 'x' }]),
    },
    steps: [
      mutating('m', [webhook('adds'), webhook('breaks', { objectSelector: { matchLabels: { broken: 'yes' } } })]),
      post('create', `${configMaps}?dryRun=All`, asked('x'), { until: { at: 'create.body.data.by', is: 'hook' } }),
      post('broken', configMaps, configMap('x', { data: { a: 'b' }, metadata: { labels: { broken: 'yes' } } })),
    ],
    claims: [claim('dropped', 'create.body.nope', { present: false }), claim('refused', 'broken.status', { is: 422 })],
  },
  {
    id: 'a5-refused-configurations',
    section: 'admission-identity',
    shows: ['API-A5'],
    title: 'what a configuration may not say',
    hooks: { a: allow() },
    steps: [
      mutating(
        'all',
        [
          {
            name: 'short',
            clientConfig: {},
            rules: [
              { apiGroups: [], apiVersions: ['*', 'v1'], resources: ['*/*', 'pods'], operations: ['NOPE'], scope: 'x' },
            ],
            sideEffects: 'None',
            admissionReviewVersions: ['v9'],
            failurePolicy: 'Maybe',
            matchPolicy: 'Nearly',
            reinvocationPolicy: 'Often',
            namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'Nope' }] },
            matchConditions: [{ name: 'a b', expression: '' }],
          },
        ],
        false,
      ),
      mutating('url', [{ ...webhook('a'), clientConfig: { url: 'http://u:p@h/p?q=1#f' } }], false),
      mutating(
        'service',
        [{ ...webhook('a'), clientConfig: { service: { name: 's', namespace: 'n', path: 'a//B', port: 70000 } } }],
        false,
      ),
      mutating(
        'both',
        [{ ...webhook('a'), clientConfig: { url: 'https://h', service: { name: 's', namespace: 'n' } } }],
        false,
      ),
      mutating('twice', [webhook('a'), webhook('a')], false),
    ],
    claims: [claim('422', 'all.status', { is: 422 }), claim('one name twice', 'twice.status', { is: 422 })],
  },
  {
    id: 'a2-delete-collection',
    section: 'admission-identity',
    shows: ['API-A2'],
    title: 'a deletion of many asks about each',
    hooks: { sees: allow({ warnings: ['seen'] }) },
    steps: [
      post('one', configMaps, configMap('one', { metadata: { labels: { go: 'now' } } }), { setup: true }),
      validating('v', [
        webhook('sees', {
          rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['*'] }],
        }),
      ]),
      ready('ready.headers.warning', 'seen'),
      {
        do: 'request',
        name: 'delete',
        method: 'DELETE',
        path: `${configMaps}?labelSelector=go%3Dnow`,
        only: ['status'],
        because: 'the reviews are the topic',
      },
      {
        do: 'hook-log',
        name: 'asked',
        hook: 'sees',
        only: [
          'requests.-1.body.request.name',
          'requests.-1.body.request.operation',
          'requests.-1.body.request.oldObject.metadata.name',
          'requests.-1.body.request.options',
        ],
        because: 'the rest is the topic of other cases',
      },
    ],
    claims: [claim('DELETE', 'asked.requests.-1.body.request.operation', { is: 'DELETE' })],
  },
];
