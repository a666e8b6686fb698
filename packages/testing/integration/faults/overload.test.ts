// Servers that refuse, fail or answer late: how often is asked, what goes on meanwhile. In memory, on a virtual clock.
import { Lease } from 'kilter/k8s/coordination/v1';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { virtualRuntime } from 'kilter/runtime';
import { describe, expect, test } from 'vitest';
import { cluster } from '../../src/cluster/index.ts';
import { configFor, Thing, thing, thingOperator, things } from '../thing.test-support.ts';
import { type ExchangeRequest, failure, faulty } from './faulty-connection.test-support.ts';

const elected = { leaderElection: { identity: 'one' } };
const writes = (plural: string) => (request: ExchangeRequest) =>
  request.method !== 'GET' && new RegExp(`/${plural}(/|\\?|$)`).test(request.path);
const ignore = (): void => undefined;
const writesConfig = (name: string) => (request: ExchangeRequest) =>
  request.method !== 'GET' && request.path.includes(`/configmaps/${name}?`);

describe('B-14: 429 with Retry-After: 7', () => {
  test.each([
    ['without a lease', {}],
    ['under a lease, where a write may last 5 s', elected],
  ])('no request of that flow before 7 s, other keys and the lease go on: %s', async (_, options) => {
    const runtime = virtualRuntime();
    await using env = await cluster({ runtime, kinds: [Thing] });
    const sent: number[] = [];
    const refusing = { left: 1, at: -1 };
    const connection = faulty(env.connection, (request, pass) => {
      if (!writesConfig('a')(request)) return pass();
      const now = runtime.clock.monotonic();
      sent.push(now);
      if (refusing.left === 0) return pass();
      refusing.left -= 1;
      refusing.at = now;
      return Promise.resolve(failure(429, { 'retry-after': '7' }));
    });
    const operator = thingOperator((builder) => things(builder.concurrency(2)), options);
    await using _manager = await operator.start({ connection, runtime });
    await runtime.clock.advance(1000);
    await env.client.create(thing('a', { x: '1' }));
    await runtime.clock.advance(100);
    expect(sent).toHaveLength(1);
    const renewed = async () => (await env.client.find(Lease, 'thing-operator'))?.spec?.renewTime;
    const before = await renewed();
    await env.client.create(thing('b', { x: '2' }));
    await runtime.clock.advance(100);
    expect((await env.client.get(ConfigMap, 'b')).data).toEqual({ x: '2' });
    await runtime.clock.advance(refusing.at + 6999 - runtime.clock.monotonic());
    expect(sent).toHaveLength(1);
    if (options === elected) expect(await renewed()).not.toBe(before);
    await env.eventually(ConfigMap, 'a', { data: { x: '1' } }, { within: '2s' });
    expect((sent[1] as number) - refusing.at).toBeGreaterThanOrEqual(7000);
    await _manager.stop();
  });
});

describe('B-15: 500, 503 and 504 on half of all requests for 5 minutes', () => {
  const names = Array.from({ length: 10 }, (_, i) => `t${i}`);
  const codes = [500, 503, 504];
  const span = 300_000;

  /** Things that change every 10 s; every second request fails, where told so. */
  async function run(failing: boolean) {
    const runtime = virtualRuntime();
    const env = await cluster({ runtime, kinds: [Thing] });
    let count = 0;
    let broken = false;
    const posts: string[] = [];
    const connection = faulty(env.connection, (request, pass) => {
      count += 1;
      if (request.method === 'POST' && request.path.includes('/configmaps')) posts.push(request.path);
      return broken && count % 2 === 0 ? Promise.resolve(failure(codes[count % 3] as number)) : pass();
    });
    let creates = 0;
    const operator = thingOperator((builder) =>
      builder.reconcile(async (object, ctx) => {
        await ctx.apply(configFor(object));
        const extra = `${object.metadata.name}-${object.spec.values['x']}`;
        if ((await ctx.client.find(ConfigMap, { namespace: 'default', name: extra })) !== undefined) return;
        creates += 1;
        await ctx.client.create(ConfigMap.build({ name: extra, namespace: 'default' }));
      }),
    );
    const manager = await operator.start({ connection, runtime });
    await runtime.clock.advance(1000);
    for (const name of names) await env.client.create(thing(name, { x: '0' }));
    await runtime.clock.advance(5000);
    broken = failing;
    const before = count;
    for (let round = 1; round * 10_000 <= span; round += 1) {
      for (const name of names) await env.client.patch(Thing, name, { spec: { values: { x: String(round) } } });
      if (round % 6 === 0) env.server.breakWatches();
      await runtime.clock.advance(10_000);
    }
    broken = false;
    const during = count - before;
    await runtime.clock.advance(60_000);
    const last = String(span / 10_000);
    const data = await Promise.all(names.map(async (name) => (await env.client.get(ConfigMap, name)).data));
    const stopping = manager.stop();
    await runtime.clock.advance(1000);
    await stopping;
    await env[Symbol.asyncDispose]();
    return { during, posts: posts.length, creates, converged: data.every((one) => one?.['x'] === last) };
  }

  test('at most twice the requests, converged within 60 s after, no POST repeated blindly', async () => {
    const healthy = await run(false);
    const ill = await run(true);
    expect([healthy.converged, ill.converged]).toEqual([true, true]);
    expect(ill.during).toBeLessThanOrEqual(2 * healthy.during);
    // Each POST on the wire is a decision of a run.
    expect(ill.posts).toBe(ill.creates);
    expect(ill.posts).toBeGreaterThan(healthy.posts);
  });
});

describe('B-16: every answer is late', () => {
  /** A reconciler that tries again and again by itself, whatever its signal says, is what the guard is there for. */
  async function late(ms: number, { stubborn = false } = {}) {
    const runtime = virtualRuntime();
    const env = await cluster({ runtime, kinds: [Thing] });
    let delay = 0;
    const sent: { at: number; lease: boolean; guarded: boolean; answered: boolean }[] = [];
    const connection = faulty(env.connection, async (request, pass) => {
      const entry = {
        at: runtime.clock.monotonic(),
        lease: writes('leases')(request),
        guarded: writes('configmaps')(request),
        answered: false,
      };
      sent.push(entry);
      const response = await pass();
      await runtime.clock.sleep(delay, request.signal);
      entry.answered = response.status < 300;
      return response;
    });
    let running = 0;
    let most = 0;
    const operator = thingOperator(
      (builder) =>
        builder.concurrency(2).reconcile(async (object, ctx) => {
          running += 1;
          most = Math.max(most, running);
          try {
            for (let tries = 0; stubborn && tries < 60; tries += 1) {
              await ctx.client.create(ConfigMap.build({ name: `${object.metadata.name}-${tries}` })).catch(ignore);
              await runtime.clock.sleep(500);
            }
            await ctx.apply(configFor(object));
          } finally {
            running -= 1;
          }
        }),
      elected,
    );
    const manager = await operator.start({ connection, runtime });
    const end: { error?: unknown } = {};
    manager.done.catch((error: unknown) => (end.error = error));
    await runtime.clock.advance(3000);
    delay = ms;
    for (let i = 0; i < 6; i += 1) await env.client.create(thing(`t${i}`, { x: String(i) }));
    await runtime.clock.advance(120_000);
    return { env, manager, runtime, sent, end, most: () => most };
  }

  test('3 s: within the limit of Lease answers, so the lease is kept and the work gets done', async () => {
    const { env, manager, runtime, end, most } = await late(3000);
    expect([manager.leading, end.error]).toEqual([true, undefined]);
    expect((await env.client.get(Lease, 'thing-operator')).spec).toMatchObject({
      holderIdentity: 'one',
      leaseTransitions: 0,
    });
    for (let i = 0; i < 6; i += 1) expect((await env.client.get(ConfigMap, `t${i}`)).data).toEqual({ x: String(i) });
    expect(most()).toBe(2);
    const stopping = manager.stop().catch(() => undefined);
    await runtime.clock.advance(40_000);
    await stopping;
    await env[Symbol.asyncDispose]();
  });

  test.each([
    ['leadership ends cleanly', false, { code: 'ELECTION_LOST' }],
    [
      'even from a reconciler that does not listen',
      true,
      { code: 'ELECTION_LOST', suppressed: [{ code: 'MANAGER_STOP_TIMEOUT' }] },
    ],
  ])('INV-1: 10 s: nothing guarded leaves without a lease; %s', async (_, stubborn, error) => {
    const { env, runtime, sent, end, most } = await late(10_000, { stubborn });
    expect(end.error).toMatchObject(error);
    const renewals = sent.filter(({ lease, answered }) => lease && answered);
    const lastRenewal = renewals.at(-1)?.at as number;
    const guarded = sent.filter((one) => one.guarded);
    expect(guarded.length).toBeGreaterThan(0);
    // The send time of the last renewal that succeeded, and the renew deadline.
    for (const { at } of guarded) expect(at).toBeLessThan(lastRenewal + 10_000);
    const after = sent.length;
    await runtime.clock.advance(60_000);
    expect(sent).toHaveLength(after);
    expect(most()).toBeLessThanOrEqual(2);
    await env[Symbol.asyncDispose]();
  });
});
