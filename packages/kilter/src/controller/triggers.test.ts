// From a controller's declarations to what it watches and what wakes it, on informers without a server.
import { expect, test } from 'vitest';
import type { Kind, KubeObject } from '../api/index.ts';
import type { SharedCache } from '../cache/index.ts';
import { virtualRuntime } from '../internal/index.ts';
import { type Work, workQueue } from '../queue/index.ts';
import { MetricsRegistry, silentLogger } from '../telemetry/index.ts';
import { StartGate } from '../trigger/index.ts';
import { controller } from './define.ts';
import { App, FakeCache, type FakeInformer, objectOf as object, Part } from './informers.test-support.ts';
import type { ControllerSpec } from './spec.ts';
import { connectTriggers } from './triggers.ts';

function connect(spec: ControllerSpec, held: readonly string[] = []) {
  const { clock, ...runtime } = virtualRuntime();
  const cache = new FakeCache();
  const queue = workQueue({ name: spec.name, runtime: { ...runtime, clock }, fairness: 'off' });
  const gate = new StartGate();
  gate.open();
  const logger = silentLogger;
  const context = { controller: spec.name, queue, clock, gate, logger, metrics: new MetricsRegistry() };
  const gone: string[] = [];
  const connected = connectTriggers({
    spec,
    cache: cache as unknown as Pick<SharedCache, 'informer' | 'index'>,
    context,
    started: Promise.resolve(),
    gone: (key) => void gone.push(key),
    held: (key) => held.includes(key),
  });
  const woken = async (): Promise<[string, string][]> => {
    const works: Work[] = [];
    while (queue.depth > 0) works.push((await queue.take()) as Work);
    for (const work of works) queue.done(work, { type: 'forget' });
    return works.map(({ key, causes: [cause] }) => [key, cause?.reason ?? `${cause?.source} ${cause?.change}`]);
  };
  const informer = (of: Kind, nth = 0) => cache.informers.filter((one) => one.kind === of)[nth] as FakeInformer;
  return { connected, cache, clock, gone, woken, apps: informer(App), parts: informer(Part), informer };
}
const run = (): Promise<void> => Promise.resolve();

test('an object that is gone is reported, whatever predicates say, and only then', () => {
  const { apps, gone } = connect(controller(App, { when: () => false }).reconcile(run).spec);
  apps.emit('add', object(App, 'a'));
  apps.emit('update', object(App, 'a'));
  expect(gone).toEqual([]);
  apps.emit('delete', object(App, 'a'));
  expect(gone).toEqual(['n/a']);
});

test('B-30: every change of an object in quarantine wakes it, and predicates keep the others asleep', async () => {
  const { apps, woken } = connect(controller(App, { when: () => false }).reconcile(run).spec, ['n/a']);
  apps.emit('update', object(App, 'a'));
  apps.emit('update', object(App, 'b'));
  expect(await woken()).toEqual([['n/a', 'in quarantine']]);
});

test('what is disconnected is woken by nobody: neither by its own objects nor by others, nor by time', async () => {
  const spec = controller(App)
    .owns(Part)
    .watches(Part, () => ['a'])
    .references(Part, () => [])
    .every('1m')
    .reconcile(run).spec;
  const { connected, cache, clock, woken, apps, informer } = connect(spec);
  apps.emit('add', object(App, 'a'));
  const late = { kind: Part, map: () => ['a'], options: {} };
  connected.watch(late as never);
  await woken();
  await clock.advance(60_000);
  informer(Part, 1).emit('add', object(Part, 'p'));
  expect(await woken()).toHaveLength(1);
  connected.disconnect();
  expect(cache.informers.map(({ handlers }) => handlers.size)).toEqual([0, 0, 0, 0, 0]);
  await clock.advance(600_000);
  expect(await woken()).toEqual([]);
});

test('mappers find objects of the controller through its own indexes; those of other kinds are declared for it too', async () => {
  const color = ({ metadata }: KubeObject): string[] => [metadata.labels?.['color'] ?? 'none'];
  const spec = controller(App)
    .index('color', color)
    .index(Part, 'shade', color)
    .watches(Part, (part, { primaries }) => primaries.by('color', part.metadata.name))
    .reconcile(run).spec;
  const { cache, apps, parts, connected, woken } = connect(spec);
  expect([...cache.indexes.keys()]).toEqual(['App color of app', 'Part shade of app']);
  expect(cache.indexes.get('Part shade of app')?.(object(Part, 'p', { labels: { color: 'blue' } }))).toEqual(['blue']);
  apps.emit('add', object(App, 'a', { labels: { color: 'red' } }));
  apps.emit('add', object(App, 'b'));
  await woken();
  parts.emit('add', object(Part, 'red'));
  expect(await woken()).toEqual([['n/a', 'watched add']]);
  const ownColor = (app: KubeObject): boolean => app.metadata.labels !== undefined;
  expect(connected.primaries.where(ownColor)).toEqual([{ name: 'a', namespace: 'n' }]);
});

test('a watch that settles wakes once for many changes, after their time; one that does not, at once', async () => {
  const settling = connect(
    controller(App)
      .watches(Part, () => ['a'], { settle: '5s' })
      .reconcile(run).spec,
  );
  settling.apps.emit('add', object(App, 'a'));
  await settling.woken();
  settling.parts.emit('add', object(Part, 'p'));
  await settling.clock.advance(4999);
  expect(await settling.woken()).toEqual([]);
  await settling.clock.advance(1);
  expect(await settling.woken()).toHaveLength(1);
  const prompt = connect(
    controller(App)
      .watches(Part, () => ['a'])
      .reconcile(run).spec,
  );
  prompt.apps.emit('add', object(App, 'a'));
  await prompt.woken();
  prompt.parts.emit('add', object(Part, 'p'));
  expect(await prompt.woken()).toHaveLength(1);
});

test.each([
  ['by object', { byKey: false }, 'a', ['n/a']],
  ['by object, of one that is not there', { byKey: false }, 'missing', []],
  ['by key, of one that is not there', { byKey: true }, 'missing', ['n/missing']],
  ['by key, of one that its selector does not let in', { byKey: true, labels: { team: 'x' } }, 'missing', []],
  ['by key, outside its namespaces', { byKey: true }, { name: 'a', namespace: 'elsewhere' }, []],
] as const)('others wake a controller %s', async (_, how, target, keys) => {
  const { byKey, ...options } = how;
  const built = controller(App, options).watches(Part, () => [target]);
  const { spec } = byKey ? built.reconcileKey(run) : built.reconcile(run);
  const { apps, parts, woken } = connect(spec);
  apps.emit('add', object(App, 'a'));
  await woken();
  parts.emit('add', object(Part, 'p'));
  expect((await woken()).map(([key]) => key)).toEqual(keys);
});

test('children are known by their kind, one informer for each declaration, with what it prunes', () => {
  const spec = controller(App)
    .owns(Part, { labels: { a: '1' }, prune: true })
    .owns(Part, { labels: { a: '2' } })
    .reconcile(run).spec;
  const { connected, informer } = connect(spec);
  expect(connected.children.get('Part.example.com')).toEqual([
    { informer: informer(Part, 0), prune: true },
    { informer: informer(Part, 1), prune: false },
  ]);
});
