// npm run ledger: how many statements of each contract page a passing test cites.
// Fails when a statement that was held has lost its test; one whose tests need a control plane or moto is not lost without it.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { cases } from '../conformance/cases/index.ts';
import { knownDifferences } from '../conformance/src/known.ts';
import { commandLine } from './command-line.ts';
import { citedIn, type Page, readPages } from './contracts.ts';
import { readResults, type TestResult, workspace } from './test-results.ts';
import { thinRows } from './thin.ts';

const usage = `npm run ledger      counts the statements of each contract page that a passing test cites
  -- --missing   lists the statements that no test holds yet
  -- --write     adds newly held statements to tools/ledger.json
  -- --run       runs the tests first, even if the results of the last run are known`;
const flag = { type: 'boolean', default: false } as const;

interface Flags {
  readonly missing: boolean;
  readonly write: boolean;
  readonly run: boolean;
}

const ledgerFile = resolve(workspace, 'tools/ledger.json');

/**
 * Held: cited by a passing test, by no failing one, and neither on the thin list nor shown by a case on which the embedded
 * server differs from a real one. The test of the ledger itself cites IDs as examples.
 */
export function heldBy(all: readonly TestResult[], thin: ReadonlySet<string>): Set<string> {
  const results = all.filter(({ file }) => file !== 'tools/ledger.test.ts');
  const held = new Set<string>();
  for (const { title, state } of results) if (state === 'passed') for (const id of citedIn(title)) held.add(id);
  for (const { title, state } of results) if (state === 'failed') for (const id of citedIn(title)) held.delete(id);
  for (const id of thin) held.delete(id);
  return held;
}

/** What the cases show that the embedded server answers differently. */
function differing(): string[] {
  const ids = new Set(knownDifferences().map((known) => known.case));
  return cases.filter(({ id }) => ids.has(id)).flatMap(({ shows }) => shows);
}

/** Cited by tests that could not run here: neither held nor lost. */
export function notRun(results: readonly TestResult[]): Set<string> {
  const left = results.filter(({ state }) => state === 'skipped' || state === 'pending');
  return new Set(left.flatMap(({ title }) => citedIn(title)));
}

/** What was held before and is not any more. */
export function lost(before: readonly string[], held: ReadonlySet<string>): string[] {
  return before.filter((id) => !held.has(id));
}

/** The titles of the tests on a control plane, of which none has run. */
function collected(): TestResult[] {
  const args = ['vitest', 'list', '-c', 'vitest.control-plane.config.ts', '--no-static-parse', '--json'];
  const { stdout, status } = spawnSync('npx', args, { cwd: workspace, encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (status !== 0) throw new Error(`the tests on a control plane do not load: npx ${args.join(' ')}`);
  const tests = JSON.parse(stdout) as { name: string; file: string }[];
  return tests.map(({ name, file }) => ({ title: name, file: relative(workspace, file), state: 'skipped' }));
}

/** Its tests install moto when they are loaded, so they are not asked for their titles: without results what they hold has not run. */
export function ofMoto(results: readonly TestResult[] | undefined): readonly TestResult[] {
  const file = 'examples/event-recycler/src/moto/port.moto.test.ts';
  return results ?? [{ title: 'ER-64: npm run test:moto has not run', file, state: 'skipped' }];
}

function currentResults({ run }: Flags): readonly TestResult[] {
  const found = run ? undefined : readResults('test');
  if (found === undefined) spawnSync('npx', ['vitest', 'run'], { cwd: workspace, stdio: 'inherit' });
  const real = readResults('control-plane') ?? collected();
  return [...(found ?? readResults('test') ?? []), ...real, ...ofMoto(readResults('moto'))];
}

function print(pages: readonly Page[], held: ReadonlySet<string>, { missing }: Flags): void {
  for (const { name, statements } of pages) {
    const count = statements.filter((id) => held.has(id)).length;
    console.log(`${name.padEnd(26)} ${String(count).padStart(4)} of ${statements.length} held`);
    if (missing) {
      console.log(`  not held: ${statements.filter((id) => !held.has(id)).join(' ')}`);
    }
  }
}

function main(): void {
  const { values: flags } = commandLine({ usage, options: { missing: flag, write: flag, run: flag } });
  const pages = readPages();
  const known = new Set(pages.flatMap(({ statements }) => statements));
  const rows = thinRows().flatMap(({ statement }) => (statement === undefined ? [] : [statement]));
  const thin = new Set([...rows, ...differing()]);
  const results = currentResults(flags);
  const held = new Set([...heldBy(results, thin)].filter((id) => known.has(id)));
  print(pages, held, flags);
  const before = JSON.parse(readFileSync(ledgerFile, 'utf8')) as string[];
  const away = notRun(results);
  const missing = lost(before, held).filter((id) => !away.has(id));
  if (missing.length > 0) {
    console.error(`held before, and no passing test cites it now: ${missing.join(' ')}`);
    process.exitCode = 1;
  }
  const order = [...known];
  const now = [...new Set([...before, ...held])].toSorted((a, b) => order.indexOf(a) - order.indexOf(b));
  if (flags.write) writeFileSync(ledgerFile, `${JSON.stringify(now, undefined, 2)}\n`);
}

if (import.meta.main) main();
