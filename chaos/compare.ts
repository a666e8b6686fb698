// What is declared, and what there is of it.
import type { Client } from 'kilter';
import type { KubeObject } from 'kilter/api';
import { Deployment } from 'kilter/k8s/apps/v1';
import { Service } from 'kilter/k8s/core/v1';
import { WebApp } from '../examples/webapp/src/webapp.ts';

export interface World {
  readonly apps: readonly WebApp[];
  readonly deployments: readonly Deployment[];
  readonly services: readonly Service[];
}

export async function look(client: Client): Promise<World> {
  const [apps, deployments, services] = await Promise.all([
    client.list(WebApp),
    client.list(Deployment),
    client.list(Service, { labels: 'app.kubernetes.io/name' }),
  ]);
  return { apps, deployments, services };
}

const keyOf = ({ metadata }: KubeObject): string => `${metadata.namespace}/${metadata.name}`;
const ownerOf = ({ metadata }: KubeObject): string | undefined =>
  metadata.ownerReferences?.find(({ kind }) => kind === 'WebApp')?.uid;

function appProblem(app: WebApp, deployment: Deployment | undefined, service: Service | undefined): string | undefined {
  const { metadata, spec, status } = app;
  if (metadata.deletionTimestamp !== undefined) return 'it is being deleted';
  if (metadata.finalizers?.includes('example.com/dns') !== true) return 'its finalizer is missing';
  if (deployment === undefined || ownerOf(deployment) !== metadata.uid) return 'it has no Deployment';
  if (service === undefined || ownerOf(service) !== metadata.uid) return 'it has no Service';
  if (deployment.spec?.replicas !== spec.replicas) return 'its Deployment has other replicas';
  if (deployment.spec?.template.spec?.containers[0]?.image !== spec.image) return 'its Deployment has another image';
  if (service.spec?.ports?.[0]?.port !== spec.port) return 'its Service has another port';
  const generation = metadata.generation ?? 0;
  if (status?.observedGeneration !== generation) {
    return `its status is of generation ${status?.observedGeneration}, not ${generation}`;
  }
  const ready = status.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status !== 'True') return `it is not Ready: ${ready?.message}`;
  return undefined;
}

/** Every way in which the world is not as it is declared. */
export function problems({ apps, deployments, services }: World, acknowledged: ReadonlyMap<string, number>): string[] {
  const deploymentOf = new Map(deployments.map((one) => [keyOf(one), one]));
  const serviceOf = new Map(services.map((one) => [keyOf(one), one]));
  const uids = new Set(apps.map(({ metadata }) => metadata.uid));
  const wrong = apps.flatMap((app) => {
    const problem = appProblem(app, deploymentOf.get(keyOf(app)), serviceOf.get(keyOf(app)));
    return problem === undefined ? [] : [`${keyOf(app)}: ${problem}`];
  });
  const orphans = [...deployments, ...services]
    .filter((child) => ownerOf(child) !== undefined && !uids.has(ownerOf(child)))
    .map((child) => `${keyOf(child)}: a ${child.kind} whose WebApp is gone`);
  const there = new Map(apps.map((app) => [keyOf(app), app.spec.port]));
  const lost = [...acknowledged].flatMap(([key, port]) => {
    if (port === absent) return there.has(key) ? [`${key}: a WebApp that was deleted is there`] : [];
    if (!there.has(key)) return [`${key}: a WebApp that was created is gone`];
    return there.get(key) === port ? [] : [`${key}: a change that was acknowledged is lost`];
  });
  return [...wrong, ...orphans, ...lost];
}

/** The port of a WebApp that was deleted, where its last change is remembered. */
export const absent = 0;
