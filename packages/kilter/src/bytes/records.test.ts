import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byOracle, codec, exactly, verdict } from './codec.test-support.ts';
import { deepest, NotJson, Scanner } from './scanner.ts';
import type { Role } from './shapes.ts';

describe('a record', () => {
  test.each([
    '{}',
    '[]',
    'null',
    '"text"',
    '[0,31,32,127,128,-1,-0,1e3,0.1,-1.5E-7,123456789012345,1234567890123456,9007199254740993,1e999]',
    '{"a":{"b":[{"c":1},{"c":2,"d":[]},{}]}}',
    '{"a":"\\u00e9\\ud83d\\ude00\\ud800\\n\\"\\\\\\/","b":"é😀","":""}',
    '{"__proto__":{"polluted":true},"constructor":1,"toString":"x"}',
    '{"a":1,"b":2,"a":3}',
    '{"1":1,"b":2,"0":3}',
    ' { "a" : [ 1 , true , false , null ] , "b" : { } } ',
    `{"long":"${'x'.repeat(1000)}","short":"${'y'.repeat(191)}","edge":"${'z'.repeat(192)}"}`,
  ])('gives back what JSON.parse gives: %s', (text) => {
    const { roundTrip } = codec();
    // The second time shapes and strings are known.
    for (let time = 0; time < 3; time += 1) {
      expect(exactly(verdict(() => roundTrip(text)))).toBe(exactly(byOracle(Buffer.from(text))));
      expect(roundTrip(text)).toEqual(JSON.parse(text));
    }
  });

  test.each([
    '',
    '{',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{,}',
    '[1,]',
    '[1 2]',
    '01',
    '-',
    '1.',
    '1e',
    '.5',
    '+1',
    'tru',
    'nul',
    '"\\x"',
    '"\\u12g4"',
    '"\\u12"',
    '"tab\there"',
    '"open',
    '"end\\',
    '{a:1}',
    "{'a':1}",
    '{"a":1}}',
    '\u00a0{}',
    'NaN',
  ])('refuses what JSON.parse refuses: %j', (text) => {
    expect(byOracle(Buffer.from(text))).toBe('refused');
    expect(() => codec().roundTrip(text)).toThrow(NotJson);
    const scanner = new Scanner();
    scanner.source = Buffer.from(text);
    expect(() => {
      scanner.skip(0);
      scanner.space();
      if (scanner.at !== scanner.source.length) throw scanner.unexpected();
    }).toThrow(NotJson);
  });

  test('agrees with JSON.parse on any value, whatever was encoded before', () => {
    const { roundTrip } = codec();
    const key = fc.oneof(fc.constantFrom('a', 'b', 'name', 'labels', '__proto__', 'é', '"', '0'), fc.string());
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom(null, true, false),
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.string({ unit: 'binary' }),
        fc.constantFrom('True', 'Ready', 'default'),
        fc.array(tie('value'), { maxLength: 5 }),
        fc
          .array(fc.tuple(key, tie('value')), { maxLength: 6 })
          .map((entries) => new Map(entries as [string, unknown][])),
      ),
    }));
    const print = (given: unknown): string => {
      if (given instanceof Map) {
        return `{${[...given].map(([name, one]) => `${JSON.stringify(name)}:${print(one)}`).join(',')}}`;
      }
      return Array.isArray(given) ? `[${given.map(print).join(',')}]` : JSON.stringify(given);
    };
    fc.assert(
      fc.property(value, (given) => {
        const text = print(given);
        expect(exactly({ value: roundTrip(text) })).toBe(JSON.stringify(JSON.parse(text)));
      }),
      { numRuns: 1000 },
    );
  });

  test('agrees with JSON.parse on damaged text', () => {
    const { roundTrip } = codec();
    const whole = Buffer.from(
      '{"kind":"Pod","metadata":{"name":"a","labels":{"x":"é\\n"}},"spec":{"n":[1,-2.5e3,true,null,"\\u00e9"],"m":{}}}',
    );
    const damage = fc.array(
      fc.record({
        at: fc.nat(whole.length - 1),
        byte: fc.oneof(fc.nat(255), fc.constantFrom(...Buffer.from('{}[]",:\\0'))),
        cut: fc.boolean(),
      }),
      { minLength: 1, maxLength: 3 },
    );
    fc.assert(
      fc.property(damage, (deeds) => {
        let bytes = Buffer.from(whole);
        for (const { at, byte, cut } of deeds) {
          if (at >= bytes.length) continue;
          if (cut) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
          else bytes[at] = byte;
        }
        expect(exactly(verdict(() => roundTrip(bytes)))).toBe(exactly(byOracle(bytes)));
      }),
      { numRuns: 3000 },
    );
  });

  test(`refuses what is nested deeper than ${deepest} levels, and takes what is not`, () => {
    const { roundTrip } = codec();
    const nested = (levels: number): string => `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`;
    expect(roundTrip(nested(deepest))).toEqual(JSON.parse(nested(deepest)));
    expect(() => roundTrip(nested(deepest + 2))).toThrow('levels');
  });

  test('a place with ever new keys is learned up to a bound, and nothing is lost', () => {
    const { roundTrip, shapes } = codec();
    for (let n = 0; n < 2000; n += 1) {
      const text = JSON.stringify({ metadata: { labels: { [`key-${n}`]: `${n}`, [`more-${n}`]: 'x' } } });
      expect(JSON.stringify(roundTrip(text))).toBe(text);
    }
    expect(shapes.count).toBeLessThan(200);
  });

  test('deep trees of new keys fill the table of shapes and no more', () => {
    const { roundTrip, shapes } = codec();
    let seed = 1;
    const next = (): number => (seed = (seed * 48_271) % 2_147_483_647);
    const tree = (levels: number): unknown =>
      levels === 0 ? 1 : Object.fromEntries([0, 1, 2].map(() => [`k${next() % 1000}`, tree(levels - 1)]));
    for (let n = 0; n < 60; n += 1) {
      const text = JSON.stringify(tree(6));
      expect(JSON.stringify(roundTrip(text))).toBe(JSON.stringify(JSON.parse(text)));
    }
    expect(shapes.count).toBeLessThan(60_000);
  });
});

describe('notes and roles', () => {
  const role: Role = {
    within: {
      kind: { note: 1, drop: true },
      metadata: {
        within: {
          name: { note: 2, inline: true },
          labels: { note: 3, expect: 'strings' },
          owners: { note: 4, expect: 'objects' },
          big: { note: 5, drop: true },
        },
      },
    },
  };

  test('say where a value stands, and leave out what is dropped', () => {
    const { encoder, roundTrip } = codec(role);
    const text = '{"kind":"Pod","metadata":{"big":[{"x":1}],"labels":{"a":"b"},"name":"web"},"spec":1}';
    for (let time = 0; time < 3; time += 1) {
      expect(roundTrip(text)).toEqual({ metadata: { labels: { a: 'b' }, name: 'web' }, spec: 1 });
      const at = (number: number): string => {
        const note = encoder.note(number);
        return note === undefined ? '' : text.slice(note.start, note.end);
      };
      expect([1, 2, 3, 4, 5].map(at)).toEqual(['Pod', 'web', '{"a":"b"}', '', '[{"x":1}]']);
      const name = encoder.note(2);
      expect(encoder.text.toString('latin1', name?.text, (name?.text ?? 0) + 3)).toBe('web');
      expect(encoder.odd).toBe(false);
    }
  });

  test('leave out what is dropped where every document has other keys', () => {
    const { roundTrip } = codec({ within: { data: { within: { secret: { drop: true } } } } });
    for (let n = 0; n < 200; n += 1) {
      const text = `{"data":{"k${n}":1,"secret":{"x":[2]},"l${n}":3}}`;
      expect(roundTrip(text)).toEqual({ data: { [`k${n}`]: 1, [`l${n}`]: 3 } });
    }
  });

  test('a note of the document before does not count', () => {
    const { encoder, roundTrip } = codec(role);
    roundTrip('{"metadata":{"name":"a"}}');
    roundTrip('{"metadata":{}}');
    expect(encoder.note(2)).toBeUndefined();
  });

  test.each([
    '{"metadata":{"labels":{"a":1}}}',
    '{"metadata":{"labels":null}}',
    '{"metadata":{"labels":["a"]}}',
    '{"metadata":{"owners":{}}}',
    '{"metadata":{"owners":[1]}}',
    '{"metadata":{"name":"a","name":"b"}}',
    '{"metadata":{"name":"a"},"metadata":{"name":"b"}}',
    '{"metadata":{"na\\u006de":"a"}}',
  ])('are odd where something is not as expected: %s', (text) => {
    const { encoder, roundTrip } = codec(role);
    for (let time = 0; time < 2; time += 1) {
      roundTrip(text);
      expect(encoder.odd).toBe(true);
    }
  });

  test('keep only what is named', () => {
    const { roundTrip } = codec({ only: true, within: { metadata: {}, spec: { only: true, within: { node: {} } } } });
    expect(roundTrip('{"x":1,"metadata":{"name":"a"},"spec":{"node":"n","y":[2]},"z":{"spec":1}}')).toEqual({
      metadata: { name: 'a' },
      spec: { node: 'n' },
    });
  });
});
