import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Growth, inWords, type Need, shortage, spaceNeeded, volumeOf } from './disk-space.ts';
import { spaceError } from './go-error.ts';
import { binaryNames } from './versions.ts';

const folders = { binaries: '/bin', buildCache: '/build', moduleCache: '/mod' };
const giga = 1024 ** 3;

function needsOf(growth: Partial<Growth>): Record<string, number> {
  const needs = spaceNeeded({ missing: binaryNames, downloaded: false, compiled: false, folders, ...growth });
  return Object.fromEntries(needs.map(({ folder, bytes }) => [folder, bytes]));
}

describe('spaceNeeded', () => {
  test('a first build downloads, compiles and links', () => {
    const needs = needsOf({});
    expect(Object.keys(needs)).toEqual(['/bin', '/build', '/mod']);
    const total = Object.values(needs).reduce((sum, bytes) => sum + bytes, 0);
    expect(total).toBeGreaterThan(4 * giga);
    expect(total).toBeLessThan(8 * giga);
  });

  test('a later one downloads nothing and compiles little', () => {
    const first = needsOf({});
    const later = needsOf({ downloaded: true, compiled: true });
    expect(Object.keys(later)).toEqual(['/bin', '/build']);
    expect(later['/build']).toBeLessThan((first['/build'] ?? 0) / 4);
    expect(later['/bin']).toBeLessThan(giga);
  });

  test('with an empty build cache everything is compiled, though nothing is downloaded', () => {
    expect(needsOf({ downloaded: true })['/build']).toBe(needsOf({})['/build']);
  });

  test('nothing for nothing, less for less', () => {
    expect(needsOf({ missing: [] })).toEqual({});
    expect(needsOf({ missing: ['etcd'] })['/bin']).toBeLessThan(needsOf({})['/bin'] ?? 0);
  });
});

describe('shortage', () => {
  const needs: Need[] = [
    { folder: '/bin', bytes: 2 * giga, variable: 'XDG_CACHE_HOME' },
    { folder: '/build', bytes: giga, variable: 'GOCACHE' },
  ];

  test('folders on one disk need their sum, on two each its own', () => {
    const one = (free: number) => shortage(needs, () => ({ id: 'a', free }));
    expect(one(3 * giga)).toBeUndefined();
    expect(one(3 * giga - 1)).toEqual({ needs, bytes: 3 * giga, free: 3 * giga - 1 });
    expect(shortage(needs, (folder) => ({ id: folder, free: 2 * giga }))).toBeUndefined();
    expect(shortage(needs, (folder) => ({ id: folder, free: giga }))?.needs).toEqual([needs[0]]);
  });

  test('the error says how much, where, and how to go elsewhere', () => {
    const { code, message } = spaceError({ needs, bytes: 3 * giga, free: 0.5 * giga });
    expect(code).toBe('TESTING_DISK_FULL');
    expect(message).toContain(
      '3.0 GiB of free space are needed, but only 512 MiB are available: 2.0 GiB in /bin (XDG_CACHE_HOME), 1.0 GiB in /build (GOCACHE)',
    );
    expect(message).toContain('setting the variable in parentheses');
  });

  test('a folder that is not there yet has the space of the one it will be in', () => {
    const folder = join(tmpdir(), 'kilter-not-there', 'deep');
    expect(existsSync(folder)).toBe(false);
    const { bsize, blocks } = statfsSync(tmpdir());
    const found = volumeOf(folder);
    expect(found.id).toBe(volumeOf(tmpdir()).id);
    expect(found.free).toBeGreaterThan(0);
    expect(found.free).toBeLessThanOrEqual(bsize * blocks);
  });
});

test.each([
  [0, '0 MiB'],
  [1, '1 MiB'],
  [giga - 1, '1024 MiB'],
  [1.5 * giga, '1.5 GiB'],
])('%d bytes are %s', (bytes, words) => {
  expect(inWords(bytes)).toBe(words);
});
