import type { RecordWriter, Slab, Slabs } from '../bytes/index.ts';

export const flag = { deleting: 1, generation: 2, labels: 4, owners: 8, own: 16, odd: 32, nulls: 64 } as const;

/** A value inside a record: its first token, and where its text begins. */
export interface Within {
  readonly token: number;
  readonly text: number;
}

/** A string in the text of a record. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** What stands in front of a record: enough to answer a store without decoding. Offsets are from tokens and text. */
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
  /** JSON text of all facts, where they do not stand in the record in their usual form. */
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
export function storeRecord(slabs: Slabs, writer: RecordWriter, header: RecordHeader): RecordPlace {
  const beside = header.odd ?? header.own;
  const besideSize = beside === undefined ? 0 : Buffer.byteLength(beside);
  const headerSize = writeHeader(header, [writer.tokensEnd, writer.textEnd, besideSize]);
  const size = headerSize + writer.tokensEnd + writer.textEnd + besideSize;
  const slab = slabs.room(size);
  const { bytes, used: offset } = slab;
  slab.used += size;
  let at = offset;
  scratch.copy(bytes, at, 0, headerSize);
  at += headerSize;
  writer.tokens.copy(bytes, at, 0, writer.tokensEnd);
  at += writer.tokensEnd;
  writer.text.copy(bytes, at, 0, writer.textEnd);
  at += writer.textEnd;
  if (beside !== undefined) bytes.write(beside, at);
  return { slab, offset, size };
}

/** Into `scratch`. Returns its size. */
function writeHeader(header: RecordHeader, sizes: readonly number[]): number {
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
  for (const size of sizes) at = putVarint(at, size);
  for (const { start, end } of [uid, resourceVersion]) {
    at = putVarint(at, start);
    at = putVarint(at, end - start);
  }
  if (generation !== undefined) at = putVarint(at, generation);
  for (const within of [labels, owners]) {
    if (within === undefined) continue;
    at = putVarint(at, within.token);
    at = putVarint(at, within.text);
  }
  return at;
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
    return this.#slice(this.#uid, this.#uidSize);
  }

  get resourceVersion(): string {
    return this.#slice(this.#version, this.#versionSize);
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

  #within(): Within {
    return { token: this.#varint(), text: this.#varint() };
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
