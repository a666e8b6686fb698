import type { Case, Json } from '../../src/case.ts';
import { claim, get, mergePatch, post, put } from '../../src/steps.ts';

const leases = '/apis/coordination.k8s.io/v1/namespaces/{{ns}}/leases';
const lease = (metadata: { [key: string]: Json }, spec: Json): Json => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'l', ...metadata },
  spec,
});
const coreEvents = '/api/v1/namespaces/{{ns}}/events';
const newEvents = '/apis/events.k8s.io/v1/namespaces/{{ns}}/events';
const regarding: Json = {
  kind: 'ConfigMap',
  namespace: '{{ns}}',
  name: 'x',
  uid: 'u',
  apiVersion: 'v1',
  fieldPath: 'data',
};
const coreEvent = (name: string, more: { [key: string]: Json } = {}): { [key: string]: Json } => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name },
  involvedObject: regarding,
  reason: 'Tested',
  message: 'a message',
  type: 'Normal',
  source: { component: 'tester', host: 'h' },
  reportingComponent: 'example.com/tester',
  reportingInstance: 'tester-0',
  count: 3,
  firstTimestamp: '2001-01-01T00:00:00Z',
  lastTimestamp: '2002-02-02T00:00:00Z',
  ...more,
});
const newEvent = (name: string, more: { [key: string]: Json } = {}): { [key: string]: Json } => ({
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  metadata: { name },
  regarding,
  reason: 'Tested',
  note: 'a note',
  type: 'Normal',
  action: 'Testing',
  eventTime: '2003-03-03T00:00:00.123456Z',
  reportingController: 'example.com/tester',
  reportingInstance: 'tester-0',
  ...more,
});

/** A create without one of the fields an events.k8s.io Event needs. */
const without = (field: string): Json => {
  const { [field]: _, ...rest } = newEvent(`no-${field.toLowerCase()}`);
  return rest;
};
const needed = ['eventTime', 'reportingController', 'reportingInstance', 'action', 'reason', 'type'];

export const leasesAndEvents: readonly Case[] = [
  {
    id: 'z5-lease-concurrency',
    section: 'admission-identity',
    shows: ['API-Z5', 'API-C8', 'API-C9', 'API-N3'],
    title: 'a Lease is taken by optimistic concurrency, and by nothing else',
    steps: [
      put(
        'put-creates',
        `${leases}/l`,
        lease(
          {},
          {
            holderIdentity: 'a',
            renewTime: '2001-01-01T00:00:00.000001Z',
            acquireTime: '2001-01-01T00:00:00.500000Z',
            leaseDurationSeconds: 15,
          },
        ),
      ),
      put('without-version', `${leases}/l`, lease({}, { holderIdentity: 'b' })),
      put(
        'takes',
        `${leases}/l`,
        lease(
          { resourceVersion: '{{put-creates.body.metadata.resourceVersion}}' },
          { holderIdentity: 'b', leaseTransitions: 1 },
        ),
      ),
      put(
        'too-late',
        `${leases}/l`,
        lease({ resourceVersion: '{{put-creates.body.metadata.resourceVersion}}' }, { holderIdentity: 'c' }),
      ),
      get('held', `${leases}/l`),
      post('again', leases, lease({}, { holderIdentity: 'd' })),
    ],
    claims: [
      claim('PUT creates', 'put-creates.status', { is: 201 }),
      claim('six decimals', 'put-creates.body.spec.renewTime', { is: '2001-01-01T00:00:00.000001Z' }),
      claim('also where they are zero', 'put-creates.body.spec.acquireTime', { is: '2001-01-01T00:00:00.500000Z' }),
      claim('a version is needed', 'without-version.status', { is: 422 }),
      claim('with the version of now: taken', 'takes.status', { is: 200 }),
      claim('with an old one: conflict', 'too-late.status', { is: 409 }),
      claim('the holder stays', 'held.body.spec.holderIdentity', { is: 'b' }),
      claim('the server does not look at the time: a holder of long ago counts', 'again.status', { is: 409 }),
    ],
  },
  {
    id: 'z6-core-as-new',
    section: 'admission-identity',
    shows: ['API-Z6'],
    title: 'an Event written to core/v1 is read from events.k8s.io under the other names',
    steps: [post('create', coreEvents, coreEvent('e')), get('as-new', `${newEvents}/e`), get('list', newEvents)],
    claims: [
      claim('one store: the same object', 'as-new.body.metadata.uid', { sameAs: 'create.body.metadata.uid' }),
      claim('involvedObject = regarding', 'as-new.body.regarding', { sameAs: 'create.body.involvedObject' }),
      claim('message = note', 'as-new.body.note', { is: 'a message' }),
      claim('source = deprecatedSource', 'as-new.body.deprecatedSource', { is: { component: 'tester', host: 'h' } }),
      claim('reportingComponent = reportingController', 'as-new.body.reportingController', {
        is: 'example.com/tester',
      }),
      claim('count = deprecatedCount', 'as-new.body.deprecatedCount', { is: 3 }),
      claim('firstTimestamp = deprecatedFirstTimestamp', 'as-new.body.deprecatedFirstTimestamp', {
        is: '2001-01-01T00:00:00Z',
      }),
      claim('lastTimestamp = deprecatedLastTimestamp', 'as-new.body.deprecatedLastTimestamp', {
        is: '2002-02-02T00:00:00Z',
      }),
    ],
  },
  {
    id: 'z6-new-as-core',
    section: 'admission-identity',
    shows: ['API-Z6', 'API-N3'],
    title: 'an Event written to events.k8s.io is read from core/v1 under the old names',
    steps: [
      post(
        'create',
        newEvents,
        newEvent('e', {
          series: { count: 2, lastObservedTime: '2004-04-04T00:00:00.000000Z' },
          related: { kind: 'Pod', name: 'p' },
        }),
      ),
      get('as-core', `${coreEvents}/e`),
      mergePatch('more', `${newEvents}/e`, { series: { count: 3 } }),
    ],
    claims: [
      claim('regarding = involvedObject', 'as-core.body.involvedObject', { sameAs: 'create.body.regarding' }),
      claim('note = message', 'as-core.body.message', { is: 'a note' }),
      claim('reportingController = reportingComponent', 'as-core.body.reportingComponent', {
        is: 'example.com/tester',
      }),
      claim('eventTime has six decimals', 'as-core.body.eventTime', { is: '2003-03-03T00:00:00.123456Z' }),
      claim('a series can grow', 'more.body.series.count', { is: 3 }),
    ],
  },
  {
    id: 'z6-namespace',
    section: 'admission-identity',
    shows: ['API-Z6'],
    title: 'an Event stands in the namespace of its object; without one in default only',
    steps: [
      post(
        'other',
        coreEvents,
        coreEvent('e', { involvedObject: { kind: 'ConfigMap', namespace: 'default', name: 'x' } }),
      ),
      post('none', coreEvents, coreEvent('e', { involvedObject: { kind: 'Node', name: 'x' } })),
      post(
        'in-default',
        '/api/v1/namespaces/default/events',
        coreEvent('{{id}}-e', { involvedObject: { kind: 'Node', name: 'x' } }),
      ),
    ],
    claims: [
      claim('another namespace', 'other.status', { is: 422 }),
      claim('the message', 'other.body.message', { matches: 'does not match event.namespace' }),
      claim('none', 'none.status', { is: 422 }),
      claim('none in default', 'in-default.status', { is: 201 }),
    ],
  },
  {
    id: 'z6-needed-fields',
    section: 'admission-identity',
    shows: ['API-Z6'],
    title: 'events.k8s.io needs eventTime, reportingController, reportingInstance, action, reason and type',
    steps: needed.map((field) => post(field, newEvents, without(field))),
    claims: needed.flatMap((field) => [
      claim(`422 without ${field}`, `${field}.status`, { is: 422 }),
      claim(`${field} is named`, `${field}.body.details.causes`, { contains: { field } }),
    ]),
  },
];
