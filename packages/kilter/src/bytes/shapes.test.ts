import { describe, expect, test } from 'vitest';
import { codec } from './codec.test-support.ts';
import { keyedTag, shapedTag } from './tags.ts';

describe('key sequences are learned', () => {
  test('once each: the same keys in the same order cost nothing more', () => {
    const { roundTrip, shapes } = codec();
    roundTrip('{"a":1,"b":{"c":2}}');
    const { count } = shapes;
    for (const text of ['{"a":5,"b":{"c":"x"}}', ' {"a" : 5, "b": {"c":null} }']) roundTrip(text);
    expect(shapes.count).toBe(count);
    roundTrip('{"b":{"c":2},"a":1}');
    expect(shapes.count).toBe(count + 2);
    roundTrip('{"a":1,"b":{"c":2}}');
    expect(shapes.count).toBe(count + 2);
  });

  test('up to 32 that go on from one; then a place keeps its keys, and others go on learning', () => {
    const { roundTrip, shapes, encoder } = codec();
    roundTrip('{"data":{}}');
    const before = shapes.count;
    for (let n = 0; n < 32; n += 1) roundTrip(`{"data":{"key-${n}":1}}`);
    expect(shapes.count).toBe(before + 32);
    for (let n = 0; n < 100; n += 1) {
      const text = `{"data":{"other-${n}":${n}}}`;
      expect(JSON.stringify(roundTrip(text))).toBe(text);
    }
    expect(shapes.count).toBe(before + 32);
    // Also for keys it had learned: from now on they are in the record.
    roundTrip('{"data":{"key-1":1}}');
    const [outer, , , , inner] = encoder.tokens;
    expect([outer, inner]).toEqual([shapedTag, keyedTag]);
    roundTrip('{"else":{"a":1}}');
    expect(shapes.count).toBe(before + 35);
  });

  test('of an object with very many keys only the first ones, and nothing of it is lost', () => {
    const { roundTrip, shapes } = codec();
    roundTrip('{"labels":{}}');
    const before = shapes.count;
    const text = `{"labels":{${Array.from({ length: 100_000 }, (_, n) => `"l${n}":"v"`).join(',')}}}`;
    expect(JSON.stringify(roundTrip(text))).toBe(text);
    expect(shapes.count).toBe(before + 256);
  });

  test('a key that comes twice, or is __proto__, is no reason to stop learning', () => {
    const { roundTrip, shapes } = codec();
    for (const text of ['{"a":1,"a":2}', '{"__proto__":1}', '{"b":1,"__proto__":{"x":1}}']) {
      for (let time = 0; time < 3; time += 1) {
        const read = roundTrip(text) as object;
        expect(JSON.stringify(read)).toBe(JSON.stringify(JSON.parse(text)));
        expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
      }
    }
    const { count } = shapes;
    roundTrip('{"new":1}');
    expect(shapes.count).toBe(count + 1);
  });

  test('50,000 in all; what comes then is kept whole and takes no more of them', () => {
    const { roundTrip, shapes } = codec();
    for (let n = 0; !shapes.full; n += 1) {
      const path = [n % 31, Math.floor(n / 31) % 31, Math.floor(n / 961)].map((part) => `"k${part}"`);
      roundTrip(`{${path[0]}:{${path[1]}:{${path[2]}:{"x":1,"y":2}}}}`);
    }
    expect(shapes.count).toBeGreaterThanOrEqual(50_000);
    expect(shapes.count).toBeLessThan(50_010);
    const { count } = shapes;
    for (const text of [
      '{"new":{"a":{"b":[{"c":"d"}]}}}',
      '{"k0":{"k0":{"unseen":{"x":1}}}}',
      '{"k0":{"k0":{"k0":{"x":1,"y":2}}}}',
    ]) {
      for (let time = 0; time < 2; time += 1) expect(JSON.stringify(roundTrip(text))).toBe(text);
    }
    expect(shapes.count).toBe(count);
  });
});

describe('roles', () => {
  test('are found by path, through lists, and not by names that every object has', () => {
    const { encoder, roundTrip } = codec({ within: { spec: { within: { image: { note: 1 } } } } });
    const text = '{"image":"a","toString":{"image":"b"},"spec":[{"image":"c"}]}';
    roundTrip(text);
    const { start = 0, end = 0 } = encoder.note(1) ?? {};
    expect(text.slice(start, end)).toBe('c');
  });

  test('that keep only what they name leave out the rest, at every depth', () => {
    const { roundTrip } = codec({ only: true, within: { a: { only: true, within: { b: {} } } } });
    for (let time = 0; time < 2; time += 1) {
      expect(roundTrip('{"x":{"b":1},"a":{"x":1,"b":{"x":2}},"constructor":3}')).toEqual({ a: { b: { x: 2 } } });
    }
  });
});
