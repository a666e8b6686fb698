import type { JsonObject } from 'kilter/api';
import { FieldSet } from './field-set.ts';
import type { Managers } from './managers.ts';
import { fieldSetOf } from './owned-fields.ts';
import { removeFields, withDeclaredFields } from './removal.ts';
import type { Type } from './type.ts';

export interface Pruning {
  /** What the manager applied last time. */
  readonly last: FieldSet;
  /** Who owns what now, the new claim of the applying manager included. */
  readonly managers: Managers;
  readonly type: Type;
}

/** The merged object without what its manager applied last time, leaves out now, and nobody else owns. */
export function prune(merged: JsonObject, { last, managers, type }: Pruning): JsonObject {
  if (last.isEmpty) return merged;
  const declared = (fields: FieldSet): FieldSet => withDeclaredFields(fields, type);
  const all = declared(fieldSetOf(merged, type));
  const left = (object: JsonObject): FieldSet => declared(fieldSetOf(object, type));

  const dropped = removeFields(merged, declared(last), type);
  // Removing an item took along what others own in it, and fields of no owner: both come back.
  const owned = [...managers.values()].reduce((set, { fields }) => set.union(fields), FieldSet.empty);
  const unowned = removeFields(merged, all.difference(left(dropped).union(declared(owned))), type);
  return removeFields(merged, all.difference(left(unowned)).intersection(declared(last)), type);
}
