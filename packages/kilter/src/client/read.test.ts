import { describe, expect, test } from 'vitest';
import { type KubeObject } from '../api/index.ts';
import { hasCode, isExpired, isForbidden, isNotFound, isUnavailable } from '../errors/index.ts';
import { type Answer, failure, Node, refused, stored, WebApp, world } from './scripted-client.test-support.ts';

const item = (name: string): object => ({ metadata: { name, resourceVersion: '1' } });
const page = (names: readonly string[], token?: string): Answer => ({
  body: {
    kind: 'NodeList',
    metadata: { resourceVersion: '40', ...(token !== undefined && { continue: token }) },
    items: names.map(item),
  },
});
const namesOf = (objects: readonly KubeObject[]): string[] => objects.map(({ metadata }) => metadata.name);

describe('get and find', () => {
  test('an object by name in the default namespace, by reference, or without a namespace', async () => {
    const { client, seen } = world([{ body: stored }]);
    await client.get(WebApp, 'shop');
    await client.get(WebApp, { namespace: 'x', name: 'shop' });
    await client.get(Node, { namespace: 'ignored', name: 'n1' });
    expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /apis/example.com/v1/namespaces/mine/webapps/shop',
      'GET /apis/example.com/v1/namespaces/x/webapps/shop',
      'GET /api/v1/nodes/n1',
    ]);
  });

  test('apiVersion and kind are there also where the server left them out', async () => {
    const { client } = world([{ body: item('n1') }]);
    expect(await client.get(Node, 'n1')).toMatchObject({ apiVersion: 'v1', kind: 'Node' });
  });

  test('what is not there: `get` throws, `find` gives undefined', async () => {
    const { client } = world([refused(404, 'NotFound', { name: 'n1', kind: 'nodes' })]);
    expect(isNotFound(await failure(client.get(Node, 'n1')))).toBe(true);
    expect(await client.find(Node, 'n1')).toBeUndefined();
  });

  test.each<[string, Answer]>([
    ['in plain text', { status: 404, body: '404 page not found\n', type: 'text/plain' }],
    [
      'as a Status',
      {
        status: 404,
        body: {
          kind: 'Status',
          code: 404,
          reason: 'NotFound',
          message: 'the server could not find the requested resource',
        },
      },
    ],
  ])('a kind the server does not know (%s) is an error of `find` too, not a missing object', async (_, answer) => {
    const { client } = world([answer]);
    expect(isNotFound(await failure(client.find(Node, 'n1')))).toBe(true);
  });

  test('any other failure is thrown by `find`', async () => {
    const { client } = world([refused(403, 'Forbidden'), refused(500, 'InternalError')]);
    expect(isForbidden(await failure(client.find(Node, 'n1')))).toBe(true);
    expect(isUnavailable(await failure(client.find(Node, 'n1')))).toBe(true);
  });
});

describe('lists', () => {
  test('all pages in order, each asked for with the token before', async () => {
    const { client, seen } = world([page(['a', 'b'], 't1'), page(['c'], 't2'), page(['d'])]);
    expect(namesOf(await client.list(Node, { pageSize: 2 }))).toEqual(['a', 'b', 'c', 'd']);
    expect(seen.map(({ query }) => query)).toEqual([
      { limit: '2' },
      { limit: '2', continue: 't1' },
      { limit: '2', continue: 't2' },
    ]);
  });

  test('items have apiVersion and kind', async () => {
    const { client } = world([page(['a'])]);
    expect(await client.list(Node)).toEqual([
      { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a', resourceVersion: '1' } },
    ]);
  });

  test('all namespaces unless one is given', async () => {
    const { client, seen } = world([{ body: { items: null, metadata: {} } }]);
    expect(await client.list(WebApp)).toEqual([]);
    await client.list(WebApp, { namespace: 'x' });
    await client.list(Node, { namespace: 'ignored' });
    expect(seen.map(({ path }) => path)).toEqual([
      '/apis/example.com/v1/webapps',
      '/apis/example.com/v1/namespaces/x/webapps',
      '/api/v1/nodes',
    ]);
  });

  test('an expired token starts the list over: nothing of the broken one is used', async () => {
    const { client, seen } = world([page(['old'], 't1'), refused(410, 'Expired'), page(['a'], 't2'), page(['b'])]);
    expect(namesOf(await client.list(Node))).toEqual(['a', 'b']);
    expect(seen.map(({ query }) => query.continue)).toEqual([undefined, 't1', undefined, 't2']);
  });

  test('a list that expires again and again ends with the error', async () => {
    const { client, seen } = world([refused(410, 'Expired')]);
    expect(isExpired(await failure(client.list(Node)))).toBe(true);
    expect(seen).toHaveLength(4);
  });

  test('`listPage` gives one page, its version and the token of the next', async () => {
    const { client, seen } = world([page(['a'], 't1'), page(['b']), refused(410, 'Expired')]);
    expect(await client.listPage(Node)).toMatchObject({ resourceVersion: '40', continue: 't1' });
    expect(await client.listPage(Node, { continue: 't1' })).toMatchObject({ continue: undefined });
    expect(isExpired(await failure(client.listPage(Node, { continue: 't1' })))).toBe(true);
    expect(seen).toHaveLength(3);
  });

  test('`each` asks for the next page only when it is needed', async () => {
    const { client, seen } = world([page(['a', 'b'], 't1'), page(['c'])]);
    const names: string[] = [];
    for await (const node of client.each(Node)) {
      names.push(node.metadata.name);
      if (names.length === 2) break;
    }
    expect(names).toEqual(['a', 'b']);
    expect(seen).toHaveLength(1);
  });

  test('`each` ends with its signal, in the middle of a page too', async () => {
    const { client } = world([page(['a', 'b', 'c'])]);
    const stop = new AbortController();
    const names: string[] = [];
    const read = async (): Promise<void> => {
      for await (const node of client.each(Node, { signal: stop.signal })) {
        names.push(node.metadata.name);
        if (names.length === 2) stop.abort(new Error('enough'));
      }
    };
    expect(await failure(read())).toEqual(new Error('enough'));
    expect(names).toEqual(['a', 'b']);
  });

  test('`each` throws an expired token: what was handed out cannot be taken back', async () => {
    const { client } = world([page(['a'], 't1'), refused(410, 'Expired')]);
    const names: string[] = [];
    const read = async (): Promise<void> => {
      for await (const node of client.each(Node)) names.push(node.metadata.name);
    };
    expect(isExpired(await failure(read()))).toBe(true);
    expect(names).toEqual(['a']);
  });

  test('B-05: `each` goes on with the fresh token of the 410 only if it is told to', async () => {
    const expired: Answer = {
      status: 410,
      body: { kind: 'Status', code: 410, reason: 'Expired', message: 'too old', metadata: { continue: 'fresh' } },
    };
    const read = async (onExpired?: 'throw' | 'continue') => {
      const { client, seen } = world([page(['a'], 't1'), expired, page(['b'])]);
      const names: string[] = [];
      const error = await failure(
        (async () => {
          for await (const node of client.each(Node, { onExpired })) names.push(node.metadata.name);
        })(),
      );
      return { names, expired: isExpired(error), tokens: seen.map(({ query }) => query.continue) };
    };
    const thrown = { names: ['a'], expired: true, tokens: [undefined, 't1'] };
    expect([await read(), await read('throw')]).toEqual([thrown, thrown]);
    expect(await read('continue')).toEqual({ names: ['a', 'b'], expired: false, tokens: [undefined, 't1', 'fresh'] });
  });

  test('B-05: `list` never uses it, and `each` does not go round in circles', async () => {
    const expired = (token: string): Answer => ({
      status: 410,
      body: { kind: 'Status', code: 410, reason: 'Expired', message: 'too old', metadata: { continue: token } },
    });
    const listed = world([page(['old'], 't1'), expired('fresh'), page(['a'])]);
    expect(namesOf(await listed.client.list(Node))).toEqual(['a']);
    expect(listed.seen.map(({ query }) => query.continue)).toEqual([undefined, 't1', undefined]);
    const circling = world([page(['a'], 't1'), expired('t1')]);
    const each = async (): Promise<void> => {
      for await (const node of circling.client.each(Node, { onExpired: 'continue' })) void node;
    };
    expect(isExpired(await failure(each()))).toBe(true);
  });

  test('`limit` is the most there will be, over all pages', async () => {
    const { client, seen } = world([page(['a', 'b'], 't1'), page(['c', 'd'], 't2')]);
    expect(namesOf(await client.list(Node, { limit: 3, pageSize: 2 }))).toEqual(['a', 'b', 'c']);
    expect(seen.map(({ query }) => query.limit)).toEqual(['2', '1']);
    const exact = world([page(['a', 'b'], 't1')]);
    expect(namesOf(await exact.client.list(Node, { limit: 2 }))).toEqual(['a', 'b']);
    expect(exact.seen).toHaveLength(1);
  });

  test('metadata of one object is known by the kind of its object', async () => {
    const partial = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata: { name: 'a' } };
    const { client } = world([{ body: partial }]);
    expect(await client.get(WebApp, 'a', { metadataOnly: true })).toEqual({
      apiVersion: 'example.com/v1',
      kind: 'WebApp',
      metadata: { name: 'a' },
    });
  });

  test('metadata alone is known by the kind of its object', async () => {
    const partial = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata: { name: 'a' } };
    const { client } = world([{ body: { metadata: {}, items: [partial] } }]);
    expect(await client.list(WebApp, { metadataOnly: true })).toEqual([
      { apiVersion: 'example.com/v1', kind: 'WebApp', metadata: { name: 'a' } },
    ]);
  });

  test('an answer that is not a list is unexpected', async () => {
    const { client } = world([{ body: { items: 'none' } }]);
    expect(hasCode(await failure(client.list(Node)), 'CLIENT_UNEXPECTED_ANSWER')).toBe(true);
  });
});

test('disposing a client closes what it was given to close, and nothing else', async () => {
  let closed = 0;
  const close = (): Promise<void> => {
    closed += 1;
    return Promise.resolve();
  };
  await world([], { close }).client[Symbol.asyncDispose]();
  await world([]).client[Symbol.asyncDispose]();
  expect(closed).toBe(1);
});
