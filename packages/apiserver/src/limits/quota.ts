// ResourceQuota: whether a namespace may use more, and what its quotas say afterwards. Pure.
import type { JsonObject } from 'kilter/api';
import { compareQuantities } from '../formats/index.ts';
import { metadataOf, objectIfIn, textIn } from '../values/index.ts';
import { type Measure, type Measured, totalUsage } from './measures.ts';
import { scopesOf } from './quota-scopes.ts';
import {
  growthOf,
  isSameList,
  listText,
  only,
  type ResourceList,
  resourcesIn,
  sumOf,
  toJson,
  withoutZeros,
} from './resource-list.ts';

const statusOf = (quota: JsonObject): JsonObject => objectIfIn(quota, 'status') ?? {};
const hardOf = (quota: JsonObject): ResourceList => resourcesIn(statusOf(quota), 'hard');
const usedOf = (quota: JsonObject): ResourceList => resourcesIn(statusOf(quota), 'used');
const nameOf = (quota: JsonObject): string => textIn(metadataOf(quota), 'name');

const boundedBy = (hard: ResourceList, measure: Measure): string[] =>
  [...hard.keys()].filter((name) => measure.bounds(name));

function isAbout(quota: JsonObject, measure: Measure, object: JsonObject): boolean {
  const isBounded = boundedBy(hardOf(quota), measure).length > 0;
  return isBounded && scopesOf(quota).every((scope) => measure.isIn(scope, object));
}

/** Why an object cannot be counted by a quota; undefined if it can. */
function unusable(quota: JsonObject, measure: Measure, object: JsonObject): string | undefined {
  const names = boundedBy(hardOf(quota), measure);
  const unsaid = measure.unsaid?.(object, names);
  if (unsaid !== undefined) return `failed quota: ${nameOf(quota)}: ${unsaid}`;
  const used = usedOf(quota);
  if (names.every((name) => used.has(name))) return undefined;
  return `status unknown for quota: ${nameOf(quota)}, resources: ${names.sort().join(',')}`;
}

function exceeded(quota: JsonObject, requested: ResourceList): string | undefined {
  const [hard, used] = [hardOf(quota), usedOf(quota)];
  const sum = sumOf(used, requested);
  const tooMuch = [...requested.keys()].filter((name) => {
    const [bound, amount] = [hard.get(name), sum.get(name)];
    return bound !== undefined && amount !== undefined && compareQuantities(amount, bound) > 0;
  });
  if (tooMuch.length === 0) return undefined;
  const [asked, before, limit] = [requested, used, hard].map((list) => listText(only(list, tooMuch)));
  return `exceeded quota: ${nameOf(quota)}, requested: ${asked}, used: ${before}, limited: ${limit}`;
}

const withUsed = (quota: JsonObject, used: ResourceList): JsonObject => ({
  ...quota,
  status: { ...statusOf(quota), used: toJson(used) },
});

/** The quotas that change, as they are after the change they allow; or why one of them does not allow it. */
export type Charge = { readonly refused: string } | { readonly charged: readonly JsonObject[] };

export interface Charging {
  readonly quotas: readonly JsonObject[];
  readonly measure: Measure;
  readonly change: Measured;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export function charge({ quotas, measure, change, now }: Charging): Charge {
  const { object = {}, old, subresource } = change;
  const concerned = quotas.filter((quota) => isAbout(quota, measure, object));
  for (const quota of concerned) {
    const refused = unusable(quota, measure, object);
    if (refused !== undefined) return { refused };
  }
  const usage = measure.usage(object, now);
  const growth = old === undefined ? usage : growthOf(usage, measure.usage(old, now));
  const charged: JsonObject[] = [];
  for (const quota of concerned) {
    const more = old !== undefined && isAbout(quota, measure, old) ? growth : usage;
    const requested = withoutZeros(only(more, hardOf(quota).keys()));
    if (requested.size === 0) continue;
    const refused = subresource === 'status' ? undefined : exceeded(quota, requested);
    if (refused !== undefined) return { refused };
    charged.push(withUsed(quota, sumOf(usedOf(quota), requested)));
  }
  return { charged };
}

export interface Counting {
  readonly measures: readonly { readonly measure: Measure; readonly objects: () => readonly JsonObject[] }[];
  readonly now: number;
}

/** A quota with what is really used of what it bounds; undefined if it says so already. */
export function recounted(quota: JsonObject, { measures, now }: Counting): JsonObject | undefined {
  const hard = resourcesIn(objectIfIn(quota, 'spec'), 'hard');
  const scopes = scopesOf(quota);
  let counted: ResourceList = new Map();
  for (const { measure, objects } of measures) {
    const names = boundedBy(hard, measure);
    if (names.length > 0) counted = sumOf(counted, totalUsage(measure, objects(), { names, scopes, now }));
  }
  const used = only(new Map([...usedOf(quota), ...counted]), hard.keys());
  const status = statusOf(quota);
  const isCounted = status['hard'] !== undefined && status['used'] !== undefined;
  if (isCounted && isSameList(hard, hardOf(quota)) && isSameList(used, usedOf(quota))) return undefined;
  return { ...quota, status: { hard: objectIfIn(objectIfIn(quota, 'spec') ?? {}, 'hard') ?? {}, used: toJson(used) } };
}
