import {
  asMade,
  fieldIn,
  fieldsOf,
  isInOrder,
  keysInOrder,
  type KnownFields,
  ordered,
  type Shape,
} from '../values/index.ts';

/** What JSON escapes, and what a browser could take for markup, which the server escapes as well. */
// oxlint-disable-next-line no-control-regex -- these are what it is about
const notPlain = /[^ !#-%'-;=?-[\]-~]/;
const anyUnsafe = /[<>&\u2028\u2029]/;
const unsafe = /[<>&\u2028\u2029]/g;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

function textOf(value: string): string {
  return notPlain.test(value) ? JSON.stringify(value).replace(unsafe, escaped) : `"${value}"`;
}

/** `line` is the line break before what ends this value; empty where all is one line. */
function write(value: unknown, known: KnownFields, line: string): string {
  switch (typeof value) {
    case 'string':
      return textOf(value);
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? writeList(value, known, line) : writeFields(value, known, line);
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

function writeList(list: readonly unknown[], known: KnownFields, line: string): string {
  const deeper = below(line);
  let text = '';
  for (const item of list) text += `${text === '' ? '' : ','}${deeper}${write(item, known.items, deeper)}`;
  return text === '' ? '[]' : `[${text}${line}]`;
}

function writeFields(object: object, known: KnownFields, line: string): string {
  const deeper = below(line);
  const colon = line === '' ? ':' : ': ';
  let text = '';
  for (const key of keysInOrder(object, known)) {
    const value = fieldIn(object, key, known);
    if (value === undefined) continue;
    const written = write(value, known.below(key), deeper);
    text += `${text === '' ? '' : ','}${deeper}${textOf(key)}${colon}${written}`;
  }
  return text === '' ? '{}' : `{${text}${line}}`;
}

/** As JavaScript writes it, which is several times as quick, with what the server escapes beyond that: only texts can hold it. */
function plainText(value: unknown): string {
  const text = JSON.stringify(value);
  return anyUnsafe.test(text) ? text.replace(unsafe, escaped) : text;
}

/** JSON without a line break at its end. */
export function jsonText(value: unknown, shape: Shape = asMade, pretty = false): string {
  if (pretty || typeof value !== 'object') return write(value, fieldsOf(shape), pretty ? '\n' : '');
  if (isInOrder(value, shape)) return plainText(value);
  const sorted = ordered(value, shape);
  // Keys such as "10" and long integers only we can write.
  return isInOrder(sorted, shape) ? plainText(sorted) : write(value, fieldsOf(shape), '');
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
