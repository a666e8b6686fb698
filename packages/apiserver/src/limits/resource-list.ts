import type { JsonObject } from 'kilter/api';
import {
  addQuantities,
  compareQuantities,
  negated,
  type Quantity,
  quantityOf,
  quantityText,
} from '../formats/index.ts';
import { compareText, objectIfIn, textOf } from '../values/index.ts';

/** How much of each resource, by its name. */
export type ResourceList = ReadonlyMap<string, Quantity>;

/** What a field says of resources: `requests`, `limits`, `hard`. */
export function resourcesIn(object: JsonObject | undefined, field: string): ResourceList {
  const entries = Object.entries(objectIfIn(object ?? {}, field) ?? {});
  return new Map(entries.map(([name, value]) => [name, quantityOf(textOf(value))]));
}

function joined(a: ResourceList, b: ResourceList, join: (a: Quantity, b: Quantity) => Quantity): ResourceList {
  const result = new Map(a);
  for (const [name, amount] of b) {
    const there = result.get(name);
    result.set(name, there === undefined ? amount : join(there, amount));
  }
  return result;
}

export const sumOf = (a: ResourceList, b: ResourceList): ResourceList => joined(a, b, addQuantities);

export const mostOf = (a: ResourceList, b: ResourceList): ResourceList =>
  joined(a, b, (first, second) => (compareQuantities(second, first) > 0 ? second : first));

/** What is more than before; nothing where it is less. */
export function growthOf(now: ResourceList, before: ResourceList): ResourceList {
  const result = new Map<string, Quantity>();
  for (const [name, amount] of now) {
    const more = addQuantities(amount, negated(before.get(name) ?? { ...amount, unscaled: 0n }));
    result.set(name, more.unscaled < 0n ? { ...more, unscaled: 0n } : more);
  }
  return result;
}

/** Only these resources. */
export function only(list: ResourceList, names: Iterable<string>): ResourceList {
  const wanted = new Set(names);
  return new Map([...list].filter(([name]) => wanted.has(name)));
}

export const withoutZeros = (list: ResourceList): ResourceList =>
  new Map([...list].filter(([, { unscaled }]) => unscaled !== 0n));

/** As a refusal names it: `cpu=1,memory=1Gi`. */
export function listText(list: ResourceList): string {
  const sorted = [...list].sort(([a], [b]) => compareText(a, b));
  return sorted.map(([name, amount]) => `${name}=${quantityText(amount)}`).join(',');
}

/** As a field of an object holds it. */
export function toJson(list: ResourceList): JsonObject {
  return Object.fromEntries([...list].map(([name, amount]) => [name, quantityText(amount)]));
}

/** Whether both name the same resources, and as much of each. */
export function isSameList(a: ResourceList, b: ResourceList): boolean {
  const isSame = ([name, amount]: [string, Quantity]): boolean => {
    const other = b.get(name);
    return other !== undefined && compareQuantities(amount, other) === 0;
  };
  return a.size === b.size && [...a].every(isSame);
}
