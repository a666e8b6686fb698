import type { JsonObject } from 'kilter/api';
import type { Registry, StoredChange } from '../calls/index.ts';
import { Caller } from './caller.ts';
import { type DeploymentStep, planDeployment } from './deployment-plan.ts';
import { ObjectIndex } from './object-index.ts';
import { type Plan, type Reconciler, reconcileStage, type WorkloadStage } from './reconcile-stage.ts';
import { controllerOf, type Deployment, type Meta, type Pod, type ReplicaSet } from './workload-objects.ts';

const identity = {
  user: 'system:serviceaccount:kube-system:deployment-controller',
  agent: 'kube-controller-manager',
};

class Deployments implements Reconciler {
  readonly #registry: Registry;
  readonly #deployments = new ObjectIndex<Deployment>('apps', 'Deployment');
  readonly #replicaSets = new ObjectIndex<ReplicaSet>('apps', 'ReplicaSet');
  readonly #pods = new ObjectIndex<Pod>('', 'Pod');
  readonly #deploymentCaller: Caller;
  readonly #replicaSetCaller: Caller;

  constructor(registry: Registry, resources: { deployments: Resource; replicaSets: Resource }) {
    this.#registry = registry;
    this.#deploymentCaller = new Caller(registry, resources.deployments, identity);
    this.#replicaSetCaller = new Caller(registry, resources.replicaSets, identity);
  }

  observe(change: StoredChange): string[] {
    const deployment = this.#deployments.observe(change);
    if (deployment !== undefined) return [deployment.after.metadata.uid];
    const pod = this.#pods.observe(change);
    if (pod !== undefined) return this.#deploymentOf(pod.after.metadata);
    const replicaSet = this.#replicaSets.observe(change);
    if (replicaSet === undefined) return [];
    const owner = controllerOf(replicaSet.after.metadata)?.uid;
    const before = replicaSet.before && controllerOf(replicaSet.before.metadata)?.uid;
    // One that nobody manages may be claimed by any deployment beside it.
    const now = owner === undefined ? this.#beside(replicaSet.after.metadata.namespace) : [owner];
    return before === undefined ? now : [before, ...now];
  }

  plan(uid: string): Plan | undefined {
    const deployment = this.#deployments.get(uid);
    if (deployment === undefined) return undefined;
    const { step, at } = planDeployment({
      deployment,
      owned: this.#replicaSets.managedBy(uid),
      orphans: this.#replicaSets.orphans(deployment.metadata.namespace),
      hasPods: ({ metadata }) => this.#pods.managedBy(metadata.uid).length > 0,
      now: this.#registry.clock.now(),
    });
    return step === undefined ? { at } : { act: () => this.#take(deployment, step) };
  }

  #take(deployment: Deployment, step: DeploymentStep): Promise<void> {
    const sets = this.#replicaSetCaller;
    switch (step.type) {
      case 'create':
        return sets.create(deployment.metadata.namespace, step.object);
      case 'adopt':
        return sets.patch(step.replicaSet.metadata, { metadata: { ownerReferences: step.owners } });
      case 'scale':
        return sets.patch(step.replicaSet.metadata, step.change);
      case 'annotate': {
        const change = { metadata: { annotations: step.annotations } };
        // Through status: annotations written to the deployment itself count for its generation.
        if (step.target === deployment) return this.#deploymentCaller.patch(deployment.metadata, change, 'status');
        return sets.patch(step.target.metadata, change);
      }
      case 'prune':
        return sets.delete(step.replicaSet.metadata, { propagationPolicy: 'Background' });
      case 'status':
        return this.#deploymentCaller.patch(
          deployment.metadata,
          { status: replacing(deployment.status ?? {}, step.status) },
          'status',
        );
    }
  }

  #deploymentOf(pod: Meta): string[] {
    const replicaSet = this.#replicaSets.get(controllerOf(pod)?.uid ?? '');
    const owner = replicaSet && controllerOf(replicaSet.metadata);
    return owner === undefined ? [] : [owner.uid];
  }

  #beside(namespace: string): string[] {
    const all = this.#deployments.all().map(({ metadata }) => metadata);
    return all.filter((metadata) => metadata.namespace === namespace).map(({ uid }) => uid);
  }
}

/** A merge patch that leaves exactly `after`: what is no longer there is taken away. */
export function replacing(before: object, after: object): JsonObject {
  const removed = Object.keys(before).filter((field) => !(field in after));
  return { ...Object.fromEntries(removed.map((field) => [field, null])), ...(after as JsonObject) };
}

type Resource = NonNullable<ReturnType<Registry['find']>>;

/** Deployments: one ReplicaSet per template, the newest scaled up and the others down; undefined where not served. */
export function deployments(registry: Registry): WorkloadStage | undefined {
  const served = registry.find('apps', 'v1', 'deployments');
  const replicaSets = registry.find('apps', 'v1', 'replicasets');
  if (served === undefined || replicaSets === undefined) return undefined;
  return reconcileStage(registry, new Deployments(registry, { deployments: served, replicaSets }));
}
