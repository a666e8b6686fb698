// Frames of SPDY/3.1, as far as Kubernetes' clients use them: streams with headers, data, pings.
import { Buffer } from 'node:buffer';

const types = { open: 1, reply: 2, reset: 3, ping: 6, goAway: 7 } as const;
const version = 3;
const finFlag = 1;

/** What a frame may hold: clients cut their streams into pieces of 32 KiB. */
const maxFrame = 1024 * 1024;

/** The client broke the protocol. */
export class SpdyError extends Error {
  override readonly name = 'SpdyError';
}

export type SpdyFrame =
  | { readonly type: 'open'; readonly stream: number; readonly fin: boolean; readonly headers: Buffer }
  | { readonly type: 'data'; readonly stream: number; readonly fin: boolean; readonly data: Buffer }
  | { readonly type: 'reset'; readonly stream: number }
  | { readonly type: 'ping'; readonly whole: Buffer }
  | { readonly type: 'away' }
  | { readonly type: 'other' };

const headSize = 8;

function idIn(body: Buffer, least: number): number {
  if (body.byteLength < least) throw new SpdyError('a control frame is too short');
  return body.readUInt32BE(0) & 0x7fffffff;
}

function controlFrame(whole: Buffer): SpdyFrame {
  const [type, flags, body] = [whole.readUInt16BE(2), whole.readUInt8(4), whole.subarray(headSize)];
  if ((whole.readUInt16BE(0) & 0x7fff) !== version) throw new SpdyError('only version 3 is spoken here');
  switch (type) {
    case types.open:
      // Behind the identifier: the associated stream, a priority and a slot.
      return { type: 'open', stream: idIn(body, 10), fin: (flags & finFlag) !== 0, headers: body.subarray(10) };
    case types.reset:
      return { type: 'reset', stream: idIn(body, 8) };
    case types.ping:
      return { type: 'ping', whole };
    case types.goAway:
      return { type: 'away' };
    default:
      return { type: 'other' };
  }
}

function frameIn(whole: Buffer): SpdyFrame {
  if ((whole.readUInt8(0) & 0x80) !== 0) return controlFrame(whole);
  const fin = (whole.readUInt8(4) & finFlag) !== 0;
  return { type: 'data', stream: whole.readUInt32BE(0), fin, data: whole.subarray(headSize) };
}

/** Cuts what a connection brings into frames. */
export class SpdyReader {
  /** What does not make a whole frame yet: never longer than one. */
  #rest: Buffer = Buffer.alloc(0);

  *push(chunk: Uint8Array): Generator<SpdyFrame> {
    this.#rest = this.#rest.byteLength === 0 ? Buffer.from(chunk) : Buffer.concat([this.#rest, chunk]);
    while (this.#rest.byteLength >= headSize) {
      const length = this.#rest.readUIntBE(5, 3);
      if (length > maxFrame) throw new SpdyError(`a frame holds at most ${maxFrame} bytes`);
      const ends = headSize + length;
      if (this.#rest.byteLength < ends) return;
      const whole = this.#rest.subarray(0, ends);
      this.#rest = this.#rest.subarray(ends);
      yield frameIn(whole);
    }
  }
}

function control(type: number, body: Uint8Array): Buffer {
  const head = Buffer.alloc(headSize);
  head.writeUInt16BE(0x8000 | version, 0);
  head.writeUInt16BE(type, 2);
  head.writeUIntBE(body.byteLength, 5, 3);
  return Buffer.concat([head, body]);
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32BE(value, index * 4));
  return bytes;
}

/** Takes a stream that the client has opened; `headers` as `HeaderWriter` makes them. */
export const replyFrame = (stream: number, headers: Uint8Array): Buffer =>
  control(types.reply, Buffer.concat([numbers(stream), headers]));

const refused = 3;
export const refusalFrame = (stream: number): Buffer => control(types.reset, numbers(stream, refused));

export function dataFrame(stream: number, data: Uint8Array, fin = false): Buffer {
  const head = Buffer.alloc(headSize);
  head.writeUInt32BE(stream, 0);
  head.writeUInt8(fin ? finFlag : 0, 4);
  head.writeUIntBE(data.byteLength, 5, 3);
  return Buffer.concat([head, data]);
}
