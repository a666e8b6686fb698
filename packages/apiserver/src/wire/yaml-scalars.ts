// What plain scalars mean to the server's YAML, which is neither 1.1 nor 1.2 in full.
import { exactInteger } from '../values/index.ts';

const words: ReadonlyMap<string, boolean | null> = new Map([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
]);

const infinite: ReadonlyMap<string, number> = new Map([
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, Number.NaN] as const),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map((word) => [word, Infinity] as const),
  ...['-.inf', '-.Inf', '-.INF'].map((word) => [word, -Infinity] as const),
]);

const float = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;

/** An integer as Go writes them: decimal, or with 0x, 0o, 0 or 0b before it. */
function integerIn(text: string): number | bigint | undefined {
  const match = /^([-+]?)(?:(0[xX][\da-fA-F]+)|0[oO]?([0-7]+)|(0[bB][01]+)|(0|[1-9]\d*))$/.exec(text);
  if (match === null) return undefined;
  const [, sign, hex, octal, binary, decimal] = match;
  const digits = BigInt(hex ?? binary ?? (octal === undefined ? (decimal ?? '0') : `0o${octal}`));
  return exactInteger(String(sign === '-' ? -digits : digits));
}

/** The number a plain scalar is; undefined if it is none. */
export function numberIn(text: string): number | bigint | undefined {
  const known = infinite.get(text);
  if (known !== undefined) return known;
  const plain = /^[-+\d]/.test(text) ? text.replaceAll('_', '') : text;
  return integerIn(plain) ?? (float.test(plain) ? Number(plain) : undefined);
}

/** Undefined for what is not a word. */
export function wordIn(text: string): boolean | null | undefined {
  return words.get(text);
}

const time =
  /^\d{4}-\d{1,2}-\d{1,2}(?:[Tt]\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?(?:Z|[-+]\d\d:\d\d)| \d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?)?$/;
const sexagesimal = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

/** Whether a text would be read as something else without quotes. */
export function needsQuotes(text: string): boolean {
  if (wordIn(text) !== undefined || numberIn(text) !== undefined) return true;
  return text === '<<' || time.test(text) || sexagesimal.test(text);
}
