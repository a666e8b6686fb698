// One WebSocket connection over a socket that HTTP has let go.
import type { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import {
  closeCodes,
  closeFrame,
  type Frame,
  FrameError,
  frameOf,
  FrameReader,
  MessageReader,
  opcodes,
} from './web-socket-frames.ts';

const magic = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

// How long a client may take to close its side.
const farewellMs = 5000;

/** What a server shows to prove that it has read the key. */
export const acceptOf = (key: string): string => createHash('sha1').update(`${key}${magic}`).digest('base64');

/** Whether a request asks to go on in a protocol; Go's clients write the words in any case. */
export function asksFor(protocol: 'websocket' | 'spdy/3.1', headers: Readonly<Record<string, string>>): boolean {
  const tokens = (headers['connection'] ?? '').toLowerCase().split(',');
  return (headers['upgrade'] ?? '').toLowerCase() === protocol && tokens.some((token) => token.trim() === 'upgrade');
}

/** The first of the client's protocols that is served here. */
export function chosenProtocol(
  headers: Readonly<Record<string, string>>,
  served: readonly string[],
): string | undefined {
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  return offered.find((name) => served.includes(name));
}

/** Resolves when the socket takes more, or is gone. */
export function writeTo(socket: Socket, bytes: Uint8Array): Promise<void> {
  if (socket.destroyed || socket.writableEnded) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off('close', done);
      resolve();
    };
    socket.once('close', done);
    socket.write(bytes, done);
  });
}

export class WebSocketConnection {
  readonly #socket: Socket;
  #closing = false;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Messages until the client closes or is gone; a client that breaks the protocol gets a close frame that says so, and is cut off. */
  async *messages(): AsyncGenerator<Buffer> {
    const frames = new FrameReader();
    const messages = new MessageReader();
    try {
      for await (const chunk of this.#socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        for (const frame of frames.push(chunk)) {
          const message = await this.#taken(frame, messages);
          if (message === 'closed') return;
          if (message !== undefined) yield message;
        }
      }
    } catch (error) {
      if (error instanceof FrameError) await this.close(error.code, error.message);
      // Else the socket broke: the client is gone, which ends its messages.
    } finally {
      // What still comes is read by nobody, and the end of the socket is behind it.
      this.#socket.resume();
    }
  }

  async #taken(frame: Frame, messages: MessageReader): Promise<Buffer | 'closed' | undefined> {
    switch (frame.opcode) {
      case opcodes.ping:
        await writeTo(this.#socket, frameOf(opcodes.pong, frame.payload));
        return undefined;
      case opcodes.pong:
        return undefined;
      case opcodes.close:
        await this.close(closeCodes.normal);
        return 'closed';
      default:
        return messages.add(frame);
    }
  }

  send(message: Uint8Array): Promise<void> {
    return this.#closing ? Promise.resolve() : writeTo(this.#socket, frameOf(opcodes.binary, message));
  }

  async close(code: number, reason?: string): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    await writeTo(this.#socket, closeFrame(code, reason));
    this.#socket.setTimeout(farewellMs, () => this.#socket.destroy());
    this.#socket.end();
  }
}
