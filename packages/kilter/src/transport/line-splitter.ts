import { KilterError } from '../errors/index.ts';

/** Cuts bytes into lines. Works on bytes, so that a character split between two chunks is whole again when decoded. */
export interface LineSplitter<Lines = string[]> {
  /** The good lines this chunk completes, without their breaks; empty lines are left out. */
  push(chunk: Uint8Array): Lines;
  /** What is wrong with the line after the last good one; from then on there are no more lines. */
  readonly failure: KilterError | undefined;
  /** The stream has ended: what is left over is half a line, and a failure. */
  end(): void;
}

/** Lines that lie in one piece of memory, so that nothing is made for each of them. */
export interface ByteLines {
  /** How many. */
  readonly length: number;
  readonly bytes: Buffer;
  /** Of each line in turn where it begins and where it ends. */
  readonly bounds: readonly number[];
}

const lineBreak = 0x0a;
const lessThan = 0x3c;
const noLines: ByteLines = { length: 0, bytes: Buffer.alloc(0), bounds: [] };

// Keeps nothing between two calls.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A line as text. */
function textLine(bytes: Uint8Array): string {
  if (bytes.includes(0))
    throw new KilterError('TRANSPORT_STREAM_MALFORMED', 'a line of the stream contains a NUL byte');
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new KilterError('TRANSPORT_STREAM_MALFORMED', 'a line of the stream is not UTF-8', { cause });
  }
}

/** JSON's white space alone. */
function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x0d && byte !== 0x09) return false;
  }
  return true;
}

/** Something else answers in place of the API server. */
export const webPageInstead = (): KilterError =>
  new KilterError('TRANSPORT_STREAM_MALFORMED', 'the answer is a web page, not a stream', {
    cure: 'check the server address and proxies in between: something else answers there, such as a login page',
  });

/** Half a line is left over: of a watch that was cut, or of a whole web page. */
function brokenOff([begin]: readonly Uint8Array[], size: number): KilterError {
  if (begin?.[0] === lessThan) return webPageInstead();
  return new KilterError('TRANSPORT_STREAM_MALFORMED', `the stream broke off ${size} bytes into a line`);
}

/** Lines as they are, for a reader that checks every byte itself. */
export class ByteLineSplitter implements LineSplitter<ByteLines> {
  readonly #limit: number;
  /** The chunks since the last line break: together the beginning of a line, at most `#limit` bytes. */
  #held: Uint8Array[] = [];
  #heldSize = 0;
  #failure: KilterError | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get failure(): KilterError | undefined {
    return this.#failure;
  }

  push(chunk: Uint8Array): ByteLines {
    if (this.#failure !== undefined) return noLines;
    const first = chunk.indexOf(lineBreak);
    if (first < 0) {
      this.#hold(chunk);
      return noLines;
    }
    const at = this.#heldSize + first;
    return this.#cut(this.#joined(chunk), at);
  }

  end(): void {
    if (this.#failure !== undefined || this.#heldSize === 0) return;
    this.#failure = brokenOff(this.#held, this.#heldSize);
  }

  /** `first` is where the first line ends. */
  #cut(bytes: Buffer, first: number): ByteLines {
    const bounds: number[] = [];
    let from = 0;
    for (let at = first; at >= 0; at = bytes.indexOf(lineBreak, from)) {
      if (!this.#fits(at - from)) return { length: bounds.length / 2, bytes, bounds };
      if (!isBlank(bytes, from, at)) bounds.push(from, at);
      from = at + 1;
    }
    this.#hold(bytes.subarray(from));
    return { length: bounds.length / 2, bytes, bounds };
  }

  #joined(chunk: Uint8Array): Buffer {
    const held = this.#held;
    if (held.length === 0) return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    this.#held = [];
    this.#heldSize = 0;
    return Buffer.concat([...held, chunk]);
  }

  #hold(part: Uint8Array): void {
    if (part.length === 0 || !this.#fits(this.#heldSize + part.length)) return;
    this.#heldSize += part.length;
    this.#held.push(part);
  }

  #fits(size: number): boolean {
    if (size <= this.#limit) return true;
    const message = `a line of the stream is longer than ${this.#limit} bytes`;
    this.#failure = new KilterError('TRANSPORT_LINE_TOO_LONG', message);
    return false;
  }
}

/** Lines as text. */
export function lineSplitter(limit: number): LineSplitter {
  const splitter = new ByteLineSplitter(limit);
  let failure: KilterError | undefined;
  return {
    push: (chunk) => {
      const good: string[] = [];
      if (failure !== undefined) return good;
      const { bytes, bounds } = splitter.push(chunk);
      try {
        for (let at = 0; at < bounds.length; at += 2) good.push(textLine(bytes.subarray(bounds[at], bounds[at + 1])));
      } catch (error) {
        failure = error as KilterError;
      }
      return good;
    },
    get failure() {
      return failure ?? splitter.failure;
    },
    end: () => splitter.end(),
  };
}
