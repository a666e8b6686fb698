import type { JsonObject } from 'kilter/api';
import { FieldSet } from './field-set.ts';
import type { ManagerEntry, Managers } from './managers.ts';
import { fieldSetOf } from './owned-fields.ts';
import { removeFields, withDeclaredFields } from './removal.ts';
import type { Type } from './type.ts';
import type { Endpoint, VersionView } from './write.ts';

export interface Pruning {
  /** What the manager applied last time, in the version of that time. */
  readonly last: Pick<ManagerEntry, 'fields' | 'apiVersion'> | undefined;
  /** Who owns what now, the new claim of the applying manager included. */
  readonly managers: Managers;
  readonly endpoint: Pick<Endpoint, 'inVersion'>;
  /** The version the result is in. */
  readonly apiVersion: string;
}

const failing = 'failed to prune fields';

/** The merged object without what its manager applied last time, leaves out now, and nobody else owns. */
export function prune(merged: JsonObject, { last, managers, endpoint, apiVersion }: Pruning): JsonObject {
  const home = last === undefined || last.fields.isEmpty ? undefined : endpoint.inVersion(last.apiVersion);
  if (last === undefined || home === undefined) return merged;
  const whole = home.convert(merged, `${failing}: failed to convert merged object to last applied version`);
  const dropped = removeFields(whole, withDeclaredFields(last.fields, home.type), home.type);
  // Removing an item took along what others own in it, and fields of no owner: both come back.
  const unowned = ownedByVersion(managers, last.apiVersion).reduce((pruned, [version, owned]) => {
    const view = endpoint.inVersion(version);
    return view === undefined ? pruned : withOwned({ merged, pruned, owned, view, version });
  }, dropped);
  const gone = all(whole, home.type).difference(all(home.convert(unowned, failing), home.type));
  const result = removeFields(whole, gone.intersection(withDeclaredFields(last.fields, home.type)), home.type);
  return endpoint.inVersion(apiVersion)?.convert(result, failing) ?? result;
}

const all = (object: JsonObject, type: Type): FieldSet => withDeclaredFields(fieldSetOf(object, type), type);

/** What all managers of a version own together; the version of the last apply first. */
function ownedByVersion(managers: Managers, first: string): [string, FieldSet][] {
  const owned = new Map<string, FieldSet>([[first, FieldSet.empty]]);
  for (const { apiVersion, fields } of managers.values()) {
    owned.set(apiVersion, (owned.get(apiVersion) ?? FieldSet.empty).union(fields));
  }
  return [...owned];
}

interface Owned {
  readonly merged: JsonObject;
  readonly pruned: JsonObject;
  readonly owned: FieldSet;
  readonly view: VersionView;
  readonly version: string;
}

function withOwned({ merged, pruned, owned, view, version }: Owned): JsonObject {
  const { type } = view;
  const failed = (what: string): string =>
    `${failing}: failed add back owned items: failed to convert ${what} object at version ${version}`;
  const whole = view.convert(merged, failed('merged'));
  const kept = all(view.convert(pruned, failed('pruned')), type).union(withDeclaredFields(owned, type));
  return removeFields(whole, all(whole, type).difference(kept), type);
}
