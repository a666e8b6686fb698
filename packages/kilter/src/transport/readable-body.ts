import type { Readable } from 'node:stream';
import { afterTurn } from '../internal/index.ts';

export interface ReadableBodyOptions {
  /** Told of every chunk that comes. */
  arrived?(): void;
  /** At the end of the stream: the error that says it is not the end of the answer. */
  incomplete(): unknown;
  /** The error of a stream that broke. */
  broken(cause: unknown): unknown;
  /** Ends the stream from this side. */
  cancel(): void;
}

/** Bytes held for a reader that is slower than its peer; beyond it the socket is left unread and the peer waits. */
const most = 256 * 1024;
/** Bytes handed out at once: more would be worked on without a pause. */
const mostAtOnce = 64 * 1024;
const lineBreak = 0x0a;
const over = { done: true, value: undefined } as const;

interface Waiter {
  readonly resolve: (result: IteratorResult<Uint8Array, undefined>) => void;
  readonly reject: (error: unknown) => void;
}

interface Collecting {
  readonly limit: number;
  readonly tooLarge: () => unknown;
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The bytes of an answer as they come. Its own iterator, because a stream's does not tell an end of the answer from an
 * end of the connection, and because leaving it while a chunk is awaited must not wait.
 */
export class ReadableBody implements AsyncIterableIterator<Uint8Array, undefined, undefined> {
  readonly #readable: Readable;
  readonly #options: ReadableBodyOptions;
  /** Arrived and not handed out: those from `#next` on; `#held` bytes together. */
  #chunks: Uint8Array[] = [];
  #next = 0;
  #held = 0;
  /** Set once; what was read before it is still handed out. */
  #end: { readonly error: unknown } | undefined;
  #waiter: Waiter | undefined;
  /** Set while the waiter is to be woken at the end of this turn: calls that off. */
  #waking: (() => void) | undefined;
  /** Set while somebody waits for all of it: `#chunks` is then the beginning, never handed out in parts nor paused. */
  #collecting: Collecting | undefined;
  /** The last byte that arrived ended a line, or nothing has arrived. */
  #betweenLines = true;
  /** The stream is to end at the next end of a line. */
  #retired = false;

  constructor(readable: Readable, options: ReadableBodyOptions) {
    this.#readable = readable;
    this.#options = options;
    readable.on('data', (chunk: Uint8Array) => {
      options.arrived?.();
      this.#take(chunk);
    });
    readable.once('end', () => this.#finish(options.incomplete()));
    readable.on('error', (cause) => this.#finish(options.broken(cause)));
    // Last: an end or an error has said more before it.
    readable.once('close', () => {
      // Every stream closes. The error is made only where it is one: with its stacks it costs 25 µs.
      if (this.#end === undefined) this.#finish(options.broken(new Error('closed before its end')));
    });
  }

  /**
   * All bytes in one piece, for whoever has read none of them: one promise for the answer and not several for each of its
   * chunks. Fails with `tooLarge` as soon as there are more than `limit`.
   */
  whole(limit: number, tooLarge: () => unknown): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      this.#collecting = { limit, tooLarge, resolve, reject };
      this.#held = 0;
      for (const chunk of this.#chunks) this.#measure(chunk);
      if (this.#readable.isPaused()) this.#readable.resume();
      if (this.#end !== undefined) this.#deliver(this.#end.error);
    });
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (this.#held > 0) return Promise.resolve({ done: false, value: this.#handOut() });
    if (this.#end !== undefined) return this.#ended(this.#end.error);
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject };
    });
  }

  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#chunks = [];
    this.#next = 0;
    this.#held = 0;
    this.#finish(undefined);
    return Promise.resolve(over);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Ends the stream as if the peer had, as soon as no line is half read. */
  retire(): void {
    this.#retired = true;
    if (this.#betweenLines) this.#finish(undefined);
  }

  /** Ends the stream from this side with an error. */
  fail(error: unknown): void {
    this.#finish(error);
  }

  #take(chunk: Uint8Array): void {
    if (this.#end !== undefined || chunk.length === 0) return;
    this.#betweenLines = chunk[chunk.length - 1] === lineBreak;
    if (this.#collecting !== undefined) {
      this.#chunks.push(chunk);
      this.#measure(chunk);
      return;
    }
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    if (this.#held >= most) this.#readable.pause();
    // Node tells of every frame by itself, with all that waits for it done before the next one: whoever waits is woken once for all
    // frames of this turn.
    if (this.#waiter !== undefined) this.#waking ??= afterTurn(() => this.#wake());
    if (this.#retired && this.#betweenLines) this.#finish(undefined);
  }

  #wake(): void {
    this.#waking?.();
    this.#waking = undefined;
    const waiter = this.#waiter;
    if (waiter === undefined || this.#held === 0) return;
    this.#waiter = undefined;
    waiter.resolve({ done: false, value: this.#handOut() });
  }

  /** As many chunks in one piece as are to be handed out at once. */
  #handOut(): Uint8Array {
    const from = this.#next;
    let size = 0;
    do {
      size += (this.#chunks[this.#next] as Uint8Array).length;
      this.#next += 1;
    } while (this.#next < this.#chunks.length && size < mostAtOnce);
    const taken = this.#chunks.slice(from, this.#next);
    if (this.#next === this.#chunks.length) {
      this.#chunks = [];
      this.#next = 0;
    }
    this.#held -= size;
    if (this.#held < most && this.#end === undefined && this.#readable.isPaused()) this.#readable.resume();
    return taken.length === 1 ? (taken[0] as Uint8Array) : Buffer.concat(taken, size);
  }

  #finish(error: unknown): void {
    if (this.#end !== undefined) return;
    // What came before the end is handed out before it.
    this.#wake();
    this.#end = { error };
    this.#options.cancel();
    const waiter = this.#waiter;
    this.#waiter = undefined;
    if (waiter !== undefined) this.#ended(error).then(waiter.resolve, waiter.reject);
    this.#deliver(error);
  }

  #measure({ length }: Uint8Array): void {
    this.#held += length;
    const { limit, tooLarge } = this.#collecting ?? {};
    if (limit === undefined || this.#held <= limit) return;
    const error = tooLarge?.();
    this.#finish(error);
    // All of it may have come before it was asked for.
    this.#deliver(error);
  }

  /** Called when no more will come: gives what was collected to whoever waits for it. */
  #deliver(error: unknown): void {
    const collecting = this.#collecting;
    if (collecting === undefined) return;
    this.#collecting = undefined;
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#held = 0;
    if (error !== undefined) collecting.reject(error);
    else collecting.resolve(chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks));
  }

  /** The error is reported once: after it the iterator is at its end. */
  #ended(error: unknown): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#end = { error: undefined };
    return error === undefined ? Promise.resolve(over) : Promise.reject(error as Error);
  }
}
