import type { Json } from '../api/index.ts';
import { isRecord } from './json-schema.ts';
import type { Structural } from './structural.ts';

/**
 * What happened to a field in a version. Put actions on fields of the newest schema, at any depth; older versions
 * without their own schema, and all conversions, are derived from them.
 */
export type FieldAction =
  | { readonly action: 'added'; readonly since: string; readonly fill?: Json | undefined }
  | { readonly action: 'renamed'; readonly since: string; readonly from: string }
  | { readonly action: 'changed'; readonly since: string }
  | { readonly action: 'deprecated'; readonly since: string; readonly note: string };

/** What `added`, `renamed` and the like put into `.meta()`. */
export type FieldActionMetadata = { readonly [key: `x-kilter-action:${string}`]: FieldAction };

const actionKey = 'x-kilter-action:';

/** A key of its own for each, because `.meta()` merges by key and the later call wins. */
function metadata(action: FieldAction): FieldActionMetadata {
  return { [`${actionKey}${JSON.stringify(action)}`]: action };
}

/**
 * The field exists since that version. Older objects get the value `fill`, which is mandatory for a required field
 * without a default; without it the field stays absent, and the server fills in its default.
 *
 *     tier: z.enum(['web', 'batch']).meta(added('v1', { fill: 'web' }))
 */
export function added(since: string, { fill }: { fill?: Json | undefined } = {}): FieldActionMetadata {
  return metadata({ action: 'added', since, ...(fill !== undefined && { fill }) });
}

/**
 * The field has had its name since that version and was called `from` before: `replicas: z.int().meta(renamed('v1',
 * 'count'))`.
 */
export function renamed(since: string, from: string): FieldActionMetadata {
  return metadata({ action: 'renamed', since, from });
}

/**
 * The field has had another meaning or form since that version: every older version needs functions in `.converts`.
 * Their second parameter is the object as converted by the other actions, without this field.
 */
export function changed(since: string): FieldActionMetadata {
  return metadata({ action: 'changed', since });
}

/** The field should no longer be used since that version; its description says so, with the note. The field remains. */
export function deprecated(since: string, note: string): FieldActionMetadata {
  return metadata({ action: 'deprecated', since, note });
}

/** The actions left at a field, in the order they were written. */
export function actionsOf(schema: Structural): FieldAction[] {
  return Object.entries(schema).flatMap(([key, value]) =>
    key.startsWith(actionKey) && isRecord(value) ? [value as unknown as FieldAction] : [],
  );
}
