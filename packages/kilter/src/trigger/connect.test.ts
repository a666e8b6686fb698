import { describe, expect, test } from 'vitest';
import { keyOf, type Kind, kind, type KubeObject, type NamedRef, type ObjectMeta, refOfKey } from '../api/index.ts';
import type { ChangeHandler, Informer, ObjectChange } from '../cache/index.ts';
import { quiescence, systemClock, virtualRuntime } from '../internal/index.ts';
import { type Work, workQueue } from '../queue/index.ts';
import { jsonLogger, MetricsRegistry } from '../telemetry/index.ts';
import { connectEvery } from './every.ts';
import { declarationOf, predicatesOf } from './options.ts';
import { connectOwned } from './owned.ts';
import { generationChanged, labelsChanged } from './predicate.ts';
import { primariesOf } from './primaries.ts';
import { connectPrimary } from './primary.ts';
import { connectReferences } from './references.ts';
import { connectSource } from './source.ts';
import { StartGate } from './start-gate.ts';
import { connectWatched } from './watched.ts';

const WebApp: Kind = kind({
  group: 'example.com',
  version: 'v1',
  kind: 'WebApp',
  plural: 'webapps',
  scope: 'Namespaced',
});
const Fleet: Kind = kind({ group: 'example.com', version: 'v1', kind: 'Fleet', plural: 'fleets', scope: 'Cluster' });
const ConfigMap: Kind = kind({
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  scope: 'Namespaced',
});

/** A store and its handlers, without a server. */
class FakeInformer implements Pick<Informer, 'kind' | 'handle' | 'index' | 'by' | 'refs'> {
  readonly kind: Kind;
  readonly objects = new Map<string, KubeObject>();
  readonly handlers = new Set<ChangeHandler>();
  readonly indexes = new Map<string, (object: KubeObject) => readonly string[]>();

  constructor(of: Kind) {
    this.kind = of;
  }
  handle(handler: ChangeHandler): () => void {
    this.handlers.add(handler);
    return () => void this.handlers.delete(handler);
  }
  index(name: string, keys: (object: KubeObject) => readonly string[]): void {
    this.indexes.set(name, keys);
  }
  by(index: string, key: string): readonly NamedRef[] {
    const keys = this.indexes.get(index);
    return [...this.objects].filter(([, object]) => keys?.(object).includes(key)).map(([found]) => refOfKey(found));
  }
  refs(): readonly NamedRef[] {
    return [...this.objects.keys()].map(refOfKey);
  }
  emit(change: Partial<ObjectChange> & Pick<ObjectChange, 'type' | 'key'>): void {
    const ref = refOfKey(change.key);
    const rest = { resourceVersion: '7', before: undefined, after: undefined };
    const flags = { initial: false, resync: false, finalStateUnknown: false };
    for (const handler of this.handlers) handler({ ref, ...rest, ...flags, ...change });
  }
  add(object: KubeObject): void {
    this.objects.set(keyOf(object), object);
    this.emit({ type: 'add', key: keyOf(object), after: object });
  }
  update(before: KubeObject, after: KubeObject): void {
    this.objects.set(keyOf(after), after);
    this.emit({ type: 'update', key: keyOf(after), before, after });
  }
}

const named = (key: string, metadata: Partial<ObjectMeta> = {}, more: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'X',
  metadata: { ...refOfKey(key), ...metadata },
  ...more,
});

function setup(primary: Kind = WebApp) {
  const runtime = virtualRuntime();
  const lines: Record<string, unknown>[] = [];
  const metrics = new MetricsRegistry();
  const logger = jsonLogger({ write: (line) => lines.push(JSON.parse(line)), now: () => 0 });
  const queue = workQueue({ name: 'webapp', runtime, fairness: 'off' });
  const gate = new StartGate();
  gate.open();
  const context = { controller: 'webapp', queue, clock: runtime.clock, gate, logger, metrics };
  const primaries = new FakeInformer(primary);
  const other = new FakeInformer(ConfigMap);
  const view = primariesOf({ ...context, informer: primaries, indexes: [] });
  const woken = async (): Promise<string[]> => {
    const works: Work[] = [];
    while (queue.depth > 0) works.push((await queue.take()) as Work);
    for (const work of works) queue.done(work, { type: 'forget' });
    return works.map((work) => work.key);
  };
  return { context, queue, clock: runtime.clock, lines, metrics, primaries, other, view, woken };
}

const broken = (): never => {
  throw new Error('broken');
};

describe('primary objects', () => {
  test('PQ-4: initial adds and resyncs enter at -100, all else at 0', async () => {
    const { context, queue, primaries } = setup();
    connectPrimary({ ...context, informer: primaries, skipStatusUpdates: true });
    const app = named('default/a', { resourceVersion: '1' });
    primaries.emit({ type: 'add', key: 'default/a', after: app, initial: true });
    primaries.emit({ type: 'update', key: 'default/b', before: app, after: app, resync: true });
    primaries.emit({ type: 'add', key: 'default/c', after: app });
    const works = [await queue.take(), await queue.take(), await queue.take()];
    expect(works.map((work) => [work?.key, work?.priority, work?.causes[0]?.change])).toEqual([
      ['default/c', 0, 'add'],
      ['default/a', -100, 'add'],
      ['default/b', -100, 'resync'],
    ]);
  });

  test('CS-1: the cause names source, change, kind, reference and version', async () => {
    const { context, queue, primaries } = setup();
    connectPrimary({ ...context, informer: primaries, skipStatusUpdates: false });
    primaries.emit({ type: 'delete', key: 'default/a', before: named('default/a'), resourceVersion: '12' });
    expect((await queue.take())?.causes).toMatchObject([
      {
        source: 'primary',
        change: 'delete',
        kind: 'WebApp.example.com',
        ref: { namespace: 'default', name: 'a' },
        resourceVersion: '12',
      },
    ]);
  });

  test('IN-3: a delete without an object still triggers, by its key, past every predicate', async () => {
    const { context, primaries, woken } = setup();
    connectPrimary({ ...context, informer: primaries, skipStatusUpdates: true, predicates: [() => false] });
    primaries.emit({ type: 'delete', key: 'default/a', finalStateUnknown: true });
    expect(await woken()).toEqual(['default/a']);
  });

  test('PH-1: predicates are ANDed in their order', async () => {
    const { context, primaries, woken } = setup();
    const asked: string[] = [];
    const say = (name: string, answer: boolean) => () => asked.push(name) > 0 && answer;
    const predicates = [say('first', true), say('second', false), say('third', true)];
    connectPrimary({ ...context, informer: primaries, skipStatusUpdates: false, predicates });
    primaries.add(named('default/a'));
    expect(await woken()).toEqual([]);
    expect(asked).toEqual(['first', 'second']);
  });

  test('PH-9: status updates are left out only when asked for', async () => {
    const { context, primaries, woken } = setup();
    const disconnect = connectPrimary({ ...context, informer: primaries, skipStatusUpdates: true });
    const before = named('default/a', { resourceVersion: '1' }, { status: { ready: 0 } });
    const after = named('default/a', { resourceVersion: '2' }, { status: { ready: 1 } });
    primaries.update(before, after);
    expect(await woken()).toEqual([]);
    disconnect();
    connectPrimary({ ...context, informer: primaries, skipStatusUpdates: false });
    primaries.update(before, after);
    expect(await woken()).toEqual(['default/a']);
  });

  test('PH-6: a throwing predicate is counted and logged with the key, and the change is not lost', async () => {
    const { context, primaries, woken, lines, metrics } = setup();
    connectPrimary({ ...context, informer: primaries, skipStatusUpdates: false, predicates: [broken] });
    primaries.add(named('default/a'));
    expect(await woken()).toEqual(['default/a']);
    expect(lines).toMatchObject([{ key: 'default/a', err: { message: 'broken' } }]);
    expect(metrics.text()).toContain('kilter_trigger_errors_total{controller="webapp",source="primary"} 1');
  });

  test('a disconnected trigger wakes nobody', async () => {
    const { context, primaries, woken } = setup();
    connectPrimary({ ...context, informer: primaries, skipStatusUpdates: false })();
    primaries.add(named('default/a'));
    expect(await woken()).toEqual([]);
  });

  test('triggers are counted by source and change', () => {
    const { context, primaries, metrics } = setup();
    connectPrimary({ ...context, informer: primaries, skipStatusUpdates: false });
    primaries.add(named('default/a'));
    expect(metrics.text()).toContain('kilter_triggers_total{change="add",controller="webapp",source="primary"} 1');
  });
});

describe('PH-5: owned objects', () => {
  const owner = { apiVersion: 'example.com/v1', kind: 'WebApp', name: 'shop', uid: 'u1', controller: true };
  const child = (...ownerReferences: NonNullable<ObjectMeta['ownerReferences']>): KubeObject =>
    named('default/child', { ownerReferences });

  test.each<[string, Kind, { object: KubeObject; wakes: string[] }]>([
    ['the controlling owner', WebApp, { object: child(owner), wakes: ['default/shop'] }],
    [
      'another version of the owner kind',
      WebApp,
      { object: child({ ...owner, apiVersion: 'example.com/v1alpha1' }), wakes: ['default/shop'] },
    ],
    ['another UID', WebApp, { object: child({ ...owner, uid: 'u2' }), wakes: ['default/shop'] }],
    ['another group', WebApp, { object: child({ ...owner, apiVersion: 'other.com/v1' }), wakes: [] }],
    ['another kind', WebApp, { object: child({ ...owner, kind: 'Other' }), wakes: [] }],
    ['an owner that does not control', WebApp, { object: child({ ...owner, controller: false }), wakes: [] }],
    ['no owner', WebApp, { object: child(), wakes: [] }],
    ['a cluster-scoped owner', Fleet, { object: child({ ...owner, kind: 'Fleet' }), wakes: ['shop'] }],
    [
      'a namespaced owner of an object without namespace',
      WebApp,
      { object: named('child', { ownerReferences: [owner] }), wakes: [] },
    ],
  ])('PH-5: %s', async (_, primary, { object, wakes }) => {
    const { context, primaries, other, woken } = setup(primary);
    connectOwned({ ...context, informer: other, primaries });
    other.add(object);
    expect(await woken()).toEqual(wakes);
  });

  test('PH-5: old and new owner are woken when a child changes hands, one that stays only once', async () => {
    const { context, primaries, other, woken } = setup();
    connectOwned({ ...context, informer: other, primaries });
    other.update(child(owner), child({ ...owner, name: 'bar' }));
    expect(await woken()).toEqual(['default/shop', 'default/bar']);
    other.update(child(owner), child(owner));
    expect(await woken()).toEqual(['default/shop']);
    other.emit({ type: 'delete', key: 'default/child', before: child(owner) });
    expect(await woken()).toEqual(['default/shop']);
  });

  test('IN-3: whose child a delete without an object was is unknown, so all owners of its namespace are woken', async () => {
    const { context, primaries, other, woken } = setup();
    for (const key of ['default/a', 'default/b', 'other/c']) primaries.objects.set(key, named(key));
    connectOwned({ ...context, informer: other, primaries });
    other.emit({ type: 'delete', key: 'default/child' });
    expect(await woken()).toEqual(['default/a', 'default/b']);
  });
});

describe('watched objects', () => {
  test('PH-4: the mapper runs for old and new object, keys de-duplicated', async () => {
    const { context, primaries, other, view, woken, metrics } = setup();
    const map = (config: KubeObject): string[] => (config.metadata.labels?.users ?? '').split('.').filter(Boolean);
    connectWatched({ ...context, informer: other, primaries, view, map });
    other.update(named('default/c', { labels: { users: 'a.b' } }), named('default/c', { labels: { users: 'b.c' } }));
    expect(await woken()).toEqual(['default/a', 'default/b', 'default/c']);
    expect(metrics.text()).toContain('kilter_triggers_total{change="update",controller="webapp",source="watched"} 3');
  });

  test('PH-6: a throwing mapper is counted and logged with the key; later changes are not lost', async () => {
    const { context, primaries, other, view, woken, lines, metrics } = setup();
    const map = (config: KubeObject): string => (config.metadata.name === 'bad' ? broken() : 'shop');
    connectWatched({ ...context, informer: other, primaries, view, map });
    other.add(named('default/bad'));
    other.add(named('default/good'));
    expect(await woken()).toEqual(['default/shop']);
    expect(lines).toMatchObject([{ key: 'default/bad' }]);
    expect(metrics.text()).toContain('kilter_trigger_errors_total{controller="webapp",source="watched"} 1');
  });

  test('PH-6: a wrong answer among several is told and takes nothing from the others', async () => {
    const { context, primaries, other, view, woken, lines } = setup();
    connectWatched({ ...context, informer: other, primaries, view, map: () => ['a', '', 'b'] });
    other.add(named('default/c'));
    expect(await woken()).toEqual(['default/a', 'default/b']);
    expect(lines).toMatchObject([{ err: { code: 'TRIGGER_TARGET_INVALID' } }]);
  });

  test('a mapper finds primaries by an index of its controller', async () => {
    const { context, primaries, other, woken, lines } = setup();
    const key = (app: KubeObject): string | undefined => app.metadata.labels?.node;
    const indexes = [{ name: 'node', key }];
    const view = primariesOf({ ...context, informer: primaries, indexes });
    primaries.objects.set('default/a', named('default/a', { labels: { node: 'n1' } }));
    primaries.objects.set('default/b', named('default/b'));
    connectWatched({
      ...context,
      informer: other,
      primaries,
      view,
      map: (node, at) => at.primaries.by('node', node.metadata.name),
    });
    other.add(named('n1'));
    expect(await woken()).toEqual(['default/a']);
    expect(view.by('node', undefined)).toEqual([]);
    expect(view.all()).toHaveLength(2);
    expect(() => view.by('zone', 'z')).toThrow(expect.objectContaining({ code: 'CONTROLLER_INDEX_UNKNOWN' }));
    expect(lines).toEqual([]);
  });
});

describe('references', () => {
  const references = (...names: string[]): KubeObject => named('default/app', {}, { names });
  const of = (app: KubeObject): string[] => [...(app as unknown as { names: string[] }).names];

  test('a change of an object wakes whoever refers to it, also when only its key is left', async () => {
    const { context, primaries, other, woken } = setup();
    connectReferences({ ...context, informer: other, primaries, of, index: '0' });
    primaries.objects.set('default/app', references('tls', 'db'));
    other.add(named('default/tls'));
    expect(await woken()).toEqual(['default/app']);
    other.add(named('elsewhere/tls'));
    expect(await woken()).toEqual([]);
    other.emit({ type: 'delete', key: 'default/db' });
    expect(await woken()).toEqual(['default/app']);
  });

  test('PH-6: a function that throws on one object is told and does not disturb the others', async () => {
    const { context, primaries, other, woken, lines } = setup();
    connectReferences({ ...context, informer: other, primaries, of, index: '0' });
    primaries.objects.set('default/bad', named('default/bad', {}, { names: null }));
    primaries.objects.set('default/app', references('tls', ''));
    other.add(named('default/tls'));
    expect(await woken()).toEqual(['default/app']);
    expect(lines.map((line) => line.key)).toEqual(['default/bad', 'default/app']);
  });
});

describe('sources outside the cluster', () => {
  const external = () => {
    const wanted: ((event: IteratorResult<string>) => void)[] = [];
    let pulled = 0;
    const source = async function* (): AsyncGenerator<string> {
      for (;;) {
        pulled += 1;
        const next = await new Promise<IteratorResult<string>>((resolve) => wanted.push(resolve));
        if (next.done === true) return;
        yield next.value;
      }
    };
    const push = async (value: string, settle: () => Promise<void>): Promise<void> => {
      wanted.shift()?.({ done: false, value });
      await settle();
    };
    return { source, push, pulled: () => pulled, end: () => wanted.shift()?.({ done: true, value: undefined }) };
  };
  const ref = (event: string): NamedRef => ({ namespace: 'default', name: event });

  test('PH-8: events before the start are kept up to 1024, then the source is held; at the start all are delivered', async () => {
    const { context, primaries, view, clock, queue } = setup();
    const { source, push, pulled } = external();
    const start = Promise.withResolvers<void>();
    const disconnect = connectSource({ ...context, source, map: ref, primaries, view, started: start.promise });
    const settle = (): Promise<void> => clock.settle();
    await settle();
    for (let i = 0; i < 1100; i += 1) await push(`k${i}`, settle);
    expect(queue.depth).toBe(0);
    expect(pulled()).toBe(1025);
    start.resolve();
    await settle();
    expect(queue.depth).toBe(1025);
    await push('later', settle);
    expect(queue.depth).toBe(1026);
    disconnect();
  });

  test('PH-8: the end of a source is quiet', async () => {
    const { context, primaries, view, clock, queue, lines } = setup();
    const { source, push, end } = external();
    connectSource({ ...context, source, map: ref, primaries, view, started: Promise.resolve() });
    const settle = (): Promise<void> => clock.settle();
    await settle();
    await push('a', settle);
    end();
    await settle();
    expect((await queue.take())?.causes).toMatchObject([{ source: 'external', change: 'external' }]);
    expect(lines).toEqual([]);
  });

  /** Fails as often as told before it has events. */
  const failing = (failures: number, clock: { monotonic(): number }) => {
    const asked: number[] = [];
    const source = async function* (): AsyncGenerator<string> {
      asked.push(clock.monotonic());
      if (asked.length <= failures) throw new Error('gone');
      yield 'a';
    };
    return { source, asked };
  };

  test('PH-8: a source that throws is told with a code, counted, and asked again with growing delays', async () => {
    const { context, primaries, view, clock, lines, woken, metrics } = setup();
    const { source, asked } = failing(3, clock);
    connectSource({ ...context, source, map: ref, primaries, view, started: Promise.resolve() });
    await clock.advance(60_000);
    expect(asked).toEqual([0, 1000, 3000, 7000]);
    expect(await woken()).toEqual(['default/a']);
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatchObject({ err: { code: 'TRIGGER_SOURCE_FAILED', cause: { message: 'gone' } } });
    expect(metrics.text()).toContain('kilter_trigger_errors_total{controller="webapp",source="external"} 3');
    expect(clock.pending).toBe(0);
  });

  test('PH-8: the delay grows to a minute, and an event begins it anew', async () => {
    const { context, primaries, view, clock } = setup();
    const asked: number[] = [];
    const source = async function* (): AsyncGenerator<string> {
      asked.push(clock.monotonic());
      if (asked.length === 9) yield 'a';
      throw new Error('gone');
    };
    const disconnect = connectSource({ ...context, source, map: ref, primaries, view, started: Promise.resolve() });
    await clock.advance(245_000);
    const gaps = asked.slice(1).map((at, i) => at - (asked[i] ?? 0));
    expect(gaps).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 1000, 2000, 4000, 8000, 16_000]);
    disconnect();
    await clock.settle();
    expect(clock.pending).toBe(0);
    await clock.advance(600_000);
    expect(asked).toHaveLength(14);
  });

  test('a source that never waits leaves the event loop its turn', async () => {
    const { context, primaries, view } = setup();
    const turn = Promise.withResolvers<void>();
    const source = async function* (): AsyncGenerator<string> {
      for (let i = 0; ; i += 1) yield `k${i % 10}`;
    };
    const clock = systemClock;
    const disconnect = connectSource({
      ...context,
      clock,
      source,
      map: ref,
      primaries,
      view,
      started: Promise.resolve(),
    });
    clock.timer(20, turn.resolve);
    await turn.promise;
    disconnect();
  });

  test('a mapper that throws is told and the source goes on', async () => {
    const { context, primaries, view, clock, lines, woken } = setup();
    const { source, push } = external();
    const map = (event: string): NamedRef => (event === 'bad' ? broken() : ref(event));
    connectSource({ ...context, source, map, primaries, view, started: Promise.resolve() });
    const settle = (): Promise<void> => clock.settle();
    await settle();
    await push('bad', settle);
    await push('good', settle);
    expect(lines).toHaveLength(1);
    expect(await woken()).toEqual(['default/good']);
  });

  test('disconnecting ends a source that waits', async () => {
    const { context, primaries, view, clock, lines, queue } = setup();
    const signals: AbortSignal[] = [];
    const source = (signal: AbortSignal): AsyncIterable<string> => {
      signals.push(signal);
      return { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }) };
    };
    const disconnect = connectSource({ ...context, source, map: ref, primaries, view, started: Promise.resolve() });
    await clock.settle();
    disconnect();
    await clock.settle();
    expect(signals.map((signal) => signal.aborted)).toEqual([true]);
    expect([lines, queue.depth]).toEqual([[], 0]);
  });
});

describe('every', () => {
  test('all primaries are woken once in a period until it is disconnected', async () => {
    const { context, primaries, clock, queue, woken } = setup();
    primaries.objects.set('default/a', named('default/a'));
    primaries.objects.set('default/b', named('default/b'));
    const disconnect = connectEvery({ ...context, primaries, period: 60_000 });
    await clock.advance(59_999);
    expect(queue.depth).toBe(0);
    await clock.advance(1);
    expect(await woken()).toEqual(['default/a', 'default/b']);
    await clock.advance(60_000);
    expect((await queue.take())?.causes).toMatchObject([{ source: 'timer', change: 'timer', reason: 'every 60s' }]);
    disconnect();
    expect(clock.pending).toBe(0);
  });

  test('PQ-4: what only a period wakes stands behind what changed', async () => {
    const { context, primaries, clock, woken } = setup();
    for (let i = 0; i < 300; i += 1) primaries.objects.set(`default/k${i}`, named(`default/k${i}`));
    connectPrimary({ ...context, informer: primaries, skipStatusUpdates: false });
    connectEvery({ ...context, primaries, period: 60_000 });
    await clock.advance(60_000);
    primaries.add(named('default/new'));
    expect((await woken())[0]).toBe('default/new');
  });
});

describe('PQ-16: before the start', () => {
  test('nobody is woken, and at the start everybody is told of what is there then', async () => {
    const { context, primaries, clock, queue } = setup();
    const gate = new StartGate();
    const disconnect = connectPrimary({ ...context, gate, informer: primaries, skipStatusUpdates: false });
    connectEvery({ ...context, gate, primaries, period: 1000 });
    for (let i = 0; i < 100; i += 1) {
      primaries.add(named(`default/k${i}`));
      primaries.objects.delete(`default/k${i}`);
    }
    await clock.advance(10_000);
    expect([queue.depth, primaries.handlers.size, clock.pending]).toEqual([0, 0, 0]);
    gate.open();
    expect([primaries.handlers.size, clock.pending]).toEqual([1, 1]);
    disconnect();
    expect(primaries.handlers.size).toBe(0);
  });

  test('what is disconnected before the start is not connected by it', () => {
    const { context, primaries } = setup();
    const gate = new StartGate();
    connectPrimary({ ...context, gate, informer: primaries, skipStatusUpdates: false })();
    gate.open();
    expect(primaries.handlers.size).toBe(0);
  });
});

test('a mapper that answers with 100,000 keys does not keep the event loop from its turn', async () => {
  const { context, primaries, other, view, queue } = setup();
  const turns = { count: 0 };
  const clock = { ...systemClock, pause: () => ((turns.count += 1) % 100 === 0 ? quiescence() : undefined) };
  const many = Array.from({ length: 100_000 }, (_, i) => ({ namespace: 'default', name: `k${i}` }));
  connectWatched({ ...context, clock, informer: other, primaries, view, map: () => many });
  other.add(named('default/settings'));
  expect(queue.depth).toBeLessThan(10_000);
  while (queue.depth < many.length) await quiescence();
  expect(queue.depth).toBe(many.length);
});

test('PH-7: predicates have no part in what is watched and cached; selectors have', () => {
  const options = { labels: { app: 'db' }, namespaces: ['a'], metadataOnly: true, when: generationChanged };
  expect(declarationOf(ConfigMap, options)).toEqual({
    kind: ConfigMap,
    labels: { app: 'db' },
    fields: undefined,
    namespaces: ['a'],
    metadataOnly: true,
  });
  expect(predicatesOf(options)).toEqual([generationChanged]);
  expect(predicatesOf({ when: [generationChanged, labelsChanged] })).toHaveLength(2);
  expect(predicatesOf({})).toEqual([]);
});
