import { setOwn } from './own-property.ts';
import type { Shapes } from './shapes.ts';
import type { StringPool } from './string-pool.ts';
import * as tag from './tags.ts';

/** Reads values out of records. Every read makes new objects: they are the reader's own. */
export class RecordDecoder {
  readonly #shapes: Shapes;
  readonly #pool: StringPool;
  #source: Buffer = Buffer.alloc(0);
  #at = 0;
  /** The record's text, from the value's part on. */
  #text = '';
  /** Where in #text the next string begins. */
  #next = 0;

  constructor(shapes: Shapes, pool: StringPool) {
    this.#shapes = shapes;
    this.#pool = pool;
  }

  /** The value at `token`; `text` begins with the first of its strings. */
  decode(source: Buffer, token: number, text: string): unknown {
    this.#source = source;
    this.#at = token;
    this.#text = text;
    this.#next = 0;
    return this.#value();
  }

  /** As `decode`, for an object: its members become those of `into`, behind what it has. */
  decodeInto(into: Record<string, unknown>, source: Buffer, from: { token: number; text: string }): void {
    this.#source = source;
    this.#at = from.token + 1;
    this.#text = from.text;
    this.#next = 0;
    switch (source[from.token]) {
      case tag.shapedTag:
        this.#shaped(into);
        return;
      case tag.keyedTag:
        this.#keyed(into);
        return;
      default:
        for (const [key, value] of Object.entries(this.#json() as object)) setOwn(into, key, value);
    }
  }

  #value(): unknown {
    const first = this.#source[this.#at] as number;
    this.#at += 1;
    if (first >= tag.firstString) return this.#string(first - tag.firstString);
    if (first >= tag.firstInteger) return first - tag.firstInteger;
    switch (first) {
      case tag.pooledTag:
        return this.#pool.strings[this.#varint()];
      case tag.shapedTag:
        return this.#shaped({});
      case tag.listTag:
        return this.#list();
      case tag.trueTag:
        return true;
      case tag.falseTag:
        return false;
      case tag.nullTag:
        return null;
      case tag.keyedTag:
        return this.#keyed({});
      default:
        return this.#rare(first);
    }
  }

  #rare(first: number): unknown {
    switch (first) {
      case tag.naturalTag:
        return this.#varint();
      case tag.negativeTag:
        return -this.#varint();
      case tag.numberTag:
        return Number(this.#string(this.#varint()));
      case tag.stringTag:
        return this.#string(this.#varint());
      case tag.utf8Tag:
        return this.#utf8();
      case tag.escapedTag:
        return JSON.parse(`"${this.#utf8()}"`);
      default:
        return this.#json();
    }
  }

  #string(length: number): string {
    const from = this.#next;
    this.#next += length;
    return this.#text.substring(from, this.#next);
  }

  #utf8(): string {
    const length = this.#varint();
    this.#at += length;
    return this.#source.toString('utf8', this.#at - length, this.#at);
  }

  #json(): unknown {
    return JSON.parse(this.#utf8());
  }

  #shaped(into: Record<string, unknown>): Record<string, unknown> {
    const source = this.#source;
    const at = this.#at;
    this.#at += 3;
    const { keys, plain } = this.#shapes.at(
      (source[at] as number) | ((source[at + 1] as number) << 8) | ((source[at + 2] as number) << 16),
    );
    if (plain) for (let index = 0; index < keys.length; index += 1) into[keys[index] as string] = this.#value();
    else for (const key of keys) setOwn(into, key, this.#value());
    return into;
  }

  #keyed(into: Record<string, unknown>): Record<string, unknown> {
    while (this.#source[this.#at] !== tag.endTag) {
      const key = this.#value() as string;
      setOwn(into, key, this.#value());
    }
    this.#at += 1;
    return into;
  }

  #list(): unknown[] {
    const list: unknown[] = [];
    while (this.#source[this.#at] !== tag.endTag) list.push(this.#value());
    this.#at += 1;
    return list;
  }

  #varint(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.#source[this.#at] as number;
      this.#at += 1;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
  }
}
