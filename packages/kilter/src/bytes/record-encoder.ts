import { RecordWriter } from './record-writer.ts';
import {
  closeBrace,
  closeBracket,
  colon,
  escapedString,
  minus,
  openBrace,
  openBracket,
  plainString,
  quote,
  Scanner,
} from './scanner.ts';
import type { Field, Place, Shape, Shapes } from './shapes.ts';
import type { StringPool } from './string-pool.ts';
import * as tag from './tags.ts';

/** Longer strings are seldom the same twice. */
const longestPooled = 64;
/** Whole numbers of up to so many digits are exact. */
const exactDigits = 15;

/** Where a place that has a role was found. */
export interface Note {
  /** The document with this number had it: see `RecordEncoder.document`. */
  document: number;
  /** The value in the source; of a string what stands between its quotes. */
  start: number;
  end: number;
  /** First byte of the value in the source: what it is. */
  first: number;
  /** A string without escapes. */
  plain: boolean;
  /** Where the value stands in the record, and the text that belongs to it; -1 where it is not kept. */
  token: number;
  tokenEnd: number;
  text: number;
  textEnd: number;
}

/** Turns JSON text into records, one document after the other; learns shapes and strings on the way. */
export class RecordEncoder extends Scanner {
  readonly writer: RecordWriter = new RecordWriter();
  readonly notes: readonly Note[];
  /** Counts documents: notes of earlier ones do not count. */
  document = 0;
  /** Something is not as its role expects, or was written anew, so that notes may be wrong. */
  odd = false;
  /** A null may be in the document: false only where there is none. */
  nulls = false;
  readonly #shapes: Shapes;
  readonly #pool: StringPool;

  constructor(shapes: Shapes, pool: StringPool) {
    super();
    this.#shapes = shapes;
    this.#pool = pool;
    this.notes = Array.from({ length: 32 }, () => ({
      document: 0,
      start: 0,
      end: 0,
      first: 0,
      plain: false,
      token: -1,
      tokenEnd: -1,
      text: -1,
      textEnd: -1,
    }));
  }

  /** The note of this document; undefined where it has no such place. */
  note(number: number): Note | undefined {
    const note = this.notes[number] as Note;
    return note.document === this.document ? note : undefined;
  }

  /** Encodes the value that begins at `start` into `writer`. Returns where it ends; throws NotJson. */
  encode(source: Buffer, start: number): number {
    this.source = source;
    this.at = start;
    this.document += 1;
    this.odd = false;
    this.nulls = false;
    this.infinite = false;
    this.writer.clear();
    this.space();
    if (source[this.at] === openBrace) this.#object(this.#shapes.root, 0);
    else this.#value(this.#shapes.root.anyField, 0);
    return this.at;
  }

  #value(field: Field, depth: number): void {
    const { writer } = this;
    switch (this.source[this.at]) {
      case quote:
        if (field.guess >= 0 && this.#isGuessed(field)) return;
        this.string();
        this.#writeString(field);
        return;
      case openBrace:
        this.#object(field.placeInside(), depth);
        return;
      case openBracket:
        this.#list(field, depth);
        return;
      case 0x74:
        this.literal();
        return writer.byte(tag.trueTag);
      case 0x66:
        this.literal();
        return writer.byte(tag.falseTag);
      case 0x6e:
        this.literal();
        this.nulls = true;
        return writer.byte(tag.nullTag);
      default:
        this.#number();
    }
  }

  #number(): void {
    const { writer, source } = this;
    const start = this.at;
    const whole = this.number();
    const negative = source[start] === minus;
    const digits = this.at - start - (negative ? 1 : 0);
    if (!whole || digits > exactDigits) {
      writer.byte(tag.numberTag);
      writer.varint(this.at - start);
      writer.ascii(source, start, this.at);
      return;
    }
    let value = 0;
    for (let at = this.at - digits; at < this.at; at += 1) value = value * 10 + (source[at] as number) - 0x30;
    if (!negative && value < tag.firstString - tag.firstInteger) return writer.byte(tag.firstInteger + value);
    writer.byte(negative ? tag.negativeTag : tag.naturalTag);
    writer.varint(value);
  }

  /** The string passed last. */
  #writeString(field: Field): void {
    const { writer, source, stringStart: start, stringEnd: end } = this;
    if (this.stringForm !== plainString) {
      writer.byte(this.stringForm === escapedString ? tag.escapedTag : tag.utf8Tag);
      writer.varint(end - start);
      writer.bytes(source, start, end);
      return;
    }
    const size = end - start;
    if (size > 0 && size <= longestPooled && !field.inline) {
      const number = this.#pooled(field, start, end);
      if (number >= 0) {
        writer.byte(tag.pooledTag);
        writer.varint(number);
        return;
      }
    }
    if (size <= tag.longestShort) writer.byte(tag.firstString + size);
    else {
      writer.byte(tag.stringTag);
      writer.varint(size);
    }
    writer.ascii(source, start, end);
  }

  #pooled(field: Field, start: number, end: number): number {
    if (!field.pools) return -1;
    const number = this.#pool.find(this.source, start, end);
    if (number >= 0) {
      field.found();
      field.guess = number;
      return number;
    }
    field.missed();
    return this.#pool.add(this.source, start, end);
  }

  /**
   * At a quote: writes the string that stood in this field last, if it stands here again. What is in the pool is plain, so that
   * comparing is all the scanning there is.
   */
  #isGuessed(field: Field): boolean {
    if (!field.pools) return false;
    const { source, writer } = this;
    const end = this.#pool.endOf(field.guess, source, this.at + 1);
    if (end < 0 || source[end] !== quote) return false;
    this.stringForm = plainString;
    this.at = end + 1;
    field.found();
    writer.byte(tag.pooledTag);
    writer.varint(field.guess);
    return true;
  }

  #list(field: Field, depth: number): void {
    const { writer } = this;
    const below = this.deeper(depth);
    const { objects } = field;
    writer.byte(tag.listTag);
    this.at += 1;
    this.space();
    if (this.source[this.at] === closeBracket) this.at += 1;
    else {
      do {
        this.space();
        if (objects && this.source[this.at] !== openBrace) this.odd = true;
        this.#value(field, below);
      } while (!this.ends(closeBracket));
    }
    writer.byte(tag.endTag);
  }

  /** At a brace. By shape; with its keys, or as text, where that cannot be. */
  #object(place: Place, depth: number): void {
    const { writer } = this;
    const below = this.deeper(depth);
    const start = this.at;
    const { tokensEnd, textEnd } = writer;
    if (!place.keyed) {
      if (this.#shaped(place, below)) return;
      // What was written of it so far is taken back.
      this.at = start;
      writer.tokensEnd = tokensEnd;
      writer.textEnd = textEnd;
      if (place.asked) this.odd = true;
    }
    if (this.#keyed(place, below)) return;
    writer.tokensEnd = tokensEnd;
    writer.textEnd = textEnd;
    this.at = start;
    // As text it is kept whole, whatever was to be dropped of it.
    if (place.asked) this.odd = true;
    this.skip(depth);
    this.nulls = true;
    writer.byte(tag.jsonTag);
    writer.varint(this.at - start);
    writer.bytes(this.source, start, this.at);
  }

  #shaped(place: Place, below: number): boolean {
    const { writer, source } = this;
    writer.byte(tag.shapedTag);
    const patch = writer.reserve();
    let shape = place.start;
    this.at += 1;
    this.space();
    if (source[this.at] === closeBrace) this.at += 1;
    else {
      for (;;) {
        const next = this.#next(place, shape);
        if (next === undefined) return false;
        const field = next.field as Field;
        const absent = field.absentWhenNull && source[this.at] === 0x6e ? this.#shapes.absent(next) : undefined;
        shape = absent ?? next;
        if (absent !== undefined) this.literal();
        else if (field.attended) this.#attend(place, field, below);
        else this.#value(field, below);
        if (this.ends(closeBrace)) break;
      }
    }
    writer.patch(patch, shape.number);
    return true;
  }

  /** The shape with the key that stands here, at its value; undefined where there can be none. */
  #next(place: Place, shape: Shape): Shape | undefined {
    this.space();
    const { last } = shape;
    if (last !== undefined && this.#isAhead((last.field as Field).opening)) {
      this.space();
      return last;
    }
    if (this.source[this.at] !== quote) throw this.unexpected();
    this.string();
    const { stringStart: start, stringEnd: end } = this;
    if (this.stringForm !== plainString) return undefined;
    this.expect(colon);
    this.space();
    let found: Shape | undefined;
    for (const next of shape.following) if (this.#isKey(next, start, end)) found = next;
    found ??= place.extend(shape, this.source, { start, end });
    shape.last = found;
    return found;
  }

  /** Passes over the bytes if they stand here: most objects go on as the one before did. */
  #isAhead(bytes: Uint8Array): boolean {
    const { source, at } = this;
    const size = bytes.length;
    for (let index = 0; index < size; index += 1) if (source[at + index] !== bytes[index]) return false;
    this.at = at + size;
    return true;
  }

  #isKey(shape: Shape, start: number, end: number): boolean {
    const { keyBytes } = shape.field as Field;
    const size = end - start;
    if (keyBytes.length !== size) return false;
    const { source } = this;
    for (let at = 0; at < size; at += 1) if (keyBytes[at] !== source[start + at]) return false;
    return true;
  }

  /** A value of which something is asked. */
  #attend(place: Place, field: Field, below: number): void {
    const { writer } = this;
    const { role } = field;
    const start = this.at;
    const first = this.source[start] as number;
    const token = writer.tokensEnd;
    const text = writer.textEnd;
    if (place.strings && first !== quote) this.odd = true;
    if (role.expect !== undefined && first !== (role.expect === 'strings' ? openBrace : openBracket)) this.odd = true;
    if (role.drop === true) this.skip(below);
    else this.#value(field, below);
    if (role.note === undefined) return;
    const isString = first === quote;
    const note = this.notes[role.note] as Note;
    // The same place twice in one document: which of them counts is for others to say.
    if (note.document === this.document) this.odd = true;
    note.document = this.document;
    note.start = isString ? start + 1 : start;
    note.end = isString ? this.at - 1 : this.at;
    note.first = first;
    note.plain = isString && this.stringForm === plainString;
    const dropped = role.drop === true;
    note.token = dropped ? -1 : token;
    note.tokenEnd = dropped ? -1 : writer.tokensEnd;
    note.text = dropped ? -1 : text;
    note.textEnd = dropped ? -1 : writer.textEnd;
  }

  #keyed(place: Place, below: number): boolean {
    const { writer, source } = this;
    const field = place.anyField;
    const keys = new Set<string>();
    writer.byte(tag.keyedTag);
    this.at += 1;
    this.space();
    if (source[this.at] === closeBrace) this.at += 1;
    else {
      do {
        this.space();
        if (source[this.at] !== quote) throw this.unexpected();
        this.string();
        if (this.stringForm !== plainString) return false;
        const key = source.toString('latin1', this.stringStart, this.stringEnd);
        // JSON.parse lets the last of two win, and makes an own property of this one.
        if (keys.has(key) || key === '__proto__') return false;
        keys.add(key);
        const role = place.roleOf(key);
        if (role.drop !== true) this.#writeString(field);
        this.expect(colon);
        this.space();
        if (place.strings && source[this.at] !== quote) this.odd = true;
        // Nothing is noted here, and below all keys are one: what is asked of this one is for others to find.
        if (role.note !== undefined || role.expect !== undefined || role.within !== undefined) this.odd = true;
        if (role.drop === true) this.skip(below);
        else this.#value(field, below);
      } while (!this.ends(closeBrace));
    }
    writer.byte(tag.endTag);
    return true;
  }
}
