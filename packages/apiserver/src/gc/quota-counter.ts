import type { JsonObject } from 'kilter/api';
import type { Registry, StoredChange } from '../calls/index.ts';
import type { ResourceDefinition } from '../kinds/index.ts';
import { measureOf, recounted } from '../limits/index.ts';
import { metadataOf, objectIfIn, sameValue, textIn } from '../values/index.ts';
import { Caller, overtaken } from './caller.ts';
import type { Stage } from './stage.ts';

const namespaceOf = (object: JsonObject): string => textIn(metadataOf(object), 'namespace');

/** Whether the server already counts by what the quota says: who admits a change keeps the rest up to date. */
function isCounted(quota: JsonObject): boolean {
  const status = objectIfIn(quota, 'status') ?? {};
  const hard = objectIfIn(objectIfIn(quota, 'spec') ?? {}, 'hard') ?? {};
  return status['used'] !== undefined && sameValue(status['hard'] ?? null, hard);
}

/** Whether a change of an object may leave less in use than before; what uses more is counted when it is admitted. */
function mayFree({ type, resource, object }: StoredChange): boolean {
  if (type !== 'MODIFIED' || resource.group !== '') return type === 'DELETED';
  if (resource.plural !== 'pods') return resource.plural === 'services' || resource.plural === 'persistentvolumeclaims';
  const phase = textIn(objectIfIn(object, 'status') ?? {}, 'phase');
  const isGoing = metadataOf(object)['deletionTimestamp'] !== undefined;
  const isTimed = objectIfIn(object, 'spec')?.['activeDeadlineSeconds'] !== undefined;
  return phase === 'Succeeded' || phase === 'Failed' || isGoing || isTimed;
}

class QuotaCounter implements Stage {
  readonly #registry: Registry;
  readonly #quotas: ResourceDefinition;
  readonly #caller: Caller;
  /** Namespaces whose quotas may be wrong: a look that finds them right takes one out. */
  readonly #dirty = new Set<string>();
  /** How many quotas each namespace has; none is not in it. */
  readonly #bounded = new Map<string, number>();
  readonly #unsubscribe: () => void;

  constructor(registry: Registry, quotas: ResourceDefinition) {
    this.#registry = registry;
    this.#quotas = quotas;
    this.#caller = new Caller(registry, 'resourcequota-controller');
    this.#unsubscribe = registry.onChange((change) => this.#observe(change));
    for (const object of registry.peek(quotas)) this.#observe({ type: 'ADDED', resource: quotas, object });
  }

  close(): void {
    this.#unsubscribe();
  }

  next(): (() => Promise<void>) | undefined {
    for (const namespace of this.#dirty) {
      for (const quota of this.#registry.peek(this.#quotas, namespace)) {
        const counted = recounted(quota, { measures: this.#measures(namespace), now: this.#registry.clock.now() });
        if (counted !== undefined) return () => this.#write(namespace, counted);
      }
      this.#dirty.delete(namespace);
    }
    return undefined;
  }

  #observe(change: StoredChange): void {
    const { type, resource, object } = change;
    const namespace = namespaceOf(object);
    if (resource.group === '' && resource.plural === this.#quotas.plural) {
      this.#count(namespace, type);
      if (type !== 'MODIFIED' || !isCounted(object)) this.#dirty.add(namespace);
    } else if (resource.plural === 'customresourcedefinitions') {
      // What can be counted has changed.
      for (const bounded of this.#bounded.keys()) this.#dirty.add(bounded);
    } else if (this.#bounded.has(namespace) && mayFree(change)) this.#dirty.add(namespace);
  }

  #count(namespace: string, type: StoredChange['type']): void {
    const step = type === 'ADDED' ? 1 : type === 'DELETED' ? -1 : 0;
    const count = (this.#bounded.get(namespace) ?? 0) + step;
    if (count > 0) this.#bounded.set(namespace, count);
    else this.#bounded.delete(namespace);
  }

  /** Everything in a namespace that can be counted, each resource once, whatever its versions. */
  #measures(namespace: string): Parameters<typeof recounted>[1]['measures'] {
    const resources = this.#registry.resources().filter((one) => one.namespaced && one.verbs.includes('create'));
    const each = new Map(resources.map((one) => [`${one.group}/${one.plural}`, one]));
    return [...each.values()].flatMap((resource) => {
      const measure = measureOf(resource);
      return measure === undefined ? [] : [{ measure, objects: () => this.#registry.peek(resource, namespace) }];
    });
  }

  async #write(namespace: string, quota: JsonObject): Promise<void> {
    const target = { resource: this.#quotas, namespace, name: textIn(metadataOf(quota), 'name') };
    await overtaken(() => this.#caller.update(target, quota, 'status'));
  }
}

/** Keeps in the status of every ResourceQuota what is really used; undefined where quotas are not served. */
export function quotaCounter(registry: Registry): Stage | undefined {
  const quotas = registry.find('', 'v1', 'resourcequotas');
  return quotas && new QuotaCounter(registry, quotas);
}
