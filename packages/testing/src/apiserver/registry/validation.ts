import type { JsonObject } from 'kilter/api';
import { type Issue, validate } from '../schema/index.ts';
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

function issuesOf({ object, old, definition, subresource }: Judged): Issue[] {
  const metadata = metadataOf(object);
  return [
    ...metadataIssues(metadata, definition),
    ...(old === undefined ? [] : metadataUpdateIssues(metadata, metadataOf(old))),
    ...validate(object, definition.schema, { old, subresource: subresource === 'status' ? 'status' : undefined }),
    ...(definition.strategy.validate?.(object, old) ?? []),
  ];
}

/** Refuses an object that breaks rules of its kind. */
export function refuseInvalid(judged: Judged): void {
  const issues = issuesOf(judged);
  if (issues.length > 0) throw invalid(judged.definition, textIn(metadataOf(judged.object), 'name'), issues);
}
