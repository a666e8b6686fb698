import type { Json, JsonObject } from 'kilter/api';
import { isEmpty, isObject } from '../values/index.ts';
import { foldAncientChanges } from './ancient-changes.ts';
import { ApplyError } from './apply-error.ts';
import {
  decodeManagers,
  identityOf,
  managedFieldsOf,
  type Managers,
  withManagers,
  withoutManagers,
} from './managers.ts';
import { managersUnder } from './schema-change.ts';
import { typingProblem } from './typing.ts';
import { afterChange, type Endpoint, endpointOf, withoutUntracked, type Write } from './write.ts';
import { zeroObject } from './zero-structs.ts';

export interface TrackedUpdate extends Write {
  /** The stored object; undefined for a create. */
  readonly live?: JsonObject | undefined;
  /** The object to store, before the endpoint resets anything, with managedFields as the client sent them. */
  readonly updated: JsonObject;
}

/**
 * The object of a create, a PUT or a patch other than apply, with managedFields that say what the write changed. An
 * object that does not fit its schema leaves untracked: whether it may be stored is for validation to say.
 */
export function trackUpdate(write: TrackedUpdate): JsonObject {
  const { live, manager, now } = write;
  const managers = claimedManagers(write);
  const updated = withoutManagers(write.updated);
  // Tracking is off for an object that lost its managedFields, until somebody applies.
  if (live !== undefined && managers.size === 0) return updated;
  const endpoint = endpointOf(write);
  const before = live === undefined ? zeroObject(updated) : withoutManagers(live);
  const isTyped = (side: JsonObject): boolean =>
    typingProblem(side, endpoint.type, { duplicates: 'allowed' }) === undefined;
  // What a create starts from holds nothing but what the object itself has.
  if (!isTyped(updated) || (live !== undefined && !isTyped(before))) return updated;
  try {
    return withManagers(updated, recordUpdate({ endpoint, managers, before, after: updated, manager, now }));
  } catch (error) {
    // Entries that nobody can read any more are not a reason to refuse an update: it goes untracked.
    if (error instanceof ApplyError) return updated;
    throw error;
  }
}

/** A client may rewrite managedFields, but not through a subresource, not with nonsense, and not by leaving them out. */
function claimedManagers({ live, updated, subresource, builtin }: TrackedUpdate): Managers {
  const kept = decodeManagers(managedFieldsOf(live)) ?? new Map();
  if (subresource !== undefined && subresource !== '') return kept;
  const given = managedFieldsOf(updated);
  if (isReset(given, builtin === true)) return new Map();
  const claimed = decodeManagers(given);
  return claimed === undefined || claimed.size === 0 ? kept : claimed;
}

/** `[{}]`, and `[]` where the server can tell it from nothing: custom resources lose an empty list. */
function isReset(managedFields: Json | undefined, builtin: boolean): boolean {
  if (!Array.isArray(managedFields)) return false;
  const [first] = managedFields;
  if (managedFields.length === 0) return builtin;
  return managedFields.length === 1 && isObject(first) && isEmpty(first);
}

export interface RecordedUpdate {
  readonly endpoint: Endpoint;
  readonly managers: Managers;
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly manager: string;
  readonly now: string;
}

/** The managers after an update by one of them. */
export function recordUpdate({ endpoint, managers, before, after, manager, now }: RecordedUpdate): Managers {
  const changed = endpoint.compare(before, after);
  const taken = withoutUntracked(changed.modified.union(changed.added));
  const next = new Map(afterChange(managersUnder(managers, endpoint), { endpoint, before, after }).managers);
  if (!taken.isEmpty) {
    const writer = endpoint.identity('Update', manager);
    const identity = identityOf(writer);
    const owned = next.get(identity);
    next.set(identity, { ...writer, time: now, fields: owned === undefined ? taken : taken.union(owned.fields) });
  }
  return foldAncientChanges(next);
}
