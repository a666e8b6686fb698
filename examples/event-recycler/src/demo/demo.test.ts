// The demo as its own process, as a person starts it.
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parseArguments, usage } from './arguments.ts';

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const demo = (...args: readonly string[]): Promise<Ended> =>
  new Promise((done) => {
    const program = ['--conditions=@kilter/source', resolve(import.meta.dirname, 'main.ts'), ...args];
    const child = execFile(process.execPath, program, (_error, stdout, stderr) =>
      done({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });

const patience = { timeout: 60_000 };

test.each([
  ['--dryrun', "Unknown option '--dryrun'"],
  ['dry-run', "Unexpected argument 'dry-run'"],
  ['--dry-run=yes', "Option '--dry-run' does not take an argument"],
])('%s is not an argument', (argument, why) => {
  expect(() => parseArguments(['--dry-run', argument])).toThrow(why);
});

test('tells its usage when asked, and runs nothing', patience, async () => {
  expect(await demo('--help')).toEqual({ code: 0, stdout: `${usage}\n`, stderr: '' });
});

test('refuses a mistake with the usage, and runs nothing', patience, async () => {
  expect(await demo('--dryrun')).toEqual({ code: 2, stdout: '', stderr: `Unknown option '--dryrun'\n\n${usage}\n` });
});

test('a dry run tells what would be recycled, and calls nothing that changes AWS', patience, async () => {
  const { code, stdout, stderr } = await demo('--dry-run');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('workers: DryRun after 5 occurrences');
  expect(stdout).not.toContain('AWS: ');
});
