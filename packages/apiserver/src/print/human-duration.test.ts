import { expect, test } from 'vitest';
import { humanDuration } from './human-duration.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

test.each([
  [-2 * second, '<invalid>'],
  [-second, '0s'],
  [0, '0s'],
  [5 * second, '5s'],
  [119 * second, '119s'],
  [2 * minute, '2m'],
  [3 * minute + 20 * second, '3m20s'],
  [10 * minute + 30 * second, '10m'],
  [179 * minute, '179m'],
  [3 * hour, '3h'],
  [7 * hour + 5 * minute, '7h5m'],
  [8 * hour + 5 * minute, '8h'],
  [47 * hour, '47h'],
  [2 * day + 4 * hour, '2d4h'],
  [7 * day, '7d'],
  [8 * day + 4 * hour, '8d'],
  [729 * day, '729d'],
  [3 * year + 12 * day, '3y12d'],
  [9 * year + 12 * day, '9y'],
])('%i ms is %s', (ms, text) => {
  expect(humanDuration(ms)).toBe(text);
});
