import type { Case, Json } from '../../src/case.ts';
import { claim, events, get, mergePatch, post, remove, thing, things, thingsPath, watch } from '../../src/steps.ts';
import { open, ready } from './manifests.ts';

const definition = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.{{group}}';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const cleanup = 'customresourcecleanup.apiextensions.k8s.io';

const gone = (name: string) => get(name, definition, { until: { at: `${name}.status`, is: 404 } });

const wider = {
  ...things({ type: 'object', properties: { size: { type: 'integer' } } }),
  spec: {
    ...(things({ type: 'object', properties: { size: { type: 'integer' } } })['spec'] as { [key: string]: Json }),
    scope: 'Cluster',
  },
};

export const definitionDeletion: readonly Case[] = [
  {
    id: 'x9-blocked',
    section: 'deletion',
    shows: ['API-X9'],
    title: 'a definition waits for its instances, refuses new ones, and takes its path and watches with it',
    steps: [
      ...ready(things(open)),
      post('held', thingsPath, thing('held', { metadata: { finalizers: ['example.com/wait'] } }), { setup: true }),
      post('free', thingsPath, thing('free'), { setup: true }),
      get('before', definition),
      watch('w', `${thingsPath}?watch=1&resourceVersion={{free.body.metadata.resourceVersion}}`),
      remove('deleting', definition),
      get('terminating', definition, {
        until: {
          at: 'terminating.body.status.conditions',
          contains: { type: 'Terminating', status: 'True', reason: 'InstanceDeletionInProgress' },
        },
      }),
      post('refused', thingsPath, thing('late'), { until: { at: 'refused.status', is: 403 } }),
      get('instances', thingsPath, {
        until: { at: 'instances.body.items.0.metadata.deletionTimestamp', present: true },
      }),
      mergePatch('let-go', `${thingsPath}/held`, { metadata: { finalizers: null } }),
      gone('definition-gone'),
      get('path-gone', thingsPath, { until: { at: 'path-gone.status', is: 404 } }),
      get('group-gone', '/apis/{{group}}/v1', { until: { at: 'group-gone.status', is: 404 } }),
      events('watched', 'w', {
        untilEnd: true,
        only: ['status', 'ended'],
        because: 'in which order the instances are deleted is not certain',
      }),
    ],
    claims: [
      claim('no finalizer before', 'before.body.metadata.finalizers', { present: false }),
      claim('the delete adds the finalizer', 'deleting.body.metadata.finalizers', { is: [cleanup] }),
      claim('and the condition', 'deleting.body.status.conditions', {
        contains: { type: 'Terminating', status: 'True', reason: 'InstanceDeletionPending' },
      }),
      claim('a pending delete', 'deleting.body.metadata.deletionTimestamp', { present: true }),
      claim('condition Terminating', 'terminating.body.status.conditions', {
        contains: { type: 'Terminating', status: 'True' },
      }),
      claim('creates: 403', 'refused.status', { is: 403 }),
      claim('the message', 'refused.body.message', {
        matches: 'create not allowed while custom resource definition is terminating$',
      }),
      claim('the one without finalizer was deleted', 'instances.body.items', { length: 1 }),
      claim('the other waits for its finalizers', 'instances.body.items.0.metadata.deletionTimestamp', {
        present: true,
      }),
      claim('then the definition', 'definition-gone.status', { is: 404 }),
      claim('then discovery', 'group-gone.status', { is: 404 }),
      claim('the path', 'path-gone.status', { is: 404 }),
      claim('the watches end', 'watched.ended', { is: true }),
    ],
  },
  {
    id: 'x9-created-again',
    section: 'deletion',
    shows: ['API-X9', 'API-K13'],
    title: 'a definition of another scope and schema under the old name starts clean',
    steps: [
      ...ready(things(open)),
      post('old', thingsPath, thing('old', { spec: { anything: 'goes' } }), { setup: true }),
      remove('deleting', definition, { setup: true }),
      gone('definition-gone'),
      post('again', definitions, wider, { setup: true }),
      get('established', definition, {
        setup: true,
        until: { at: 'established.body.status.conditions', contains: { type: 'Established', status: 'True' } },
      }),
      get('list', '/apis/{{group}}/v1/things', { until: { at: 'list.status', is: 200 } }),
      post('new', '/apis/{{group}}/v1/things', thing('new', { spec: { size: 1, anything: 'goes' } }), {
        until: { at: 'new.status', is: 201 },
      }),
      get('old-path', thingsPath),
      get('old-object', '/apis/{{group}}/v1/things/old'),
    ],
    claims: [
      claim('nothing of the old one', 'list.body.items', { is: [] }),
      claim('the new scope', 'new.body.metadata.namespace', { present: false }),
      claim('the new schema', 'new.body.spec', { is: { size: 1 } }),
      claim('the old path is gone', 'old-path.status', { is: 404 }),
      claim('the old object is gone', 'old-object.status', { is: 404 }),
    ],
  },
];
