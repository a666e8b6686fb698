import { setTimeout as sleep } from 'node:timers/promises';
import type { MeasuredProcess } from '../measured-process.ts';
import { type Figures, firstState, type Ground, type Scenario } from '../scenario.ts';
import type { ObjectKind } from '../stub/objects.ts';

interface Followed {
  readonly kind: ObjectKind;
  readonly count: number;
  readonly stamped?: boolean;
}

/** A contestant that has seen every object and waits for changes. */
async function following(ground: Ground, { kind, count, stamped = false }: Followed): Promise<MeasuredProcess> {
  await ground.stub.order({ order: 'serve', kind, count, encoder: ground.encoder });
  const process = ground.start({ mode: 'follow', kind, count, workers: 1, stamped });
  await firstState(process, ground);
  // client-node opens its watch only after its list was handed on.
  for (let tries = 0; (await ground.stub.order({ order: 'stats' })).watches === 0; tries += 1) {
    if (tries > 500) throw new Error('no watch was opened');
    await sleep(20);
  }
  return process;
}

async function burst(ground: Ground, kind: ObjectKind): Promise<Figures> {
  const count = ground.smoke ? 300 : 20_000;
  await using process = await following(ground, { kind, count });
  const warm = async (): Promise<Figures> => {
    await ground.stub.order({ order: 'prepare', kind, count, encoder: ground.encoder });
    await process.ask(`mark ${count}`, 'marked');
    await ground.stub.order({ order: 'burst', kind });
    const done = await process.next('done');
    if (done.runs !== count) throw new Error(`${done.runs} runs for ${count} events`);
    return { CPU: (done.cpu / count) * 1000, wall: (done.wall / count) * 1000 };
  };
  // The first one compiles; the second is what a process does that has been up for a while.
  await warm();
  return await warm();
}

const bursts = (['widgets', 'pods'] as const).map((kind): Scenario => ({
  name: `burst-${kind}`,
  title: `Watch burst, ${kind === 'pods' ? 'Pods' : 'custom resources'}`,
  how: '20,000 objects change once each, as fast as the stub can send; from the first byte until every key has run, with its object read by the reconciler. The second burst of a process.',
  mode: 'follow',
  figures: [
    { name: 'CPU', unit: 'µs' },
    { name: 'wall', unit: 'µs' },
  ],
  measure: (ground) => burst(ground, kind),
}));

async function latency(ground: Ground, rate: number): Promise<Figures> {
  const kind = 'widgets';
  const count = ground.smoke ? 100 : Math.min(10_000, rate * 10);
  await using process = await following(ground, { kind, count, stamped: true });
  await ground.stub.order({ order: 'prepare', kind, count, encoder: ground.encoder });
  await process.ask(`mark ${count}`, 'marked');
  await ground.stub.order({ order: 'pace', kind, rate: ground.smoke ? 2000 : rate });
  const { latency: seen, cpu, runs } = await process.next('done');
  if (runs !== count || !seen) throw new Error(`${runs} runs for ${count} events, with ${seen ? 'a' : 'no'} latency`);
  return { p50: seen.p50, p99: seen.p99, CPU: (cpu / count) * 1000 };
}

const latencies = [100, 2000].map((rate): Scenario => ({
  name: `latency-${rate}`,
  title: `Event to reconcile at ${rate} events/s`,
  how: 'Custom resources; from the moment the stub hands an event to its socket to the first line of the reconciler that reads it.',
  mode: 'follow',
  figures: [
    { name: 'p50', unit: 'µs' },
    { name: 'p99', unit: 'µs' },
    { name: 'CPU', unit: 'µs' },
  ],
  measure: (ground) => latency(ground, rate),
}));

/** Least squares over equal steps. */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const over = values.reduce((sum, value, i) => sum + (i - middle) * (value - mean), 0);
  return over / values.reduce((sum, _, i) => sum + (i - middle) ** 2, 0);
}

async function churn(ground: Ground): Promise<Figures> {
  const kind = 'widgets';
  const count = ground.smoke ? 100 : 10_000;
  const cycles = ground.smoke ? 4 : 40;
  await using process = await following(ground, { kind, count });
  const rss: number[] = [];
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    await ground.stub.order({ order: 'prepare', kind, count });
    await process.ask(`mark ${count}`, 'marked');
    await ground.stub.order({ order: 'burst', kind });
    await process.next('done');
    rss.push((await process.ask('usage', 'usage')).rss / 2 ** 20);
  }
  // The first half fills pools and heaps.
  const later = rss.slice(Math.floor(rss.length / 2));
  return { 'RSS slope': slope(later) * 10, 'last RSS': rss.at(-1) ?? 0 };
}

export const events: readonly Scenario[] = [
  ...bursts,
  ...latencies,
  {
    name: 'churn',
    title: 'A day of churn, compressed',
    how: '10,000 custom resources change 40 times each (what one change of each every 36 minutes makes in a day); resident memory after each of the last 20 rounds: its slope in MB per 100,000 events.',
    mode: 'follow',
    rounds: 1,
    figures: [
      { name: 'RSS slope', unit: 'MB' },
      { name: 'last RSS', unit: 'MB' },
    ],
    measure: churn,
  },
];
