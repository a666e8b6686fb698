import { expect, test } from 'vitest';
import { testCache } from './cache.test-support.ts';
import { Thing } from './model-server.test-support.ts';
import { type CacheOptions, resolveCacheOptions } from './options.ts';

const given = { client: {}, runtime: {} } as unknown as CacheOptions;

test('defaults: strict, two minutes for a sync, ten seconds for an own write, ten hours between resyncs', () => {
  expect(resolveCacheOptions(given)).toMatchObject({
    syncTimeout: 120_000,
    waitTimeout: 10_000,
    resync: 36_000_000,
    namespaces: undefined,
  });
  expect(resolveCacheOptions(given).kinds.policyOf(Thing, 'default')).toBe('strict');
  expect(resolveCacheOptions(given).ownManager('anybody')).toBe(false);
  expect(resolveCacheOptions({ ...given, resync: false }).resync).toBeUndefined();
});

test.each(['syncTimeout', 'waitTimeout', 'resync'] as const)(
  '%s is any time above zero; another is refused with its name',
  (name) => {
    expect(resolveCacheOptions({ ...given, [name]: '1ms' })[name]).toBe(1);
    for (const wrong of ['0s', 'soon']) {
      expect(() => resolveCacheOptions({ ...given, [name]: wrong })).toThrow(
        expect.objectContaining({
          code: 'CACHE_OPTION_INVALID',
          message: expect.stringContaining(`cache.${name} is "${wrong}"`),
        }),
      );
    }
  },
);

test('an unknown policy is refused', () => {
  expect(() => testCache({ policy: 'lazy' as never })).toThrow(
    expect.objectContaining({
      code: 'CACHE_OPTION_INVALID',
      message: expect.stringContaining('not one of strict, adhoc, extend'),
    }),
  );
});
