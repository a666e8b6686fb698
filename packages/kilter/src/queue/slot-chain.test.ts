import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { grown, Links, SlotChain } from './slot-chain.ts';

const most = 8;

function chain(): { readonly chain: SlotChain; readonly order: () => number[] } {
  const links = new Links();
  links.grow(most);
  const made = new SlotChain(links);
  /** Forth and back: both ways must agree. */
  const order = (): number[] => {
    const forth: number[] = [];
    for (let slot = made.first; slot >= 0; slot = links.after[slot] as number) forth.push(slot);
    const back: number[] = [];
    for (let slot = made.last; slot >= 0; slot = links.before[slot] as number) back.push(slot);
    expect(back.toReversed()).toEqual(forth);
    return forth;
  };
  return { chain: made, order };
}

describe('a chain of slots', () => {
  test('the first of all slots can stand anywhere in it', () => {
    const { chain: slots, order } = chain();
    const positions = Float64Array.of(5, 1, 3, 9);
    for (const slot of [0, 1, 2, 3]) slots.insert(slot, positions);
    expect(order()).toEqual([1, 2, 0, 3]);
    slots.remove(3);
    expect([order(), slots.last]).toEqual([[1, 2, 0], 0]);
    slots.remove(1);
    slots.remove(2);
    expect([order(), slots.first, slots.last]).toEqual([[0], 0, 0]);
    slots.remove(0);
    expect(order()).toEqual([]);
  });

  test('is what a list would be, whatever is put in and taken out', () => {
    const step = fc.record({ slot: fc.nat(most - 1), position: fc.nat(4), atEnd: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { chain: slots, order } = chain();
        const positions = new Float64Array(most);
        let model: number[] = [];
        for (const { slot, position, atEnd } of steps) {
          if (model.includes(slot)) {
            slots.remove(slot);
            model = model.filter((one) => one !== slot);
          } else if (atEnd) {
            // Behind all others is where its position puts it, too.
            positions[slot] = Math.max(0, ...model.map((one) => positions[one] as number)) + 1;
            slots.append(slot);
            model.push(slot);
          } else {
            positions[slot] = position;
            slots.insert(slot, positions);
            const before = model.findLastIndex((one) => (positions[one] as number) <= position);
            model.splice(before + 1, 0, slot);
          }
          expect(order()).toEqual(model);
        }
      }),
    );
  });
});

test('grown numbers are the same, and zeros follow them', () => {
  expect(grown(Float64Array.of(1, 2), 4)).toEqual(Float64Array.of(1, 2, 0, 0));
});
