// The hot half of the encoder runs as WebAssembly: one instance for the whole process, in whose memory every encoder has what it learned.
import { isUtf8 } from 'node:buffer';
import { encoderModule } from './encoder-module.gen.ts';

/** The other half of an encoder: what the hot one asks while it encodes. Numbers are addresses, or the numbers of places, fields, shapes. */
export interface Learner {
  /** The error for what stands there. */
  failed(what: number, at: number): Error;
  /** The shape a key leads to, or 0. */
  extend(place: number, shape: number, key: number): number;
  inside(field: number): number;
  /** The shape with nothing instead of its last key, or 0. */
  absent(shape: number): number;
  /** What is asked of a key of an object that is kept with its keys. */
  role(place: number, key: number, size: number): number;
  pooled(string: number, size: number): void;
}

/** What is used of it: the types of Node leave it to those of browsers. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

/** What the hot half exports; see tools/encoder. */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  alloc(size: number): number;
  free(address: number, size: number): void;
  createContext(): number;
  freeContext(context: number): void;
  setRoot(context: number, place: number): void;
  addPlace(context: number, id: number, flags: number): number;
  finishPlace(place: number, start: number, any: number): void;
  setKeyed(place: number): void;
  addField(context: number, id: number, openingSize: number): number;
  describeField(field: number, flags: number, note: number): void;
  addShape(context: number, number: number, field: number): number;
  place(source: number, tokens: number, text: number): void;
  encode(context: number, start: number): number;
}

/** Where the results of a document stand, in numbers of four bytes: its own number, flags, the sizes of both parts. */
const results = 64 / 4;
/** Where the notes begin, and how many numbers each is. */
const notes = (1024 + 32 * 4) / 4;
const noteSize = 9;

/** Bytes of a source that are at hand at once. */
const windowSize = 128 * 1024;
/** The longest thing that is refused at its beginning: `false`. */
const longestWord = 8;
/** Read beyond the end of the text, and written beyond the end of a record. */
const slack = 128;

/** The encoder that is at work. */
let learner: Learner | undefined;
const asked = (): Learner => learner as Learner;

function instantiate(): Exports {
  const module = new WebAssembly.Module(Buffer.from(encoderModule, 'base64'));
  const learn = {
    fail: (what: number, at: number) => {
      throw asked().failed(what, at);
    },
    extend: (place: number, shape: number, key: number) => asked().extend(place, shape, key),
    inside: (field: number) => asked().inside(field),
    absent: (shape: number) => asked().absent(shape),
    role: (place: number, key: number, size: number) => asked().role(place, key, size),
    pooled: (string: number, size: number) => asked().pooled(string, size),
    isUtf8: (start: number, size: number) => (isUtf8(memory().bytes.subarray(start, start + size)) ? 1 : 0),
    isInfinite: (start: number, size: number) =>
      Number.isFinite(Number(memory().bytes.toString('latin1', start, start + size))) ? 0 : 1,
  };
  return new WebAssembly.Instance(module, { learn }).exports as Exports;
}

/** The one instance and its memory. */
class EncoderMemory {
  readonly exports: Exports = instantiate();
  #bytes: Buffer<ArrayBuffer> = Buffer.alloc(0);
  #numbers = new Int32Array();
  /** What is at hand of a source: its bytes from #from on, #size of them. */
  #source: Buffer | undefined;
  #from = 0;
  #size = 0;
  /** How many bytes there is room for, and where they and both parts of a record lie. */
  #room = 0;
  #sourceAt = 0;
  #tokensAt = 0;
  #textAt = 0;
  /** How many bytes the document took that was encoded last: the next one will take about as many. */
  #last = 0;
  readonly #contexts = new FinalizationRegistry<number>((context) => this.exports.freeContext(context));

  /** All of it. Growing makes another one of it. */
  get bytes(): Buffer<ArrayBuffer> {
    const { buffer } = this.exports.memory;
    if (this.#bytes.buffer !== buffer) {
      this.#bytes = Buffer.from(buffer);
      this.#numbers = new Int32Array(buffer);
    }
    return this.#bytes;
  }

  get tokensAt(): number {
    return this.#tokensAt;
  }

  /** A number of what was encoded last. */
  result(index: number): number {
    return this.#numbers[results + index] as number;
  }

  noted(note: number, index: number): number {
    return this.#numbers[notes + noteSize * note + index] as number;
  }

  /** What an encoder learns is kept as long as the encoder. */
  context(owner: object): number {
    const context = this.exports.createContext();
    this.#contexts.register(owner, context);
    return context;
  }

  /** Where the key of a field stands: its address is the first number of it. */
  opening(field: number): number {
    return this.bytes.readUInt32LE(field);
  }

  /** Where in the source the byte at an address stands. */
  position(address: number): number {
    return this.#from + address - this.#sourceAt;
  }

  /** From where positions of what was encoded last are counted. */
  get from(): number {
    return this.#from;
  }

  /** Where what is at hand of the source ends. */
  get end(): number {
    return this.#from + this.#size;
  }

  /** Of the whole source. */
  get length(): number {
    return this.#source?.length ?? 0;
  }

  /** Whether what fails at an address may only be cut: it stands near the end of what is at hand, and the source continues. */
  isCut(address: number): boolean {
    return this.partial && address + longestWord >= this.#sourceAt + this.#size;
  }

  get partial(): boolean {
    return this.end < this.length;
  }

  encode(by: Learner, context: number, start: number): number {
    learner = by;
    const end = this.#from + this.exports.encode(context, start - this.#from);
    // It may have grown.
    void this.bytes;
    this.#last = end - start;
    return end;
  }

  /**
   * Has the bytes of a source from `start` on at hand, at least as many as the document before took. What is at hand
   * already is not looked at again: a source does not change.
   */
  bring(source: Buffer, start: number): void {
    const left = this.end - start;
    if (source === this.#source && start >= this.#from && (!this.partial || left >= 2 * this.#last)) return;
    this.#bring(source, start, Math.max(windowSize, 4 * this.#last));
  }

  /** Has more at hand from `start` on than there is. */
  bringMore(start: number): void {
    this.#bring(this.#source as Buffer, start, 8 * this.#size);
  }

  #bring(source: Buffer, start: number, most: number): void {
    const size = Math.min(source.length - start, most);
    this.#makeRoom(size);
    const { bytes } = this;
    bytes.set(source.subarray(start, start + size), this.#sourceAt);
    bytes.fill(0, this.#sourceAt + size, this.#sourceAt + size + slack);
    this.#source = source;
    this.#from = start;
    this.#size = size;
  }

  #makeRoom(size: number): void {
    if (size <= this.#room) return;
    const { exports } = this;
    const before = this.#room;
    const areas = (of: number) => [of + slack, 3 * of + slack, of + slack] as const;
    if (before > 0) {
      const [source, tokens, text] = areas(before);
      exports.free(this.#sourceAt, source);
      exports.free(this.#tokensAt, tokens);
      exports.free(this.#textAt, text);
    }
    this.#room = Math.max(size, windowSize);
    const [source, tokens, text] = areas(this.#room);
    this.#sourceAt = exports.alloc(source);
    // No value takes more than twice its text: an empty object takes four bytes. Its strings come behind it in the end.
    this.#tokensAt = exports.alloc(tokens);
    this.#textAt = exports.alloc(text);
    exports.place(this.#sourceAt, this.#tokensAt, this.#textAt);
  }
}

let made: EncoderMemory | undefined;

/** Made when something is first encoded. */
export const memory = (): EncoderMemory => (made ??= new EncoderMemory());
