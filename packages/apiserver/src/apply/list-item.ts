import type { Json } from 'kilter/api';
import { fieldOf, isObject, quote } from '../values/index.ts';
import { indexElement, keyElement, type PathElement, valueElement } from './path-element.ts';
import type { ListType } from './type.ts';

export type Identified = { readonly element: PathElement } | { readonly problem: string };

/** What tells an item of an associative list from the others: its keys, or in a set its value. */
export function identify(item: Json, list: ListType): Identified {
  return list.keys.length > 0 ? byKeys(item, list) : byValue(item);
}

function byKeys(item: Json, list: ListType): Identified {
  if (item === null) return { problem: 'associative list with keys may not have a null element' };
  if (!isObject(item)) return { problem: 'associative list with keys may not have non-map elements' };
  const keys = list.keys.flatMap((key): [string, Json][] => {
    const value = fieldOf(item, key);
    const known = value === undefined ? (list.keyDefault(key) ?? undefined) : value;
    return known === undefined ? [] : [[key, known]];
  });
  if (keys.length > 0) return { element: keyElement(keys) };
  const names = list.keys.map(quote).join(' ');
  return {
    problem: `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
  };
}

function byValue(item: Json): Identified {
  if (isObject(item)) return { problem: "associative list without keys has an element that's a map type" };
  if (Array.isArray(item)) return { problem: 'not supported: associative list with lists as elements' };
  if (item === null) return { problem: "associative list without keys has an element that's an explicit null" };
  return { element: valueElement(item) };
}

/** Stands for items that lost their keys while an object was being pruned: they still keep their list in being. */
const unidentified = indexElement(-1);

/** The items of a list by what identifies them, in order of first appearance; items of one identity stand together. */
export function groupItems(items: readonly Json[], list: ListType): Map<PathElement, Json[]> {
  return Map.groupBy(items, (item) => {
    const identified = identify(item, list);
    return 'problem' in identified ? unidentified : identified.element;
  });
}
