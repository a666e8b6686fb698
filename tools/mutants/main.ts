// npm run mutants: breaks the code in small ways and says which of them no test notices.
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { relative, resolve } from 'node:path';
import { commandLine } from '../command-line.ts';
import { workspace } from '../test-results.ts';
import { equivalents, isEquivalent } from './equivalent.ts';
import type { Mutant } from './protocol.ts';
import { describeMutant, type Judged, percent, scoreOf, text } from './report.ts';
import { allMutants, integrationTests, type Room, roomOf, rooms, testsOf } from './rooms.ts';
import { sample } from './sample.ts';
import { judge, type Stage } from './trial.ts';
import { type Finding, Findings, folder, keyOf, stateOf } from './verdicts.ts';

const usage = `npm run mutants                       tests 40 mutants of each room, drawn with seed 1
  -- --seed 7                          draws others; the same seed draws the same mutants from the same code
  -- --room queue --room cache         only some rooms
  -- --count 100, -- --all             more mutants, all mutants
  -- --file work-queue                 only mutants in files whose path contains this
  -- --fresh                           tests mutants again whose result is known from an earlier run
  -- --jobs 4                          how many processes test at a time; default: the number of cores, but at most two
  -- --at-least 90                     the percentage that must die in each room (of all rooms together with --together)
  -- --own                             runs only the tests of the mutant's room: integration tests might still kill survivors
  -- --list                            lists the mutants without testing them
An interrupted run continues where it stopped. Results are in .kilter/mutants.`;

const { values } = commandLine({
  usage,
  options: {
    seed: { type: 'string', default: '1' },
    room: { type: 'string', multiple: true },
    count: { type: 'string', default: '40' },
    all: { type: 'boolean', default: false },
    file: { type: 'string' },
    fresh: { type: 'boolean', default: false },
    jobs: { type: 'string', default: String(Math.min(2, availableParallelism())) },
    'at-least': { type: 'string', default: '90' },
    together: { type: 'boolean', default: false },
    own: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});

const rows = equivalents();
const every = allMutants();
const inRoom = (room: Room): Mutant[] => every.filter((mutant) => roomOf(mutant) === room);
const equal = new Set(every.filter((mutant) => isEquivalent(mutant, rows)));

function wantedRooms(): readonly Room[] {
  const given = values.room ?? [];
  const unknown = given.filter((name) => !rooms.includes(name as Room));
  if (unknown.length > 0) throw new Error(`there is no room ${unknown.join(', ')}; there are ${rooms.join(', ')}`);
  return given.length === 0 ? rooms : rooms.filter((room) => given.includes(room));
}

/** So many that can die, and the equivalent ones that were drawn with them. */
function drawn(room: Room): Mutant[] {
  const inside = inRoom(room).filter((mutant) => mutant.file.includes(values.file ?? ''));
  const shuffled = values.all ? inside : sample(inside, Infinity, Number(values.seed));
  let left = values.all ? Infinity : Number(values.count);
  return shuffled.filter((mutant) => left > 0 && (equal.has(mutant) || left-- > 0));
}

/** The findings on some mutants, with what was known before. */
class Record {
  readonly #findings = new Findings({ fresh: values.fresh });
  readonly #found = new Map<Mutant, Finding>();

  /** Takes over what is known, and answers what is not. */
  unknown(room: Room, mutants: readonly Mutant[]): Mutant[] {
    const [own, whole] = [testsOf(room), integrationTests()];
    const states = [this.#stateOf(room), ...own, ...whole].map((one) => (one.endsWith('.ts') ? stateOf([one]) : one));
    for (const mutant of mutants) {
      const finding = this.#findings.known(keyOf(mutant), states);
      if (finding !== undefined) this.#found.set(mutant, finding);
    }
    return mutants.filter((mutant) => !this.#found.has(mutant) && !equal.has(mutant));
  }

  readonly died: Stage['onVerdict'] = (mutant, { failure, test }, by) =>
    this.#note(mutant, { died: true, failure, by, tests: test ? stateOf([test.file]) : this.#stateOf(roomOf(mutant)) });

  lives(mutant: Mutant): void {
    this.#note(mutant, { died: false, tests: this.#stateOf(roomOf(mutant)) });
  }

  judged(mutant: Mutant): Judged {
    const { died = false, by, failure } = this.#found.get(mutant) ?? {};
    const verdict = equal.has(mutant) ? 'equivalent' : died ? 'died' : 'lives';
    return { mutant, room: roomOf(mutant), by, failure, verdict };
  }

  #note(mutant: Mutant, finding: Omit<Finding, 'key'>): void {
    const whole = { key: keyOf(mutant), ...finding };
    this.#found.set(mutant, whole);
    this.#findings.add(whole);
  }

  #stateOf(room: Room): string {
    return stateOf([...testsOf(room), ...integrationTests()]);
  }
}

function conclude(judged: readonly Judged[], wanted: readonly Room[]): void {
  const scores = wanted.map((room) => scoreOf(room, judged));
  const least = Number(values['at-least']);
  const died = judged.filter(({ verdict }) => verdict === 'died').length;
  const counted = judged.filter(({ verdict }) => verdict !== 'equivalent').length;
  const mutants = judged.map(({ mutant, ...rest }) => ({
    ...rest,
    file: relative(workspace, mutant.file),
    line: mutant.line,
    operator: mutant.operator,
    becomes: mutant.text,
  }));
  const report = { seed: Number(values.seed), scores, mutants };
  writeFileSync(resolve(folder, 'report.json'), `${JSON.stringify(report, undefined, 2)}\n`);
  writeFileSync(resolve(folder, 'report.txt'), `${text(judged, scores)}\n`);
  console.log(`\n${text(judged, scores)}`);
  const all = percent(died, counted);
  console.log(
    `${died} of ${counted} mutants die: ${all.toFixed(1)} % (seed ${values.seed}; .kilter/mutants/report.txt)`,
  );
  const tooMany = wanted.filter(
    (room) => inRoom(room).filter((mutant) => equal.has(mutant)).length > inRoom(room).length / 20,
  );
  for (const room of tooMany) console.log(`${room}: more than 5 % of its mutants are called equivalent`);
  const low = values.together ? all < least : scores.some(({ score }) => score < least);
  if (low || tooMany.length > 0) process.exitCode = 1;
}

/** First by the tests of each room, which take seconds; what lives then, by the integration tests that reach it. */
async function judgeAll(wanted: readonly Mutant[], inRooms: readonly Room[]): Promise<Judged[]> {
  const record = new Record();
  const shared = { fresh: values.fresh, jobs: Number(values.jobs), onVerdict: record.died };
  const left: Mutant[] = [];
  for (const room of inRooms) {
    const inside = record.unknown(
      room,
      wanted.filter((mutant) => roomOf(mutant) === room),
    );
    left.push(...(await judge({ ...shared, name: room, wanted: inside, every: inRoom(room), tests: testsOf(room) })));
  }
  if (values.own) return wanted.map((mutant) => record.judged(mutant));
  const onLiving = (mutant: Mutant): void => {
    record.lives(mutant);
    console.log(`lives: ${describeMutant(mutant)}`);
  };
  await judge({ ...shared, name: 'integration', wanted: left, every, tests: integrationTests(), onLiving });
  return wanted.map((mutant) => record.judged(mutant));
}

async function main(): Promise<void> {
  const inRooms = wantedRooms();
  const wanted = inRooms.flatMap(drawn);
  const all = inRooms.reduce((sum, room) => sum + inRoom(room).length, 0);
  console.log(`${wanted.length} of ${all} mutants, seed ${values.seed}`);
  if (values.list) return console.log(wanted.map(describeMutant).join('\n'));
  conclude(await judgeAll(wanted, inRooms), inRooms);
}

await main();
