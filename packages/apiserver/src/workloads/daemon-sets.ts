import type { JsonObject } from 'kilter/api';
import type { Registry, StoredChange } from '../calls/index.ts';
import type { ResourceDefinition } from '../kinds/index.ts';
import { Caller } from './caller.ts';
import { type DaemonSet, type DaemonSetStep, planDaemonSet } from './daemon-set-plan.ts';
import { ObjectIndex } from './object-index.ts';
import { type Plan, type Reconciler, reconcileStage, type WorkloadStage } from './reconcile-stage.ts';
import type { Revision } from './revisions.ts';
import { takeRevisionStep } from './take-revision-step.ts';
import { controllerOf, type Node, type Pod } from './workload-objects.ts';

const identity = {
  user: 'system:serviceaccount:kube-system:daemon-set-controller',
  agent: 'kube-controller-manager',
};

interface Resources {
  readonly sets: ResourceDefinition;
  readonly pods: ResourceDefinition;
  readonly revisions: ResourceDefinition;
}

class DaemonSets implements Reconciler {
  readonly #registry: Registry;
  readonly #sets = new ObjectIndex<DaemonSet>('apps', 'DaemonSet');
  readonly #pods = new ObjectIndex<Pod>('', 'Pod');
  readonly #nodes = new ObjectIndex<Node>('', 'Node');
  readonly #revisions = new ObjectIndex<Revision>('apps', 'ControllerRevision');
  readonly #callers: Readonly<Record<keyof Resources, Caller>>;

  constructor(registry: Registry, { sets, pods, revisions }: Resources) {
    this.#registry = registry;
    const callerOf = (resource: ResourceDefinition): Caller => new Caller(registry, resource, identity);
    this.#callers = { sets: callerOf(sets), pods: callerOf(pods), revisions: callerOf(revisions) };
  }

  observe(change: StoredChange): string[] {
    const set = this.#sets.observe(change);
    if (set !== undefined) return [set.after.metadata.uid];
    if (this.#nodes.observe(change) !== undefined) return this.#sets.all().map(({ metadata }) => metadata.uid);
    const owned = this.#pods.observe(change) ?? this.#revisions.observe(change);
    if (owned === undefined) return [];
    return [owned.before, owned.after].flatMap((one) => (one && controllerOf(one.metadata)?.uid) ?? []);
  }

  plan(uid: string): Plan | undefined {
    const set = this.#sets.get(uid);
    if (set === undefined) return undefined;
    const { step, at } = planDaemonSet({
      set,
      pods: this.#pods.managedBy(uid),
      nodes: this.#nodes.all(),
      revisions: this.#revisions.managedBy(uid),
      now: this.#registry.clock.now(),
    });
    return step === undefined ? { at } : { act: () => this.#take(set, step) };
  }

  #take(set: DaemonSet, step: DaemonSetStep): Promise<void> {
    const { sets, pods, revisions } = this.#callers;
    const { namespace } = set.metadata;
    switch (step.type) {
      case 'create-revision':
      case 'number-revision':
      case 'prune-revision':
        return takeRevisionStep(revisions, namespace, step);
      case 'create':
        return pods.create(namespace, step.object);
      case 'delete':
        return pods.delete(step.pod.metadata);
      case 'status':
        return sets.update(set.metadata, { ...set, status: step.status } as unknown as JsonObject, 'status');
    }
  }
}

/** DaemonSets: a pod on each node they are meant for; undefined where not served. */
export function daemonSets(registry: Registry): WorkloadStage | undefined {
  const sets = registry.find('apps', 'v1', 'daemonsets');
  const pods = registry.find('', 'v1', 'pods');
  const revisions = registry.find('apps', 'v1', 'controllerrevisions');
  if (sets === undefined || pods === undefined || revisions === undefined) return undefined;
  return reconcileStage(registry, new DaemonSets(registry, { sets, pods, revisions }));
}
