import { describe, expect, test } from 'vitest';
import {
  configMap,
  refusal,
  RegistryUnderTest,
  thing,
  things,
  withThings,
} from './registry-under-test.test-support.ts';

const names = (list: { items: readonly { metadata: { name: string } }[] }): string[] =>
  list.items.map(({ metadata }) => metadata.name);

async function filled(count = 5): Promise<RegistryUnderTest> {
  const api = new RegistryUnderTest();
  for (let index = 0; index < count; index += 1) {
    await api.create('configmaps', configMap(`c${index}`, { metadata: { labels: { odd: String(index % 2 === 1) } } }));
  }
  return api;
}

describe('API-L1: a list', () => {
  test('has its kind and version; items of built-in kinds leave theirs out', async () => {
    const api = await filled(1);
    const list = await api.list('configmaps');
    expect(list).toMatchObject({ kind: 'ConfigMapList', apiVersion: 'v1' });
    expect(list.items[0]).not.toHaveProperty('kind');
    const custom = await withThings();
    await custom.create('things', thing('a'), things);
    const listed = await custom.list('things', things);
    expect(listed).toMatchObject({ kind: 'ThingList', metadata: { continue: '' }, items: [{ kind: 'Thing' }] });
  });

  test('is in the order of names, by namespace', async () => {
    const api = new RegistryUnderTest();
    await api.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a-first' } });
    for (const [name, namespace] of [
      ['b', 'default'],
      ['a', 'default'],
      ['z', 'a-first'],
    ] as const) {
      await api.create('configmaps', configMap(name), { namespace });
    }
    expect(names(await api.list('configmaps', { namespace: undefined }))).toEqual([
      'z',
      'a',
      'b',
      'extension-apiserver-authentication',
    ]);
    expect(names(await api.list('configmaps'))).toEqual(['a', 'b']);
  });

  test('of nothing has no items, and the version of the store', async () => {
    const api = new RegistryUnderTest();
    const { metadata } = await api.create('namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'n' },
    });
    expect(await api.list('configmaps')).toMatchObject({
      items: [],
      metadata: { resourceVersion: metadata.resourceVersion },
    });
  });
});

describe('API-L5: pages', () => {
  test('are of one moment, and say how many remain', async () => {
    const api = await filled();
    const first = await api.list('configmaps', { query: 'limit=2' });
    expect(names(first)).toEqual(['c0', 'c1']);
    expect(first.metadata).toMatchObject({ remainingItemCount: 3 });
    await api.remove('configmaps', 'c2');
    await api.create('configmaps', configMap('c2-more'));
    const token = encodeURIComponent(first.metadata.continue);
    const second = await api.list('configmaps', { query: `limit=2&continue=${token}` });
    expect(names(second)).toEqual(['c2', 'c3']);
    expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    const third = await api.list('configmaps', {
      query: `limit=2&continue=${encodeURIComponent(second.metadata.continue)}`,
    });
    expect(names(third)).toEqual(['c4']);
    expect(third.metadata).not.toHaveProperty('continue');
    expect(third.metadata).not.toHaveProperty('remainingItemCount');
  });

  test('of a selection say nothing of what remains', async () => {
    const api = await filled();
    const first = await api.list('configmaps', { query: 'limit=1&labelSelector=odd%3Dtrue' });
    expect(names(first)).toEqual(['c1']);
    expect(first.metadata).toHaveProperty('continue');
    expect(first.metadata).not.toHaveProperty('remainingItemCount');
  });

  test('whose moment is forgotten are refused, with a token that goes on from now', async () => {
    const api = await filled();
    const first = await api.list('configmaps', { query: 'limit=2' });
    await api.create('configmaps', configMap('c9'));
    api.registry.compact();
    const query = `limit=9&continue=${encodeURIComponent(first.metadata.continue)}`;
    const error = (await api.list('configmaps', { query }).catch((reason: unknown) => reason)) as {
      code: number;
      status: { metadata: { continue: string }; reason: string };
    };
    expect(error).toMatchObject({ code: 410, status: { reason: 'Expired' } });
    const rest = await api.list('configmaps', {
      query: `continue=${encodeURIComponent(error.status.metadata.continue)}`,
    });
    expect(names(rest)).toEqual(['c2', 'c3', 'c4', 'c9']);
  });

  test.each([
    ['with a version', 'limit=1&resourceVersion=1', 'specifying resource version is not allowed when using continue'],
    ['that is not one', 'continue=garbage!', 'invalid continue token'],
  ])('a token %s is refused', async (_, query, message) => {
    const api = await filled();
    const { metadata } = await api.list('configmaps', { query: 'limit=1' });
    const token = query.includes('continue=') ? '' : `&continue=${encodeURIComponent(metadata.continue)}`;
    const refused = await refusal(api.list('configmaps', { query: query + token }));
    expect(refused.code).toBe(400);
    expect(refused.message).toContain(message);
  });
});

describe('API-L7: a list of a version', () => {
  test('exact: what was there then', async () => {
    const api = await filled(2);
    const { metadata } = await api.list('configmaps');
    await api.create('configmaps', configMap('later'));
    const query = `resourceVersion=${metadata.resourceVersion}`;
    expect(names(await api.list('configmaps', { query: `${query}&resourceVersionMatch=Exact` }))).toEqual(['c0', 'c1']);
    expect(names(await api.list('configmaps', { query: `${query}&limit=9` }))).toEqual(['c0', 'c1']);
    expect(names(await api.list('configmaps', { query: `${query}&resourceVersionMatch=NotOlderThan` }))).toEqual([
      'c0',
      'c1',
      'later',
    ]);
    expect(names(await api.list('configmaps', { query }))).toEqual(['c0', 'c1', 'later']);
  });

  test('exact, of a time that is forgotten, is refused', async () => {
    const api = await filled(2);
    const { metadata } = await api.list('configmaps');
    await api.create('configmaps', configMap('later'));
    api.registry.compact();
    const query = `resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=Exact`;
    expect(await refusal(api.list('configmaps', { query }))).toMatchObject({ code: 410, reason: 'Expired' });
  });

  test('0 is answered in one piece, whatever the limit', async () => {
    const api = await filled(3);
    expect(names(await api.list('configmaps', { query: 'resourceVersion=0&limit=1' }))).toHaveLength(3);
  });

  test('of the future is waited for', async () => {
    const api = await filled(1);
    const { metadata } = await api.list('configmaps');
    const next = Number(metadata.resourceVersion) + 1;
    const listing = api.list('configmaps', { query: `resourceVersion=${next}` });
    await api.clock.advance(1000);
    await api.create('configmaps', configMap('c1'));
    expect(names(await listing)).toEqual(['c0', 'c1']);
  });

  test('that never comes is refused after three seconds', async () => {
    const api = await filled(1);
    const listing = refusal(api.list('configmaps', { query: 'resourceVersion=9999' }));
    await api.clock.advance(2999);
    expect(api.clock.pending).toBeGreaterThan(0);
    await api.clock.advance(1);
    expect(await listing).toMatchObject({
      code: 504,
      reason: 'Timeout',
      message: expect.stringContaining('Too large resource version: 9999') as string,
    });
  });
});
