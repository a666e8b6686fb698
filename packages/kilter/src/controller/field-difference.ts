import type { KubeObject, ManagedFieldsEntry } from '../api/index.ts';
import { deepEqual } from '../internal/index.ts';

type Fields = Readonly<Record<string, unknown>>;

// Of a loop three fields tell as much as thirty.
const mostPaths = 5;
// What the server moves with every write.
const bookkeeping = new Set(['resourceVersion', 'managedFields', 'generation', 'uid', 'creationTimestamp', 'selfLink']);

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function* pathsBetween(before: unknown, after: unknown, path: readonly string[]): Generator<readonly string[]> {
  if (deepEqual(before, after)) return;
  if (isFields(before) && isFields(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (path.length === 1 && path[0] === 'metadata' && bookkeeping.has(key)) continue;
      yield* pathsBetween(before[key], after[key], [...path, key]);
    }
  } else if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    for (const [i, item] of before.entries()) yield* pathsBetween(item, after[i], [...path, String(i)]);
  } else {
    yield path;
  }
}

/** The fields in which two versions of an object differ, as the segments of their paths; the first few. */
export function differingFields(before: KubeObject, after: KubeObject): (readonly string[])[] {
  const paths: (readonly string[])[] = [];
  for (const path of pathsBetween(before, after, [])) {
    paths.push(path);
    if (paths.length === mostPaths) break;
  }
  return paths;
}

/** As people write it: `spec.template.spec.containers[0].image`, `data["a.b"]`. */
export function pathInWords(path: readonly string[]): string {
  return path.reduce((text, segment) => {
    if (/^\d+$/.test(segment)) return `${text}[${segment}]`;
    if (!/^[A-Za-z_][\w-]*$/.test(segment)) return `${text}[${JSON.stringify(segment)}]`;
    return text === '' ? segment : `${text}.${segment}`;
  }, '');
}

/** Whether a manager's fields reach the path. Items of lists are found by keys that the path does not know: any will do. */
function covers(fields: unknown, path: readonly string[]): boolean {
  const [segment, ...rest] = path;
  if (segment === undefined) return fields !== undefined;
  if (!isFields(fields)) return false;
  if (Object.keys(fields).length === 0) return true;
  const named = fields[`f:${segment}`];
  if (named !== undefined) return covers(named, rest);
  if (!/^\d+$/.test(segment)) return false;
  return Object.entries(fields).some(([key, inner]) => /^[kvi]:/.test(key) && covers(inner, rest));
}

/** Who else holds one of these fields, the latest writer first. */
export function otherManagers(
  entries: readonly ManagedFieldsEntry[] | undefined,
  paths: readonly (readonly string[])[],
  own: string,
): string[] {
  const others = (entries ?? []).filter(
    ({ manager, fieldsV1 }) => manager !== undefined && manager !== own && paths.some((path) => covers(fieldsV1, path)),
  );
  const latest = others.toSorted((a, b) => String(b.time ?? '').localeCompare(String(a.time ?? '')));
  return [...new Set(latest.map(({ manager }) => manager as string))];
}
