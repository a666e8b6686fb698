import { Buffer } from 'node:buffer';

const firstSize = 64 * 1024;
/** Above it a call into native code is quicker than a loop. */
const shortText = 24;

/** Bytes written from the end to the beginning: what comes before a message is its length, known once it is written. */
export class ByteSink {
  #bytes: Buffer = Buffer.allocUnsafeSlow(firstSize);
  /** Where the next byte ends: all after it is written, all before it is free. */
  #at: number = firstSize;

  /** How much was written: the difference of two sizes is the length of what came between. */
  get size(): number {
    return this.#bytes.length - this.#at;
  }

  /** A copy of what was written; the sink is empty after it. */
  take(): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(this.#at));
    // What one large list needed is not kept for ever.
    if (this.#bytes.length > firstSize * 64) this.#bytes = Buffer.allocUnsafeSlow(firstSize);
    this.#at = this.#bytes.length;
    return taken;
  }

  /** Asked for before `#bytes` is: it may be another one afterwards. */
  #reserve(count: number): number {
    if (this.#at < count) {
      const size = this.size;
      const grown = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, size + count));
      this.#bytes.copy(grown, grown.length - size, this.#at);
      this.#bytes = grown;
      this.#at = grown.length - size;
    }
    this.#at -= count;
    return this.#at;
  }

  byte(value: number): void {
    const at = this.#reserve(1);
    this.#bytes[at] = value;
  }

  bytes(value: Uint8Array): void {
    const at = this.#reserve(value.length);
    this.#bytes.set(value, at);
  }

  /** A number that is not negative, below 2^53. */
  varint(value: number): void {
    if (value < 0x80) return this.byte(value);
    let count = 2;
    for (let rest = value / 0x4000; rest >= 1; rest /= 0x80) count += 1;
    let at = this.#reserve(count);
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.#bytes[at++] = (rest % 0x80) | 0x80;
    this.#bytes[at] = rest;
  }

  /** An integer of 64 bits; negative ones take ten bytes. */
  integer(value: unknown): void {
    if (typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER)
      return this.varint(Math.trunc(value));
    let rest = BigInt.asUintN(64, typeof value === 'bigint' ? value : BigInt(Math.trunc(Number(value)) || 0));
    const bytes: number[] = [];
    for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
    bytes.push(Number(rest));
    this.bytes(Uint8Array.from(bytes));
  }

  double(value: number): void {
    const at = this.#reserve(8);
    this.#bytes.writeDoubleLE(value, at);
  }

  /** UTF-8, with its length before it. */
  text(value: string): void {
    const { length } = value;
    if (length <= shortText && this.#ascii(value, length)) return this.varint(length);
    const size = Buffer.byteLength(value);
    const at = this.#reserve(size);
    this.#bytes.write(value, at, 'utf8');
    this.varint(size);
  }

  #ascii(value: string, length: number): boolean {
    const at = this.#reserve(length);
    for (let index = 0; index < length; index += 1) {
      const code = value.charCodeAt(index);
      if (code >= 0x80) {
        this.#at += length;
        return false;
      }
      this.#bytes[at + index] = code;
    }
    return true;
  }
}
