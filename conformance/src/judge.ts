// The verdict on one case: its answers beside the golden.
import type { Case, Claim, Json } from './case.ts';
import { type Difference, differences } from './compare.ts';
import { type Golden, readGolden, stepsOf } from './goldens.ts';
import { type NormalAnswers, normalForm } from './normal-form.ts';
import { broken, canonical } from './places.ts';
import { runCase } from './run-case.ts';
import type { Servers } from './server.ts';
import { fill, fillJson } from './template.ts';

export interface Verdict {
  readonly testCase: Case;
  readonly outcome: 'passed' | 'differing' | 'not supported';
  readonly differences: readonly Difference[];
}

export interface Examination {
  readonly testCase: Case;
  readonly answers: NormalAnswers;
  /** Clauses that do not hold, and steps that could not be done. */
  readonly problems: readonly string[];
}

/** For a case known to differ: what it waits for may never come. */
const hasty = { patience: 1000, silence: 15_000 };

/** Runs a case; nothing is compared yet. */
export async function examine(testCase: Case, servers: Servers, { differs = false } = {}): Promise<Examination> {
  await using taken = await servers.take(testCase.world ?? 'api');
  const server = differs ? { ...taken, ...hasty } : taken;
  const run = await runCase(testCase, server, servers.run);
  // Names alone: what the answers are is what claims are about.
  const filled = (text: string): string => fill(text, run.names, {});
  const claims = testCase.claims.flatMap((claim) => {
    const named = fillJson(claim as unknown as Json, filled) as unknown as Claim;
    return broken(named, run.answers) ?? [];
  });
  return {
    testCase,
    answers: normalForm(testCase, run),
    problems: [...(run.stopped === undefined ? [] : [run.stopped]), ...claims],
  };
}

const refusals = new Set([404, 405, 406, 415, 501]);

/** The first step that differs was refused as something unknown. */
function isUnsupported({ answers, testCase }: Examination, golden: Golden): boolean {
  for (const step of testCase.steps) {
    if (!('name' in step) || step.do === 'watch') continue;
    const [expected, actual] = [golden.answers[step.name], answers[step.name]];
    if (expected === undefined || canonical(expected) === canonical(actual)) continue;
    if (actual === undefined) return step.do === 'execute' || step.do === 'launch';
    const statusOf = (answer: typeof actual): unknown => (answer as { status?: unknown } | null)?.status;
    const [wanted, given] = [statusOf(expected), statusOf(actual)];
    return wanted !== given && refusals.has(given as number);
  }
  return false;
}

export function goldenOf(testCase: Case): Golden {
  const golden = readGolden(testCase);
  const cure = 'record it: npm run conformance -- --server real --record';
  if (golden === undefined) throw new Error(`${testCase.id} has no golden; ${cure}`);
  if (canonical(golden.steps) !== canonical(stepsOf(testCase))) {
    throw new Error(`the steps of ${testCase.id} are not those of its golden; ${cure}`);
  }
  return golden;
}

export function judge(examination: Examination, golden: Golden): Verdict {
  const { testCase, answers, problems } = examination;
  const found = differences(golden.answers, answers);
  const all = [...found, ...problems.map((problem) => ({ at: 'claims', expected: 'holds', actual: problem }))];
  if (all.length === 0) return { testCase, outcome: 'passed', differences: [] };
  return { testCase, outcome: isUnsupported(examination, golden) ? 'not supported' : 'differing', differences: all };
}
