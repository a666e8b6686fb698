import { deepEqual } from '../internal/index.ts';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const own = (fields: Fields, key: string): unknown => (Object.hasOwn(fields, key) ? fields[key] : undefined);

function changed(before: unknown, after: unknown): unknown {
  if (after === undefined) return null;
  return isFields(before) && isFields(after) ? mergeDifference(before, after) : after;
}

/**
 * The merge patch (RFC 7386) that makes `after` out of `before`: only what changed, lists whole, `null` for what is
 * gone. Undefined where nothing changed. Has no prototype, so that a key `__proto__` is a key like any other.
 */
export function mergeDifference(before: Fields, after: Fields): Record<string, unknown> | undefined {
  const patch = Object.create(null) as Record<string, unknown>;
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [own(before, key), own(after, key)];
    if (!deepEqual(old, now)) patch[key] = changed(old, now);
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}
