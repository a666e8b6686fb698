import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import type { WatchEvent } from '../calls/index.ts';
import {
  configMap,
  RegistryUnderTest,
  thing,
  thingDefinition,
  things,
  definitions,
  withThings,
} from './registry-under-test.test-support.ts';

/** The next events of a watch, as type and name. */
async function next(events: AsyncIterator<WatchEvent>, count: number): Promise<string[]> {
  const seen: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const { value, done } = await events.next();
    if (done === true) return [...seen, 'end'];
    const { type, object } = value as WatchEvent;
    const { name, resourceVersion } = (object['metadata'] ?? {}) as { name?: string; resourceVersion?: string };
    seen.push(`${type} ${name ?? resourceVersion ?? String((object as { reason?: string }).reason)}`);
  }
  return seen;
}

describe('API-W1: a watch', () => {
  test('tells what follows the version it names', async () => {
    const api = new RegistryUnderTest();
    const { metadata } = await api.create('configmaps', configMap('a'));
    const events = await api.watch('configmaps', { query: `resourceVersion=${metadata.resourceVersion}` });
    await api.patch('configmaps', 'a', { body: { data: { k: '1' } } });
    await api.create('configmaps', configMap('b'));
    await api.remove('configmaps', 'a');
    expect(await next(events, 3)).toEqual(['MODIFIED a', 'ADDED b', 'DELETED a']);
  });

  test('of a namespace tells of no other', async () => {
    const api = new RegistryUnderTest();
    await api.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } });
    const events = await api.watch('configmaps', { query: 'resourceVersion=0' });
    await api.create('configmaps', configMap('else'), { namespace: 'n' });
    await api.create('configmaps', configMap('here'));
    expect(await next(events, 1)).toEqual(['ADDED here']);
  });
});

test('API-W2: a watch without a version begins with what there is', async () => {
  const api = new RegistryUnderTest();
  await api.create('configmaps', configMap('b'));
  await api.create('configmaps', configMap('a'));
  const events = await api.watch('configmaps');
  await api.create('configmaps', configMap('c'));
  expect(await next(events, 3)).toEqual(['ADDED a', 'ADDED b', 'ADDED c']);
});

test('API-W3: a version that is forgotten is told inside the stream, which ends', async () => {
  const api = new RegistryUnderTest();
  const { metadata } = await api.create('configmaps', configMap('a'));
  await api.create('configmaps', configMap('b'));
  api.registry.compact();
  const events = await api.watch('configmaps', { query: `resourceVersion=${metadata.resourceVersion}` });
  expect(await next(events, 2)).toEqual(['ERROR Expired', 'end']);
});

test('API-W5: a watch ends with its timeout', async () => {
  const api = new RegistryUnderTest();
  const events = await api.watch('configmaps', { query: 'resourceVersion=0&timeoutSeconds=5' });
  const ended = next(events, 1);
  await api.clock.advance(5000);
  expect(await ended).toEqual(['end']);
});

describe('API-W6: a watch that lists first', () => {
  test('closes the list with a bookmark of its own', async () => {
    const api = new RegistryUnderTest();
    await api.create('configmaps', configMap('a'));
    const query = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const events = await api.watch('configmaps', { query });
    expect(await next(events, 1)).toEqual(['ADDED a']);
    const { value } = (await events.next()) as { value: WatchEvent };
    expect(value).toMatchObject({
      type: 'BOOKMARK',
      object: {
        kind: 'ConfigMap',
        apiVersion: 'v1',
        metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } },
      },
    });
  });

  test('of a version that never comes is told so', async () => {
    const api = new RegistryUnderTest();
    const query =
      'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=9999&allowWatchBookmarks=true';
    const opening = api.watch('configmaps', { query });
    await api.clock.advance(3000);
    expect(await next(await opening, 2)).toEqual(['ERROR Timeout', 'end']);
  });
});

describe('API-W7: what a selector makes of changes', () => {
  test('an object that begins to match is added, one that ends to is deleted', async () => {
    const api = new RegistryUnderTest();
    await api.create('configmaps', configMap('a'));
    const events = await api.watch('configmaps', { query: 'resourceVersion=0&labelSelector=on' });
    await api.patch('configmaps', 'a', { body: { metadata: { labels: { on: '1' } } } });
    await api.patch('configmaps', 'a', { body: { data: { k: '1' } } });
    await api.patch('configmaps', 'a', { body: { metadata: { labels: { on: null } } } });
    await api.patch('configmaps', 'a', { body: { data: { k: '2' } } });
    await api.patch('configmaps', 'a', { body: { metadata: { labels: { on: '1' } } } });
    expect(await next(events, 4)).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a', 'ADDED a']);
  });
});

describe('API-W10: a watch of custom resources ends', () => {
  test('when their definition changes', async () => {
    const api = await withThings();
    const events = await api.watch('things', things);
    const definition = await api.get('customresourcedefinitions', 'things.example.com', definitions);
    const [version] = (thingDefinition()['spec'] as { versions: JsonObject[] }).versions;
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const spec = { ...(definition['spec'] as JsonObject), versions: [{ ...version, schema }] };
    await api.update('customresourcedefinitions', { ...definition, spec }, definitions);
    expect(await next(events, 1)).toEqual(['end']);
  });

  test('when it is gone', async () => {
    const api = await withThings();
    await api.create('things', thing('a'), things);
    const events = await api.watch('things', things);
    await api.remove('customresourcedefinitions', 'things.example.com', definitions);
    expect(await next(events, 3)).toEqual(['ADDED a', 'DELETED a', 'end']);
  });
});
