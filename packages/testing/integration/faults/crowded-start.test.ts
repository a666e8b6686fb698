// Many replicas and many objects at the same time. In memory, on a virtual clock.
import type { Manager } from 'kilter';
import { virtualRuntime } from 'kilter/runtime';
import { expect, test } from 'vitest';
import { cluster } from '../../src/cluster/index.ts';
import { Thing, thing, thingOperator } from '../thing.test-support.ts';
import { gappyWatch } from './gappy-watch.test-support.ts';

const objects = 1000;
const replicas = 10;

test(
  'B-40: ten replicas read a kind once each, and a fresh change does not wait behind the backlog',
  { timeout: 120_000 },
  async () => {
    const runtime = virtualRuntime();
    const env = await cluster({ runtime, kinds: [Thing] });
    for (let n = 0; n < objects; n += 1) await env.client.create(thing(`t${n}`));
    const runs: { readonly name: string; readonly at: number; readonly by: number }[] = [];
    const started: { readonly watch: ReturnType<typeof gappyWatch>; readonly manager: Manager }[] = [];
    for (let by = 0; by < replicas; by += 1) {
      const watch = gappyWatch(env.connection, 'things');
      const working = thingOperator(
        (builder) =>
          builder.reconcile(async ({ metadata }) => {
            runs.push({ name: metadata.name, at: runtime.clock.monotonic(), by });
            await runtime.clock.sleep(20);
          }),
        { leaderElection: { identity: `r${by}` } },
      );
      started.push({ watch, manager: await working.start({ connection: watch.connection, runtime }) });
    }
    await runtime.clock.advance(5000);
    await Promise.all(started.map(({ manager }) => manager.ready));
    expect(started.map(({ watch }) => watch.requests.length)).toEqual(started.map(() => 1));
    // In the middle of the backlog: 1,000 runs of 20 ms, one after the other.
    expect(runs.length).toBeGreaterThan(20);
    expect(runs.length).toBeLessThan(objects / 2);
    const pending = new Set(Array.from({ length: objects }, (_, n) => `t${n}`));
    for (const { name } of runs) pending.delete(name);
    const late = [...pending].slice(-50);
    const waits: number[] = [];
    for (const name of late) {
      const changed = runtime.clock.monotonic();
      await env.client.patch(Thing, name, { spec: { note: 'fresh' } });
      await runtime.clock.advance(200);
      const ran = runs.find((run) => run.name === name && run.at >= changed);
      waits.push((ran?.at ?? Infinity) - changed);
    }
    expect(Math.max(...waits)).toBeLessThan(1000);
    // Nor does the backlog starve, and only one replica works.
    await runtime.clock.advance(objects * 25);
    expect(new Set(runs.map(({ name }) => name)).size).toBe(objects);
    expect(new Set(runs.map(({ by }) => by)).size).toBe(1);
    const stopping = Promise.all(started.map(({ manager }) => manager.stop()));
    await runtime.clock.advance(40_000);
    await stopping;
    await env[Symbol.asyncDispose]();
  },
);
