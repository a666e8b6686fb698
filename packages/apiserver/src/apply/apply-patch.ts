import type { Json, JsonObject } from 'kilter/api';
import { fieldOf, isObject, sameValue } from '../values/index.ts';
import { ApplyError } from './apply-error.ts';
import { conflictError } from './conflicts.ts';
import { FieldSet } from './field-set.ts';
import { lastAppliedFields, withLastApplied } from './last-applied.ts';
import {
  decodeManagers,
  identityOf,
  managedFieldsOf,
  type Managers,
  withManagers,
  withoutManagers,
} from './managers.ts';
import { merge } from './merge.ts';
import { fieldSetOf } from './owned-fields.ts';
import { prune } from './prune.ts';
import { sameButTimes } from './same-but-times.ts';
import { managersUnder } from './schema-change.ts';
import { recordUpdate } from './track-update.ts';
import { typingProblem } from './typing.ts';
import { afterChange, type Endpoint, endpointOf, type Outcome, withoutUntracked, type Write } from './write.ts';
import { zeroObject } from './zero-structs.ts';

export interface ApplyRequest extends Write {
  /** The stored object; undefined when the apply creates it. */
  readonly live?: JsonObject | undefined;
  /** The configuration as sent. */
  readonly applied: JsonObject;
  /** Take fields of others instead of failing. */
  readonly force: boolean;
  /** The kind the endpoint serves; checked when given. */
  readonly kind?: string | undefined;
}

export interface Applied {
  /** The object to default, admit, validate and store. */
  readonly object: JsonObject;
  /** Anything but times of managedFields differs from the stored object; if not, `object` is that object. */
  readonly changed: boolean;
}

/** Server-side apply; throws an `ApplyError`. */
export function applyPatch(request: ApplyRequest): Applied {
  checkRequest(request);
  const applying = prepare(request);
  const { managers, object, changed } = take(applying);
  const own = managers.get(applying.identity);
  const next = new Map(managers);
  const fields = withoutUntracked(own?.fields ?? FieldSet.empty);
  if (own === undefined || fields.isEmpty) next.delete(applying.identity);
  else next.set(applying.identity, { ...own, fields, time: changed ? request.now : own.time });
  const synced = request.manager === 'kubectl' ? withLastApplied(object, request.applied) : object;
  const result = withManagers(synced, next);
  if (request.live !== undefined && sameButTimes(request.live, result)) return { object: request.live, changed: false };
  return { object: result, changed: true };
}

function checkRequest({ applied, apiVersion, kind }: ApplyRequest): void {
  const given = managedFieldsOf(applied);
  const otherKind = kind !== undefined && applied['kind'] !== kind;
  if (applied['apiVersion'] !== apiVersion || otherKind) {
    throw new ApplyError(`invalid object type: ${kindText(applied)}`, { kind: 'invalid' });
  }
  if (given !== undefined && given !== null) {
    throw new ApplyError('metadata.managedFields must be nil', { kind: 'invalid' });
  }
}

/** An apply between its steps. */
interface Applying {
  readonly request: ApplyRequest;
  readonly endpoint: Endpoint;
  readonly identity: string;
  /** The stored object without managedFields. */
  readonly live: JsonObject;
  readonly applied: JsonObject;
  /** Who owned what before. */
  readonly managers: Managers;
}

function prepare(request: ApplyRequest): Applying {
  const endpoint = endpointOf(request);
  const applied = withoutManagers(request.applied);
  const live = withoutManagers(request.live ?? zeroObject(applied));
  checkType({ object: applied, endpoint, what: 'patch', duplicates: 'refused' });
  checkType({ object: live, endpoint, what: 'live', duplicates: 'allowed' });
  const managers = managersUnder(managersBefore(request, endpoint, live), endpoint);
  return {
    request,
    endpoint,
    identity: identityOf(endpoint.identity('Apply', request.manager)),
    live,
    applied,
    managers,
  };
}

interface Typed {
  readonly object: JsonObject;
  readonly endpoint: Endpoint;
  readonly what: 'patch' | 'live';
  readonly duplicates: 'allowed' | 'refused';
}

function checkType({ object, endpoint, what, duplicates }: Typed): void {
  const problem = typingProblem(object, endpoint.type, { duplicates });
  if (problem === undefined) return;
  const metadata = fieldOf(object, 'metadata');
  const text = (name: string): string => textOr(isObject(metadata) ? fieldOf(metadata, name) : undefined);
  const who = `${text('namespace')}/${text('name')}; ${kindText(object)}`;
  throw new ApplyError(`failed to create typed ${what} object (${who}): ${problem}`, { kind: 'typing' });
}

/** Group, version and kind as the server prints them; the group of the core is empty. */
function kindText(object: JsonObject): string {
  const apiVersion = textOr(object['apiVersion']);
  return `${apiVersion.includes('/') ? '' : '/'}${apiVersion}, Kind=${textOr(object['kind'])}`;
}

const textOr = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/** What stood in an object before anybody tracked it belongs to `before-first-apply`. */
function managersBefore(request: ApplyRequest, endpoint: Endpoint, live: JsonObject): Managers {
  const managers = decodeManagers(managedFieldsOf(request.live));
  if (managers === undefined) throw new ApplyError('failed to decode managed fields', { kind: 'invalid' });
  if (managers.size > 0 || request.live === undefined) return managers;
  const { now } = request;
  return recordUpdate({
    endpoint,
    managers,
    before: zeroObject(live),
    after: live,
    manager: 'before-first-apply',
    now,
  });
}

interface Taken {
  readonly managers: Managers;
  readonly object: JsonObject;
  /** The object differs from the stored one outside managedFields. */
  readonly changed: boolean;
}

function take(applying: Applying): Taken {
  const { endpoint, identity, live, applied, request } = applying;
  const last = applying.managers.get(identity);
  const fields = fieldSetOf(applied, endpoint.type).without(endpoint.reset);
  const claim = { ...endpoint.identity('Apply', request.manager), time: last?.time, fields };
  const managers = new Map(applying.managers).set(identity, claim);
  const merged = merge(live, applied, endpoint.type);
  const object = prune(merged, { last, managers, endpoint, apiVersion: request.apiVersion });
  const outcome = afterChange(managers, { endpoint, before: live, after: object, writer: identity });
  refuseConflicts(applying, outcome);
  // A configuration with `managedFields: null` counts as a change: the server compares before it drops the field.
  const changed = !sameValue(live, object) || managedFieldsOf(request.applied) === null;
  return { managers: outcome.managers, object, changed };
}

function refuseConflicts({ request, endpoint, live }: Applying, { losses }: Outcome): void {
  if (request.force || losses.length === 0) return;
  const allowed =
    request.manager === 'kubectl' ? lastAppliedFields(live, request.apiVersion, endpoint) : FieldSet.empty;
  const refused = losses
    .map(({ owner, fields }) => ({ owner, fields: fields.difference(allowed) }))
    .filter(({ fields }) => !fields.isEmpty);
  if (refused.length > 0) throw conflictError(refused);
}
