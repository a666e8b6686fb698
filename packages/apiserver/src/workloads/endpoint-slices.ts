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
import { byAge, ObjectIndex } from './object-index.ts';
import { type Plan, type Reconciler, reconcileStage, type WorkloadStage } from './reconcile-stage.ts';
import { controllerOf, type Node, type Pod } from './workload-objects.ts';

const identity = {
  user: 'system:serviceaccount:kube-system:endpointslice-controller',
  agent: 'kube-controller-manager',
};

class EndpointSlices implements Reconciler {
  readonly #services = new ObjectIndex<Service>('', 'Service');
  readonly #slices = new ObjectIndex<EndpointSlice>('discovery.k8s.io', 'EndpointSlice');
  readonly #pods = new ObjectIndex<Pod>('', 'Pod');
  readonly #nodes = new ObjectIndex<Node>('', 'Node');
  readonly #caller: Caller;

  constructor(registry: Registry, slices: ResourceDefinition) {
    this.#caller = new Caller(registry, slices, identity);
  }

  observe(change: StoredChange): string[] {
    const service = this.#services.observe(change);
    if (service !== undefined) return [service.after.metadata.uid];
    const slice = this.#slices.observe(change);
    if (slice !== undefined)
      return [slice.before, slice.after].flatMap((one) => (one && controllerOf(one.metadata)?.uid) ?? []);
    const pod = this.#pods.observe(change);
    if (pod !== undefined) return this.#beside(pod.after.metadata.namespace);
    const node = this.#nodes.observe(change);
    // Zones alone are read of it.
    const moved = node !== undefined && zoneOf(node.before) !== zoneOf(node.after);
    return moved ? this.#services.all().map(({ metadata }) => metadata.uid) : [];
  }

  plan(uid: string): Plan | undefined {
    const service = this.#services.get(uid);
    if (service === undefined) return undefined;
    const { namespace } = service.metadata;
    const step = planEndpointSlices({
      service,
      pods: this.#pods
        .all()
        .filter(({ metadata }) => metadata.namespace === namespace)
        .toSorted(byAge),
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

  #beside(namespace: string): string[] {
    const all = this.#services
      .all()
      .filter((service) => service.metadata.namespace === namespace && isManaged(service));
    return all.map(({ metadata }) => metadata.uid);
  }
}

const zoneOf = (node: Node | undefined): string | undefined => node?.metadata.labels?.['topology.kubernetes.io/zone'];

/** EndpointSlices: where the Pods of each Service are; undefined where not served. */
export function endpointSlices(registry: Registry): WorkloadStage | undefined {
  const served = registry.find('discovery.k8s.io', 'v1', 'endpointslices');
  return served && reconcileStage(registry, new EndpointSlices(registry, served));
}
