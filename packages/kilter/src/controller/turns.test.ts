import { expect, test } from 'vitest';
import { virtualClock } from '../internal/index.ts';
import { Turns } from './turns.ts';

function world() {
  const clock = virtualClock();
  const turns = new Turns(clock, 30_000);
  const begun: string[] = [];
  const leave = new Map<string, () => void>();
  const take = (name: string, alone = false): void =>
    void turns.take(alone).then((end) => {
      begun.push(name);
      leave.set(name, end);
    });
  const end = async (name: string): Promise<void> => {
    leave.get(name)?.();
    await clock.settle();
  };
  return { clock, begun, take, end };
}

test('runs go side by side; one that is to be alone waits for them, and they wait for it', async () => {
  const { clock, begun, take, end } = world();
  take('a');
  take('b');
  take('x', true);
  take('c');
  await clock.settle();
  expect(begun).toEqual(['a', 'b']);
  await end('a');
  expect(begun).toEqual(['a', 'b']);
  await end('b');
  expect(begun).toEqual(['a', 'b', 'x']);
  take('y', true);
  take('d');
  await end('x');
  expect(begun).toEqual(['a', 'b', 'x', 'c']);
  await end('c');
  expect(begun).toEqual(['a', 'b', 'x', 'c', 'y']);
  await end('y');
  expect(begun.at(-1)).toBe('d');
});

test('all who waited for one that was alone go on together, up to the next that is to be alone', async () => {
  const { clock, begun, take, end } = world();
  take('x', true);
  take('a');
  take('b');
  take('c');
  take('y', true);
  take('d');
  await clock.settle();
  expect(begun).toEqual(['x']);
  await end('x');
  expect(begun).toEqual(['x', 'a', 'b', 'c']);
});

test('nobody waits for ever: neither for its turn nor for one who is alone', async () => {
  const { clock, begun, take } = world();
  take('a');
  take('x', true);
  await clock.advance(29_999);
  expect(begun).toEqual(['a']);
  await clock.advance(1);
  expect(begun).toEqual(['a', 'x']);
  take('b');
  await clock.advance(29_999);
  expect(begun).toEqual(['a', 'x']);
  await clock.advance(1);
  expect(begun).toEqual(['a', 'x', 'b']);
});

test('whoever had its turn leaves no timer behind', async () => {
  const { clock, take, end } = world();
  take('x', true);
  take('a');
  await clock.settle();
  await end('x');
  await end('a');
  expect(clock.pending).toBe(0);
});
