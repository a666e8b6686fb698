import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type RunFacts, whyPartial } from './partial-run.ts';
import { fileOf, workspace } from './test-results.ts';

const whole: RunFacts = { config: {}, all: ['a', 'b'], ran: ['b', 'a'], interrupted: false };

describe('what a run left out', () => {
  test('is nothing where every file ran', () => {
    expect(whyPartial(whole)).toBeUndefined();
    const config = { project: [], tagsFilter: [], cliExclude: [], bail: 0 };
    expect(whyPartial({ ...whole, config })).toBeUndefined();
    expect(whyPartial({ ...whole, all: ['a', 'a', 'b'] })).toBeUndefined();
  });
  test.each<[Partial<RunFacts>, string]>([
    [{ ran: ['a'] }, '1 of 2 test files were left out'],
    [{ interrupted: true }, 'it was interrupted'],
    [{ config: { project: ['kilter'] } }, '--project'],
    [{ config: { testNamePattern: /x/ } }, '-t'],
    [{ config: { tagsFilter: ['slow'] } }, 'tags'],
    [{ config: { cliExclude: ['b'] } }, '--exclude'],
    [{ config: { shard: { index: 1, count: 2 } } }, '--shard'],
    [{ config: { bail: 1 } }, '--bail'],
  ])('%j', (facts, why) => {
    expect(whyPartial({ ...whole, ...facts })).toContain(why);
  });
});

test('a run of one file leaves the results of the last whole run alone, and says so', () => {
  const written = (): number | undefined => statSync(fileOf('test'), { throwIfNoEntry: false })?.mtimeMs;
  const before = written();
  const vitest = join(workspace, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', 'tools/summary.test.ts'];
  const { stdout, status } = spawnSync(process.execPath, args, { cwd: workspace, encoding: 'utf8' });
  expect(status, stdout).toBe(0);
  expect(stdout).toMatch(/npm run ledger and npm run counts ignore this run: [1-9][0-9]* of [0-9]+ test files/);
  expect(written()).toBe(before);
}, 60_000);
