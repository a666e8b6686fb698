// What a disruption controller says of budgets, and what evictions make of that.
import type { Case, Json } from '../../src/case.ts';
import { claim, get, mergePatch, post } from '../../src/steps.ts';

const deployments = '/apis/apps/v1/namespaces/{{ns}}/deployments';
const pods = '/api/v1/namespaces/{{ns}}/pods';
const budgets = '/apis/policy/v1/namespaces/{{ns}}/poddisruptionbudgets';

const labels = { app: 'web' };
const deployment: Json = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 3,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: { containers: [{ name: 'web', image: 'web:1' }], terminationGracePeriodSeconds: 0 },
    },
  },
};

const budget = (name: string, spec: { readonly [key: string]: Json }): Json => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name },
  spec: { selector: { matchLabels: labels }, ...spec },
});

const arrival = {
  only: ['status', 'body.status'],
  because: 'the controller writes in its own time; what it arrives at counts',
} as const;

export const disruptionBudgets: readonly Case[] = [
  {
    id: 'j5-budget-status',
    section: 'workloads-limits',
    shows: ['API-J5'],
    world: 'workloads',
    title: 'the status of a budget counts its pods, by what their controller wants where it must',
    steps: [
      post('deployment', deployments, deployment, { setup: true }),
      post('percent', budgets, budget('percent', { maxUnavailable: '34%' }), { setup: true }),
      post('least', budgets, budget('least', { minAvailable: 3 }), { setup: true }),
      post('nobody', budgets, budget('nobody', { minAvailable: 1, selector: { matchLabels: { app: 'none' } } }), {
        setup: true,
      }),
      get('of-percent', `${budgets}/percent`, {
        until: { at: 'of-percent.body.status.currentHealthy', is: 3 },
        ...arrival,
      }),
      get('of-least', `${budgets}/least`, { until: { at: 'of-least.body.status.currentHealthy', is: 3 }, ...arrival }),
      get('of-nobody', `${budgets}/nobody`, {
        until: { at: 'of-nobody.body.status.observedGeneration', is: 1 },
        ...arrival,
      }),
      mergePatch('more', `${budgets}/least`, { spec: { minAvailable: 1 } }, { setup: true }),
      get('room', `${budgets}/least`, { until: { at: 'room.body.status.disruptionsAllowed', is: 2 }, ...arrival }),
    ],
    claims: [
      claim('34 % of 3 is 2', 'of-percent.body.status.disruptionsAllowed', { is: 2 }),
      claim('no room', 'of-least.body.status.disruptionsAllowed', { is: 0 }),
      claim('no pods', 'of-nobody.body.status.expectedPods', { is: 0 }),
      claim('its new form was seen', 'room.body.status.observedGeneration', { is: 2 }),
    ],
  },
  {
    id: 'j5-budget-unscalable',
    section: 'workloads-limits',
    shows: ['API-J5'],
    world: 'workloads',
    title: 'a budget that counts by controllers fails where one cannot be scaled; pods of their own do not count',
    steps: [
      post('owner', '/api/v1/namespaces/{{ns}}/configmaps', {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'owner' },
      }),
      post('budget', budgets, budget('b', { maxUnavailable: 1 }), { setup: true }),
      post(
        'pod',
        pods,
        {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: {
            name: 'owned',
            labels,
            ownerReferences: [
              {
                apiVersion: 'v1',
                kind: 'ConfigMap',
                name: 'owner',
                uid: '{{owner.body.metadata.uid}}',
                controller: true,
              },
            ],
          },
          spec: { containers: [{ name: 'c', image: 'i' }] },
        },
        { setup: true },
      ),
      get('failed', `${budgets}/b`, {
        until: { at: 'failed.body.status.conditions', contains: { reason: 'SyncFailed' } },
        ...arrival,
      }),
    ],
    claims: [
      claim('why', 'failed.body.status.conditions.0.message', {
        is: 'configmaps does not implement the scale subresource',
      }),
    ],
  },
];
