import { describe, expect, test } from 'vitest';
import { codec } from './codec.test-support.ts';

/** Decodes what the encoder made of a text into an object that has something already. */
function into(text: string, before: Record<string, unknown> = {}, prepare: readonly string[] = []): unknown {
  const { encoder, decoder, roundTrip } = codec();
  for (const one of prepare) roundTrip(one);
  encoder.encode(Buffer.from(text), 0);
  const { tokens, text: ascii } = encoder;
  // Behind other bytes, as a record is in a slab.
  const source = Buffer.concat([Buffer.of(1, 2, 3), tokens]);
  decoder.decodeInto(before, source, { token: 3, text: ascii.toString('latin1') });
  return before;
}

/** Texts that leave a place with too many different keys, so that objects are kept with theirs. */
const manyKeys = Array.from({ length: 40 }, (_, n) => `{"key-${n}":1}`);

describe('the members of an object become those of another, behind what it has', () => {
  // Strings that are too long for the pool are in the text of the record.
  const text = `{"a":"${'text'.repeat(20)}","b":[1,{"c":null}],"toString":"own","d":"${'more'.repeat(20)}"}`;
  test.each<[how: string, text: string, prepare: readonly string[]]>([
    ['with its keys as a shape', text, []],
    ['with its keys beside its values', text, manyKeys],
    ['with its keys, one of which no shape has', text.replace('"d"', '"__proto__":{"x":1},"d"'), []],
    ['as JSON text', text.replace('"d"', '"__proto__":{"x":1},"é":2,"d"'), []],
  ])('%s', (_, given, prepare) => {
    const object = into(given, { kind: 'Pod' }, prepare) as Record<string, unknown>;
    const expected = { kind: 'Pod', ...(JSON.parse(given) as object) };
    expect(JSON.stringify(object)).toBe(JSON.stringify(expected));
    expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
  });

  test('where it has a member of that name, the new value wins in the old place', () => {
    expect(JSON.stringify(into('{"b":2,"a":3}', { a: 1, z: 0 }))).toBe('{"a":3,"z":0,"b":2}');
  });
});

test('names that every object has are members of their own, also where prototypes are frozen', () => {
  const shaped = into(
    '{"constructor":1,"valueOf":{"a":2}}',
    Object.create(Object.freeze({ constructor: 0, valueOf: 0 })),
  );
  expect(Object.entries(shaped as object)).toEqual([
    ['constructor', 1],
    ['valueOf', { a: 2 }],
  ]);
  const keyed = into('{"constructor":1}', Object.create(Object.freeze({ constructor: 0 })), manyKeys);
  expect(Object.entries(keyed as object)).toEqual([['constructor', 1]]);
});

test('shapes are told apart by all three bytes of their number', () => {
  const { roundTrip, shapes } = codec();
  const first = '{"first":{"a":1}}';
  roundTrip(first);
  // More than 65,536 is more than are learned; more than 256 are enough for the second byte.
  for (let n = 0; shapes.count < 700; n += 1) roundTrip(`{"place-${n % 30}":{"key-${n}":{"x":${n}}}}`);
  for (const text of [first, '{"place-1":{"key-1":{"x":5}}}', '{"place-29":{"key-29":{"x":"y"}}}']) {
    expect(JSON.stringify(roundTrip(text))).toBe(text);
  }
});
