// What was found out about mutants, kept from run to run: a run that was interrupted goes on, and what has not changed
// is not judged again.
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  /** The state of the tests; one that lived is judged again when they have changed. */
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

  constructor({ fresh }: { readonly fresh: boolean }) {
    mkdirSync(folder, { recursive: true });
    if (fresh) rmSync(file, { force: true });
    for (const line of linesOf(file)) {
      const finding = JSON.parse(line) as Finding;
      this.#known.set(finding.key, finding);
    }
  }

  known(key: string, tests: string): Finding | undefined {
    const finding = this.#known.get(key);
    return finding !== undefined && (finding.died || finding.tests === tests) ? finding : undefined;
  }

  add(finding: Finding): void {
    this.#known.set(finding.key, finding);
    appendFileSync(file, `${JSON.stringify(finding)}\n`);
  }
}

/** Tests that cannot judge, by name: they are not tried again before `--fresh`. */
export const leftOut = {
  read: (): string[] => linesOf(leftOutFile).map((line) => (JSON.parse(line) as { name: string }).name),
  write: (names: readonly string[]): void => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(leftOutFile, names.map((name) => `${JSON.stringify({ name })}\n`).join(''));
  },
};
const leftOutFile = resolve(folder, 'left-out.jsonl');

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
