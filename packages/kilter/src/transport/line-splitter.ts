import { KilterError } from '../errors/index.ts';

/** Cuts bytes into lines. Works on bytes, so that a character split between two chunks is whole again when decoded. */
export interface LineSplitter<L = string> {
  /** The good lines this chunk completes, without their breaks; empty lines are left out. */
  push(chunk: Uint8Array): L[];
  /** What is wrong with the line after the last good one; from then on there are no more lines. */
  readonly failure: KilterError | undefined;
  /** The stream has ended: what is left over is half a line, and a failure. */
  end(): void;
}

const lineBreak = 0x0a;

// Keeps nothing between two calls.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A line as text. */
export function textLine(bytes: Uint8Array): string {
  if (bytes.includes(0)) throw new KilterError('TRANSPORT_STREAM_MALFORMED', 'a line of the stream holds a NUL byte');
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new KilterError('TRANSPORT_STREAM_MALFORMED', 'a line of the stream is not UTF-8', { cause });
  }
}

/** A line as it is, for a reader that checks every byte itself. */
export function byteLine(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** JSON's white space alone. */
function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09);
}

/** Finds the lines of chunks; throws at the first one that is not one. */
class Lines<L> {
  readonly #limit: number;
  readonly #decode: (bytes: Uint8Array) => L;
  /** The chunks since the last line break: together the beginning of a line, at most `#limit` bytes. */
  #held: Uint8Array[] = [];
  #heldSize = 0;

  constructor(limit: number, decode: (bytes: Uint8Array) => L) {
    this.#limit = limit;
    this.#decode = decode;
  }

  get leftOver(): number {
    return this.#heldSize;
  }

  *in(chunk: Uint8Array): Generator<L> {
    let from = 0;
    for (let at = chunk.indexOf(lineBreak); at >= 0; at = chunk.indexOf(lineBreak, from)) {
      this.#hold(chunk.subarray(from, at));
      const line = this.#take();
      if (!isBlank(line)) yield this.#decode(line);
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

  #take(): Uint8Array {
    const line = this.#held.length === 1 ? (this.#held[0] as Uint8Array) : Buffer.concat(this.#held);
    this.#held = [];
    this.#heldSize = 0;
    return line;
  }
}

export function lineSplitter(limit: number): LineSplitter;
export function lineSplitter<L>(limit: number, decode: (bytes: Uint8Array) => L): LineSplitter<L>;
export function lineSplitter(limit: number, decode: (bytes: Uint8Array) => unknown = textLine): LineSplitter<unknown> {
  const lines = new Lines(limit, decode);
  let failure: KilterError | undefined;
  return {
    push: (chunk) => {
      const good: unknown[] = [];
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
