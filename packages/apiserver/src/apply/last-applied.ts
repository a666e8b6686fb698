import type { Json, JsonObject } from 'kilter/api';
import { compareText, fieldOf, isObject, jsonStringText, objectOf } from '../values/index.ts';
import { FieldSet } from './field-set.ts';
import { fieldSetOf } from './owned-fields.ts';
import { typingProblem } from './typing.ts';
import type { Endpoint } from './write.ts';

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** The limit of all annotations of an object together. */
const maxAnnotationBytes = 256 * 1024;

/**
 * What `kubectl apply` wrote before, by its own annotation, as far as the live object still says the same: `kubectl apply
 * --server-side` may take that over without a conflict.
 */
export function lastAppliedFields(live: JsonObject, apiVersion: string, endpoint: Endpoint): FieldSet {
  const text = fieldOf(annotationsOf(live), annotation);
  const applied = typeof text === 'string' ? parsed(text) : undefined;
  if (applied?.['apiVersion'] !== apiVersion) return FieldSet.empty;
  const untyped = [live, applied].some(
    (object) => typingProblem(object, endpoint.type, { duplicates: 'refused' }) !== undefined,
  );
  if (untyped) return FieldSet.empty;
  const changed = endpoint.compare(applied, live);
  return fieldSetOf(applied, endpoint.type)
    .difference(changed.modified)
    .difference(changed.added)
    .difference(changed.removed);
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // anybody may write that annotation: an unreadable one allows nothing
  }
}

/** The object with the annotation, where it has one, brought in line with what kubectl just applied. */
export function withLastApplied(object: JsonObject, applied: JsonObject): JsonObject {
  const annotations = annotationsOf(object);
  const previous = fieldOf(annotations, annotation);
  if (typeof previous !== 'string' || previous === '') return object;
  const updated = { ...annotations, [annotation]: `${sortedJson(withoutAnnotation(applied))}\n` };
  return withAnnotations(object, bytesOf(updated) > maxAnnotationBytes ? withoutKey(annotations) : updated);
}

function withoutAnnotation(object: JsonObject): JsonObject {
  const metadata = fieldOf(object, 'metadata');
  const annotated = isObject(metadata) && isObject(fieldOf(metadata, 'annotations'));
  return annotated ? withAnnotations(object, withoutKey(annotationsOf(object))) : object;
}

const withoutKey = (annotations: JsonObject): JsonObject =>
  objectOf(Object.entries(annotations).filter(([name]) => name !== annotation));

function withAnnotations(object: JsonObject, annotations: JsonObject): JsonObject {
  const metadata = fieldOf(object, 'metadata');
  return { ...object, metadata: { ...(isObject(metadata) ? metadata : {}), annotations } };
}

function annotationsOf(object: JsonObject): JsonObject {
  const metadata = fieldOf(object, 'metadata');
  const annotations = isObject(metadata) ? fieldOf(metadata, 'annotations') : undefined;
  return isObject(annotations) ? annotations : {};
}

const encoder = new TextEncoder();

const bytesOf = (annotations: JsonObject): number =>
  Object.entries(annotations).reduce(
    (sum, [name, value]) => sum + bytes(name) + (typeof value === 'string' ? bytes(value) : 0),
    0,
  );

const bytes = (text: string): number => encoder.encode(text).length;

/** JSON with sorted keys, as the server's encoder writes unstructured objects. */
function sortedJson(value: Json): string {
  if (typeof value === 'string') return jsonStringText(value);
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`;
  if (!isObject(value)) return String(value);
  const fields = Object.entries(value).toSorted(([left], [right]) => compareText(left, right));
  return `{${fields.map(([name, field]) => `${jsonStringText(name)}:${sortedJson(field)}`).join(',')}}`;
}
