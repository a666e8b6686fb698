// ClusterRoles that are made of others.
import type { JsonObject } from 'kilter/api';
import { metadataOf, objectIfIn, objectsIn, sameValue, selectsLabels, textIn } from '../values/index.ts';

const nameOf = (role: JsonObject): string => textIn(metadataOf(role), 'name');

/** The selectors of a role that is made of others. */
function selectorsOf(role: JsonObject): JsonObject[] {
  return objectsIn(objectIfIn(role, 'aggregationRule') ?? {}, 'clusterRoleSelectors');
}

/** The rules of all roles that the selectors of this one find, each once, in the order of selectors and names. */
export function aggregatedRules(role: JsonObject, all: readonly JsonObject[]): JsonObject[] {
  const rules: JsonObject[] = [];
  const others = all.filter((other) => nameOf(other) !== nameOf(role));
  const sorted = others.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  for (const selector of selectorsOf(role)) {
    const found = sorted.filter((other) => selectsLabels(selector, objectIfIn(metadataOf(other), 'labels') ?? {}));
    for (const rule of found.flatMap((other) => objectsIn(other, 'rules')))
      if (!rules.some((known) => sameValue(known, rule))) rules.push(rule);
  }
  return rules;
}

/** Whether a role takes its rules from others. */
export const aggregates = (role: JsonObject): boolean => selectorsOf(role).length > 0;
