import { virtualRuntime } from 'kilter/runtime';
import { describe, expect, test } from 'vitest';
import { cluster } from '../src/cluster/index.ts';
import { Thing, thing, thingOperator } from './thing.test-support.ts';

const statusWrites = (requests: readonly { method: string; path: string }[]) =>
  requests.filter(({ method, path }) => method === 'PATCH' && path.includes('/status'));

describe('ctx.status', () => {
  test('ST-1: stamps the generation the run was given, not a newer one', async () => {
    let change: (() => Promise<unknown>) | undefined;
    const operator = thingOperator((builder) =>
      builder.reconcile(async (object, ctx) => {
        // The object moves on while the run is under way.
        await change?.();
        change = undefined;
        await ctx.status({ seen: object.metadata.generation ?? 0 });
      }),
    );
    await using env = await cluster({ operator, runtime: virtualRuntime() });
    const seen: unknown[] = [];
    change = async () => {
      await env.client.patch(Thing, 'a', { metadata: { labels: { x: 'y' } } });
    };
    await env.client.create(thing('a'));
    const first = await env.eventually(Thing, 'a', { status: { observedGeneration: 1 } });
    seen.push(first.status);
    await env.client.patch(Thing, 'a', { spec: { note: 'new' } });
    await env.eventually(Thing, 'a', { metadata: { generation: 2 }, status: { observedGeneration: 2, seen: 2 } });
    expect(seen).toEqual([{ observedGeneration: 1, seen: 1 }]);
  });

  test('ST-2: the transition time moves only with the status', async () => {
    const runtime = virtualRuntime();
    const operator = thingOperator((builder) =>
      builder.reconcile(async (object, ctx) => {
        const ready = object.spec.note === 'ready';
        await ctx.status({
          conditions: [{ type: 'Ready', status: ready, reason: ready ? 'Yes' : 'No', message: object.spec.note }],
        });
      }),
    );
    await using env = await cluster({ operator, runtime });
    await env.client.create(thing('a'));
    const condition = async (note: string) => {
      const found = await env.eventually(Thing, 'a', { status: { conditions: [{ message: note }] } });
      return found.status?.conditions?.[0];
    };
    const first = await condition('');
    await runtime.clock.advance(60_000);
    await env.client.patch(Thing, 'a', { spec: { note: 'still not' } });
    const second = await condition('still not');
    expect(second?.lastTransitionTime).toBe(first?.lastTransitionTime);
    await env.client.patch(Thing, 'a', { spec: { note: 'ready' } });
    const third = await condition('ready');
    expect(third).toMatchObject({ status: 'True', reason: 'Yes' });
    expect(third?.lastTransitionTime).not.toBe(first?.lastTransitionTime);
  });

  test('ST-3: nothing is sent when nothing changed', async () => {
    let runs = 0;
    const operator = thingOperator((builder) =>
      builder.every('1m').reconcile(async (_, ctx) => {
        runs += 1;
        await ctx.status({ seen: 1, conditions: [{ type: 'Ready', status: true, reason: 'Done' }] });
      }),
    );
    const runtime = virtualRuntime();
    await using env = await cluster({ operator, runtime });
    await env.client.create(thing('a'));
    await env.eventually(Thing, 'a', { status: { seen: 1 } });
    await runtime.clock.advance(600_000);
    expect(runs).toBeGreaterThan(9);
    expect(statusWrites(env.requests)).toHaveLength(1);
  });

  test('ST-4: an error is reported in the status and taken out by the next success', async () => {
    const operator = thingOperator((builder) =>
      builder
        .onError((error) => ({
          note: 'failed',
          conditions: [{ type: 'Ready', status: false, reason: 'Failed', message: String(error) }],
        }))
        .reconcile(async (object, ctx) => {
          if (object.spec.note !== 'good') throw new Error('no good');
          await ctx.status({ seen: 1 });
        }),
    );
    await using env = await cluster({ operator, runtime: virtualRuntime() });
    await env.client.create(thing('a'));
    const failed = await env.eventually(Thing, 'a', { status: { note: 'failed' } });
    expect(failed.status?.conditions?.[0]).toMatchObject({ type: 'Ready', status: 'False', reason: 'Failed' });
    expect(failed.status?.conditions?.[0]?.message).toContain('no good');
    await env.client.patch(Thing, 'a', { spec: { note: 'good' } });
    const healed = await env.eventually(Thing, 'a', { status: { seen: 1 } });
    await env.eventually(Thing, 'a', (found) => found.status?.note === undefined);
    expect(healed.status?.observedGeneration).toBe(2);
  });

  test('ST-5, ST-6: another writer of the status is merged with, not overwritten', async () => {
    let interfere: (() => Promise<unknown>) | undefined;
    const operator = thingOperator((builder) =>
      builder.reconcile(async (_, ctx) => {
        await interfere?.();
        interfere = undefined;
        await ctx.status({ conditions: [{ type: 'Mine', status: true, reason: 'X' }] });
      }),
    );
    await using env = await cluster({ operator, runtime: virtualRuntime() });
    const other = {
      type: 'Other',
      status: 'True',
      reason: 'Y',
      message: '',
      lastTransitionTime: '2020-01-01T00:00:00Z',
    } as const;
    interfere = () => env.client.patch(Thing, 'a', { status: { conditions: [other] } }, { subresource: 'status' });
    await env.client.create(thing('a'));
    const merged = await env.eventually(Thing, 'a', (found) => (found.status?.conditions?.length ?? 0) === 2);
    expect(merged.status?.conditions?.map(({ type }) => type)).toEqual(['Other', 'Mine']);
    expect(merged.status?.conditions?.[0]).toEqual(other);
  });

  test('ST-5: a new generation during the run fails it instead of being stamped as seen', async () => {
    let interfere: (() => Promise<unknown>) | undefined;
    const operator = thingOperator((builder) =>
      builder.reconcile(async (object, ctx) => {
        await interfere?.();
        interfere = undefined;
        await ctx.status({ note: object.spec.note ?? 'none' });
      }),
    );
    await using env = await cluster({ operator, runtime: virtualRuntime() });
    interfere = () => env.client.patch(Thing, 'a', { spec: { note: 'new' } });
    await env.client.create(thing('a'));
    const seen = await env.eventually(Thing, 'a', (found) => found.status?.observedGeneration !== undefined);
    expect(seen.status).toMatchObject({ observedGeneration: 2, note: 'new' });
    expect(env.managers[0]?.runs.recent()[0]?.result).toBe('error');
  });
});
