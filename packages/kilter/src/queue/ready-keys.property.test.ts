import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Ages } from './ages.ts';
import { NamedReadyKeys } from './ready-keys.test-support.ts';

const ageing = 30_000;

interface Key {
  readonly key: string;
  readonly lane: string;
  readonly readySince: number;
  priority: number;
}

/** The same order by looking at every key each time. */
class PlainOrder {
  readonly #keys: Key[] = [];
  /** Names of lanes with keys, the one served longest ago first. */
  readonly #turns: string[] = [];

  add(entry: Key): void {
    this.#keys.push(entry);
    if (!this.#turns.includes(entry.lane)) this.#turns.push(entry.lane);
  }

  raise(entry: Key, priority: number): void {
    entry.priority = priority;
    this.#keys.splice(this.#keys.indexOf(entry), 1);
    this.#keys.push(entry);
  }

  next(now: number): Key | undefined {
    const top = Math.max(...this.#keys.map(({ priority }) => priority));
    const reached = ({ priority, readySince }: Key): boolean =>
      priority + 100 * Math.floor((now - readySince) / ageing) >= top;
    const able = this.#keys.filter(reached);
    const turn = this.#turns.find((name) => able.some(({ lane }) => lane === name));
    const entry = able.find(({ lane }) => lane === turn);
    if (entry === undefined) return undefined;
    this.#keys.splice(this.#keys.indexOf(entry), 1);
    this.#turns.splice(this.#turns.indexOf(entry.lane), 1);
    if (this.#keys.some(({ lane }) => lane === entry.lane)) this.#turns.push(entry.lane);
    return entry;
  }

  get keys(): readonly Key[] {
    return this.#keys;
  }
}

const stepWith = (priority: fc.Arbitrary<number>) =>
  fc.record({
    act: fc.constantFrom('add', 'add', 'raise', 'take'),
    lane: fc.constantFrom('a', 'b', 'c', 'd'),
    priority,
    wait: fc.oneof(fc.constant(0), fc.nat(40_000)),
    which: fc.nat(20),
  });

test.each<[string, fc.Arbitrary<number>]>([
  ['few priorities', fc.constantFrom(-200, -100, 0, 50, 100)],
  ['more priorities than are kept apart for good', fc.integer({ min: -30, max: 30 }).map((n) => 10 * n)],
])(
  'PQ-1, PQ-2, PQ-12, PQ-13: agrees with an order that looks at every key, whatever is added, raised and taken: %s',
  (_, priorities) => {
    fc.assert(
      fc.property(fc.array(stepWith(priorities), { maxLength: 120 }), (steps) => {
        const ready = new NamedReadyKeys(ageing);
        const plain = new PlainOrder();
        let now = 0;
        for (const [at, { act, lane, priority, wait, which }] of steps.entries()) {
          now += wait;
          const known = plain.keys[which % Math.max(1, plain.keys.length)];
          if (act === 'add') {
            const key = `${lane}/${at}`;
            ready.add(key, lane, { priority, now });
            plain.add({ key, lane, priority, readySince: now });
          } else if (act === 'raise' && known !== undefined && known.priority < priority) {
            ready.raise(known.key, priority);
            plain.raise(known, priority);
          } else if (act === 'take') {
            expect(ready.next(now)).toBe(plain.next(now)?.key);
          }
          expect(ready.ready.size).toBe(plain.keys.length);
          const oldest = Math.min(...plain.keys.map(({ readySince }) => readySince));
          expect(ready.ready.oldest() ?? Infinity).toBe(oldest);
        }
        while (plain.keys.length > 0) expect(ready.next(now)).toBe(plain.next(now)?.key);
        expect(ready.next(now)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  },
);

test('a priority of its own for every key changes nothing of the order', () => {
  const ready = new NamedReadyKeys(ageing);
  for (let i = 0; i < 200; i += 1) {
    const lane = String(i % 3);
    ready.add(String(i), lane, { priority: (i * 37) % 200, now: 0 });
  }
  const order = Array.from({ length: 200 }, () => (Number(ready.next(0)) * 37) % 200);
  expect(order).toEqual(Array.from({ length: 200 }, (_, i) => 199 - i));
  expect([ready.ready.size, ready.ready.oldest(), ready.next(0)]).toEqual([0, undefined, undefined]);
});

test('PQ-14: priorities that were used once leave nothing behind that later keys are compared with', () => {
  const ready = new NamedReadyKeys(ageing);
  const looks = vi.spyOn(Ages.prototype, 'oldest');
  onTestFinished(() => looks.mockRestore());
  const lookedAt = (act: () => unknown): number => {
    looks.mockClear();
    act();
    return looks.mock.calls.length;
  };
  ready.add('top', '', { priority: 0, now: 0 });
  ready.next(0);
  for (let i = 1; i <= 500; i += 1) {
    // All of them come of age together, each from its own priority.
    ready.add(`old-${i}`, '', { priority: -i, now: 0 });
  }
  ready.add('new', '', { priority: 0, now: 100 * ageing });
  for (let i = 0; i < 501; i += 1) ready.next(100 * ageing);
  // One above: those that had risen to 0 are looked at again.
  ready.add('low', '', { priority: 0, now: 100 * ageing });
  ready.add('high', '', { priority: 100, now: 100 * ageing });
  expect(lookedAt(() => ready.ready.oldest())).toBeLessThan(50);
  expect(lookedAt(() => ready.next(100 * ageing))).toBeLessThan(50);
  expect(ready.slots.lanes[ready.slots.find('low')]?.stands.length).toBeLessThan(50);
});

test('PQ-12: of thousands of keys that come of age together each is handed out before the changes that came later', () => {
  const ready = new NamedReadyKeys(ageing);
  const add = (key: string, priority: number, now: number): void => ready.add(key, '', { priority, now });
  for (let i = 0; i < 3000; i += 1) add(`old-${i}`, -100, 0);
  for (let i = 0; i < 10; i += 1) add(`new-${i}`, 0, ageing);
  const order = Array.from({ length: 3010 }, () => ready.next(ageing));
  expect(order.slice(0, 3000)).toEqual(Array.from({ length: 3000 }, (_, i) => `old-${i}`));
  expect(order.slice(3000)).toEqual(Array.from({ length: 10 }, (_, i) => `new-${i}`));
});

test('PQ-2, PQ-12: a key that was raised keeps its place behind its peers when they come of age together', () => {
  const ready = new NamedReadyKeys(ageing);
  ready.add('raised', '', { priority: -200, now: 0 });
  ready.add('other', '', { priority: -100, now: 1 });
  ready.raise('raised', -100);
  ready.add('new', '', { priority: 0, now: ageing + 1 });
  expect([ready.next(ageing + 1), ready.next(ageing + 1), ready.next(ageing + 1)]).toEqual(['other', 'raised', 'new']);
});
