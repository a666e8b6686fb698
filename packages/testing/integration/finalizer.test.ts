import { requeueAfter } from 'kilter';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { virtualRuntime } from 'kilter/runtime';
import { describe, expect, test } from 'vitest';
import { cluster } from '../src/cluster/index.ts';
import { configFor, Thing, thing, thingOperator } from './thing.test-support.ts';

describe('cleanup', () => {
  test('FI-4: the finalizer is stored before the first reconcile, which gets the server’s answer', async () => {
    const seen: (readonly string[] | undefined)[] = [];
    const stored: unknown[] = [];
    const operator = thingOperator((builder) =>
      builder
        .cleanup('example.com/x', async () => undefined)
        .reconcile(async (object, ctx) => {
          seen.push(object.metadata.finalizers);
          stored.push((await ctx.live.get(Thing, 'a')).metadata.finalizers);
          await ctx.apply(configFor(object));
        }),
    );
    await using env = await cluster({ operator, runtime: virtualRuntime() });
    await env.client.create(thing('a'));
    await env.eventually(ConfigMap, 'a', {});
    expect(seen[0]).toEqual(['example.com/x']);
    expect(stored[0]).toEqual(['example.com/x']);
  });

  test('FI-1, RC-14: an object that is deleted before it was seen gets no finalizer and is not reconciled', async () => {
    const runs: string[] = [];
    const operator = thingOperator((builder) =>
      builder
        .cleanup('example.com/x', async () => void runs.push('cleanup'))
        .reconcile(async () => void runs.push('reconcile')),
    );
    const runtime = virtualRuntime();
    const held = { ...thing('a'), metadata: { name: 'a', namespace: 'default', finalizers: ['other.com/y'] } };
    await using env = await cluster({ runtime, kinds: [Thing], objects: [held] });
    await env.client.delete(Thing, 'a');
    await env.start(operator);
    await runtime.clock.advance(5000);
    expect(runs).toEqual([]);
    expect((await env.client.get(Thing, 'a')).metadata.finalizers).toEqual(['other.com/y']);
  });

  test('FI-6: a cleanup is retried until it returns; an error or requeueAfter never removes the finalizer', async () => {
    const answers = ['throw', 'pending', 'done'];
    const left: unknown[] = [];
    const operator = thingOperator((builder) =>
      builder
        .cleanup('example.com/x', async (_, ctx) => {
          left.push((await ctx.live.get(Thing, 'a')).metadata.finalizers);
          const answer = answers.shift();
          if (answer === 'throw') throw new Error('not yet');
          return answer === 'pending' ? requeueAfter('10s', 'still there') : undefined;
        })
        .reconcile(async () => undefined),
    );
    await using env = await cluster({ operator, runtime: virtualRuntime() });
    await env.client.create(thing('a'));
    await env.eventually(Thing, 'a', { metadata: { finalizers: ['example.com/x'] } });
    await env.client.delete(Thing, 'a');
    await env.gone(Thing, 'a', { within: '60s' });
    expect(left).toEqual([['example.com/x'], ['example.com/x'], ['example.com/x']]);
    expect(answers).toEqual([]);
  });

  test('RC-14: a deleting object goes to cleanup, never to reconcile', async () => {
    const runs: string[] = [];
    const operator = thingOperator((builder) =>
      builder
        .cleanup(
          'example.com/x',
          async (object) => void runs.push(`cleanup ${object.metadata.deletionTimestamp !== undefined}`),
        )
        .reconcile(async () => void runs.push('reconcile')),
    );
    const runtime = virtualRuntime();
    await using env = await cluster({ operator, runtime });
    await env.client.create(thing('a'));
    await env.eventually(Thing, 'a', { metadata: { finalizers: ['example.com/x'] } });
    await runtime.clock.advance(1000);
    const before = runs.length;
    await env.client.delete(Thing, 'a');
    await env.gone(Thing, 'a');
    await runtime.clock.advance(60_000);
    expect(runs.slice(before)).toEqual(['cleanup true']);
    expect(runs.slice(0, before).every((run) => run === 'reconcile')).toBe(true);
  });

  test('FI-2, FI-5: cleanups run in order, each success removes its own finalizer, foreign ones survive', async () => {
    const order: string[] = [];
    let broken = true;
    const operator = thingOperator((builder) =>
      builder
        .cleanup('example.com/one', async () => {
          order.push('one');
          if (broken) throw new Error('one is broken');
        })
        .cleanup('example.com/two', async () => void order.push('two'))
        .reconcile(async () => undefined),
    );
    const runtime = virtualRuntime();
    await using env = await cluster({ operator, runtime });
    const object = thing('a');
    await env.client.create({ ...object, metadata: { ...object.metadata, finalizers: ['other.com/y'] } });
    await env.eventually(Thing, 'a', {
      metadata: { finalizers: ['other.com/y', 'example.com/one', 'example.com/two'] },
    });
    await env.client.delete(Thing, 'a');
    await env.eventually(Thing, 'a', { metadata: { finalizers: ['other.com/y', 'example.com/one'] } });
    expect(order.slice(0, 2)).toEqual(['one', 'two']);
    broken = false;
    await env.eventually(Thing, 'a', { metadata: { finalizers: ['other.com/y'] } }, { within: '60s' });
    expect(order.filter((name) => name === 'two')).toHaveLength(1);
  });
});
