import type { Case } from '../../src/case.ts';
import { claim, events, get, mergePatch, post, remove, watch } from '../../src/steps.ts';
import { pod, pods } from './manifests.ts';

const scheduled = { nodeName: '{{id}}-node' };

export const podDeletion: readonly Case[] = [
  {
    id: 'x4-unscheduled',
    section: 'deletion',
    shows: ['API-X4', 'API-X1'],
    title: 'a pod without a node goes at once, whatever its grace',
    steps: [
      post('create', pods, pod('a')),
      remove('gone', `${pods}/a`),
      get('missing', `${pods}/a`),
      post('create-long', pods, pod('b', { terminationGracePeriodSeconds: 120 }), { setup: true }),
      remove('long-gone', `${pods}/b?gracePeriodSeconds=60`),
      get('long-missing', `${pods}/b`),
    ],
    claims: [
      claim('grace from the spec: 30', 'create.body.spec.terminationGracePeriodSeconds', { is: 30 }),
      claim('the object', 'gone.body.kind', { is: 'Pod' }),
      claim('at once', 'missing.status', { is: 404 }),
      claim('at once', 'long-missing.status', { is: 404 }),
    ],
  },
  {
    id: 'x4-scheduled',
    section: 'deletion',
    shows: ['API-X4'],
    title: 'a pod on a node stays, its deletionTimestamp its grace from now, until it is deleted with grace 0',
    steps: [
      post('create', pods, pod('a', scheduled)),
      watch('w', `${pods}?watch=1&resourceVersion={{create.body.metadata.resourceVersion}}`),
      remove('deleting', `${pods}/a`),
      get('there', `${pods}/a`),
      remove('again', `${pods}/a`),
      remove('forced', `${pods}/a?gracePeriodSeconds=0`),
      get('missing', `${pods}/a`),
      events('seen', 'w', { count: 3, quietMs: 200 }),
    ],
    claims: [
      claim('the object', 'deleting.body.kind', { is: 'Pod' }),
      claim('grace from the spec', 'deleting.body.metadata.deletionGracePeriodSeconds', { is: 30 }),
      claim('deletionTimestamp = now + grace', 'deleting.body.metadata.deletionTimestamp', {
        secondsAfter: { time: 'deleting.headers.date', seconds: 30 },
      }),
      claim('it stays', 'there.status', { is: 200 }),
      claim('again: same RV', 'again.body.metadata.resourceVersion', {
        sameAs: 'deleting.body.metadata.resourceVersion',
      }),
      claim('grace 0: gone', 'missing.status', { is: 404 }),
      claim('MODIFIED', 'seen.events.0.type', { is: 'MODIFIED' }),
      claim('with grace 0 MODIFIED first', 'seen.events.1.type', { is: 'MODIFIED' }),
      claim('whose grace is 0', 'seen.events.1.object.metadata.deletionGracePeriodSeconds', { is: 0 }),
      claim('then DELETED', 'seen.events.2.type', { is: 'DELETED' }),
      claim('and no more', 'seen.events', { length: 3 }),
    ],
  },
  {
    id: 'x4-grace',
    section: 'deletion',
    shows: ['API-X4'],
    title: 'the grace of the spec, that of the options, and a shorter one later',
    steps: [
      post('create', pods, pod('a', { ...scheduled, terminationGracePeriodSeconds: 90 }), { setup: true }),
      remove('by-spec', `${pods}/a`),
      remove('longer', `${pods}/a?gracePeriodSeconds=200`),
      remove('shorter', `${pods}/a?gracePeriodSeconds=10`),
      remove('now', `${pods}/a`, { body: { gracePeriodSeconds: 0 } }),
      get('missing', `${pods}/a`),
      post('create-b', pods, pod('b', { ...scheduled, terminationGracePeriodSeconds: 0 }), { setup: true }),
      remove('spec-zero', `${pods}/b`),
      get('b-after', `${pods}/b`),
      post('create-c', pods, pod('c', scheduled), { setup: true }),
      remove('at-once', `${pods}/c?gracePeriodSeconds=0`),
      get('c-after', `${pods}/c`),
      post('create-d', pods, pod('d', scheduled), { setup: true }),
      remove('negative', `${pods}/d?gracePeriodSeconds=-5`),
    ],
    claims: [
      claim('grace from the spec', 'by-spec.body.metadata.deletionGracePeriodSeconds', { is: 90 }),
      claim('now + grace', 'by-spec.body.metadata.deletionTimestamp', {
        secondsAfter: { time: 'by-spec.headers.date', seconds: 90 },
      }),
      claim('not longer', 'longer.body.metadata.deletionGracePeriodSeconds', { is: 90 }),
      claim('shorter', 'shorter.body.metadata.deletionGracePeriodSeconds', { is: 10 }),
      claim('shorter', 'shorter.body.metadata.deletionTimestamp', {
        secondsAfter: { time: 'shorter.headers.date', seconds: 10 },
      }),
      claim('grace 0: gone', 'missing.status', { is: 404 }),
      claim('grace 0 at once', 'c-after.status', { is: 404 }),
    ],
  },
  {
    id: 'x4-finished',
    section: 'deletion',
    shows: ['API-X4'],
    title: 'a pod on a node that has finished goes at once',
    steps: [
      post('create', pods, pod('a', scheduled), { setup: true }),
      mergePatch('succeeded', `${pods}/a/status`, { status: { phase: 'Succeeded' } }, { setup: true }),
      remove('gone', `${pods}/a`),
      get('missing', `${pods}/a`),
    ],
    claims: [claim('at once', 'missing.status', { is: 404 })],
  },
  {
    id: 'x4-with-finalizer',
    section: 'deletion',
    shows: ['API-X4', 'API-X2'],
    title: 'a pod on a node with a finalizer: grace 0 does not remove it, the last finalizer does',
    steps: [
      post('create', pods, pod('a', scheduled, { finalizers: ['example.com/wait'] }), { setup: true }),
      remove('deleting', `${pods}/a`),
      remove('forced', `${pods}/a?gracePeriodSeconds=0`),
      get('there', `${pods}/a`),
      mergePatch('free', `${pods}/a`, { metadata: { finalizers: null } }),
      get('missing', `${pods}/a`),
      post('create-b', pods, pod('b', scheduled, { finalizers: ['example.com/wait'] }), { setup: true }),
      remove('b-deleting', `${pods}/b`, { setup: true }),
      mergePatch('b-free', `${pods}/b`, { metadata: { finalizers: null } }),
      get('b-there', `${pods}/b`),
    ],
    claims: [
      claim('grace', 'deleting.body.metadata.deletionGracePeriodSeconds', { is: 30 }),
      claim('grace 0', 'forced.body.metadata.deletionGracePeriodSeconds', { is: 0 }),
      claim('it stays', 'there.status', { is: 200 }),
      claim('the last finalizer', 'missing.status', { is: 404 }),
      claim('within its grace it stays without finalizers', 'b-there.status', { is: 200 }),
    ],
  },
];
