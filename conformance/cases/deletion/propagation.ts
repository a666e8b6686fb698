import type { Case, Json, Step } from '../../src/case.ts';
import { claim, configMap, configMaps, get, post, remove, thing, things, thingsPath } from '../../src/steps.ts';
import { open, pod, pods, ready } from './manifests.ts';

const jobs = '/apis/batch/v1/namespaces/{{ns}}/jobs';
const controllers = '/api/v1/namespaces/{{ns}}/replicationcontrollers';
const containers: Json = [{ name: 'main', image: 'registry.example/app:1' }];

const job = (name: string): Json => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name },
  spec: { template: { spec: { restartPolicy: 'Never', containers } } },
});

const controller = (name: string): Json => ({
  apiVersion: 'v1',
  kind: 'ReplicationController',
  metadata: { name },
  spec: {
    replicas: 0,
    selector: { app: name },
    template: { metadata: { labels: { app: name } }, spec: { containers } },
  },
});

const workload = (kind: string, name: string, more: { [key: string]: Json } = {}): Json => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers } },
    ...more,
  },
});

const finalizer = (...names: string[]): { [key: string]: Json } => ({ metadata: { finalizers: names } });

const workloads: readonly [plural: string, manifest: Json][] = [
  ['deployments', workload('Deployment', 'w')],
  ['replicasets', workload('ReplicaSet', 'w')],
  ['statefulsets', workload('StatefulSet', 'w', { serviceName: 's' })],
  ['daemonsets', workload('DaemonSet', 'w')],
];

const workloadsPath = (plural: string): string => `/apis/apps/v1/namespaces/{{ns}}/${plural}`;

/** A delete on the condition of the version that an earlier step answered. */
const onVersion = (step: string): { [key: string]: Json } => ({
  propagationPolicy: 'Background',
  preconditions: { resourceVersion: `{{${step}.body.metadata.resourceVersion}}` },
});

/** Deletes of an object that nothing holds but the finalizer of an earlier policy: before it is marked, and once it is. */
const lettingGo = (name: string, path: string, manifest: Json): Step[] => [
  post(name, path, manifest),
  remove(`${name}-not-marked`, `${path}/a`, { body: onVersion(name) }),
  remove(`${name}-marked`, `${path}/a`),
  remove(`${name}-on-version`, `${path}/a`, { body: onVersion(`${name}-marked`) }),
  get(`${name}-kept`, `${path}/a`),
  remove(`${name}-dry`, `${path}/a`, { body: { ...onVersion(`${name}-marked`), dryRun: ['All'] } }),
  remove(`${name}-gone`, `${path}/a?propagationPolicy=Background`),
];

export const propagation: readonly Case[] = [
  {
    id: 'x5-policies',
    section: 'deletion',
    shows: ['API-X5'],
    title: 'Foreground and Orphan add a finalizer, Background does not',
    steps: [
      post('a', configMaps, configMap('a'), { setup: true }),
      remove('foreground', `${configMaps}/a?propagationPolicy=Foreground`),
      get('waiting', `${configMaps}/a`),
      post('b', configMaps, configMap('b'), { setup: true }),
      remove('orphan', `${configMaps}/b?propagationPolicy=Orphan`),
      post('c', configMaps, configMap('c'), { setup: true }),
      remove('background', `${configMaps}/c?propagationPolicy=Background`),
      post('d', configMaps, configMap('d'), { setup: true }),
      remove('default', `${configMaps}/d`),
      ...ready(things(open)),
      post('t', thingsPath, thing('t'), { setup: true }),
      remove('thing-foreground', `${thingsPath}/t?propagationPolicy=Foreground`),
      post('u', thingsPath, thing('u'), { setup: true }),
      remove('thing-orphan', `${thingsPath}/u?propagationPolicy=Orphan`),
      post('v', thingsPath, thing('v'), { setup: true }),
      remove('thing-default', `${thingsPath}/v`),
    ],
    claims: [
      claim('Foreground adds foregroundDeletion', 'foreground.body.metadata.finalizers', {
        is: ['foregroundDeletion'],
      }),
      claim('and waits', 'waiting.body.metadata.deletionTimestamp', { present: true }),
      claim('Orphan adds orphan', 'orphan.body.metadata.finalizers', { is: ['orphan'] }),
      claim('Background adds nothing', 'background.body.status', { is: 'Success' }),
      claim('default Background', 'default.body.status', { is: 'Success' }),
      claim('Foreground on a custom resource', 'thing-foreground.body.metadata.finalizers', {
        is: ['foregroundDeletion'],
      }),
      claim('Orphan on a custom resource', 'thing-orphan.body.metadata.finalizers', { is: ['orphan'] }),
      claim('default Background on a custom resource', 'thing-default.body.status', { is: 'Success' }),
    ],
  },
  {
    id: 'x5-override',
    section: 'deletion',
    shows: ['API-X5'],
    title: 'the policy overrides a finalizer that is there, without one it stands',
    steps: [
      post('a', configMaps, configMap('a', finalizer('orphan')), { setup: true }),
      remove('orphan-to-foreground', `${configMaps}/a?propagationPolicy=Foreground`),
      post('b', configMaps, configMap('b', finalizer('foregroundDeletion')), { setup: true }),
      remove('foreground-to-orphan', `${configMaps}/b?propagationPolicy=Orphan`),
      post('c', configMaps, configMap('c', finalizer('orphan')), { setup: true }),
      remove('orphan-to-background', `${configMaps}/c?propagationPolicy=Background`),
      post('d', configMaps, configMap('d', finalizer('foregroundDeletion')), { setup: true }),
      remove('foreground-to-background', `${configMaps}/d?propagationPolicy=Background`),
      post('e', configMaps, configMap('e', finalizer('orphan')), { setup: true }),
      remove('no-policy-orphan', `${configMaps}/e`),
      post('f', configMaps, configMap('f', finalizer('foregroundDeletion')), { setup: true }),
      remove('no-policy-foreground', `${configMaps}/f`),
      post('g', configMaps, configMap('g', finalizer('example.com/own', 'orphan')), { setup: true }),
      remove('others-stay', `${configMaps}/g?propagationPolicy=Foreground`),
      post('h', configMaps, configMap('h', finalizer('orphan')), { setup: true }),
      remove('flag-false', `${configMaps}/h?orphanDependents=false`),
    ],
    claims: [
      claim('Foreground over orphan', 'orphan-to-foreground.body.metadata.finalizers', { is: ['foregroundDeletion'] }),
      claim('Orphan over foregroundDeletion', 'foreground-to-orphan.body.metadata.finalizers', { is: ['orphan'] }),
      claim('Background over orphan', 'orphan-to-background.body.status', { is: 'Success' }),
      claim('Background over foregroundDeletion', 'foreground-to-background.body.status', { is: 'Success' }),
      claim('no policy: it stands', 'no-policy-orphan.body.metadata.finalizers', { is: ['orphan'] }),
      claim('no policy: it stands', 'no-policy-foreground.body.metadata.finalizers', { is: ['foregroundDeletion'] }),
      claim('others stay', 'others-stay.body.metadata.finalizers', { is: ['example.com/own', 'foregroundDeletion'] }),
      claim('orphanDependents=false over orphan', 'flag-false.body.status', { is: 'Success' }),
    ],
  },
  {
    id: 'x5-second-policy',
    section: 'deletion',
    shows: ['API-X5'],
    title: 'a second delete changes the policy of the first',
    steps: [
      post('a', configMaps, configMap('a'), { setup: true }),
      remove('foreground', `${configMaps}/a?propagationPolicy=Foreground`),
      remove('then-orphan', `${configMaps}/a?propagationPolicy=Orphan`),
      remove('then-nothing', `${configMaps}/a`),
      remove('then-background', `${configMaps}/a?propagationPolicy=Background`),
      get('gone', `${configMaps}/a`),
    ],
    claims: [
      claim('Foreground', 'foreground.body.metadata.finalizers', { is: ['foregroundDeletion'] }),
      claim('then Orphan', 'then-orphan.body.metadata.finalizers', { is: ['orphan'] }),
      claim('no policy keeps it', 'then-nothing.body.metadata.finalizers', { is: ['orphan'] }),
      claim('then Background: gone', 'gone.status', { is: 404 }),
    ],
  },
  {
    id: 'x5-orphan-by-default',
    section: 'deletion',
    shows: ['API-X5'],
    title: 'jobs and replication controllers orphan by default, other workloads do not',
    steps: [
      post('job', jobs, job('a'), { setup: true }),
      remove('job-default', `${jobs}/a`),
      post('job-b', jobs, job('b'), { setup: true }),
      remove('job-background', `${jobs}/b?propagationPolicy=Background`),
      post('controller', controllers, controller('a'), { setup: true }),
      remove('controller-default', `${controllers}/a`),
      post('controller-b', controllers, controller('b'), { setup: true }),
      remove('controller-background', `${controllers}/b?propagationPolicy=Background`),
      ...workloads.flatMap(([plural, manifest]) => [
        post(plural, workloadsPath(plural), manifest, { setup: true }),
        remove(`${plural}-default`, `${workloadsPath(plural)}/w`),
      ]),
      post(
        'cronjobs',
        '/apis/batch/v1/namespaces/{{ns}}/cronjobs',
        {
          apiVersion: 'batch/v1',
          kind: 'CronJob',
          metadata: { name: 'w' },
          spec: {
            schedule: '0 0 1 1 *',
            jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers } } } },
          },
        },
        { setup: true },
      ),
      remove('cronjobs-default', '/apis/batch/v1/namespaces/{{ns}}/cronjobs/w'),
    ],
    claims: [
      claim('Orphan for batch/v1 Job', 'job-default.body.metadata.finalizers', { contains: 'orphan' }),
      claim('a policy overrides', 'job-background.body.status', { is: 'Success' }),
      claim('Orphan for core/v1 ReplicationController', 'controller-default.body.metadata.finalizers', {
        is: ['orphan'],
      }),
      claim('a policy overrides', 'controller-background.body.status', { is: 'Success' }),
      ...[...workloads.map(([plural]) => plural), 'cronjobs'].map((plural) =>
        claim(`default Background for ${plural}`, `${plural}-default.body.status`, { is: 'Success' }),
      ),
    ],
  },
  {
    id: 'x5-last-finalizer',
    section: 'deletion',
    shows: ['API-X5', 'API-X3'],
    title:
      'a policy that takes the last finalizer away: the object goes at once, but never on the condition of a version',
    steps: [
      ...ready(things(open)),
      ...lettingGo('map', configMaps, configMap('a', finalizer('orphan'))),
      ...lettingGo('custom', thingsPath, thing('a', finalizer('foregroundDeletion'))),
      ...lettingGo('service', '/api/v1/namespaces/{{ns}}/services', {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'a', finalizers: ['orphan'] },
        spec: { ports: [{ port: 80 }] },
      }),
      post('pod', pods, pod('p', { nodeName: 'n' }, { finalizers: ['orphan'] })),
      remove('pod-marked', `${pods}/p?gracePeriodSeconds=0`),
      remove('pod-on-version', `${pods}/p`, { body: onVersion('pod-marked') }),
      remove('pod-dry', `${pods}/p`, { body: { propagationPolicy: 'Background', dryRun: ['All'] } }),
      remove('pod-gone', `${pods}/p?propagationPolicy=Background`),
    ],
    claims: ['map', 'custom', 'service', 'pod'].flatMap((name) => [
      claim(`${name}: 409 on the condition of a version`, `${name}-on-version.status`, { is: 409 }),
      claim(`${name}: the version it compares is empty`, `${name}-on-version.body.message`, {
        matches: 'Precondition failed: ResourceVersion in precondition: , ResourceVersion in object meta: \\d+$',
      }),
      claim(`${name}: a dry run answers an object without a name`, `${name}-dry.body.metadata.name`, {
        present: false,
      }),
      claim(`${name}: without a condition it goes`, `${name}-gone.status`, { is: 200 }),
    ]),
  },
];
