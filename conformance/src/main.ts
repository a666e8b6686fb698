// npm run conformance: the cases on the embedded server, beside the recorded answers of a real one.
//   -- --server real          on a real control plane instead (npm run kube:install)
//   -- --server real --record records the answers
//   -- --only c1              cases whose id, section or statement holds this text; with details
//   -- --details              every difference in full
//   -- --repeat 5             so many times, each on fresh servers
//   -- --write                brings differences.json and counts.json up to date (a count may only fall)
//   -- --random 200 [--seed 1] random sequences, plain, with admission, of rights and in protobuf: the first difference, shrunk
//                             (--only rights: one of the four; --all: goes on after a difference)
//   -- --serve                keeps a real control plane running for the next runs, until Ctrl-C
import { cases } from '../cases/index.ts';
import { BadUsage, type Options, parseOptions, usage } from './arguments.ts';
import type { Case } from './case.ts';
import { embeddedServers } from './embedded.ts';
import { writeGolden } from './goldens.ts';
import { examine, type Examination, goldenOf, judge, type Verdict } from './judge.ts';
import { countsOf, knownDifferences, surprise, writeCounts, writeKnown } from './known.ts';
import { pooled } from './pool.ts';
import { admitted, encoded, type Experiment, granted, plain } from './random/experiments.ts';
import { type Found, look } from './random/sequences.ts';
import { realServers } from './real.ts';
import { details, table } from './report.ts';
import type { Servers } from './server.ts';
import { forgetServed, writeServed } from './servers-file.ts';

function chosen(only: string | undefined): Case[] {
  if (only === undefined) return [...cases];
  const fits = ({ id, section, shows }: Case): boolean => id.includes(only) || section === only || shows.includes(only);
  const found = cases.filter(fits);
  if (found.length === 0) throw new BadUsage(`no case has ${only} as its section, in its id or as its statement`);
  return found;
}

async function serversFor(name: string): Promise<Servers> {
  if (name === 'embedded') return embeddedServers();
  return realServers();
}

function record(examinations: readonly Examination[], servers: Servers): number {
  let failures = 0;
  for (const { testCase, answers, problems } of examinations) {
    if (problems.length === 0) {
      writeGolden(testCase, answers, servers.versions);
      continue;
    }
    failures += 1;
    console.error(`  not recorded: ${testCase.id}: ${problems.join('\n    ')}`);
  }
  console.log(`${examinations.length - failures} recorded, ${failures} not, from ${servers.versions.kubernetes}`);
  return failures;
}

function reportOn(
  verdicts: readonly Verdict[],
  { server, only, details: inFull, write }: Options,
  examined: readonly Case[],
): number {
  console.log(table(verdicts));
  const differing = verdicts.filter(({ outcome }) => outcome !== 'passed');
  if (inFull || only !== undefined || server === 'real') for (const verdict of differing) console.log(details(verdict));
  if (server === 'real') return differing.length;
  if (write) {
    writeKnown(verdicts, examined);
    if (only === undefined) for (const risen of writeCounts(countsOf(verdicts))) console.error(risen);
  }
  const known = new Map(knownDifferences().map((entry) => [entry.case, entry]));
  const surprises = verdicts.flatMap((verdict) => {
    const text = surprise(verdict, known.get(verdict.testCase.id));
    return text === undefined ? [] : [`  ${verdict.testCase.id}: ${text}`];
  });
  if (surprises.length > 0) console.error(`not as conformance/differences.json says:\n${surprises.join('\n')}`);
  return surprises.length;
}

/** A case that cannot be judged, for lack of a golden, does not hide the others. */
function judged(examinations: readonly Examination[]): { verdicts: Verdict[]; unjudged: string[] } {
  const [verdicts, unjudged]: [Verdict[], string[]] = [[], []];
  for (const examination of examinations) {
    try {
      verdicts.push(judge(examination, goldenOf(examination.testCase)));
    } catch (error) {
      unjudged.push(error instanceof Error ? error.message : String(error));
    }
  }
  return { verdicts, unjudged };
}

async function once(values: Options): Promise<number> {
  const examined = chosen(values.only);
  await using servers = await serversFor(values.server);
  const started = performance.now();
  const examinations = await pooled(examined, servers.width, (testCase) => examine(testCase, servers));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    `${examined.length} cases on the ${servers.name} server (${servers.versions.kubernetes}) in ${seconds} s`,
  );
  if (values.record) return record(examinations, servers);
  const { verdicts, unjudged } = judged(examinations);
  for (const problem of unjudged) console.error(`  ${problem}`);
  return unjudged.length + reportOn(verdicts, values, examined);
}

// More of them wait for each other.
const lanes = 4;

/** What was found so far, for runs of hours: every so many sequences. */
const toldEvery = 100;

function summary({ alike, wavering, differing }: Found, what: string): string {
  const later = wavering === 0 ? '' : `, ${wavering} of them at a later look`;
  return `${alike} ${what} were answered alike${later}${differing === 0 ? '' : `, ${differing} were not`}`;
}

async function random(runs: number, { seed, all, only = '' }: Options): Promise<void> {
  await using real = await realServers();
  await using embedded = embeddedServers();
  const one = async <T>(experiment: Experiment<T>): Promise<void> => {
    const { name, what } = experiment;
    if (!name.includes(only)) return;
    const onLooked = (found: Found): void => {
      if ((found.alike + found.differing) % toldEvery === 0) console.log(`  ${summary(found, what)} so far`);
    };
    const onReport = (report: string): void => console.log(report);
    const found = await look(experiment, { real, embedded }, { runs, seed, lanes, all, onLooked, onReport });
    console.log(summary(found, what));
    if (found.differing > 0) process.exitCode = 1;
  };
  await one(plain);
  await one(admitted);
  await one(granted);
  await one(encoded);
}

async function serve(): Promise<void> {
  const { everyWorld } = await import('./worlds.ts');
  const worlds = await everyWorld(process.pid);
  const { served } = worlds;
  writeServed(served);
  console.log(`serving ${served.versions.kubernetes}; the next runs with --server real use it; Ctrl-C ends it`);
  // Without a terminal nothing else would hold this process: signals do not.
  const held = setInterval(() => {}, 2 ** 30);
  await new Promise<void>((done) => {
    process.once('SIGINT', done);
    process.once('SIGTERM', done);
  });
  clearInterval(held);
  forgetServed();
  await worlds.stop();
}

async function main(): Promise<void> {
  const values = parseOptions(process.argv.slice(2));
  if (values.help) return console.log(usage);
  if (values.serve) return serve();
  if (values.random !== undefined) return random(values.random, values);
  for (let round = 0; round < values.repeat; round += 1) {
    if ((await once(values)) > 0) process.exitCode = 1;
  }
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  if (!(error instanceof BadUsage)) process.exitCode = 1;
  else {
    console.error(usage);
    process.exitCode = 2;
  }
});
