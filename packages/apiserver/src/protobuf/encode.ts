import { Buffer } from 'node:buffer';
import { compareText } from '../values/index.ts';
import { ByteSink } from './byte-sink.ts';
import type { Field, Message } from './message.ts';
import { rawJson } from './raw-json.ts';

type Fields = Readonly<Record<string, unknown>>;

const nothing: Fields = {};

/** What a message without any field set is written as: most messages inside others are that. */
const zeroBytes = new WeakMap<Message, Uint8Array>();

function writeZero(sink: ByteSink, message: Message): void {
  const known = zeroBytes.get(message);
  if (known !== undefined) return sink.bytes(known);
  const own = new ByteSink();
  writeMessage(own, message, undefined);
  const bytes = own.take();
  zeroBytes.set(message, bytes);
  sink.bytes(bytes);
}

/** The fields of a value, from the last to the first. */
function writeMessage(sink: ByteSink, message: Message, value: unknown): void {
  const { own } = message;
  const given = own === undefined ? value : own.toFields(value);
  if (own !== undefined && given === undefined) return;
  const object = typeof given === 'object' && given !== null ? (given as Fields) : nothing;
  const { fields } = message;
  for (let at = fields.length - 1; at >= 0; at -= 1) {
    const field = fields[at] as Field;
    if (field.name === '') writeElement(sink, field, object);
    else writeField(sink, field, object[field.name]);
  }
}

function writeField(sink: ByteSink, field: Field, value: unknown): void {
  switch (field.form) {
    case '!':
      return writeElement(sink, field, value ?? undefined);
    case '?':
      if (value !== undefined && value !== null) writeElement(sink, field, value);
      return;
    case '*':
      if (Array.isArray(value))
        for (let at = value.length - 1; at >= 0; at -= 1) writeElement(sink, field, value[at] ?? undefined);
      return;
    case '%':
      if (typeof value === 'object' && value !== null) writeMap(sink, field, value as Fields);
  }
}

function writeMap(sink: ByteSink, field: Field, map: Fields): void {
  const keys = Object.keys(map);
  if (keys.length > 1) keys.sort(compareText);
  for (let at = keys.length - 1; at >= 0; at -= 1) {
    const key = keys[at] as string;
    const before = sink.size;
    writeValue(sink, field, map[key] ?? undefined);
    // A value without bytes is left out; all else is written.
    if (field.type !== 'y' || typeof map[key] === 'string') sink.byte(0x12);
    sink.text(key);
    sink.byte(0x0a);
    sink.varint(sink.size - before);
    sink.varint(field.tag);
  }
}

function writeElement(sink: ByteSink, field: Field, value: unknown): void {
  writeValue(sink, field, value);
  if (field.tag < 0x80) sink.byte(field.tag);
  else sink.varint(field.tag);
}

/** One value without its tag; undefined is the zero value. */
function writeValue(sink: ByteSink, { type, message }: Field, value: unknown): void {
  switch (type) {
    case 's':
      return sink.text(typeof value === 'string' ? value : '');
    case 'i':
    case 'l':
      return sink.integer(value ?? 0);
    case 'b':
      return sink.byte(value === true ? 1 : 0);
    case 'd':
      return sink.double(Number(value ?? 0));
    case 'y':
      return writeBytes(sink, typeof value === 'string' ? Buffer.from(value, 'base64') : undefined);
    case 'j':
      return sink.text(rawJson(value));
    case 'm':
      return writeNested(sink, message as Message, value);
  }
}

function writeBytes(sink: ByteSink, value: Uint8Array | undefined): void {
  if (value === undefined) return;
  sink.bytes(value);
  sink.varint(value.length);
}

function writeNested(sink: ByteSink, message: Message, value: unknown): void {
  const before = sink.size;
  if (value === undefined) writeZero(sink, message);
  else writeMessage(sink, message, value);
  sink.varint(sink.size - before);
}

/** Kept between calls, which never overlap. */
const shared = new ByteSink();

/** Writes the fields of a value into a sink, in front of what it holds. */
export const writeInto: (sink: ByteSink, message: Message, value: unknown) => void = writeMessage;

/** A value as the bytes of a message. */
export function encodeMessage(message: Message, value: unknown): Buffer {
  writeMessage(shared, message, value);
  return shared.take();
}
