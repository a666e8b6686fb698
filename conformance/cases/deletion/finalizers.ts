import type { Case } from '../../src/case.ts';
import {
  apply,
  claim,
  configMap,
  configMaps,
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
} from '../../src/steps.ts';
import { open, ready } from './manifests.ts';

const wait = { metadata: { finalizers: ['example.com/wait'] } };
const writes = ['put', 'merge', 'json', 'strategic', 'apply'] as const;

export const finalizers: readonly Case[] = [
  {
    id: 'x2-pending-custom',
    section: 'deletion',
    shows: ['API-X2', 'API-C6'],
    title: 'a custom resource with a finalizer: deletion begins, and a second delete changes nothing',
    steps: [
      ...ready(things(open)),
      post('create', thingsPath, thing('a', { ...wait, spec: { n: 1 } })),
      remove('pending', `${thingsPath}/a`),
      remove('again', `${thingsPath}/a`),
      get('there', `${thingsPath}/a`),
      mergePatch('changed', `${thingsPath}/a`, { spec: { n: 2 } }),
      remove('third', `${thingsPath}/a`),
    ],
    claims: [
      claim('200', 'pending.status', { is: 200 }),
      claim('with the object', 'pending.body.kind', { is: 'Thing' }),
      claim('deletionTimestamp = now', 'pending.body.metadata.deletionTimestamp', {
        secondsAfter: { time: 'pending.headers.date', seconds: 0 },
      }),
      claim('grace 0', 'pending.body.metadata.deletionGracePeriodSeconds', { is: 0 }),
      claim('generation +1', 'pending.body.metadata.generation', { is: 2 }),
      claim('a new RV', 'pending.body.metadata.resourceVersion', {
        greaterThan: 'create.body.metadata.resourceVersion',
      }),
      claim('again: 200', 'again.status', { is: 200 }),
      claim('again: same RV', 'again.body.metadata.resourceVersion', {
        sameAs: 'pending.body.metadata.resourceVersion',
      }),
      claim('again: the same in all', 'again.body', { sameAs: 'pending.body' }),
      claim('it is there', 'there.body', { sameAs: 'pending.body' }),
      claim('it can change', 'changed.body.metadata.generation', { is: 3 }),
      claim('and again: same RV', 'third.body.metadata.resourceVersion', {
        sameAs: 'changed.body.metadata.resourceVersion',
      }),
    ],
  },
  {
    id: 'x2-pending-built-in',
    section: 'deletion',
    shows: ['API-X2'],
    title: 'a built-in object with a finalizer',
    steps: [
      post('create', configMaps, configMap('a', wait)),
      remove('pending', `${configMaps}/a`),
      remove('again', `${configMaps}/a`),
      remove('with-grace', `${configMaps}/a?gracePeriodSeconds=30`),
      post(
        'deployment',
        '/apis/apps/v1/namespaces/{{ns}}/deployments',
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name: 'd', finalizers: ['example.com/wait'] },
          spec: {
            selector: { matchLabels: { app: 'd' } },
            template: {
              metadata: { labels: { app: 'd' } },
              spec: { containers: [{ name: 'main', image: 'registry.example/app:1' }] },
            },
          },
        },
        { setup: true },
      ),
      remove('deployment-pending', '/apis/apps/v1/namespaces/{{ns}}/deployments/d'),
    ],
    claims: [
      claim('deletionTimestamp = now', 'pending.body.metadata.deletionTimestamp', {
        secondsAfter: { time: 'pending.headers.date', seconds: 0 },
      }),
      claim('grace 0', 'pending.body.metadata.deletionGracePeriodSeconds', { is: 0 }),
      claim('no generation where the kind has none', 'pending.body.metadata.generation', { present: false }),
      claim('again: same RV', 'again.body.metadata.resourceVersion', {
        sameAs: 'pending.body.metadata.resourceVersion',
      }),
      claim('generation +1 where it has one', 'deployment-pending.body.metadata.generation', { is: 2 }),
    ],
  },
  {
    id: 'x2-last-finalizer',
    section: 'deletion',
    shows: ['API-X2'],
    title: 'whatever write removes the last finalizer deletes the object and returns it',
    steps: [
      ...writes.flatMap((name) => [
        post(`${name}-create`, configMaps, configMap(name, { ...wait, data: { k: '1' } }), { setup: true }),
        remove(`${name}-pending`, `${configMaps}/${name}`, { setup: true }),
      ]),
      put('put', `${configMaps}/put`, configMap('put', { data: { k: '2' } })),
      mergePatch('merge', `${configMaps}/merge`, { metadata: { finalizers: null } }),
      jsonPatch('json', `${configMaps}/json`, [{ op: 'remove', path: '/metadata/finalizers' }]),
      strategicPatch('strategic', `${configMaps}/strategic`, {
        metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/wait'] },
      }),
      apply('take', `${configMaps}/apply?fieldManager=m&force=true`, configMap('apply', wait), { setup: true }),
      mergePatch('leave', `${configMaps}/apply`, { metadata: { managedFields: [{}] } }, { setup: true }),
      apply('take-again', `${configMaps}/apply?fieldManager=m&force=true`, configMap('apply', wait), { setup: true }),
      mergePatch('apply', `${configMaps}/apply?fieldManager=n`, { metadata: { finalizers: [] } }),
      ...writes.map((name) => get(`${name}-after`, `${configMaps}/${name}`)),
    ],
    claims: writes.flatMap((name) => [
      claim(`${name}: 200`, `${name}.status`, { is: 200 }),
      claim(`${name}: returns the object`, `${name}.body.kind`, { is: 'ConfigMap' }),
      claim(`${name}: deleted`, `${name}-after.status`, { is: 404 }),
    ]),
  },
  {
    id: 'x2-last-finalizer-custom',
    section: 'deletion',
    shows: ['API-X2'],
    title: 'the same for custom resources, by apply, put and patch; one of two is not the last',
    steps: [
      ...ready(things(open, { version: { subresources: { status: {} } } })),
      apply('applied', `${thingsPath}/a?fieldManager=m`, thing('a', { ...wait, spec: { n: 1 } }), { setup: true }),
      remove('a-pending', `${thingsPath}/a`, { setup: true }),
      apply('apply', `${thingsPath}/a?fieldManager=m`, thing('a', { spec: { n: 1 } })),
      get('a-after', `${thingsPath}/a`),
      post('b', thingsPath, thing('b', { metadata: { finalizers: ['example.com/one', 'example.com/two'] } }), {
        setup: true,
      }),
      remove('b-pending', `${thingsPath}/b`, { setup: true }),
      mergePatch('one-less', `${thingsPath}/b`, { metadata: { finalizers: ['example.com/two'] } }),
      mergePatch('by-status', `${thingsPath}/b/status`, { metadata: { finalizers: null }, status: { n: 1 } }),
      put('put', `${thingsPath}/b`, {
        apiVersion: '{{group}}/v1',
        kind: 'Thing',
        metadata: { name: 'b', resourceVersion: '{{by-status.body.metadata.resourceVersion}}' },
      }),
      get('b-after', `${thingsPath}/b`),
      post('c', thingsPath, thing('c', wait), { setup: true }),
      remove('c-pending', `${thingsPath}/c`, { setup: true }),
      mergePatch('dry', `${thingsPath}/c?dryRun=All`, { metadata: { finalizers: null } }),
      get('c-after', `${thingsPath}/c`),
    ],
    claims: [
      claim('apply returns the object', 'apply.body.kind', { is: 'Thing' }),
      claim('apply deletes', 'a-after.status', { is: 404 }),
      claim('one of two is not the last', 'one-less.body.metadata.finalizers', { is: ['example.com/two'] }),
      claim('/status does not remove finalizers', 'by-status.body.metadata.finalizers', { is: ['example.com/two'] }),
      claim('put returns the object', 'put.body.kind', { is: 'Thing' }),
      claim('put deletes', 'b-after.status', { is: 404 }),
      claim('a dry run returns the object', 'dry.status', { is: 200 }),
      claim('and deletes nothing', 'c-after.status', { is: 200 }),
    ],
  },
  {
    id: 'x2-without-delete',
    section: 'deletion',
    shows: ['API-X2'],
    title: 'removing the last finalizer of an object nobody deleted deletes nothing',
    steps: [
      post('create', configMaps, configMap('a', wait), { setup: true }),
      mergePatch('free', `${configMaps}/a`, { metadata: { finalizers: null } }),
      get('there', `${configMaps}/a`),
    ],
    claims: [claim('it stays', 'there.status', { is: 200 })],
  },
  {
    id: 'x2-never-unset',
    section: 'deletion',
    shows: ['API-X2', 'API-C12'],
    title: 'deletionTimestamp is never unset or changed',
    steps: [
      post('create', configMaps, configMap('a', wait), { setup: true }),
      remove('pending', `${configMaps}/a`),
      mergePatch('null', `${configMaps}/a`, {
        metadata: { deletionTimestamp: null, deletionGracePeriodSeconds: null },
        data: { k: '1' },
      }),
      put('put', `${configMaps}/a`, configMap('a', { ...wait, data: { k: '2' } })),
      put(
        'other-time',
        `${configMaps}/a`,
        configMap('a', {
          metadata: {
            finalizers: ['example.com/wait'],
            deletionTimestamp: '2001-02-03T04:05:06Z',
            deletionGracePeriodSeconds: 99,
          },
          data: { k: '3' },
        }),
      ),
      mergePatch('other-time-patched', `${configMaps}/a`, { metadata: { deletionTimestamp: '2001-02-03T04:05:06Z' } }),
      mergePatch('more-finalizers', `${configMaps}/a`, {
        metadata: { finalizers: ['example.com/wait', 'example.com/more'] },
      }),
      post('create-deleting', configMaps, configMap('b', { metadata: { deletionTimestamp: '2001-02-03T04:05:06Z' } })),
    ],
    claims: [
      claim('another grace is refused', 'other-time.status', { is: 422 }),
      ...['null', 'put', 'other-time-patched'].flatMap((step) => [
        claim('stays', `${step}.body.metadata.deletionTimestamp`, {
          sameAs: 'pending.body.metadata.deletionTimestamp',
        }),
        claim('grace stays', `${step}.body.metadata.deletionGracePeriodSeconds`, { is: 0 }),
      ]),
      claim('no new finalizers', 'more-finalizers.status', { is: 422 }),
      claim('a new object is not being deleted', 'create-deleting.body.metadata.deletionTimestamp', { present: false }),
    ],
  },
];
