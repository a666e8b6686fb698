import type { Buffer } from 'node:buffer';
import type { JsonObject } from 'kilter/api';
import { encodeEnvelope, messageOf, watchFrame } from '../protobuf/index.ts';
import { notAcceptable } from '../status/index.ts';
import { objectTypes, unsupportedFormText } from '../wire/index.ts';

/** An object as protobuf in its envelope; refuses what is not a message. */
export function protobufOf(object: JsonObject): Buffer {
  const [apiVersion, kind] = [object['apiVersion'] ?? '', object['kind'] ?? ''] as [string, string];
  const message = messageOf(apiVersion, kind);
  if (message === undefined) throw notAcceptable(unsupportedFormText(objectTypes));
  return encodeEnvelope(message, object);
}

/** One event of a watch, framed. */
export function protobufFrame(type: string, object: JsonObject): Buffer {
  return watchFrame(type, protobufOf(object));
}
