// The event loop while a hundred thousand keys run: timers, probes and the lease share it with all workers.
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { repeat, reportOf } from '../harness/child.ts';
import { median, shown } from '../harness/figures.ts';
import { checkLimits, type Limit } from '../harness/limits.ts';
import { table } from '../harness/markdown.ts';
import type { Bench, BenchOptions } from '../harness/options.ts';
import { build } from '../harness/prepare.ts';

interface Report {
  readonly runs: number;
  /** The longest delay of the event loop, and its 99th percentile; milliseconds. */
  readonly max: number;
  readonly p99: number;
  /** The same in milliseconds of CPU that its thread itself used: what a busy machine adds is not in it. */
  readonly longestTurn: number;
  readonly turnP99: number;
  /** Microseconds of CPU for each run, garbage collection included. */
  readonly cpu: number;
  /** Milliseconds from the first run to the last. */
  readonly wall: number;
  /** Lease renewals meanwhile, and whether the lease was kept. */
  readonly renewals: number;
  readonly kept: boolean;
}

const results = new URL('../results/loop.md', import.meta.url);
const probe = new URL('probes/empty-reconciles.mjs', import.meta.url);
const most = { max: 25, p99: 10 };
const rounds = ['max', 'p99', 'longestTurn', 'turnP99', 'cpu', 'wall', 'renewals'] as const;

async function measure(args: readonly string[], times: number): Promise<Report> {
  const reports = await repeat(times, () => reportOf<Report>(probe, { args }));
  const middle = Object.fromEntries(rounds.map((field) => [field, median(reports.map((report) => report[field]))]));
  const runs = Math.min(...reports.map((report) => report.runs));
  return { ...(middle as unknown as Report), runs, kept: reports.every(({ kept }) => kept) };
}

const cells = ({ max, p99, longestTurn, turnP99, cpu, wall, renewals, kept }: Report): string[] => [
  shown(max, 'ms'),
  shown(p99, 'ms'),
  shown(longestTurn, 'ms'),
  shown(turnP99, 'ms'),
  shown(cpu, 'µs'),
  shown(wall / 1000, 's'),
  `${renewals}${kept ? '' : ', lease lost'}`,
];

function limitsOf(objects: number, one: Report, many: Report): Limit[] {
  const of = (name: string, { longestTurn, turnP99, runs, kept }: Report): Limit[] => {
    const timed = (what: string, figure: number, limit: number): Limit => ({
      what: `${name}: ${what} at most ${limit} ms`,
      held: figure <= limit,
      figure: shown(figure, 'ms'),
      timed: true,
    });
    return [
      { what: `${name}: every key ran`, held: runs === objects, figure: String(runs), timed: false },
      { what: `${name}: the lease was kept`, held: kept, figure: String(kept), timed: false },
      timed('longest turn of the loop', longestTurn, most.max),
      timed('p99 of its turns', turnP99, most.p99),
    ];
  };
  return [...of('one worker', one), ...of('16 workers', many)];
}

async function run({ smoke }: BenchOptions): Promise<void> {
  build();
  const objects = smoke ? 5000 : 100_000;
  const times = smoke ? 1 : 5;
  const one = await measure([String(objects), '1', 'on'], times);
  const many = await measure([String(objects), '16', 'on'], times);
  const rows = [
    ['', 'longest delay', 'p99', 'of it own CPU', 'p99', 'CPU per run', 'all runs', 'lease renewals'],
    ['one worker', ...cells(one)],
    ['16 workers', ...cells(many)],
    // What workers would do if nobody asked them to pause: the difference is what slices are worth.
    ...(smoke ? [] : [['one worker, never pausing', ...cells(await measure([String(objects), '1', 'off'], 1))]]),
  ];
  const machine = `${availableParallelism()} cores, Node ${process.versions.node}`;
  const how = `${objects} objects of 1 KB, reconciled once each by a function that does nothing, under leader election with a renewal every 200 ms; delays of the event loop from the first run to the last, sampled each millisecond: as seen by a clock, and as CPU of the thread, which a busy machine does not change; limits are on the latter. Medians of ${times}.`;
  const text = `# The event loop while keys run\n\nWritten by \`npm run bench -- loop\`. Machine: ${machine}.\n\n${how}\n\n${table(rows)}\n`;
  console.log(text);
  if (!smoke) writeFileSync(results, text);
  checkLimits(limitsOf(objects, one, many), { smoke });
}

export const loop: Bench = { name: 'loop', run };
