// All mutants of a file in one source: each is a branch that is taken while its number is the active one. So a process loads
// the code once and judges many.
import type { Mutation } from './operators.ts';

export interface Numbered extends Mutation {
  readonly id: number;
}

/** The function that says whether a mutant is active, and notes that its place was reached. */
export const switchName = '__kilterMutant';

/** The source with every mutant in it. */
export function withSwitches(source: string, mutants: readonly Numbered[]): string {
  const outer = [...mutants].toSorted((a, b) => a.start - b.start || b.end - a.end || a.id - b.id);
  return render(source, { start: 0, end: source.length }, outer);
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** `inside` lie in `range`, outer ones before inner ones. */
function render(source: string, { start, end }: Range, inside: readonly Numbered[]): string {
  const parts: string[] = [];
  let at = start;
  let next = 0;
  while (next < inside.length) {
    const one = inside[next];
    if (one === undefined) break;
    const rest = inside.slice(next + 1);
    const below = rest.slice(0, countWithin(rest, one));
    parts.push(source.slice(at, one.start), '(', `${switchName}(${one.id}) ? (${one.text}) : (`);
    parts.push(render(source, one, below), '))');
    at = one.end;
    next += 1 + below.length;
  }
  parts.push(source.slice(at, end));
  return parts.join('');
}

/** How many of those that follow begin inside; the order of ranges keeps them together. */
function countWithin(rest: readonly Numbered[], { end }: Range): number {
  const first = rest.findIndex((one) => one.start >= end);
  return first === -1 ? rest.length : first;
}
