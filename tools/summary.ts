// The closing line of a test run: counts, and why something was not run.
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

export function closingLine(results: readonly TestResult[]): string {
  const count = (...states: readonly TestResult['state'][]): number =>
    results.filter(({ state }) => states.includes(state)).length;
  const line = `${count('passed')} passed, ${count('failed')} failed, ${count('skipped', 'pending')} skipped`;
  const why = reasons(results);
  return why.length === 0 ? line : `${line} (${why.join('; ')})`;
}
