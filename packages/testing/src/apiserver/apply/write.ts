import type { JsonObject } from 'kilter/api';
import type { Schema } from '../schema/index.ts';
import { compare, type Comparison, mapSets } from './comparison.ts';
import { FieldSet } from './field-set.ts';
import { type ManagerEntry, type ManagerIdentity, type Managers } from './managers.ts';
import { fieldElement } from './path-element.ts';
import { type Type, typeOf } from './type.ts';
import { withZeroStructs } from './zero-structs.ts';

/** What every write tells: who writes, through which endpoint, when. */
export interface Write {
  /** The schema of the whole object, metadata included. */
  readonly schema: Schema;
  /** '' is recorded as `unknown`. */
  readonly manager: string;
  readonly apiVersion: string;
  /** `status`, `scale`; undefined at the object's own endpoint. */
  readonly subresource?: string | undefined;
  /**
   * Fields the endpoint puts back to what they were, as dotted names (`status`, `metadata.labels`), with all below
   * them: writing them here means nothing, so it gives and takes no ownership.
   */
  readonly resetFields?: readonly string[] | undefined;
  /** The kind is built in: structs that are empty count as present. False unless given. */
  readonly builtin?: boolean | undefined;
  /** RFC 3339, whole seconds: the time of entries that change. */
  readonly now: string;
}

/** An endpoint as ownership sees it. */
export interface Endpoint {
  readonly type: Type;
  readonly reset: FieldSet;
  identity(operation: ManagerIdentity['operation'], manager: string): ManagerIdentity;
  /** What changed, fields that the endpoint resets left out. */
  compare(before: JsonObject, after: JsonObject): Comparison;
}

export function endpointOf(write: Write): Endpoint {
  const { schema, apiVersion, subresource } = write;
  const type = typeOf(schema);
  const reset = FieldSet.of((write.resetFields ?? []).map((name) => name.split('.').map(fieldElement)));
  const seen = (object: JsonObject) => (write.builtin === true ? withZeroStructs(object, schema) : object);
  return {
    type,
    reset,
    identity: (operation, manager) => ({
      manager: manager === '' ? 'unknown' : manager,
      operation,
      apiVersion,
      subresource: subresource === '' ? undefined : subresource,
    }),
    compare: (before, after) => mapSets(compare(seen(before), seen(after), type), (set) => set.without(reset)),
  };
}

const stripped = FieldSet.of(
  [
    'apiVersion',
    'kind',
    'metadata',
    'metadata.name',
    'metadata.namespace',
    'metadata.creationTimestamp',
    'metadata.selfLink',
    'metadata.uid',
    'metadata.clusterName',
    'metadata.generation',
    'metadata.managedFields',
    'metadata.resourceVersion',
  ].map((name) => name.split('.').map(fieldElement)),
);

/** Fields that identify an object or that the server keeps itself are nobody's. */
export const withoutUntracked = (fields: FieldSet): FieldSet => fields.difference(stripped);

/** The managers after a change, and what those other than the writer lose by it. */
export interface Outcome {
  readonly managers: Managers;
  readonly losses: readonly { readonly owner: ManagerEntry; readonly fields: FieldSet }[];
}

/** Whoever else owns what was added or modified loses it; what was removed nobody owns any more. */
export function afterChange(managers: Managers, changed: Comparison, writer?: string): Outcome {
  const taken = changed.modified.union(changed.added);
  const rows = [...managers].map(([identity, entry]) => {
    const lost = identity === writer ? FieldSet.empty : entry.fields.intersection(taken);
    const kept = identity === writer ? entry.fields : entry.fields.difference(lost).difference(changed.removed);
    return { identity, owner: entry, fields: lost, kept };
  });
  return {
    managers: new Map(
      rows
        .filter(({ kept }) => !kept.isEmpty)
        .map(({ identity, owner, kept }) => [identity, { ...owner, fields: kept }]),
    ),
    losses: rows.filter(({ fields }) => !fields.isEmpty).map(({ owner, fields }) => ({ owner, fields })),
  };
}
