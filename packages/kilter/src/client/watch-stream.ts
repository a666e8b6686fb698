import type { ApiRequest } from '../transport/index.ts';

export interface WatchStreamOptions<V, R> {
  readonly request: ApiRequest;
  open(request: ApiRequest): Promise<AsyncIterable<V>>;
  /** Called once the server has accepted the watch. */
  onOpen?: (() => void) | undefined;
  /** What a reader gets of a value; undefined: nothing, and the stream continues. */
  convert(value: V): R | undefined;
  /** What ended the stream behind the value converted last. */
  failure?(): { readonly error: unknown } | undefined;
}

const over = { done: true, value: undefined } as const;

/**
 * What one watch brings. Opened by the first `next`; its own iterator and not a generator, because a generator that is
 * left while it waits for a change goes on waiting.
 */
export class WatchStream<V, R> implements AsyncIterableIterator<R, undefined, undefined> {
  readonly #options: WatchStreamOptions<V, R>;
  /** Ends the request, also while it is being opened. */
  readonly #end = new AbortController();
  readonly #follow: () => void;
  /** Set by the first `next`. */
  #values: Promise<AsyncIterator<V>> | undefined;
  /** Set by the end of the stream, an error or `return`; nothing comes after it. */
  #over = false;

  constructor(options: WatchStreamOptions<V, R>) {
    this.#options = options;
    this.#follow = () => this.#end.abort(options.request.signal?.reason);
  }

  async next(): Promise<IteratorResult<R, undefined>> {
    if (this.#over) return over;
    try {
      this.#values ??= this.#open();
      const value = await this.#nextResult(await this.#values);
      if (value !== undefined && !this.#over) return { done: false, value };
      await this.return();
      return over;
    } catch (error) {
      // Left by `return` while waiting: that is not an error.
      if (this.#over) return over;
      await this.return();
      throw error;
    }
  }

  return(): Promise<IteratorResult<R, undefined>> {
    this.#over = true;
    this.#options.request.signal?.removeEventListener('abort', this.#follow);
    this.#end.abort(new Error('the reader of the watch stopped'));
    return Promise.resolve(over);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #open(): Promise<AsyncIterator<V>> {
    const { request } = this.#options;
    request.signal?.throwIfAborted();
    request.signal?.addEventListener('abort', this.#follow, { once: true });
    const values = await this.#options.open({ ...request, signal: this.#end.signal });
    if (!this.#over) this.#options.onOpen?.();
    return values[Symbol.asyncIterator]();
  }

  /** Undefined at the end of the stream. */
  async #nextResult(values: AsyncIterator<V>): Promise<R | undefined> {
    for (;;) {
      const failed = this.#options.failure?.();
      if (failed !== undefined) throw failed.error;
      const { done, value } = await values.next();
      if (done === true) return undefined;
      const result = this.#options.convert(value);
      if (result !== undefined) return result;
    }
  }
}
