import { describe, expect, test } from 'vitest';
import type { Shape } from '../values/index.ts';
import { encodeJson, jsonText } from './encode.ts';
import { listShape, partialShape } from './shapes.ts';

describe('the order of keys', () => {
  test('API-N4: what has no shape alphabetically, at every depth, and numbers as texts', () => {
    const object = {
      kind: 'K',
      spec: { b: 1, a: [{ d: 1, c: 2 }], 9: 1, 10: 1, B: 1 },
      apiVersion: 'v1',
      metadata: { name: 'n', labels: {} },
    };
    expect(jsonText(object, {})).toBe(
      '{"apiVersion":"v1","kind":"K","metadata":{"labels":{},"name":"n"},"spec":{"10":1,"9":1,"B":1,"a":[{"c":2,"d":1}],"b":1}}',
    );
  });

  test('by code point, which is not the order of UTF-16', () => {
    expect(jsonText({ '\u{1F600}': 1, '\uFFFD': 2 }, {})).toBe('{"\uFFFD":2,"\u{1F600}":1}');
  });

  test('data named __proto__ stays data', () => {
    const object = JSON.parse('{"b":1,"__proto__":{"x":1}}') as Record<string, number>;
    expect(jsonText(object, {})).toBe('{"__proto__":{"x":1},"b":1}');
  });

  test('API-N4: structs in the order of their fields, maps in them by key', () => {
    const shape: Shape = {
      properties: {
        name: {},
        labels: { additionalProperties: {} },
        age: {},
        items: { items: { properties: { b: {}, a: {} } } },
      },
    };
    expect(jsonText({ age: 1, labels: { z: '1', a: '2' }, items: [{ a: 1, b: 2 }], name: 'n' }, shape)).toBe(
      '{"name":"n","labels":{"a":"2","z":"1"},"age":1,"items":[{"b":2,"a":1}]}',
    );
    const list = { items: [{ metadata: { uid: 'u', name: 'n' } }], metadata: { resourceVersion: '1' }, kind: 'KList' };
    expect(jsonText(list, listShape(partialShape))).toBe(
      '{"kind":"KList","metadata":{"resourceVersion":"1"},"items":[{"metadata":{"name":"n","uid":"u"}}]}',
    );
  });

  test('fields that are always written are written in their place, and theirs too', () => {
    const inner: Shape = { properties: { x: {}, y: {} }, zeroFields: { y: null } };
    const shape: Shape = { properties: { a: {}, b: inner, c: {} }, zeroFields: { b: {}, c: '' } };
    expect(jsonText({ a: 1 }, shape)).toBe('{"a":1,"b":{"y":null},"c":""}');
    expect(jsonText({ c: 'x', b: { x: 1, y: 2 } }, shape)).toBe('{"b":{"x":1,"y":2},"c":"x"}');
  });
});

test('API-N1: integers of 64 bits in full', () => {
  expect(jsonText({ n: 9_223_372_036_854_775_807n, m: [-9_007_199_254_740_993n] })).toBe(
    '{"n":9223372036854775807,"m":[-9007199254740993]}',
  );
});

test('what could be taken for markup is escaped', () => {
  expect(jsonText({ a: '<b> & \u2028' })).toBe('{"a":"\\u003cb\\u003e \\u0026 \\u2028"}');
});

test('one line with its end for programs, indented for people', () => {
  expect(encodeJson({ a: [1], b: {}, c: [] })).toBe('{"a":[1],"b":{},"c":[]}\n');
  expect(encodeJson({ a: [1, { x: 1 }], b: {} }, { pretty: true })).toBe(
    JSON.stringify({ a: [1, { x: 1 }], b: {} }, undefined, 2),
  );
});

test('what JavaScript writes itself is what we would have written', () => {
  const shape: Shape = {
    properties: { b: {}, a: { items: { properties: { y: {}, x: {} } } } },
    zeroFields: { b: null },
  };
  const texts = ['plain', '<a> & b', 'line\u2028', 'quote "', 'ümlaut', '\ud800 alone'];
  for (const text of texts) {
    const inOrder = { b: text, a: [{ y: 1.5, x: [text, null, true, -0, 1e21] }] };
    const outOfOrder = { a: [{ x: [text, null, true, -0, 1e21], y: 1.5 }], b: text };
    const pretty = jsonText(inOrder, shape, true).replaceAll(/\n */g, '').replaceAll('": ', '":');
    expect(jsonText(inOrder, shape)).toBe(pretty);
    expect(jsonText(outOfOrder, shape)).toBe(pretty);
    expect(jsonText({ ...outOfOrder, a: [{ y: 2n ** 60n, '10': 1, '9': 2 }] }, shape)).toBe(
      `{"b":${jsonText(text)},"a":[{"y":1152921504606846976,"10":1,"9":2}]}`,
    );
  }
});
