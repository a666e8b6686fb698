// What clocks do to a leader: jumps, suspends, stalls, and timers of a month.
import { OutsideError, requeueAfter } from 'kilter';
import { Lease } from 'kilter/k8s/coordination/v1';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { virtualRuntime } from 'kilter/runtime';
import { describe, expect, test } from 'vitest';
import { cluster } from '../../src/cluster/index.ts';
import { configFor, Thing, thing, thingOperator, things } from '../thing.test-support.ts';

const elected = (identity: string) => ({ leaderElection: { identity } });
const hour = 3_600_000;

/** The code of what a write came to, or `sent`. */
const outcome = async (write: () => Promise<unknown>): Promise<string> => {
  try {
    await write();
    return 'sent';
  } catch (error) {
    return error instanceof OutsideError ? error.problem : ((error as { code?: string }).code ?? String(error));
  }
};

describe('R-1, J-08: the guard', () => {
  test.each([
    ['with election, closed', elected('one'), 'TRANSPORT_GATE_CLOSED'],
    ['without election, open', {}, 'sent'],
  ])('%s: every way a run can write, and none around it', async (_, options, expected) => {
    const runtime = virtualRuntime();
    const { clock } = runtime;
    const outcomes: Record<string, string> = {};
    let before = 0;
    const given = thingOperator(
      (builder) =>
        builder.reconcile(async (object, ctx) => {
          if (object.metadata.name !== 'a' || before > 0) return;
          const seen = await ctx.live.get(ConfigMap, 'there');
          // The process was suspended in the middle of the run: a minute is gone, and no timer has fired.
          clock.jump(60_000);
          before = env.requests.length;
          const made = ConfigMap.build({ name: 'made', namespace: 'default' });
          outcomes['apply'] = await outcome(() => ctx.apply(configFor(object)));
          outcomes['status'] = await outcome(() => ctx.status({ seen: 1 }));
          outcomes['create'] = await outcome(() => ctx.client.create(made));
          outcomes['edit'] = await outcome(() =>
            ctx.client.edit(seen, (it) => {
              it.data = { x: '2' };
            }),
          );
          outcomes['patch'] = await outcome(() => ctx.client.patch(ConfigMap, 'there', { data: { x: '1' } }));
          outcomes['client.apply'] = await outcome(() =>
            ctx.client.apply(ConfigMap.build({ name: 'made', data: {} }), { manager: 'x' }),
          );
          outcomes['fence'] = await outcome(() => ctx.fence(async () => undefined));
          outcomes['delete'] = await outcome(async () => ctx.client.delete(ConfigMap, seen.metadata.name));
        }),
      options,
    );
    await using env = await cluster({
      runtime,
      kinds: [Thing],
      objects: [ConfigMap.build({ name: 'there', namespace: 'default' })],
    });
    const manager = await given.start({ connection: env.connection, runtime });
    await clock.advance(1000);
    await env.client.create(thing('a'));
    await clock.advance(1000);
    const names = ['apply', 'status', 'create', 'patch', 'edit', 'client.apply', 'fence', 'delete'];
    expect(outcomes).toEqual(Object.fromEntries(names.map((name) => [name, expected])));
    const wrote = env.requests
      .slice(before)
      .filter(({ method, path }) => method !== 'GET' && !path.includes('/leases'));
    expect(wrote.length > 0).toBe(expected === 'sent');
    const stopping = manager.stop();
    await clock.advance(5000);
    await stopping;
  });

  test('WG-6: behind a closed gate dry runs, Events and requests about the Lease still leave', async () => {
    const runtime = virtualRuntime();
    const { clock } = runtime;
    const outcomes: string[] = [];
    let before = 0;
    const given = thingOperator(
      (builder) =>
        builder.reconcile(async (_, ctx) => {
          if (before > 0) return;
          clock.jump(60_000);
          before = env.requests.length;
          const made = ConfigMap.build({ name: 'made', namespace: 'default' });
          outcomes.push(await outcome(() => ctx.client.create(made)));
          outcomes.push(await outcome(() => ctx.client.create(made, { dryRun: true })));
          ctx.event('Normal', 'Seen', 'it was looked at');
        }),
      elected('one'),
    );
    await using env = await cluster({ runtime, kinds: [Thing] });
    const manager = await given.start({ connection: env.connection, runtime });
    manager.done.catch(() => undefined);
    await clock.advance(1000);
    await env.client.create(thing('a'));
    await clock.advance(30_000);
    expect(outcomes).toEqual(['TRANSPORT_GATE_CLOSED', 'sent']);
    const sent = env.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
    expect(sent.filter((one) => one.startsWith('POST') && one.includes('/events'))).not.toEqual([]);
    expect(sent.filter((one) => one.includes('/leases/'))).not.toEqual([]);
    await manager.stop().catch(() => undefined);
  });

  test('the signal of each run follows it: lost means aborted, before anything else is written', async () => {
    const runtime = virtualRuntime();
    const { clock } = runtime;
    const signals: AbortSignal[] = [];
    const given = thingOperator(
      (builder) =>
        builder.reconcile(async (_, ctx) => {
          signals.push(ctx.signal);
          await new Promise<void>((resolve) => ctx.signal.addEventListener('abort', () => resolve(), { once: true }));
        }),
      elected('one'),
    );
    await using env = await cluster({ runtime, kinds: [Thing] });
    const manager = await given.start({ connection: env.connection, runtime });
    const done = manager.done.catch((error: unknown) => error);
    await clock.advance(1000);
    await env.client.create(thing('a'));
    await clock.advance(1000);
    env.server.fail({ kind: 'Lease', fault: { type: 'lost-request' } });
    await clock.advance(9000);
    expect(signals[0]?.aborted).toBe(false);
    await clock.advance(2000);
    expect(signals[0]?.reason).toMatchObject({ code: 'ELECTION_LOST' });
    expect(await done).toMatchObject({ code: 'ELECTION_LOST' });
  });
});

describe('B-11: the wall clock', () => {
  test.each([
    ['forward', hour],
    ['back', -hour],
  ])('jumps an hour %s: no lease moves, at most one renewal interval of writes is refused', async (_, jump) => {
    const runtime = virtualRuntime();
    const { clock } = runtime;
    await using env = await cluster({ runtime, operator: thingOperator(things, elected('one')) });
    const standby = await env.start(thingOperator(things, elected('two')));
    await clock.advance(10_000);
    const { leaseTransitions } = (await env.client.get(Lease, 'thing-operator')).spec ?? {};
    clock.jump(jump);
    await env.client.create(thing('a', { x: '1' }));
    await clock.advance(2500);
    expect((await env.client.get(ConfigMap, 'a')).data).toEqual({ x: '1' });
    await clock.advance(60_000);
    expect(env.managers.map(({ leading }) => leading)).toEqual([true, false]);
    expect(standby.leading).toBe(false);
    expect((await env.client.get(Lease, 'thing-operator')).spec?.leaseTransitions).toBe(leaseTransitions);
  });

  test.each([
    ['forward', hour],
    ['back', -hour],
  ])('jumps an hour %s: no requeue is early or late by more than a second', async (_, jump) => {
    const runtime = virtualRuntime();
    const { clock } = runtime;
    const runs: number[] = [];
    const given = thingOperator((builder) =>
      builder.reconcile(async () => {
        runs.push(clock.monotonic());
        return requeueAfter('10m', 'look again');
      }),
    );
    await using env = await cluster({ runtime, operator: given });
    await env.client.create(thing('a'));
    await clock.advance(300_000);
    clock.jump(jump);
    await clock.advance(2 * hour);
    const gaps = runs.slice(1).map((at, i) => at - (runs[i] ?? 0));
    expect(gaps.length).toBeGreaterThanOrEqual(12);
    for (const gap of gaps) expect(Math.abs(gap - 600_000)).toBeLessThanOrEqual(1000);
  });
});

test('R-2, B-11: a VM suspended for 60 s writes nothing before a fresh renewal, though its monotonic clock stood still', async () => {
  const runtime = virtualRuntime();
  const { clock } = runtime;
  await using env = await cluster({ runtime, operator: thingOperator(things, elected('one')) });
  await clock.advance(10_000);
  await env.client.create(thing('a', { x: '1' }));
  await clock.advance(1000);
  // Requests of others go on meanwhile; of this process nothing moves, not even its monotonic clock.
  clock.jump(60_000);
  await env.client.patch(Thing, 'a', { spec: { values: { x: '2' } } });
  const from = env.requests.length;
  await clock.advance(5000);
  const writes = env.requests.slice(from).filter(({ method }) => method !== 'GET');
  expect(writes[0]).toMatchObject({ method: 'PUT', status: 200 });
  expect(writes[0]?.path).toContain('/leases/thing-operator');
  expect(writes.some(({ path }) => path.includes('/configmaps/a'))).toBe(true);
});

describe('G-3: an effect outside the cluster', () => {
  test('is not begun behind a closed gate, and is told to end within D - R', async () => {
    const runtime = virtualRuntime();
    const { clock } = runtime;
    const effects: string[] = [];
    const given = thingOperator(
      (builder) =>
        builder.reconcile(async ({ metadata }, ctx) => {
          if (metadata.name === 'late') clock.jump(60_000);
          const begun = clock.monotonic();
          const ended = await outcome(() =>
            ctx.fence(async (signal) => {
              effects.push(`${metadata.name} begins`);
              await new Promise<void>((resolve, reject) =>
                signal.addEventListener('abort', () => reject(signal.reason as Error)),
              );
            }),
          );
          effects.push(`${metadata.name} ${ended} after ${clock.monotonic() - begun}`);
        }),
      elected('one'),
    );
    await using env = await cluster({ runtime, operator: given });
    await clock.advance(1000);
    await env.client.create(thing('slow'));
    await clock.advance(6000);
    expect(effects).toEqual(['slow begins', 'slow unreachable after 5000']);
    await env.client.create(thing('late'));
    await clock.advance(100);
    expect(effects.slice(2)).toEqual(['late TRANSPORT_GATE_CLOSED after 0']);
  });
});
