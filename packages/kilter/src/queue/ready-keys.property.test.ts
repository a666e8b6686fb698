import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Entry, newEntry } from './entry.ts';
import { ReadyKeys } from './ready-keys.ts';

const ageing = 30_000;

/** The same order by looking at every key each time. */
class PlainOrder {
  readonly #keys: Entry[] = [];
  /** Names of lanes with keys, the one served longest ago first. */
  readonly #turns: string[] = [];

  add(entry: Entry): void {
    this.#keys.push(entry);
    if (!this.#turns.includes(entry.lane)) this.#turns.push(entry.lane);
  }

  raise(entry: Entry): void {
    this.#keys.splice(this.#keys.indexOf(entry), 1);
    this.#keys.push(entry);
  }

  next(now: number): Entry | undefined {
    const top = Math.max(...this.#keys.map(({ priority }) => priority));
    const reached = ({ priority, readySince }: Entry): boolean =>
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

  get keys(): readonly Entry[] {
    return this.#keys;
  }
}

const step = fc.record({
  act: fc.constantFrom('add', 'add', 'raise', 'take'),
  lane: fc.constantFrom('a', 'b', 'c', 'd'),
  priority: fc.constantFrom(-200, -100, 0, 50, 100),
  wait: fc.oneof(fc.constant(0), fc.nat(40_000)),
  which: fc.nat(20),
});

test('PQ-1, PQ-2, PQ-12, PQ-13: agrees with an order that looks at every key, whatever is added, raised and taken', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const ready = new ReadyKeys(ageing);
      const plain = new PlainOrder();
      let now = 0;
      for (const [at, { act, lane, priority, wait, which }] of steps.entries()) {
        now += wait;
        const known = plain.keys[which % Math.max(1, plain.keys.length)];
        if (act === 'add') {
          const entry = newEntry(`${lane}/${at}`, lane);
          entry.priority = priority;
          ready.add(entry, now);
          plain.add(entry);
        } else if (act === 'raise' && known !== undefined && known.priority < priority) {
          ready.raise(known, priority);
          plain.raise(known);
        } else if (act === 'take') {
          expect(ready.next(now)?.key).toBe(plain.next(now)?.key);
        }
        expect(ready.size).toBe(plain.keys.length);
        const oldest = Math.min(...plain.keys.map(({ readySince }) => readySince));
        expect(ready.oldest() ?? Infinity).toBe(oldest);
      }
      while (plain.keys.length > 0) expect(ready.next(now)?.key).toBe(plain.next(now)?.key);
      expect(ready.next(now)).toBeUndefined();
    }),
    { numRuns: 500 },
  );
});

test('a priority of its own for every key changes nothing of the order', () => {
  const ready = new ReadyKeys(ageing);
  for (let i = 0; i < 200; i += 1) {
    const lane = String(i % 3);
    const entry = newEntry(String(i), lane);
    entry.priority = (i * 37) % 200;
    ready.add(entry, 0);
  }
  const order = Array.from({ length: 200 }, () => ready.next(0)?.priority);
  expect(order).toEqual(Array.from({ length: 200 }, (_, i) => 199 - i));
  expect([ready.size, ready.oldest(), ready.next(0)]).toEqual([0, undefined, undefined]);
});

test('PQ-12: of thousands of keys that come of age together each is handed out before the changes that came later', () => {
  const ready = new ReadyKeys(ageing);
  const add = (key: string, priority: number, now: number): void => {
    const entry = newEntry(key, '');
    entry.priority = priority;
    ready.add(entry, now);
  };
  for (let i = 0; i < 3000; i += 1) add(`old-${i}`, -100, 0);
  for (let i = 0; i < 10; i += 1) add(`new-${i}`, 0, ageing);
  const order = Array.from({ length: 3010 }, () => ready.next(ageing)?.key);
  expect(order.slice(0, 3000)).toEqual(Array.from({ length: 3000 }, (_, i) => `old-${i}`));
  expect(order.slice(3000)).toEqual(Array.from({ length: 10 }, (_, i) => `new-${i}`));
});
