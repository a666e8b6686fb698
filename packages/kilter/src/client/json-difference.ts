import { deepEqual } from '../internal/index.ts';
import type { JsonOperation } from './patch.ts';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const own = (fields: Fields, key: string): unknown => (Object.hasOwn(fields, key) ? fields[key] : undefined);

function holdsNull(value: unknown): boolean {
  if (value === null) return true;
  return typeof value === 'object' && Object.values(value).some(holdsNull);
}

/** The keys whose values differ, with both. */
function* changes(before: Fields, after: Fields): Generator<readonly [key: string, old: unknown, now: unknown]> {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [own(before, key), own(after, key)];
    if (!deepEqual(old, now)) yield [key, old, now];
  }
}

/**
 * Whether what changed holds a null. In a merge patch null means "remove", and inside of new objects and lists the server
 * takes nulls out as well.
 */
export function needsJsonPatch(before: Fields, after: Fields): boolean {
  return [...changes(before, after)].some(([, old, now]) =>
    isFields(old) && isFields(now) ? needsJsonPatch(old, now) : now !== undefined && holdsNull(now),
  );
}

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** The JSON patch (RFC 6902) that makes `after` out of `before`: only what changed, lists whole. */
export function jsonDifference(before: Fields, after: Fields, at = ''): JsonOperation[] {
  return [...changes(before, after)].flatMap(([key, old, now]): JsonOperation[] => {
    const path = `${at}/${escaped(key)}` as const;
    if (now === undefined) return [{ op: 'remove', path: path as `/${string}` }];
    if (isFields(old) && isFields(now)) return jsonDifference(old, now, path);
    return [{ op: 'add', path: path as `/${string}`, value: now }];
  });
}

/** Makes the server compare versions, as the version in a merge patch does: a `test` would be answered with 422, not 409. */
export const lockOperations = (resourceVersion: string): JsonOperation[] => [
  { op: 'add', path: '/metadata/resourceVersion', value: resourceVersion },
];
