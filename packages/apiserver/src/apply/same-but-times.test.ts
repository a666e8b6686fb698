import type { JsonObject } from 'kilter/api';
import { expect, test } from 'vitest';
import { sameButTimes } from './same-but-times.ts';

const object = (data: JsonObject, ...managedFields: JsonObject[]): JsonObject => ({
  metadata: { name: 'c', ...(managedFields.length > 0 && { managedFields }) },
  data,
});

test.each<[string, boolean, [JsonObject, JsonObject]]>([
  [
    'another time',
    true,
    [object({ a: 1 }, { manager: 'm', time: '1' }), object({ a: 1 }, { manager: 'm', time: '2' })],
  ],
  ['a time that came', true, [object({}, { manager: 'm' }), object({}, { manager: 'm', time: '2' })]],
  ['another manager', false, [object({}, { manager: 'm' }), object({}, { manager: 'n' })]],
  ['an entry more', false, [object({}, { manager: 'm' }), object({}, { manager: 'm' }, { manager: 'n' })]],
  ['another field', false, [object({ a: 1 }), object({ a: 2 })]],
  ['a field more', false, [object({ a: 1 }), object({ a: 1, b: null })]],
  ['keys in another order', true, [object({ a: 1, b: [1, { c: 2 }] }), object({ b: [1, { c: 2 }], a: 1 })]],
  ['a list in another order', false, [object({ a: [1, 2] }), object({ a: [2, 1] })]],
])('API-S7: with %s two objects are the same: %s', (_, same, [left, right]) => {
  expect(sameButTimes(left, right)).toBe(same);
});
