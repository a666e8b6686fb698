import { apiVersionOf, formatTime, type Json, type JsonObject } from 'kilter/api';
import { ApplyError, applyPatch } from '../apply/index.ts';
import { jsonPatch, mergePatch, PatchError, strategicMergePatch } from '../patch/index.ts';
import { isObject, textIn } from './builtin-fields.ts';
import type { Call } from './call.ts';
import { type Core, metadataOf } from './core.ts';
import { decodeFields, strictTexts } from './decode-body.ts';
import type { ResourceDefinition } from './definition.ts';
import { invalidValue } from './issues.ts';
import { applyConflict, badRequest, conflict, entityTooLarge, invalid, patchRejected, unnamed } from './refusals.ts';
import { resetFields } from './subresource-fields.ts';
import type { WriteOptions } from './write-options.ts';

/** What a patch makes of an object, before the server looks at it. */
export interface Patched {
  readonly object: JsonObject;
  readonly warnings: string[];
}

/** A document after a patch of one of the three languages that are no apply. */
export function patchedDocument(document: JsonObject, call: Call): JsonObject {
  const { patchType, body, resource } = call;
  if (patchType === 'merge' && !isObject(body as Json)) {
    throw badRequest(`error decoding patch: a merge patch is an object, but got ${JSON.stringify(body)}`);
  }
  try {
    const patched =
      patchType === 'json'
        ? jsonPatch(document, body)
        : patchType === 'merge'
          ? mergePatch(document, body as Json)
          : strategicMergePatch(document, body as Json, resource.schema);
    if (!isObject(patched)) throw patchRejected();
    return patched;
  } catch (error) {
    throw error instanceof PatchError ? refusedPatch(error) : error;
  }
}

function refusedPatch({ failure, message }: PatchError): Error {
  if (failure === 'malformed') return badRequest(message);
  return failure === 'too-large' ? entityTooLarge(message) : patchRejected();
}

/** A patch whose result is no object of the kind. */
function misfit(result: JsonObject, problem: string): Error {
  return invalid({ group: '', kind: '' }, '', [invalidValue('patch', JSON.stringify(sorted(result)), problem)]);
}

/** The server shows the document as it shows maps: keys in alphabetical order. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).toSorted();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key] ?? null)]));
}

function checkIdentity(result: JsonObject, old: JsonObject, definition: ResourceDefinition): void {
  const { group, kind, custom } = definition;
  const name = textIn(metadataOf(old), 'name');
  const sentKind = textIn(result, 'kind');
  const sentVersion = textIn(result, 'apiVersion');
  const version = apiVersionOf(definition);
  if (sentKind === kind && sentVersion === version) return;
  if (!custom) throw misfit(result, `no kind "${sentKind}" is registered for version "${sentVersion}"`);
  const issues = [
    ...(sentVersion === version ? [] : [invalidValue('apiVersion', sentVersion, `must be ${version}`)]),
    ...(sentKind === kind ? [] : [invalidValue('kind', sentKind, `must be ${kind}`)]),
  ];
  throw invalid({ group, kind: sentKind }, name, issues);
}

/** The object after a JSON, merge or strategic merge patch. */
export function patchObject(old: JsonObject, call: Call, { fieldValidation }: WriteOptions): Patched {
  const { resource } = call;
  const result = patchedDocument(old, call);
  checkIdentity(result, old, resource);
  const { value, unknown, problem } = decodeFields(result, resource);
  if (problem !== undefined) throw misfit(result, problem);
  const texts = fieldValidation === 'Ignore' ? [] : strictTexts(unknown, call.duplicateFields);
  if (fieldValidation === 'Strict' && texts.length > 0)
    throw misfit(result, `strict decoding error: ${texts.join(', ')}`);
  return { object: value, warnings: texts };
}

/** The configuration of an apply, checked against its URL. */
export function appliedConfiguration(
  { body, resource, name, namespace, duplicateFields }: Call,
  options: WriteOptions,
): JsonObject {
  if (!isObject(body as Json)) throw badRequest('error decoding YAML: an apply configuration is an object');
  if (options.fieldValidation === 'Strict' && (duplicateFields ?? []).length > 0) {
    throw badRequest(`error strict decoding YAML: ${strictTexts([], duplicateFields).join(', ')}`);
  }
  const applied = structuredClone(body) as JsonObject;
  const metadata = metadataOf(applied);
  const sent = textIn(metadata, 'name');
  if (sent !== '' && sent !== name) {
    throw badRequest(`the name of the object (${sent}) does not match the name on the URL (${name})`);
  }
  const sentNamespace = textIn(metadata, 'namespace');
  if (resource.namespaced && sentNamespace !== '' && sentNamespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  return applied;
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
  readonly live: JsonObject | undefined;
  readonly applied: JsonObject;
  readonly options: WriteOptions;
}

/** The object after a server-side apply, ownership included. */
export function applyObject(core: Core, call: Call, { live, applied, options }: Application): JsonObject {
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
