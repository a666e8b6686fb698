import { apiVersionOf, formatTime, type Json, type JsonObject } from 'kilter/api';
import { ApplyError, applyPatch } from '../apply/index.ts';
import type { Call, WriteOptions } from '../calls/index.ts';
import { keysText } from '../decoding/index.ts';
import type { Served } from '../kinds/index.ts';
import { applyConflict, badRequest, conflict, unnamed } from '../status/index.ts';
import { clone, isObject, jsonKind, metadataOf, textIn } from '../values/index.ts';
import type { Core } from './core.ts';
import { resetFields } from './subresource-fields.ts';
import { versionsOf } from './versions.ts';

/** What the server has to say of keys that stood more than once in a configuration: JSON is YAML in one line. */
export function repeatedKeys({ duplicateKeys = [], duplicateFields = [] }: Call): string[] {
  const inJson = duplicateFields.map((path) => JSON.stringify(path.slice(path.lastIndexOf('.') + 1)));
  return [...duplicateKeys, ...inJson.map((key) => `line 1: key ${key} already set in map`)];
}

/** The configuration of an apply, checked against its URL. */
export function appliedConfiguration(call: Call): JsonObject {
  const { body, undecodable } = call;
  if (undecodable !== undefined) throw badRequest(`error decoding YAML: error converting YAML to JSON: ${undecodable}`);
  if (body !== null && !isObject(body as Json)) throw noObject(body as Json);
  const applied = (clone(body) ?? {}) as JsonObject;
  return applied;
}

/** Looked at last: what the configuration itself gets wrong is reported before it. */
function checkPlace(applied: JsonObject, { resource, name, namespace }: Call): void {
  const metadata = metadataOf(applied);
  const sent = textIn(metadata, 'name');
  if (sent !== '' && sent !== name) {
    throw badRequest(`the name of the object (${sent}) does not match the name on the URL (${name})`);
  }
  const sentNamespace = textIn(metadata, 'namespace');
  if (resource.namespaced && sentNamespace !== '' && sentNamespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
}

function noObject(body: Json): Error {
  const why = `json: cannot unmarshal ${jsonKind(body)} into Go value of type map[string]interface {}`;
  return badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${why}`);
}

/** A name may be left out; one that is null is none, even if the object has one. */
export const isUnnamed = (applied: JsonObject): boolean => metadataOf(applied)['name'] === null;

/** The types of all fields are right, and still a value is not one of its kind. */
export function unreadable(applied: JsonObject, { resource }: Call, problem: string): Error {
  if (resource.custom) return badRequest(problem);
  const kind = `${resource.group === '' ? '/' : `${resource.group}/`}${resource.version}, Kind=${resource.kind}`;
  const metadata = metadataOf(applied);
  const who = `${textIn(metadata, 'namespace')}/${textIn(metadata, 'name')}; ${kind}`;
  const why = `unable to convert unstructured object to ${kind}: error decoding from json: ${problem}`;
  return unnamed(`failed to convert new object (${who}) to proper version: ${why}`);
}

/** Refuses to create what an apply thought was there. */
export function checkAbsent(applied: JsonObject, { resource, name }: Call): void {
  const metadata = metadataOf(applied);
  const uid = textIn(metadata, 'uid');
  if (uid !== '') {
    const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw conflict(resource, name ?? '', why);
  }
  if (textIn(metadata, 'name') === '') {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
}

export interface Application {
  readonly served: Served;
  readonly live: JsonObject | undefined;
  readonly applied: JsonObject;
  readonly options: WriteOptions;
}

/** The object after a server-side apply, ownership included. */
export function applyObject(core: Core, call: Call, application: Application): JsonObject {
  const object = appliedObject(core, call, application);
  checkPlace(application.applied, call);
  const repeated = repeatedKeys(call);
  if (application.options.fieldValidation === 'Strict' && repeated.length > 0)
    throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${keysText(repeated)}`);
  return object;
}

function appliedObject(core: Core, call: Call, application: Application): JsonObject {
  const { served, live, applied, options } = application;
  const { resource, subresource } = call;
  try {
    return applyPatch({
      live,
      applied,
      schema: resource.schema,
      manager: options.manager,
      force: options.force,
      apiVersion: apiVersionOf(resource),
      kind: resource.kind,
      subresource,
      resetFields: resetFields(resource, subresource),
      builtin: !resource.custom,
      versions: versionsOf(core, served),
      now: formatTime(core.clock.now()),
    }).object;
  } catch (error) {
    throw error instanceof ApplyError ? refusedApply(error) : error;
  }
}

export function refusedApply(error: ApplyError): Error {
  if (error.kind === 'conflict') return applyConflict(error.message, error.causes);
  return error.kind === 'typing' ? unnamed(error.message) : badRequest(error.message);
}
