import type { Registry, StoredChange } from '../calls/index.ts';
import type { ResourceDefinition } from '../kinds/index.ts';
import { Caller } from './caller.ts';
import { replacing } from './deployments.ts';
import { ObjectIndex } from './object-index.ts';
import { type Plan, type Reconciler, reconcileStage, type WorkloadStage } from './reconcile-stage.ts';
import { planReplicaSet, type ReplicaSetStep } from './replica-set-plan.ts';
import { controllerOf, type Pod, type ReplicaSet } from './workload-objects.ts';

const identity = {
  user: 'system:serviceaccount:kube-system:replicaset-controller',
  agent: 'kube-controller-manager',
};

class ReplicaSets implements Reconciler {
  readonly #registry: Registry;
  readonly #replicaSets = new ObjectIndex<ReplicaSet>('apps', 'ReplicaSet');
  readonly #pods = new ObjectIndex<Pod>('', 'Pod');
  readonly #replicaSetCaller: Caller;
  readonly #podCaller: Caller;

  constructor(registry: Registry, resources: { replicaSets: ResourceDefinition; pods: ResourceDefinition }) {
    this.#registry = registry;
    this.#replicaSetCaller = new Caller(registry, resources.replicaSets, identity);
    this.#podCaller = new Caller(registry, resources.pods, identity);
  }

  observe(change: StoredChange): string[] {
    const replicaSet = this.#replicaSets.observe(change);
    if (replicaSet !== undefined) return [replicaSet.after.metadata.uid];
    const pod = this.#pods.observe(change);
    if (pod === undefined) return [];
    const owner = controllerOf(pod.after.metadata)?.uid;
    const before = pod.before && controllerOf(pod.before.metadata)?.uid;
    // One that nobody manages may be claimed by any ReplicaSet beside it.
    const now = owner === undefined ? this.#beside(pod.after.metadata.namespace) : [owner];
    return before === undefined ? now : [before, ...now];
  }

  plan(uid: string): Plan | undefined {
    const replicaSet = this.#replicaSets.get(uid);
    if (replicaSet === undefined) return undefined;
    const { step, at } = planReplicaSet({
      replicaSet,
      owned: this.#pods.managedBy(uid),
      orphans: this.#pods.orphans(replicaSet.metadata.namespace),
      now: this.#registry.clock.now(),
    });
    return step === undefined ? { at } : { act: () => this.#take(replicaSet, step) };
  }

  #take({ metadata, status }: ReplicaSet, step: ReplicaSetStep): Promise<void> {
    switch (step.type) {
      case 'create':
        return this.#podCaller.create(metadata.namespace, step.object);
      case 'adopt':
        return this.#podCaller.patch(step.pod.metadata, { metadata: { ownerReferences: step.owners } });
      case 'delete':
        return this.#podCaller.delete(step.pod.metadata);
      case 'status':
        return this.#replicaSetCaller.patch(metadata, { status: replacing(status ?? {}, step.status) }, 'status');
    }
  }

  #beside(namespace: string): string[] {
    const all = this.#replicaSets.all().map(({ metadata }) => metadata);
    return all.filter((metadata) => metadata.namespace === namespace).map(({ uid }) => uid);
  }
}

/** ReplicaSets: as many pods as wanted, and their counts; undefined where not served. */
export function replicaSets(registry: Registry): WorkloadStage | undefined {
  const served = registry.find('apps', 'v1', 'replicasets');
  const pods = registry.find('', 'v1', 'pods');
  if (served === undefined || pods === undefined) return undefined;
  return reconcileStage(registry, new ReplicaSets(registry, { replicaSets: served, pods }));
}
