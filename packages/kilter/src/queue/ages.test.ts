import { expect, test } from 'vitest';
import { Ages } from './ages.ts';
import { Slots } from './slots.ts';

/** So many slots, each ready since the time given for it. */
function aging(...since: readonly number[]): { readonly ages: Ages; readonly slots: readonly number[] } {
  const all = new Slots();
  const slots = since.map((at, i) => {
    const slot = all.allocate(`key-${i}`, () => undefined);
    all.readySince[slot] = at;
    return slot;
  });
  return { ages: new Ages(all), slots };
}

/** What is left, oldest first, and nothing is left then. */
function drained(ages: Ages): number[] {
  const order: number[] = [];
  for (let slot = ages.oldest(); slot >= 0; slot = ages.oldest()) {
    expect(ages.empty).toBe(false);
    order.push(slot);
    ages.remove(slot);
  }
  expect(ages.empty).toBe(true);
  return order;
}

test('is not empty as long as the first of all slots is in it, in line or late', () => {
  const { ages } = aging(5, 7);
  expect(ages.empty).toBe(true);
  ages.add(0);
  expect([ages.empty, ages.oldest()]).toEqual([false, 0]);
  ages.remove(0);
  ages.add(1);
  ages.add(0);
  ages.remove(1);
  expect([ages.empty, ages.oldest()]).toEqual([false, 0]);
  expect(drained(ages)).toEqual([0]);
});

test('the first of all slots is as young or old as any other', () => {
  const { ages } = aging(7, 5);
  ages.add(0);
  ages.add(1);
  expect(drained(ages)).toEqual([1, 0]);
});

test('those that come late take their place by age, and of equal age the one in line is first', () => {
  const { ages, slots } = aging(10, 20, 15, 10, 5, 30);
  for (const slot of slots) ages.add(slot);
  expect(drained(ages)).toEqual([4, 0, 3, 2, 1, 5]);
});
