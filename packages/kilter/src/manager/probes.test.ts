import { describe, expect, test } from 'vitest';
import { virtualRuntime } from '../internal/index.ts';
import { type Check, limited, probe } from './probes.ts';

const checks = new Map<string, () => string | undefined>([
  ['ping', () => undefined],
  ['caches', () => 'Pod is not synced'],
]);
const endpoints = { healthz: new Map([['ping', () => undefined]]), readyz: checks };
const at = (path: string) => probe(new URL(path, 'http://x'), endpoints);

describe('HZ-1: health and readiness', () => {
  test.each([
    ['/healthz', 200, 'ok'],
    ['/healthz/', 200, 'ok'],
    ['/healthz?verbose', 200, '[+]ping ok\nhealthz check passed\n'],
    ['/readyz', 500, '[+]ping ok\n[-]caches failed: reason withheld\nreadyz check failed\n'],
    ['/readyz?exclude=caches', 200, 'ok'],
    ['/readyz?exclude=caches&verbose=1', 200, '[+]ping ok\n[+]caches excluded: ok\nreadyz check passed\n'],
    [
      '/healthz?exclude=nope',
      200,
      '[+]ping ok\nwarn: some health checks cannot be excluded: no matches for "nope"\nhealthz check passed\n',
    ],
    ['/readyz/caches', 500, 'Pod is not synced\n'],
    ['/readyz/ping', 200, 'ok'],
  ])('%s', async (path, status, body) => {
    expect(await at(path)).toEqual({ status, body });
  });
  test.each(['/', '/metrics', '/readyz/nope', '/readyz/ping/x'])('%s is not found', async (path) => {
    expect(await at(path)).toBeUndefined();
  });
  test('several checks are excluded one by one; the aggregate never shows a reason, the single check does', async () => {
    const many = new Map<string, Check>([
      ['a', () => 'secret reason of a'],
      ['b', () => Promise.reject(new Error('secret reason of b'))],
      ['c', () => Promise.resolve(undefined)],
    ]);
    const ask = (path: string) => probe(new URL(path, 'http://x'), { livez: many });
    expect(await ask('/livez?exclude=a&exclude=b')).toEqual({ status: 200, body: 'ok' });
    const failed = await ask('/livez?exclude=a&verbose');
    expect(failed?.status).toBe(500);
    expect(failed?.body).toBe('[+]a excluded: ok\n[-]b failed: reason withheld\n[+]c ok\nlivez check failed\n');
    expect(await ask('/livez/b')).toEqual({ status: 500, body: 'secret reason of b\n' });
    expect(await ask('/livez/c')).toEqual({ status: 200, body: 'ok' });
  });
  test('a check that never answers fails after 10 s, and one that answers is what it was', async () => {
    const { clock } = virtualRuntime();
    const checks = new Map<string, Check>([
      ['stuck', limited(() => new Promise(() => undefined), clock)],
      ['well', limited(() => Promise.resolve(), clock)],
      ['bad', limited(() => 'no room', clock)],
    ]);
    const ask = (path: string) => probe(new URL(path, 'http://x'), { readyz: checks });
    expect(await ask('/readyz/well')).toEqual({ status: 200, body: 'ok' });
    expect(await ask('/readyz/bad')).toEqual({ status: 500, body: 'no room\n' });
    const asked = ask('/readyz/stuck');
    await clock.advance(10_000);
    expect(await asked).toEqual({ status: 500, body: 'no answer within 10 s\n' });
  });
  test('an endpoint without checks is there, and well', async () => {
    expect(await probe(new URL('/healthz', 'http://x'), { healthz: new Map() })).toEqual({ status: 200, body: 'ok' });
  });
});
