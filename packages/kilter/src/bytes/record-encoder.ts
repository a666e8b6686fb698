import { type Learner, memory } from './encoder-memory.ts';
import { deepest, NotJson, quote } from './scanner.ts';
import type { Field, Place, Shape, Shapes } from './shapes.ts';
import type { StringPool } from './string-pool.ts';

/** Where a place that has a role was found. */
export interface Note {
  /** The value in the source; of a string what stands between its quotes. */
  readonly start: number;
  readonly end: number;
  /** First byte of the value in the source: what it is. */
  readonly first: number;
  /** A string without escapes. */
  readonly plain: boolean;
  /** Where the value is in the record, and the text that belongs to it; -1 where it is not kept. */
  readonly token: number;
  readonly tokenEnd: number;
  readonly text: number;
  readonly textEnd: number;
}

/** Filled in when it is first asked for in a document: one for each would be garbage. */
type Filled = { -readonly [K in keyof Note]: Note[K] } & { document: number };

// The rest comes with the first document that has it.
const unfilled = (): Filled => ({ document: -1 }) as Filled;

// What the hot half calls what is asked of a field or a place; see tools/encoder.
const fieldFlag = {
  attended: 1,
  inline: 2,
  objects: 4,
  absentWhenNull: 8,
  drop: 16,
  expectStrings: 32,
  expectObjects: 64,
  noted: 128,
} as const;
const placeFlag = { strings: 1, asked: 2, rolesOfKeys: 4 } as const;
const failure = { unexpected: 0, badEscape: 1, notUtf8: 2, tooDeep: 3 } as const;
const resultFlag = { odd: 1, nulls: 2, infinite: 4 } as const;

/** The text goes on behind what the hot half has been given of it. */
class Cut extends Error {}

/** Turns JSON text into records, one document after the other; learns shapes and strings on the way. */
export class RecordEncoder implements Learner {
  /** Something is not as its role expects, or was written again, so that notes may be wrong. */
  odd = false;
  /** A null may be in the document: false only where there is none. */
  nulls = false;
  /** A number was passed that is beyond all finite ones, as JSON.parse would read it. */
  infinite = false;
  /** The sizes of the two parts of the record: its tokens and numbers, and the ASCII text of its strings. */
  tokensEnd = 0;
  textEnd = 0;
  /** Counts documents of all encoders: notes of earlier ones do not count. */
  #document = -1;
  /** 0: not yet. */
  #context = 0;
  readonly #shapes: Shapes;
  readonly #pool: StringPool;
  readonly #notes: Filled[] = [];
  readonly #places: Place[] = [];
  readonly #fields: Field[] = [];
  readonly #addresses = new Map<Place | Field, number>();

  constructor(shapes: Shapes, pool: StringPool) {
    this.#shapes = shapes;
    this.#pool = pool;
  }

  /** The tokens of what was encoded last, up to the next document. */
  get tokens(): Buffer {
    const { bytes, tokensAt } = memory();
    return bytes.subarray(tokensAt, tokensAt + this.tokensEnd);
  }

  /** The text of what was encoded last, up to the next document. */
  get text(): Buffer {
    const { bytes, tokensAt } = memory();
    const textAt = tokensAt + this.tokensEnd;
    return bytes.subarray(textAt, textAt + this.textEnd);
  }

  /** Copies the record, its tokens and behind them its text, to a place where there is room for it. */
  copyTo(target: Buffer, at: number): void {
    const { bytes, tokensAt } = memory();
    bytes.copy(target, at, tokensAt, tokensAt + this.tokensEnd + this.textEnd);
  }

  /** The note of this document, up to the next one; undefined where it has no such place. */
  note(number: number): Note | undefined {
    const from = memory();
    const document = this.#document;
    // Another encoder may have been at work since.
    if (from.result(0) !== document || from.noted(number, 0) !== document) return undefined;
    const note = (this.#notes[number] ??= unfilled());
    if (note.document !== document) {
      note.document = document;
      note.start = from.from + from.noted(number, 1);
      note.end = from.from + from.noted(number, 2);
      note.first = from.noted(number, 3);
      note.plain = from.noted(number, 4) !== 0;
      note.token = from.noted(number, 5);
      note.tokenEnd = from.noted(number, 6);
      note.text = from.noted(number, 7);
      note.textEnd = from.noted(number, 8);
    }
    return note;
  }

  /** Encodes the value that begins at `start`. Returns where it ends; throws NotJson. */
  encode(source: Buffer, start: number): number {
    const hot = memory();
    if (this.#context === 0) {
      this.#context = hot.context(this);
      hot.exports.setRoot(this.#context, this.#placeOf(this.#shapes.root));
    }
    this.#document = -1;
    hot.bring(source, start);
    const end = this.#encode(start);
    this.#document = hot.result(0);
    const flags = hot.result(1);
    this.odd = (flags & resultFlag.odd) !== 0;
    this.nulls = (flags & resultFlag.nulls) !== 0;
    this.infinite = (flags & resultFlag.infinite) !== 0;
    this.tokensEnd = hot.result(2);
    this.textEnd = hot.result(3);
    return end;
  }

  #encode(start: number): number {
    const hot = memory();
    for (;;) {
      try {
        const end = hot.encode(this, this.#context, start);
        // A number at the end of what is at hand may continue.
        if (!hot.partial || end < hot.end) return end;
      } catch (error) {
        if (!(error instanceof Cut)) throw error;
      }
      hot.bringMore(start);
    }
  }

  failed(what: number, address: number): Error {
    const hot = memory();
    if (hot.isCut(address)) return new Cut();
    const at = hot.position(address);
    switch (what) {
      case failure.badEscape:
        return new NotJson('a bad escape', at);
      case failure.notUtf8:
        return new NotJson('not UTF-8', at);
      case failure.tooDeep:
        return new NotJson(`more than ${deepest} levels`, at);
      default:
        return new NotJson(at >= hot.length ? 'the text ends' : 'something unexpected stands', at);
    }
  }

  extend(place: number, shape: number, key: number): number {
    const hot = memory();
    const found = this.#places[place] as Place;
    const { bytes } = hot;
    // Nothing is escaped in a key that is learned.
    const next = found.extend(this.#shapes.at(shape), bytes, { start: key, end: bytes.indexOf(quote, key) });
    if (found.keyed) hot.exports.setKeyed(this.#placeOf(found));
    return next === undefined ? 0 : this.#addShape(next, this.#fieldOf(next.field as Field));
  }

  inside(field: number): number {
    return this.#placeOf((this.#fields[field] as Field).placeInside());
  }

  absent(shape: number): number {
    const absent = this.#shapes.absent(this.#shapes.at(shape));
    return absent === undefined ? 0 : this.#addShape(absent, 0);
  }

  role(place: number, key: number, size: number): number {
    const role = (this.#places[place] as Place).roleOf(memory().bytes.toString('latin1', key, key + size));
    const attended = role.note !== undefined || role.expect !== undefined || role.within !== undefined;
    return (role.drop === true ? fieldFlag.drop : 0) | (attended ? fieldFlag.attended : 0);
  }

  pooled(string: number, size: number): void {
    this.#pool.strings.push(memory().bytes.toString('latin1', string, string + size));
  }

  #addShape(shape: Shape, field: number): number {
    return memory().exports.addShape(this.#context, shape.number, field);
  }

  #placeOf(place: Place): number {
    const known = this.#addresses.get(place);
    if (known !== undefined) return known;
    const { exports } = memory();
    const flags =
      (place.strings ? placeFlag.strings : 0) |
      (place.asked ? placeFlag.asked : 0) |
      (place.choosy ? placeFlag.rolesOfKeys : 0);
    const made = exports.addPlace(this.#context, this.#places.push(place) - 1, flags);
    this.#addresses.set(place, made);
    exports.finishPlace(made, this.#addShape(place.start, 0), this.#fieldOf(place.anyField));
    if (place.keyed) exports.setKeyed(made);
    return made;
  }

  #fieldOf(field: Field): number {
    const known = this.#addresses.get(field);
    if (known !== undefined) return known;
    const hot = memory();
    const { role, opening } = field;
    const made = hot.exports.addField(this.#context, this.#fields.push(field) - 1, opening.length);
    this.#addresses.set(field, made);
    hot.bytes.set(opening, hot.opening(made));
    const flags =
      (field.attended ? fieldFlag.attended : 0) |
      (field.inline ? fieldFlag.inline : 0) |
      (field.objects ? fieldFlag.objects : 0) |
      (field.absentWhenNull ? fieldFlag.absentWhenNull : 0) |
      (role.drop === true ? fieldFlag.drop : 0) |
      (role.expect === 'strings' ? fieldFlag.expectStrings : 0) |
      (role.expect === 'objects' ? fieldFlag.expectObjects : 0) |
      (role.note === undefined ? 0 : fieldFlag.noted);
    hot.exports.describeField(made, flags, role.note ?? 0);
    return made;
  }
}
