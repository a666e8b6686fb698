import { isUtf8 } from 'node:buffer';

/** The bytes are not JSON. Without a quote of them: they may be a Secret. */
export class NotJson extends Error {
  constructor(what: string, at: number) {
    super(`${what} at byte ${at}`);
    this.name = 'NotJson';
  }
}

/** Deeper values are refused: no object of Kubernetes comes near it, and the stack has an end. */
export const deepest = 1000;

export const quote = 0x22;
export const backslash = 0x5c;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;
export const openBracket = 0x5b;
export const closeBracket = 0x5d;
export const comma = 0x2c;
export const colon = 0x3a;
export const minus = 0x2d;

/** Numbers of so many bytes are finite unless they have an exponent. */
const finiteDigits = 308;

const plainByte = 0;
const quoteByte = 1;
const backslashByte = 2;
const highByte = 3;
const controlByte = 4;
/** What a byte means inside a string. */
const classes = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === quote) return quoteByte;
  if (byte === backslash) return backslashByte;
  if (byte >= 0x80) return highByte;
  return byte < 0x20 ? controlByte : plainByte;
});

/** Walks over JSON text, as strict as JSON.parse. */
export class Scanner {
  source: Buffer = Buffer.alloc(0);
  at = 0;
  /** Of the string passed last: where the bytes between its quotes are. */
  stringStart = 0;
  stringEnd = 0;
  /** A number was passed that is beyond all finite ones, as JSON.parse would read it. */
  infinite = false;

  space(): void {
    let byte = this.source[this.at] as number;
    // Nearly always there is none.
    if (byte > 0x20) return;
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) {
      this.at += 1;
      byte = this.source[this.at] as number;
    }
  }

  expect(byte: number): void {
    this.space();
    if (this.source[this.at] !== byte) throw this.unexpected();
    this.at += 1;
  }

  unexpected(): NotJson {
    return new NotJson(this.at >= this.source.length ? 'the text ends' : 'something unexpected stands', this.at);
  }

  /** At a quote. */
  string(): void {
    const { source } = this;
    let at = this.at + 1;
    this.stringStart = at;
    let [beyondAscii, escaped] = [false, false];
    for (;;) {
      while (classes[source[at] as number] === plainByte) at += 1;
      const found = classes[source[at] as number];
      if (found === quoteByte) break;
      if (found === backslashByte) {
        escaped = true;
        at += 2;
      } else if (found === highByte) {
        beyondAscii = true;
        at += 1;
      } else {
        // A control character, or the end, where there is no byte.
        this.at = at;
        throw this.unexpected();
      }
    }
    this.stringEnd = at;
    this.at = at + 1;
    if (beyondAscii) this.#checkBytes();
    if (escaped) this.#checkEscapes();
  }

  #checkBytes(): void {
    const { source, stringStart, stringEnd } = this;
    if (!isUtf8(source.subarray(stringStart, stringEnd))) throw new NotJson('not UTF-8', stringStart);
  }

  #checkEscapes(): void {
    const { source, stringStart, stringEnd } = this;
    for (let at = stringStart; at < stringEnd; at += 1) {
      if (source[at] !== backslash) continue;
      at += 1;
      const escape = source[at] as number;
      if (escape === 0x75) {
        for (let digit = 1; digit <= 4; digit += 1) {
          if (at + digit >= stringEnd || !isHex(source[at + digit] as number)) throw new NotJson('a bad escape', at);
        }
        at += 4;
      } else if (!simpleEscapes.has(escape)) throw new NotJson('a bad escape', at);
    }
  }

  /** At a minus or a digit. Answers whether it is a whole number without leading or negative zero. */
  number(): boolean {
    const { source, at: begin } = this;
    let at = begin;
    if (source[at] === minus) at += 1;
    const first = source[at] as number;
    if (!isDigit(first)) throw this.unexpected();
    at += 1;
    if (first === 0x30) {
      if (isDigit(source[at] as number)) throw this.unexpected();
    } else while (isDigit(source[at] as number)) at += 1;
    let whole = !(first === 0x30 && source[begin] === minus);
    if (source[at] === 0x2e) {
      whole = false;
      at = this.#digits(at + 1);
    }
    const exponent = source[at];
    const scaled = exponent === 0x65 || exponent === 0x45;
    if (scaled) {
      whole = false;
      const sign = source[at + 1];
      at = this.#digits(sign === 0x2b || sign === minus ? at + 2 : at + 1);
    }
    if ((scaled || at - begin > finiteDigits) && !Number.isFinite(Number(source.toString('latin1', begin, at)))) {
      this.infinite = true;
    }
    this.at = at;
    return whole;
  }

  #digits(from: number): number {
    let at = from;
    while (isDigit(this.source[at] as number)) at += 1;
    this.at = at;
    if (at === from) throw this.unexpected();
    return at;
  }

  /** At the first byte of `true`, `false` or `null`. */
  literal(): void {
    const word = this.source[this.at] === 0x74 ? trueBytes : this.source[this.at] === 0x66 ? falseBytes : nullBytes;
    // The first one is known.
    for (let index = 1; index < word.length; index += 1) {
      if (this.source[this.at + index] !== word[index]) throw this.unexpected();
    }
    this.at += word.length;
  }

  /** Passes over a value of any kind. */
  skip(depth: number): void {
    this.space();
    switch (this.source[this.at]) {
      case quote:
        return this.string();
      case openBrace:
        return this.#skipObject(depth);
      case openBracket:
        return this.#skipList(depth);
      case 0x74:
      case 0x66:
      case 0x6e:
        return this.literal();
      default:
        this.number();
    }
  }

  deeper(depth: number): number {
    if (depth >= deepest) throw new NotJson(`more than ${deepest} levels`, this.at);
    return depth + 1;
  }

  #skipObject(depth: number): void {
    const below = this.deeper(depth);
    this.at += 1;
    this.space();
    if (this.source[this.at] === closeBrace) {
      this.at += 1;
      return;
    }
    for (;;) {
      this.space();
      if (this.source[this.at] !== quote) throw this.unexpected();
      this.string();
      this.expect(colon);
      this.skip(below);
      if (this.ends(closeBrace)) return;
    }
  }

  #skipList(depth: number): void {
    const below = this.deeper(depth);
    this.at += 1;
    this.space();
    if (this.source[this.at] === closeBracket) {
      this.at += 1;
      return;
    }
    do this.skip(below);
    while (!this.ends(closeBracket));
  }

  /** Behind a member: true for the end, false for a comma. */
  ends(close: number): boolean {
    this.space();
    const byte = this.source[this.at];
    if (byte !== close && byte !== comma) throw this.unexpected();
    this.at += 1;
    return byte === close;
  }
}

const trueBytes = Buffer.from('true');
const falseBytes = Buffer.from('false');
const nullBytes = Buffer.from('null');
const simpleEscapes: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'));

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const isHex = (byte: number): boolean =>
  isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
