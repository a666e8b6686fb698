import type { JsonOperation } from '../client/index.ts';
import { deepEqual } from '../internal/index.ts';

type Fields = Readonly<Record<string, unknown>>;
type Path = `/${string}`;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const own = (fields: Fields, key: string): unknown => (Object.hasOwn(fields, key) ? fields[key] : undefined);

const step = (at: string, key: string | number): Path =>
  `${at}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}` as Path;

function ofFields(before: Fields, after: Fields, at: string): JsonOperation[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key): JsonOperation[] => {
    const [old, now] = [own(before, key), own(after, key)];
    if (old === undefined && now === undefined) return [];
    if (now === undefined) return [{ op: 'remove', path: step(at, key) }];
    if (old === undefined) return [{ op: 'add', path: step(at, key), value: now }];
    return ofValues(old, now, step(at, key));
  });
}

/** How many items at the start of both lists are the same. */
function sameStart(before: readonly unknown[], after: readonly unknown[]): number {
  const most = Math.min(before.length, after.length);
  let count = 0;
  while (count < most && deepEqual(before[count], after[count])) count += 1;
  return count;
}

/** How many items at the end of both lists are the same, beyond those of the start. */
function sameEnd(before: readonly unknown[], after: readonly unknown[], start: number): number {
  const most = Math.min(before.length, after.length) - start;
  let count = 0;
  while (count < most && deepEqual(before.at(-1 - count), after.at(-1 - count))) count += 1;
  return count;
}

/**
 * What is the same at both ends stays as it is: an item that was put in or taken out costs one operation. Between them items are
 * compared by their place.
 */
function ofLists(before: readonly unknown[], after: readonly unknown[], at: string): JsonOperation[] {
  const start = sameStart(before, after);
  const end = sameEnd(before, after, start);
  const [old, now] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const both = Math.min(old.length, now.length);
  const changed = now.slice(0, both).flatMap((item, i) => ofValues(old[i], item, step(at, start + i)));
  // From the last on, so that the places of those before them stay true.
  const removed = old
    .slice(both)
    .map((_, i): JsonOperation => ({ op: 'remove', path: step(at, start + both + i) }))
    .toReversed();
  const added = now
    .slice(both)
    .map((value, i): JsonOperation => ({ op: 'add', path: step(at, start + both + i), value }));
  return [...changed, ...removed, ...added];
}

function ofValues(old: unknown, now: unknown, path: Path): JsonOperation[] {
  if (isFields(old) && isFields(now)) return ofFields(old, now, path);
  if (Array.isArray(old) && Array.isArray(now)) return ofLists(old, now, path);
  return deepEqual(old, now) ? [] : [{ op: 'replace', path, value: now }];
}

/** The JSON patch (RFC 6902) that makes `after` out of `before`: only what changed, item by item. */
export function patchDifference(before: object, after: object): JsonOperation[] {
  return ofFields(before as Fields, after as Fields, '');
}
