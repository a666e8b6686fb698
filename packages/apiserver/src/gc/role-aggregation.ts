import type { Json, JsonObject } from 'kilter/api';
import type { Registry } from '../calls/index.ts';
import { aggregatedRules, aggregates } from '../rbac/index.ts';
import { metadataOf, objectsIn, sameValue, textIn } from '../values/index.ts';
import { Caller, overtaken } from './caller.ts';
import type { Stage } from './stage.ts';
import { sweep } from './sweep.ts';

const controller = 'clusterrole-aggregation-controller';
const group = 'rbac.authorization.k8s.io';

/** Gives ClusterRoles with an aggregation rule the rules of those they select; undefined where there are no roles. */
export function roleAggregation(registry: Registry): Stage | undefined {
  const resource = registry.find(group, 'v1', 'clusterroles');
  if (resource === undefined) return undefined;
  const caller = new Caller(registry, controller);
  const write = async (role: JsonObject, rules: readonly JsonObject[]): Promise<void> => {
    const name = textIn(metadataOf(role), 'name');
    const body = { apiVersion: `${group}/v1`, kind: 'ClusterRole', metadata: { name }, rules: [...rules] as Json[] };
    await overtaken(() => caller.apply({ resource, namespace: undefined, name }, body, controller));
  };
  return sweep(registry, [resource], (all = []) => {
    for (const role of all.filter(aggregates)) {
      const rules = aggregatedRules(role, all);
      if (!sameValue(rules, objectsIn(role, 'rules'))) return () => write(role, rules);
    }
    return undefined;
  });
}
