import type { JsonObject } from 'kilter/api';
import { settledObject, unsettled, withoutEmpties, withoutSurplus } from '../decoding/index.ts';
import { metadataIssues, metadataUpdateIssues, type ResourceDefinition } from '../kinds/index.ts';
import { scaleIssues, verdictOn } from '../schema/index.ts';
import { invalid } from '../status/index.ts';
import { append, type Issue, metadataOf, type Schema, textIn } from '../values/index.ts';
import type { Creation, Update } from './write.ts';

interface Judged {
  readonly object: JsonObject;
  readonly old: JsonObject | undefined;
  readonly definition: ResourceDefinition;
  /** `status` is judged as status alone. */
  readonly subresource: string | undefined;
  /** Gets the flaws of values that may stay as they were, although they break a rule. */
  readonly warnings: string[];
}

/** Schemas without the metadata every object has: that is judged by rules of its own. */
const bare = new WeakMap<Schema, Schema>();

function bareSchema(schema: Schema): Schema {
  const known = bare.get(schema);
  if (known !== undefined) return known;
  const made: Schema = { ...schema, properties: { ...schema.properties, metadata: { type: 'object' } } };
  bare.set(schema, made);
  return made;
}

/** What the schema asks for because it is always written, and the server takes without. */
const mayBeMissing =
  /\.(?:sysctls\[\d+\]\.value|httpHeaders\[\d+\]\.(?:name|value)|podFailurePolicy\.rules|onPodConditions\[\d+\]\.status|successPolicy\.rules|schedulingGates\[\d+\]\.name|scaleIO\.secretRef)$/;

/**
 * Of the list types of built-in kinds the server takes no notice when it validates, nor of what their status lacks, and
 * their bytes are for the decoder to judge: no bytes at all are good for it, though not for the format.
 */
function schemaIssues({ object, old, definition, subresource, warnings }: Judged): Issue[] {
  if (definition.strategy.ownValidation === true) return [];
  const context = { old, subresource: subresource === 'status' ? ('status' as const) : undefined };
  const { custom, scale } = definition;
  const schema = bareSchema(definition.schema);
  const judged = custom ? object : (unsettled(object, schema) as JsonObject);
  const { issues, forgivenByRules } = verdictOn(judged, schema, context);
  append(
    warnings,
    forgivenByRules.map(({ field, message }) => `${field}: ${message}`),
  );
  const part = subresource === 'status' ? 'status' : 'all';
  if (custom) {
    const counts = scale === undefined ? [] : scaleIssues(object, scale, part);
    return subresource === 'scale' ? [...counts, ...issues] : [...issues, ...counts];
  }
  return issues.filter(
    ({ field, reason, message }) =>
      reason !== 'FieldValueDuplicate' &&
      !(reason === 'FieldValueRequired' && (field.startsWith('status.') || mayBeMissing.test(field))) &&
      !message.endsWith(' must be of type byte: ""'),
  );
}

/** Of a field that a kind's own rules judge the schema has nothing to say. */
function ownIssues(judged: Judged): Issue[] {
  const { object, old, definition, subresource } = judged;
  const own = definition.strategy.validate?.(object, old, subresource) ?? [];
  const fields = new Set(own.map(({ field }) => field));
  const others = schemaIssues(judged).filter(({ field }) => !fields.has(field));
  return [...own, ...new Map(others.map((issue) => [`${issue.field}: ${issue.message}`, issue])).values()];
}

function issuesOf(judged: Judged): Issue[] {
  const { object, old, definition } = judged;
  const metadata = metadataOf(object);
  const issues = metadataIssues(metadata, definition);
  if (old === undefined) return [...issues, ...ownIssues(judged)];
  const changed = metadataUpdateIssues(metadata, metadataOf(old));
  // The server judges metadata for all kinds alike, and each kind does so once more: custom ones only what changed.
  const again = definition.custom ? [] : issues;
  return [...issues, ...changed, ...changed, ...again, ...ownIssues(judged)];
}

/** Brings values into the form they are stored in. */
export function settle(change: Creation | Update): void {
  change.object = settledObject(change.object, change.served.definition);
}

/** Takes out of a custom resource what its schema does not know, and what holds nothing in its metadata: those who admitted it have seen it. */
export function trim(change: Creation | Update): void {
  const { definition } = change.served;
  if (!definition.custom) return;
  const known = change.admitted === true ? withoutSurplus(change.object, definition) : change.object;
  change.surplus = known !== change.object;
  const trimmed = withoutEmpties(known);
  change.trimmed = trimmed !== known;
  change.object = trimmed;
}

/** What is stored in the form of another group is judged as one of that group. */
function namedAs(definition: ResourceDefinition): ResourceDefinition {
  const { storedAs } = definition;
  return typeof storedAs === 'object' ? { ...definition, group: storedAs.group } : definition;
}

function emptiedIssues(change: Creation | Update): Issue[] {
  if (change.operation === 'create' || change.subresource !== undefined) return [];
  return change.served.definition.strategy.emptied?.(change.emptied ?? [], change.object, change.old) ?? [];
}

/** Refuses an object that breaks rules of its kind. */
export function validateChange(change: Creation | Update): void {
  const { object, old, subresource } = change;
  const { definition } = change.served;
  const warnings: string[] = [];
  const issues = [...issuesOf({ object, old, definition, subresource, warnings }), ...emptiedIssues(change)];
  append(change.warnings, warnings);
  if (issues.length === 0) return;
  const refusal = invalid(namedAs(definition), textIn(metadataOf(object), 'name'), issues);
  refusal.warnings = warnings;
  throw refusal;
}
