// One controller from its connection to its end, on informers without a server.
import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../api/index.ts';
import { virtualRuntime } from '../internal/index.ts';
import { Journal, MetricsRegistry, silentLogger } from '../telemetry/index.ts';
import { controller } from './define.ts';
import type { ControllerDependencies } from './dependencies.ts';
import { App, FakeCache, objectOf, Part } from './informers.test-support.ts';
import { ControllerRunner } from './runner.ts';
import type { ControllerSpec } from './spec.ts';

interface MadeFor {
  readonly observe: (write: object, send: () => Promise<KubeObject>) => Promise<KubeObject>;
}

/** A cache whose clients store what is patched in the informer of the Apps, and say what they were sent. */
class WritableCache extends FakeCache {
  readonly sent: unknown[] = [];
  /** Informers that were given back. */
  released = 0;

  override informer(declaration: Parameters<FakeCache['informer']>[0]): ReturnType<FakeCache['informer']> {
    const informer = super.informer(declaration);
    return Object.assign(informer, { release: async () => void (this.released += 1) });
  }
  unsettled(): undefined {
    return undefined;
  }
  viewFor(): object {
    return { find: () => undefined };
  }
  client(_: unknown, { madeFor }: { madeFor: MadeFor }): object {
    return {
      patch: (kind: typeof App, ref: { name: string; namespace: string }, body: { status: object }) => {
        const send = async (): Promise<KubeObject> => {
          this.sent.push(body.status);
          const objects = this.informers[0]?.objects as Map<string, KubeObject & { status?: object }>;
          const key = `${ref.namespace}/${ref.name}`;
          const before = objects.get(key) as KubeObject & { status?: object };
          const metadata = { ...before.metadata, resourceVersion: String(this.sent.length + 1) };
          const stored = { ...before, metadata, status: { ...before.status, ...body.status } };
          objects.set(key, stored);
          return stored;
        };
        return madeFor.observe({ kind, ref, part: 'status', body }, send);
      },
    };
  }
}

function setUp(spec: ControllerSpec) {
  const runtime = virtualRuntime();
  const cache = new WritableCache();
  const metrics = new MetricsRegistry();
  const events: unknown[] = [];
  const runner = new ControllerRunner(spec, {
    cache,
    client: {},
    live: { find: async () => undefined },
    recorder: { record: (event: object) => void events.push(event) },
    runtime,
    logger: silentLogger,
    metrics,
    journal: new Journal(() => undefined),
    tuning: {},
    manager: 'me',
    leadership: () => ({ epoch: 0, identity: 'one' }),
  } as unknown as ControllerDependencies);
  runner.connect();
  const [apps] = cache.informers;
  if (apps === undefined) throw new Error('the controller watches nothing');
  const start = async (): Promise<void> => {
    void runner.start(new AbortController().signal);
    await runtime.clock.settle();
  };
  const emit = async (...change: Parameters<typeof apps.emit>): Promise<void> => {
    apps.emit(...change);
    await runtime.clock.settle();
  };
  return { runner, cache, clock: runtime.clock, metrics, events, start, emit };
}

const app = (uid: string): KubeObject => objectOf(App, 'a', { uid, resourceVersion: '1', generation: 1 });

test('a controller that is shut down listens to nobody any more', async () => {
  const { runner, cache, clock, start } = setUp(
    controller(App)
      .owns(Part)
      .every('1m')
      .reconcile(async () => undefined).spec,
  );
  await start();
  const added = runner.watch({ kind: Part, map: () => ['a'], options: {} } as never);
  expect(added.informers).toHaveLength(1);
  expect(cache.informers.every(({ handlers }) => handlers.size > 0)).toBe(true);
  runner.shutdown();
  await runner.drained();
  expect(cache.informers.map(({ handlers }) => handlers.size)).toEqual([0, 0, 0]);
  expect(clock.pending).toBe(0);
});

test('MG-6: a watch that is released is heard no more, and its informer is given back', async () => {
  const { runner, cache } = setUp(controller(App).reconcile(async () => undefined).spec);
  const watch = runner.watch({ kind: Part, map: () => ['a'], options: {} } as never);
  expect([watch.informers, runner.informers]).toMatchObject([{ length: 1 }, { length: 2 }]);
  await watch.release();
  expect([cache.released, runner.informers]).toMatchObject([1, { length: 1 }]);
  expect(runner.informers).not.toContain(watch.informers[0]);
});

test('one that is released gives back every informer it asked for', async () => {
  const { runner, cache } = setUp(
    controller(App)
      .owns(Part)
      .reconcile(async () => undefined).spec,
  );
  expect(runner.informers).toHaveLength(2);
  await runner.release();
  expect([cache.released, runner.informers]).toEqual([2, []]);
});

test.each([true, false])('B-30: it knows a quarantine unless it is told not to: %j', async (quarantine) => {
  const { metrics, start } = setUp(controller(App, { quarantine }).reconcile(async () => undefined).spec);
  await start();
  expect(metrics.text().includes('kilter_quarantined_objects{controller="app"} 0')).toBe(quarantine);
});

describe('an object that was deleted and made anew starts with nothing known, also where no run saw the deletion', () => {
  /** Predicates that let no deletion through: nothing but the informer tells of it. */
  const when = ({ after }: { readonly after?: unknown }): boolean => after !== undefined;
  const again = async ({ emit }: Pick<ReturnType<typeof setUp>, 'emit'>): Promise<void> => {
    await emit('delete', app('old'));
    await emit('add', app('new'));
  };

  test('what an error left in its status is not taken out of the new one', async () => {
    let fail = true;
    const spec = controller(App, { when })
      .onError(() => ({ problem: 'broken' }) as never)
      .reconcile(async () => {
        if (fail) throw new Error('broken');
      }).spec;
    const given = setUp(spec);
    await given.start();
    await given.emit('add', app('old'));
    expect(given.cache.sent).toEqual([{ problem: 'broken', observedGeneration: 1 }]);
    fail = false;
    await again(given);
    await given.clock.advance(60_000);
    expect(given.cache.sent).toHaveLength(1);
  });

  test('writing to it what was written to the old one is not a hot loop', async () => {
    const spec = controller(App, { when }).reconcile(async (_, ctx) => {
      await ctx.status({ phase: 'Ready' } as never);
    }).spec;
    const given = setUp(spec);
    await given.start();
    await given.emit('add', app('old'));
    for (let times = 0; times < 20; times += 1) await again(given);
    expect(given.cache.sent).toHaveLength(21);
    expect(given.metrics.text()).not.toMatch(/^kilter_hot_loops_total.* [1-9]/m);
    expect(given.events).toEqual([]);
  });
});
