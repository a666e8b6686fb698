import { parseJson, setField } from '../values/index.ts';
import { ByteSource, ProtobufProblem } from './byte-source.ts';
import type { Field, Message } from './message.ts';

type Fields = Record<string, unknown>;

/** A tenth of what JSON may have on the real server, which has no bound here: its stack grows, that of JavaScript ends. */
const maxDepth = 1000;

interface Reading {
  readonly source: ByteSource;
  readonly end: number;
  readonly depth: number;
}

/** The number and the wire type of the next field; refuses what can be neither. */
function tagOf({ source, end }: Reading, message: Message): { number: number; wireType: number } {
  const wire = source.varint(end);
  const number = typeof wire === 'number' ? wire >>> 3 : Number(BigInt.asIntN(32, wire >> 3n));
  const wireType = typeof wire === 'number' ? wire & 7 : Number(wire & 7n);
  if (wireType === 4) throw new ProtobufProblem(`proto: ${message.goName}: wiretype end group for non-group`);
  if (number <= 0) {
    throw new ProtobufProblem(`proto: ${message.goName}: illegal tag ${number} (wire type ${wire})`);
  }
  return { number, wireType };
}

/** Reads the fields of a message into an object; what a field says twice is laid over what it said before. */
function readFields(reading: Reading, message: Message, into: Fields): void {
  const { source, end, depth } = reading;
  if (depth > maxDepth) {
    throw new ProtobufProblem(`exceeded max depth: the embedded API server reads ${maxDepth} messages in each other`);
  }
  const { byNumber } = message;
  while (source.at < end) {
    const start = source.at;
    const { number, wireType } = tagOf(reading, message);
    const field = byNumber[number];
    if (field === undefined) {
      source.at = start;
      source.skip(end);
    } else readField(reading, field, { wireType, into });
  }
}

const isVarint = ({ type }: Field): boolean => type === 'i' || type === 'l' || type === 'b';

function readField(reading: Reading, field: Field, { wireType, into }: { wireType: number; into: Fields }): void {
  if (field.form === '*' && wireType === 2 && isVarint(field)) return readPacked(reading, field, into);
  if (wireType !== (field.tag & 7)) {
    throw new ProtobufProblem(`proto: wrong wireType = ${wireType} for field ${field.goName}`);
  }
  switch (field.form) {
    case '%':
      return readEntry(reading, field, into);
    case '*': {
      const list = (into[field.name] ??= []) as unknown[];
      list.push(readValue(reading, field, undefined) ?? field.message?.own?.zero ?? {});
      return;
    }
    case '?': {
      const value = readValue(reading, field, into[field.name]) ?? field.message?.own?.zero;
      if (value !== undefined && value !== null) into[field.name] = value;
      return;
    }
    case '!':
      return readAlways(reading, field, into);
  }
}

/** A field that is always written: its zero value is left out. */
function readAlways(reading: Reading, field: Field, into: Fields): void {
  if (field.name === '') {
    const end = reading.source.end(reading.end);
    return readFields({ source: reading.source, end, depth: reading.depth + 1 }, field.message as Message, into);
  }
  const value = readValue(reading, field, into[field.name]);
  if (isZero(value)) delete into[field.name];
  else into[field.name] = value;
}

function isZero(value: unknown): boolean {
  if (value === undefined || value === 0 || value === '' || value === false) return true;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  for (const _ in value) return false;
  return true;
}

function readPacked({ source, end, depth }: Reading, field: Field, into: Fields): void {
  const list = (into[field.name] ??= []) as unknown[];
  const last = source.end(end);
  while (source.at < last) list.push(readValue({ source, end, depth }, field, undefined));
}

/** One value; of a message, laid over what was read of it before. */
function readValue(reading: Reading, { type, message }: Field, before: unknown): unknown {
  const { source, end } = reading;
  switch (type) {
    case 's':
      return source.text(end);
    case 'l':
      return source.long(end);
    case 'i':
      return source.int(end);
    case 'b':
      return source.varint(end) != 0;
    case 'd':
      return source.double(end);
    case 'y':
      return source.bytes(end).toString('base64');
    case 'j':
      return readJson(source.bytes(end).toString('utf8'));
    case 'm':
      return readNested(reading, message as Message, before);
  }
}

function readJson(text: string): unknown {
  if (text === '') return undefined;
  try {
    return parseJson(text);
  } catch (error) {
    throw new ProtobufProblem(`a message holds what is not JSON: ${(error as Error).message}`, { cause: error });
  }
}

function readNested({ source, end: limit, depth }: Reading, message: Message, before: unknown): unknown {
  const end = source.end(limit);
  const { own } = message;
  const empty = end === source.at;
  const object = own === undefined && typeof before === 'object' && before !== null ? (before as Fields) : {};
  readFields({ source, end, depth: depth + 1 }, message, object);
  if (own === undefined) return object;
  return empty && own.emptyIsZero ? undefined : own.fromFields(object);
}

const zeros: Readonly<Record<Field['type'], unknown>> = { s: '', i: 0, l: 0, b: false, y: '', d: 0, j: null, m: {} };

/** An entry of a map: its key and its value are looked for up to the end of the whole, as the server does. */
function readEntry({ source, end, depth }: Reading, field: Field, into: Fields): void {
  const map = (into[field.name] ??= {}) as Fields;
  const last = source.end(end);
  let key = '';
  let value: unknown = field.message?.own === undefined ? zeros[field.type] : field.message.own.zero;
  if (field.type === 'm' && field.message?.own === undefined) value = {};
  while (source.at < last) {
    const start = source.at;
    const wire = source.varint(end);
    const number = typeof wire === 'number' ? wire >>> 3 : Number(BigInt.asIntN(32, wire >> 3n));
    if (number === 1) key = source.text(end);
    else if (number === 2) value = readValue({ source, end, depth }, field, undefined) ?? field.message?.own?.zero;
    else {
      source.at = start;
      source.skip(last);
    }
  }
  source.at = last;
  setField(map, key, value);
}

/** The object in the bytes of a message; throws a `ProtobufProblem` about bytes that are none. */
export function decodeMessage(message: Message, bytes: Uint8Array): Record<string, unknown> {
  const source = new ByteSource(bytes);
  const object: Fields = {};
  readFields({ source, end: source.length, depth: 0 }, message, object);
  return object;
}
