import { KilterError } from '../errors/index.ts';

/** Cuts bytes into lines. Works on bytes, so that a character split between two chunks is whole again when decoded. */
export interface LineSplitter {
  /** The good lines this chunk completes, without their breaks; empty lines are left out. */
  push(chunk: Uint8Array): string[];
  /** What is wrong with the line after the last good one; from then on there are no more lines. */
  readonly failure: KilterError | undefined;
  /** The stream has ended: what is left over is half a line, and a failure. */
  end(): void;
}

const lineBreak = 0x0a;

// Keeps nothing between two calls.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string {
  if (bytes.includes(0)) throw new KilterError('TRANSPORT_STREAM_MALFORMED', 'a line of the stream holds a NUL byte');
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new KilterError('TRANSPORT_STREAM_MALFORMED', 'a line of the stream is not UTF-8', { cause });
  }
}

/** Finds the lines of chunks; throws at the first one that is none. */
class Lines {
  readonly #limit: number;
  /** The chunks since the last line break: together the beginning of a line, at most `#limit` bytes. */
  #held: Uint8Array[] = [];
  #heldSize = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get leftOver(): number {
    return this.#heldSize;
  }

  *in(chunk: Uint8Array): Generator<string> {
    let from = 0;
    for (let at = chunk.indexOf(lineBreak); at >= 0; at = chunk.indexOf(lineBreak, from)) {
      this.#hold(chunk.subarray(from, at));
      const line = this.#take();
      if (line.trim() !== '') yield line;
      from = at + 1;
    }
    this.#hold(chunk.subarray(from));
  }

  #hold(part: Uint8Array): void {
    this.#heldSize += part.length;
    if (this.#heldSize > this.#limit) {
      throw new KilterError('TRANSPORT_LINE_TOO_LONG', `a line of the stream is longer than ${this.#limit} bytes`);
    }
    if (part.length > 0) this.#held.push(part);
  }

  #take(): string {
    const line = decode(this.#held.length === 1 ? (this.#held[0] as Uint8Array) : Buffer.concat(this.#held));
    this.#held = [];
    this.#heldSize = 0;
    return line;
  }
}

export function lineSplitter(limit: number): LineSplitter {
  const lines = new Lines(limit);
  let failure: KilterError | undefined;
  return {
    push: (chunk) => {
      const good: string[] = [];
      if (failure !== undefined) return good;
      try {
        for (const line of lines.in(chunk)) good.push(line);
      } catch (error) {
        failure = error as KilterError;
      }
      return good;
    },
    get failure() {
      return failure;
    },
    end: () => {
      const { leftOver } = lines;
      if (failure !== undefined || leftOver === 0) return;
      failure = new KilterError('TRANSPORT_STREAM_MALFORMED', `the stream broke off ${leftOver} bytes into a line`);
    },
  };
}
