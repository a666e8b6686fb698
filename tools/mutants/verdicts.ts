// What was found out about mutants, kept from run to run: a run that was interrupted continues, and what has not changed
// is not judged again.
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { workspace } from '../test-results.ts';
import type { Mutant } from './protocol.ts';

export interface Finding {
  /** Which mutant, in which state of its file. */
  readonly key: string;
  readonly died: boolean;
  /** The test that noticed it, and what it said. */
  readonly by?: string;
  readonly failure?: string | undefined;
  /** The state of the test file that noticed it, or of all that did not: it is judged again when that has changed. */
  readonly tests: string;
}

export const folder: string = resolve(workspace, '.kilter/mutants');
const file = resolve(folder, 'verdicts.jsonl');

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);
export const stateOf = (files: readonly string[]): string =>
  hash(files.map((one) => readFileSync(one, 'utf8')).join('\0'));

export function keyOf(mutant: Mutant): string {
  const { operator, start, end, text } = mutant;
  const place = relative(workspace, mutant.file);
  return [place, hash(readFileSync(mutant.file, 'utf8')), operator, start, end, hash(text)].join(' ');
}

export class Findings {
  /** The last finding of each mutant. */
  readonly #known = new Map<string, Finding>();

  /** What the last run has found is not believed. */
  readonly #fresh: boolean;

  constructor({ fresh }: { readonly fresh: boolean }) {
    this.#fresh = fresh;
    mkdirSync(folder, { recursive: true });
    for (const line of linesOf(file)) {
      const finding = JSON.parse(line) as Finding;
      this.#known.set(finding.key, finding);
    }
  }

  known(key: string, tests: readonly string[]): Finding | undefined {
    const finding = this.#fresh ? undefined : this.#known.get(key);
    return finding !== undefined && tests.includes(finding.tests) ? finding : undefined;
  }

  add(finding: Finding): void {
    this.#known.set(finding.key, finding);
    appendFileSync(file, `${JSON.stringify(finding)}\n`);
  }
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line.endsWith('}'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
