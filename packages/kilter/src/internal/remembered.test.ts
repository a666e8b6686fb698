import { expect, test } from 'vitest';
import { remembered } from './remembered.ts';

test('C-23: what was made for a key is used again, and a thousand invented keys are not kept', () => {
  const made: (string | undefined)[] = [];
  const valueOf = remembered((key: string | undefined) => (made.push(key), { key }));
  expect(valueOf('a')).toBe(valueOf('a'));
  expect(valueOf(undefined)).toBe(valueOf(undefined));
  expect(made).toEqual(['a', undefined]);
  for (let n = 0; n < 1000; n += 1) valueOf(`k-${n}`);
  for (let n = 950; n < 1000; n += 1) valueOf(`k-${n}`);
  expect(made).toHaveLength(1002);
  for (let n = 0; n < 950; n += 1) valueOf(`k-${n}`);
  expect(made).toHaveLength(1952);
});

test('what is in use stays; what was not used for the longest time goes', () => {
  const made: string[] = [];
  const valueOf = remembered((key: string) => void made.push(key), 2);
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) valueOf(key);
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});
