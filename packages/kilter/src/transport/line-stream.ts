import { abandon } from './body.ts';
import { type LineSplitter, lineSplitter } from './line-splitter.ts';

export interface LineStreamOptions {
  /** The longest line, in bytes. */
  readonly limit: number;
  /** Ends the request the chunks come from. */
  close(): void;
  /** Told of the error that ends the stream, before its reader is. */
  failed(error: unknown): unknown;
}

const over = { done: true, value: undefined } as const;

/**
 * The lines of a body, in order. Its own iterator and no generator: a generator's `return` waits for a pending `next`,
 * and one that was never started releases nothing.
 */
export class LineStream implements AsyncIterableIterator<string, undefined, undefined> {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #splitter: LineSplitter;
  readonly #options: LineStreamOptions;
  /** Complete lines not handed out yet: those from `#next` on. */
  #lines: readonly string[] = [];
  #next = 0;
  /** Set by the end, an error or `return`; no line is handed out after it. */
  #over = false;

  constructor(chunks: AsyncIterator<Uint8Array>, options: LineStreamOptions) {
    this.#chunks = chunks;
    this.#splitter = lineSplitter(options.limit);
    this.#options = options;
  }

  async next(): Promise<IteratorResult<string, undefined>> {
    try {
      while (!this.#over && this.#next >= this.#lines.length) await this.#read();
    } catch (error) {
      // Left by `return` while waiting: that is no error.
      if (this.#over) return over;
      const told = this.#options.failed(error);
      this.#stop();
      throw told;
    }
    if (this.#over) return over;
    const value = this.#lines[this.#next] as string;
    this.#next += 1;
    return { done: false, value };
  }

  return(): Promise<IteratorResult<string, undefined>> {
    this.#stop();
    return Promise.resolve(over);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #read(): Promise<void> {
    this.#check();
    const { done, value } = await this.#chunks.next();
    if (this.#over) return;
    if (done === true) {
      this.#splitter.end();
      this.#check();
      this.#stop();
      return;
    }
    this.#lines = this.#splitter.push(value);
    this.#next = 0;
  }

  /** Called when all good lines are handed out. */
  #check(): void {
    if (this.#splitter.failure !== undefined) throw this.#splitter.failure;
  }

  #stop(): void {
    if (this.#over) return;
    this.#over = true;
    this.#lines = [];
    abandon(this.#chunks);
    this.#options.close();
  }
}
