import { compareText } from '../values/index.ts';

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

/** A field of a struct: where it comes, how its name is written, what is below it. */
interface KnownField {
  readonly place: number;
  readonly name: string;
  readonly shape: Shape;
}

/** What is asked of a shape for every object, found out once. */
interface KnownFields {
  readonly fields: ReadonlyMap<string, KnownField>;
  readonly zeros: readonly string[];
  /** What is below a key that is not a field of the struct. */
  readonly rest: Shape;
  readonly compare: (left: string, right: string) => number;
}

const anyShape: Shape = {};
const asMade: Shape = { asMade: true };
const knownFields = new WeakMap<Shape, KnownFields>();

function fieldsOf(shape: Shape): KnownFields {
  const known = knownFields.get(shape);
  if (known !== undefined) return known;
  const { properties = {}, additionalProperties, zeroFields = {}, asMade: made } = shape;
  const fields = Object.entries(properties).map(([key, own], place): [string, KnownField] => [
    key,
    { place, name: textOf(key), shape: own },
  ]);
  const below = typeof additionalProperties === 'object' ? additionalProperties : anyShape;
  const rest = made === true ? asMade : below;
  const byKey = new Map(fields);
  const found: KnownFields = { fields: byKey, zeros: Object.keys(zeroFields), rest, compare: comparison(byKey) };
  knownFields.set(shape, found);
  return found;
}

function comparison(fields: KnownFields['fields']): (left: string, right: string) => number {
  if (fields.size === 0) return compareText;
  const placeOf = (key: string): number => fields.get(key)?.place ?? fields.size;
  return (left, right) => placeOf(left) - placeOf(right) || compareText(left, right);
}

/**
 * Objects of JavaScript put keys such as "10" first, in numeric order: keys are ordered when they are written. Most are in order
 * already, because they were stored so, and looking costs less than sorting.
 */
function keysInOrder(object: object, shape: Shape, known: KnownFields): string[] {
  const keys = Object.keys(object);
  if (shape.asMade === true) return keys;
  if (shape.properties !== undefined) for (const key of known.zeros) if (!Object.hasOwn(object, key)) keys.push(key);
  const { compare } = known;
  for (let index = 1; index < keys.length; index += 1) {
    if (compare(keys[index - 1] ?? '', keys[index] ?? '') > 0) return keys.sort(compare);
  }
  return keys;
}

/** What JSON escapes, and what a browser could take for markup, which the server escapes as well. */
// oxlint-disable-next-line no-control-regex -- these are what it is about
const notPlain = /[^ !#-%'-;=?-[\]-~]/;
const unsafe = /[<>&\u2028\u2029]/g;

function textOf(value: string): string {
  if (!notPlain.test(value)) return `"${value}"`;
  return JSON.stringify(value).replace(
    unsafe,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** `line` is the line break before what ends this value; empty where all is one line. */
function write(value: unknown, shape: Shape, line: string): string {
  switch (typeof value) {
    case 'string':
      return textOf(value);
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? writeList(value, shape, line) : writeFields(value, shape, line);
    case 'number':
      return Number.isFinite(value) ? String(value) : 'null';
    case 'boolean':
    case 'bigint':
      return String(value);
    default:
      return 'null';
  }
}

const below = (line: string): string => (line === '' ? '' : `${line}  `);

function writeList(list: readonly unknown[], shape: Shape, line: string): string {
  const deeper = below(line);
  const ofItems = shape.asMade === true ? asMade : (shape.items ?? anyShape);
  let text = '';
  for (const item of list) text += `${text === '' ? '' : ','}${deeper}${write(item, ofItems, deeper)}`;
  return text === '' ? '[]' : `[${text}${line}]`;
}

function writeFields(object: object, shape: Shape, line: string): string {
  const deeper = below(line);
  const colon = line === '' ? ':' : ': ';
  const known = fieldsOf(shape);
  let text = '';
  for (const key of keysInOrder(object, shape, known)) {
    const own = (object as Readonly<Record<string, unknown>>)[key];
    const value = own === undefined && !Object.hasOwn(object, key) ? shape.zeroFields?.[key] : own;
    if (value === undefined) continue;
    const field = known.fields.get(key);
    const written = write(value, field?.shape ?? known.rest, deeper);
    text += `${text === '' ? '' : ','}${deeper}${field?.name ?? textOf(key)}${colon}${written}`;
  }
  return text === '' ? '{}' : `{${text}${line}}`;
}

/** JSON without a line break at its end. */
export function jsonText(value: unknown, shape: Shape = asMade, pretty = false): string {
  return write(value, shape, pretty ? '\n' : '');
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
