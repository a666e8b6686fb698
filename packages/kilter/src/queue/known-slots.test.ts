import { expect, test } from 'vitest';
import { virtualRuntime } from '../internal/index.ts';
import { KnownSlots } from './known-slots.ts';
import { Slots } from './slots.ts';
import type { Work } from './work.ts';
import { workQueue } from './work-queue.ts';

const cause = { source: 'primary', change: 'add' } as const;

test('a number that was never told leads nowhere, however large', () => {
  const known = new KnownSlots();
  known.set(1000, 0);
  known.set(3, 7);
  expect([0, 3, 1000, 1001, 1e9].map((number) => known.get(number))).toEqual([-1, 7, 0, -1, -1]);
});

test('WQ-1: a key has one slot, whether it comes with its number, with another one or without', () => {
  const slots = new Slots();
  const slot = slots.allocate('default/a', () => undefined);
  slots.know(slot, 5);
  expect(slots.findNumbered('default/a', 5)).toBe(slot);
  expect(slots.findNumbered('default/a', 6)).toBe(slot);
  expect(slots.numbers[slot]).toBe(6);
  expect(slots.find('default/a')).toBe(slot);
});

test('WQ-1: a number that has gone to another key does not lead to the slot of the first', () => {
  const slots = new Slots();
  const first = slots.allocate('default/a', () => undefined);
  slots.know(first, 0);
  expect(slots.findNumbered('default/b', 0)).toBe(-1);
  const second = slots.allocate('default/b', () => undefined);
  slots.know(second, 0);
  expect([slots.findNumbered('default/a', 0), slots.findNumbered('default/b', 0)]).toEqual([first, second]);
});

test('a slot that is free, or has gone to another key, is not found by the number it was known by', () => {
  const slots = new Slots();
  const slot = slots.allocate('default/a', () => undefined);
  slots.know(slot, 0);
  slots.free(slot);
  expect(slots.findNumbered('default/a', 0)).toBe(-1);
  expect(slots.allocate('default/b', () => undefined)).toBe(slot);
  expect(slots.findNumbered('default/a', 0)).toBe(-1);
  expect(slots.numbers[slot]).toBe(-1);
});

test('work tells the number its key came with last', () => {
  const queue = workQueue({ name: 'q', runtime: virtualRuntime() });
  const taken = (): Work => {
    const work = queue.takeReady() as Work;
    queue.done(work, { type: 'forget' });
    return work;
  };
  queue.add('default/a', cause);
  expect(taken().number).toBe(-1);
  queue.add({ key: 'default/a', number: 4 }, cause);
  expect(taken()).toMatchObject({ key: 'default/a', number: 4 });
  queue.add({ namespace: 'default', name: 'a' }, cause);
  expect(taken().number).toBe(4);
});

test('PQ-14: keys that come and go with numbers that are used again leave nothing behind', () => {
  const queue = workQueue({ name: 'q', runtime: virtualRuntime() });
  const before = process.memoryUsage().arrayBuffers;
  for (let i = 0; i < 300_000; i += 1) {
    queue.add({ key: `default/x${i}`, number: i % 10 }, cause);
    queue.done(queue.takeReady() as Work, { type: 'drop' });
  }
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(256 * 1024);
});
