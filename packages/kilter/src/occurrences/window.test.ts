import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatTime } from '../api/index.ts';
import type { Sighting } from './sighting.ts';
import { countOccurrences, type CountedEvent, tallyOccurrences } from './window.ts';

const hour = 3_600_000;
const now = 1_700_000_000_000;
const sighting = (given: Partial<Sighting> = {}): Sighting => {
  const last = given.last ?? now - 1000;
  return { uid: 'e1', group: 'a', count: 1, first: last, last, created: last, ...given };
};
interface Given {
  readonly at?: number;
  readonly threshold?: number;
  readonly floor?: number;
}
const look = (
  before: readonly CountedEvent[],
  seen: readonly Sighting[],
  { at = now, threshold = 1000, floor = 0 }: Given = {},
) => countOccurrences(before, seen, { now: at, threshold, floor: () => Math.max(at - hour, floor) });
const total = (counted: readonly CountedEvent[], group = 'a'): number =>
  tallyOccurrences(counted, 1000).get(group)?.count ?? 0;

describe('counting', () => {
  test('OC-1, ER-20, ER-72: an Event adds its growth: one whose count grows from 1 to 5 reaches a threshold of 5', () => {
    let counted = look([], [sighting()]);
    expect(total(counted)).toBe(1);
    counted = look(counted, [sighting({ count: 4 })]);
    expect(total(counted)).toBe(4);
    expect(tallyOccurrences(counted, 5).get('a')?.reachedAt).toBeUndefined();
    counted = look(counted, [sighting({ count: 5 })]);
    expect(tallyOccurrences(counted, 5).get('a')).toMatchObject({ count: 5, reachedAt: expect.any(Number) as number });
  });

  test('OC-1, ER-20: a new UID under the same name counts anew; a count that went down restarts from its new value', () => {
    let counted = look([], [sighting({ count: 7 })]);
    counted = look(counted, [sighting({ count: 2 })]);
    expect(total(counted)).toBe(7);
    counted = look(counted, [sighting({ count: 3 })]);
    expect(total(counted)).toBe(8);
    expect(total(look(counted, [sighting({ uid: 'e2' })]))).toBe(9);
  });

  test('OC-1, ER-15: a missing or non-positive count is 1; one that is huge is only a number', () => {
    expect(total(look([], [sighting({ count: 0 })]))).toBe(1);
    expect(total(look([], [sighting({ count: -5 })]))).toBe(1);
    expect(total(look([], [sighting({ count: 2_147_483_647 })]))).toBe(2_147_483_647);
  });

  test('OC-2, ER-23: an Event that has expired in the server counts until the window ends, and not a moment longer', () => {
    const counted = look([], [sighting({ count: 3, last: now })]);
    expect(total(look(counted, [], { at: now + hour - 1 }))).toBe(3);
    expect(look(counted, [], { at: now + hour })).toEqual([]);
  });

  test('OC-2, ER-23: occurrences older than the window at first sight are not counted: of a long row only the newest is known to be in it', () => {
    expect(look([], [sighting({ last: now - hour })])).toEqual([]);
    expect(total(look([], [sighting({ count: 50, first: now - 2 * hour })]))).toBe(1);
    expect(total(look([], [sighting({ count: 50, first: now - hour / 2 })]))).toBe(50);
  });

  test('OC-2, ER-23: the window slides: an Event that occurs every 50 minutes never counts as more than two', () => {
    let counted: CountedEvent[] = [];
    for (let i = 1; i <= 30; i += 1) {
      const at = now + i * 50 * 60_000;
      counted = look(counted, [sighting({ count: i, first: now, last: at, created: now })], { at });
      expect(total(counted)).toBeLessThanOrEqual(2);
    }
    expect(total(counted)).toBe(2);
  });

  test('OC-2, ER-24: what a recycle has dealt with does not count again, even where its Events are still there', () => {
    const ended = now + 60_000;
    const old = sighting({ count: 9, first: now, last: now });
    expect(look([], [old], { at: ended + 1000, floor: ended })).toEqual([]);
    const again = sighting({ count: 10, first: now, last: ended + 5000 });
    expect(total(look([], [again], { at: ended + 6000, floor: ended }))).toBe(1);
  });

  test('OC-1: a count that fell below 1 goes on from 1', () => {
    const fallen = look(look([], [sighting({ count: 3 })]), [sighting({ count: -5 })]);
    expect(total(fallen)).toBe(3);
    expect(total(look(fallen, [sighting({ count: 2 })]))).toBe(4);
  });

  test('OC-1: growth without a newer time occurred by now', () => {
    const counted = look([], [sighting({ last: now - 5000 })]);
    const [grown] = look(counted, [sighting({ count: 2, last: now - 5000 })]);
    expect(grown?.growth.map(({ at }) => at)).toEqual([formatTime(now - 5000), formatTime(now)]);
  });

  test('OC-2: a row that began at the floor began before what counts', () => {
    expect(total(look([], [sighting({ count: 50, first: now - hour })]))).toBe(1);
  });

  test('OC-4: a group is counted up to the threshold, and from there on no further', () => {
    expect(total(look([], [sighting()], { threshold: 1 }))).toBe(1);
    const below = look([], [sighting({ count: 4 })], { threshold: 5 });
    const reached = look(below, [sighting({ count: 6 })], { threshold: 5 });
    expect(total(reached)).toBe(6);
    expect(look(reached, [sighting({ count: 9 })], { threshold: 5 })).toEqual(reached);
  });

  test('OC-3, C-23: a time of the future is not believed: the Event counts from its creation, once', () => {
    const forged = sighting({ last: now + 100 * hour, first: now + 100 * hour, created: now - 1000 });
    const counted = look([], [forged]);
    expect(counted).toMatchObject([{ growth: [{ at: formatTime(now - 1000) }] }]);
    expect(look(counted, [forged], { at: now + hour })).toEqual([]);
  });

  test('OC-3: a time of the future is not believed when an Event grows either: it occurred by now', () => {
    const counted = look([], [sighting({ last: now - 5000 })]);
    const [grown] = look(counted, [sighting({ count: 2, last: now + 100 * hour })]);
    expect(grown?.growth.at(-1)).toEqual({ at: formatTime(now), by: 1 });
  });

  test('OC-3: what was stored by a clock that was ahead occurred by now, and leaves with the window', () => {
    const ahead = look([], [sighting({ count: 3, last: now + 100 * hour })], { at: now + 100 * hour });
    const righted = look(ahead, []);
    expect(righted).toMatchObject([{ growth: [{ at: formatTime(now), by: 3 }] }]);
    expect(look(righted, [], { at: now + hour })).toEqual([]);
  });

  test('OC-4, C-23: what is stored stays small under any flood', () => {
    const growth = Array.from({ length: 990 }, (_, i) => ({ at: formatTime(now - i), by: 1 }));
    let growing: CountedEvent[] = Array.from({ length: 10 }, (_, i) => ({
      uid: `g${i}`,
      group: `g${i}`,
      count: 990,
      growth,
    }));
    for (let count = 991; count <= 1010; count += 1) {
      const seen = growing.map(({ uid, group }) => sighting({ uid, group, count }));
      growing = look(growing, seen, { threshold: 5000 });
    }
    expect(growing.flatMap((one) => one.growth)).toHaveLength(10_000);
    const flood = Array.from({ length: 5000 }, (_, i) => sighting({ uid: `e${i}`, group: `g${i % 3}` }));
    expect(look([], flood, { threshold: 5 })).toHaveLength(15);
    expect(look([], flood, { threshold: 1000 }).length).toBeLessThanOrEqual(1000);
  });
});

const sightings = fc.array(
  fc.record({
    uid: fc.constantFrom('e1', 'e2', 'e3', 'e4'),
    group: fc.constant('a'),
    count: fc.integer({ min: -1, max: 20 }),
    first: fc.integer({ min: now - 2 * hour, max: now }),
    last: fc.integer({ min: now - 2 * hour, max: now + hour }),
    created: fc.integer({ min: now - 2 * hour, max: now }),
  }),
  { maxLength: 12 },
);

test('OC-1, ER-21, ER-73: seeing the same again adds nothing, whatever was seen before (property)', () => {
  fc.assert(
    fc.property(sightings, sightings, (earlier, later) => {
      const unique = [...new Map(later.map((one) => [one.uid, one])).values()];
      const once = look(look([], earlier), unique);
      expect(look(once, unique)).toEqual(once);
      // Stored as JSON and read by another replica.
      expect(look(JSON.parse(JSON.stringify(once)) as CountedEvent[], unique)).toEqual(once);
    }),
  );
});

test('OC-1, ER-20: a count never exceeds what the Events say, and never shrinks within the window (property)', () => {
  fc.assert(
    fc.property(sightings, (seen) => {
      const unique = [...new Map(seen.map((one) => [one.uid, one])).values()];
      const counted = look([], unique);
      const said = unique.reduce((sum, one) => sum + Math.max(1, one.count), 0);
      expect(total(counted)).toBeLessThanOrEqual(said);
      expect(total(look(counted, []))).toBe(total(counted));
    }),
  );
});
