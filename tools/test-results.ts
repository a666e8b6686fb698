// What the last test run said, for the ledger: written by the reporter, read by tools/ledger.ts.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

export interface TestResult {
  readonly title: string;
  readonly file: string;
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending';
}

export const workspace: string = resolve(import.meta.dirname, '..');
const file = resolve(workspace, '.kilter/test-results.json');

export function writeResults(results: readonly TestResult[]): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(results));
}

/** Undefined when no test run has left results. */
export function readResults(): readonly TestResult[] | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as TestResult[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
