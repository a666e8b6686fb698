import { setTimeout as sleep } from 'node:timers/promises';
import { type Figures, firstState, type Ground, type Scenario } from '../scenario.ts';
import type { ObjectKind } from '../stub/objects.ts';

const figures = [
  { name: 'wall', unit: 's' },
  { name: 'CPU', unit: 's' },
  { name: 'peak RSS', unit: 'MB' },
  { name: 'steady RSS', unit: 'MB' },
  { name: 'RSS per object', unit: 'KB' },
  { name: 'loop delay p99', unit: 'ms' },
  { name: 'loop delay max', unit: 'ms' },
  { name: 'own turn p99', unit: 'ms' },
  { name: 'own turn max', unit: 'ms' },
  { name: 'CPU per first run', unit: 'µs' },
  { name: 'run turn p99', unit: 'ms' },
  { name: 'run turn max', unit: 'ms' },
];

/** An idle process of the contestant: what it takes before it has an object. */
async function emptyRss(ground: Ground, kind: ObjectKind): Promise<number> {
  await ground.stub.order({ order: 'serve', kind, count: 1 });
  await using empty = ground.start({ mode: 'follow', kind, count: 1, workers: 1 });
  await firstState(empty, ground);
  await sleep(ground.smoke ? 50 : 1000);
  return (await empty.ask('usage', 'usage')).rss;
}

async function measure(ground: Ground, kind: ObjectKind, objects: number): Promise<Figures> {
  const count = ground.smoke ? Math.min(objects, 300) : objects;
  const before = await emptyRss(ground, kind);
  await ground.stub.order({ order: 'serve', kind, count, encoder: ground.encoder });
  await using process = ground.start({ mode: 'follow', kind, count, workers: 1, delays: true });
  const { synced, settled } = await firstState(process, ground);
  if (settled.runs !== count) throw new Error(`${settled.runs} runs for ${count} objects`);
  await sleep(ground.smoke ? 50 : 5000);
  const steady = await process.ask('usage', 'usage');
  return {
    wall: synced.wall / 1000,
    CPU: synced.cpu / 1000,
    'peak RSS': synced.peak / 2 ** 20,
    'steady RSS': steady.rss / 2 ** 20,
    'RSS per object': (steady.rss - before) / count / 1024,
    ...(synced !== settled && { 'CPU per first run': (settled.cpu / count) * 1000 }),
    ...(synced.delayP99 !== undefined && {
      'loop delay p99': synced.delayP99,
      'loop delay max': synced.delayMax ?? 0,
      'own turn p99': synced.turnP99 ?? 0,
      'own turn max': synced.turnMax ?? 0,
      'run turn p99': settled.turnP99 ?? 0,
      'run turn max': settled.turnMax ?? 0,
    }),
  };
}

const named: Readonly<Record<ObjectKind, string>> = { pods: 'Pods of 5.8 KB', widgets: 'custom resources of 1 KB' };

function sync(kind: ObjectKind, objects: number): Scenario {
  const thousands = `${objects / 1000}k`;
  return {
    name: `sync-${kind}-${thousands}`,
    title: `Initial sync of ${thousands} ${named[kind]}`,
    how: 'From the start of the operator to its first run, which begins once every object is cached; then every object runs once and 5 s later memory is looked at. "RSS per object" is what exceeds a process with one object. A loop delay is what a clock sees, a turn is CPU of the loop\'s own thread. kube-rs runs objects while the rest arrives: its figures are those of sync and runs together.',
    mode: 'follow',
    figures,
    ...(kind === 'pods' &&
      objects === 100_000 && {
        without: { 'client-node': 'its list is one string, and no string of JavaScript holds 580 MB' },
      }),
    measure: (ground) => measure(ground, kind, objects),
  };
}

export const syncs: readonly Scenario[] = (['widgets', 'pods'] as const).flatMap((kind) =>
  [1000, 10_000, 100_000].map((objects) => sync(kind, objects)),
);
