// What users do to the Lease itself, and to the namespace it lives in.
import { type Manager } from 'kilter';
import { Lease } from 'kilter/k8s/coordination/v1';
import { ConfigMap, Namespace } from 'kilter/k8s/core/v1';
import { virtualRuntime } from 'kilter/runtime';
import { expect, test } from 'vitest';
import { cluster } from '../../src/cluster/index.ts';
import { recordingWrites, type RecordedWrite } from './recorded-writes.test-support.ts';
import { Thing, thing, thingOperator, things } from '../thing.test-support.ts';

const elected = (identity: string) =>
  thingOperator(things, { leaderElection: { identity, namespace: 'ops', lease: 'op' } });
const lease = { namespace: 'ops', name: 'op' };
const objects = [Namespace.build({ name: 'ops' })];

/** Two replicas, of which the first leads, and whose writes the server accepted. */
async function pairOn(env: Awaited<ReturnType<typeof cluster>>, runtime: ReturnType<typeof virtualRuntime>) {
  const writes: RecordedWrite[] = [];
  const start = async (identity: string): Promise<Manager> => {
    const manager = await elected(identity).start({
      connection: recordingWrites(env.connection, identity, writes),
      runtime,
    });
    manager.done.catch(() => undefined);
    await runtime.clock.advance(2000);
    return manager;
  };
  const [one, two] = [await start('one'), await start('two')];
  expect([one.leading, two.leading]).toEqual([true, false]);
  const stop = async (...managers: Manager[]): Promise<void> => {
    const stops = managers.map((manager) => manager.stop().catch(() => undefined));
    await Promise.all([...stops, runtime.clock.advance(60_000)]);
  };
  const writers = (): string[] => [
    ...new Set(writes.filter(({ path, status }) => path.includes('/configmaps') && status < 300).map(({ by }) => by)),
  ];
  return { one, two, start, stop, writers };
}

test('LE-20: a Lease deleted under load costs nothing: its holder makes it again, and nobody else writes', async () => {
  const runtime = virtualRuntime();
  await using env = await cluster({ runtime, kinds: [Thing], objects });
  const { one, two, stop, writers } = await pairOn(env, runtime);
  const { leaseTransitions, acquireTime } = (await env.client.get(Lease, lease)).spec ?? {};
  for (let n = 0; n < 60; n += 1) {
    if (n % 10 === 5) await env.client.delete(Lease, lease);
    await env.client.create(thing(`t-${n}`, { x: '1' }));
    await runtime.clock.advance(500);
    expect([one.leading, two.leading]).toEqual([true, false]);
  }
  const made = await env.client.list(ConfigMap, { namespace: 'default' });
  expect(made.filter(({ metadata }) => metadata.name.startsWith('t-'))).toHaveLength(60);
  expect(writers()).toEqual(['one']);
  expect((await env.client.get(Lease, lease)).spec).toMatchObject({
    leaseTransitions,
    acquireTime,
    holderIdentity: 'one',
  });
  await stop(one, two);
});

test('LE-7: without the namespace of its Lease nobody leads and nobody writes; with it one of them does again', async () => {
  const runtime = virtualRuntime();
  await using env = await cluster({ runtime, kinds: [Thing], objects });
  const { one, two, start, stop, writers } = await pairOn(env, runtime);
  await env.client.delete(Namespace, 'ops');
  await env.gone(Namespace, 'ops');
  await runtime.clock.advance(60_000);
  expect([one.leading, two.leading]).toEqual([false, false]);
  await expect(one.done).rejects.toMatchObject({ code: 'ELECTION_LOST' });
  await env.client.create(thing('a', { x: '1' }));
  await runtime.clock.advance(60_000);
  expect(writers()).toEqual([]);
  // As a kubelet starts what has ended.
  const again = await start('again');
  await env.client.create(Namespace.build({ name: 'ops' }));
  await env.eventually(ConfigMap, 'a', { data: { x: '1' } }, { within: '60s' });
  expect([two.leading, again.leading].filter(Boolean)).toHaveLength(1);
  expect(writers()).toHaveLength(1);
  await stop(one, two, again);
});
