// A definition that goes and comes back, on any backend.
import { CustomResourceDefinition } from 'kilter/k8s/apiextensions/v1';
import { ConfigMap } from 'kilter/k8s/core/v1';
import type { Runtime } from 'kilter/runtime';
import { expect } from 'vitest';
import { cluster, type ClusterOptions, isVirtual, withExchange } from '../../src/cluster/index.ts';
import { Thing, thing, thingOperator, things } from '../thing.test-support.ts';

export interface DefinitionGround {
  readonly options: ClusterOptions & { readonly runtime: Runtime };
  /** How long there is no definition, in milliseconds: several probes of 30 s. */
  readonly away: number;
}

export async function expectDefinitionToReturn({ options, away }: DefinitionGround): Promise<void> {
  const { runtime } = options;
  const { clock } = runtime;
  await using env = await cluster({ ...options, kinds: [Thing] });
  /** What the operator asks, in order: `GET /apis/example.com/v1/things`, and when. */
  const asked: { readonly what: string; readonly at: number }[] = [];
  const connection = withExchange(env.connection, (request) => {
    asked.push({ what: `${request.method} ${request.path.split('?')[0]}`, at: clock.monotonic() });
    return env.connection.exchange(request);
  });
  const manager = await thingOperator(things).start({ connection, runtime });
  const ends: unknown[] = [];
  manager.done.then(
    () => ends.push('stopped'),
    (error: unknown) => ends.push(error),
  );
  const pass = (ms: number): Promise<unknown> => (isVirtual(clock) ? clock.advance(ms) : clock.sleep(ms));
  await env.client.create(thing('a', { x: '1' }));
  await env.eventually(ConfigMap, 'a', { data: { x: '1' } });
  const { uid } = (await env.client.get(Thing, 'a')).metadata;
  const name = 'things.example.com';
  const deleted = asked.length;
  await env.client.delete(CustomResourceDefinition, name);
  await env.gone(CustomResourceDefinition, name);
  // The end of the watch and the first 404s belong to the deletion itself.
  await pass(5000);
  const parked = asked.length;
  // The watch ends with the definition, and the 404 of the next one is enough.
  const first = asked.slice(deleted).filter(({ what }) => what.includes('/things'));
  if (isVirtual(clock)) expect(first).toHaveLength(1);
  await pass(away);
  const meanwhile = asked.slice(parked);
  // A look is a list, or a watch that the server does not know and the list in its place.
  const looks = meanwhile.filter(({ what }) => what.includes('/things')).map(({ at }) => at);
  const probes = looks.filter((at, i) => i === 0 || at - (looks[i - 1] ?? 0) > 2000);
  // One every 30 s: no storm, and no silence either. A busy machine is late, never early.
  expect(looks.length).toBeLessThanOrEqual(2 * probes.length);
  const gaps = probes.slice(1).map((at, i) => at - (probes[i] ?? 0));
  expect(gaps.length).toBeGreaterThanOrEqual(Math.floor(away / 30_000) - 1);
  for (const gap of gaps) {
    expect(gap).toBeGreaterThan(29_900);
    expect(gap).toBeLessThan(isVirtual(clock) ? 30_100 : 60_000);
  }
  // Nobody touches the children, which are the garbage collector's now, nor anything else.
  expect(meanwhile.filter(({ what }) => !what.startsWith('GET '))).toEqual([]);
  expect(ends).toEqual([]);
  await env.install(Thing);
  // Under the name of the one that is gone, and under a new one.
  await env.client.create(thing('a', { x: '2' }));
  await env.client.create(thing('b', { x: '3' }));
  await env.eventually(ConfigMap, 'b', { data: { x: '3' } }, { within: '90s' });
  await env.eventually(ConfigMap, 'a', { data: { x: '2' } }, { within: '90s' });
  expect((await env.client.get(Thing, 'a')).metadata.uid).not.toBe(uid);
  expect([ends, manager.leading]).toEqual([[], true]);
  const stopping = manager.stop();
  if (isVirtual(clock)) await clock.advance(60_000);
  await stopping;
}
