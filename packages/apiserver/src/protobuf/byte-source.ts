import { Buffer } from 'node:buffer';

/** What is wrong with bytes, in the words of the server's own decoder. */
export class ProtobufProblem extends Error {
  override readonly name = 'ProtobufProblem';
}

const unexpectedEnd = 'unexpected EOF';
const overflow = 'proto: integer overflow';
const negativeLength = 'proto: negative length found during unmarshaling';

const largest = 2n ** 63n - 1n;

/** Above it a call into native code is quicker than a loop. */
const shortText = 16;

/** Bytes read from the beginning to an end that each message sets for itself. */
export class ByteSource {
  readonly #bytes: Buffer;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get length(): number {
    return this.#bytes.length;
  }

  /** A varint of up to ten bytes: a number where it is below 2^28, else a bigint of 64 bits without a sign. */
  varint(end: number): number | bigint {
    let value = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#next(end);
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    let wide = BigInt(value);
    for (let shift = 28n; shift < 64n; shift += 7n) {
      const byte = this.#next(end);
      wide |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, wide);
    }
    throw new ProtobufProblem(overflow);
  }

  #next(end: number): number {
    if (this.at >= end) throw new ProtobufProblem(unexpectedEnd);
    return this.#bytes[this.at++] as number;
  }

  /** A signed integer of 64 bits: a number where that is exact. */
  long(end: number): number | bigint {
    const value = this.varint(end);
    if (typeof value === 'number') return value;
    const signed = BigInt.asIntN(64, value);
    const near = Number(signed);
    return Number.isSafeInteger(near) ? near : signed;
  }

  /** The lowest 32 bits of a varint, signed. */
  int(end: number): number {
    const value = this.varint(end);
    return typeof value === 'number' ? value : Number(BigInt.asIntN(32, value));
  }

  double(end: number): number {
    if (this.at + 8 > end) throw new ProtobufProblem(unexpectedEnd);
    this.at += 8;
    return this.#bytes.readDoubleLE(this.at - 8);
  }

  /** Where something that has its length before it ends. */
  end(limit: number): number {
    const length = this.varint(limit);
    if (typeof length === 'bigint' && length + BigInt(this.at) > largest) throw new ProtobufProblem(negativeLength);
    const end = this.at + Number(length);
    if (end > limit) throw new ProtobufProblem(unexpectedEnd);
    return end;
  }

  text(limit: number): string {
    const end = this.end(limit);
    const start = this.at;
    this.at = end;
    if (end - start > shortText) return this.#bytes.toString('utf8', start, end);
    let text = '';
    for (let at = start; at < end; at += 1) {
      const byte = this.#bytes[at] as number;
      if (byte >= 0x80) return this.#bytes.toString('utf8', start, end);
      text += String.fromCharCode(byte);
    }
    return text;
  }

  /** The bytes themselves, not a copy. */
  bytes(limit: number): Buffer {
    const end = this.end(limit);
    const found = this.#bytes.subarray(this.at, end);
    this.at = end;
    return found;
  }

  /** Leaves out a field of no known number, with all that a group holds. */
  skip(limit: number): void {
    let depth = 0;
    while (this.at < limit) {
      depth += this.#skipOne(Number(BigInt.asUintN(3, BigInt(this.varint(limit)))), depth, limit);
      if (depth === 0) {
        if (this.at > limit) throw new ProtobufProblem(unexpectedEnd);
        return;
      }
    }
    throw new ProtobufProblem(unexpectedEnd);
  }

  /** How much deeper the groups are after it. */
  #skipOne(wireType: number, depth: number, limit: number): number {
    switch (wireType) {
      case 0:
        this.varint(limit);
        return 0;
      case 1:
        this.at += 8;
        return 0;
      case 2: {
        const length = this.varint(limit);
        if (typeof length === 'bigint' && length + BigInt(this.at) > largest) throw new ProtobufProblem(negativeLength);
        this.at += Number(length);
        return 0;
      }
      case 3:
        return 1;
      case 4:
        if (depth === 0) throw new ProtobufProblem('proto: unexpected end of group');
        return -1;
      case 5:
        this.at += 4;
        return 0;
      default:
        throw new ProtobufProblem(`proto: illegal wireType ${wireType}`);
    }
  }
}
