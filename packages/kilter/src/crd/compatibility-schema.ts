import { deepEqual } from '../internal/index.ts';
import type { JSONSchemaProps } from '../k8s/apiextensions/v1.ts';
import { type CompatibilityChange, type Judgement, judgements } from './compatibility-change.ts';
import { constraintChanges } from './compatibility-constraint.ts';
import { child, element } from './field-path.ts';
import { intOrString, preserve, propertyOf, valuesOf } from './structural.ts';

const { added, breaking, loosened, tightened, visible } = judgements;

/** The two schemas of one place in the objects of one version. */
interface Pair {
  readonly path: string;
  readonly before: JSONSchemaProps;
  readonly after: JSONSchemaProps;
}

/** Everything that differs between two schemas, at every depth. */
export function schemaChanges(given: Pair): CompatibilityChange[] {
  const pair = { ...given, before: asLoose(given.before, given.after), after: asLoose(given.after, given.before) };
  const own = typeChange(pair);
  if (own?.verdict === 'breaking') return [own];
  return [
    ...(own === undefined ? [] : [own]),
    ...keptChanges(pair),
    ...nullChanges(given),
    ...embeddedChanges(pair),
    ...listChanges(pair),
    ...defaultChanges(pair),
    ...constraintChanges(withoutPair(pair.before), withoutPair(pair.after)).map(({ key: _key, ...judged }) => ({
      path: pair.path,
      ...judged,
    })),
    ...fieldChanges(pair),
    ...inside(pair),
  ];
}

/** Beside an object without fields that keeps all it does not know, a map of anything is the same. */
function asLoose(schema: JSONSchemaProps, other: JSONSchemaProps): JSONSchemaProps {
  const { additionalProperties: _values, ...rest } = schema;
  const isSame = isMapOfAnything(schema) && other[preserve] === true && other.properties === undefined;
  return isSame ? { ...rest, [preserve]: true } : schema;
}

function isMapOfAnything(schema: JSONSchemaProps): boolean {
  const values = valuesOf(schema) ?? {};
  const silent = [preserve, 'nullable', 'title', 'description'];
  return values[preserve] === true && Object.keys(values).every((key) => silent.includes(key));
}

/** But the server removes null from a map, unless its values may be null. */
function nullChanges({ path, before, after }: Pair): CompatibilityChange[] {
  const isStricter = before[preserve] === true && isMapOfAnything(after) && valuesOf(after)?.nullable !== true;
  const values = { before: 'object', after: 'map' };
  return isStricter ? [change(path, visible('entries that are null are removed'), values)] : [];
}

/** The pair of types that an int-or-string comes with says nothing of its own. */
function withoutPair(schema: JSONSchemaProps): JSONSchemaProps {
  return schema[intOrString] === true ? { ...schema, anyOf: undefined } : schema;
}

function typeOf(schema: JSONSchemaProps): string {
  if (schema[intOrString] === true) return 'int-or-string';
  if (schema.type === 'object') return valuesOf(schema) === undefined ? 'object' : 'map';
  return schema.type ?? 'any';
}

function change(path: string, judgement: Judgement, values: { before: unknown; after: unknown }): CompatibilityChange {
  return { path, ...judgement, ...values };
}

function typeChange({ path, before, after }: Pair): CompatibilityChange | undefined {
  const [old, now] = [typeOf(before), typeOf(after)];
  if (old === now) return undefined;
  const values = { before: old, after: now };
  if (now === 'int-or-string' && (old === 'integer' || old === 'string'))
    return change(path, visible('widened to int-or-string'), values);
  if (old === 'any')
    return change(
      path,
      breaking('CRD-K5', 'preserve-unknown removed', 'what does not fit is pruned or refused'),
      values,
    );
  const cure = 'keep the field as it is and add another, or change it in a new version';
  return change(path, breaking('CRD-K4', 'type changed', cure), values);
}

/** What is kept: unknown fields and null. */
function keptChanges({ path, before, after }: Pair): CompatibilityChange[] {
  const cure = 'stored values would be pruned on read and lost on the next write: keep it';
  return ([preserve, 'nullable'] as const).flatMap((key) => {
    const [old, now] = [before[key] === true, after[key] === true];
    const name = key === preserve ? 'preserve-unknown' : 'nullable';
    if (old === now) return [];
    const judgement = old ? breaking('CRD-K5', `${name} removed`, cure) : loosened(`${name} added`);
    return [change(path, judgement, { before: old, after: now })];
  });
}

/** An embedded object says what it is, and keeps that and its metadata without declaring them. */
function embeddedChanges({ path, before, after }: Pair): CompatibilityChange[] {
  const isEmbedded = (schema: JSONSchemaProps): boolean => schema['x-kubernetes-embedded-resource'] === true;
  const values = { before: isEmbedded(before), after: isEmbedded(after) };
  if (values.before === values.after) return [];
  if (values.after) return [change(path, tightened('must be a Kubernetes object'), values)];
  if (after[preserve] === true) return [change(path, loosened('need not be a Kubernetes object'), values)];
  const cure = 'its apiVersion, kind and metadata would be pruned on read and lost on the next write: keep it';
  return [change(path, breaking('CRD-K5', 'embedded resource removed', cure), values)];
}

/** How apply merges. Without a word lists are atomic and maps granular. */
function listChanges({ path, before, after }: Pair): CompatibilityChange[] {
  const cure = 'ownership of applied fields moves and duplicates become errors: keep it';
  const rows = [
    ['list type', (schema: JSONSchemaProps) => schema['x-kubernetes-list-type'] ?? 'atomic'],
    ['list keys', (schema: JSONSchemaProps) => (schema['x-kubernetes-list-map-keys'] ?? []).toSorted()],
    ['map type', (schema: JSONSchemaProps) => schema['x-kubernetes-map-type'] ?? 'granular'],
  ] as const;
  return rows.flatMap(([what, of]) => {
    const values = { before: of(before), after: of(after) };
    return deepEqual(values.before, values.after)
      ? []
      : [change(path, breaking('CRD-K6', `${what} changed`, cure), values)];
  });
}

function defaultChanges({ path, before, after }: Pair): CompatibilityChange[] {
  const values = { before: before.default, after: after.default };
  if (deepEqual(values.before, values.after)) return [];
  if (values.before === undefined) return [change(path, visible('default added'), values)];
  const what = values.after === undefined ? 'default removed' : 'default changed';
  const cure = 'objects that rely on it change their meaning: keep it';
  return [change(path, breaking('CRD-K7', what, cure), values)];
}

function fieldChanges({ path, before, after }: Pair): CompatibilityChange[] {
  const names = new Set([...Object.keys(before.properties ?? {}), ...Object.keys(after.properties ?? {})]);
  return [...names].flatMap((name) => {
    const place = child(path, name);
    const [old, now] = [propertyOf(before, name), propertyOf(after, name)];
    if (old === undefined && now !== undefined) return addedField(place, now, { name, before, after });
    if (now === undefined) return [removedField(place, after, old)];
    return [
      ...requiredChange(place, now, { name, before, after }),
      ...schemaChanges({ path: place, before: old ?? {}, after: now }),
    ];
  });
}

interface Field {
  readonly name: string;
  readonly before: JSONSchemaProps;
  readonly after: JSONSchemaProps;
}

const requireCure = 'make it optional, or give it a default';

function addedField(path: string, now: JSONSchemaProps, { name, before, after }: Field): CompatibilityChange[] {
  const values = { before: undefined, after: typeOf(now) };
  if (after.required?.includes(name) === true && now.default === undefined)
    return [change(path, breaking('CRD-K4', 'required field added', requireCure), values)];
  // What was kept without a schema may be there already, and of another type.
  if (before[preserve] === true) return [change(path, tightened('schema added to a field that was kept'), values)];
  return [change(path, added(now.default === undefined ? 'optional field added' : 'defaulted field added'), values)];
}

function removedField(path: string, after: JSONSchemaProps, old: JSONSchemaProps | undefined): CompatibilityChange {
  const values = { before: old && typeOf(old), after: undefined };
  if (after[preserve] === true && old?.default !== undefined)
    return change(path, breaking('CRD-K7', 'default removed with its field', 'keep the field and its default'), values);
  if (after[preserve] === true) return change(path, loosened('schema of a field removed, which is kept'), values);
  const cure = 'keep it and mark it deprecated, or remove it in a new version with a conversion';
  return change(path, breaking('CRD-K4', 'field removed', cure), values);
}

function requiredChange(path: string, now: JSONSchemaProps, { name, before, after }: Field): CompatibilityChange[] {
  const isRequired = (schema: JSONSchemaProps): boolean => schema.required?.includes(name) === true;
  const values = {
    before: isRequired(before) ? 'required' : 'optional',
    after: isRequired(after) ? 'required' : 'optional',
  };
  if (values.before === values.after) return [];
  if (!isRequired(after)) return [change(path, loosened('made optional'), values)];
  if (now.default !== undefined) return [change(path, added('made required, with a default'), values)];
  return [change(path, breaking('CRD-K4', 'made required', requireCure), values)];
}

function inside({ path, before, after }: Pair): CompatibilityChange[] {
  const [old, now] = [before.items ?? valuesOf(before), after.items ?? valuesOf(after)];
  if (old === undefined || now === undefined) return [];
  return schemaChanges({ path: element(path), before: old, after: now });
}
