import { expect, onTestFinished, test, vi } from 'vitest';
import type { Cause } from '../api/index.ts';
import { virtualRuntime } from '../internal/index.ts';
import { ReadyKeys } from './ready-keys.ts';
import { Slots } from './slots.ts';
import type { Work } from './work.ts';
import { workQueue } from './work-queue.ts';

const cause: Cause = { source: 'primary', change: 'add' };
const mostIdle = 16_384;

test('PQ-14: keys that come once and never again share slots: the one at rest the longest gives way, and nobody else', () => {
  const slots = new Slots();
  const evicted: string[] = [];
  const leave = (slot: number): void => void evicted.push(slots.keys[slot] as string);
  const busy = slots.allocate('busy', leave);
  for (let i = 0; i < 3 * mostIdle; i += 1) slots.rest(slots.allocate(`key-${i}`, leave));
  expect(slots.used).toBe(mostIdle + 2);
  expect(evicted.slice(0, 3)).toEqual(['key-0', 'key-1', 'key-2']);
  expect([slots.find('busy'), slots.find('key-0'), slots.find(`key-${3 * mostIdle - 1}`) >= 0]).toEqual([
    busy,
    -1,
    true,
  ]);
});

test('PQ-14: as many slots rest as were ever in use at once', () => {
  const slots = new Slots();
  const leave = (): void => undefined;
  const many = 2 * mostIdle + 100;
  const all = Array.from({ length: many }, (_, i) => slots.allocate(`key-${i}`, leave));
  for (const slot of all) slots.rest(slot);
  for (let i = 0; i < many; i += 1) slots.rest(slots.allocate(`other-${i}`, leave));
  expect(slots.used).toBe(many);
});

test('a key that comes back has its slot again; one that was freed is a new one', () => {
  const slots = new Slots();
  const leave = (): void => undefined;
  const [a, b] = [slots.allocate('a', leave), slots.allocate('b', leave)];
  slots.rest(a);
  slots.rest(b);
  slots.wake(a);
  expect([slots.find('a'), slots.find('b')]).toEqual([a, b]);
  slots.free(b);
  expect(slots.find('b')).toBe(-1);
  expect(slots.allocate('c', leave)).toBe(b);
  expect([slots.keys[a], slots.keys[b]]).toEqual(['a', 'c']);
});

test('a lane goes with the last of its slots', () => {
  const slots = new Slots();
  const ready = new ReadyKeys(slots, 30_000);
  const slot = slots.allocate('a/1', () => undefined);
  ready.join(slot, 'a');
  const first = slots.lanes[slot];
  ready.join(slot, 'b');
  ready.join(slot, 'a');
  expect(slots.lanes[slot]).not.toBe(first);
  expect(slots.lanes[slot]?.slots).toBe(1);
});

test('PQ-13: a fairness function is asked again when a key comes back', () => {
  const runtime = virtualRuntime();
  let tenant = 'a';
  const asked: string[] = [];
  const fairness = ({ name }: { name: string }): string => {
    asked.push(`${name} ${tenant}`);
    return tenant;
  };
  const queue = workQueue({ name: 'q', runtime, fairness });
  const run = (): void => queue.done(queue.takeReady() as Work, { type: 'forget' });
  queue.add('default/x', cause);
  queue.add('default/x', cause);
  run();
  tenant = 'b';
  queue.add('default/x', cause);
  run();
  expect(asked).toEqual(['x a', 'x b']);
});

test('PQ-13: a key that comes back under another fairness key takes turns there', () => {
  const tenants = new Map([
    ['x', 'a'],
    ['y', 'b'],
    ['z', 'a'],
  ]);
  const queue = workQueue({ name: 'q', runtime: virtualRuntime(), fairness: ({ name }) => tenants.get(name) ?? '' });
  queue.add('default/x', cause);
  queue.done(queue.takeReady() as Work, { type: 'forget' });
  tenants.set('x', 'b');
  for (const name of ['y', 'x', 'z']) queue.add(`default/${name}`, cause);
  const order = Array.from({ length: 3 }, () => queue.takeReady()?.key);
  expect(order).toEqual(['default/y', 'default/z', 'default/x']);
});

test('PQ-14: an object that is gone gives its slot back at once; one that rests keeps it', () => {
  const freed: string[] = [];
  const free = vi.spyOn(Slots.prototype, 'free').mockImplementation(function (this: Slots, slot: number) {
    freed.push(this.keys[slot] as string);
  });
  onTestFinished(() => free.mockRestore());
  const queue = workQueue({ name: 'q', runtime: virtualRuntime() });
  for (const name of ['gone', 'rests']) queue.add(`default/${name}`, cause);
  queue.done(queue.takeReady() as Work, { type: 'drop' });
  queue.done(queue.takeReady() as Work, { type: 'forget' });
  expect(freed).toEqual(['default/gone']);
});

test('PQ-14: a key whose hold is over and to which nothing happened rests as others do', async () => {
  const rested: string[] = [];
  const rest = vi.spyOn(Slots.prototype, 'rest');
  rest.mockImplementation(function (this: Slots, slot: number) {
    rested.push(this.keys[slot] as string);
  });
  onTestFinished(() => rest.mockRestore());
  const runtime = virtualRuntime();
  const queue = workQueue({ name: 'q', runtime });
  queue.add('default/held', cause);
  queue.done(queue.takeReady() as Work, { type: 'forget' }, { hold: 1000 });
  await runtime.clock.advance(999);
  expect(rested).toEqual([]);
  await runtime.clock.advance(1);
  expect(rested).toEqual(['default/held']);
});
