import { expect, test } from 'vitest';
import { z } from 'zod';
import { controller } from '../controller/index.ts';
import { customResource, renamed } from '../crd/index.ts';
import { Deployment } from '../k8s/apps/v1.ts';
import { ConfigMap, Node, Pod, Secret } from '../k8s/core/v1.ts';
import { validating } from '../webhook/index.ts';
import { operator } from './operator.ts';
import { part } from './part.ts';

class App extends customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'App',
  spec: z.object({}),
  status: z.object({}),
}) {}

const nothing = (): Promise<void> => Promise.resolve();
const endless = async function* (): AsyncGenerator<string> {};

const described = operator({
  name: 'shop',
  namespaces: ['a', 'b'],
  leaderElection: true,
  probeAddress: '0',
  parts: [part('sweeper', { reads: [Node], writes: [ConfigMap, { kind: Pod, verbs: ['delete'] }] }, nothing)],
  webhooks: [validating(App, { on: ['DELETE'] }, () => undefined)],
  controllers: [
    controller(App, { labels: { tier: 'web' } })
      .owns(Deployment, { prune: true })
      .references(Secret, () => 'x')
      .watches(Node, () => undefined, { metadataOnly: true })
      .reads(Pod, { fields: { 'spec.nodeName': 'n1' }, namespaces: ['c'] })
      .writes(ConfigMap)
      .writes(Pod, { verbs: ['create'], subresource: 'eviction' })
      .index('node', () => 'n')
      .index(Pod, 'node', () => 'n')
      .on(endless, () => undefined)
      .every('10m')
      .concurrency(4)
      .cleanup('example.com/dns', nothing)
      .reconcile(nothing),
  ],
});

test('an operator tells what it watches, owns, reads, writes, indexes and serves, as data', () => {
  const description = described.describe();
  expect(JSON.parse(JSON.stringify(description))).toEqual({
    name: 'shop',
    namespaces: ['a', 'b'],
    parts: [
      {
        name: 'sweeper',
        on: 'leader',
        reads: [{ apiVersion: 'v1', kind: 'Node' }],
        writes: [
          { apiVersion: 'v1', kind: 'ConfigMap', verbs: ['create', 'patch'] },
          { apiVersion: 'v1', kind: 'Pod', verbs: ['delete'] },
        ],
      },
    ],
    webhooks: [
      {
        type: 'validating',
        apiVersion: 'example.com/v1',
        kind: 'App',
        operations: ['DELETE'],
        path: '/validate-example-com-v1-app',
      },
    ],
    converts: [],
    leaderElection: { lease: 'shop' },
    serves: { metrics: ':8080', probes: '0', webhooks: ':9443' },
    permissions: described.permissions(),
    controllers: [
      {
        name: 'app',
        reconciles: { apiVersion: 'example.com/v1', kind: 'App', labels: 'tier=web' },
        owns: [{ apiVersion: 'apps/v1', kind: 'Deployment', prune: true }],
        references: [{ apiVersion: 'v1', kind: 'Secret' }],
        watches: [{ apiVersion: 'v1', kind: 'Node', metadataOnly: true }],
        reads: [{ apiVersion: 'v1', kind: 'Pod', namespaces: ['c'], fields: 'spec.nodeName=n1' }],
        writes: [
          { apiVersion: 'v1', kind: 'ConfigMap', verbs: ['create', 'patch'] },
          { apiVersion: 'v1', kind: 'Pod', verbs: ['create'], subresource: 'eviction' },
        ],
        indexes: [
          { apiVersion: 'example.com/v1', kind: 'App', name: 'node' },
          { apiVersion: 'v1', kind: 'Pod', name: 'node' },
        ],
        finalizers: ['example.com/dns'],
        sources: 1,
        every: 600_000,
        concurrency: 4,
        timeout: 300_000,
      },
    ],
  });
});

test('and as text', () => {
  const text = described.describe('text');
  expect(text.slice(0, text.indexOf('rules in all'))).toBe(
    [
      'operator shop: namespaces a, b',
      'leader election by the Lease shop',
      'serves metrics on :8080, webhooks on :9443',
      'controller app: reconciles App (example.com/v1) with tier=web, 4 at a time, 300 s at most',
      '  owns       Deployment (apps/v1), pruned',
      '  refers to  Secret (v1)',
      '  watches    Node (v1) (metadata only)',
      '  reads      Pod (v1) in c where spec.nodeName=n1',
      '  writes     ConfigMap (v1): create, patch',
      '  writes     Pod (v1): create of eviction',
      '  indexes    App by node',
      '  indexes    Pod by node',
      '  finalizer  example.com/dns',
      '  woken by   1 source outside the cluster',
      '  runs every 600 s',
      'part sweeper: on the leader',
      '  reads      Node (v1)',
      '  writes     ConfigMap (v1): create, patch',
      '  writes     Pod (v1): delete',
      'validating webhook for App (example.com/v1): DELETE, at /validate-example-com-v1-app',
      '',
    ].join('\n'),
  );
  expect(text).toContain(
    'rules in all namespaces (ClusterRole)\n  - {apiGroups: [""], resources: ["nodes"], verbs: ["get", "list", "watch"]}',
  );
  expect(text).toContain(
    'rules in c (Role)\n  - {apiGroups: [""], resources: ["pods"], verbs: ["get", "list", "watch"]}',
  );
});

test('what runs on every replica, and what is about single objects, is reported as such', () => {
  const table = controller(App, { everyReplica: true })
    .writes(Secret, { verbs: ['delete'], names: ['old'] })
    .reconcile(nothing);
  const text = operator({ name: 'shop', controllers: [table, controller(Pod).reconcile(nothing)] }).describe('text');
  expect(text).toContain('controller app on every replica: reconciles App');
  expect(text).toContain('controller pod: reconciles Pod');
  expect(text).toContain('Secret (v1): delete of old alone');
});

test('what it converts is reported, and that it serves it', () => {
  class Versioned extends customResource({
    group: 'example.com',
    version: 'v1',
    kind: 'Versioned',
    spec: z.object({ size: z.int().meta(renamed('v1', 'count')) }),
    versions: { v1beta1: {} },
  }) {}
  const text = operator({ name: 'shop', controllers: [controller(Versioned).reconcile(nothing)] }).describe('text');
  expect(text).toContain('probes on :8081, webhooks on :9443');
  expect(text).toContain('\nconverts Versioned.example.com between its versions\n');
});

test('an operator of nothing says so', () => {
  const text = operator({ name: 'empty', metricsAddress: '0', probeAddress: '0' }).describe('text');
  expect(text).toBe('operator empty: all namespaces\nno leader election\nserves nothing');
});
