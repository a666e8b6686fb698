// Events that never arrive: whatever of them is lost, the world becomes the same.
import type { Client, Reconcile, Stored } from 'kilter';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { virtualRuntime } from 'kilter/runtime';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { cluster } from '../../src/cluster/index.ts';
import { configFor, Thing, thing, thingOperator } from '../thing.test-support.ts';

type Change = (user: Client) => Promise<unknown>;

const set =
  (name: string, x: string): Change =>
  (user) =>
    user.patch(Thing, name, { spec: { values: { x } } });
const create =
  (name: string, x: string): Change =>
  (user) =>
    user.create(thing(name, { x }));
const remove =
  (name: string): Change =>
  async (user) =>
    user.delete(Thing, name);

/** What happens to `old`, which is there, and `fresh`, which is not; each change is one event. */
const stories: Record<string, readonly Change[]> = {
  'changed, deleted and made again': [set('old', '1'), remove('old'), create('old', '2'), set('old', '3')],
  'made again under its name': [remove('old'), create('old', '2')],
  'made and changed': [create('fresh', '1'), set('fresh', '2'), set('fresh', '3')],
  'made and deleted': [create('fresh', '1'), set('fresh', '2'), remove('fresh')],
  'changed and deleted': [set('old', '1'), set('old', '2'), remove('old')],
};

/** The world after a story of which the first events do not arrive, and what the reconciler was given. */
async function tell(story: readonly Change[], lost: number) {
  const runtime = virtualRuntime();
  const { clock } = runtime;
  const given: { arguments: number; names: string[]; deleting: boolean }[] = [];
  const reconcile: Reconcile<Thing, ConfigMap> = async (...all) => {
    const [object, ctx] = all;
    const deleting = object.metadata.deletionTimestamp !== undefined;
    given.push({ arguments: all.length, names: Object.keys(ctx), deleting });
    await ctx.apply(configFor(object));
  };
  // While a deletion is not known, the child of what is gone is made again and collected again.
  const operator = thingOperator((builder) => builder.reconcile(reconcile));
  await using env = await cluster({ runtime, operator, hotLoops: 'allow' });
  await env.client.create(thing('old', { x: '0' }));
  await clock.advance(1000);
  if (lost > 0) {
    env.server.fail({ verb: 'watch', kind: 'Thing', times: 1, fault: { type: 'watch-drop', count: lost } });
    env.server.breakWatches({ group: 'example.com', kind: 'Thing' });
    await clock.advance(5000);
  }
  // One at a time: a run sees each of them, if its event arrives.
  for (const change of story) {
    await change(env.client);
    await clock.advance(200);
  }
  await clock.advance(120_000);
  const things = new Map((await env.client.list(Thing)).map(({ metadata }) => [metadata.uid, metadata.name]));
  const children = await env.client.list(ConfigMap, { namespace: 'default' });
  const world = children.map(({ metadata, data }) => {
    const owner = things.get(metadata.ownerReferences?.[0]?.uid ?? '') ?? 'nobody';
    return `${metadata.name} of ${owner}: ${JSON.stringify(data)}`;
  });
  return { world: world.toSorted(), given };
}

describe('B-20: intermediate events that never arrive', () => {
  const cases = Object.entries(stories).flatMap(([name, story]) =>
    story.slice(1).map((_, i) => [i + 1, story.length, name, story] as const),
  );

  test.each(cases)('the first %d of %d, of one that is %s: the same world', async (lost, _, __, story) => {
    const undisturbed = await tell(story, 0);
    const { world } = await tell(story, lost);
    expect(world).toEqual(undisturbed.world);
  });

  test('a reconciler never learns the event: its arguments hold no old object and no type of event', async () => {
    const { given } = await tell([set('old', '1'), remove('old'), create('old', '2')], 0);
    expect(given.length).toBeGreaterThanOrEqual(3);
    for (const run of given) expect([run.arguments, run.deleting]).toEqual([2, false]);
    const names = new Set(given.flatMap((run) => run.names));
    const telling = /old|previous|before|type|event_|change|delta/i;
    expect([...names].filter((name) => telling.test(name))).toEqual([]);
    expect(names).toContain('causes');
    type Arguments = Parameters<Reconcile<Thing, ConfigMap>>;
    expectTypeOf<Arguments['length']>().toEqualTypeOf<2>();
    expectTypeOf<Arguments[0]>().toEqualTypeOf<Stored<Thing>>();
    type Names = keyof Arguments[1];
    expectTypeOf<Extract<Names, 'old' | 'oldObject' | 'previous' | 'eventType' | 'change' | 'type'>>().toBeNever();
  });
});
