// What ctx.apply promises, on the embedded server with a virtual clock.
import { isConflict } from 'kilter';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { virtualRuntime } from 'kilter/runtime';
import { describe, expect, test } from 'vitest';
import { cluster } from '../src/cluster/index.ts';
import { configFor, Thing, thing, thingOperator, things } from './thing.test-support.ts';

const mutating = (requests: readonly { method: string; path: string }[]) =>
  requests.filter(({ method, path }) => method !== 'GET' && !path.includes('/leases') && !path.includes('/events'));

describe('ctx.apply', () => {
  test('AP-1: owns exactly the fields given, and takes them back by force', async () => {
    const runtime = virtualRuntime();
    await using env = await cluster({ operator: thingOperator(things), runtime });
    await env.client.create(thing('a', { x: '1' }));
    await env.eventually(ConfigMap, 'a', { data: { x: '1' } });
    await env.client.patch(ConfigMap, 'a', { data: { x: 'stolen', mine: 'kept' } });
    const repaired = await env.eventually(ConfigMap, 'a', { data: { x: '1' } });
    expect(repaired.data).toEqual({ x: '1', mine: 'kept' });
    const entry = repaired.metadata.managedFields?.find(({ manager }) => manager === 'thing-operator/thing');
    expect(entry).toMatchObject({ operation: 'Apply', fieldsV1: { 'f:data': { 'f:x': {} } } });
    expect(JSON.stringify(entry?.fieldsV1)).not.toContain('mine');
  });

  test('AP-1: client.apply does not force, and a conflict names manager and field', async () => {
    await using env = await cluster({ runtime: virtualRuntime() });
    const map = ConfigMap.build({ name: 'a', namespace: 'default', data: { x: '1' } });
    await env.client.apply(map, { manager: 'one' });
    const conflict = await env.client
      .apply({ ...map, data: { x: '2' } }, { manager: 'two' })
      .catch((error: unknown) => error);
    expect(isConflict(conflict)).toBe(true);
    expect(String(conflict)).toContain('conflict with "one": .data.x');
    expect((conflict as { code: string }).code).toBe('CLIENT_APPLY_CONFLICT');
  });

  test('AP-2, OW-1: sets the controller reference and returns the server’s answer', async () => {
    const answers: ConfigMap[] = [];
    const operator = thingOperator((builder) =>
      builder.reconcile(async (object, ctx) => void answers.push(await ctx.apply(configFor(object)))),
    );
    await using env = await cluster({ operator, runtime: virtualRuntime() });
    const owner = await env.client.create(thing('a', { x: '1' }));
    const map = await env.eventually(ConfigMap, 'a', { data: { x: '1' } });
    expect(map.metadata.ownerReferences).toEqual([
      {
        apiVersion: 'example.com/v1',
        kind: 'Thing',
        name: 'a',
        uid: owner.metadata.uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
    expect(answers[0]?.metadata).toMatchObject({
      uid: map.metadata.uid,
      resourceVersion: map.metadata.resourceVersion,
    });
  });

  test('AP-2: without an owner when told so', async () => {
    const operator = thingOperator((builder) =>
      builder.reconcile(async (object, ctx) => void (await ctx.apply(configFor(object), { owner: false }))),
    );
    await using env = await cluster({ operator, runtime: virtualRuntime() });
    await env.client.create(thing('a', { x: '1' }));
    const map = await env.eventually(ConfigMap, 'a', { data: { x: '1' } });
    expect(map.metadata.ownerReferences).toBeUndefined();
  });

  test('AP-3, CL-5: an apply that would change nothing is not sent, whatever others change', async () => {
    let runs = 0;
    const operator = thingOperator((builder) =>
      builder.reconcile(async (object, ctx) => {
        runs += 1;
        expect((await ctx.apply(configFor(object))).data).toMatchObject(object.spec.values);
      }),
    );
    await using env = await cluster({ operator, runtime: virtualRuntime() });
    await env.client.create(thing('a', { x: '1' }));
    await env.eventually(ConfigMap, 'a', { data: { x: '1' } });
    await env.eventually(ConfigMap, 'a', () => runs >= 2);
    const before = mutating(env.requests).length;
    const seen = runs;
    // A label and a field nobody here owns: the version moves on, the owned fields do not.
    await env.client.patch(ConfigMap, 'a', { metadata: { labels: { other: 'x' } }, data: { other: 'y' } });
    await env.eventually(ConfigMap, 'a', () => runs > seen);
    expect(mutating(env.requests).slice(before)).toEqual([]);
  });

  test('AP-5: a field left out after having been applied disappears', async () => {
    await using env = await cluster({ operator: thingOperator(things), runtime: virtualRuntime() });
    await env.client.create(thing('a', { x: '1', y: '2' }));
    await env.eventually(ConfigMap, 'a', { data: { x: '1', y: '2' } });
    await env.client.patch(Thing, 'a', { spec: { values: { y: null as never } } });
    await env.eventually(ConfigMap, 'a', (map) => !('y' in (map.data ?? {})));
    expect((await env.client.get(ConfigMap, 'a')).data).toEqual({ x: '1' });
  });

  test('AP-6: children that a successful run did not apply are pruned', async () => {
    const operator = thingOperator((builder) =>
      builder.owns(ConfigMap, { prune: true }).reconcile(async (object, ctx) => {
        for (const name of Object.keys(object.spec.values)) await ctx.apply(ConfigMap.build({ name, data: {} }));
      }),
    );
    await using env = await cluster({ operator, runtime: virtualRuntime() });
    await env.client.create(ConfigMap.build({ name: 'foreign', namespace: 'default' }));
    await env.client.create(thing('a', { one: '', two: '' }));
    await env.eventually(ConfigMap, 'two', {});
    await env.client.patch(Thing, 'a', { spec: { values: { two: null as never } } });
    await env.gone(ConfigMap, 'two');
    expect(await env.client.find(ConfigMap, 'one')).toBeDefined();
    expect(await env.client.find(ConfigMap, 'foreign')).toBeDefined();
  });

  test('OW-3: an orphan is adopted, a child of another is refused', async () => {
    const objects = [ConfigMap.build({ name: 'a', namespace: 'default', data: { old: '1' } })];
    await using env = await cluster({ operator: thingOperator(things), runtime: virtualRuntime(), objects });
    const first = await env.client.create(thing('a', { x: '1' }));
    const adopted = await env.eventually(ConfigMap, 'a', { data: { x: '1', old: '1' } });
    expect(adopted.metadata.ownerReferences?.[0]?.uid).toBe(first.metadata.uid);
  });
});
