import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MovableHeap } from './movable-heap.ts';

interface Item {
  weight: number;
  place: number;
}

const heapOfItems = (): MovableHeap<Item> =>
  new MovableHeap(
    (a, b) => a.weight - b.weight,
    ({ place }) => place,
    (item, place) => (item.place = place),
  );

const drain = (heap: MovableHeap<Item>): number[] => {
  const order: number[] = [];
  for (let first = heap.peek(); first !== undefined; first = heap.peek()) {
    order.push(first.weight);
    heap.remove(first);
  }
  return order;
};

describe('movable heap', () => {
  test('after any sequence of adding, moving and removing it drains in order and holds what was not removed', () => {
    // Times are not whole milliseconds.
    const weights = fc.nat(50).map((tenths) => tenths / 10);
    const step = fc.record({ act: fc.constantFrom('add', 'move', 'remove'), at: fc.nat(30), weight: weights });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const heap = heapOfItems();
        const model: Item[] = [];
        const removals: boolean[] = [];
        for (const { act, at, weight } of steps) {
          const item = model[at % Math.max(1, model.length)];
          if (act === 'add' || item === undefined) {
            const fresh = { weight, place: -1 };
            model.push(fresh);
            heap.place(fresh);
          } else if (act === 'move') {
            item.weight = weight;
            heap.place(item);
          } else {
            removals.push(heap.remove(item), heap.remove(item));
            model.splice(model.indexOf(item), 1);
          }
          expect(heap.size).toBe(model.length);
          expect(model.every(({ place }) => place >= 0)).toBe(true);
        }
        expect(removals.every((removed, i) => removed === (i % 2 === 0))).toBe(true);
        expect(drain(heap)).toEqual(model.map((item) => item.weight).toSorted((a, b) => a - b));
      }),
    );
  });
});

test('differences below one count', () => {
  const heap = heapOfItems();
  for (const tenth of [9, 1, 5, 3, 7, 2, 8, 4, 6]) heap.place({ weight: tenth / 10, place: -1 });
  expect(drain(heap)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9].map((tenth) => tenth / 10));
});
