import { formatTime, type JsonObject } from 'kilter/api';
import type { Registry, StoredChange } from '../calls/index.ts';
import { Caller, overtaken } from './caller.ts';
import { decide, type Decision, misplacedOwners, type Surroundings } from './collect-decision.ts';
import { type Item, OwnerGraph, type OwnerRef } from './owner-graph.ts';
import type { Stage } from './stage.ts';

/** Events have no owners and outlive what they speak of. */
const ignored = (change: StoredChange): boolean => change.resource.kind === 'Event';

type Act = Exclude<Decision, { type: 'rest' | 'unknownOwner' }>;

class GarbageCollector implements Stage {
  readonly #registry: Registry;
  readonly #caller: Caller;
  readonly #graph = new OwnerGraph();
  /** Uids to look at, oldest first; an item stays in until a look finds nothing to do about it. */
  readonly #dirty = new Set<string>();
  /** Items whose owner is of a kind nobody serves: looked at again when a definition changes. */
  readonly #unknown = new Set<string>();
  /** Pairs of item and owner a warning was written for; an item's are dropped with it. */
  readonly #warned = new Map<string, Set<string>>();
  readonly #around: Surroundings;
  readonly #unsubscribe: () => void;

  constructor(registry: Registry) {
    this.#registry = registry;
    this.#caller = new Caller(registry, 'generic-garbage-collector');
    this.#around = {
      find: (uid) => this.#graph.find(uid),
      dependents: (uid) => this.#graph.dependents(uid),
      wasDeleted: (uid) => this.#graph.wasDeleted(uid),
      findKind: (group, kind) => registry.findKind(group, kind),
    };
    this.#unsubscribe = registry.onChange((change) => this.#observe(change));
    for (const resource of registry.resources()) {
      for (const object of registry.peek(resource)) this.#observe({ type: 'ADDED', resource, object });
    }
  }

  close(): void {
    this.#unsubscribe();
  }

  next(): (() => Promise<void>) | undefined {
    for (const uid of this.#dirty) {
      const action = this.#actionFor(uid);
      if (action !== undefined) return action;
    }
    return undefined;
  }

  #observe(change: StoredChange): void {
    if (ignored(change)) return;
    for (const uid of this.#graph.observe(change)) this.#dirty.add(uid);
    if (change.resource.kind !== 'CustomResourceDefinition') return;
    for (const uid of this.#unknown) this.#dirty.add(uid);
    this.#unknown.clear();
  }

  #actionFor(uid: string): (() => Promise<void>) | undefined {
    const item = this.#graph.find(uid);
    if (item === undefined) {
      this.#dirty.delete(uid);
      this.#warned.delete(uid);
      return undefined;
    }
    const warning = misplacedOwners(item, this.#around).find((owner) => !this.#warned.get(uid)?.has(owner.uid));
    if (warning !== undefined) return () => this.#warn(item, warning);
    const decision = decide(item, this.#around);
    if (decision.type === 'unknownOwner') this.#unknown.add(uid);
    if (decision.type === 'unknownOwner' || decision.type === 'rest') {
      this.#dirty.delete(uid);
      return undefined;
    }
    return () => this.#act(uid, decision);
  }

  async #act(uid: string, decision: Act): Promise<void> {
    // Last in line again, so that one object that cannot be written does not hold up all others.
    this.#dirty.delete(uid);
    this.#dirty.add(uid);
    const refusal = await overtaken(() => this.#carryOut(decision));
    const { target } = decision;
    if (this.#graph.find(target.uid) !== target) return;
    // Nothing came of it, and nothing came between: asking at once again would ask for ever.
    if (refusal !== undefined) throw refusal;
    this.#dirty.delete(uid);
  }

  async #carryOut(decision: Act): Promise<void> {
    const { target } = decision;
    const { uid, resourceVersion, owners, finalizers } = target;
    switch (decision.type) {
      case 'delete':
        return this.#caller.delete(target, {
          propagationPolicy: decision.propagation,
          preconditions: { uid, resourceVersion },
        });
      case 'dropFinalizer':
        return this.#patch(target, { finalizers: finalizers.filter((name) => name !== decision.finalizer) });
      case 'dropOwners':
        return this.#patch(target, { ownerReferences: kept(owners, decision.uids) });
      case 'unblockOwners':
        return this.#patch(target, {
          ownerReferences: owners.map(({ stored }) => ({ ...stored, blockOwnerDeletion: false })),
        });
    }
  }

  #patch(target: Item, metadata: JsonObject): Promise<void> {
    const { uid, resourceVersion } = target;
    return this.#caller.mergePatch(target, { metadata: { ...metadata, uid, resourceVersion } });
  }

  async #warn(item: Item, owner: OwnerRef): Promise<void> {
    const warned = this.#warned.get(item.uid) ?? new Set();
    this.#warned.set(item.uid, warned.add(owner.uid));
    const events = this.#registry.find('', 'v1', 'events');
    if (events === undefined) return;
    const namespace = item.namespace ?? 'default';
    const { clock, random } = this.#registry;
    const suffix = Math.floor(random() * 2 ** 48).toString(16);
    const event = warningEvent(item, owner, { name: `${item.name}.${suffix}`, now: formatTime(clock.now()) });
    await overtaken(() => this.#caller.create({ resource: events, namespace }, event));
  }
}

function kept(owners: readonly OwnerRef[], dropped: readonly string[]): JsonObject[] {
  return owners.filter(({ uid }) => !dropped.includes(uid)).map(({ stored }) => stored);
}

function warningEvent(item: Item, owner: OwnerRef, { name, now }: { name: string; now: string }): JsonObject {
  const { kind, group, version } = item.resource;
  const named = `[${owner.apiVersion}/${owner.kind}, namespace: ${item.namespace ?? ''}, name: ${owner.name}, uid: ${owner.uid}]`;
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace: item.namespace ?? 'default' },
    involvedObject: {
      apiVersion: group === '' ? version : `${group}/${version}`,
      kind,
      name: item.name,
      uid: item.uid,
      ...(item.namespace !== undefined && { namespace: item.namespace }),
    },
    type: 'Warning',
    reason: 'OwnerRefInvalidNamespace',
    message: `ownerRef ${named} does not exist in namespace "${item.namespace ?? ''}"`,
    source: { component: 'garbage-collector-controller' },
    reportingComponent: 'garbage-collector-controller',
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
  };
}

/** Deletes what is owned by nobody any more, and lets owners go that wait for their dependents. */
export function garbageCollector(registry: Registry): Stage {
  return new GarbageCollector(registry);
}
