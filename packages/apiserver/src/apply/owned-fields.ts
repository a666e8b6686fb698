import type { Json } from 'kilter/api';
import { isEmpty, isObject } from '../values/index.ts';
import { FieldSet } from './field-set.ts';
import { groupItems } from './list-item.ts';
import { fieldElement, type PathElement } from './path-element.ts';
import { type ListType, type MapType, shapeOf, type Type } from './type.ts';

/** What an applied configuration claims: every leaf, every item of a list, every entry of a map, but no declared field. */
export function fieldSetOf(value: Json, type: Type): FieldSet {
  return claim(value, type).below;
}

interface Claim {
  /** The place itself is claimed: it is a leaf. */
  readonly self: boolean;
  readonly below: FieldSet;
}

const leaf: Claim = { self: true, below: FieldSet.empty };
const nothing: Claim = { self: false, below: FieldSet.empty };

function claim(value: Json, type: Type): Claim {
  const shape = shapeOf(type, value);
  if (shape.kind === 'scalar') return leaf;
  if (shape.kind === 'list') {
    if (shape.list.atomic) return leaf;
    return Array.isArray(value) ? { self: false, below: listClaims(value, shape.list) } : nothing;
  }
  if (shape.map.atomic) return leaf;
  return isObject(value) ? { self: false, below: mapClaims(Object.entries(value), shape.map) } : nothing;
}

function mapClaims(fields: readonly [string, Json][], map: MapType): FieldSet {
  return combine(
    fields.map(([name, value]) => {
      const { self, below } = claim(value, map.field(name) ?? {});
      const blank = value === null || (isObject(value) && isEmpty(value));
      return [fieldElement(name), { self: self || blank || !map.declares(name), below }];
    }),
  );
}

function listClaims(items: readonly Json[], list: ListType): FieldSet {
  return combine(
    [...groupItems(items, list)].map(([element, [first = null, ...duplicates]]) =>
      // Nothing shows to which of several duplicates a field below belongs: they are owned as one.
      [element, duplicates.length > 0 ? leaf : { self: true, below: claim(first, list.item()).below }],
    ),
  );
}

function combine(claims: readonly (readonly [PathElement, Claim])[]): FieldSet {
  return new FieldSet(
    new Set(claims.filter(([, { self }]) => self).map(([element]) => element)),
    new Map(claims.filter(([, { below }]) => !below.isEmpty).map(([element, { below }]) => [element, below])),
  );
}
