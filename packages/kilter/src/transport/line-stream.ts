import type { LineBatches } from './line-batches.ts';

const over = { done: true, value: undefined } as const;

/** The lines of a body, one by one. */
export class LineStream implements AsyncIterableIterator<string, undefined, undefined> {
  readonly #batches: LineBatches<readonly string[]>;
  /** Complete lines not handed out yet: those from `#next` on. */
  #lines: readonly string[] = [];
  #next = 0;
  /** The next batch, while somebody waits for it. */
  #coming: Promise<boolean> | undefined;
  /** Set by `return`; no line is handed out after it. */
  #left = false;

  constructor(batches: LineBatches<readonly string[]>) {
    this.#batches = batches;
  }

  async next(): Promise<IteratorResult<string, undefined>> {
    while (!this.#left && this.#next >= this.#lines.length) {
      // One batch for all who wait: what a second one brought would take the place of lines nobody has seen.
      this.#coming ??= this.#take();
      if (!(await this.#coming)) return over;
    }
    if (this.#left) return over;
    const value = this.#lines[this.#next] as string;
    this.#next += 1;
    return { done: false, value };
  }

  async #take(): Promise<boolean> {
    try {
      const { done, value } = await this.#batches.next();
      if (done === true) return false;
      this.#lines = value;
      this.#next = 0;
      return true;
    } finally {
      this.#coming = undefined;
    }
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
