// Two deaths of real processes; `processes.long.test.ts` has twenty, and pauses.
import { expect, test } from 'vitest';
import { ordeal } from './kills.test-support.ts';

test('ER-50, ER-75, ER-81: kill -9 of the leader in mid-recycle: another process ends it, and nothing is done twice', async () => {
  const struck = await ordeal({ seed: 1, rounds: 2, strike: (leader) => leader.kill('SIGKILL') });
  expect(struck).toHaveLength(2);
}, 600_000);
