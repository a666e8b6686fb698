import { expect, test } from 'vitest';
import type { LineBatches } from './line-batches.ts';
import { LineStream } from './line-stream.ts';

/** Batches that come when they are asked for, one turn later. */
function batches(given: readonly (readonly string[])[]): LineBatches<readonly string[]> {
  const left = [...given];
  const next = async () => {
    await Promise.resolve();
    const value = left.shift();
    return value === undefined ? { done: true, value: undefined } : { done: false, value };
  };
  return { next, return: async () => ({ done: true, value: undefined }) } as unknown as LineBatches<readonly string[]>;
}

test('J-12: lines that are asked for at once come in order, and none is lost', async () => {
  const lines = new LineStream(batches([['a', 'b'], [], ['c'], ['d', 'e']]));
  const asked = await Promise.all(Array.from({ length: 7 }, () => lines.next()));
  expect(asked.map(({ value }) => value)).toEqual(['a', 'b', 'c', 'd', 'e', undefined, undefined]);
  expect(asked.at(-1)?.done).toBe(true);
});
