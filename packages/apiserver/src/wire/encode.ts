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

/** What is asked of a shape for every object, found out once. */
interface KnownFields {
  readonly places: ReadonlyMap<string, number>;
  readonly zeros: readonly string[];
}

const knownFields = new WeakMap<Shape, KnownFields>();

function fieldsOf(shape: Shape): KnownFields {
  const known = knownFields.get(shape);
  if (known !== undefined) return known;
  const places = new Map(Object.keys(shape.properties ?? {}).map((key, index) => [key, index]));
  const made: KnownFields = { places, zeros: Object.keys(shape.zeroFields ?? {}) };
  knownFields.set(shape, made);
  return made;
}

/** Objects of JavaScript put keys such as "10" first, in numeric order: keys are ordered when they are written. */
function keysInOrder(object: object, shape: Shape): string[] {
  const keys = Object.keys(object);
  if (shape.asMade === true) return keys;
  if (shape.properties === undefined) return keys.length > 1 ? keys.sort(compareText) : keys;
  const { places, zeros } = fieldsOf(shape);
  for (const key of zeros) if (!Object.hasOwn(object, key)) keys.push(key);
  const placeOf = (key: string): number => places.get(key) ?? places.size;
  return keys.sort((x, y) => placeOf(x) - placeOf(y) || compareText(x, y));
}

const anyShape: Shape = {};
const asMade: Shape = { asMade: true };

function shapeBelow({ properties, additionalProperties, asMade: made }: Shape, key: string): Shape {
  if (made === true) return asMade;
  const own = properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined;
  return own ?? (typeof additionalProperties === 'object' ? additionalProperties : anyShape);
}

function scalarText(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  return (JSON.stringify(value) as string | undefined) ?? 'null';
}

/** `line` is the line break before what ends this value; empty where all is one line. */
function write(value: unknown, shape: Shape, line: string): string {
  if (typeof value !== 'object' || value === null) return scalarText(value);
  return Array.isArray(value) ? writeList(value, shape, line) : writeFields(value, shape, line);
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
  let text = '';
  for (const key of keysInOrder(object, shape)) {
    const own = (object as Readonly<Record<string, unknown>>)[key];
    const field = Object.hasOwn(object, key) ? own : shape.zeroFields?.[key];
    if (field === undefined) continue;
    text += `${text === '' ? '' : ','}${deeper}${JSON.stringify(key)}${colon}`;
    text += write(field, shapeBelow(shape, key), deeper);
  }
  return text === '' ? '{}' : `{${text}${line}}`;
}

const unsafe = /[<>&\u2028\u2029]/g;

/** What a browser could take for markup is escaped, wherever it stands: outside of texts there is none. */
function escaped(json: string): string {
  return json.replace(unsafe, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** JSON without a line break at its end. */
export function jsonText(value: unknown, shape: Shape = asMade, pretty = false): string {
  return escaped(write(value, shape, pretty ? '\n' : ''));
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
