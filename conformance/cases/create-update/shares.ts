// Numbers that may be shares: what updates and budgets refuse.
import type { Case, Json, Step } from '../../src/case.ts';
import { claim, post } from '../../src/steps.ts';
import { deployment, deployments, inNamespace, manifest, podTemplate } from './manifests.ts';

type Fields = { readonly [key: string]: Json };

const section = 'create-update';
const daemonSets = inNamespace('apps/v1', 'daemonsets');
const budgets = inNamespace('policy/v1', 'poddisruptionbudgets');
const selector = { matchLabels: { app: 'a' } };

const rolled = (name: string, more: Fields): Step =>
  post(name, deployments, deployment(name, { spec: { selector, template: podTemplate, ...more } }));
const rolling = (name: string, rollingUpdate: Json): Step =>
  rolled(name, { strategy: { type: 'RollingUpdate', rollingUpdate } });
const daemons = (name: string, rollingUpdate: Json): Step =>
  post(
    name,
    daemonSets,
    manifest(['apps/v1', 'DaemonSet'], name, {
      spec: { selector, template: podTemplate, updateStrategy: { type: 'RollingUpdate', rollingUpdate } },
    }),
  );
const budget = (name: string, spec: Json): Step =>
  post(name, budgets, manifest(['policy/v1', 'PodDisruptionBudget'], name, { spec }));

const refused = (step: string, field: string): Case['claims'] => [
  claim(`422: ${step}`, `${step}.status`, { is: 422 }),
  claim(`because of ${field}: ${step}`, `${step}.body.details.causes`, { contains: { field } }),
];

export const shares: readonly Case[] = [
  {
    id: 'c16-deployment-strategy',
    section,
    shows: ['API-C16'],
    title: 'a Deployment says how its pods are replaced in numbers or whole shares, and how long that may take',
    steps: [
      rolled('recreate', { strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } }),
      rolling('words', { maxSurge: 'half', maxUnavailable: 'all' }),
      rolling('negative', { maxSurge: -1, maxUnavailable: -2 }),
      rolling('stuck', { maxSurge: 0, maxUnavailable: '0%' }),
      rolling('more-than-all', { maxSurge: '200%', maxUnavailable: '101%' }),
      rolling('taken', { maxSurge: '200%', maxUnavailable: '100%' }),
      rolled('late', { minReadySeconds: 5, progressDeadlineSeconds: 5 }),
      rolled('too-late', { progressDeadlineSeconds: -1 }),
    ],
    claims: [
      ...refused('recreate', 'spec.strategy.rollingUpdate'),
      ...refused('words', 'spec.strategy.rollingUpdate.maxSurge'),
      ...refused('negative', 'spec.strategy.rollingUpdate.maxUnavailable'),
      ...refused('stuck', 'spec.strategy.rollingUpdate.maxUnavailable'),
      ...refused('more-than-all', 'spec.strategy.rollingUpdate.maxUnavailable'),
      claim('more than all may be new', 'taken.status', { is: 201 }),
      ...refused('late', 'spec.progressDeadlineSeconds'),
      ...refused('too-late', 'spec.progressDeadlineSeconds'),
    ],
  },
  {
    id: 'c16-daemon-set-strategy',
    section,
    shows: ['API-C16'],
    title: 'a DaemonSet replaces its pods by surge or by taking some away, not by both',
    steps: [
      daemons('words', { maxSurge: 'half', maxUnavailable: 0 }),
      daemons('stuck', { maxSurge: 0, maxUnavailable: 0 }),
      daemons('both', { maxSurge: 1, maxUnavailable: 1 }),
      daemons('more-than-all', { maxSurge: '101%', maxUnavailable: 0 }),
      daemons('taken', { maxSurge: '100%', maxUnavailable: 0 }),
    ],
    claims: [
      ...refused('words', 'spec.updateStrategy.rollingUpdate.maxSurge'),
      ...refused('stuck', 'spec.updateStrategy.rollingUpdate.maxUnavailable'),
      ...refused('both', 'spec.updateStrategy.rollingUpdate.maxSurge'),
      ...refused('more-than-all', 'spec.updateStrategy.rollingUpdate.maxSurge'),
      claim('taken', 'taken.status', { is: 201 }),
    ],
  },
  {
    id: 'c16-budget',
    section,
    shows: ['API-C16'],
    title: 'a budget names one number or share, a selector and a known policy',
    steps: [
      budget('words', { minAvailable: 'half', selector }),
      budget('negative', { maxUnavailable: -1, selector }),
      budget('more-than-all', { minAvailable: '101%', selector }),
      budget('empty-list', {
        minAvailable: 1,
        selector: { matchExpressions: [{ key: 'a', operator: 'In', values: [] }] },
      }),
      budget('policy', { minAvailable: 1, selector, unhealthyPodEvictionPolicy: 'Never' }),
      {
        ...(budget('both', { minAvailable: 1, maxUnavailable: 1, selector }) as Step & { do: 'request' }),
        mask: ['body.message', 'body.details.causes.0.message'],
        because: 'real goes on with structs of its own memory; the claim has the words after them',
      },
      budget('nothing', { selector }),
      budget('taken', { maxUnavailable: '100%', selector: {}, unhealthyPodEvictionPolicy: 'IfHealthyBudget' }),
    ],
    claims: [
      ...refused('words', 'spec.minAvailable'),
      ...refused('negative', 'spec.maxUnavailable'),
      ...refused('more-than-all', 'spec.minAvailable'),
      ...refused('empty-list', 'spec.selector.matchExpressions[0].values'),
      ...refused('policy', 'spec.unhealthyPodEvictionPolicy'),
      ...refused('both', 'spec'),
      claim('the words', 'both.body.message', { contains: 'minAvailable and maxUnavailable cannot be both set' }),
      claim('a budget of nothing', 'nothing.status', { is: 201 }),
      claim('taken', 'taken.status', { is: 201 }),
    ],
  },
];
