import type { Json } from './case.ts';

export interface Difference {
  /** Step first: 'create.body.metadata.labels'. */
  readonly at: string;
  readonly expected: Json | undefined;
  readonly actual: Json | undefined;
}

const isPlain = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every place where two values differ, the deepest that tells them apart. */
export function differences(expected: Json | undefined, actual: Json | undefined, at = ''): Difference[] {
  const inside = (key: string | number): string => (at === '' ? String(key) : `${at}.${key}`);
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const [wanted, given] = [expected as readonly Json[], actual as readonly Json[]];
    const length = Math.max(wanted.length, given.length);
    return Array.from({ length }, (_, index) => differences(wanted[index], given[index], inside(index))).flat();
  }
  if (isPlain(expected) && isPlain(actual)) {
    const keys = [...new Set([...Object.keys(expected), ...Object.keys(actual)])];
    return keys.flatMap((key) => differences(expected[key], actual[key], inside(key)));
  }
  return Object.is(expected, actual) ? [] : [{ at, expected, actual }];
}
