import type { Registry, StoredChange } from '../calls/index.ts';
import type { ResourceDefinition } from '../kinds/index.ts';
import { Caller } from './caller.ts';
import {
  type EndpointSlice,
  type EndpointSliceStep,
  isManaged,
  planEndpointSlices,
  type Service,
} from './endpoint-slice-plan.ts';
import { LabelIndex, oneOf } from './label-index.ts';
import { byAge, ObjectIndex } from './object-index.ts';
import { type Plan, type Reconciler, reconcileStage, type WorkloadStage } from './reconcile-stage.ts';
import { controllerOf, type Node, type Pod, selects } from './workload-objects.ts';

const identity = {
  user: 'system:serviceaccount:kube-system:endpointslice-controller',
  agent: 'kube-controller-manager',
};

export class EndpointSlices implements Reconciler {
  readonly #services = new ObjectIndex<Service>('', 'Service');
  readonly #slices = new ObjectIndex<EndpointSlice>('discovery.k8s.io', 'EndpointSlice');
  readonly #pods = new ObjectIndex<Pod>('', 'Pod');
  readonly #nodes = new ObjectIndex<Node>('', 'Node');
  /** By one label of their selectors: a Pod concerns few of a thousand Services. */
  readonly #selecting = new LabelIndex<string>();
  /** By each of their labels. */
  readonly #labelled = new LabelIndex<string>();
  readonly #caller: Caller;

  constructor(registry: Registry, slices: ResourceDefinition) {
    this.#caller = new Caller(registry, slices, identity);
  }

  observe(change: StoredChange): string[] {
    const service = this.#services.observe(change);
    if (service !== undefined) return this.#selects(service);
    const slice = this.#slices.observe(change);
    if (slice !== undefined)
      return [slice.before, slice.after].flatMap((one) => (one && controllerOf(one.metadata)?.uid) ?? []);
    const pod = this.#pods.observe(change);
    if (pod !== undefined) return this.#leadTo(pod);
    const node = this.#nodes.observe(change);
    // Zones alone are read of it.
    const moved = node !== undefined && zoneOf(node.before) !== zoneOf(node.after);
    return moved ? this.#services.all().map(({ metadata }) => metadata.uid) : [];
  }

  plan(uid: string): Plan | undefined {
    const service = this.#services.get(uid);
    if (service === undefined) return undefined;
    const { namespace } = service.metadata;
    const candidates = this.#labelled.withAny(namespace, oneOf(service.spec.selector));
    const step = planEndpointSlices({
      service,
      pods: Array.from(candidates, (pod) => this.#pods.get(pod) as Pod).toSorted(byAge),
      owned: this.#slices.managedBy(uid),
      zoneOf: (name) => zoneOf(this.#nodes.all().find(({ metadata }) => metadata.name === name)),
    });
    return step && { act: () => this.#take(service, step) };
  }

  #take({ metadata }: Service, step: EndpointSliceStep): Promise<void> {
    switch (step.type) {
      case 'create':
        return this.#caller.create(metadata.namespace, step.object);
      case 'change':
        return this.#caller.update(step.slice.metadata, step.object);
      case 'delete':
        return this.#caller.delete(step.slice.metadata);
    }
  }

  #selects({ before, after }: Change<Service>): string[] {
    const { uid, namespace } = after.metadata;
    if (before !== undefined) this.#selecting.remove(uid, namespace, oneOf(before.spec.selector));
    const stays = this.#services.get(uid);
    if (stays !== undefined && isManaged(stays)) this.#selecting.add(uid, namespace, oneOf(stays.spec.selector));
    return [uid];
  }

  /** The Services that select a Pod, or did before it changed. */
  #leadTo({ before, after }: Change<Pod>): string[] {
    const { uid, namespace } = after.metadata;
    const labels = [before?.metadata.labels, after.metadata.labels];
    this.#labelled.remove(uid, namespace, before?.metadata.labels);
    if (this.#pods.get(uid) !== undefined) this.#labelled.add(uid, namespace, after.metadata.labels);
    const candidates = new Set(labels.flatMap((some) => [...this.#selecting.withAny(namespace, some)]));
    return [...candidates].filter((service) => {
      const matchLabels = this.#services.get(service)?.spec.selector ?? {};
      return labels.some((some) => selects({ matchLabels }, some));
    });
  }
}

interface Change<T> {
  readonly before: T | undefined;
  readonly after: T;
}

const zoneOf = (node: Node | undefined): string | undefined => node?.metadata.labels?.['topology.kubernetes.io/zone'];

/** EndpointSlices: where the Pods of each Service are; undefined where not served. */
export function endpointSlices(registry: Registry): WorkloadStage | undefined {
  const served = registry.find('discovery.k8s.io', 'v1', 'endpointslices');
  return served && reconcileStage(registry, new EndpointSlices(registry, served));
}
