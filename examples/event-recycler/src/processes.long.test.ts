// Real processes that die or stand still at seeded points of a recycle, with short leases.
import { systemRuntime } from 'kilter/runtime';
import { expect, test } from 'vitest';
import { ordeal } from './kills.test-support.ts';

const { clock } = systemRuntime;

test('ER-50, ER-75, ER-81: kill -9 of the leader at 20 seeded points ends like an undisturbed run', async () => {
  const struck = await ordeal({ seed: 20, rounds: 20, strike: (leader) => leader.kill('SIGKILL') });
  console.log(struck.map(({ round, what }) => `${round} ${what}`).join('\n'));
  expect(struck).toHaveLength(20);
}, 3_600_000);

test('ER-81: a leader that is stopped beyond its lease and goes on does nothing more to a group', async () => {
  const strike = (leader: { kill(signal: NodeJS.Signals): void }): void => {
    leader.kill('SIGSTOP');
    clock.timer(9000, () => leader.kill('SIGCONT'));
  };
  expect(await ordeal({ seed: 8, rounds: 8, strike })).toHaveLength(8);
}, 3_600_000);
