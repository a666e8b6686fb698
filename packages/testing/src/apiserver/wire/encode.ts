import { stringifyExact } from './exact-json.ts';

/**
 * What is known of the shape of a value, as far as the order of its keys goes: fields of a struct come in the order of
 * `properties`, keys of a map by code point, and what stands under `asMade` in the order it has.
 */
export interface Shape {
  readonly properties?: Readonly<Record<string, Shape>> | undefined;
  readonly items?: Shape | undefined;
  readonly additionalProperties?: Shape | boolean | undefined;
  /** Fields that are written even where the value does not have them, with what is written then. */
  readonly zeroFields?: Readonly<Record<string, unknown>> | undefined;
  readonly asMade?: true | undefined;
}

const surrogate = /[\uD800-\uDFFF]/;

/** By code point, the order of UTF-8 bytes; that of UTF-16 differs above U+FFFF. */
function byCodePoint(a: string, b: string): number {
  if (!surrogate.test(a) && !surrogate.test(b)) return a < b ? -1 : a > b ? 1 : 0;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** The keys of each shape's fields with their place, made once. */
const places = new WeakMap<object, ReadonlyMap<string, number>>();

function placesOf(properties: Readonly<Record<string, Shape>>): ReadonlyMap<string, number> {
  const known = places.get(properties);
  if (known !== undefined) return known;
  const made = new Map(Object.keys(properties).map((key, index) => [key, index]));
  places.set(properties, made);
  return made;
}

/** Objects of JavaScript put keys such as "10" first, in numeric order: keys are ordered when they are written. */
function keysInOrder(object: object, { properties, zeroFields, asMade: made }: Shape): string[] {
  const keys = Object.keys(object);
  if (made === true) return keys;
  for (const key of Object.keys(zeroFields ?? {})) if (!Object.hasOwn(object, key)) keys.push(key);
  if (properties === undefined) return keys.sort(byCodePoint);
  const order = placesOf(properties);
  const placeOf = (key: string): number => order.get(key) ?? order.size;
  return keys.sort((a, b) => placeOf(a) - placeOf(b) || byCodePoint(a, b));
}

const anyShape: Shape = {};
const asMade: Shape = { asMade: true };

function shapeBelow({ properties, additionalProperties, asMade: made }: Shape, key: string): Shape {
  if (made === true) return asMade;
  const own = properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined;
  return own ?? (typeof additionalProperties === 'object' ? additionalProperties : anyShape);
}

interface Writing {
  readonly shape: Shape;
  /** The line break before an item of this depth; empty where all is one line. */
  readonly line: string;
}

function enclosed([open, close]: readonly [string, string], parts: readonly string[], line: string): string {
  if (parts.length === 0) return open + close;
  if (line === '') return open + parts.join(',') + close;
  return `${open}${line}  ${parts.join(`,${line}  `)}${line}${close}`;
}

function write(value: unknown, { shape, line }: Writing): string {
  if (typeof value !== 'object' || value === null) return stringifyExact(value) ?? 'null';
  const deeper = line === '' ? '' : `${line}  `;
  if (Array.isArray(value)) {
    const below = shape.asMade === true ? asMade : (shape.items ?? anyShape);
    const items = value.map((item: unknown) => write(item, { shape: below, line: deeper }));
    return enclosed(['[', ']'], items, line);
  }
  const fields = keysInOrder(value, shape).flatMap((key) => {
    const field = Object.hasOwn(value, key)
      ? (value as Readonly<Record<string, unknown>>)[key]
      : shape.zeroFields?.[key];
    if (field === undefined) return [];
    const text = write(field, { shape: shapeBelow(shape, key), line: deeper });
    return [`${JSON.stringify(key)}:${line === '' ? '' : ' '}${text}`];
  });
  return enclosed(['{', '}'], fields, line);
}

const unsafe = /[<>&\u2028\u2029]/g;

/** What a browser could take for markup is escaped, wherever it stands: outside of texts there is none. */
function escaped(json: string): string {
  return json.replace(unsafe, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** JSON without a line break at its end. */
export function jsonText(value: unknown, shape: Shape = asMade, pretty = false): string {
  return escaped(write(value, { shape, line: pretty ? '\n' : '' }));
}

export interface JsonForm {
  /** Fields in the order they have unless given; an empty shape sorts all keys. */
  readonly shape?: Shape;
  /** Indented for people. */
  readonly pretty?: boolean;
}

/** JSON as the server writes it: one line with its end, or indented for people. */
export function encodeJson(value: unknown, { shape = asMade, pretty = false }: JsonForm = {}): string {
  return pretty ? jsonText(value, shape, true) : `${jsonText(value, shape)}\n`;
}
