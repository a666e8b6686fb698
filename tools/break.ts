// npm run break: breaks the code behind each ID of tools/breaks.json, one at a time; the tests citing that ID must fail.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { workspace } from './test-results.ts';

interface Break {
  readonly id: string;
  /** What is wrong with the code once it is broken. */
  readonly why: string;
  readonly file: string;
  /** Must occur exactly once. */
  readonly find: string;
  readonly replace: string;
}

/** The test files that cite an ID: no others need to run. */
function citing(id: string): string[] {
  const found = spawnSync('git', ['grep', '-lwF', '--untracked', id, '--', '*.test.ts'], {
    cwd: workspace,
    encoding: 'utf8',
  });
  return found.stdout.split('\n').filter((file) => file !== '');
}

function testsFail(id: string): boolean {
  const pattern = `(?<![\\w-])${id}(?![\\w])`;
  const run = spawnSync('npx', ['vitest', 'run', '--reporter=dot', '-t', pattern, ...citing(id)], {
    // A break may make a test wait for ever: that is seen, too.
    timeout: 300_000,
    cwd: workspace,
    encoding: 'utf8',
  });
  const hung = run.status === null;
  return hung || (run.status !== 0 && /failed/.test(run.stdout + run.stderr));
}

function survives({ id, file, find, replace }: Break): string | undefined {
  const path = resolve(workspace, file);
  const original = readFileSync(path, 'utf8');
  if (original.split(find).length !== 2) return `${id}: the text to break occurs not exactly once in ${file}`;
  if (testsFail(id)) return `${id}: its tests fail although nothing is broken`;
  try {
    writeFileSync(
      path,
      original.replace(find, () => replace),
    );
    return testsFail(id) ? undefined : `${id}: its tests still pass although ${file} is broken`;
  } finally {
    writeFileSync(path, original);
  }
}

const breaks = JSON.parse(readFileSync(resolve(workspace, 'tools/breaks.json'), 'utf8')) as Break[];
let failures = 0;
for (const row of breaks) {
  const problem = survives(row);
  if (problem !== undefined) failures += 1;
  console.log(problem === undefined ? `${row.id}: caught (${row.why})` : `NOT CAUGHT ${problem}`);
}
console.log(`${breaks.length - failures} of ${breaks.length} breaks were caught`);
if (failures > 0) process.exitCode = 1;
