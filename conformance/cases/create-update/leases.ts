// What a Lease may hold.
import type { Case, Json, Step } from '../../src/case.ts';
import { claim, get, mergePatch, post } from '../../src/steps.ts';
import { inNamespace, manifest } from './manifests.ts';

const leases = inNamespace('coordination.k8s.io/v1', 'leases');
const lease = (name: string, spec: { readonly [key: string]: Json }): { readonly [key: string]: Json } =>
  manifest(['coordination.k8s.io/v1', 'Lease'], name, { spec });
const made = (step: string, spec: { readonly [key: string]: Json }): Step => post(step, leases, lease(step, spec));

export const leaseCases: readonly Case[] = [
  {
    id: 'c16-lease',
    section: 'create-update',
    shows: ['API-C16'],
    title: 'durations of a Lease are positive, transitions are not negative; what nobody coordinates by is dropped',
    steps: [
      made('good', { holderIdentity: 'h', leaseDurationSeconds: 15, leaseTransitions: 0 }),
      made('no-duration', { leaseDurationSeconds: 0 }),
      made('negative-duration', { leaseDurationSeconds: -1, leaseTransitions: -1 }),
      made('empty-holder', { holderIdentity: '' }),
      made('coordinated', { strategy: 'OldestEmulationVersion', preferredHolder: 'p' }),
      made('preferred', { preferredHolder: 'p' }),
      mergePatch('worse', `${leases}/good`, { spec: { leaseDurationSeconds: -3 } }),
      mergePatch('coordinated-later', `${leases}/good`, { spec: { strategy: 'x', preferredHolder: 'p' } }),
      get('still', `${leases}/good`),
    ],
    claims: [
      claim('201', 'good.status', { is: 201 }),
      claim('0 is refused', 'no-duration.status', { is: 422 }),
      claim('-1 is refused', 'negative-duration.status', { is: 422 }),
      claim('an update is judged alike', 'worse.status', { is: 422 }),
    ],
  },
];
