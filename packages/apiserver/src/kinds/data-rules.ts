// The rules of ConfigMaps and Secrets.
import { Buffer } from 'node:buffer';
import type { Json, JsonObject } from 'kilter/api';
import { duplicate, forbiddenField, immutable, invalidValue, required, tooLong } from '../status/index.ts';
import { fieldOf, isSame, type Issue, metadataOf, objectIfIn, textIn, textOf } from '../values/index.ts';
import { dataKeyProblems } from './names.ts';

// A ConfigMap or Secret must fit into one request to etcd, with room to spare.
const maxDataBytes = 2 ** 20;

const keysIn = (object: JsonObject, field: string): string[] => Object.keys(objectIfIn(object, field) ?? {});

const bytesOf = (value: Json, encoded: boolean): number =>
  Buffer.byteLength(textOf(value), encoded ? 'base64' : 'utf8');

function sizeOf(object: JsonObject, field: string, encoded: boolean): number {
  const values = Object.values(objectIfIn(object, field) ?? {});
  return values.reduce<number>((sum, value) => sum + bytesOf(value, encoded), 0);
}

function keyIssues(object: JsonObject, field: string): Issue[] {
  return keysIn(object, field).flatMap((key) =>
    dataKeyProblems(key).map((problem) => invalidValue(`${field}[${key}]`, key, problem)),
  );
}

const frozen = 'field is immutable when `immutable` is set';

/** To Go a map without entries is another value than none, though both are stored alike. */
export const emptyMapIssues =
  (...fields: readonly string[]) =>
  (emptied: readonly string[], object: JsonObject, old: JsonObject): Issue[] =>
    fields
      // One that `stringData` has filled since is a change like any other.
      .filter((field) => emptied.includes(field) && [object, old].every((one) => keysIn(one, field).length === 0))
      .filter(() => old['immutable'] === true)
      .map((field) => forbiddenField(field, frozen));

function frozenIssues(object: JsonObject, old: JsonObject | undefined): Issue[] {
  if (old?.['immutable'] !== true) return [];
  const thawed = object['immutable'] === true ? [] : ['immutable'];
  const changed = ['data', 'binaryData'].filter((field) => !isSame(object[field], old[field]));
  return [...thawed, ...changed].map((field) => forbiddenField(field, frozen));
}

export function configMapIssues(object: JsonObject, old: JsonObject | undefined): Issue[] {
  const texts = new Set(keysIn(object, 'data'));
  const twice = keysIn(object, 'binaryData').filter((key) => texts.has(key));
  const bytes = sizeOf(object, 'data', false) + sizeOf(object, 'binaryData', true);
  return [
    ...keyIssues(object, 'data'),
    ...keyIssues(object, 'binaryData'),
    ...twice.map((key) => duplicate(`binaryData[${key}]`, key)),
    ...(bytes > maxDataBytes ? [{ ...tooLong('', maxDataBytes), field: '[]' }] : []),
    ...frozenIssues(object, old),
  ];
}

const accountAnnotation = 'kubernetes.io/service-account.name';

/** Types of Secrets that promise keys: any of them, or each. */
const promised: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
};

function typeIssues(secret: JsonObject): Issue[] {
  const type = textIn(secret, 'type');
  const keys = new Set(keysIn(secret, 'data'));
  if (type === 'kubernetes.io/service-account-token') {
    const account = textIn(objectIfIn(metadataOf(secret), 'annotations') ?? {}, accountAnnotation);
    return account === '' ? [required(`metadata.annotations[${accountAnnotation}]`)] : [];
  }
  if (type === 'kubernetes.io/basic-auth') {
    const either = ['username', 'password'];
    return either.some((key) => keys.has(key)) ? [] : either.map((key) => required(`data[${key}]`));
  }
  return (fieldOf(promised, type) ?? []).filter((key) => !keys.has(key)).map((key) => required(`data[${key}]`));
}

export function secretIssues(object: JsonObject, old: JsonObject | undefined): Issue[] {
  const changed = old !== undefined && !isSame(object['type'], old['type']);
  return [
    ...(changed ? [immutable('type', textIn(object, 'type'))] : []),
    ...keyIssues(object, 'data'),
    ...(sizeOf(object, 'data', true) > maxDataBytes ? [tooLong('data', maxDataBytes)] : []),
    ...typeIssues(object),
    ...frozenIssues(object, old),
  ];
}
