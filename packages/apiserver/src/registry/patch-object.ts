import { apiVersionOf, type Json, type JsonObject } from 'kilter/api';
import type { Call, WriteOptions } from '../calls/index.ts';
import { type DecodedBody, decodeFields, identified, patchedText, strictTexts } from '../decoding/index.ts';
import type { ResourceDefinition } from '../kinds/index.ts';
import { jsonPatch, mergePatch, PatchError, strategicMergePatch, unknownMembers } from '../patch/index.ts';
import { unknownFieldText } from '../schema/index.ts';
import {
  badRequest,
  entityTooLarge,
  invalid,
  invalidValue,
  patchRejected,
  type StatusError,
  unnamed,
} from '../status/index.ts';
import { goText, isObject, jsonKind, metadataOf, textIn } from '../values/index.ts';
import type { Core } from './core.ts';

/** What a patch makes of an object, before the server looks at it. */
export interface Patched {
  readonly object: JsonObject;
  readonly warnings: string[];
  readonly emptied: DecodedBody['emptied'];
}

type Validation = WriteOptions['fieldValidation'];

/** A document after a patch of one of the three languages that are not apply. */
export function patchedDocument(document: JsonObject, call: Call, validation: Validation): Json {
  const { patchType, body, resource } = call;
  const validated = validation !== 'Ignore';
  if (call.undecodable !== undefined) throw undecodable(call, validated);
  try {
    switch (patchType) {
      case 'json':
        return jsonPatch(document, body, { validated });
      case 'merge':
        return mergedDocument(document, body as Json, validated);
      default:
        return strategicMergePatch(document, body as Json, resource.schema);
    }
  } catch (error) {
    throw error instanceof PatchError ? refusedPatch(error) : error;
  }
}

const decoding = 'error decoding patch: ';

/** A body that is not JSON; its text says so in as many ways as there are decoders. */
function undecodable({ patchType, undecodable: problem = '' }: Call, validated: boolean): StatusError {
  if (patchType === 'strategic') return badRequest(problem);
  if (validated) return badRequest(`${decoding}${problem}`);
  return badRequest(patchType === 'merge' ? 'Invalid JSON Patch' : problem);
}

function mergedDocument(document: JsonObject, body: Json, validated: boolean): Json {
  const isList = Array.isArray(body);
  if (body !== null && !isObject(body) && validated) {
    throw badRequest(
      `${decoding}json: cannot unmarshal ${jsonKind(body)} into Go value of type map[string]interface {}`,
    );
  }
  if (!isObject(body) && !isList) throw badRequest('Invalid JSON Patch');
  return mergePatch(document, body);
}

function refusedPatch({ failure, message }: PatchError): Error {
  switch (failure) {
    case 'malformed':
      return badRequest(message);
    case 'too-large':
      return entityTooLarge(`Request entity too large: ${message}`);
    case 'contradictory':
      return unnamed(message);
    case 'inapplicable':
      return patchRejected();
  }
}

/** A patch whose result is not an object of the kind; `shown` is what the server quotes of it. */
export function misfit(shown: string, problem: string): Error {
  return invalid({ group: '', kind: '' }, '', [invalidValue('patch', shown, problem)]);
}

export const noObject: string =
  "couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { " +
  'APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

interface Identity {
  /** Whether the client is warned of unknown fields. */
  readonly warns: boolean;
  readonly result: JsonObject;
  readonly old: JsonObject;
  readonly shown: string;
}

/** The result of a patch says what it is; built-in kinds may leave their kind out. */
function checkIdentity(core: Core, definition: ResourceDefinition, identity: Identity): void {
  const { result, shown } = identity;
  const { kind, custom } = definition;
  const sentKind = textIn(result, 'kind');
  const sentVersion = textIn(result, 'apiVersion');
  const isVersion = sentVersion === apiVersionOf(definition);
  if (custom) return checkCustomIdentity(definition, identity);
  if (isVersion && (sentKind === kind || sentKind === '')) return;
  const other = core.catalog
    .resources()
    .find((one) => !one.custom && one.kind === sentKind && apiVersionOf(one) === sentVersion);
  const scheme = 'in scheme "pkg/runtime/scheme.go:111"';
  if (other === undefined)
    throw misfit(shown, `no kind "${sentKind}" is registered for version "${sentVersion}" ${scheme}`);
  const { problem } = decodeFields(result, other);
  throw misfit(shown, problem ?? `unable to decode ${sentVersion}, Kind=${sentKind} into a ${kind}`);
}

function checkCustomIdentity(definition: ResourceDefinition, { result, old, shown, warns }: Identity): void {
  const { group, kind } = definition;
  const version = apiVersionOf(definition);
  const sentKind = textIn(result, 'kind');
  const sentVersion = textIn(result, 'apiVersion');
  for (const [text, name] of [
    [sentKind, 'Kind'],
    [sentVersion, 'apiVersion'],
  ])
    if (text === '') throw misfit(shown, `Object '${name}' is missing in '${shown}'`);
  if (sentKind === kind && sentVersion === version) return;
  const issues = [
    ...(sentVersion === version ? [] : [invalidValue('apiVersion', sentVersion, `must be ${version}`)]),
    ...(sentKind === kind ? [] : [invalidValue('kind', sentKind, `must be ${kind}`)]),
  ];
  const refusal = invalid({ group, kind: sentKind }, textIn(metadataOf(old), 'name'), issues);
  // Of an unknown version nothing is known but what all objects have.
  const { apiVersion: _, kind: __, metadata: ___, ...unknown } = result;
  if (sentVersion !== version && warns) refusal.warnings = strictTexts(Object.keys(unknown).toSorted());
  throw refusal;
}

/** What a patch itself has that the server does not know. */
function patchTexts({ patchType, body, duplicateFields }: Call): string[] {
  const texts = strictTexts([], duplicateFields);
  if (patchType !== 'json') return texts;
  return [...texts, ...unknownMembers(body).map(unknownFieldText)].map((text) => `json patch ${text}`);
}

/** The object after a JSON, merge or strategic merge patch. */
export function patchObject(core: Core, call: Call, patching: { old: JsonObject; options: WriteOptions }): Patched {
  const { resource, patchType } = call;
  const { old, options } = patching;
  const { fieldValidation } = options;
  const strategic = patchType === 'strategic';
  const result = patchedDocument(old, call, fieldValidation);
  const shown = strategic ? goText(call.body) : patchedText(result, old, resource);
  if (!isObject(result)) throw misfit(shown, noObject);
  if (!strategic) checkIdentity(core, resource, { result, old, shown, warns: fieldValidation === 'Warn' });
  const { value, unknown, problem, emptied } = decodeFields(result, resource, strategic ? 'converter' : 'json');
  if (problem !== undefined) throw misfit(shown, problem);
  const texts = fieldValidation === 'Ignore' ? [] : [...patchTexts(call), ...strictTexts(unknown)];
  if (fieldValidation === 'Strict' && texts.length > 0)
    throw misfit(shown, `strict decoding error: ${texts.join(', ')}`);
  return { object: identified(value, resource), warnings: texts, emptied };
}
