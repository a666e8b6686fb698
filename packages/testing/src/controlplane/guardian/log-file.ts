import { closeSync, openSync, renameSync, writeSync } from 'node:fs';

/** Where the older half of a long log is. */
export function olderHalf(path: string): string {
  return `${path}.older`;
}

/** A log of bounded size: when it is full it becomes the older half, and the one before that is gone. */
export class LogFile {
  readonly #path: string;
  readonly #most: number;
  #file: number;
  /** Bytes in the file at `path`; never above `most` by more than one chunk. */
  #size = 0;

  constructor(path: string, most: number) {
    this.#path = path;
    this.#most = most;
    this.#file = openSync(path, 'w', 0o600);
  }

  write(chunk: Uint8Array): void {
    if (this.#size >= this.#most) this.#turn();
    for (let at = 0; at < chunk.length;) at += writeSync(this.#file, chunk, at);
    this.#size += chunk.length;
  }

  #turn(): void {
    closeSync(this.#file);
    renameSync(this.#path, olderHalf(this.#path));
    this.#file = openSync(this.#path, 'w', 0o600);
    this.#size = 0;
  }

  close(): void {
    closeSync(this.#file);
  }
}
