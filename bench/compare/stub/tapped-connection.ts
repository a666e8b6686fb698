import { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import {
  defaultWindow,
  type Frame,
  FrameReader,
  frameTypes,
  headerLength,
  incrementOf,
  initialWindowOf,
  maxFrame,
  windowUpdate,
  writeDataHeader,
} from './frames.ts';

/** How much is handed to the socket at once. */
const batch = 256 * 1024;
const preface = 24;

interface Injected {
  window: number;
  /** Not before the headers of its answer. */
  open: boolean;
  readonly queue: { readonly events: readonly Buffer[]; next: number }[];
}

/**
 * One HTTP/2 connection, spoken by Node, into which whole DATA frames are put between Node's own: one frame for each event, as
 * kube-apiserver writes them. Node itself would join waiting writes into frames of 16 KB, and take 10 µs for each.
 */
export class TappedConnection {
  /** What Node's server speaks to. */
  readonly inner: Duplex;
  readonly #socket: TLSSocket;
  readonly #incoming = new FrameReader(preface);
  readonly #outgoing = new FrameReader();
  readonly #streams = new Map<number, Injected>();
  #connectionWindow = defaultWindow;
  #streamWindow = defaultWindow;
  /** Sent past Node and not yet given back by the peer: what Node must not hear of. */
  #outstanding = 0;

  constructor(socket: TLSSocket) {
    this.#socket = socket;
    this.inner = new Duplex({
      read: () => void socket.resume(),
      write: (chunk: Buffer, _, done) => {
        this.#passOn(chunk);
        done();
      },
      final: (done) => socket.end(done),
    });
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('drain', () => this.#pump());
    socket.once('close', () => this.inner.destroy());
    socket.on('error', () => this.inner.destroy());
  }

  /** From its headers on, events of this stream are put in here. */
  take(stream: number): void {
    this.#streams.set(stream, { window: this.#streamWindow, open: false, queue: [] });
  }

  release(stream: number): void {
    this.#streams.delete(stream);
  }

  send(stream: number, events: readonly Buffer[]): void {
    this.#streams.get(stream)?.queue.push({ events, next: 0 });
    this.#pump();
  }

  #receive(chunk: Buffer): void {
    const { before, frames } = this.#incoming.read(chunk);
    if (before.length > 0) this.inner.push(before);
    for (const frame of frames) {
      const kept = this.#hear(frame);
      if (kept !== undefined) this.inner.push(kept);
    }
    this.#pump();
  }

  /** What Node gets to hear of a frame. */
  #hear(frame: Frame): Buffer | undefined {
    const { type, flags, stream, bytes } = frame;
    if (type === frameTypes.settings && flags === 0) this.#streamWindow = initialWindowOf(frame) ?? this.#streamWindow;
    if (type !== frameTypes.windowUpdate) return bytes;
    const increment = incrementOf(frame);
    const injected = this.#streams.get(stream);
    if (injected !== undefined) {
      injected.window += increment;
      return undefined;
    }
    if (stream !== 0) return bytes;
    this.#connectionWindow += increment;
    const own = Math.min(increment, this.#outstanding);
    this.#outstanding -= own;
    return own === increment ? undefined : windowUpdate(0, increment - own);
  }

  #passOn(chunk: Buffer): void {
    for (const { type, stream, bytes } of this.#outgoing.read(chunk).frames) {
      if (type === frameTypes.data) this.#connectionWindow -= bytes.length - headerLength;
      this.#socket.write(bytes);
      const injected = this.#streams.get(stream);
      if (type === frameTypes.headers && injected !== undefined) injected.open = true;
    }
    this.#pump();
  }

  #pump(): void {
    for (const [id, stream] of this.#streams) {
      while (stream.open && stream.queue.length > 0 && !this.#socket.writableNeedDrain && !this.#socket.destroyed) {
        if (!this.#sendBatch(id, stream)) break;
      }
    }
  }

  /** As many events as fit into the windows and one batch; false where none does. */
  #sendBatch(id: number, stream: Injected): boolean {
    const target = Buffer.allocUnsafe(batch + maxFrame + headerLength);
    let at = 0;
    for (let part = stream.queue[0]; part !== undefined && at < batch; part = stream.queue[0]) {
      const event = part.events[part.next];
      if (event === undefined) {
        stream.queue.shift();
        continue;
      }
      if (event.length > maxFrame) throw new Error(`an event of ${event.length} bytes does not fit into one frame`);
      if (event.length > stream.window || event.length > this.#connectionWindow) break;
      at = writeDataHeader(target, at, { length: event.length, stream: id });
      event.copy(target, at);
      at += event.length;
      part.next += 1;
      stream.window -= event.length;
      this.#connectionWindow -= event.length;
      this.#outstanding += event.length;
    }
    if (at > 0) this.#socket.write(target.subarray(0, at));
    return at > 0;
  }
}
