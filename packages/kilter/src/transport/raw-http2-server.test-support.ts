// Test support: an HTTP/2 server that speaks in frames and follows a script, for what a correct server never sends.
import type { Socket } from 'node:net';
import { createServer, type Server } from 'node:tls';

/** What is done with each stream in turn; the last one again and again. */
export type RawAction =
  | 'answer'
  /** RST_STREAM with a code, before the answer. */
  | { readonly reset: number }
  /** Half an answer, then RST_STREAM with a code. */
  | { readonly resetInBody: number }
  /** Half an answer, then the connection ends in good order. */
  | 'close in body'
  /** GOAWAY that names the stream before this one as the last, with a code. */
  | { readonly goaway: number }
  /** GOAWAY as a server that restarts: everything so far is taken; the answer follows. */
  | 'leave'
  | 'silence';

export interface RawServerHooks {
  readonly script: readonly RawAction[];
  /** A stream arrived, or a request over HTTP/1.1. */
  arrived(socket: Socket, protocol: string): void;
}

const types = { data: 0, headers: 1, reset: 3, settings: 4, ping: 6, goaway: 7 } as const;
const endStream = 1;
const endHeaders = 4;
const ack = 1;
const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'.length;
// `:status: 200` in HPACK's static table.
const status200 = Buffer.of(0x88);

interface Frame {
  readonly type: number;
  readonly flags?: number;
  readonly stream?: number;
  readonly payload?: Buffer;
}

function encode({ type, flags = 0, stream = 0, payload = Buffer.alloc(0) }: Frame): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

function words(...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => buffer.writeUInt32BE(value, index * 4));
  return buffer;
}

function reactions(stream: number, action: RawAction): Frame[] {
  const headers: Frame = { type: types.headers, flags: endHeaders, stream, payload: status200 };
  const data = (text: string, flags: number): Frame => ({
    type: types.data,
    flags,
    stream,
    payload: Buffer.from(text),
  });
  const answer = [headers, data('{"raw":true}', endStream)];
  if (action === 'answer') return answer;
  if (action === 'silence') return [];
  if (action === 'leave') return [{ type: types.goaway, payload: words(stream, 0) }, ...answer];
  if (action === 'close in body') return [headers, data('{"half":', 0)];
  if ('goaway' in action) return [{ type: types.goaway, payload: words(Math.max(0, stream - 2), action.goaway) }];
  if ('reset' in action) return [{ type: types.reset, stream, payload: words(action.reset) }];
  return [headers, data('{"half":', 0), { type: types.reset, stream, payload: words(action.resetInBody) }];
}

/** Cuts what arrives into frames. */
function frames(take: (frame: Required<Frame>) => void): (chunk: Buffer) => void {
  let held = Buffer.alloc(0);
  let skip = preface;
  return (chunk) => {
    held = Buffer.concat([held, chunk]);
    if (held.length < skip) return;
    held = held.subarray(skip);
    skip = 0;
    while (held.length >= 9 && held.length >= 9 + held.readUIntBE(0, 3)) {
      const length = held.readUIntBE(0, 3);
      const [type, flags, stream] = [held.readUInt8(3), held.readUInt8(4), held.readUInt32BE(5)];
      const payload = held.subarray(9, 9 + length);
      held = held.subarray(9 + length);
      take({ type, flags, stream, payload });
    }
  };
}

export function rawServer(tls: { cert: string; key: string }, hooks: RawServerHooks): Server {
  let streams = 0;
  const next = (): RawAction => {
    streams += 1;
    return hooks.script[Math.min(streams, hooks.script.length) - 1] ?? 'answer';
  };
  return createServer({ ...tls, ALPNProtocols: ['h2', 'http/1.1'] }, (socket) => {
    socket.on('error', () => undefined);
    if (socket.alpnProtocol !== 'h2') {
      socket.once('data', () => {
        hooks.arrived(socket, 'http/1.1');
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 12\r\n\r\n{"raw":true}');
      });
      return;
    }
    const send = (frame: Frame): void => void socket.write(encode(frame));
    send({ type: types.settings });
    const take = frames(({ type, flags, stream, payload }) => {
      if (type === types.settings && flags !== ack) send({ type, flags: ack });
      if (type === types.ping && flags !== ack) send({ type, flags: ack, payload: Buffer.from(payload) });
      if (type !== types.headers) return;
      hooks.arrived(socket, 'h2');
      const action = next();
      for (const frame of reactions(stream, action)) send(frame);
      if (action === 'close in body') socket.end();
    });
    socket.on('data', take);
  });
}
