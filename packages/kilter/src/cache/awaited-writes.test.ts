import { expect, test } from 'vitest';
import { AwaitedWrites, type AwaitedWrite } from './awaited-writes.ts';

function awaiting() {
  const state = { progress: undefined as string | undefined };
  const writes = new AwaitedWrites({ held: () => undefined, progress: () => state.progress });
  const expectVersion = (key: string, resourceVersion: string, uid = 'u'): AwaitedWrite => {
    writes.expectVersion({ key, namespace: 'default', uid, resourceVersion, madeFor: undefined });
    return writes.outstanding({ key }).at(-1) as AwaitedWrite;
  };
  const versions = (key?: string): string[] =>
    writes.outstanding({ key }).map(({ resourceVersion }) => resourceVersion);
  return { writes, state, expectVersion, versions };
}

test('of several writes of an object nobody waits for, the newest stands for all', () => {
  const { expectVersion, versions } = awaiting();
  expectVersion('default/a', '5');
  expectVersion('default/a', '6');
  expect(versions('default/a')).toEqual(['6']);
  expectVersion('default/a', '7', 'another object');
  expect(versions('default/a')).toEqual(['6', '7']);
});

test('one that somebody waits for stays, and ends with its own version', async () => {
  const { writes, state, expectVersion, versions } = awaiting();
  const first = expectVersion('default/a', '5');
  const arrived: string[] = [];
  const wait = writes.arrival(first).then(() => arrived.push('5'));
  expectVersion('default/a', '6');
  expect(versions()).toEqual(['5', '6']);
  state.progress = '5';
  writes.progressed();
  await wait;
  expect(arrived).toEqual(['5']);
  expect(versions()).toEqual(['6']);
});

test('those that arrived unnoticed are swept out once there are 64 keys, and those that did not stay', () => {
  const { writes, state, expectVersion } = awaiting();
  const given = Array.from({ length: 64 }, (_, i) => expectVersion(`default/k${i}`, String(i)));
  expect(given.every((write) => writes.isOutstanding(write))).toBe(true);
  state.progress = '61';
  expectVersion('default/one-more', '100');
  expect(given.filter((write) => writes.isOutstanding(write)).map(({ key }) => key)).toEqual([
    'default/k62',
    'default/k63',
  ]);
});

test('a version that has arrived, or a newer one, is not waited for', () => {
  const { state, expectVersion, versions } = awaiting();
  state.progress = '5';
  for (const version of ['4', '5']) expectVersion('default/a', version);
  expect(versions()).toEqual([]);
  expectVersion('default/a', '6');
  expect(versions()).toEqual(['6']);
});

test('and again once there are twice as many keys as stayed', () => {
  const { writes, state, expectVersion } = awaiting();
  const given = Array.from({ length: 64 }, (_, i) => expectVersion(`default/k${i}`, String(i)));
  state.progress = '13';
  const more = [expectVersion('default/m0', '1000')];
  expect(given.filter((write) => writes.isOutstanding(write))).toHaveLength(50);
  // 50 stayed, so 100 are taken in before anybody looks again.
  for (let i = 1; i < 50; i += 1) more.push(expectVersion(`default/m${i}`, String(1000 + i)));
  state.progress = '63';
  expect(given.filter((write) => writes.isOutstanding(write))).toHaveLength(50);
  expectVersion('default/last', '2000');
  expect(given.filter((write) => writes.isOutstanding(write))).toEqual([]);
  expect(more.every((write) => writes.isOutstanding(write))).toBe(true);
});

test('a question is answered with the answered writes in its scope: of a key, of a namespace, of the run it was made for', () => {
  const writes = new AwaitedWrites({ held: () => undefined, progress: () => undefined });
  const given = [
    { key: 'n/a', namespace: 'n', madeFor: 'run 1' },
    { key: 'n/b', namespace: 'n', madeFor: 'run 2' },
    { key: 'm/a', namespace: 'm', madeFor: 'run 1' },
    { key: 'm/c', namespace: 'm', madeFor: undefined },
  ];
  for (const one of given) writes.expectVersion({ ...one, uid: 'u', resourceVersion: '5' });
  const keys = (scope: Parameters<AwaitedWrites['outstanding']>[0]): string[] =>
    writes.outstanding(scope).map(({ key }) => key);
  expect(keys({})).toEqual(['n/a', 'n/b', 'm/a', 'm/c']);
  expect(keys({ key: 'n/b' })).toEqual(['n/b']);
  expect(keys({ namespace: 'm' })).toEqual(['m/a', 'm/c']);
  expect(keys({ madeFor: 'run 1' })).toEqual(['n/a', 'm/a']);
  expect(keys({ madeFor: 'run 1', namespace: 'n' })).toEqual(['n/a']);
  expect(keys({ key: 'n/a', madeFor: 'run 2' })).toEqual([]);
});

test('one that has arrived is kept no longer than until somebody looks', () => {
  const { writes, state, expectVersion, versions } = awaiting();
  const write = expectVersion('default/a', '5');
  state.progress = '5';
  expect(writes.isOutstanding(write)).toBe(true);
  expect(versions()).toEqual([]);
  expect(writes.isOutstanding(write)).toBe(false);
});
