import type { Json, JsonObject } from 'kilter/api';
import type { Schema } from '../values/index.ts';
import { ApplyError } from './apply-error.ts';
import { compare, type Comparison, mapSets } from './comparison.ts';
import { FieldSet } from './field-set.ts';
import type { ManagerEntry, ManagerIdentity, Managers } from './managers.ts';
import { fieldElement } from './path-element.ts';
import { type Type, typeOf } from './type.ts';
import { typingProblem } from './typing.ts';
import { withZeroStructs } from './zero-structs.ts';

/** A kind in another of its versions. */
export interface OtherVersion {
  readonly schema: Schema;
  /** The object, whichever version it is in, in this one. */
  convert(object: JsonObject): JsonObject;
}

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
  /**
   * The versions of the kind, this one included: what a manager owns is compared in the version it wrote in. Without it
   * all versions are alike. Entries of an unknown version are dropped, but for custom resources are an error.
   */
  readonly versions?: ReadonlyMap<string, OtherVersion> | undefined;
}

/** An endpoint as ownership sees it. */
export interface Endpoint {
  readonly type: Type;
  readonly reset: FieldSet;
  identity(operation: ManagerIdentity['operation'], manager: string): ManagerIdentity;
  /** What changed, fields that the endpoint resets left out. */
  compare(before: JsonObject, after: JsonObject): Comparison;
  /** The kind as a manager of this version sees it; undefined for one that is not a version of it. */
  inVersion(apiVersion: string): VersionView | undefined;
}

export interface VersionView {
  readonly type: Type;
  /** Throws an `ApplyError` that begins with `failing` if the object does not fit the schema of this version. */
  convert(object: JsonObject, failing: string): JsonObject;
  compare(before: JsonObject, after: JsonObject): Comparison;
}

export function endpointOf(write: Write): Endpoint {
  const { schema, apiVersion, subresource } = write;
  const reset = FieldSet.of((write.resetFields ?? []).map((name) => name.split('.').map(fieldElement)));
  const own = viewOf(write, write.versions?.get(apiVersion) ?? { schema, convert: (object) => object }, reset);
  return {
    type: own.type,
    reset,
    identity: (operation, manager) => ({
      manager: manager === '' ? 'unknown' : manager,
      operation,
      apiVersion,
      subresource: subresource === '' ? undefined : subresource,
    }),
    compare: (before, after) => own.compare(before, after),
    inVersion: (wanted) =>
      write.versions === undefined || wanted === apiVersion ? own : otherView(write, wanted, reset),
  };
}

function otherView(write: Write, apiVersion: string, reset: FieldSet): VersionView | undefined {
  const other = write.versions?.get(apiVersion);
  if (other !== undefined) return viewOf(write, other, reset);
  if (write.builtin === true) return undefined;
  throw new ApplyError(`request to convert CR to an invalid group/version: ${apiVersion}`, { kind: 'typing' });
}

function viewOf(write: Write, version: OtherVersion, reset: FieldSet): VersionView {
  const { builtin = false } = write;
  const { schema } = version;
  const type = typeOf(schema, builtin);
  // Built-in kinds have converters of their own, which leave nothing that the other version does not know.
  const isChecked = !builtin && schema !== write.schema;
  const convert = (object: JsonObject, failing: string): JsonObject => {
    const converted = version.convert(object);
    const problem = isChecked ? typingProblem(converted, type, { duplicates: 'allowed' }) : undefined;
    if (problem !== undefined) throw new ApplyError(`${failing}: ${problem}`, { kind: 'typing' });
    return converted;
  };
  const seen = (object: JsonObject, which: string): Json => {
    const converted = convert(object, `failed to convert ${which} object`);
    return builtin ? withZeroStructs(converted, schema) : converted;
  };
  return {
    type,
    convert,
    compare: (before, after) =>
      mapSets(compare(seen(before, 'old'), seen(after, 'new'), type), (set) => set.without(reset)),
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

export interface Change {
  readonly endpoint: Endpoint;
  readonly before: JsonObject;
  readonly after: JsonObject;
  /** Who applies, and so loses nothing; an update has none. */
  readonly writer?: string;
}

/** Whoever else owns what was added or modified loses it; what was removed nobody owns any more. */
export function afterChange(managers: Managers, { endpoint, before, after, writer }: Change): Outcome {
  const known = new Map<string, Comparison | undefined>();
  const changeIn = (apiVersion: string): Comparison | undefined => {
    if (!known.has(apiVersion)) known.set(apiVersion, endpoint.inVersion(apiVersion)?.compare(before, after));
    return known.get(apiVersion);
  };
  const rows = [...managers].map(([identity, entry]) => {
    if (identity === writer) return { identity, owner: entry, fields: FieldSet.empty, kept: entry.fields };
    const changed = changeIn(entry.apiVersion);
    if (changed === undefined) return { identity, owner: entry, fields: FieldSet.empty, kept: FieldSet.empty };
    const lost = entry.fields.intersection(changed.modified.union(changed.added));
    return { identity, owner: entry, fields: lost, kept: entry.fields.difference(lost).difference(changed.removed) };
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
