import type { Json, JsonObject } from 'kilter/api';
import type { Registry, StoredChange } from '../calls/index.ts';
import type { ResourceDefinition } from '../kinds/index.ts';
import { aggregatedRules, aggregates } from '../rbac/index.ts';
import { metadataOf, objectsIn, sameValue, textIn } from '../values/index.ts';
import { Caller, overtaken } from './caller.ts';
import type { Stage } from './stage.ts';

const controller = 'clusterrole-aggregation-controller';
const group = 'rbac.authorization.k8s.io';

class RoleAggregation implements Stage {
  readonly #registry: Registry;
  readonly #resource: ResourceDefinition;
  readonly #caller: Caller;
  /** Some ClusterRole has changed since all were found to be right. */
  #dirty = true;
  readonly #unsubscribe: () => void;

  constructor(registry: Registry, resource: ResourceDefinition) {
    this.#registry = registry;
    this.#resource = resource;
    this.#caller = new Caller(registry, controller);
    this.#unsubscribe = registry.onChange((change) => this.#observe(change));
  }

  close(): void {
    this.#unsubscribe();
  }

  next(): (() => Promise<void>) | undefined {
    if (!this.#dirty) return undefined;
    const all = this.#registry.peek(this.#resource);
    for (const role of all.filter(aggregates)) {
      const rules = aggregatedRules(role, all);
      if (!sameValue(rules, objectsIn(role, 'rules'))) return () => this.#write(role, rules);
    }
    this.#dirty = false;
    return undefined;
  }

  #observe({ resource }: StoredChange): void {
    if (resource.group === group && resource.plural === this.#resource.plural) this.#dirty = true;
  }

  async #write(role: JsonObject, rules: JsonObject[]): Promise<void> {
    const name = textIn(metadataOf(role), 'name');
    const body: JsonObject = {
      apiVersion: `${group}/v1`,
      kind: 'ClusterRole',
      metadata: { name },
      rules: rules as Json[],
    };
    const target = { resource: this.#resource, namespace: undefined, name };
    await overtaken(() => this.#caller.apply(target, body, controller));
  }
}

/** Gives ClusterRoles with an aggregation rule the rules of those they select; undefined where there are no roles. */
export function roleAggregation(registry: Registry): Stage | undefined {
  const resource = registry.find(group, 'v1', 'clusterroles');
  return resource && new RoleAggregation(registry, resource);
}
