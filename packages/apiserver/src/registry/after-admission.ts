// What those who admit an object may not do to it: corrected, warned about or refused, as the server does once they have had their say.
import type { Json, JsonObject } from 'kilter/api';
import { badRequest } from '../status/index.ts';
import { isObject, metadataOf, objectIn, quote, textIn } from '../values/index.ts';
import type { Creation, Update } from './write.ts';

const complaint =
  '.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests';

function entryProblem(entry: Json, index: number): string | undefined {
  const given = isObject(entry) ? entry : {};
  if (!['Apply', 'Update'].includes(textIn(given, 'operation'))) return 'operation must be `Apply` or `Update`';
  if (textIn(given, 'apiVersion') === '') return 'apiVersion must not be empty';
  const type = textIn(given, 'fieldsType');
  if (type === 'FieldsV1') return undefined;
  return type === ''
    ? `missing fieldsType in managed fields entry ${index}`
    : `invalid fieldsType ${quote(type)} in managed fields entry ${index}`;
}

/** Owners nobody can read are those there were before; an empty list is none. */
function checkOwners(metadata: JsonObject, change: Creation | Update): void {
  const { managedFields } = metadata;
  if (!Array.isArray(managedFields)) return;
  const problem = managedFields.map(entryProblem).find((found) => found !== undefined);
  if (managedFields.length === 0) delete metadata['managedFields'];
  if (problem === undefined) return;
  change.warnings.push(`${complaint}: ${problem}`);
  if (change.owners === undefined) delete metadata['managedFields'];
  else metadata['managedFields'] = change.owners;
}

/** Nobody moves an object into another namespace. */
function checkPlace(metadata: JsonObject, { old, sent }: Creation | Update): void {
  const wanted = textIn(old === undefined ? sent : metadataOf(old), 'namespace');
  const found = textIn(metadata, 'namespace');
  if (found === wanted) return;
  if (found !== '' && wanted !== '')
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  if (wanted === '') delete metadata['namespace'];
  else metadata['namespace'] = wanted;
}

/** Remembers who owned what before anybody was asked. */
export function noteOwners(change: Creation | Update): void {
  change.owners = metadataOf(change.object)['managedFields'];
}

export function checkAdmitted(change: Creation | Update): void {
  const metadata = objectIn(change.object, 'metadata');
  checkPlace(metadata, change);
  checkOwners(metadata, change);
}
