// API-R2: pods/eviction, with and without a disruption budget.
import type { Case, Step } from '../../src/case.ts';
import { claim, get, mergePatch, post } from '../../src/steps.ts';
import type { Fields } from './definitions.ts';

const pods = '/api/v1/namespaces/{{ns}}/pods';
const budgets = '/apis/policy/v1/namespaces/{{ns}}/poddisruptionbudgets';

const pod = (name: string, spec: Fields = {}): Step =>
  post(
    `pod-${name}`,
    pods,
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, labels: { app: 'x' } },
      spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
    },
    { setup: true },
  );

const running = (name: string, ready: 'True' | 'False' = 'True'): Step =>
  mergePatch(
    `running-${name}`,
    `${pods}/${name}/status`,
    { status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready }] } },
    { setup: true },
  );

const budget = (name: string, spec: Fields = {}): Step =>
  post(
    `budget-${name}`,
    budgets,
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'x' } }, ...spec },
    },
    { setup: true },
  );

const healthy = { currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 };

/** Says what the disruption controller would: the cases run without one. */
const allowing = (step: string, name: string, [disruptionsAllowed, more]: readonly [number, Fields?]): Step =>
  mergePatch(
    step,
    `${budgets}/${name}/status`,
    { status: { ...healthy, observedGeneration: 1, disruptionsAllowed, ...more } },
    { setup: true },
  );

const condition = (reason: string, message: string): Fields => ({
  type: 'DisruptionAllowed',
  status: 'False',
  reason,
  message,
  lastTransitionTime: '2026-01-01T00:00:00Z',
});

const eviction = (name: string, deleteOptions?: Fields): Fields => ({
  apiVersion: 'policy/v1',
  kind: 'Eviction',
  metadata: { name, namespace: '{{ns}}' },
  ...(deleteOptions === undefined ? {} : { deleteOptions }),
});

const evict = (step: string, name: string, deleteOptions?: Fields): Step =>
  post(step, `${pods}/${name}/eviction`, eviction(name, deleteOptions));

export const evictions: readonly Case[] = [
  {
    id: 'r2-evicted',
    section: 'subresources-crds',
    shows: ['API-R2'],
    title: 'a pod without a budget is evicted: 201, and it is gone',
    steps: [
      pod('x'),
      evict('evict', 'x'),
      get('gone', `${pods}/x`),
      evict('again', 'x'),
      post('other-name', `${pods}/x/eviction`, eviction('y')),
      get('read', `${pods}/x/eviction`),
    ],
    claims: [
      claim('201', 'evict.status', { is: 201 }),
      claim('Success', 'evict.body.status', { is: 'Success' }),
      claim('the pod is gone', 'gone.status', { is: 404 }),
      claim('no pod, no eviction', 'again.status', { is: 404 }),
      claim('create only', 'read.status', { is: 405 }),
    ],
  },
  {
    id: 'r2-budget-exhausted',
    section: 'subresources-crds',
    shows: ['API-R2', 'API-E10'],
    title: 'a budget without room refuses the eviction',
    steps: [
      pod('x'),
      running('x'),
      budget('b'),
      allowing('none', 'b', [0]),
      evict('evict', 'x'),
      get('still', `${pods}/x`),
    ],
    claims: [
      claim('429', 'evict.status', { is: 429 }),
      claim('TooManyRequests', 'evict.body.reason', { is: 'TooManyRequests' }),
      claim('the message', 'evict.body.message', {
        is: "Cannot evict pod as it would violate the pod's disruption budget.",
      }),
      claim('cause DisruptionBudget', 'evict.body.details.causes.0.reason', { is: 'DisruptionBudget' }),
      claim('no Retry-After', 'evict.headers.retry-after', { present: false }),
      claim('the pod stays', 'still.body.metadata.deletionTimestamp', { present: false }),
    ],
  },
  {
    id: 'r2-budget-spent',
    section: 'subresources-crds',
    shows: ['API-R2'],
    title: 'an eviction within the budget spends it',
    steps: [
      pod('x'),
      pod('y'),
      running('x'),
      running('y'),
      budget('b'),
      allowing('one', 'b', [1]),
      evict('evict', 'x'),
      get('budget', `${budgets}/b`),
      evict('second', 'y'),
    ],
    claims: [
      claim('201', 'evict.status', { is: 201 }),
      claim('one disruption less', 'budget.body.status.disruptionsAllowed', { is: 0 }),
      claim('the pod is noted', 'budget.body.status.disruptedPods.x', { present: true }),
      claim('the next is refused', 'second.status', { is: 429 }),
    ],
  },
  {
    id: 'r2-budget-unobserved',
    section: 'subresources-crds',
    shows: ['API-R2'],
    title: 'a budget nobody has looked at yet refuses for the time being',
    steps: [pod('x'), running('x'), budget('b'), evict('evict', 'x')],
    claims: [
      claim('429', 'evict.status', { is: 429 }),
      claim('being processed', 'evict.body.details.causes.0.message', { contains: 'still being processed' }),
      claim('with Retry-After', 'evict.headers.retry-after', { is: '10' }),
    ],
  },
  {
    id: 'r2-two-budgets',
    section: 'subresources-crds',
    shows: ['API-R2'],
    title: 'two budgets for one pod are not supported',
    steps: [pod('x'), running('x'), budget('a'), budget('b'), evict('evict', 'x')],
    claims: [
      claim('500', 'evict.status', { is: 500 }),
      claim('the message', 'evict.body.message', {
        contains: 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
      }),
    ],
  },
  {
    id: 'r2-budget-ignored',
    section: 'subresources-crds',
    shows: ['API-R2'],
    title: 'a pod that does not run is evicted whatever the budget says',
    steps: [pod('x'), budget('b'), allowing('none', 'b', [0]), evict('evict', 'x')],
    claims: [claim('201 for a pending pod', 'evict.status', { is: 201 })],
  },
  {
    id: 'r2-unhealthy',
    section: 'subresources-crds',
    shows: ['API-R2'],
    title: 'a pod that is not ready is judged by the policy for unhealthy pods',
    steps: [
      pod('x'),
      pod('y'),
      running('x', 'False'),
      running('y', 'False'),
      budget('b'),
      allowing('none', 'b', [0, { currentHealthy: 0 }]),
      evict('guarded', 'x'),
      allowing('enough', 'b', [0, { currentHealthy: 1 }]),
      evict('within', 'x'),
      mergePatch('always', `${budgets}/b`, { spec: { unhealthyPodEvictionPolicy: 'AlwaysAllow' } }, { setup: true }),
      allowing('none-again', 'b', [0, { currentHealthy: 0, observedGeneration: 2 }]),
      evict('allowed', 'y'),
    ],
    claims: [
      claim('IfHealthyBudget: not while too few are healthy', 'guarded.status', { is: 429 }),
      claim('IfHealthyBudget: while enough are healthy', 'within.status', { is: 201 }),
      claim('AlwaysAllow', 'allowed.status', { is: 201 }),
    ],
  },
  {
    id: 'r2-delete-options',
    section: 'subresources-crds',
    shows: ['API-R2'],
    title: 'deleteOptions of an eviction hold: preconditions, dry run, grace',
    steps: [
      pod('x', { nodeName: 'nowhere' }),
      evict('other-uid', 'x', { preconditions: { uid: '00000000-0000-0000-0000-000000000000' } }),
      evict('dry', 'x', { dryRun: ['All'] }),
      post('dry-query', `${pods}/x/eviction?dryRun=All`, eviction('x')),
      get('untouched', `${pods}/x`),
      evict('graceful', 'x', { gracePeriodSeconds: 5 }),
      get('going', `${pods}/x`),
      evict('at-once', 'x', { gracePeriodSeconds: 0 }),
      get('gone', `${pods}/x`),
    ],
    claims: [
      claim('preconditions', 'other-uid.status', { is: 409 }),
      claim('dry run answers 201', 'dry.status', { is: 201 }),
      claim('dry run deletes nothing', 'untouched.body.metadata.deletionTimestamp', { present: false }),
      claim('grace', 'going.body.metadata.deletionGracePeriodSeconds', { is: 5 }),
      claim('deletionTimestamp', 'going.body.metadata.deletionTimestamp', { present: true }),
      claim('grace 0', 'gone.status', { is: 404 }),
    ],
  },
  {
    id: 'r2-discovery',
    section: 'subresources-crds',
    shows: ['API-R2'],
    title: 'discovery names the eviction of pods',
    steps: [get('core', '/api/v1', { only: ['status'], because: 'the whole document is of the section discovery' })],
    claims: [
      claim('policy/v1 Eviction, create', 'core.body.resources', {
        contains: { name: 'pods/eviction', group: 'policy', version: 'v1', kind: 'Eviction', verbs: ['create'] },
      }),
    ],
  },
  {
    id: 'r2-bodies',
    section: 'subresources-crds',
    shows: ['API-R2'],
    title: 'an eviction is taken in both versions it ever had, and nothing else is',
    steps: [
      pod('x'),
      pod('y'),
      pod('z'),
      post('beta', `${pods}/x/eviction`, { ...eviction('x'), apiVersion: 'policy/v1beta1' }),
      post('core', `${pods}/y/eviction`, { ...eviction('y'), apiVersion: 'v1' }),
      post('alpha', `${pods}/y/eviction`, { ...eviction('y'), apiVersion: 'policy/v1alpha1' }),
      post('binding', `${pods}/y/eviction`, { ...eviction('y'), apiVersion: 'v1', kind: 'Binding' }),
      post('other-namespace', `${pods}/y/eviction`, {
        ...eviction('y'),
        metadata: { name: 'y', namespace: 'default' },
      }),
      post('unknown-field', `${pods}/y/eviction?fieldValidation=Strict`, { ...eviction('y'), more: 1 }),
      evict('policy', 'y', { propagationPolicy: 'Sometimes', dryRun: ['All'] }),
      evict('wrong-type', 'y', { gracePeriodSeconds: 'soon' }),
      evict('dry-run', 'y', { dryRun: ['Some'] }),
      post('dry-runs', `${pods}/y/eviction?dryRun=All`, eviction('y', { dryRun: ['Some'] })),
      evict('unread', 'y', { ignoreStoreReadErrorWithClusterBreakingPotential: true }),
      evict('no-pod', 'nothing'),
      post('plain', `${pods}/z/eviction`, { metadata: { name: 'z' } }),
      post('empty', `${pods}/y/eviction`, {}),
    ],
    claims: [
      claim('v1beta1', 'beta.status', { is: 201 }),
      claim('of no other group', 'core.status', { is: 400 }),
      claim('the kind may be left out', 'plain.status', { is: 201 }),
    ],
  },
  {
    id: 'r2-budget-dry-run',
    section: 'subresources-crds',
    shows: ['API-R2', 'API-C13'],
    title: 'a dry run asks the budget and spends nothing',
    steps: [
      pod('x'),
      running('x'),
      budget('b'),
      allowing('one', 'b', [1]),
      evict('dry', 'x', { dryRun: ['All'] }),
      get('budget', `${budgets}/b`),
      get('pod', `${pods}/x`),
      allowing('none', 'b', [0]),
      post('refused', `${pods}/x/eviction?dryRun=All`, eviction('x')),
    ],
    claims: [
      claim('201', 'dry.status', { is: 201 }),
      claim('nothing spent', 'budget.body.status.disruptionsAllowed', { is: 1 }),
      claim('nothing noted', 'budget.body.status.disruptedPods', { present: false }),
      claim('no condition on the pod', 'pod.body.status.conditions.1', { present: false }),
      claim('refused all the same', 'refused.status', { is: 429 }),
    ],
  },
  {
    id: 'r2-budget-reasons',
    section: 'subresources-crds',
    shows: ['API-R2', 'API-E10'],
    title: 'a refusal says why the budget has no room',
    steps: [
      pod('x'),
      running('x'),
      budget('b'),
      allowing('healthy', 'b', [0, { currentHealthy: 5 }]),
      evict('plainly', 'x'),
      allowing('failed', 'b', [0, { conditions: [condition('SyncFailed', 'no scale')] }]),
      evict('failed-sync', 'x'),
      allowing('other', 'b', [0, { conditions: [condition('Frozen', 'not on Fridays')] }]),
      evict('other-reason', 'x'),
      budget('c', { selector: {} }),
      evict('two', 'x'),
      get('still', `${pods}/x`),
    ],
    claims: [
      claim('failed sync', 'failed-sync.body.details.causes.0.message', {
        contains: 'because it failed sync: no scale',
      }),
      claim('an empty selector covers every pod', 'two.status', { is: 500 }),
    ],
  },
];
