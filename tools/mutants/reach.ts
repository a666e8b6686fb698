// Which test runs through which mutant: found by running every test once without one, and kept until a source or a test changes.
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { workspace } from '../test-results.ts';
import { Courtroom } from './courtroom.ts';
import { type Limited, type Mutant, nameOf, type Plan, type TestRun } from './protocol.ts';
import { progress } from './report.ts';
import { folder } from './verdicts.ts';

/** A test that takes longer is left out: it would make a run last for hours, and a quicker one must exist. */
const slow = 10_000;

export interface Reach {
  /** Those that can judge. */
  readonly runs: readonly TestRun[];
  /** What runs while modules load. */
  readonly atLoad: readonly number[];
  /** Why others cannot, by name. */
  readonly unfit: readonly string[];
}

/** The state of some tests and of everything that they could load. */
function stateOf(tests: readonly string[]): string {
  const patterns = ['packages/*/**/*.ts', 'examples/*/**/*.ts', 'tools/mutants/*.ts'];
  const exclude = (name: string): boolean => /(^|[\\/])(node_modules|dist)$|\.gen\.ts$|\.test\.ts$/.test(name);
  const sources = globSync(patterns, { cwd: workspace, exclude }).map((file) => resolve(workspace, file));
  const hash = createHash('sha256');
  for (const file of [...sources.toSorted(), ...tests]) hash.update(`${file}\0`).update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

interface Question {
  /** The room, or what else has tests. */
  readonly name: string;
  readonly plan: Plan;
  readonly fresh: boolean;
}

export async function reachOf({ name, plan, fresh }: Question): Promise<Reach> {
  const state = stateOf(plan.tests);
  const file = resolve(folder, `reach-${name}.json`);
  const known = fresh ? undefined : read(file);
  if (known?.state === state) return known.reach;
  const reach = await tryTests(plan, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, JSON.stringify({ state, reach }));
  return reach;
}

function read(file: string): { readonly state: string; readonly reach: Reach } | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as { state: string; reach: Reach };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function tryTests(plan: Plan, name: string): Promise<Reach> {
  const court = new Courtroom(plan, folder);
  const tried: TestRun[] = [];
  try {
    const atLoad = await court.allTests((run) => {
      tried.push(run);
      progress(`${name}: ${tried.length} tests without a mutant`);
    });
    const isFit = ({ ms, failure }: TestRun): boolean => failure === undefined && ms <= slow;
    const unfit = tried.filter((run) => !isFit(run)).map((run) => `${nameOf(run)}: ${run.failure ?? tookTime(run)}`);
    return { runs: tried.filter(isFit), atLoad, unfit };
  } finally {
    court.close();
  }
}

const tookTime = ({ ms }: TestRun): string => `takes ${Math.round(ms)} ms`;

/** The tests that run through its place, or through its file where it is in force from the start: the file's own first, then the quick ones. */
export function judgesOf(mutant: Mutant, { runs, atLoad }: Reach, every: readonly Mutant[]): Limited[] {
  const isStatic = atLoad.includes(mutant.id);
  const name = basename(mutant.file, '.ts');
  const near = new Set(
    every.filter(({ id, file }) => (isStatic ? file === mutant.file : id === mutant.id)).map(({ id }) => id),
  );
  const rank = ({ file }: TestRun): number => (basename(file).startsWith(name) ? 0 : 1);
  const reaching = runs.filter(({ reached }) => reached.some((id) => near.has(id)));
  // In a file of nothing but constants no test runs through anything.
  const judges = isStatic && reaching.length === 0 ? runs : reaching;
  return judges
    .toSorted((a, b) => rank(a) - rank(b) || a.ms - b.ms)
    .map(({ file, nth, ms }) => ({ file, nth, ms: 3000 + 10 * ms }));
}
