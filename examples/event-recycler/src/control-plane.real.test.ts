// One recycle from end to end on a real control plane: Nodes by kwok, Pods by its controllers and scheduler, evictions under a budget, and
// AWS through the real SDK.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { cluster, type ControlPlaneCluster, findBinaries, workloadControllers } from '@kilter/testing';
import { loadAll } from 'js-yaml';
import type { KubeObject } from 'kilter/api';
import { Deployment } from 'kilter/k8s/apps/v1';
import { Node, Pod } from 'kilter/k8s/core/v1';
import { PodDisruptionBudget } from 'kilter/k8s/policy/v1';
import { systemRuntime } from 'kilter/runtime';
import { expect, test } from 'vitest';
import { sdkRegions } from './aws-sdk.ts';
import { EventRecycler } from './event-recycler.ts';
import { AwsModel } from './fake/aws-model.ts';
import { awsServer } from './fake/aws-server.ts';
import { nodeName, syncFleet } from './fake/fleet.ts';
import { term, warningAbout } from './fake/sickness.ts';
import { recyclerOperator } from './operator.ts';

const { missing } = findBinaries();
const { clock } = systemRuntime;
const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'hush-hush-hush' };
const labels = { app: 'web' };
const manifests = (file: string) =>
  loadAll(readFileSync(resolve(import.meta.dirname, '../manifests', file), 'utf8')) as KubeObject[];

/** Two Pods that only the sick group may hold, and a budget that one of them is always there. */
const web = Deployment.build({
  name: 'web',
  namespace: 'default',
  spec: {
    replicas: 2,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        nodeSelector: { group: 'sick' },
        terminationGracePeriodSeconds: 0,
        containers: [{ name: 'c', image: 'i' }],
      },
    },
  },
});
const budget = PodDisruptionBudget.build({
  name: 'web',
  namespace: 'default',
  spec: { minAvailable: 1, selector: { matchLabels: labels } },
});

/** The fleet, and what the cloud's controller does to a new Node: its taint away, and a label for its group. */
async function keepFleet(env: ControlPlaneCluster, model: AwsModel, over: AbortSignal): Promise<void> {
  const groups = () => new Map(model.instancesNow().map(({ id, group }) => [nodeName(id), group]));
  while (!over.aborted) {
    await syncFleet({ client: env.client, instances: () => model.instancesNow() });
    for (const { metadata, spec } of await env.client.list(Node)) {
      const group = groups().get(metadata.name);
      if (group === undefined || (metadata.labels?.['group'] === group && (spec?.taints ?? []).length === 0)) continue;
      const resources = { cpu: '64', memory: '256Gi', pods: '100' };
      await env.client.patch(Node, metadata.name, { metadata: { labels: { group } }, spec: { taints: null } } as never);
      const status = { capacity: resources, allocatable: resources };
      await env.client.patch(Node, metadata.name, { status } as never, { subresource: 'status' });
    }
    await clock.sleep(200);
  }
}

async function until(isSo: () => Promise<boolean>, within = 180_000): Promise<void> {
  for (const over = clock.monotonic() + within; !(await isSo()); await clock.sleep(100)) {
    if (clock.monotonic() > over) throw new Error(`not within ${within / 1000} s: ${isSo.toString()}`);
  }
}

const webPods = async (env: ControlPlaneCluster) =>
  (await env.client.list(Pod, { namespace: 'default', labels })).filter(({ status }) => status?.phase === 'Running');

test.skipIf(missing !== undefined)(
  `ER-36, ER-50, ER-70: a sick group is replaced under a budget, by an operator with the rights of its manifest${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  async () => {
    const model = new AwsModel({ now: () => clock.now(), pending: 2000, shuttingDown: 1000 });
    model.addGroup({ name: 'sick', nodeGroup: 'workers', min: 1, max: 4, desired: 2 });
    for (const name of ['b', 'c', 'd']) model.addGroup({ name, min: 1, max: 3, desired: 1 });
    await using server = await awsServer(model);
    const aws = sdkRegions({ endpoint: server.endpoint, credentials, region: 'eu-west-1' });
    await using env = await cluster({
      backend: 'control-plane',
      controlPlane: { controllers: workloadControllers, nodes: 3 },
      rbac: 'derived',
    });
    const over = new AbortController();
    const fleet = keepFleet(env, model, over.signal);
    // Told below, where it is awaited: nobody handles it before.
    fleet.catch(() => undefined);
    try {
      for (const object of [...manifests('crd.yaml'), ...manifests('operator.yaml')])
        await env.client.apply(object, { manager: 'install' });
      await env.start(recyclerOperator({ aws }));
      await env.client.create(web);
      await env.client.create(budget);
      await until(async () => (await webPods(env)).length === 2);
      // Three replicas of the manifest, on three nodes.
      const home = { namespace: 'kube-system', name: 'kaws-operator' };
      await until(async () => (await env.client.get(Deployment, home)).status?.availableReplicas === 3);
      const replicas = await env.client.list(Pod, { namespace: 'kube-system' });
      expect(new Set(replicas.map(({ spec }) => spec?.nodeName)).size).toBe(3);
      // Until its controller has counted, a budget allows no eviction and knows of no healthy Pod.
      const healthy = async () => {
        const { status } = await env.client.get(PodDisruptionBudget, { namespace: 'default', name: 'web' });
        return status?.currentHealthy ?? 0;
      };
      await until(async () => (await healthy()) === 2);

      const old = model.groupNow('sick')?.instances.map(({ id }) => id) ?? [];
      const quick = { watchInterval: '2s', pollInterval: '1s' } as const;
      const spec = { searchTerms: [term], threshold: 3, ...quick };
      await env.client.create(EventRecycler.build({ name: 'sandbox', spec }));
      const [pod] = await webPods(env);
      if (pod === undefined) throw new Error('there is no Pod');
      await env.client.create(warningAbout(pod, { name: 'web.1', now: clock.now() }, { count: 3 }));

      let fewest = Infinity;
      await until(async () => {
        fewest = Math.min(fewest, await healthy());
        return ((await env.client.get(EventRecycler, 'sandbox')).status?.recycleHistory ?? []).length > 0;
      });
      const { status } = await env.client.get(EventRecycler, 'sandbox');
      expect(status?.recycleHistory).toMatchObject([{ nodeGroup: 'workers', eventCount: 3, status: 'Succeeded' }]);
      expect(fewest).toBeGreaterThanOrEqual(1);
      const now = model.groupNow('sick');
      expect(now).toMatchObject({ min: 1, max: 4, desired: 2, original: undefined });
      expect(now?.instances.filter(({ id }) => old.includes(id))).toEqual([]);
      expect(model.instancesNow().filter(({ group }) => group === 'sick')).toHaveLength(4);
      await until(async () => (await webPods(env)).length === 2);
      const cordoned = (await env.client.list(Node)).filter((node) => node.spec?.unschedulable);
      expect(cordoned).toEqual([]);
      expect(env.requests.filter(({ method, path }) => method === 'DELETE' && path.includes('/pods/'))).toEqual([]);
    } finally {
      over.abort();
      await fleet;
    }
  },
  300_000,
);
