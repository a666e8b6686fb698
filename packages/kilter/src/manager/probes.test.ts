import { describe, expect, test } from 'vitest';
import { probe } from './probes.ts';

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
  ])('%s', (path, status, body) => {
    expect(at(path)).toEqual({ status, body });
  });
  test.each(['/', '/metrics', '/readyz/nope', '/readyz/ping/x'])('%s is not found', (path) => {
    expect(at(path)).toBeUndefined();
  });
});
