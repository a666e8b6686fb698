import type { JsonObject } from 'kilter/api';
import type { Registry, StoredChange } from '../calls/index.ts';
import type { ResourceDefinition } from '../kinds/index.ts';
import { Caller } from './caller.ts';
import { ObjectIndex } from './object-index.ts';
import { planPod, type PodStep } from './pod-plan.ts';
import type { PodTimes } from './pod-status.ts';
import { type Plan, type Reconciler, reconcileStage, type WorkloadStage } from './reconcile-stage.ts';
import type { Node, Pod } from './workload-objects.ts';
import { clone } from '../values/index.ts';

export interface PodOptions {
  /** Times of every pod. */
  readonly times: PodTimes;
  /** Times of one pod, where they differ. */
  readonly timesOf?: ((pod: JsonObject) => Partial<PodTimes> | undefined) | undefined;
}

const scheduler = { user: 'system:kube-scheduler', agent: 'kube-scheduler' };
const kubelet = { user: 'system:node', agent: 'kubelet' };

/** When things happened to a pod, as far as its times count from them. */
interface Moments {
  boundAt?: number;
  deletedAt?: number;
}

class Pods implements Reconciler {
  readonly #registry: Registry;
  readonly #options: PodOptions;
  readonly #pods = new ObjectIndex<Pod>('', 'Pod');
  readonly #nodes = new ObjectIndex<Node>('', 'Node');
  /** By uid, exactly of the pods that exist. */
  readonly #moments = new Map<string, Moments>();
  /** How many existing pods each node has, by its name. */
  readonly #load = new Map<string, number>();
  /** Addresses of existing pods. */
  readonly #addresses = new Map<string, string>();
  readonly #scheduler: Caller;
  readonly #kubelet: Caller;

  constructor(registry: Registry, pods: ResourceDefinition, options: PodOptions) {
    this.#registry = registry;
    this.#options = options;
    this.#scheduler = new Caller(registry, pods, scheduler);
    this.#kubelet = new Caller(registry, pods, kubelet);
  }

  observe(change: StoredChange): string[] {
    const pod = this.#pods.observe(change);
    if (pod !== undefined) {
      this.#count(pod.before, -1);
      if (change.type === 'DELETED') this.#forget(pod.after);
      else this.#remember(pod.after);
      return [pod.after.metadata.uid];
    }
    const node = this.#nodes.observe(change);
    return node === undefined ? [] : this.#pods.all().map(({ metadata }) => metadata.uid);
  }

  plan(uid: string): Plan | undefined {
    const pod = this.#pods.get(uid);
    if (pod === undefined) return undefined;
    const { boundAt, deletedAt } = this.#moments.get(uid) ?? {};
    const { step, at } = planPod({
      pod,
      nodes: this.#nodes.all(),
      load: this.#load,
      times: { ...this.#options.times, ...this.#options.timesOf?.(clone(pod) as unknown as JsonObject) },
      boundAt,
      deletedAt,
      freeAddress: (node) => this.#freeAddress(node),
      now: this.#registry.clock.now(),
    });
    return step === undefined ? { at } : { act: () => this.#take(pod, step) };
  }

  #take({ metadata }: Pod, step: PodStep): Promise<void> {
    switch (step.type) {
      case 'bind':
        return this.#scheduler.post(metadata, 'binding', {
          kind: 'Binding',
          target: { kind: 'Node', name: step.node.metadata.name },
        });
      case 'status':
        return this.#kubelet.patch(metadata, { status: step.status }, 'status');
      case 'remove':
        return this.#kubelet.delete(metadata, { gracePeriodSeconds: 0 });
    }
  }

  #remember(pod: Pod): void {
    const { uid, deletionTimestamp } = pod.metadata;
    const now = this.#registry.clock.now();
    const moments = this.#moments.get(uid) ?? {};
    if (pod.spec.nodeName) moments.boundAt ??= now;
    if (deletionTimestamp !== undefined) moments.deletedAt ??= now;
    this.#moments.set(uid, moments);
    if (pod.status?.podIP !== undefined) this.#addresses.set(uid, pod.status.podIP);
    this.#count(pod, 1);
  }

  #forget({ metadata }: Pod): void {
    this.#moments.delete(metadata.uid);
    this.#addresses.delete(metadata.uid);
  }

  #count(pod: Pod | undefined, by: 1 | -1): void {
    const name = pod?.spec.nodeName;
    if (name) this.#load.set(name, (this.#load.get(name) ?? 0) + by);
  }

  /** The first address of the node's range that no pod has. */
  #freeAddress({ spec }: Node): string {
    const network = (spec?.podCIDR ?? '10.244.0.0/24').split('.').slice(0, 3).join('.');
    const used = new Set(this.#addresses.values());
    for (let host = 2; host < 255; host += 1) if (!used.has(`${network}.${host}`)) return `${network}.${host}`;
    // A node takes 110 pods in reality; who crowds one with more gets addresses that repeat.
    return `${network}.254`;
  }
}

/** Pods: bound to a node, running and ready after their time, gone after it when deleted; undefined where not served. */
export function pods(registry: Registry, options: PodOptions): WorkloadStage | undefined {
  const served = registry.find('', 'v1', 'pods');
  return served && reconcileStage(registry, new Pods(registry, served, options));
}
