// What plain scalars mean to the server's YAML, which is neither 1.1 nor 1.2 in full.

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
const digitsOf64Bits = 64;
const [least, most] = [-(2n ** 63n), 2n ** 64n - 1n];

const inRange = (value: bigint, sign: string): boolean =>
  // With a sign Go reads it as an int64, without one it may be an uint64 as well.
  value >= least && value <= (sign === '' ? most : -least - 1n);

/** An integer of 64 bits as Go writes them: decimal, or with 0x, 0o, 0 or 0b before it. */
function integerIn(text: string): bigint | undefined {
  // Go's reader looks for a sign behind 0b too.
  const match = /^([-+]?)(?:(0[xX][\da-fA-F]+)|0[oO]?([0-7]+)|(0[bB][01]+)|(0|[1-9]\d*))$|^0b([-+])([01]+)$/.exec(text);
  if (match === null) return undefined;
  const [, sign = match[6] ?? '', hex, octal, bits, decimal = '0', , signed] = match;
  const binary = signed === undefined ? bits : `0b${signed}`;
  const digits = (hex ?? binary ?? (octal === undefined ? decimal : `0o${octal}`)).replace(/^(0[a-zA-Z])0+(?=.)/, '$1');
  if (digits.length > digitsOf64Bits + 2) return undefined;
  const value = sign === '-' ? -BigInt(digits) : BigInt(digits);
  return inRange(value, sign) ? value : undefined;
}

/** A float, unless it is too large to be one: then it is a text. */
function floatIn(text: string): number | undefined {
  const value = float.test(text) ? Number(text) : Infinity;
  return Number.isFinite(value) ? value : undefined;
}

/** The number a plain scalar is: bigint for an integer, number for a float; undefined if it is none. */
export function numberIn(text: string): number | bigint | undefined {
  const known = infinite.get(text);
  if (known !== undefined) return known;
  const plain = /^[-+\d]/.test(text) ? text.replaceAll('_', '') : text;
  return integerIn(plain) ?? floatIn(plain);
}

/** Undefined for what is not a word. */
export function wordIn(text: string): boolean | null | undefined {
  return words.get(text);
}

const time =
  /^\d{4}-\d{1,2}-\d{1,2}(?:[Tt]\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?(?:Z|[-+]\d\d:\d\d)| \d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?)?$/;
const sexagesimal = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

function daysIn(month: number, year: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}

/** Whether a text is a time there is, as Go's reader writes them. */
export function isTime(text: string): boolean {
  if (!time.test(text)) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = (text.match(/\d+/g) ?? []).map(Number);
  const [zoneHour = 0, zoneMinute = 0] = /[-+](\d\d):(\d\d)$/.exec(text)?.slice(1).map(Number) ?? [];
  const isDay = day > 0 && day <= daysIn(month, year);
  return isDay && hour < 24 && minute < 60 && second < 60 && zoneHour <= 24 && zoneMinute <= 60;
}

/** Whether a text would be read as something else without quotes. */
export function needsQuotes(text: string): boolean {
  if (wordIn(text) !== undefined || numberIn(text) !== undefined) return true;
  return text === '<<' || time.test(text) || sexagesimal.test(text);
}
