import type { JsonObject } from 'kilter/api';
import { type Issue, type Schema, validate } from '../schema/index.ts';
import { textIn } from './builtin-fields.ts';
import { metadataOf } from './core.ts';
import type { ResourceDefinition } from './definition.ts';
import { metadataIssues, metadataUpdateIssues } from './metadata-rules.ts';
import { invalid } from './refusals.ts';

interface Judged {
  readonly object: JsonObject;
  readonly old: JsonObject | undefined;
  readonly definition: ResourceDefinition;
  /** `status` is judged as status alone. */
  readonly subresource: string | undefined;
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

/** Of the list types of built-in kinds the server takes no notice when it validates. */
function schemaIssues({ object, old, definition, subresource }: Judged): Issue[] {
  const context = { old, subresource: subresource === 'status' ? ('status' as const) : undefined };
  const issues = validate(object, bareSchema(definition.schema), context);
  return definition.custom ? issues : issues.filter(({ reason }) => reason !== 'FieldValueDuplicate');
}

function issuesOf({ object, old, definition, subresource }: Judged): Issue[] {
  const metadata = metadataOf(object);
  return [
    ...metadataIssues(metadata, definition),
    ...(old === undefined ? [] : metadataUpdateIssues(metadata, metadataOf(old))),
    ...schemaIssues({ object, old, definition, subresource }),
    ...(definition.strategy.validate?.(object, old) ?? []),
  ];
}

/** Refuses an object that breaks rules of its kind. */
export function refuseInvalid(judged: Judged): void {
  const issues = issuesOf(judged);
  if (issues.length > 0) throw invalid(judged.definition, textIn(metadataOf(judged.object), 'name'), issues);
}
