import { expect, test } from 'vitest';
import { firstDifference, inWords } from './first-difference.ts';

test.each([
  ['equal values', { a: [1, { b: null }] }, { a: [1, { b: null }] }, undefined],
  ['a value', { spec: { count: '3' } }, { spec: { count: '4' } }, 'spec.count was "3" and is "4"'],
  ['a field less', { a: 1, b: 2 }, { a: 1 }, 'b was 2 and is absent'],
  ['a field more', { a: 1 }, { a: 1, b: null }, 'b was absent and is null'],
  ['an item', { l: [1, { x: 1 }] }, { l: [1, { x: 2 }] }, 'l[1].x was 1 and is 2'],
  ['a list for an object', { l: [] }, { l: {} }, 'l was [] and is {}'],
  ['a name with a dot', { 'a.b': 1 }, { 'a.b': 2 }, '[a.b] was 1 and is 2'],
])('%s', (_, before, after, expected) => {
  const found = firstDifference(before, after);
  expect(found && `${found.path} ${inWords(found)}`).toBe(expected);
});

test('excused places may differ, with all below them', () => {
  const [before, after] = [{ l: [{ x: { y: 1 }, z: 1 }] }, { l: [{ x: { y: 2 }, z: 2 }] }];
  expect(firstDifference(before, after, { excused: ['l[*].x'] })?.path).toBe('l[0].z');
  expect(firstDifference(before, after, { excused: ['l[*].x', 'l[*].z'] })).toBeUndefined();
});
