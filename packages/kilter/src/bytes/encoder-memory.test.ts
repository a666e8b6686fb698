// The encoder works on a copy of a part of its source, in memory that all encoders share.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { codec } from './codec.test-support.ts';
import { memory } from './encoder-memory.ts';
import { NotJson } from './scanner.ts';

const windowSize = 128 * 1024;
const role = { within: { name: { note: 1, inline: true } } };

/** What the encoder makes of the value that begins at `start`, and where it ends. */
function read({ encoder, decoder }: ReturnType<typeof codec>, source: Buffer, start: number): [unknown, number] {
  const end = encoder.encode(source, start);
  return [decoder.decode(Buffer.from(encoder.tokens), 0, encoder.text.toString('latin1')), end];
}

describe('of a source that is larger than what is at hand at once', () => {
  test.each([
    '{"name":"x","n":12345}',
    '{"name":"x","list":[true,false,null,-1.5e3,"é\\n\\u00e9"]}',
    '1234567890',
    '"text"',
    'true',
    '-12',
  ])('a value is read whole wherever it is cut: %s', (text) => {
    const made = codec(role);
    // The first document says that the next ones are small: they are looked for in what is at hand.
    for (let cut = 0; cut <= text.length; cut += 1) {
      const source = Buffer.from(`1${' '.repeat(windowSize - 1 - cut)}${text}${' '.repeat(windowSize)}`);
      expect(read(made, source, 0)).toEqual([1, 1]);
      const start = windowSize - cut;
      // Also from its middle on, so that the value is at hand as far as the cut and no further.
      for (const from of [start, start - 40]) {
        expect(read(made, source, from)).toEqual([JSON.parse(text), start + Buffer.byteLength(text)]);
      }
      if (text.startsWith('{')) {
        const { start: noted = 0, end: notedEnd = 0 } = made.encoder.note(1) ?? {};
        expect(source.toString('latin1', noted, notedEnd)).toBe('x');
      }
    }
  });

  test('one value after the other is read', () => {
    const made = codec();
    const values = Array.from({ length: 3000 }, (_, n) => ({ n, text: 'x'.repeat(n % 400) }));
    const source = Buffer.from(JSON.stringify(values));
    const found: unknown[] = [];
    for (let at = 1; source[at - 1] !== 0x5d; at += 1) {
      const [value, end] = read(made, source, at);
      found.push(value);
      at = end;
    }
    expect(found).toEqual(values);
  });

  test.each([windowSize, 10 * windowSize])('a value of more than %d bytes is read', (size) => {
    const value = { list: Array.from({ length: size / 10 }, (_, n) => [`s${n % 7}`, n, {}]), text: 'y'.repeat(size) };
    const source = Buffer.from(`  ${JSON.stringify(value)} `);
    const [found, end] = read(codec(), source, 1);
    expect(JSON.stringify(found)).toBe(JSON.stringify(value));
    expect(end).toBe(source.length - 1);
  });

  test('what is not JSON is refused with its place in the source', () => {
    const filler = `"${'x'.repeat(3 * windowSize)}"`;
    const [text, cut] = [`[${filler},tru]`, `[${filler},"`];
    const { encoder } = codec();
    const refused = (source: string): unknown => {
      try {
        return encoder.encode(Buffer.from(source), 0);
      } catch (error) {
        return error;
      }
    };
    expect(refused(text)).toEqual(new NotJson('something unexpected stands', text.length - 4));
    expect(refused(cut)).toEqual(new NotJson('the text ends', cut.length));
    expect(refused(`[x${filler}]`)).toEqual(new NotJson('something unexpected stands', 1));
  });
});

test('encoders that take turns do not disturb each other', () => {
  const [a, b] = [codec(role), codec({ within: { gone: { drop: true } } })];
  for (let n = 0; n < 200; n += 1) {
    expect(a.roundTrip(`{"name":"a${n % 5}","gone":1}`)).toEqual({ name: `a${n % 5}`, gone: 1 });
    expect(b.roundTrip(`{"gone":[${n}],"name":"b${n % 5}","x":{"y":"b${n % 3}"}}`)).toEqual({
      name: `b${n % 5}`,
      x: { y: `b${n % 3}` },
    });
    // What is noted is that of the last document of all.
    expect(a.encoder.note(1)).toBeUndefined();
  }
  expect(a.pool.strings).toEqual([]);
  expect(b.pool.strings.toSorted()).toEqual(['b0', 'b1', 'b2', 'b3', 'b4', 'b0', 'b1', 'b2'].filter(unique).toSorted());
});

const unique = (text: string, index: number, all: readonly string[]): boolean => all.indexOf(text) === index;

test('a key of more than a kilobyte stands in the record, and nothing of the object is lost', () => {
  const { roundTrip, shapes } = codec();
  for (const size of [1023, 1024, 1025, 10_000]) {
    const text = `{"a":1,"${'k'.repeat(size)}":"v","b":{"c":2}}`;
    for (let time = 0; time < 2; time += 1) expect(JSON.stringify(roundTrip(text))).toBe(text);
  }
  expect(shapes.count).toBeLessThan(20);
});

/** So many different strings go into the pool of one field, which keeps pooling because four of five are known. */
function fill({ roundTrip }: ReturnType<typeof codec>, all: readonly string[]): void {
  for (let from = 0; from < all.length; from += 500) {
    const some = all.slice(from, from + 500).flatMap((text) => [text, ...Array.from({ length: 4 }, () => 'same')]);
    expect(roundTrip(`{"x":${JSON.stringify(some)}}`)).toEqual({ x: some });
  }
}

describe('strings are shared', () => {
  test('up to 65,536 of them, and found again whatever their number', () => {
    const made = codec();
    const all = Array.from({ length: 66_000 }, (_, n) => String(n).padStart(8, '.'));
    fill(made, all);
    expect(made.pool.strings).toHaveLength(65_536);
    for (const n of [0, 1, 255, 256, 257, 40_000, 65_534, 65_535]) {
      expect(made.roundTrip(`{"y":"${all[n]}"}`)).toEqual({ y: all[n] });
      // One place of the pool is taken by the string that comes again.
      expect([n, made.encoder.textEnd]).toEqual([n, n < 65_535 ? 0 : 8]);
    }
  });

  test('up to 64 bytes each, whatever their size and however they are alike', () => {
    const made = codec();
    const all = Array.from({ length: 65 }, (_, size) => [0, 1].map((n) => 'x'.repeat(size) + String(n))).flat();
    for (let time = 0; time < 2; time += 1) fill(made, all);
    expect(made.pool.strings.toSorted()).toEqual([...all.filter(({ length }) => length <= 64), 'same'].toSorted());
  });
});

test.each([
  ['{"a":12345}', '{"a":123'],
  ['{"a":"text"}', '{"a":"te'],
  ['[true,false]', '[true'],
  ['[1,2,3,4,5]', '[1,'],
])('what a text left behind is not taken for the end of the next one: %s, %s', (whole, cut) => {
  const { roundTrip } = codec();
  expect(roundTrip(whole)).toEqual(JSON.parse(whole));
  expect(() => roundTrip(cut)).toThrow('the text ends');
  expect([roundTrip('12345'), roundTrip('123')]).toEqual([12_345, 123]);
});

test('the keys of documents that are refused half-way are forgotten', () => {
  const { exports } = memory();
  const { roundTrip } = codec();
  const keys = Array.from({ length: 1000 }, (_, n) => `"key-${n}":1`).join(',');
  const refuse = (): void => {
    for (let n = 0; n < 20; n += 1) expect(() => roundTrip(`{${keys}`)).toThrow(/at byte/);
  };
  refuse();
  const once = exports.memory.buffer.byteLength;
  // Kept, they would take 8 KB each time, and twice that whenever there is no room for more.
  for (let round = 0; round < 100; round += 1) refuse();
  expect(exports.memory.buffer.byteLength - once).toBeLessThan(5 * 1024 * 1024);
});

test('what an encoder learned is given back when it is gone', async () => {
  const { exports } = memory();
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (options: object) => Promise<void>;
  const document = Array.from({ length: 200 }, (_, n) => `"k${n}":"b${n}"`).join(',');
  const learn = (): void => {
    for (let n = 0; n < 100; n += 1) codec().roundTrip(`{${document}}`);
  };
  learn();
  const once = exports.memory.buffer.byteLength;
  // Kept, each round would take more than a megabyte, for each of which there is no room in what there is. When the engine tells of what
  // is gone is its own affair: some rounds may go by.
  for (let round = 0; round < 8; round += 1) {
    for (let time = 0; time < 3; time += 1) await gc({ type: 'major', execution: 'async' });
    learn();
  }
  expect(exports.memory.buffer.byteLength - once).toBeLessThan(5 * 1024 * 1024);
});
