// Judges mutants: each by the tests of its room, and what lives then by the integration tests that reach it.
import { readFileSync } from 'node:fs';
import { Courtroom } from './courtroom.ts';
import { isSame, type Mutant, nameOf, type Plan, type Verdict } from './protocol.ts';
import { judgesOf, type Reach, reachOf } from './reach.ts';
import { progress } from './report.ts';
import { folder } from './verdicts.ts';

export interface Stage {
  /** The room, or `integration`. */
  readonly name: string;
  readonly wanted: readonly Mutant[];
  /** Of the same files: where they are reached says who judges what runs while modules load. */
  readonly every: readonly Mutant[];
  readonly tests: readonly string[];
  readonly fresh: boolean;
  /** How many processes judge at a time. */
  readonly jobs: number;
  readonly onVerdict: (mutant: Mutant, verdict: Verdict, by: string) => void;
  readonly onLiving?: (mutant: Mutant) => void;
}

/** Answers those that live. */
export async function judge(stage: Stage): Promise<Mutant[]> {
  const { name, wanted, every, tests, fresh } = stage;
  if (wanted.length === 0) return [];
  const reach = await reachOf({ name, plan: planOf(every, tests), fresh });
  console.log(`${name}: ${reach.runs.length} tests judge ${wanted.length} mutants`);
  for (const line of reach.unfit) console.log(`  cannot judge, or takes too long: ${line}`);
  const living: Mutant[] = [];
  const queue = wanted.entries();
  const hold = async (): Promise<void> => {
    const court = new Courtroom(planOf(wanted, tests), folder);
    try {
      for (const [at, mutant] of queue) {
        const died = await noticed(court, mutant, { stage, reach });
        if (!died) {
          living.push(mutant);
          stage.onLiving?.(mutant);
        }
        progress(`${name}: ${at + 1} of ${wanted.length}, ${living.length} live`);
      }
    } finally {
      court.close();
    }
  };
  await Promise.all(Array.from({ length: Math.min(stage.jobs, wanted.length) }, hold));
  return wanted.filter((mutant) => living.includes(mutant));
}

interface Known {
  readonly stage: Stage;
  readonly reach: Reach;
}

async function noticed(court: Courtroom, mutant: Mutant, { stage, reach }: Known): Promise<boolean> {
  const judges = judgesOf(mutant, reach, stage.every);
  if (judges.length === 0) return false;
  const isStatic = reach.atLoad.includes(mutant.id);
  const verdict = await (isStatic ? court.judgeAtLoad(mutant.id, judges) : court.judge(mutant.id, judges));
  if (verdict.failure === undefined) return false;
  const { test } = verdict;
  const by = test === undefined ? undefined : reach.runs.find((run) => isSame(run, test));
  stage.onVerdict(mutant, verdict, by === undefined ? 'loading' : nameOf(by));
  return true;
}

function planOf(mutants: readonly Mutant[], tests: readonly string[]): Plan {
  const files = [...new Set(mutants.map(({ file }) => file))];
  return { mutants, sources: Object.fromEntries(files.map((file) => [file, readFileSync(file, 'utf8')])), tests };
}
