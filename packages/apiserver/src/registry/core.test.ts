// Where objects stand, how large one may be, and how long Events last.
import { describe, expect, test } from 'vitest';
import { builtinResources, plainlyServed, type Served } from '../kinds/index.ts';
import { etcdKey, keyOf, prefixOf } from './core.ts';
import {
  configMap,
  refusal,
  RegistryUnderTest,
  thing,
  things,
  withThings,
} from './registry-under-test.test-support.ts';

function served(plural: string): Served {
  const found = builtinResources().find((one) => one.plural === plural);
  if (found === undefined) throw new Error(plural);
  return plainlyServed(found);
}

describe('keys', () => {
  test.each([
    ['configmaps', 'n/a', 'n/'],
    ['namespaces', 'a', ''],
  ])('of %s', (plural, key, prefix) => {
    expect(keyOf(served(plural), 'n', 'a')).toBe(key);
    expect(prefixOf(served(plural), 'n')).toBe(prefix);
    expect(prefixOf(served(plural), undefined)).toBe('');
  });

  test.each([
    ['configmaps', '/registry/configmaps/n/a'],
    ['services', '/registry/services/specs/n/a'],
    ['nodes', '/registry/minions/a'],
    ['customresourcedefinitions', '/registry/apiextensions.k8s.io/customresourcedefinitions/a'],
  ])('of %s in etcd', (plural, key) => {
    expect(etcdKey(served(plural), 'n', 'a')).toBe(key);
  });
});

test('an object that etcd would not take is refused, and the store is as it was', async () => {
  const api = await withThings();
  const sized = (length: number) => thing('a', { spec: { note: 'x'.repeat(length) } });
  expect(await refusal(api.create('things', sized(1_600_000), things))).toMatchObject({
    code: 500,
    message: 'etcdserver: request is too large',
  });
  expect(api.changes).toEqual([]);
  await api.create('things', sized(1_500_000), things);
});

test('a store that is full refuses what is new, and takes what is less', async () => {
  const { characters } = new RegistryUnderTest().registry.usage();
  const api = new RegistryUnderTest({ limits: { maxStored: characters + 20_000 } });
  const large = { k: 'x'.repeat(15_000) };
  await api.create('configmaps', configMap('a', { data: large }));
  const refused = await refusal(api.create('configmaps', configMap('b', { data: large })));
  expect(refused.code).toBe(500);
  expect(refused.message).toContain('database space exceeded');
  await api.update('configmaps', configMap('a', { data: { k: '' } }));
  expect((await api.create('configmaps', configMap('b', { data: large }))).metadata.name).toBe('b');
});

test('an Event is gone an hour after it was last written', async () => {
  const api = new RegistryUnderTest();
  const involvedObject = { kind: 'ConfigMap', namespace: 'default', name: 'a' };
  const event = { apiVersion: 'v1', kind: 'Event', metadata: { name: 'e' }, involvedObject, reason: 'R', message: 'm' };
  await api.create('events', event);
  await api.clock.advance(3_599_000);
  await api.patch('events', 'e', { body: { count: 2 } });
  await api.clock.advance(3_599_999);
  expect((await api.get('events', 'e'))['count']).toBe(2);
  await api.clock.advance(1);
  expect(await refusal(api.get('events', 'e'))).toMatchObject({ code: 404 });
  expect(api.clock.pending).toBe(0);
});
