import type { Case, Step } from '../../src/case.ts';
import { claim, configMap, get, mergePatch, post, put, remove } from '../../src/steps.ts';
import { pod } from './manifests.ts';

const namespaces = '/api/v1/namespaces';
const second = '/api/v1/namespaces/{{ns2}}';
const gone = (name: string, path: string): Step => get(name, path, { until: { at: `${name}.status`, is: 404 } });

const conditions = [
  'NamespaceDeletionDiscoveryFailure',
  'NamespaceDeletionGroupVersionParsingFailure',
  'NamespaceDeletionContentFailure',
  'NamespaceContentRemaining',
  'NamespaceFinalizersRemaining',
];

export const namespaceDeletion: readonly Case[] = [
  {
    id: 'x7-new',
    section: 'deletion',
    shows: ['API-X7'],
    world: 'controllers',
    title: 'a new namespace has its label, its finalizer, its phase, a service account and the root certificate',
    steps: [
      post('create', namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: '{{id}}-new' } }),
      get('account', '/api/v1/namespaces/{{id}}-new/serviceaccounts/default', {
        mask: ['body.metadata.resourceVersion'],
        because: 'two controllers write at once, in no certain order',
        until: { at: 'account.status', is: 200 },
      }),
      get('root', '/api/v1/namespaces/{{id}}-new/configmaps/kube-root-ca.crt', {
        until: { at: 'root.status', is: 200 },
        mask: ['body.metadata.resourceVersion', ['body', 'data', 'ca.crt']],
        because: 'two controllers write at once, in no certain order; the certificate is that of the server that runs',
      }),
      remove('account-gone', '/api/v1/namespaces/{{id}}-new/serviceaccounts/default', { setup: true }),
      get('account-again', '/api/v1/namespaces/{{id}}-new/serviceaccounts/default', {
        until: { at: 'account-again.status', is: 200 },
      }),
      remove('delete', '/api/v1/namespaces/{{id}}-new', { setup: true }),
    ],
    claims: [
      claim('the label', ['create', 'body', 'metadata', 'labels', 'kubernetes.io/metadata.name'], { is: '{{id}}-new' }),
      claim('spec.finalizers', 'create.body.spec.finalizers', { is: ['kubernetes'] }),
      claim('phase', 'create.body.status.phase', { is: 'Active' }),
      claim('ServiceAccount default', 'account.status', { is: 200 }),
      claim('ConfigMap kube-root-ca.crt', ['root', 'body', 'data', 'ca.crt'], {
        matches: '^-----BEGIN CERTIFICATE-----',
      }),
      claim('it is made again', 'account-again.body.metadata.uid', { differsFrom: 'account.body.metadata.uid' }),
    ],
  },
  {
    id: 'x7-label-stays',
    section: 'deletion',
    shows: ['API-X7'],
    title: 'the label and the finalizer cannot be left out or changed',
    steps: [
      post('own-label', namespaces, {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: '{{id}}-own', labels: { 'kubernetes.io/metadata.name': 'other', more: 'yes' } },
        spec: { finalizers: ['example.com/own'] },
        status: { phase: 'Terminating' },
      }),
      mergePatch('without', `${namespaces}/{{id}}-own`, { metadata: { labels: null }, spec: { finalizers: null } }),
    ],
    claims: [
      claim('the label is set', ['own-label', 'body', 'metadata', 'labels', 'kubernetes.io/metadata.name'], {
        is: '{{id}}-own',
      }),
      claim('the label stays', ['without', 'body', 'metadata', 'labels', 'kubernetes.io/metadata.name'], {
        is: '{{id}}-own',
      }),
      claim('kubernetes is among the finalizers', 'own-label.body.spec.finalizers', { contains: 'kubernetes' }),
      claim('finalizers stay', 'without.body.spec.finalizers', { contains: 'kubernetes' }),
      claim('phase', 'own-label.body.status.phase', { is: 'Active' }),
    ],
  },
  {
    id: 'x7-terminating',
    section: 'deletion',
    shows: ['API-X7', 'API-C2'],
    title: 'a deleted namespace is Terminating, refuses what is new, and goes by /finalize',
    steps: [
      post('inside', `${second}/configmaps`, configMap('a'), { setup: true }),
      remove('delete', second),
      remove('again', second),
      post('refused', `${second}/configmaps`, configMap('b'), { until: { at: 'refused.status', is: 403 } }),
      mergePatch('change', `${second}/configmaps/a`, { data: { k: '1' } }),
      remove('remove', `${second}/configmaps/a`, { setup: true }),
      mergePatch('by-spec', second, { spec: { finalizers: [] } }),
      put('not-yet', `${second}/finalize`, {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: '{{ns2}}' },
        spec: { finalizers: ['kubernetes', 'example.com/own'] },
      }),
      put('finalized', `${second}/finalize`, {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: '{{ns2}}' },
        spec: { finalizers: [] },
      }),
      get('gone', second),
    ],
    claims: [
      claim('Terminating', 'delete.body.status.phase', { is: 'Terminating' }),
      claim('deletionTimestamp', 'delete.body.metadata.deletionTimestamp', { present: true }),
      claim('with the object', 'delete.body.kind', { is: 'Namespace' }),
      claim('creates inside refused', 'refused.status', { is: 403 }),
      claim('the cause', 'refused.body.details.causes.0.reason', { is: 'NamespaceTerminating' }),
      claim('changes are not', 'change.status', { is: 200 }),
      claim('spec.finalizers change only by /finalize', 'by-spec.body.spec.finalizers', { is: ['kubernetes'] }),
      claim('/finalize sets spec.finalizers', 'not-yet.body.spec.finalizers', { contains: 'kubernetes' }),
      claim('/finalize with none', 'finalized.status', { is: 200 }),
      claim('gone', 'gone.status', { is: 404 }),
    ],
  },
  {
    id: 'x7-finalize-active',
    section: 'deletion',
    shows: ['API-X7'],
    title: '/finalize of a namespace that is not deleted, and a namespace with metadata.finalizers',
    steps: [
      put('active', '/api/v1/namespaces/{{ns}}/finalize', {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: '{{ns}}' },
        spec: { finalizers: [] },
      }),
      get('there', '/api/v1/namespaces/{{ns}}'),
      mergePatch('held', second, { metadata: { finalizers: ['example.com/wait'] } }, { setup: true }),
      remove('delete', second, { setup: true }),
      put('finalized', `${second}/finalize`, {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: '{{ns2}}', finalizers: ['example.com/wait'] },
        spec: { finalizers: [] },
      }),
      get('waits', second),
      mergePatch('let-go', second, { metadata: { finalizers: null } }),
      get('gone', second),
    ],
    claims: [
      claim('an active one stays', 'there.status', { is: 200 }),
      claim('metadata.finalizers hold it', 'waits.status', { is: 200 }),
      claim('then it goes', 'gone.status', { is: 404 }),
    ],
  },
  {
    id: 'x7-contents',
    section: 'deletion',
    shows: ['API-X7'],
    world: 'controllers',
    title: 'the contents of a deleted namespace are deleted, then the namespace',
    steps: [
      post('a', `${second}/configmaps`, configMap('a'), { setup: true }),
      post('s', `${second}/secrets`, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } }, { setup: true }),
      post('p', `${second}/pods`, pod('p'), { setup: true }),
      remove('delete', second),
      gone('a-gone', `${second}/configmaps/a`),
      gone('s-gone', `${second}/secrets/s`),
      gone('p-gone', `${second}/pods/p`),
      gone('gone', second),
    ],
    claims: [
      claim('Terminating', 'delete.body.status.phase', { is: 'Terminating' }),
      claim('contents deleted', 'a-gone.status', { is: 404 }),
      claim('contents deleted', 's-gone.status', { is: 404 }),
      claim('contents deleted', 'p-gone.status', { is: 404 }),
      claim('gone', 'gone.status', { is: 404 }),
    ],
  },
  {
    id: 'x7-blocked',
    section: 'deletion',
    shows: ['API-X7'],
    world: 'controllers',
    title: 'while something holds a namespace its conditions say what',
    steps: [
      post('held', `${second}/configmaps`, configMap('held', { metadata: { finalizers: ['example.com/wait'] } }), {
        setup: true,
      }),
      remove('delete', second, { setup: true }),
      get('blocked', second, {
        until: {
          at: 'blocked.body.status.conditions',
          contains: { type: 'NamespaceFinalizersRemaining', status: 'True' },
        },
      }),
      get('held-deleting', `${second}/configmaps/held`),
      mergePatch('let-go', `${second}/configmaps/held`, { metadata: { finalizers: null } }, { setup: true }),
      gone('gone', second),
    ],
    claims: [
      ...conditions.map((type) =>
        claim(`condition ${type}`, 'blocked.body.status.conditions', {
          contains: { type, status: /Remaining/.test(type) ? 'True' : 'False' },
        }),
      ),
      claim('contents are being deleted', 'held-deleting.body.metadata.deletionTimestamp', { present: true }),
      claim('then it goes', 'gone.status', { is: 404 }),
    ],
  },
  {
    id: 'x7-pods-first',
    section: 'deletion',
    shows: ['API-X7'],
    world: 'controllers',
    title: 'pods go first: while one is there the rest is not touched',
    steps: [
      post('p', `${second}/pods`, pod('p', {}, { finalizers: ['example.com/wait'] }), { setup: true }),
      post('a', `${second}/configmaps`, configMap('a'), { setup: true }),
      remove('delete', second, { setup: true }),
      get('blocked', second, {
        until: {
          at: 'blocked.body.status.conditions',
          contains: { type: 'NamespaceFinalizersRemaining', status: 'False' },
        },
      }),
      get('p-deleting', `${second}/pods/p`, {
        until: { at: 'p-deleting.body.metadata.deletionTimestamp', present: true },
      }),
      get('a-untouched', `${second}/configmaps/a`),
      mergePatch('let-go', `${second}/pods/p`, { metadata: { finalizers: null } }, { setup: true }),
      gone('a-gone', `${second}/configmaps/a`),
      gone('gone', second),
    ],
    claims: [
      claim('the conditions do not speak of pods', 'blocked.body.status.conditions', {
        contains: { type: 'NamespaceContentRemaining', status: 'False' },
      }),
      claim('the pod is being deleted', 'p-deleting.body.metadata.deletionTimestamp', { present: true }),
      claim('the rest is not', 'a-untouched.body.metadata.deletionTimestamp', { present: false }),
      claim('then the rest', 'a-gone.status', { is: 404 }),
      claim('then the namespace', 'gone.status', { is: 404 }),
    ],
  },
  {
    id: 'x7-protected',
    section: 'deletion',
    shows: ['API-X7'],
    title: 'the namespaces of the system may not be deleted',
    steps: ['default', 'kube-system', 'kube-public'].map((name) => remove(name, `${namespaces}/${name}?dryRun=All`)),
    claims: ['default', 'kube-system', 'kube-public'].flatMap((name) => [
      claim('403', `${name}.status`, { is: 403 }),
      claim('the message', `${name}.body.message`, { matches: 'this namespace may not be deleted$' }),
    ]),
  },
];
