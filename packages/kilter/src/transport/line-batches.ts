import { abandon } from './body.ts';
import type { LineSplitter } from './line-splitter.ts';

export interface LineStreamOptions<Lines> {
  readonly splitter: LineSplitter<Lines>;
  /** Ends the request the chunks come from. */
  close(): void;
  /** Told of the error that ends the stream, before its reader is. */
  failed(error: unknown): unknown;
}

const over = { done: true, value: undefined } as const;

/**
 * The lines of a body, in order, those that came together in one batch: a reader is woken once for all of them. Its own
 * iterator and not a generator: a generator's `return` waits for a pending `next`, and one that was never started
 * releases nothing.
 */
export class LineBatches<Lines extends { readonly length: number }> implements AsyncIterableIterator<
  Lines,
  undefined,
  undefined
> {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #options: LineStreamOptions<Lines>;
  /** Set by the end, an error or `return`; no line is handed out after it. */
  #over = false;

  constructor(chunks: AsyncIterator<Uint8Array>, options: LineStreamOptions<Lines>) {
    this.#chunks = chunks;
    this.#options = options;
  }

  async next(): Promise<IteratorResult<Lines, undefined>> {
    try {
      while (!this.#over) {
        const value = await this.#read();
        if (value !== undefined && value.length > 0 && !this.#over) return { done: false, value };
      }
      return over;
    } catch (error) {
      // Left by `return` while waiting: that is not an error.
      if (this.#over) return over;
      const told = this.#options.failed(error);
      this.#stop();
      throw told;
    }
  }

  return(): Promise<IteratorResult<Lines, undefined>> {
    this.#stop();
    return Promise.resolve(over);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Undefined where the stream is over. */
  async #read(): Promise<Lines | undefined> {
    const { splitter } = this.#options;
    // What was wrong with a line is reported once all good ones before it are handed out.
    if (splitter.failure !== undefined) throw splitter.failure;
    const { done, value } = await this.#chunks.next();
    if (this.#over) return undefined;
    if (done !== true) return splitter.push(value);
    splitter.end();
    if (splitter.failure !== undefined) throw splitter.failure;
    this.#stop();
    return undefined;
  }

  #stop(): void {
    if (this.#over) return;
    this.#over = true;
    abandon(this.#chunks);
    this.#options.close();
  }
}
