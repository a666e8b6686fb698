import { describe, expect, test } from 'vitest';
import { isInOrder, ordered, type Shape } from './key-order.ts';

const struct: Shape = {
  properties: { z: {}, a: { properties: { q: {}, p: {} } }, list: { items: { properties: { d: {}, c: {} } } } },
  zeroFields: { z: '' },
};

describe('the order of keys', () => {
  test.each<[string, unknown, Shape]>([
    ['fields of a struct', { z: 1, a: { q: 1, p: 2 }, list: [{ d: 1, c: 2 }] }, struct],
    ['keys of a map', { a: 1, b: { c: 1, d: 2 } }, {}],
    ['any order where the order is made', { b: 1, a: [{ d: 1, c: 2 }] }, { asMade: true }],
    ['an object in place of anything', { q: 1, p: 2 }, { alternatives: { object: { properties: { q: {}, p: {} } } } }],
  ])('is there: %s', (_, value, shape) => {
    expect(isInOrder(value, shape)).toBe(true);
    expect(JSON.stringify(ordered(value, shape))).toBe(JSON.stringify(value));
  });

  test.each<[string, unknown, Shape, string | undefined]>([
    ['a field after a later one', { a: {}, z: 1 }, struct, '{"z":1,"a":{}}'],
    ['a field below', { z: 1, a: { p: 1, q: 2 } }, struct, '{"z":1,"a":{"q":2,"p":1}}'],
    ['a field of an item', { z: 1, list: [{ c: 1, d: 2 }] }, struct, '{"z":1,"list":[{"d":2,"c":1}]}'],
    ['a field that is always written', { a: {} }, struct, '{"z":"","a":{}}'],
    ['a field nobody knows', { z: 1, other: 1, a: {} }, struct, '{"z":1,"a":{},"other":1}'],
    ['keys of a map', { b: 1, a: 2 }, {}, '{"a":2,"b":1}'],
    [
      'the items of a list of schemas',
      [{ b: 1, a: 2 }],
      { alternatives: { object: struct, items: {} } },
      '[{"a":2,"b":1}]',
    ],
    ['numbers as keys, which JavaScript puts in an order of its own', { '10': 1, '9': 2 }, {}, undefined],
    ['an integer of 64 bits', { a: 2n ** 62n }, {}, undefined],
  ])('is not there: %s', (_, value, shape, text) => {
    expect(isInOrder(value, shape)).toBe(false);
    if (text !== undefined) expect(JSON.stringify(ordered(value, shape))).toBe(text);
  });

  test('a key such as __proto__ is data', () => {
    const value = JSON.parse('{"b":1,"__proto__":{"x":1}}') as object;
    expect(JSON.stringify(ordered(value, {}))).toBe('{"__proto__":{"x":1},"b":1}');
  });

  test('copies share nothing', () => {
    const value = { z: 1, a: { q: {} } };
    const copy = ordered(value, struct);
    expect(copy.a).not.toBe(value.a);
    expect(copy.a.q).not.toBe(value.a.q);
  });
});
