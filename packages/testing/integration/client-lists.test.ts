import { isExpired } from 'kilter';
import { ConfigMap, Namespace } from 'kilter/k8s/core/v1';
import { describe, expect, test } from 'vitest';
import { App, app, appCluster, failure } from './client-app.test-support.ts';

const names = (objects: readonly { metadata: { name: string } }[]): string[] =>
  objects.map(({ metadata }) => metadata.name);

describe('a client lists', () => {
  test('by labels and fields, metadata alone, and no more than wanted', async () => {
    await using env = await appCluster();
    for (const name of ['a', 'b', 'c', 'd']) await env.client.create(app(name, { tier: name < 'c' ? 'x' : 'y' }));
    expect(names(await env.client.list(App, { pageSize: 1 }))).toEqual(['a', 'b', 'c', 'd']);
    expect(names(await env.client.list(App, { labels: { tier: 'x' } }))).toEqual(['a', 'b']);
    expect(names(await env.client.list(App, { labels: { tier: ['y', 'z'] } }))).toEqual(['c', 'd']);
    expect(names(await env.client.list(App, { fields: { 'metadata.name': 'c' } }))).toEqual(['c']);
    expect(names(await env.client.list(App, { limit: 3, pageSize: 2 }))).toEqual(['a', 'b', 'c']);
    const [first] = await env.client.list(App, { metadataOnly: true });
    expect(first).toMatchObject({ apiVersion: 'example.com/v1', kind: 'App', metadata: { name: 'a' } });
    expect(first).not.toHaveProperty('spec');
    expect(await env.client.get(App, 'a', { metadataOnly: true })).toEqual(first);
  });

  test('a state of the past, as long as the server has it', async () => {
    await using env = await appCluster();
    await env.client.create(app('a'));
    const { resourceVersion } = await env.client.listPage(App);
    await env.client.create(app('b'));
    const then = { resourceVersion, resourceVersionMatch: 'Exact' } as const;
    expect(names(await env.client.list(App, then))).toEqual(['a']);
    expect(names(await env.client.list(App, { resourceVersion: '0' }))).toEqual(['a', 'b']);
  });

  test('B-05: pages that expire on their way: thrown, gone on with, or begun again', async () => {
    await using env = await appCluster();
    for (const name of ['a', 'b', 'c']) await env.client.create(app(name));
    const read = async (onExpired: 'throw' | 'continue'): Promise<{ seen: string[]; error: unknown }> => {
      const seen: string[] = [];
      const reading = async (): Promise<void> => {
        for await (const { metadata } of env.client.each(App, { pageSize: 1, onExpired })) {
          seen.push(metadata.name);
          if (seen.length > 1) continue;
          await env.client.patch(App, 'a', { metadata: { annotations: { at: onExpired } } });
          env.server.compact();
        }
      };
      return { error: await failure(reading()), seen };
    };
    const thrown = await read('throw');
    expect([thrown.seen, isExpired(thrown.error)]).toEqual([['a'], true]);
    expect(await read('continue')).toEqual({ seen: ['a', 'b', 'c'], error: undefined });
  });
});

describe('a client deletes all', () => {
  test('of a kind that are selected, in one namespace or in all', async () => {
    await using env = await appCluster();
    for (const namespace of ['x', 'y']) {
      await env.client.create(Namespace.build({ name: namespace }));
      for (const name of ['a', 'b']) {
        await env.client.create(ConfigMap.build({ name, namespace, labels: { pick: name } }));
      }
    }
    const left = async (): Promise<string[]> =>
      (await env.client.list(ConfigMap, { labels: 'pick' })).map(
        ({ metadata }) => `${metadata.namespace}/${metadata.name}`,
      );
    const deleted = await env.client.deleteAll(ConfigMap, { namespace: 'x', labels: { pick: 'a' } });
    expect(deleted).toMatchObject([{ kind: 'ConfigMap', metadata: { name: 'a', namespace: 'x' } }]);
    expect(await left()).toEqual(['x/b', 'y/a', 'y/b']);
    expect(names(await env.client.deleteAll(ConfigMap, { allNamespaces: true, labels: 'pick' }))).toEqual([
      'b',
      'a',
      'b',
    ]);
    expect(await left()).toEqual([]);
  });

  test('more than one page of them, those kept by finalizers among them', async () => {
    await using env = await appCluster();
    for (let index = 0; index < 510; index += 1) await env.client.create(app(`a${index}`));
    await env.client.patch(App, 'a0', { metadata: { finalizers: ['example.com/x'] } });
    expect(await env.client.deleteAll(App, { namespace: 'default' })).toHaveLength(510);
    expect(names(await env.client.list(App))).toEqual(['a0']);
  });
});

test('a client watches metadata alone, from the present state on', async () => {
  await using env = await appCluster();
  await env.client.create(app('a'));
  const seen: string[] = [];
  const changes = env.client.watch(App, { metadataOnly: true, sendInitialEvents: true });
  for await (const change of changes) {
    if (change.type === 'BOOKMARK') {
      seen.push('bookmark');
      if (change.initialEventsEnd) await env.client.patch(App, 'a', { spec: { replicas: 2 } });
      continue;
    }
    seen.push(`${change.type} ${change.object.kind} ${'spec' in change.object}`);
    if (change.type === 'MODIFIED') break;
  }
  expect(seen).toEqual(['ADDED App false', 'bookmark', 'MODIFIED App false']);
});
