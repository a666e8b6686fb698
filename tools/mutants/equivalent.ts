// Mutants that change nothing anybody could see, each with its proof.
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { workspace } from '../test-results.ts';
import type { Mutant } from './protocol.ts';

export interface Equivalent {
  readonly file: string;
  readonly operator: string;
  /** The line of the source, without its indentation. */
  readonly line: string;
  /** What stands instead of the expression. */
  readonly becomes: string;
  /** Where the expression begins in the line: needed where the line has several that become the same. */
  readonly column?: number;
  /** Why no test can tell. */
  readonly proof: string;
}

export function equivalents(): readonly Equivalent[] {
  return JSON.parse(readFileSync(resolve(import.meta.dirname, 'equivalent.json'), 'utf8')) as Equivalent[];
}

/** The lines by file: a run sees one state of the sources. */
const lines = new Map<string, readonly string[]>();

export function lineOf({ file, line }: Pick<Mutant, 'file' | 'line'>): string {
  const known = lines.get(file) ?? readFileSync(file, 'utf8').split('\n');
  lines.set(file, known);
  return (known[line - 1] ?? '').trim();
}

export function isEquivalent(mutant: Mutant, rows: readonly Equivalent[]): boolean {
  return rows.some(
    (row) =>
      row.file === relative(workspace, mutant.file) &&
      row.operator === mutant.operator &&
      row.becomes === mutant.text &&
      (row.column === undefined || row.column === mutant.column) &&
      row.line === lineOf(mutant),
  );
}
