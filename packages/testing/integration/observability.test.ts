// What an operator shows to people: metrics and probes, as a whole.
import { Lease } from 'kilter/k8s/coordination/v1';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { virtualRuntime } from 'kilter/runtime';
import { describe, expect, test } from 'vitest';
import { cluster } from '../src/cluster/index.ts';
import { freeAddress } from './free-address.test-support.ts';
import { configFor, Thing, thing, thingOperator, things } from './thing.test-support.ts';

const families = (text: string): Map<string, string> =>
  new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]));
const samples = (text: string, name: string): string[] =>
  text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));

describe('metrics', () => {
  test('ME-3: no label holds a name, a namespace or a UID of an object', async () => {
    const runtime = virtualRuntime();
    let fail = true;
    const operator = thingOperator(
      (builder) =>
        builder.reconcile(async (object, ctx) => {
          ctx.event('Normal', 'Seen', 'once');
          await ctx.apply(configFor(object));
          if (fail) throw new Error(`not yet, ${object.metadata.name}`);
        }),
      { leaderElection: { identity: 'identity-of-one' } },
    );
    await using env = await cluster({ operator, runtime });
    const created = await env.client.create(thing('very-own-name', { x: '1' }));
    const map = await env.eventually(ConfigMap, 'very-own-name', { data: { x: '1' } });
    await runtime.clock.advance(1000);
    fail = false;
    await runtime.clock.advance(60_000);
    await env.client.delete(Thing, 'very-own-name');
    await runtime.clock.advance(60_000);
    const text = env.managers[0]?.metrics() ?? '';
    expect(text).toContain('controller_runtime_reconcile_total');
    const labels = [...text.matchAll(/\{([^}]*)\}/g)].map(([, inside]) => inside ?? '').join('\n');
    expect(labels).not.toContain('very-own-name');
    expect(labels).not.toContain('identity-of-one');
    for (const { metadata } of [created, map]) expect(labels).not.toContain(metadata.uid);
    expect(labels).not.toMatch(/\bnamespace=/);
    expect(labels).not.toMatch(/="default(\/|")(?!.*session)/);
  });

  test('ME-4: process_* under their own names and types; nothing of Go', async () => {
    const runtime = virtualRuntime();
    await using env = await cluster({ operator: thingOperator(things), runtime });
    const text = env.managers[0]?.metrics() ?? '';
    const types = families(text);
    expect([...types].filter(([name]) => name.startsWith('process_'))).toEqual([
      ['process_cpu_seconds_total', 'counter'],
      ['process_resident_memory_bytes', 'gauge'],
      ['process_virtual_memory_bytes', 'gauge'],
      ['process_open_fds', 'gauge'],
      ['process_max_fds', 'gauge'],
      ['process_start_time_seconds', 'gauge'],
    ]);
    const value = (name: string): number => Number(samples(text, name)[0]?.split(' ')[1]);
    expect(value('process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(value('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
    expect([...types.keys()].filter((name) => name.startsWith('go_') || name.includes('slowpath'))).toEqual([]);
  });

  test('ME-6, M-02: caches, watches, election, triggers, writes and the event loop, under kilter_', async () => {
    const runtime = virtualRuntime();
    const operator = thingOperator(things, { leaderElection: { identity: 'one' } });
    await using env = await cluster({ operator, runtime });
    await env.client.create(thing('a', { x: '1' }));
    await env.eventually(ConfigMap, 'a', { data: { x: '1' } });
    env.server.fail({ kind: 'Thing', verb: 'watch', times: 1, fault: { type: 'lost-request' } });
    await runtime.clock.advance(620_000);
    const text = env.managers[0]?.metrics() ?? '';
    const kind = '{kind="Thing.example.com"}';
    const value = (name: string, labels = ''): number =>
      Number(
        samples(text, name)
          .find((line) => line.startsWith(`${name}${labels} `))
          ?.split(' ')
          .at(-1),
      );
    expect(value('kilter_cache_objects', kind)).toBe(1);
    expect(value('kilter_cache_bytes', kind)).toBeGreaterThan(50);
    expect(value('kilter_cache_synced', kind)).toBe(1);
    expect(value('kilter_cache_silence_seconds', kind)).toBeLessThan(620);
    expect(value('kilter_cache_relists_total', '{kind="Thing.example.com",reason="initial"}')).toBe(1);
    expect(samples(text, 'kilter_watch_restarts_total').join()).toContain('reason="closed"');
    expect(value('kilter_leader_transitions_total', '{name="thing-operator"}')).toBe(1);
    for (const name of [
      'kilter_triggers_total',
      'kilter_watch_stalled_total',
      'kilter_workqueue_oldest_ready_seconds',
      'kilter_read_your_writes_waits_total',
      'kilter_read_your_writes_expiries_total',
      'kilter_skipped_writes_total',
      'kilter_guarded_writes_refused_total',
      'kilter_events_dropped_total',
      'kilter_cache_handler_errors_total',
    ]) {
      expect(families(text).has(name), name).toBe(true);
    }
    const delays = ['0.5', '0.99', '1'].map((q) => value('kilter_event_loop_delay_seconds', `{quantile="${q}"}`));
    expect(delays.every((delay) => delay >= 0)).toBe(true);
    expect(delays[0]).toBeLessThanOrEqual(delays[2] ?? Number.NaN);
  });
});

test('HZ-1, HZ-3: probes over HTTP: aggregate, single checks, verbose and exclude', async () => {
  const runtime = virtualRuntime();
  await using env = await cluster({ kinds: [Thing], runtime });
  const probeAddress = await freeAddress();
  const operator = thingOperator(things, { metricsAddress: '0', probeAddress });
  env.server.fail({ kind: 'ConfigMap', fault: { type: 'delay', ms: 20_000 } });
  const manager = await operator.start({ connection: env.connection, runtime, serve: true });
  await runtime.clock.advance(100);
  const ask = async (path: string) => {
    const answer = await fetch(`http://${probeAddress}${path}`);
    return [answer.status, await answer.text()];
  };
  expect(await ask('/healthz')).toEqual([200, 'ok']);
  expect(await ask('/readyz')).toEqual([500, '[-]caches failed: reason withheld\nreadyz check failed\n']);
  expect(await ask('/readyz/caches')).toEqual([500, 'caches are not synced\n']);
  expect(await ask('/readyz?exclude=caches&verbose')).toEqual([200, '[+]caches excluded: ok\nreadyz check passed\n']);
  await runtime.clock.advance(60_000);
  await manager.ready;
  expect(await ask('/readyz')).toEqual([200, 'ok']);
  expect((await ask('/readyz/nope'))[0]).toBe(404);
  const stopping = manager.stop();
  await runtime.clock.advance(1000);
  await stopping;
  await expect(fetch(`http://${probeAddress}/healthz`)).rejects.toThrow('fetch failed');
  expect(await env.client.find(Lease, 'thing-operator')).toBeUndefined();
});
