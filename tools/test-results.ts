// What the last test runs said, for the ledger and the counts: written by the reporter, one file for each run.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

export interface TestResult {
  readonly title: string;
  readonly file: string;
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending';
}

/** `npm test`, `npm run test:control-plane` and `npm run test:moto`. */
export const runs = ['test', 'control-plane', 'moto'] as const;
export type Run = (typeof runs)[number];

export const workspace: string = resolve(import.meta.dirname, '..');
/** Where the results of a run are kept. */
export const fileOf = (run: Run): string => resolve(workspace, `.kilter/results-of-${run}.json`);

export function writeResults(run: Run, results: readonly TestResult[]): void {
  const file = fileOf(run);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(results));
}

/** Undefined when such a run has left no results. */
export function readResults(run: Run): readonly TestResult[] | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(run), 'utf8')) as TestResult[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
