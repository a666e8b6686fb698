import type { JsonObject } from 'kilter/api';
import type { Registry, StoredChange } from '../calls/index.ts';
import type { ResourceDefinition } from '../kinds/index.ts';
import { metadataOf, selectsLabels, textIn } from '../values/index.ts';
import { Caller } from './caller.ts';
import { expectedScale } from './controller-scale.ts';
import { type Budget, planBudget } from './disruption-plan.ts';
import { ObjectIndex } from './object-index.ts';
import { type Plan, type Reconciler, reconcileStage, type WorkloadStage } from './reconcile-stage.ts';
import type { Pod } from './workload-objects.ts';

const identity = {
  user: 'system:serviceaccount:kube-system:disruption-controller',
  agent: 'kube-controller-manager',
};

class Disruptions implements Reconciler {
  readonly #registry: Registry;
  readonly #budgets = new ObjectIndex<Budget>('policy', 'PodDisruptionBudget');
  readonly #pods = new ObjectIndex<Pod>('', 'Pod');
  readonly #caller: Caller;

  constructor(registry: Registry, budgets: ResourceDefinition) {
    this.#registry = registry;
    this.#caller = new Caller(registry, budgets, identity);
  }

  observe(change: StoredChange): string[] {
    const budget = this.#budgets.observe(change);
    if (budget !== undefined) return [budget.after.metadata.uid];
    const pod = this.#pods.observe(change);
    if (pod !== undefined) return this.#covering([pod.after, ...(pod.before === undefined ? [] : [pod.before])]);
    // Whatever can be scaled may be what the pods of a budget are counted by.
    const scales = change.resource.scale !== undefined;
    return scales ? this.#in(textIn(metadataOf(change.object), 'namespace')) : [];
  }

  plan(uid: string): Plan | undefined {
    const budget = this.#budgets.get(uid);
    if (budget === undefined) return undefined;
    const pods = this.#pods.all().filter((pod) => covers(budget, pod));
    const now = this.#registry.clock.now();
    const { status, at } = planBudget({ budget, pods, scale: () => expectedScale(this.#registry, pods), now });
    if (status === undefined) return { at };
    const changed = { ...budget, status } as unknown as JsonObject;
    return { act: () => this.#caller.update(budget.metadata, changed, 'status') };
  }

  #covering(pods: readonly Pod[]): string[] {
    const covered = this.#budgets.all().filter((budget) => pods.some((pod) => covers(budget, pod)));
    return covered.map(({ metadata }) => metadata.uid);
  }

  #in(namespace: string): string[] {
    const all = this.#budgets.all().map(({ metadata }) => metadata);
    return all.filter((metadata) => metadata.namespace === namespace).map(({ uid }) => uid);
  }
}

function covers({ metadata, spec }: Budget, pod: Pod): boolean {
  return metadata.namespace === pod.metadata.namespace && selectsLabels(spec?.selector, { ...pod.metadata.labels });
}

/** PodDisruptionBudgets: what they allow, as their pods come, go and change; undefined where not served. */
export function disruptions(registry: Registry): WorkloadStage | undefined {
  const served = registry.find('policy', 'v1', 'poddisruptionbudgets');
  return served && reconcileStage(registry, new Disruptions(registry, served));
}
