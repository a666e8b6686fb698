import { describe, expect, test } from 'vitest';
import { executable, findLayout, goPlatform, installationName, type Machine, userCacheFolder } from './layout.ts';
import { pinnedVersions, versionsProblem } from './versions.ts';

function machine(platform: NodeJS.Platform, variables: Record<string, string> = {}, architecture = 'x64'): Machine {
  const home = platform === 'win32' ? 'C:\\Users\\ada' : '/home/ada';
  return { platform, architecture, environment: (name) => variables[name], home: () => home };
}

describe('the cache folder', () => {
  test.each([
    ['linux', {}, '/home/ada/.cache'],
    ['linux', { XDG_CACHE_HOME: '/big/cache' }, '/big/cache'],
    ['darwin', {}, '/home/ada/Library/Caches'],
    ['darwin', { XDG_CACHE_HOME: '/big/cache' }, '/big/cache'],
    ['win32', { LOCALAPPDATA: 'D:\\Local' }, 'D:\\Local'],
    ['win32', {}, 'C:\\Users\\ada\\AppData\\Local'],
    ['win32', { XDG_CACHE_HOME: 'E:\\cache', LOCALAPPDATA: 'D:\\Local' }, 'E:\\cache'],
  ] as const)('on %s with %j is %s', (platform, variables, folder) => {
    expect(userCacheFolder(machine(platform, variables))).toEqual({ value: folder });
  });

  test('must be absolute, and known', () => {
    expect(userCacheFolder(machine('linux', { XDG_CACHE_HOME: 'cache' })).problem).toContain(
      'XDG_CACHE_HOME is "cache"',
    );
    const homeless: Machine = {
      ...machine('linux'),
      home: () => {
        throw new Error('ENOENT');
      },
    };
    expect(userCacheFolder(homeless).problem).toContain('set XDG_CACHE_HOME');
    expect(findLayout({ machine: homeless }).problem).toContain('no home folder');
    // What `HOME= npm run …` leaves: the cache must not turn up in whatever folder is the current one.
    for (const home of ['', 'somewhere']) {
      const lost: Machine = { ...machine('linux'), home: () => home };
      expect(findLayout({ machine: lost }).problem).toBe(
        `the home folder is "${home}": set XDG_CACHE_HOME to a folder for caches`,
      );
    }
    expect(findLayout({ cacheFolder: 'here' }).problem).toContain('not an absolute path');
  });
});

describe('the folder of an installation', () => {
  test('API-G5: names all versions and the platform', () => {
    expect(installationName(pinnedVersions, { os: 'linux', architecture: 'amd64' })).toBe(
      'kubernetes-1.36.3-etcd-3.6.8-kwok-0.8.0-linux-amd64',
    );
  });

  test.each([
    ['linux', 'x64', { os: 'linux', architecture: 'amd64' }],
    ['darwin', 'arm64', { os: 'darwin', architecture: 'arm64' }],
    ['win32', 'x64', { os: 'windows', architecture: 'amd64' }],
    ['linux', 's390x', { os: 'linux', architecture: 's390x' }],
  ] as const)('for %s on %s', (platform, architecture, expected) => {
    expect(goPlatform(machine(platform, {}, architecture))).toEqual({ value: expected });
  });

  test('there is none for what Kubernetes is not built for', () => {
    expect(goPlatform(machine('aix', {}, 'ppc64')).problem).toBe('no control plane can be built for aix on ppc64');
    expect(goPlatform(machine('linux', {}, 'ia32')).problem).toContain('ia32');
    expect(findLayout({ machine: machine('linux', {}, 'mips') }).problem).toContain('mips');
  });

  test('executables end in .exe on Windows', () => {
    expect(executable('etcd', { os: 'windows' })).toBe('etcd.exe');
    expect(executable('etcd', { os: 'linux' })).toBe('etcd');
  });
});

test.each([
  ['v1.36.3', undefined],
  ['v1.37.0-rc.1', undefined],
  ['1.36.3', 'kubernetes is "1.36.3": give a version like v1.36.3'],
  ['v1.36', 'kubernetes is "v1.36": give a version like v1.36.3'],
  ['../v1.36.3', 'kubernetes is "../v1.36.3": give a version like v1.36.3'],
])('the version %s', (kubernetes, problem) => {
  expect(versionsProblem({ ...pinnedVersions, kubernetes })).toBe(problem);
});
