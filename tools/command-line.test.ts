import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { BadArguments, parseCommand } from './command-line.ts';
import { workspace } from './test-results.ts';

const command = { usage: 'npm run thing', options: { seed: { type: 'string', default: '1' } } } as const;

test('options have their values or defaults, words only where a command takes them', () => {
  expect(parseCommand(['--seed', '7'], command).values.seed).toBe('7');
  expect(parseCommand([], command).values.seed).toBe('1');
  expect(parseCommand(['a', 'b'], { ...command, words: true }).positionals).toEqual(['a', 'b']);
  expect(() => parseCommand(['a'], command)).toThrow(BadArguments);
});

test('an option nobody knows is named in one sentence', () => {
  expect(() => parseCommand(['--sed=7'], command)).toThrow(/^Unknown option '--sed'$/);
});

test('a command tells its usage when asked, and what it does not know without a stack', () => {
  const run = (flag: string): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(process.execPath, [resolve(workspace, 'tools/mutants/main.ts'), flag], { encoding: 'utf8' });
  expect(run('--help')).toMatchObject({ status: 0, stderr: '', stdout: expect.stringMatching(/^npm run mutants/) });
  const wrong = { status: 2, stdout: '', stderr: expect.stringMatching(/^Unknown option '--hlep'\nnpm run mutants/) };
  expect(run('--hlep')).toMatchObject(wrong);
});
