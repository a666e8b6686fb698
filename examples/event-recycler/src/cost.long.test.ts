import { expect, test } from 'vitest';
import { anHour } from './cost/an-hour.ts';

test('ER-55: at 10,000 Events the cache adds under 500 MB, and an hour moves fewer bytes than polling', async () => {
  const cached = await anHour('cached', 10_000, 5);
  const polled = await anHour('polled', 10_000, 5);
  expect(cached.memory).toBeLessThan(500 * 2 ** 20);
  expect(cached.bytes).toBeLessThan(polled.bytes);
}, 1_200_000);
