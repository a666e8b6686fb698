// The two tables of docs/performance.md, as data: which measured figures are in which row, and what is aimed at.
import { readFileSync, writeFileSync } from 'node:fs';
import type { Bench } from '../harness/options.ts';
import { type ContestantName, contestantNames } from './contestants.ts';
import { summaries } from './summary.ts';
import type { ScenarioResult } from './rounds.ts';

/** What was measured, by the name of the scenario. */
export type Measured = Readonly<Record<string, Pick<ScenarioResult, 'outcomes'>>>;

/** A figure of a scenario, shown in another unit where `by` is given. */
interface Source {
  readonly scenario: string;
  readonly figure: string;
  readonly by?: number;
}

interface Row {
  readonly what: string;
  readonly unit: string;
  readonly of: readonly Source[];
  /** Said behind the figure of a contestant, or in its place where it has none. */
  readonly notes?: Partial<Record<ContestantName, string>>;
}

const from = (scenario: string, ...figures: string[]): Source[] => figures.map((figure) => ({ scenario, figure }));
const table = ([head = [], ...body]: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
const scaled = (sources: readonly Source[], by: number): Source[] => sources.map((one) => ({ ...one, by }));
const widgets = 'sync-widgets-100k';
const pods = 'sync-pods-100k';
const withRuns = { 'kube-rs': 'with the runs' };
const loads = ['CPU, 1 at a time', 'CPU, 16 at a time', 'CPU, 64 at a time'];

const rows: readonly Row[] = [
  { what: 'CPU per custom-resource event until it has run', unit: 'µs', of: from('burst-widgets', 'CPU') },
  {
    what: 'CPU per Pod event until it has run',
    unit: 'µs',
    of: from('burst-pods', 'CPU'),
    notes: { 'controller-runtime': '(protobuf)' },
  },
  { what: 'sync of 100k custom resources, wall / CPU', unit: 's', of: from(widgets, 'wall', 'CPU'), notes: withRuns },
  {
    what: 'the same, peak RSS until synced / RSS after every object ran once',
    unit: 'MB',
    of: from(widgets, 'peak RSS', 'steady RSS'),
  },
  { what: 'the same, RSS per object', unit: 'KB', of: from(widgets, 'RSS per object') },
  { what: 'the same, CPU per run of the first state, object read', unit: 'µs', of: from(widgets, 'CPU per first run') },
  {
    what: 'sync of 100k Pods, wall / CPU',
    unit: 's',
    of: from(pods, 'wall', 'CPU'),
    notes: { ...withRuns, 'client-node': 'cannot' },
  },
  { what: 'the same, peak RSS / after the runs', unit: 'MB', of: from(pods, 'peak RSS', 'steady RSS') },
  { what: 'the same, RSS per object', unit: 'KB', of: from(pods, 'RSS per object') },
  { what: 'the same, CPU per run of the first state, object read', unit: 'µs', of: from(pods, 'CPU per first run') },
  {
    what: 'queue of a million keys: add, take and done, again / the first time',
    unit: 'µs',
    of: scaled(from('queue', 'warm', 'cold'), 0.001),
    notes: { 'controller-runtime': '(client-go)' },
  },
  { what: 'cold start to the first reconcile', unit: 'ms', of: from('cold-start', 'wall') },
  { what: 'idle with 20 informers, RSS', unit: 'MB', of: from('idle', 'RSS') },
  { what: 'the same, CPU', unit: '%', of: scaled(from('idle', 'CPU'), 0.1) },
  {
    what: 'status write on kube-apiserver, CPU, 1 / 16 / 64 workers',
    unit: 'ms',
    of: scaled(from('writes-real', ...loads), 0.001),
  },
  {
    what: 'the same, 5,000 writes by 16 workers',
    unit: 'ms',
    of: scaled(from('writes-real', 'CPU, 5,000 by 16 at a time'), 0.001),
  },
  {
    what: 'event to reconcile at 100 events/s, p50 / p99',
    unit: 'ms',
    of: scaled(from('latency-100', 'p50', 'p99'), 0.001),
  },
  {
    what: 'event to reconcile at 2,000 events/s, p50 / p99',
    unit: 'ms',
    of: scaled(from('latency-2000', 'p50', 'p99'), 0.001),
  },
  {
    what: 'CPU per admission review, half of them answered with a patch',
    unit: 'µs',
    of: from('webhook', 'CPU'),
    notes: { 'kube-rs': 'no server', 'client-node': 'no server' },
  },
  { what: 'the same, p50 / p99 with eight at a time', unit: 'ms', of: scaled(from('webhook', 'p50', 'p99'), 0.001) },
  { what: 'RSS of the webhook server', unit: 'MB', of: from('webhook', 'RSS') },
];

/** The median over the rounds; undefined where it was not measured. */
function valueOf(
  measured: Measured,
  { scenario, figure, by = 1 }: Source,
  contestant: ContestantName,
): number | undefined {
  const result = measured[scenario];
  const found = result && summaries(result, figure).find((one) => one.contestant === contestant);
  return found === undefined ? undefined : found.median * by;
}

function inDigits(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString('en-US');
  return value >= 20 ? value.toFixed(0) : value >= 3 ? value.toFixed(1) : value.toFixed(2);
}

function figureCell({ of, unit, notes = {} }: Row, measured: Measured, contestant: ContestantName): string {
  const values = of.map((source) => valueOf(measured, source, contestant));
  const note = notes[contestant];
  if (values.every((value) => value === undefined))
    return note === undefined || note === withRuns['kube-rs'] ? '-' : note;
  const text = values.map((value) => (value === undefined ? '-' : inDigits(value))).join(' / ');
  return `${text} ${unit}${note === undefined ? '' : ` ${note}`}`;
}

const titles: Readonly<Record<ContestantName, string>> = {
  kilter: 'Kilter',
  'controller-runtime': 'controller-runtime 0.25.2',
  'kube-rs': 'kube-rs 5.0.0',
  'client-node': 'client-node 2.0.1',
};

/** Every figure beside those of the peers. */
export function figuresTable(measured: Measured): string {
  const body = rows.map((row) => [row.what, ...contestantNames.map((name) => figureCell(row, measured, name))]);
  return table([['figure', ...contestantNames.map((name) => titles[name])], ...body]);
}

interface Aim {
  readonly what: string;
  readonly of: readonly Source[];
  /** How many times less than a peer, or how much at most, for each of `of`. */
  readonly aim: readonly number[];
  /** Default: controller-runtime. 'limit': the aim is its own limit. */
  readonly beside?: ContestantName | 'limit';
  readonly unit?: string;
}

const aims: readonly Aim[] = [
  { what: 'CPU per custom-resource event', of: from('burst-widgets', 'CPU'), aim: [8] },
  { what: 'CPU per Pod event', of: from('burst-pods', 'CPU'), aim: [4] },
  { what: 'sync of 100k custom resources, wall', of: from(widgets, 'wall'), aim: [15] },
  { what: 'sync of 100k custom resources, wall', of: from(widgets, 'wall'), aim: [4], beside: 'client-node' },
  { what: 'sync of 100k Pods, wall / peak RSS', of: from(pods, 'wall', 'peak RSS'), aim: [2.5, 4] },
  { what: 'RSS per Pod', of: from(pods, 'RSS per object'), aim: [5] },
  { what: 'RSS per custom resource', of: from(widgets, 'RSS per object'), aim: [4] },
  {
    what: 'delay of the event loop while 100k custom resources are synced, p99 / max',
    of: from(widgets, 'loop delay p99', 'loop delay max'),
    aim: [10, 25],
    ...{ beside: 'limit', unit: 'ms' },
  },
  {
    what: 'the same as CPU of the thread, p99 / max',
    of: from(widgets, 'own turn p99', 'own turn max'),
    aim: [10, 25],
    ...{ beside: 'limit', unit: 'ms' },
  },
  {
    what: 'CPU of a turn while 100k keys run, p99 / max',
    of: from(widgets, 'run turn p99', 'run turn max'),
    aim: [10, 25],
    ...{ beside: 'limit', unit: 'ms' },
  },
  {
    what: 'status write on the real server, client CPU, 1 / 16 / 64 workers',
    of: from('writes-real', ...loads),
    aim: [1.5, 1.5, 1.5],
  },
  {
    what: 'event to reconcile, p50 at 100 / 2,000 events/s',
    of: [...from('latency-100', 'p50'), ...from('latency-2000', 'p50')],
    aim: [1.3, 2],
  },
  { what: 'cold start to the first reconcile', of: from('cold-start', 'wall'), aim: [1] },
  { what: 'idle RSS with 20 informers', of: from('idle', 'RSS'), aim: [65], ...{ beside: 'limit', unit: 'MB' } },
  { what: 'queue: add, take and done', of: from('queue', 'warm'), aim: [5] },
  {
    what: 'empty reconcile with its object read, CPU, custom resources',
    of: from(widgets, 'CPU per first run'),
    aim: [5],
  },
  { what: 'the same, Pods', of: from(pods, 'CPU per first run'), aim: [5] },
];

function aimRow({ what, of, aim, beside = 'controller-runtime', unit = '' }: Aim, measured: Measured): string[] {
  const own = of.map((source) => valueOf(measured, source, 'kilter'));
  if (beside === 'limit') {
    const reached = own.map((value, i) => (value === undefined ? '-' : value <= (aim[i] ?? 0) ? 'yes' : 'no'));
    const seen = own.map((value) => (value === undefined ? '-' : inDigits(value))).join(' / ');
    return [what, `at most ${aim.join(' / ')} ${unit}`, `${seen} ${unit}`, joined(reached)];
  }
  const ratios = of.map((source, i) => {
    const [theirs, ours] = [valueOf(measured, source, beside), own[i]];
    return theirs === undefined || ours === undefined || ours <= 0 ? undefined : theirs / ours;
  });
  const seen = ratios.map((ratio) => (ratio === undefined ? '-' : ratio.toFixed(1))).join(' / ');
  const reached = ratios.map((ratio, i) => (ratio === undefined ? '-' : ratio >= (aim[i] ?? 0) ? 'yes' : 'no'));
  return [what, `${aim.join(' / ')} times less than ${beside}`, `${seen} times`, joined(reached)];
}

const joined = (answers: readonly string[]): string =>
  new Set(answers).size === 1 ? (answers[0] ?? '-') : answers.join(' / ');

/** What is aimed at, and where it stands. A ratio below one: as many times more. */
export function aimsTable(measured: Measured): string {
  return table([['figure', 'aim', 'measured', 'reached'], ...aims.map((aim) => aimRow(aim, measured))]);
}

/** The page with its tables as they were measured; what stands between two marks is replaced. */
export function withTables(page: string, tables: Readonly<Record<string, string>>): string {
  return Object.entries(tables).reduce((text, [name, content]) => {
    const [begin, end] = [`<!-- measured: ${name} -->`, '<!-- end of measured -->'];
    const at = text.indexOf(begin);
    const to = text.indexOf(end, at);
    if (at < 0 || to < 0) throw new Error(`the page has no mark "${begin}" with an end`);
    return `${text.slice(0, at + begin.length)}\n\n${content}\n\n${text.slice(to)}`;
  }, page);
}

const at = (path: string): URL => new URL(path, import.meta.url);

/** `npm run bench -- publish`: the results that are stored, into the page. */
function publish(smoke: boolean): void {
  const page = at('../../docs/performance.md');
  const measured = JSON.parse(readFileSync(at('../results/compare.json'), 'utf8')) as Measured;
  const tables = { figures: figuresTable(measured), aims: aimsTable(measured) };
  const text = withTables(readFileSync(page, 'utf8'), tables);
  if (!smoke) writeFileSync(page, text);
}

export const published: Bench = { name: 'publish', run: ({ smoke }) => Promise.resolve(publish(smoke)) };
