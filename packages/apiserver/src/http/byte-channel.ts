// Bytes from one who sends to one who reads, with a bound on what waits between them.

/** What may wait before the sender does. */
const mostWaiting = 1024 * 1024;

/** Ends when it is closed and read to its end. */
export class ByteChannel implements AsyncIterable<Uint8Array> {
  readonly #waiting: Uint8Array[] = [];
  #size = 0;
  #closed = false;
  /** Whoever waits for a change: the reader for bytes, the sender for room. */
  #wake: (() => void)[] = [];

  #changed(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#wake.push(resolve));
  }

  /** Resolves when there is room for more, or nobody reads any more. */
  async push(bytes: Uint8Array): Promise<void> {
    if (this.#closed) return;
    this.#waiting.push(bytes);
    this.#size += bytes.byteLength;
    this.#changed();
    while (this.#size > mostWaiting && !this.#closed) await this.#change();
  }

  close(): void {
    this.#closed = true;
    this.#changed();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) {
        this.#size -= next.byteLength;
        this.#changed();
        yield next;
      } else if (this.#closed) return;
      else await this.#change();
    }
  }
}
