import { expect, test } from 'vitest';
import { anHour } from './cost/an-hour.ts';

test('ER-55: at 1,000 Events the cache adds under 50 MB, with one watch per kind', async () => {
  const { memory, watches } = await anHour('cached', 1000, 1);
  expect(memory).toBeLessThan(50 * 2 ** 20);
  const streams = Object.entries(watches).map(([path, open]) => [path.split('/').at(-1), open]);
  expect(Object.fromEntries(streams)).toEqual({ eventrecyclers: 1, events: 1, leases: 1, nodes: 1, pods: 1 });
}, 240_000);
