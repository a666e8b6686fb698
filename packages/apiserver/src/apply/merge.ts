import type { Json, JsonObject } from 'kilter/api';
import { fieldOf, isEmpty, isObject, objectOf } from '../values/index.ts';
import { mergeLists } from './merge-lists.ts';
import { type MapType, shapeOf, type Type } from './type.ts';

/** The applied configuration laid over the live object: nothing is removed, leaves are taken from the configuration. */
export function merge(live: JsonObject, applied: JsonObject, type: Type): JsonObject {
  const merged = mergeValues(live, applied, type);
  return isObject(merged) ? merged : {};
}

function mergeValues(live: Json | undefined, applied: Json | undefined, type: Type): Json | undefined {
  const shape = shapeOf(type, applied === undefined ? live : applied);
  const sides = [live, applied];
  const preferred = applied === undefined ? live : applied;
  if (shape.kind === 'map') {
    // Where both are empty the configuration's null or {} is kept apart from the other.
    const filled = sides.some((side) => isObject(side) && !isEmpty(side));
    return shape.map.atomic || !filled ? preferred : mergeMaps(objectOr(live), objectOr(applied), shape.map);
  }
  if (shape.kind === 'list') {
    const filled = sides.some((side) => Array.isArray(side) && side.length > 0);
    if (shape.list.atomic || !filled) return preferred;
    const item = shape.list.item();
    const items = mergeLists(listOr(live), listOr(applied), {
      list: shape.list,
      mergeItem: (old, wanted) => mergeValues(old, wanted, item),
    });
    return items.length > 0 ? items : undefined;
  }
  return preferred;
}

function mergeMaps(live: JsonObject, applied: JsonObject, map: MapType): Json | undefined {
  const names = new Set([...Object.keys(live), ...Object.keys(applied)]);
  const fields = [...names].flatMap((name): [string, Json][] => {
    const value = mergeValues(fieldOf(live, name), fieldOf(applied, name), map.field(name) ?? {});
    return value === undefined ? [] : [[name, value]];
  });
  return fields.length > 0 ? objectOf(fields) : undefined;
}

const objectOr = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});

const listOr = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
