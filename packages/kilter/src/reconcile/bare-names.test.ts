import { describe, expect, test } from 'vitest';
import { kind, type KubeObject, type Ref } from '../api/index.ts';
import type { CacheView } from '../cache/index.ts';
import type { Reader } from '../client/index.ts';
import { cacheReader, homeOf, liveReader, qualified, readersOf } from './bare-names.ts';

const Box = kind<KubeObject>({ group: '', version: 'v1', kind: 'Box', plural: 'boxes', scope: 'Namespaced' });
const Node = kind<KubeObject>({ group: '', version: 'v1', kind: 'Node', plural: 'nodes', scope: 'Cluster' });

test('home is the namespace of the object, or nothing', () => {
  expect([homeOf({ name: 'x', namespace: 'n' }), homeOf({ name: 'x' })]).toEqual(['n', '']);
});

describe('RC-22: a name in a run', () => {
  test.each([
    ['a bare name', 'x', { name: 'x', namespace: 'home' }],
    ['a reference without a namespace', { name: 'x' }, { name: 'x', namespace: 'home' }],
    ['a reference with one', { name: 'x', namespace: 'other' }, { name: 'x', namespace: 'other' }],
  ] as const)('%s of something with a namespace', (_, ref, meant) => {
    expect(qualified(Box, ref, 'home')).toEqual(meant);
  });
  test('of something without a namespace stays as it is', () => {
    expect([qualified(Node, 'x', 'home'), qualified(Node, { name: 'x' }, '')]).toEqual(['x', { name: 'x' }]);
  });
  test.each([['x'], [{ name: 'x' }], [{ name: 'x', namespace: '' }]])(
    '%j is refused where nothing is shared',
    (ref) => {
      expect(() => qualified(Box, ref, '')).toThrow(
        expect.objectContaining({
          code: 'CLIENT_NAMESPACE_MISSING',
          message: expect.stringContaining('Box x is named without a namespace') as string,
        }),
      );
    },
  );
  test('that is missing altogether is not taken for the namespace', () => {
    expect(() => qualified(Box, undefined as unknown as Ref, '')).toThrow('without a namespace');
  });
});

describe('RC-22: the readers of a run', () => {
  /** Answers with what it was asked. */
  const echo =
    (name: string) =>
    (...args: unknown[]) => [name, ...args];
  const options = { labels: 'a=b' };

  test('from the server: names are qualified, options go on', async () => {
    const behind = { get: echo('get'), find: echo('find'), list: echo('list'), create: echo('create') };
    const live = liveReader(behind as unknown as Reader, 'home');
    const signal = { signal: new AbortController().signal };
    expect(await live.get(Box, 'x', signal)).toEqual(['get', Box, { name: 'x', namespace: 'home' }, signal]);
    expect(await live.find(Box, 'x', signal)).toEqual(['find', Box, { name: 'x', namespace: 'home' }, signal]);
    expect(live.list(Box, options as never)).toEqual(['list', Box, options]);
    expect(Object.keys(live)).toEqual(['get', 'find', 'list']);
    expect(Object.isFrozen(live)).toBe(true);
  });

  test('from the cache: the same, and the declared indexes', () => {
    const behind = { get: echo('get'), find: echo('find'), list: echo('list'), each: echo('each') };
    const cache = cacheReader(behind as unknown as CacheView, 'home');
    const ref = { name: 'x', namespace: 'home' };
    const copy = { copy: true } as never;
    expect(cache.get(Box, 'x', copy)).toEqual(['get', Box, ref, copy]);
    expect(cache.find(Box, 'x', copy)).toEqual(['find', Box, ref, copy]);
    expect(cache.list(Box, options as never)).toEqual(['list', Box, options]);
    expect(cache.each(Box, options as never)).toEqual(['each', Box, options]);
    const by = (of: typeof Box, index: string, key: string | undefined): unknown => cache.by(of, index as never, key);
    expect(by(Box, 'color', 'red')).toEqual(['list', Box, { fields: { color: 'red' } }]);
    expect(by(Box, 'color', undefined)).toEqual([]);
    expect(Object.isFrozen(cache)).toBe(true);
  });
});

test('runs of one namespace share their readers; those of namespaces that were used once are not kept for ever', () => {
  const environment = { live: {} as Reader, cache: {} as CacheView };
  const first = readersOf(environment, 'first');
  for (let n = 1; n < 1000; n += 1) readersOf(environment, `n${n}`);
  expect(readersOf(environment, 'first')).toBe(first);
  readersOf(environment, 'one too many');
  expect(readersOf(environment, 'first')).not.toBe(first);
});
