import type { Json } from 'kilter/api';
import { expect, test } from 'vitest';
import { oldItems } from './correlation.ts';

const listMap = { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] } as const;

test('the old item with the same keys is found in one walk over the list, however many are asked for', () => {
  let reads = 0;
  const list: Json[] = Array.from({ length: 1000 }, (_, n) => ({ name: `item-${n}`, value: n }));
  const counted = new Proxy(list, {
    get: (target, field) => {
      if (typeof field === 'string' && /^\d+$/.test(field)) reads += 1;
      return Reflect.get(target, field) as unknown;
    },
  });
  const find = oldItems(counted, listMap);
  for (let n = 0; n < 1000; n += 1) expect(find({ name: `item-${n}` })).toEqual({ name: `item-${n}`, value: n });
  expect(reads).toBe(1000);
});

test('of several old items with the same keys the first counts; without keys, or in another list, there is none', () => {
  const old: Json[] = [{ name: 'a', value: 1 }, { name: 'a', value: 2 }, { value: 3 }, 'a', null];
  const find = oldItems(old, listMap);
  expect(find({ name: 'a' })).toEqual({ name: 'a', value: 1 });
  expect([find({ value: 3 }), find('a'), find(null), find({ name: 'b' })]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(oldItems(old, { type: 'array' })({ name: 'a' })).toBeUndefined();
});
