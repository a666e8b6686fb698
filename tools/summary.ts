// The closing lines of a test run: what failed, why something was not run, and last the counts.
import type { TestResult } from './test-results.ts';

const reasonIn = /\(skipped: ([^()]*(?:\([^()]*\)[^()]*)*)\)/;

/** Reasons of what was left out, the most frequent first; a title gives its own as `(skipped: …)`. */
export function reasons(results: readonly TestResult[]): string[] {
  const counts = new Map<string, number>();
  for (const { state, title } of results) {
    if (state !== 'skipped' && state !== 'pending') continue;
    const reason = reasonIn.exec(title)?.[1] ?? 'no reason given';
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([reason, count]) => `${count}: ${reason}`);
}

/** The counts stand alone on the last line, where whoever reads only that finds them. */
export function closingLines(results: readonly TestResult[]): string[] {
  const failed = results
    .filter(({ state }) => state === 'failed')
    .map(({ file, title }) => `failed: ${file} > ${title}`);
  const why = reasons(results).map((reason) => `not run, ${reason}`);
  return [...failed, ...why, countsOf(results)];
}

function countsOf(results: readonly TestResult[]): string {
  const count = (...states: readonly TestResult['state'][]): number =>
    results.filter(({ state }) => states.includes(state)).length;
  return `${count('passed')} passed, ${count('failed')} failed, ${count('skipped', 'pending')} skipped`;
}
