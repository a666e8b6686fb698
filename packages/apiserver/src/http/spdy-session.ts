// A SPDY connection whose streams the client opens, over whatever carries its bytes.
import { ByteChannel } from './byte-channel.ts';
import { dataFrame, refusalFrame, replyFrame, SpdyError, type SpdyFrame, SpdyReader } from './spdy-frames.ts';
import { HeaderReader, HeaderWriter, type SpdyHeaders } from './spdy-headers.ts';

/** What carries a session. */
export interface ByteCarrier {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Resolves when more is taken, or nobody is there any more. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
}

export interface SpdyStream {
  readonly headers: SpdyHeaders;
  /** Ends when the client closes its side, or is gone. */
  readonly received: ByteChannel;
  readonly send: (bytes: Uint8Array) => Promise<void>;
  /** Ends what is sent; the client may continue. */
  readonly end: () => Promise<void>;
}

/** What a client may have open: kubectl opens two for each connection to a port. */
const mostStreams = 2000;
const piece = 32 * 1024;

export class SpdySession {
  readonly #carrier: ByteCarrier;
  readonly #accept: (stream: SpdyStream) => void;
  readonly #reader = new HeaderReader();
  readonly #writer = new HeaderWriter();
  /** What is still received, by the number of the stream. */
  readonly #open = new Map<number, ByteChannel>();

  constructor(carrier: ByteCarrier, accept: (stream: SpdyStream) => void) {
    this.#carrier = carrier;
    this.#accept = accept;
  }

  /** Until the client goes; whoever breaks the protocol is cut off by a SpdyError. */
  async run(): Promise<void> {
    const frames = new SpdyReader();
    try {
      for await (const chunk of this.#carrier.chunks) {
        for (const frame of frames.push(chunk)) if ((await this.#taken(frame)) === 'over') return;
      }
    } finally {
      for (const channel of this.#open.values()) channel.close();
      this.#reader.close();
      this.#writer.close();
    }
  }

  async #taken(frame: SpdyFrame): Promise<'over' | undefined> {
    switch (frame.type) {
      case 'open':
        await this.#opened(frame);
        return undefined;
      case 'data':
        // Nobody waits for what comes to a stream that is closed.
        if (frame.data.byteLength > 0) await this.#open.get(frame.stream)?.push(frame.data);
        if (frame.fin) this.#closed(frame.stream);
        return undefined;
      case 'reset':
        this.#closed(frame.stream);
        return undefined;
      case 'ping':
        await this.#carrier.write(frame.whole);
        return undefined;
      case 'away':
        return 'over';
      case 'other':
        return undefined;
    }
  }

  #closed(stream: number): void {
    this.#open.get(stream)?.close();
    this.#open.delete(stream);
  }

  async #opened({ stream, headers: block, fin }: SpdyFrame & { readonly type: 'open' }): Promise<void> {
    const headers = await this.#reader.read(block);
    if (stream % 2 === 0 || this.#open.has(stream)) throw new SpdyError(`stream ${stream} is not the client's to open`);
    if (this.#open.size >= mostStreams) return this.#carrier.write(refusalFrame(stream));
    const received = new ByteChannel();
    if (fin) received.close();
    else this.#open.set(stream, received);
    await this.#carrier.write(replyFrame(stream, await this.#writer.write(new Map())));
    const send = async (bytes: Uint8Array): Promise<void> => {
      for (let at = 0; at < bytes.byteLength; at += piece)
        await this.#carrier.write(dataFrame(stream, bytes.subarray(at, at + piece)));
    };
    this.#accept({
      headers,
      received,
      send,
      end: () => this.#carrier.write(dataFrame(stream, new Uint8Array(), true)),
    });
  }
}
