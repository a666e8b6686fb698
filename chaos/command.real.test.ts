// npm run chaos in its shortest form, and interrupted.
import { execFileSync } from 'node:child_process';
import { findBinaries } from '@kilter/testing';
import { describe, expect, test } from 'vitest';
import { chaos } from './command.test-support.ts';

const { missing } = findBinaries();

/** Every process that descends from this one. */
function descendants(pid: number): number[] {
  const table = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' });
  const pairs = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
  const below = (parent: number): number[] =>
    pairs.flatMap(([child, of]) => (of === parent ? [child, ...below(child)] : []));
  return below(pid);
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe.skipIf(missing !== undefined)('npm run chaos', () => {
  test('one fault: the world is what is declared, and there is a row that says so', async () => {
    const run = chaos(['--minutes', '0.1', '--only', 'kill-leader', '--objects', '4', '--seed', '1']);
    expect(await run.ended, run.output()).toBe(0);
    expect(run.output()).toMatch(/ 1 kill-leader +\d+\.\d s +\d+ +\d+ +0 /);
    expect(run.output()).toContain('nothing was lost');
  }, 600_000);

  test('interrupted it ends all that it started, and says how to go on', async () => {
    const run = chaos(['--only', 'stop-leader', '--objects', '2', '--seed', '1']);
    await run.says('converged');
    const started = descendants(run.pid);
    // etcd, the API server, controllers, scheduler, kwok, their guardian, three operators.
    expect(started.length).toBeGreaterThanOrEqual(9);
    run.interrupt();
    expect(await run.ended, run.output()).toBe(130);
    expect(run.output()).toContain('to continue from here: npm run chaos -- --seed 1 --from 1');
    await expect.poll(() => started.filter(isRunning), { timeout: 30_000 }).toEqual([]);
  }, 600_000);
});
