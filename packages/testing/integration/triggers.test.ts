// What wakes a reconciler and what it can read, on the embedded server with a virtual clock.
import { controller, isNotFound, operator as operatorOf, requeueAfter } from 'kilter';
import { ConfigMap, Secret } from 'kilter/k8s/core/v1';
import { virtualRuntime } from 'kilter/runtime';
import { describe, expect, test } from 'vitest';
import { cluster } from '../src/cluster/index.ts';
import { configFor, Thing, thing, thingOperator } from './thing.test-support.ts';

const settle = 1000;

describe('a controller is woken', () => {
  test('by what its objects refer to, and by nothing else of that kind', async () => {
    const runtime = virtualRuntime();
    const seen: string[] = [];
    const operator = thingOperator((builder) =>
      builder
        .references(Secret, (object) => object.spec.note)
        .reconcile(async ({ metadata, spec }, ctx) => {
          const secret =
            spec.note === undefined
              ? undefined
              : await ctx.client.find(Secret, { namespace: 'default', name: spec.note });
          seen.push(`${metadata.name}:${secret?.data?.['a'] ?? 'none'}`);
        }),
    );
    await using env = await cluster({ operator, runtime });
    await env.client.create({ ...thing('user'), spec: { values: {}, note: 'secret' } });
    await env.client.create(thing('other'));
    await runtime.clock.advance(settle);
    seen.length = 0;
    await env.client.create(Secret.build({ name: 'unrelated', namespace: 'default', data: { a: 'eA==' } }));
    await env.client.create(Secret.build({ name: 'secret', namespace: 'default', data: { a: 'MQ==' } }));
    await runtime.clock.advance(settle);
    expect(seen).toEqual(['user:MQ==']);
  });

  test('by nobody for a namespace it is not about, also where it would run for what is not there', async () => {
    const runtime = virtualRuntime();
    const seen: string[] = [];
    const keyed = controller(Thing, { namespaces: ['default'] })
      .watches(Secret, ({ metadata }) => ({ name: metadata.name, namespace: metadata.labels?.['in'] }), {
        namespaces: ['default'],
      })
      .reconcileKey(async (ref) => void seen.push(`${ref.namespace}/${ref.name}`));
    await using env = await cluster({ operator: operatorOf({ name: 'o', controllers: [keyed] }), runtime });
    for (const label of ['default', 'other']) {
      await env.client.create(Secret.build({ name: label, namespace: 'default', labels: { in: label } }));
    }
    await runtime.clock.advance(settle);
    expect(seen).toEqual(['default/default']);
  });

  test('PH-4: by a mapper, for the old and the new answer, with the reason in its causes', async () => {
    const runtime = virtualRuntime();
    const causes: string[] = [];
    const operator = thingOperator((builder) =>
      builder
        .index('note', (object) => object.spec.note)
        .watches(Secret, (secret, { primaries }) => primaries.by('note', secret.metadata.labels?.['note']))
        .reconcile(async ({ metadata }, ctx) => {
          causes.push(
            ...ctx.causes.map(({ source, change, ref }) => `${metadata.name}: ${source} ${change} ${ref?.name}`),
          );
        }),
    );
    await using env = await cluster({ operator, runtime });
    await env.client.create({ ...thing('a'), spec: { values: {}, note: 'one' } });
    await env.client.create({ ...thing('b'), spec: { values: {}, note: 'two' } });
    await env.client.create(Secret.build({ name: 's', namespace: 'default', labels: { note: 'one' } }));
    await runtime.clock.advance(settle);
    causes.length = 0;
    await env.client.patch(Secret, 's', { metadata: { labels: { note: 'two' } } });
    await runtime.clock.advance(settle);
    expect(causes.toSorted()).toEqual(['a: watched update s', 'b: watched update s']);
  });

  test('by a source outside the cluster and by the clock', async () => {
    const runtime = virtualRuntime();
    const causes: string[] = [];
    let push: (name: string) => void = () => undefined;
    async function* events(): AsyncGenerator<string> {
      for (;;) yield await new Promise<string>((resolve) => (push = resolve));
    }
    const operator = thingOperator((builder) =>
      builder
        .on(
          () => events(),
          (name) => ({ name, namespace: 'default' }),
        )
        .every('1m')
        .reconcile(async (_, ctx) => void causes.push(...ctx.causes.map(({ change }) => change))),
    );
    await using env = await cluster({ operator, runtime });
    await env.client.create(thing('a'));
    await runtime.clock.advance(settle);
    causes.length = 0;
    push('a');
    await runtime.clock.advance(settle);
    expect(causes).toEqual(['external']);
    await runtime.clock.advance(60_000);
    expect(causes).toEqual(['external', 'timer']);
  });

  test('PH-9: not by its own status, but by labels', async () => {
    const runtime = virtualRuntime();
    let runs = 0;
    const operator = thingOperator((builder) =>
      builder.reconcile(async (_, ctx) => {
        runs += 1;
        await ctx.status({ seen: runs });
      }),
    );
    await using env = await cluster({ operator, runtime });
    await env.client.create(thing('a'));
    await runtime.clock.advance(settle);
    expect(runs).toBe(1);
    await env.client.patch(Thing, 'a', { metadata: { labels: { x: 'y' } } });
    await runtime.clock.advance(settle);
    expect(runs).toBe(2);
  });
});

describe('a reconciler reads', () => {
  test('CA-11, RW-10: what it has just written, through ctx.client and ctx.owned', async () => {
    const seen: unknown[] = [];
    const operator = thingOperator((builder) =>
      builder.reconcile(async (object, ctx) => {
        await ctx.apply(configFor(object));
        seen.push((await ctx.client.get(ConfigMap, { namespace: 'default', name: 'a' })).data);
        seen.push((await ctx.owned(ConfigMap)).map(({ metadata }) => metadata.name));
      }),
    );
    const runtime = virtualRuntime();
    await using env = await cluster({ operator, runtime });
    await env.client.create(ConfigMap.build({ name: 'foreign', namespace: 'default' }));
    await env.client.create(thing('a', { x: '1' }));
    await runtime.clock.advance(settle);
    expect(seen.slice(0, 2)).toEqual([{ x: '1' }, ['a']]);
  });

  test.each([
    ['strict', 'CACHE_KIND_UNDECLARED'],
    ['adhoc', undefined],
    ['extend', undefined],
  ] as const)('CA-2: an undeclared kind under the policy %s', async (policy, code) => {
    const answers: unknown[] = [];
    const operator = thingOperator(
      (builder) =>
        builder.reconcile(async (_, ctx) => {
          const found = await ctx.client
            .find(Secret, { namespace: 'default', name: 's' })
            .catch((error: { code: string }) => error.code);
          answers.push(typeof found === 'string' ? found : found?.metadata.name);
        }),
      { cache: { policy } },
    );
    const runtime = virtualRuntime();
    await using env = await cluster({ operator, runtime });
    await env.client.create(Secret.build({ name: 's', namespace: 'default' }));
    await env.client.create(thing('a'));
    await runtime.clock.advance(settle);
    expect(answers).toEqual([code ?? 's']);
    const watched = env.requests.some(({ path }) => /\/secrets\?.*watch=/.test(path));
    expect(watched).toBe(policy === 'extend');
  });
});

test.each([
  ['labels', { labels: { shard: 'a' } }],
  ['fields', { fields: { 'metadata.name': 'inside' } }],
])(
  'a controller by key that is bounded by %s is not woken for what lies outside, whoever names it',
  async (_, bounds) => {
    const runtime = virtualRuntime();
    const seen: string[] = [];
    const built = controller(Thing, bounds)
      .watches(Secret, (secret) => secret.metadata.labels?.['for'] ?? [])
      .reconcileKey(async ({ name }) => void seen.push(name));
    const quiet = thingOperator(() => built);
    await using env = await cluster({ operator: quiet, runtime });
    const inside = thing('inside');
    await env.client.create({ ...inside, metadata: { ...inside.metadata, labels: { shard: 'a' } } });
    await env.client.create(thing('outside'));
    await runtime.clock.advance(settle);
    seen.length = 0;
    for (const name of ['outside', 'inside', 'nowhere']) {
      await env.client.create(Secret.build({ name, namespace: 'default', labels: { for: name } }));
    }
    await runtime.clock.advance(settle);
    expect(seen).toEqual(['inside']);
  },
);

test('RC-19: reconcileKey runs for every key, also when the object is deleting or gone', async () => {
  const runtime = virtualRuntime();
  const states: string[] = [];
  const { spec } = controller(Thing)
    .owns(ConfigMap)
    .reconcileKey(async (ref, ctx) => {
      const found = await ctx.client.find(Thing, ref);
      if (found === undefined) {
        states.push('gone');
        return;
      }
      const on = ctx.of(found);
      const state = await on.finalizer('example.com/key', async () =>
        states.includes('pending') ? undefined : requeueAfter('1s', 'wait'),
      );
      states.push(state);
      if (state === 'continue') await on.apply(configFor(found));
      return state === 'pending' ? requeueAfter('1s', 'cleanup') : undefined;
    });
  const operator = thingOperator(() => ({ name: 'thing', kind: Thing, concurrency: 1, spec }));
  await using env = await cluster({ operator, runtime });
  await env.client.create(thing('a', { x: '1' }));
  await env.eventually(ConfigMap, 'a', { data: { x: '1' } });
  await env.client.delete(Thing, 'a');
  await env.gone(Thing, 'a');
  await runtime.clock.advance(5000);
  expect(states.filter((state, i) => state !== states[i - 1])).toEqual(['continue', 'pending', 'cleaned', 'gone']);
  expect(await env.client.get(Thing, 'a').catch(isNotFound)).toBe(true);
});
