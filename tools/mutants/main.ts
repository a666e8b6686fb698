// npm run mutants: breaks the code in small ways and says which of them no test notices.
import { writeFileSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { workspace } from '../test-results.ts';
import { Courtroom, type Limited } from './courtroom.ts';
import { equivalents, isEquivalent } from './equivalent.ts';
import { type Mutant, nameOf, type TestRun } from './protocol.ts';
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

/** A test that takes longer is left out: it would make a run last for hours, and a quicker one must exist. */
const slow = 3000;

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
  for (const name of [
    ...known,
    ...unfit.map((run) => `${nameOf(run)}: ${run.failure ?? `${Math.round(run.ms)} ms`}`),
  ]) {
    console.log(`  ${name}`);
  }
  return { runs: fit, atLoad: new Set(atLoad) };
}

/** The file's own tests, those of its room, integration tests; the quick ones first. */
function judgesOf(mutant: Mutant, { runs, atLoad }: Tests): Limited[] {
  const own = testsOf(roomOf(mutant));
  const whole = integrationTests();
  const isStatic = atLoad.has(mutant.id);
  const name = basename(mutant.file, '.ts');
  const rank = ({ file }: TestRun): number =>
    basename(file).startsWith(name) ? 0 : own.includes(file) ? 1 : whole.includes(file) ? 2 : 3;
  return runs
    .filter((run) => rank(run) < 3 && (isStatic ? own.includes(run.file) : run.reached.includes(mutant.id)))
    .toSorted((a, b) => rank(a) - rank(b) || a.ms - b.ms)
    .map(({ index, ms }) => ({ index, ms: slow + 10 * ms }));
}

async function judge(mutant: Mutant, court: Courtroom, tests: Tests): Promise<Omit<Finding, 'key' | 'tests'>> {
  const judges = judgesOf(mutant, tests);
  const isStatic = tests.atLoad.has(mutant.id);
  const verdict = await (isStatic ? court.judgeAtLoad(mutant.id, judges) : court.judge(mutant.id, judges));
  const by = tests.runs.find(({ index }) => index === verdict.test);
  if (verdict.failure === undefined) return { died: false };
  return { died: true, failure: verdict.failure, by: by === undefined ? 'loading' : nameOf(by) };
}

function progress(line: string): void {
  if (process.stdout.isTTY) process.stdout.write(`\r\u001B[K${line.slice(0, 120)}`);
}

async function judgeAll(wanted: readonly Mutant[], every: readonly Mutant[]): Promise<Judged[]> {
  const inRooms = [...new Set(wanted.map(roomOf))];
  const files = [...inRooms.flatMap(testsOf), ...integrationTests()];
  const state = stateOf(files);
  if (values.fresh) leftOut.write([]);
  const findings = new Findings({ fresh: values.fresh });
  const rows = equivalents();
  const inForce = every.filter((one) => inRooms.includes(roomOf(one)));
  const court = new Courtroom({ mutants: inForce, tests: files, fixed: false }, folder);
  let tests: Tests | undefined;
  const judged: Judged[] = [];
  try {
    for (const mutant of wanted) {
      const room = roomOf(mutant);
      if (isEquivalent(mutant, rows)) {
        judged.push({ mutant, room, verdict: 'equivalent' });
        continue;
      }
      const key = keyOf(mutant);
      let finding = findings.known(key, state);
      if (finding === undefined) {
        tests ??= await tryTests(court);
        finding = { key, tests: state, ...(await judge(mutant, court, tests)) };
        findings.add(finding);
      }
      const unreached = tests !== undefined && !finding.died && judgesOf(mutant, tests).length === 0;
      judged.push({ mutant, room, verdict: finding.died ? 'died' : 'lives', ...finding, unreached });
      if (!finding.died) console.log(`\nlives: ${describeMutant(mutant)}`);
      progress(
        `${judged.length} of ${wanted.length}: ${judged.filter(({ verdict }) => verdict === 'lives').length} live`,
      );
    }
  } finally {
    court.close();
  }
  return judged;
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
  conclude(await judgeAll(wanted, every), inRooms);
}

await main();
