import type { JsonObject } from 'kilter/api';
import type { Registry, StoredChange } from '../calls/index.ts';
import type { ResourceDefinition } from '../kinds/index.ts';
import { Caller } from './caller.ts';
import { ObjectIndex } from './object-index.ts';
import { type Plan, type Reconciler, reconcileStage, type WorkloadStage } from './reconcile-stage.ts';
import type { Revision } from './revisions.ts';
import { planStatefulSet, type StatefulSetStep } from './stateful-set-plan.ts';
import type { StatefulSet } from './stateful-set.ts';
import { takeRevisionStep } from './take-revision-step.ts';
import { controllerOf, type Meta, type Pod } from './workload-objects.ts';

const identity = {
  user: 'system:serviceaccount:kube-system:statefulset-controller',
  agent: 'kube-controller-manager',
};

interface Resources {
  readonly sets: ResourceDefinition;
  readonly pods: ResourceDefinition;
  readonly revisions: ResourceDefinition;
  readonly claims: ResourceDefinition;
}

class StatefulSets implements Reconciler {
  readonly #registry: Registry;
  readonly #sets = new ObjectIndex<StatefulSet>('apps', 'StatefulSet');
  readonly #pods = new ObjectIndex<Pod>('', 'Pod');
  readonly #revisions = new ObjectIndex<Revision>('apps', 'ControllerRevision');
  readonly #claims = new ObjectIndex<{ readonly metadata: Meta }>('', 'PersistentVolumeClaim');
  readonly #callers: Readonly<Record<keyof Resources, Caller>>;

  constructor(registry: Registry, { sets, pods, revisions, claims }: Resources) {
    this.#registry = registry;
    const callerOf = (resource: ResourceDefinition): Caller => new Caller(registry, resource, identity);
    this.#callers = {
      sets: callerOf(sets),
      pods: callerOf(pods),
      revisions: callerOf(revisions),
      claims: callerOf(claims),
    };
  }

  observe(change: StoredChange): string[] {
    const set = this.#sets.observe(change);
    if (set !== undefined) return [set.after.metadata.uid];
    const claim = this.#claims.observe(change);
    if (claim !== undefined) return this.#beside(claim.after.metadata.namespace);
    const owned = this.#pods.observe(change) ?? this.#revisions.observe(change);
    if (owned === undefined) return [];
    const owner = controllerOf(owned.after.metadata)?.uid;
    const before = owned.before && controllerOf(owned.before.metadata)?.uid;
    // One that nobody manages may be claimed by any set beside it.
    const now = owner === undefined ? this.#beside(owned.after.metadata.namespace) : [owner];
    return before === undefined ? now : [before, ...now];
  }

  plan(uid: string): Plan | undefined {
    const set = this.#sets.get(uid);
    if (set === undefined) return undefined;
    const { namespace } = set.metadata;
    const { step, at } = planStatefulSet({
      set,
      pods: this.#pods.managedBy(uid),
      orphans: this.#pods.orphans(namespace),
      revisions: this.#revisions.managedBy(uid),
      hasClaim: (name) =>
        this.#claims.all().some(({ metadata }) => metadata.namespace === namespace && metadata.name === name),
      now: this.#registry.clock.now(),
    });
    return step === undefined ? { at } : { act: () => this.#take(set, step) };
  }

  #take(set: StatefulSet, step: StatefulSetStep): Promise<void> {
    const { sets, pods, revisions, claims } = this.#callers;
    const { namespace } = set.metadata;
    switch (step.type) {
      case 'create-revision':
      case 'number-revision':
      case 'prune-revision':
        return takeRevisionStep(revisions, namespace, step);
      case 'claim':
        return claims.create(namespace, step.object);
      case 'create':
        return pods.create(namespace, step.object);
      case 'adopt':
        return pods.patch(step.pod.metadata, { metadata: { ownerReferences: step.owners } });
      case 'delete':
        return pods.delete(step.pod.metadata);
      case 'status':
        return sets.update(set.metadata, { ...set, status: step.status } as unknown as JsonObject, 'status');
    }
  }

  #beside(namespace: string): string[] {
    const all = this.#sets.all().map(({ metadata }) => metadata);
    return all.filter((metadata) => metadata.namespace === namespace).map(({ uid }) => uid);
  }
}

/** StatefulSets: their claims and pods by number, one after the other; undefined where not served. */
export function statefulSets(registry: Registry): WorkloadStage | undefined {
  const sets = registry.find('apps', 'v1', 'statefulsets');
  const pods = registry.find('', 'v1', 'pods');
  const revisions = registry.find('apps', 'v1', 'controllerrevisions');
  const claims = registry.find('', 'v1', 'persistentvolumeclaims');
  if (sets === undefined || pods === undefined || revisions === undefined || claims === undefined) return undefined;
  return reconcileStage(registry, new StatefulSets(registry, { sets, pods, revisions, claims }));
}
