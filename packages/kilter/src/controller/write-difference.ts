import type { KubeObject } from '../api/index.ts';
import { isSensitive, mask, masked, type FieldChange } from '../telemetry/index.ts';
import { pathInWords, pathsBetween } from './field-difference.ts';

// A journal is read by people: more fields than these are a new object, and longer values nobody reads.
const mostChanges = 20;
const longestValue = 300;

/** What a Secret holds is shown by nobody, and what it was before neither. */
function isSecret({ kind, apiVersion }: KubeObject, [first, second]: readonly string[]): boolean {
  if (kind !== 'Secret' || apiVersion !== 'v1') return false;
  // Tools keep copies of what they applied in annotations.
  return first === 'data' || first === 'stringData' || (first === 'metadata' && second === 'annotations');
}

function valueAt(object: unknown, path: readonly string[]): unknown {
  let value = object;
  for (const segment of path) value = (value as Readonly<Record<string, unknown>> | undefined)?.[segment];
  return value;
}

function inText(value: unknown): string {
  const text = JSON.stringify(masked(value)) ?? '';
  return text.length > longestValue ? `${text.slice(0, longestValue)}… (${text.length} characters)` : text;
}

/** `value` of an item that is called like a secret, as `env` of a container has it. */
function isNamedSecret(object: KubeObject, path: readonly string[]): boolean {
  if (path.at(-1) !== 'value') return false;
  const { name } = (valueAt(object, path.slice(0, -1)) ?? {}) as { name?: unknown };
  return typeof name === 'string' && isSensitive(name);
}

function changeAt(path: readonly string[], before: KubeObject | undefined, after: KubeObject): FieldChange {
  const [old, now] = [valueAt(before, path), valueAt(after, path)];
  const hidden = isSecret(after, path) || isSensitive(path.at(-1) ?? '') || isNamedSecret(after, path);
  const show = (value: unknown, when: string): string => (hidden ? `${mask} (${when})` : inText(value));
  return {
    path: pathInWords(path),
    ...(old !== undefined && { before: show(old, 'before') }),
    ...(now !== undefined && { after: show(now, 'after') }),
  };
}

/** What a write changed, field by field, without anything secret; the first few, and how many there were in all. */
export function writeDifference(
  before: KubeObject | undefined,
  after: KubeObject,
): { readonly changes: readonly FieldChange[]; readonly more: number } {
  const { apiVersion, kind } = after;
  const paths = pathsBetween(before ?? { apiVersion, kind, metadata: {} }, after);
  const changes = paths.slice(0, mostChanges).map((path) => changeAt(path, before, after));
  return { changes, more: paths.length - changes.length };
}
