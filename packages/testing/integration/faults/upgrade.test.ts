import { virtualRuntime } from 'kilter/runtime';
import { test } from 'vitest';
import { expectRollingUpgrade } from './upgrade.test-support.ts';

test('B-41: a rolling upgrade and back, both versions running: one leader at any time, Lease and objects readable by both', async () => {
  await expectRollingUpgrade({ options: { runtime: virtualRuntime() }, leaseDuration: 15_000 });
});
