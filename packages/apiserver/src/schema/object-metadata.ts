import type { Json, JsonObject } from 'kilter/api';
import { labelValueFlaws, nameFlaws, type NameRule, qualifiedNameFlaws } from '../formats/index.ts';
import { fieldOf, isObject, type Issue } from '../values/index.ts';
import { child } from './field-path.ts';
import { forbidden, invalid, required, tooLong } from './issue.ts';

export interface MetadataRules {
  readonly nameRule: NameRule;
  readonly namespaced: boolean;
  /** Where the metadata stands: `metadata` unless it is that of an embedded resource. */
  readonly path?: string;
}

/** What is wrong with an object's metadata when it is created, whatever its kind. */
export function metadataIssues(metadata: Json | undefined, rules: MetadataRules): Issue[] {
  const path = rules.path ?? 'metadata';
  const fields = isObject(metadata) ? metadata : {};
  const malformed = malformedFields(metadata, path);
  if (malformed.length > 0) return malformed;
  return [
    ...nameIssues(fields, path, rules.nameRule),
    ...namespaceIssues(fields, path, rules.namespaced),
    ...labelIssues(textMap(fields, 'labels'), child(path, 'labels')),
    ...annotationIssues(textMap(fields, 'annotations'), child(path, 'annotations')),
    ...ownerIssues(list(fields, 'ownerReferences'), child(path, 'ownerReferences')),
    ...finalizerIssues(list(fields, 'finalizers'), child(path, 'finalizers')),
  ];
}

const isText = (value: Json): boolean => typeof value === 'string';
const isTextMap = (value: Json): boolean => isObject(value) && Object.values(value).every(isText);
const shapes: Readonly<Record<string, { is: (value: Json) => boolean; says: string }>> = {
  name: { is: isText, says: 'must be a string' },
  generateName: { is: isText, says: 'must be a string' },
  namespace: { is: isText, says: 'must be a string' },
  labels: { is: isTextMap, says: 'must be an object with strings' },
  annotations: { is: isTextMap, says: 'must be an object with strings' },
  finalizers: { is: (value) => Array.isArray(value) && value.every(isText), says: 'must be a list of strings' },
  ownerReferences: { is: (value) => Array.isArray(value) && value.every(isObject), says: 'must be a list of objects' },
};

function malformedFields(metadata: Json | undefined, path: string): Issue[] {
  if (metadata === undefined || metadata === null) return [];
  if (!isObject(metadata)) return [invalid(path, metadata, 'must be an object')];
  return Object.entries(shapes).flatMap(([name, { is, says }]) => {
    const value = fieldOf(metadata, name) ?? null;
    return value === null || is(value) ? [] : [invalid(child(path, name), value, says)];
  });
}

function text(fields: JsonObject, name: string): string {
  const value = fieldOf(fields, name);
  return typeof value === 'string' ? value : '';
}

function textMap(fields: JsonObject, name: string): Record<string, string> {
  return (fieldOf(fields, name) ?? {}) as Record<string, string>;
}

function list(fields: JsonObject, name: string): Json[] {
  return (fieldOf(fields, name) ?? []) as Json[];
}

function nameIssues(fields: JsonObject, path: string, rule: NameRule): Issue[] {
  const name = text(fields, 'name');
  const generateName = text(fields, 'generateName');
  const prefix = generateName === '' ? [] : nameFlaws(generateName, rule, true);
  const issues = prefix.map((flaw) => invalid(child(path, 'generateName'), generateName, flaw));
  if (name !== '') return [...issues, ...nameFlaws(name, rule).map((flaw) => invalid(child(path, 'name'), name, flaw))];
  return generateName === '' ? [...issues, required(child(path, 'name'), 'name or generateName is required')] : issues;
}

function namespaceIssues(fields: JsonObject, path: string, namespaced: boolean): Issue[] {
  const namespace = text(fields, 'namespace');
  const place = child(path, 'namespace');
  if (namespace === '') return namespaced ? [required(place)] : [];
  if (!namespaced) return [forbidden(place, 'not allowed on this type')];
  return nameFlaws(namespace, 'label').map((flaw) => invalid(place, namespace, flaw));
}

function labelIssues(labels: Record<string, string>, path: string): Issue[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...qualifiedNameFlaws(key).map((flaw) => invalid(path, key, flaw)),
    ...labelValueFlaws(value).map((flaw) => invalid(path, value, flaw)),
  ]);
}

/** All keys and values of the annotations together. */
const annotationLimit = 256 * 1024;

function annotationIssues(annotations: Record<string, string>, path: string): Issue[] {
  const entries = Object.entries(annotations);
  const size = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  const keys = entries.flatMap(([key]) =>
    qualifiedNameFlaws(key.toLowerCase()).map((flaw) => invalid(path, key, flaw)),
  );
  return size > annotationLimit ? [...keys, tooLong(path, annotationLimit)] : keys;
}

function ownerIssues(owners: Json[], path: string): Issue[] {
  const references = owners.filter(isObject);
  const missing = references.flatMap((owner) =>
    ['apiVersion', 'kind', 'name', 'uid']
      .filter((name) => text(owner, name) === '')
      .map((name) =>
        invalid(child(path, name), '', name === 'apiVersion' ? 'version must not be empty' : 'must not be empty'),
      ),
  );
  const controllers = references.filter((owner) => fieldOf(owner, 'controller') === true);
  const names = controllers.map((owner) => `${text(owner, 'kind')}/${text(owner, 'name')}`);
  const rivals = names
    .slice(1)
    .map((name) =>
      invalid(
        path,
        owners,
        `Only one reference can have Controller set to true. Found "true" in references for ${names[0]} and ${name}`,
      ),
    );
  return [...missing, ...rivals];
}

function finalizerIssues(finalizers: Json[], path: string): Issue[] {
  const names = finalizers.filter((name) => typeof name === 'string');
  const flaws = names.flatMap((name) => qualifiedNameFlaws(name).map((flaw) => invalid(path, name, flaw)));
  if (!names.includes('orphan') || !names.includes('foregroundDeletion')) return flaws;
  return [...flaws, invalid(path, names, 'finalizer orphan and foregroundDeletion cannot be both set')];
}
