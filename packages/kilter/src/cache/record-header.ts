import type { RecordEncoder, Slab, Slabs } from '../bytes/index.ts';

export const flag = { deleting: 1, generation: 2, labels: 4, owners: 8, own: 16, odd: 32, nulls: 64 } as const;

/** A value inside a record: where its tokens and its text begin and end. */
export interface Within {
  readonly token: number;
  readonly tokenEnd: number;
  readonly text: number;
  readonly textEnd: number;
}

/** A string in the text of a record. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** What is in front of a record: enough to answer a store without decoding. Offsets are from tokens and text. */
export interface RecordHeader {
  readonly deleting: boolean;
  /** There may be a null in it. */
  readonly nulls: boolean;
  readonly uid?: TextRange | undefined;
  readonly resourceVersion?: TextRange | undefined;
  /** A whole number that is not negative. */
  readonly generation?: number | undefined;
  readonly labels?: Within | undefined;
  readonly owners?: Within | undefined;
  /** JSON text kept beside the object: what own field managers own of it. */
  readonly own?: string | undefined;
  /** JSON text of all facts, where they are not in the record in their usual form. */
  readonly odd?: string | undefined;
}

export interface RecordPlace {
  readonly slab: Slab;
  readonly offset: number;
  readonly size: number;
}

const nowhere: TextRange = { start: 0, end: 0 };

const scratch = Buffer.allocUnsafeSlow(128);

/** Writes what `writer` holds into a slab, behind its header. */
export function storeRecord(slabs: Slabs, writer: RecordEncoder, header: RecordHeader): RecordPlace {
  const beside = header.odd ?? header.own;
  const besideSize = beside === undefined ? 0 : Buffer.byteLength(beside);
  const headerSize = writeHeader(header, { tokens: writer.tokensEnd, text: writer.textEnd, beside: besideSize });
  const size = headerSize + writer.tokensEnd + writer.textEnd + besideSize;
  const slab = slabs.room(size);
  const { bytes, used: offset } = slab;
  slab.used += size;
  let at = offset;
  // A call into native code costs more than a short loop.
  for (let from = 0; from < headerSize; from += 1) bytes[at + from] = scratch[from] as number;
  at += headerSize;
  writer.copyTo(bytes, at);
  at += writer.tokensEnd + writer.textEnd;
  if (beside !== undefined) bytes.write(beside, at);
  return { slab, offset, size };
}

/** Into `scratch`. Returns its size. */
function writeHeader(header: RecordHeader, sizes: { tokens: number; text: number; beside: number }): number {
  const { deleting, nulls, generation, labels, owners, own, odd } = header;
  const { uid = nowhere, resourceVersion = nowhere } = header;
  scratch[0] =
    (deleting ? flag.deleting : 0) |
    (nulls ? flag.nulls : 0) |
    (generation === undefined ? 0 : flag.generation) |
    (labels === undefined ? 0 : flag.labels) |
    (owners === undefined ? 0 : flag.owners) |
    (own === undefined ? 0 : flag.own) |
    (odd === undefined ? 0 : flag.odd);
  let at = 1;
  at = putVarint(at, sizes.tokens);
  at = putVarint(at, sizes.text);
  at = putVarint(at, sizes.beside);
  at = putRange(at, uid);
  at = putRange(at, resourceVersion);
  if (generation !== undefined) at = putVarint(at, generation);
  if (labels !== undefined) at = putWithin(at, labels);
  return owners === undefined ? at : putWithin(at, owners);
}

function putRange(at: number, { start, end }: TextRange): number {
  return putVarint(putVarint(at, start), end - start);
}

function putWithin(at: number, { token, tokenEnd, text, textEnd }: Within): number {
  return putVarint(putVarint(putVarint(putVarint(at, token), tokenEnd - token), text), textEnd - text);
}

function putVarint(at: number, value: number): number {
  let rest = value;
  let to = at;
  while (rest > 0x7f) {
    scratch[to] = (rest % 128) | 0x80;
    rest = Math.floor(rest / 128);
    to += 1;
  }
  scratch[to] = rest;
  return to + 1;
}

/** Reads a header, and says where everything is in the bytes of its slab. */
export class HeaderReader {
  readonly bytes: Buffer;
  readonly flags: number;
  readonly tokens: number;
  readonly text: number;
  readonly textEnd: number;
  readonly generation: number | undefined;
  readonly #besideEnd: number;
  readonly #uid: number;
  readonly #uidSize: number;
  readonly #version: number;
  readonly #versionSize: number;
  /** Where the rest of the header begins: labels, owners. */
  readonly #rest: number;
  #at: number;
  #uidText: string | undefined = undefined;
  #versionText: string | undefined = undefined;

  constructor({ slab, offset }: RecordPlace) {
    this.bytes = slab.bytes;
    this.flags = slab.bytes[offset] as number;
    this.#at = offset + 1;
    const tokensSize = this.#varint();
    const textSize = this.#varint();
    const besideSize = this.#varint();
    this.#uid = this.#varint();
    this.#uidSize = this.#varint();
    this.#version = this.#varint();
    this.#versionSize = this.#varint();
    this.generation = (this.flags & flag.generation) === 0 ? undefined : this.#varint();
    this.#rest = this.#at;
    if ((this.flags & flag.labels) !== 0) this.#within();
    if ((this.flags & flag.owners) !== 0) this.#within();
    this.tokens = this.#at;
    this.text = this.tokens + tokensSize;
    this.textEnd = this.text + textSize;
    this.#besideEnd = this.textEnd + besideSize;
  }

  get uid(): string {
    return (this.#uidText ??= this.#slice(this.#uid, this.#uidSize));
  }

  get resourceVersion(): string {
    return (this.#versionText ??= this.#slice(this.#version, this.#versionSize));
  }

  get labels(): Within | undefined {
    if ((this.flags & flag.labels) === 0) return undefined;
    this.#at = this.#rest;
    return this.#within();
  }

  get owners(): Within | undefined {
    if ((this.flags & flag.owners) === 0) return undefined;
    this.#at = this.#rest;
    if ((this.flags & flag.labels) !== 0) this.#within();
    return this.#within();
  }

  /** `own` or `odd`, as the flags say. */
  get beside(): string {
    return this.bytes.toString('utf8', this.textEnd, this.#besideEnd);
  }

  #slice(start: number, size: number): string {
    return this.bytes.toString('latin1', this.text + start, this.text + start + size);
  }

  /** How the versions stand to each other, as `compareResourceVersions` says of their texts. */
  compareVersions(other: HeaderReader): -1 | 0 | 1 | undefined {
    const version = this.#inText(this.#version, this.#versionSize);
    const others = other.#inText(other.#version, other.#versionSize);
    const order = version.size === others.size ? compareRanges(version, others) : undefined;
    if (order === 0) return 0;
    if (!isDecimal(version) || !isDecimal(others)) return undefined;
    return order ?? (version.size < others.size ? -1 : 1);
  }

  hasUidOf(other: HeaderReader): boolean {
    return isSame(this.#inText(this.#uid, this.#uidSize), other.#inText(other.#uid, other.#uidSize));
  }

  /** Nothing in them differs; false where the bytes alone do not show it. */
  hasOwnersOf(other: HeaderReader): boolean {
    const { owners } = this;
    const { owners: others } = other;
    if (owners === undefined || others === undefined) return owners === others;
    const tokens = this.#inTokens(owners.token, owners.tokenEnd - owners.token);
    if (!isSame(tokens, other.#inTokens(others.token, others.tokenEnd - others.token))) return false;
    const text = this.#inText(owners.text, owners.textEnd - owners.text);
    return isSame(text, other.#inText(others.text, others.textEnd - others.text));
  }

  #inTokens(from: number, size: number): ByteRange {
    return { bytes: this.bytes, start: this.tokens + from, size };
  }

  #inText(from: number, size: number): ByteRange {
    return { bytes: this.bytes, start: this.text + from, size };
  }

  #within(): Within {
    const token = this.#varint();
    const tokenEnd = token + this.#varint();
    const text = this.#varint();
    return { token, tokenEnd, text, textEnd: text + this.#varint() };
  }

  #varint(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.bytes[this.#at] as number;
      this.#at += 1;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
  }
}

interface ByteRange {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly size: number;
}

const isSame = (a: ByteRange, b: ByteRange): boolean => a.size === b.size && compareRanges(a, b) === 0;

/** Two of one size. */
function compareRanges(a: ByteRange, b: ByteRange): -1 | 0 | 1 {
  for (let at = 0; at < a.size; at += 1) {
    const difference = (a.bytes[a.start + at] as number) - (b.bytes[b.start + at] as number);
    if (difference !== 0) return difference < 0 ? -1 : 1;
  }
  return 0;
}

/** A whole number from 0 on, as it is usually written. */
function isDecimal({ bytes, start, size }: ByteRange): boolean {
  if (size === 0 || (size > 1 && bytes[start] === 0x30)) return false;
  for (let at = start; at < start + size; at += 1) {
    if ((bytes[at] as number) < 0x30 || (bytes[at] as number) > 0x39) return false;
  }
  return true;
}
