// What a process loads that imports the package and starts a cluster.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

test('who calls cluster() does not load fast-check', () => {
  const program = resolve(import.meta.dirname, 'loaded-modules.child.test-support.ts');
  const args = ['--conditions=@kilter/source', program];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stderr).toBe('');
  const { started, before, after } = JSON.parse(stdout) as { started: boolean; before: string[]; after: string[] };
  expect(started).toBe(true);
  expect(before).toEqual([]);
  // The way to see it works: checking conversions does load it.
  expect(after.length).toBeGreaterThan(0);
});
