// npm run mutants: breaks the code in small ways and says which of them no test notices.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { workspace } from '../test-results.ts';
import { Courtroom, type Limited } from './courtroom.ts';
import { equivalents, isEquivalent } from './equivalent.ts';
import { type Mutant, nameOf, type TestRun, type Verdict } from './protocol.ts';
import { describeMutant, type Judged, percent, scoreLine, scoreOf, text } from './report.ts';
import { integrationTests, mutantsOf, type Room, roomOf, rooms, testsOf } from './rooms.ts';
import { sample } from './sample.ts';
import { type Finding, Findings, folder, keyOf, leftOut, stateOf } from './verdicts.ts';

const usage = `npm run mutants                       40 mutants of each room, drawn with seed 1
  -- --seed 7                          other ones; the same seed draws the same ones from the same code
  -- --room queue --room cache         some rooms
  -- --count 100, -- --all             more of them, all of them
  -- --file work-queue                 only those of files whose path contains this
  -- --fresh                           judge again what is known from an earlier run
  -- --at-least 90                     per cent that must die in each room (of all rooms together with --together)
  -- --list                            says what would be judged`;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    room: { type: 'string', multiple: true },
    count: { type: 'string', default: '40' },
    all: { type: 'boolean', default: false },
    file: { type: 'string' },
    fresh: { type: 'boolean', default: false },
    'at-least': { type: 'string', default: '90' },
    together: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const findings = new Findings({ fresh: values.fresh });
if (values.fresh) leftOut.write([]);

/** A test that takes longer is left out: it would make a run last for hours, and a quicker one must exist. */
const slow = 10_000;

interface Tests {
  /** By index, in the order in which they are tried. */
  readonly runs: readonly TestRun[];
  readonly atLoad: ReadonlySet<number>;
}

function wantedRooms(): readonly Room[] {
  const given = values.room ?? [];
  const unknown = given.filter((name) => !rooms.includes(name as Room));
  if (unknown.length > 0) throw new Error(`there is no room ${unknown.join(', ')}; there are ${rooms.join(', ')}`);
  return given.length === 0 ? rooms : rooms.filter((room) => given.includes(room));
}

function drawn(all: readonly Mutant[], wanted: readonly Room[]): Mutant[] {
  const count = values.all ? Infinity : Number(values.count);
  return wanted.flatMap((room) => {
    const inside = all.filter((mutant) => roomOf(mutant) === room && mutant.file.includes(values.file ?? ''));
    return values.all ? inside : sample(inside, count, Number(values.seed));
  });
}

async function tryTests(court: Courtroom): Promise<Tests> {
  const runs: TestRun[] = [];
  const known = leftOut.read();
  const atLoad = await court.allTests(known, (run) => {
    runs.push(run);
    progress(`${runs.length} tests without a mutant`);
  });
  const fit = runs.filter(({ ms, failure }) => failure === undefined && ms <= slow);
  const unfit = runs.filter((run) => !fit.includes(run));
  leftOut.write([...known, ...unfit.map(nameOf)]);
  console.log(
    `\n${fit.length} tests judge; left out are those that take longer than ${slow / 1000} s or fail in one process with the others:`,
  );
  if (known.length > 0) console.log(`  ${known.length} known from an earlier run (--fresh tries them again)`);
  for (const run of unfit) console.log(`  ${nameOf(run)}: ${run.failure ?? `${Math.round(run.ms)} ms`}`);
  return { runs: fit, atLoad: new Set(atLoad) };
}

/** The tests that run through its place, or through its file where it is in force from the start: the file's own first, then the quick ones. */
function judgesOf(mutant: Mutant, { runs, atLoad }: Tests, every: readonly Mutant[]): Limited[] {
  const isStatic = atLoad.has(mutant.id);
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
    .map(({ index, ms }) => ({ index, ms: 3000 + 10 * ms }));
}

interface Stage {
  readonly wanted: readonly Mutant[];
  readonly every: readonly Mutant[];
  readonly tests: readonly string[];
  readonly onVerdict: (mutant: Mutant, verdict: Verdict, by: string) => void;
}

/** Judges mutants by some test files, and answers those that live. */
async function judgeBy({ wanted, every, tests: files, onVerdict }: Stage): Promise<Mutant[]> {
  if (wanted.length === 0) return [];
  const sources = Object.fromEntries(
    [...new Set(every.map(({ file }) => file))].map((file) => [file, readFileSync(file, 'utf8')]),
  );
  const court = new Courtroom({ mutants: every, sources, tests: files, fixed: false }, folder);
  const living: Mutant[] = [];
  try {
    const tests = await tryTests(court);
    for (const [at, mutant] of wanted.entries()) {
      const judges = judgesOf(mutant, tests, every);
      const isStatic = tests.atLoad.has(mutant.id);
      const verdict = await (isStatic ? court.judgeAtLoad(mutant.id, judges) : court.judge(mutant.id, judges));
      const by = tests.runs.find(({ index }) => index === verdict.test);
      if (verdict.failure === undefined) living.push(mutant);
      else onVerdict(mutant, verdict, by === undefined ? 'loading' : nameOf(by));
      progress(`${at + 1} of ${wanted.length}: ${living.length} live`);
    }
  } finally {
    court.close();
  }
  return living;
}

function progress(line: string): void {
  if (process.stdout.isTTY) process.stdout.write(`\r\u001B[K${line.slice(0, 120)}`);
}

/** First by the tests of the room, which take seconds; what lives then, by the integration tests that reach it. */
async function judgeRoom(room: Room, mutants: readonly Mutant[], every: readonly Mutant[]): Promise<Judged[]> {
  const [own, whole, rows] = [testsOf(room), integrationTests(), equivalents()];
  const state = stateOf([...own, ...whole]);
  const found = new Map<Mutant, Finding>();
  const equal = new Set(mutants.filter((mutant) => isEquivalent(mutant, rows)));
  for (const mutant of mutants) {
    const finding = findings.known(keyOf(mutant), state);
    if (finding !== undefined) found.set(mutant, finding);
  }
  const note = (mutant: Mutant, finding: Omit<Finding, 'key' | 'tests'>): void => {
    const wholeFinding = { key: keyOf(mutant), tests: state, ...finding };
    found.set(mutant, wholeFinding);
    findings.add(wholeFinding);
  };
  const onVerdict: Stage['onVerdict'] = (mutant, { failure }, by) => note(mutant, { died: true, failure, by });
  const wanted = mutants.filter((mutant) => !found.has(mutant) && !equal.has(mutant));
  const left = await judgeBy({ wanted, every, tests: own, onVerdict });
  const living = await judgeBy({ wanted: left, every, tests: whole, onVerdict });
  for (const mutant of living) note(mutant, { died: false });
  return mutants.map((mutant) => {
    const { died = false, by, failure } = found.get(mutant) ?? {};
    return { mutant, room, by, failure, verdict: equal.has(mutant) ? 'equivalent' : died ? 'died' : 'lives' };
  });
}

function conclude(judged: readonly Judged[], wanted: readonly Room[]): void {
  const scores = wanted.map((room) => scoreOf(room, judged));
  const least = Number(values['at-least']);
  const died = judged.filter(({ verdict }) => verdict === 'died').length;
  const counted = judged.filter(({ verdict }) => verdict !== 'equivalent').length;
  const rows = judged.map(({ mutant, ...rest }) => ({
    ...rest,
    file: relative(workspace, mutant.file),
    line: mutant.line,
    operator: mutant.operator,
    becomes: mutant.text,
  }));
  const report = { seed: Number(values.seed), scores, mutants: rows };
  writeFileSync(resolve(folder, 'report.json'), `${JSON.stringify(report, undefined, 2)}\n`);
  writeFileSync(resolve(folder, 'report.txt'), `${text(judged, scores)}\n`);
  console.log(`\n${scores.map(scoreLine).join('\n')}`);
  const all = percent(died, counted);
  console.log(
    `${died} of ${counted} mutants die: ${all.toFixed(1)} % (seed ${values.seed}; .kilter/mutants/report.txt)`,
  );
  const tooMany = scores.filter((one) => one.equivalent > (one.equivalent + one.died + one.lives) / 20);
  for (const { room } of tooMany) console.log(`${room}: more than 5 % of its mutants are called equivalent`);
  const low = values.together ? all < least : scores.some(({ score }) => score < least);
  if (low || (tooMany.length > 0 && !values.together)) process.exitCode = 1;
}

async function main(): Promise<void> {
  if (values.help) return console.log(usage);
  const inRooms = wantedRooms();
  const every = mutantsOf(inRooms);
  const wanted = drawn(every, inRooms);
  console.log(`${wanted.length} of ${every.length} mutants, seed ${values.seed}`);
  if (values.list) return console.log(wanted.map(describeMutant).join('\n'));
  const judged: Judged[] = [];
  for (const room of inRooms) {
    const inside = (mutant: Mutant): boolean => roomOf(mutant) === room;
    judged.push(...(await judgeRoom(room, wanted.filter(inside), every.filter(inside))));
    const living = judged.filter((one) => one.room === room && one.verdict === 'lives');
    for (const { mutant } of living) console.log(`lives: ${describeMutant(mutant)}`);
    console.log(scoreLine(scoreOf(room, judged)));
  }
  conclude(judged, inRooms);
}

await main();
