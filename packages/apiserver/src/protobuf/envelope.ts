import { Buffer } from 'node:buffer';
import { ByteSink } from './byte-sink.ts';
import { ProtobufProblem } from './byte-source.ts';
import { decodeMessage } from './decode.ts';
import { encodeMessage, writeInto } from './encode.ts';
import { type Message, Messages } from './message.ts';

const magic = Buffer.from('k8s\0', 'latin1');

/** What stands around an object: its type, its bytes, and two texts nobody uses. */
const envelopes = new Messages({
  runtime: {
    Unknown: 'typeMeta=1!TypeMeta raw=2?y contentEncoding=3!s contentType=4!s',
    TypeMeta: 'apiVersion=1!s:APIVersion kind=2!s',
  },
});
const unknown = envelopes.get('runtime.Unknown');
const typeMeta = envelopes.get('runtime.TypeMeta');

export interface Envelope {
  /** Empty where it does not say. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Uint8Array;
}

/** What a body is a message of; throws a `ProtobufProblem` where it is none. */
export function openEnvelope(body: Uint8Array): Envelope {
  if (body.length === 0) throw new ProtobufProblem('empty data');
  if (!Buffer.from(body.subarray(0, magic.length)).equals(magic)) {
    throw new ProtobufProblem(
      `provided data does not appear to be a protobuf message, expected prefix [${magic.join(' ')}]`,
    );
  }
  if (body.length === magic.length) throw new ProtobufProblem('empty body');
  const { typeMeta: type = {}, raw = '' } = decodeMessage(unknown, body.subarray(magic.length));
  const { apiVersion = '', kind = '' } = type as { apiVersion?: string; kind?: string };
  return { apiVersion, kind, raw: Buffer.from(raw as string, 'base64') };
}

const sink = new ByteSink();

/** Both texts of the envelope, empty. */
const emptyTexts = Uint8Array.of(0x1a, 0, 0x22, 0);

/** An object in its envelope. */
export function encodeEnvelope(message: Message, object: Readonly<Record<string, unknown>>): Buffer {
  sink.bytes(emptyTexts);
  const before = sink.size;
  writeInto(sink, message, object);
  sink.varint(sink.size - before);
  sink.byte(0x12);
  const type = encodeMessage(typeMeta, { apiVersion: object['apiVersion'], kind: object['kind'] });
  sink.bytes(type);
  sink.varint(type.length);
  sink.byte(0x0a);
  sink.bytes(magic);
  return sink.take();
}

/** One event of a watch: its length in four bytes, its type, and the object in its own envelope. */
export function watchFrame(type: string, envelope: Uint8Array): Buffer {
  sink.bytes(envelope);
  sink.varint(envelope.length);
  sink.byte(0x0a);
  const inner = sink.size;
  sink.varint(inner);
  sink.byte(0x12);
  sink.text(type);
  sink.byte(0x0a);
  const frame = sink.take();
  const length = Buffer.alloc(4);
  length.writeUInt32BE(frame.length);
  return Buffer.concat([length, frame]);
}
