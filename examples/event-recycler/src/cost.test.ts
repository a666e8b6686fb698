import { expect, test } from 'vitest';
import { anHour } from './cost/an-hour.ts';

test('ER-55: at 1,000 Events the cache adds under 50 MB, with one watch per kind', async () => {
  const { memory, watches } = await anHour('cached', 1000, 1);
  expect(memory).toBeLessThan(50 * 2 ** 20);
  // By their whole paths: Events are served by two groups of the API, and one of them is enough.
  expect(watches).toEqual({
    '/api/v1/nodes': 1,
    '/api/v1/pods': 1,
    '/apis/events.k8s.io/v1/events': 1,
    '/apis/kaws.kilter.dev/v1alpha1/eventrecyclers': 1,
    '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases': 1,
  });
}, 240_000);
