// How many series there are: as many as an operator has controllers, kinds and outcomes, however many objects they work on.
import { requeueAfter, terminal } from 'kilter';
import { virtualRuntime } from 'kilter/runtime';
import { Namespace } from 'kilter/k8s/core/v1';
import { expect, test } from 'vitest';
import { cluster } from '../src/cluster/index.ts';
import { configFor, Thing, thingOperator } from './thing.test-support.ts';

const outcomes = ['fine', 'again', 'fails', 'gives-up', 'conflicts'] as const;

/** The names and labels of all series, after so many objects of every outcome in so many namespaces have come and gone. */
async function seriesAfter(objects: number, namespaces: number): Promise<string[]> {
  const runtime = virtualRuntime();
  const { clock } = runtime;
  const given = thingOperator(
    (builder) =>
      builder
        .cleanup('example.com/x', async () => undefined)
        .reconcile(async (object, ctx) => {
          const { note } = object.spec;
          ctx.event('Normal', 'Seen', `looked at ${object.metadata.name}`);
          await ctx.apply(configFor(object));
          await ctx.status({ note: object.metadata.name });
          if (note === 'again') return requeueAfter('1m', 'look again');
          if (note === 'fails') throw new Error(`no ${object.metadata.name}`);
          if (note === 'gives-up') throw terminal(object.metadata.name);
          if (note === 'conflicts')
            await ctx.client.update({ ...object, metadata: { ...object.metadata, resourceVersion: '1' } });
          return undefined;
        }),
    { leaderElection: { identity: 'one' } },
  );
  const places = Array.from({ length: namespaces }, (_, i) => Namespace.build({ name: `place-${i}` }));
  await using env = await cluster({ runtime, operator: given, objects: places, hotLoops: 'allow' });
  const made = Array.from({ length: objects }, (_, i) =>
    outcomes.map((note) =>
      Thing.build({ name: `${note}-${i}`, namespace: `place-${i % namespaces}`, spec: { note, values: { x: '1' } } }),
    ),
  ).flat();
  for (const object of made) await env.client.create(object);
  await clock.advance(20_000);
  for (const { metadata } of made) await env.client.delete(Thing, { ...metadata, namespace: metadata.namespace ?? '' });
  await clock.advance(10_000);
  const text = env.managers[0]?.metrics() ?? '';
  const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return series.map((line) => line.slice(0, line.lastIndexOf(' '))).toSorted();
}

test('M-03: five times as many objects in five times as many namespaces make no more series, and no label names one', async () => {
  const few = await seriesAfter(1, 1);
  const many = await seriesAfter(5, 5);
  expect(few.length).toBeGreaterThan(50);
  expect(many).toEqual(few);
  expect(many.filter((series) => /place-|fine-|again-|fails-|gives-up-|conflicts-/.test(series))).toEqual([]);
}, 120_000);
