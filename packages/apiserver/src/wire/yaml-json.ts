// What the server's reader has made of a YAML text, as JSON; and how Go shows it where that cannot be.
import { type Buffer, isUtf8 } from 'node:buffer';
import { exactInteger, floatText, quote, setField } from '../values/index.ts';
import { widthOf } from './yaml-characters.ts';
import { YamlProblem } from './yaml-reader.ts';

/** An integer is a bigint, and a float a number, since keys are distinguished by that. */
export type Scalar = string | number | bigint | boolean | null;

/** As Go's reader hands it on: mappings have keys of any kind. */
export type YamlData = Scalar | YamlData[] | Map<Scalar, YamlData>;

const largest = 2n ** 63n - 1n;

/** A float as Go shows it. */
function floatShown(value: number): string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0' : floatText(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

/** How Go shows a value in a message. */
export function shown(value: YamlData): string {
  if (value === null) return '<nil>';
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return floatShown(value);
  if (typeof value === 'bigint') return value > largest ? `0x${value.toString(16)}` : String(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(shownInside).join(', ')}}`;
  return value instanceof Map ? `map[interface {}]interface {}{${shownPairs(value)}}` : String(value);
}

const shownInside = (value: YamlData): string => (value === null ? 'interface {}(nil)' : shown(value));

function shownPairs(map: ReadonlyMap<Scalar, YamlData>): string {
  const entries = [...map].toSorted(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1));
  return entries.map(([key, item]) => `${shownInside(key)}:${shownInside(item)}`).join(', ');
}

/** The shortest float of 32 bits that says the same, which is how floats are written where they are keys. */
function singleText(key: number): string {
  const single = Math.fround(key);
  if (Number.isNaN(single)) return '.nan';
  if (!Number.isFinite(single)) return single > 0 ? '.inf' : '-.inf';
  for (let digits = 1; digits < 9; digits += 1) {
    const short = Number(single.toPrecision(digits));
    if (Math.fround(short) === single) return floatShown(short);
  }
  return floatShown(Number(single.toPrecision(9)));
}

function keyText(key: Scalar, value: YamlData): string {
  const isLarge = typeof key === 'bigint' && key > largest;
  if (key === null || isLarge) {
    const type = key === null ? '%!s(<nil>)' : 'uint64';
    throw new YamlProblem(`unsupported map key of type: ${type}, key: ${shown(key)}, value: ${shown(value)}`);
  }
  return typeof key === 'number' ? singleText(key) : String(key);
}

/** Throws a YamlProblem for keys that JSON cannot have. */
export function jsonOf(value: YamlData): unknown {
  if (typeof value === 'bigint') return exactInteger(String(value));
  if (Array.isArray(value)) return value.map(jsonOf);
  if (!(value instanceof Map)) return value;
  const made: Record<string, unknown> = {};
  for (const [key, item] of value) setField(made, keyText(key, item), jsonOf(item));
  return made;
}

/** The first number that JSON has no word for. */
export function unwritable(value: YamlData): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : floatShown(value);
  if (typeof value !== 'object' || value === null) return undefined;
  for (const item of value.values()) {
    const found = unwritable(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Bytes as a text of JSON: Go puts a mark in the place of each one that is not UTF-8, and not of several together. */
export function textOfBytes(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const character = bytes.subarray(at, at + Math.max(1, widthOf(bytes[at] ?? 0)));
    const isText = isUtf8(character);
    text += isText ? character.toString('utf8') : '\ufffd';
    at += isText ? character.length : 1;
  }
  return text;
}
