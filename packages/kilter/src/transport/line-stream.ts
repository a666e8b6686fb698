import type { LineBatches } from './line-batches.ts';

const over = { done: true, value: undefined } as const;

/** The lines of a body, one by one. */
export class LineStream implements AsyncIterableIterator<string, undefined, undefined> {
  readonly #batches: LineBatches<string>;
  /** Complete lines not handed out yet: those from `#next` on. */
  #lines: readonly string[] = [];
  #next = 0;
  /** Set by `return`; no line is handed out after it. */
  #left = false;

  constructor(batches: LineBatches<string>) {
    this.#batches = batches;
  }

  async next(): Promise<IteratorResult<string, undefined>> {
    if (!this.#left && this.#next >= this.#lines.length) {
      const { done, value } = await this.#batches.next();
      if (done === true) return over;
      this.#lines = value;
      this.#next = 0;
    }
    if (this.#left) return over;
    const value = this.#lines[this.#next] as string;
    this.#next += 1;
    return { done: false, value };
  }

  async return(): Promise<IteratorResult<string, undefined>> {
    this.#left = true;
    this.#lines = [];
    await this.#batches.return();
    return over;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
