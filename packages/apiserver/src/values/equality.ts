import { isNumeric, isObject } from './plain-data.ts';

/** Equal as the server sees it: keys in any order, lists in order, 1 and 1n the same number. */
export function sameValue(left: unknown, right: unknown): boolean {
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => sameValue(item, right[index]));
  }
  if (isObject(left) && isObject(right)) {
    const names = Object.keys(left);
    return (
      names.length === Object.keys(right).length &&
      names.every((name) => Object.hasOwn(right, name) && sameValue(left[name], right[name]))
    );
  }
  // A number and a BigInt of one value are only loosely equal.
  return isNumeric(left) && isNumeric(right) ? left == right : left === right;
}

/** Equal as the values of a field: one that is not there is null. */
export const isSame = (left: unknown, right: unknown): boolean => sameValue(left ?? null, right ?? null);

/** The places of the texts that stood in the list before; to look for each one from the beginning would take too long. */
export function repeatsIn(texts: readonly string[]): ReadonlySet<number> {
  const seen = new Set<string>();
  return new Set([...texts.keys()].filter((index) => seen.size === seen.add(texts[index] ?? '').size));
}

const surrogate = /[\uD800-\uDFFF]/;

/** By Unicode code point, the order of UTF-8 bytes; UTF-16 order differs above U+FFFF. */
export function compareText(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  for (let index = 0; index < shorter; index += 1) {
    const difference = left.charCodeAt(index) - right.charCodeAt(index);
    if (difference === 0) continue;
    // Only where surrogates are involved do code units and code points differ in their order.
    return surrogate.test(left) || surrogate.test(right) ? compareCodePoints(left, right) : difference;
  }
  return left.length - right.length;
}

function compareCodePoints(left: string, right: string): number {
  const [a, b] = [codePoints(left), codePoints(right)];
  const at = a.findIndex((code, index) => code !== b[index]);
  return at === -1 ? -1 : (a[at] ?? 0) - (b[at] ?? -1);
}

const codePoints = (text: string): number[] => Array.from(text, (char) => char.codePointAt(0) ?? 0);

const rank = (value: unknown): number => {
  if (isNumeric(value)) return 0;
  if (typeof value === 'string') return 1;
  return typeof value === 'boolean' ? 2 : 3;
};

/** The server's order of scalars: numbers, then strings, then booleans. */
export function compareScalars(left: unknown, right: unknown): number {
  const difference = rank(left) - rank(right);
  if (difference !== 0) return difference;
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right);
  if (left === right || sameValue(left, right)) return 0;
  return (left as number) < (right as number) ? -1 : 1;
}
