import { operator, controller } from 'kilter';
import { virtualRuntime } from 'kilter/runtime';
import { describe, expect, test } from 'vitest';
import { cluster } from '../src/cluster/index.ts';
import { Thing, thing, things, thingOperator } from './thing.test-support.ts';

const ignore = (): void => undefined;
const quiet = { debug: ignore, info: ignore, warn: ignore, error: ignore, child: () => quiet };

test('a stopped controller leaves its sources, its periods and the cache: nothing is pending', async () => {
  const signals: AbortSignal[] = [];
  const source = (signal: AbortSignal): AsyncIterable<string> => {
    signals.push(signal);
    return { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }) };
  };
  const built = controller(Thing)
    .on(source, (name: string) => ({ namespace: 'default', name }))
    .every('30s')
    .reconcile(async () => undefined);
  const runtime = virtualRuntime();
  await using env = await cluster({ runtime, kinds: [Thing] });
  const manager = await env.start(operator({ name: 'o', logger: quiet, controllers: [built] }));
  await runtime.clock.advance(1000);
  const stopped = manager.stop();
  await runtime.clock.advance(100);
  await stopped;
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

describe('a standby', () => {
  test('PQ-16: keeps no key of what comes and goes while it waits, and runs all that is there once it leads', async () => {
    const runtime = virtualRuntime();
    const elected = { leaderElection: { lease: 'shared', namespace: 'default' } };
    const first = thingOperator(things, { name: 'first', ...elected });
    await using env = await cluster({ operator: first, runtime });
    await runtime.clock.advance(1000);
    const standby = await env.start(thingOperator(things, { name: 'second', ...elected }));
    for (let i = 0; i < 50; i += 1) {
      await env.client.create(thing(`k${i}`));
      await runtime.clock.advance(10);
      if (i >= 5) await env.client.delete(Thing, `k${i}`);
    }
    await runtime.clock.advance(5000);
    const depth = /^workqueue_depth\{[^}]*\} ([1-9]\d*)$/m;
    expect(standby.metrics()).not.toMatch(depth);
    expect(standby.metrics()).toContain('workqueue_adds_total{controller="thing",name="thing"} 0');
    expect(standby.runs.recent()).toEqual([]);
    const [leader] = env.managers;
    const stopped = leader?.stop();
    await runtime.clock.advance(30_000);
    await stopped;
    const ran = new Set(standby.runs.recent().map(({ key }) => key));
    expect([...ran].toSorted()).toEqual([0, 1, 2, 3, 4].map((i) => `default/k${i}`));
  });
});

test('ME-3, ME-6: triggers by source, oldest ready key, skipped writes and hot loops are there, and no label names an object', async () => {
  const runtime = virtualRuntime();
  await using env = await cluster({ operator: thingOperator(things), runtime });
  await env.client.create(thing('very-special-name'));
  await runtime.clock.advance(1000);
  await env.client.patch(Thing, 'very-special-name', { metadata: { labels: { touched: 'yes' } } });
  await runtime.clock.advance(1000);
  const text = env.managers[0]?.metrics() ?? '';
  expect(text).toMatch(/^kilter_triggers_total\{change="add",controller="thing",source="primary"\} 1$/m);
  expect(text).toMatch(/^kilter_triggers_total\{change="add",controller="thing",source="owned"\} 1$/m);
  expect(text).toMatch(/^kilter_triggers_total\{change="update",controller="thing",source="primary"\} 1$/m);
  expect(text).toMatch(/^kilter_skipped_writes_total\{controller="thing"\} [1-9]/m);
  expect(text).toMatch(/^kilter_workqueue_oldest_ready_seconds\{controller="thing",name="thing"\} 0$/m);
  expect(text).toMatch(/^kilter_hot_loops_total\{controller="thing",loop="contested"\} 0$/m);
  const uid = (await env.client.get(Thing, 'very-special-name')).metadata.uid ?? 'none';
  expect(text).not.toContain('very-special-name');
  expect(text).not.toContain(uid);
  expect(text).not.toMatch(/="default"/);
});
