import { setTimeout as sleep } from 'node:timers/promises';
import type { Figures, Ground, Scenario } from '../scenario.ts';

async function coldStart(ground: Ground): Promise<Figures> {
  await ground.stub.order({ order: 'serve', kind: 'widgets', count: 1 });
  const start = performance.now();
  await using process = ground.start({ mode: 'follow', kind: 'widgets', count: 1, workers: 1 });
  await process.next('settled');
  return { wall: performance.now() - start };
}

async function idle(ground: Ground): Promise<Figures> {
  await using process = ground.start({ mode: 'idle', count: 20 });
  await process.next('synced');
  await sleep(ground.smoke ? 50 : 3000);
  await process.ask('mark', 'marked');
  await sleep(ground.smoke ? 200 : 10_000);
  const { rss, cpu, wall } = await process.ask('usage', 'usage');
  return { RSS: rss / 2 ** 20, CPU: (cpu / wall) * 1000 };
}

async function queue(ground: Ground): Promise<Figures> {
  const count = ground.smoke ? 1000 : 1_000_000;
  await using process = ground.start({ mode: 'queue', count });
  const perKey = async (at: string): Promise<number> => ((await process.next(at)).cpu / count) * 1e6;
  return { cold: await perKey('cold'), warm: await perKey('warm'), duplicate: await perKey('duplicates') };
}

async function reads(ground: Ground): Promise<Figures> {
  const count = ground.smoke ? 200 : 10_000;
  const times = ground.smoke ? 200 : 20_000;
  await ground.stub.order({ order: 'serve', kind: 'pods', count, encoder: ground.encoder });
  await using process = ground.start({ mode: 'read', kind: 'pods', count, times, settle: ground.smoke ? 100 : 3000 });
  const found: Record<string, number> = {};
  for (const at of ['get', 'namespace', 'label', 'index']) {
    const { cpu, objects = 0 } = await process.next(at);
    if (objects === 0) throw new Error(`reads by ${at} found nothing`);
    found[at] = (cpu / objects) * 1000;
  }
  return found;
}

const microseconds = (...names: readonly string[]): { name: string; unit: string }[] =>
  names.map((name) => ({ name, unit: 'µs' }));

export const atRest: readonly Scenario[] = [
  {
    name: 'queue',
    title: 'Queue of 1,000,000 keys',
    how: "CPU per key for add, take and done, first and second time, and for adding a key that waits already. Kilter's queue and client-go's, each by itself; Kilter's keys come with the numbers of cached objects, and its clock is asked as triggers and workers ask it.",
    mode: 'queue',
    figures: ['cold', 'warm', 'duplicate'].map((name) => ({ name, unit: 'ns' })),
    without: { 'kube-rs': 'its scheduler cannot be used by itself', 'client-node': 'it has no queue' },
    measure: queue,
  },
  {
    name: 'read',
    title: 'Reading 10,000 cached Pods',
    how: 'CPU per object returned: by name, all of a namespace (100), by label (200), by index (200). Kilter and controller-runtime hand out private copies, client-node the cached object itself.',
    mode: 'read',
    figures: microseconds('get', 'namespace', 'label', 'index'),
    without: { 'kube-rs': 'its store hands out shared references' },
    measure: reads,
  },
  {
    name: 'cold-start',
    title: 'Cold start to the first reconcile',
    how: 'From the start of the process to the end of the first run, seen from outside; one custom resource.',
    mode: 'follow',
    figures: [{ name: 'wall', unit: 'ms' }],
    measure: coldStart,
  },
  {
    name: 'idle',
    title: 'Idle with 20 informers',
    how: 'Twenty kinds without objects; memory and CPU over 10 s.',
    mode: 'idle',
    figures: [
      { name: 'RSS', unit: 'MB' },
      { name: 'CPU', unit: 'µs/ms' },
    ],
    measure: idle,
  },
];
