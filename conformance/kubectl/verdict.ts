import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Outcome } from './scenario.ts';

const goldensFile = new URL('goldens.json', import.meta.url);
const differencesFile = new URL('differences.json', import.meta.url);

/** What the real server gave, by scenario. */
export interface Goldens {
  readonly kubernetes: string;
  readonly scenarios: Readonly<Record<string, readonly Outcome[]>>;
}

export function readGoldens(): Goldens {
  if (!existsSync(goldensFile)) return { kubernetes: '', scenarios: {} };
  return JSON.parse(readFileSync(goldensFile, 'utf8')) as Goldens;
}

export function writeGoldens(goldens: Goldens): void {
  writeFileSync(goldensFile, `${JSON.stringify(goldens, undefined, 1)}\n`);
}

/** A command that is known to give something else on the embedded server, and why. */
export interface KnownDifference {
  readonly scenario: string;
  readonly command: string;
  readonly reason: string;
}

export const readDifferences = (): KnownDifference[] =>
  JSON.parse(readFileSync(differencesFile, 'utf8')) as KnownDifference[];

export interface Verdict {
  readonly scenario: string;
  readonly golden: Outcome;
  readonly outcome: Outcome;
  /** `fails`: it succeeded on the real server. */
  readonly is: 'equal' | 'differs' | 'fails';
}

/** Each command beside what the real server gave; by its place, as one may stand there twice. */
export function judge(
  scenario: string,
  golden: readonly Outcome[] | undefined,
  outcomes: readonly Outcome[],
): Verdict[] {
  if (golden === undefined) throw new Error(`${scenario} has no golden: record it with --record`);
  if (golden.length !== outcomes.length)
    throw new Error(`${scenario} has other commands than its golden: record it again`);
  return outcomes.map((outcome, index) => {
    const wanted = golden[index] as Outcome;
    const equal = wanted.code === outcome.code && wanted.out === outcome.out && wanted.err === outcome.err;
    const fails = wanted.code === 0 && outcome.code !== 0;
    return { scenario, golden: wanted, outcome, is: equal ? 'equal' : fails ? 'fails' : 'differs' };
  });
}

/** What is not as the list of differences says; empty where it is. */
export function surprises(verdicts: readonly Verdict[], known: readonly KnownDifference[]): string[] {
  const isKnown = ({ scenario, outcome }: Verdict): boolean =>
    known.some((one) => one.scenario === scenario && one.command === outcome.run);
  const unexpected = verdicts.filter((verdict) => verdict.is !== 'equal' && !isKnown(verdict)).map(details);
  const healed = known.filter(
    (one) =>
      verdicts.some(({ scenario }) => scenario === one.scenario) &&
      !verdicts.some(
        (verdict) => verdict.scenario === one.scenario && verdict.outcome.run === one.command && verdict.is !== 'equal',
      ),
  );
  return [
    ...unexpected,
    ...healed.map(({ scenario, command }) => `${scenario}: kubectl ${command}: is equal now; take it off the list`),
  ];
}

function changes(before: string, after: string): string[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  const missing = a.filter((line) => !b.includes(line)).map((line) => `    - ${line}`);
  const more = b.filter((line) => !a.includes(line)).map((line) => `    + ${line}`);
  const lines = [...missing, ...more];
  return lines.length > 0 || before === after ? lines.slice(0, 40) : ['    the same lines in another order'];
}

/** A difference for people: what the real server gave (-), what ours did (+). */
export function details({ scenario, golden, outcome }: Verdict): string {
  const code = golden.code === outcome.code ? '' : ` ends with ${outcome.code}, not ${golden.code}`;
  const lines = [...changes(golden.out, outcome.out), ...changes(golden.err, outcome.err)];
  return [`${scenario}: kubectl ${outcome.run}:${code}`, ...lines].join('\n');
}
