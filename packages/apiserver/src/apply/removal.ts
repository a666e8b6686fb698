import type { Json, JsonObject } from 'kilter/api';
import { isEmpty, isObject, objectOf } from '../values/index.ts';
import { FieldSet } from './field-set.ts';
import { identify } from './list-item.ts';
import { fieldElement } from './path-element.ts';
import { type ListType, type MapType, shapeOf, type Type } from './type.ts';

/** The object without the fields and items of the set. A list or map that loses all it had is null, not empty. */
export function removeFields(object: JsonObject, fields: FieldSet, type: Type): JsonObject {
  const rest = removeBelow(object, fields, type);
  return isObject(rest) ? rest : {};
}

function removeBelow(value: Json, fields: FieldSet, type: Type): Json {
  const shape = shapeOf(type, value);
  if (shape.kind === 'scalar') return value;
  if (isEmpty(value) || (shape.kind === 'map' ? shape.map : shape.list).atomic) return null;
  if (shape.kind === 'map') return isObject(value) ? removeFromMap(value, fields, shape.map) : null;
  return Array.isArray(value) ? removeFromList(value, fields, shape.list) : null;
}

function removeFromMap(value: JsonObject, fields: FieldSet, map: MapType): Json {
  const rest = Object.entries(value).flatMap(([name, field]): [string, Json][] => {
    const element = fieldElement(name);
    if (fields.members.has(element)) return [];
    const below = fields.children.get(element);
    return [[name, below === undefined ? field : removeBelow(field, below, map.field(name) ?? {})]];
  });
  return rest.length > 0 ? objectOf(rest) : null;
}

function removeFromList(items: readonly Json[], fields: FieldSet, list: ListType): Json {
  const rest = items.flatMap((item) => {
    const identified = identify(item, list);
    if ('problem' in identified) return [item];
    if (fields.members.has(identified.element)) return [];
    const below = fields.children.get(identified.element);
    return [below === undefined ? item : removeBelow(item, below, list.item())];
  });
  return rest.length > 0 ? rest : null;
}

/**
 * The set with the declared fields on the way to its members added: a set made of `.spec.tls.secret` then has `.spec` and
 * `.spec.tls` too, as these exist only for what is in them.
 */
export function withDeclaredFields(fields: FieldSet, type: Type | undefined): FieldSet {
  const declared = [...fields.children.keys()].filter(
    (element) => element.startsWith('f:') && type?.map?.declares(element.slice(2)) === true,
  );
  const children = [...fields.children].map(([element, below]) => {
    const inner = element.startsWith('f:') ? type?.map?.field(element.slice(2)) : undefined;
    const item = element.startsWith('k:') ? type?.list?.item() : undefined;
    return [element, withDeclaredFields(below, inner ?? item)] as const;
  });
  return new FieldSet(new Set([...fields.members, ...declared]), new Map(children));
}
