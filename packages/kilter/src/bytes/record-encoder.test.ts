import { describe, expect, test } from 'vitest';
import { codec } from './codec.test-support.ts';
import type { Role } from './shapes.ts';

const role: Role = {
  within: {
    name: { note: 1, inline: true },
    gone: { note: 2, drop: true },
    labels: { note: 3, expect: 'strings' },
    owners: { expect: 'objects' },
    n: { note: 31 },
  },
};

describe('a note', () => {
  test('says what the value is, and where it stands in the document and in the record', () => {
    const { encoder, decoder, roundTrip } = codec(role);
    const text = '{"x":"before","name":"web","labels":{"a":"b"},"gone":"away","n":7}';
    for (let time = 0; time < 2; time += 1) {
      roundTrip(text);
      const [name, gone, labels, n] = [1, 2, 3, 31].map((number) => encoder.note(number));
      expect(name).toMatchObject({
        start: text.indexOf('web'),
        end: text.indexOf('web') + 3,
        first: 0x22,
        plain: true,
      });
      expect(gone).toMatchObject({ start: text.indexOf('away'), end: text.indexOf('away') + 4, token: -1, text: -1 });
      expect(labels).toMatchObject({ start: text.indexOf('{"a"'), end: text.indexOf(',"gone"'), first: 0x7b });
      expect(labels?.plain).toBe(false);
      expect(n).toMatchObject({ start: text.indexOf('7'), end: text.indexOf('7') + 1, first: 0x37, plain: false });
      const read = (note: typeof name): unknown =>
        decoder.decode(
          encoder.tokens.subarray(note?.token, note?.tokenEnd),
          0,
          encoder.text.toString('latin1', note?.text, note?.textEnd),
        );
      expect([name, labels, n].map(read)).toEqual(['web', { a: 'b' }, 7]);
      expect((name?.textEnd ?? 0) - (name?.text ?? 0)).toBe('web'.length);
    }
  });

  test.each([
    ['"web"', true],
    ['"w\\u0065b"', false],
    ['"wéb"', false],
    ['7', false],
    ['null', false],
  ])('of %s is plain: %s', (value, plain) => {
    const { encoder, roundTrip } = codec(role);
    roundTrip(`{"name":${value},"x":"plain"}`);
    expect(encoder.note(1)?.plain).toBe(plain);
  });

  test('is there for a document that has the place, from the first on', () => {
    const { encoder, roundTrip } = codec(role);
    roundTrip('{"name":"a"}');
    expect([encoder.note(1)?.start, encoder.note(2)]).toEqual([9, undefined]);
    roundTrip('{"gone":1}');
    expect([encoder.note(1), encoder.note(2)?.start]).toEqual([undefined, 8]);
  });
});

describe('a document is odd', () => {
  test.each([
    ['{"labels":{"a":"b"},"owners":[{"x":1}],"name":"a"}', false],
    ['{"labels":{"a":1}}', true],
    ['{"owners":[{},1]}', true],
    ['{"owners":{}}', true],
    ['{"owners":[]}', false],
    ['{"labels":{}}', false],
    ['{"name":"a","name":"b"}', true],
    ['{"x":{"a":1}}', false],
  ])('%s: %s', (text, odd) => {
    const { encoder, roundTrip } = codec(role);
    expect(encoder.odd).toBe(false);
    for (let time = 0; time < 2; time += 1) {
      roundTrip(text);
      expect([encoder.odd, encoder.infinite]).toEqual([odd, false]);
      roundTrip('{}');
      expect(encoder.odd).toBe(false);
    }
  });

  test('where labels with ever new keys have a value that is not a string', () => {
    const { encoder, roundTrip } = codec(role);
    for (let n = 0; n < 40; n += 1) roundTrip(`{"labels":{"key-${n}":"x"}}`);
    roundTrip('{"labels":{"a":"b", "c": "d"}}');
    expect(encoder.odd).toBe(false);
    roundTrip('{"labels":{"a": 1}}');
    expect(encoder.odd).toBe(true);
  });
});

test('where something is asked of what is inside of an object that is kept with its keys, a document that has it is odd', () => {
  const { encoder, roundTrip } = codec({ within: { spec: { within: { size: { note: 1 } } } } });
  for (let n = 0; n < 40; n += 1) roundTrip(`{"key-${n}":1}`);
  const isOdd = (text: string): boolean => {
    roundTrip(text);
    return encoder.odd;
  };
  expect([isOdd('{"spec":{"size":1}}'), isOdd('{"other":{"size":1}}')]).toEqual([true, false]);
});

test('what is learned of a key counts wherever it is in its object', () => {
  const { pool, roundTrip } = codec();
  for (let n = 0; n < 100; n += 1) roundTrip(`{"id":"first-${n}"}`);
  const { length } = pool.strings;
  for (let n = 0; n < 40; n += 1) roundTrip(`{"kind":1,"id":"second-${n}"}`);
  expect(pool.strings).toHaveLength(length);
});

describe('objects that are kept with their keys', () => {
  const manyKeys = (): ReturnType<typeof codec> => {
    const made = codec();
    for (let n = 0; n < 40; n += 1) made.roundTrip(`{"key-${n}":1}`);
    return made;
  };
  test.each([
    '{}',
    ' { } ',
    '{"a":1}',
    '{ "a" : 1 , "b" : "x" }',
    '{"a":{"a":{"a":[{}]}},"b":""}',
    '{"a":1,"b":2,"a":3}',
    '{"__proto__":{"x":1},"a":2}',
    '{"é":1,"\\n":2}',
    '{"toString":1}',
  ])('give back what JSON.parse gives: %s', (text) => {
    const { encoder, roundTrip } = manyKeys();
    expect(JSON.stringify(roundTrip(text))).toBe(JSON.stringify(JSON.parse(text)));
    // Nothing is asked of it.
    expect(encoder.odd).toBe(false);
  });
  test.each(['{"a"}', '{"a":}', '{"a":1,}', '{a:1}', '{"a" "b"}', '{"a":1', '{,}'])('refuse %s', (text) => {
    expect(() => manyKeys().roundTrip(text)).toThrow(/at byte/);
  });
});

describe('strings', () => {
  const encoded = ({ encoder }: ReturnType<typeof codec>): number => encoder.tokensEnd + encoder.textEnd;

  test('that come again are kept once, up to 64 bytes', () => {
    const made = codec();
    const [pooled, long] = ['p'.repeat(64), 'l'.repeat(65)];
    const size = (text: string): number => {
      for (let time = 0; time < 2; time += 1) expect(made.roundTrip(`{"a":"${text}"}`)).toEqual({ a: text });
      return encoded(made);
    };
    expect(size(pooled)).toBeLessThan(10);
    expect(size(long)).toBeGreaterThan(65);
    expect(size('')).toBeLessThan(10);
    expect(made.pool.strings).toEqual([pooled]);
  });

  test('the first of all is found again, too', () => {
    const made = codec();
    made.roundTrip('{"a":"first"}');
    const once = encoded(made);
    made.roundTrip('{"a":"first"}');
    expect([encoded(made), made.pool.strings]).toEqual([once, ['first']]);
  });

  test('of a field that is noted inline stand in the record', () => {
    const made = codec(role);
    for (let time = 0; time < 3; time += 1) made.roundTrip('{"name":"web"}');
    expect([made.pool.strings, made.encoder.text.toString('latin1', 0, 3)]).toEqual([[], 'web']);
  });

  test.each([
    ['new each time', 48, (n: number) => `uid-${n}`],
    ['the same every second time', 48, (n: number) => (n % 2 === 0 ? `uid-${n}` : 'same')],
    ['the same three times of four', 100, (n: number) => (n % 4 === 3 ? `uid-${n}` : 'same')],
  ])('of a field that are %s: the pool takes at most %d of them', (_, most, value) => {
    const made = codec();
    made.roundTrip('{"other":"same"}');
    for (let n = 0; n < 400; n += 1) expect(made.roundTrip(`{"a":"${value(n)}"}`)).toEqual({ a: value(n) });
    expect(made.pool.strings.length - 1).toBe(most);
    // Another field has learned nothing of it.
    made.roundTrip('{"b":"new"}');
    expect(made.pool.strings.at(-1)).toBe('new');
  });

  test.each([190, 191, 192, 193])('of %d bytes come back whole, and what stands behind them', (size) => {
    const text = JSON.stringify({ a: 'x'.repeat(size), b: 'y'.repeat(size), c: 'end' });
    expect(JSON.stringify(codec().roundTrip(text))).toBe(text);
  });
});

test.each([0, 31, 32, 127, 128, 1e14, 999_999_999_999_999, 1_000_000_000_000_000, 2 ** 53 - 1, 2 ** 53])(
  'the number %d and its negative come back as they were',
  (number) => {
    const { roundTrip } = codec();
    for (const text of [`[${number}]`, `[-${number}]`, `[${number}.0]`]) {
      expect(Object.is((roundTrip(text) as number[])[0], (JSON.parse(text) as number[])[0])).toBe(true);
    }
  },
);

test('small numbers take a byte, whole ones of 15 digits no text', () => {
  const size = (text: string): [number, number] => {
    const { encoder } = codec();
    encoder.encode(Buffer.from(text), 0);
    return [encoder.tokensEnd, encoder.textEnd];
  };
  expect([size('0'), size('31'), size('32')]).toEqual([
    [1, 0],
    [1, 0],
    [2, 0],
  ]);
  expect(size('999999999999999')[1]).toBe(0);
  expect(size('-999999999999999')[1]).toBe(0);
  expect(size('1000000000000000')[1]).toBe(16);
});

describe('a null that means that there is no such field', () => {
  const item: Role = { within: { gone: { absentWhenNull: true }, a: {} } };
  const asked: Role = { within: { items: item, gone: { absentWhenNull: true } } };

  test.each<[string, unknown]>([
    ['{"gone":null}', {}],
    ['{"a":1,"gone":null,"b":2}', { a: 1, b: 2 }],
    ['{"gone":0,"b":2}', { gone: 0, b: 2 }],
    [
      '{"items":[{"a":1,"gone":null},{"gone":null,"a":2},{"gone":"x"}]}',
      { items: [{ a: 1 }, { a: 2 }, { gone: 'x' }] },
    ],
    ['{"gone":null,"gone":1}', { gone: 1 }],
    ['{"gone":null,"gone":null}', {}],
  ])('%s is read without it', (text, expected) => {
    const { encoder, roundTrip } = codec(asked);
    for (let time = 0; time < 2; time += 1) {
      expect(roundTrip(text)).toEqual(expected);
      expect(encoder.nulls).toBe(false);
    }
  });

  test('others are kept, and told', () => {
    const { encoder, roundTrip } = codec(asked);
    expect(roundTrip('{"gone":null,"b":null}')).toEqual({ b: null });
    expect(encoder.nulls).toBe(true);
    // Which of two counts is for JSON.parse to say.
    expect(roundTrip('{"gone":1,"gone":null}')).toEqual({ gone: null });
    expect(encoder.nulls).toBe(true);
  });
});

test('C-09: of each document anew is said whether it has a number that no double holds', () => {
  const { encoder } = codec();
  const said = ['{"n":1}', '{"n":1e999}', '{"n":1}', '[-1e400]', '[1e308]'].map((text) => {
    encoder.encode(Buffer.from(text), 0);
    return encoder.infinite;
  });
  expect(said).toEqual([false, true, false, true, false]);
});
