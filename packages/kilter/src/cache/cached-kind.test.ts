import { describe, expect, test } from 'vitest';
import { isIncomplete, kind, type KubeObject } from '../api/index.ts';
import { at, codeOf, follow, rejection, startedCache, testCache } from './cache.test-support.ts';
import { cached } from './cached-kind.ts';
import { ModelServer, Thing, thing } from './model-server.test-support.ts';

const Other = kind<KubeObject>({
  group: 'example.com',
  version: 'v1',
  kind: 'Other',
  plural: 'others',
  scope: 'Namespaced',
});

describe('RF-19: a transform', () => {
  test('runs once per object that arrives, before the store; resyncs and vanished objects are not transformed again', async () => {
    const server = new ModelServer();
    server.put(thing('a', { size: 7 }));
    const calls: string[] = [];
    const transform = (object: Thing): void => {
      calls.push(`${object.metadata.name} ${object.spec?.size}`);
      expect(object).toMatchObject({ apiVersion: 'example.com/v1', kind: 'Thing' });
      delete object.spec;
    };
    const given = await startedCache(server, { kinds: [cached(Thing, { transform })], resync: '1m' });
    expect(given.cache.view.get(Thing, at('a')).spec).toBeUndefined();
    expect(calls).toEqual(['a 7']);
    await given.clock.advance(120_000);
    server.put(thing('a', { size: 8 }));
    await given.clock.settle();
    expect(calls).toEqual(['a 7', 'a 8']);
    // A gap: what vanished in it is told from what is held.
    server.silent = true;
    server.remove('default/a');
    server.compact();
    server.silent = false;
    server.close();
    await given.clock.advance(60_000);
    expect(given.cache.view.find(Thing, at('a'))).toBeUndefined();
    expect(calls).toEqual(['a 7', 'a 8']);
    await given.cache.stop();
  });

  test('may return another object; managedFields are neither shown nor lost', async () => {
    const server = new ModelServer();
    const managedFields = [
      { manager: 'me', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} },
    ];
    const given = thing('a');
    server.put({ ...given, metadata: { ...given.metadata, managedFields } } as Thing);
    const transform = ({ apiVersion, kind: name, metadata }: Thing): Thing => {
      expect(metadata.managedFields).toBeUndefined();
      return { apiVersion, kind: name, metadata, spec: { node: 'n' } };
    };
    const { cache } = await startedCache(server, { kinds: [cached(Thing, { transform })], ownManager: () => true });
    expect(cache.view.get(Thing, at('a')).spec).toEqual({ node: 'n' });
    expect(cache.informer({ kind: Thing }).managedFieldsOf('default/a')).toMatchObject(managedFields);
    await cache.stop();
  });

  test.each([
    [
      'throws',
      () => {
        throw new RangeError('too much');
      },
      'the transform failed: too much',
    ],
    [
      'throws what has no text',
      () => {
        throw Object.create(null);
      },
      'the transform failed: a thrown object',
    ],
    [
      'is async',
      (() => Promise.reject(new Error('unheard'))) as never,
      'the transform returned a promise: it must not be async',
    ],
    ['returns rubbish', () => 7 as unknown as Thing, 'is not an object with metadata'],
    [
      'changes the name',
      (object: Thing) => {
        object.metadata.name = 'b';
      },
      'the transform changed metadata.name',
    ],
    [
      'takes the version',
      (object: Thing) => {
        delete object.metadata.resourceVersion;
      },
      'changed metadata.resourceVersion',
    ],
  ])('that %s affects that object only', async (_, bad: (object: Thing) => Thing | void, told) => {
    const server = new ModelServer();
    for (const name of ['a', 'bad', 'c']) server.put(thing(name));
    const transform = (object: Thing): Thing | void => (object.metadata.name === 'bad' ? bad(object) : undefined);
    const { cache, clock, lines } = await startedCache(server, { kinds: [cached(Thing, { transform })] });
    expect(cache.view.list(Thing).map(({ metadata }) => metadata.name)).toEqual(['a', 'c']);
    const seen = follow(cache.informer({ kind: Thing }));
    server.put(thing('bad', { size: 2 }));
    server.put(thing('c', { size: 2 }));
    server.remove('default/bad');
    await clock.settle();
    expect(seen.slice(2)).toEqual(['update default/c@105', 'delete default/bad@106 finalStateUnknown']);
    expect(lines.filter(({ fields }) => JSON.stringify(fields).includes(told))).not.toHaveLength(0);
    await cache.stop();
  });

  test('is not called for what is cached as metadata only', async () => {
    const server = new ModelServer();
    server.put(thing('a'));
    const transform = (): never => {
      throw new Error('called');
    };
    const declare = [{ kind: Thing, metadataOnly: true }];
    const { cache } = await startedCache(server, { kinds: [cached(Thing, { transform })], declare });
    expect(cache.view.list(Thing, { metadataOnly: true })).toHaveLength(1);
    await cache.stop();
  });
});

test('CA-14: an object whose fields were left out is known as incomplete', async () => {
  const server = new ModelServer();
  server.put(thing('a'));
  const { cache } = await startedCache(server, { kinds: [cached(Thing, { keep: ['spec.node'] })] });
  expect(isIncomplete(cache.view.get(Thing, at('a')))).toBe(true);
  await cache.stop();
  const whole = await startedCache(server);
  expect(isIncomplete(whole.cache.view.get(Thing, at('a')))).toBe(false);
  await whole.cache.stop();
});

describe('CA-15: the policy of a kind and a namespace', () => {
  const read = (name: string, namespace: string) => at(name, namespace);

  test('what is said of the kind wins over the namespace, both over the operator', async () => {
    const server = new ModelServer();
    server.put(thing('a', { namespace: 'far' }));
    const declare = [{ kind: Thing, namespaces: ['default'] }];
    const kinds = [cached(Thing, { policyIn: { far: 'adhoc', away: 'extend' } })];
    const { cache, client } = await startedCache(server, { declare, kinds, policyIn: { open: 'adhoc' } });
    expect(await client.find(Thing, read('a', 'far'))).toMatchObject({ metadata: { name: 'a' } });
    expect(await rejection(client.find(Thing, read('a', 'else')))).toMatchObject({ code: 'CACHE_KIND_UNDECLARED' });
    expect(await client.find(Thing, read('a', 'open'))).toBeUndefined();
    expect(await client.find(Thing, read('a', 'away'))).toBeUndefined();
    expect(server.open().map(({ options }) => options.namespace)).toEqual(['default', 'away']);
    await cache.stop();
  });

  test('a kind of its own policy leaves the others as they are', async () => {
    const { cache, client } = await startedCache(new ModelServer(), {
      kinds: [cached(Other, { policy: 'adhoc' })],
      declare: [],
    });
    expect(await client.find(Other, at('a'))).toBeUndefined();
    expect(await rejection(client.find(Thing, at('a')))).toMatchObject({ code: 'CACHE_KIND_UNDECLARED' });
    await cache.stop();
  });

  test('a kind is spoken of once', () => {
    const kinds = [cached(Thing, {}), cached(Thing, { policy: 'adhoc' })];
    expect(codeOf(() => testCache({ kinds }))).toBe('CACHE_OPTION_INVALID');
  });
});

describe('CA-16: under the policy strict nothing is written where nothing is watched', () => {
  test.each([
    ['create', { namespaces: ['default'] }, 'CACHE_WRITE_OUTSIDE'],
    ['update', { namespaces: ['default'] }, 'CACHE_WRITE_OUTSIDE'],
    ['delete', { namespaces: ['default'] }, 'CACHE_WRITE_OUTSIDE'],
    ['create', { namespaces: ['default'], policy: 'adhoc' as const }, 'sent'],
    ['create', { namespaces: ['default'], policyIn: { shop: 'adhoc' as const } }, 'sent'],
    ['create', {}, 'sent'],
    ['create', { declare: [{ kind: Thing, namespaces: ['default'] }] }, 'CACHE_WRITE_OUTSIDE'],
    ['create', { namespaces: ['default'], declare: [] }, 'CACHE_WRITE_OUTSIDE'],
    ['create', { namespaces: ['default'], declare: [{ kind: Thing, namespaces: ['shop'] }] }, 'sent'],
  ] as const)('%s with %j: %s', async (verb, options, outcome) => {
    const server = new ModelServer();
    const stored = server.put(thing('a', { namespace: 'shop' })) as Thing;
    const { cache, client } = await startedCache(server, options as object);
    const before = server.requests.length;
    const write = {
      create: () => client.create(stored),
      update: () => client.update(stored),
      delete: () => client.delete(stored),
    };
    const answer = await write[verb]().then(
      () => 'sent',
      (error: { code: string }) => error.code,
    );
    expect(answer).toBe(outcome);
    if (outcome !== 'sent') expect(server.requests).toHaveLength(before);
    await cache.stop();
  });

  test('an object that gets its name from the server is judged by its namespace', async () => {
    const { cache, client } = await startedCache(new ModelServer(), { namespaces: ['default'] });
    const unnamed = { ...thing('a', { namespace: 'shop' }), metadata: { namespace: 'shop', generateName: 'a-' } };
    expect(await rejection(client.create(unnamed as unknown as Thing))).toMatchObject({ code: 'CACHE_WRITE_OUTSIDE' });
    await cache.stop();
  });
});
