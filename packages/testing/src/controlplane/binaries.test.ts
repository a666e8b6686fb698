import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findBinaries } from './binaries.ts';
import { findLayout, type Layout, type Machine, thisMachine } from './install/layout.ts';
import { writeManifest } from './install/manifest.ts';
import { type BinaryName, binaryNames } from './install/versions.ts';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'kilter-binaries-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

function machine(variables: Record<string, string>): Machine {
  return { ...thisMachine, environment: (name) => variables[name] };
}

function put(directory: string, names: readonly string[]): void {
  mkdirSync(directory, { recursive: true });
  for (const name of names) writeFileSync(join(directory, name), 'binary', { mode: 0o755 });
}

function installed(cache: string, names: readonly BinaryName[] = binaryNames): { machine: Machine; layout: Layout } {
  const found = machine({ XDG_CACHE_HOME: cache });
  const { layout } = findLayout({ machine: found });
  if (layout === undefined) throw new Error('no layout');
  put(layout.binaries, names);
  const files = Object.fromEntries(names.map((name) => [name, { size: 6, sha256: 'ab' }]));
  writeFileSync(
    layout.manifest,
    writeManifest({ versions: layout.versions, platform: layout.platform, binaries: files }),
  );
  return { machine: found, layout };
}

describe.skipIf(process.platform === 'win32')('findBinaries where KUBEBUILDER_ASSETS is set', () => {
  test('API-G1: takes what is in that directory, of whatever version, and not what is installed', () => {
    const directory = folder();
    const cache = folder();
    installed(cache);
    put(directory, ['etcd', 'kube-apiserver', 'kubectl', 'kube-controller-manager']);
    const { binaries, missing } = findBinaries(machine({ KUBEBUILDER_ASSETS: directory, XDG_CACHE_HOME: cache }));
    expect(missing).toBeUndefined();
    expect(binaries).toEqual({
      directory,
      etcd: join(directory, 'etcd'),
      'kube-apiserver': join(directory, 'kube-apiserver'),
      kubectl: join(directory, 'kubectl'),
      'kube-controller-manager': join(directory, 'kube-controller-manager'),
    });
  });

  test.each([
    [['etcd'], 'no executable kube-apiserver in it'],
    [['kube-apiserver'], 'no executable etcd in it'],
    [['kubectl'], 'no executable etcd and no executable kube-apiserver in it'],
  ])('with only %j there, names each one that is missing, and the variable as the reason', (names, words) => {
    const directory = folder();
    put(directory, names);
    const { binaries, missing } = findBinaries(machine({ KUBEBUILDER_ASSETS: directory }));
    expect(binaries).toBeUndefined();
    expect(missing).toContain(`KUBEBUILDER_ASSETS names ${directory}, and there is ${words}`);
    expect(missing).toContain('unset it and call installControlPlane()');
  });

  test('a file that may not be run, a folder, a link to itself, a directory that is not there, a relative path: all missing', () => {
    const directory = folder();
    put(directory, ['etcd']);
    mkdirSync(join(directory, 'kube-apiserver'));
    const asFolder = findBinaries(machine({ KUBEBUILDER_ASSETS: directory }));
    expect(asFolder.missing).toContain('no executable kube-apiserver in it');
    chmodSync(join(directory, 'etcd'), 0o644);
    const notToRun = findBinaries(machine({ KUBEBUILDER_ASSETS: directory }));
    expect(notToRun.missing).toContain('no executable etcd');
    expect(findBinaries(machine({ KUBEBUILDER_ASSETS: join(directory, 'gone') })).missing).toContain(
      'no executable etcd',
    );
    put(directory, ['kubectl']);
    rmSync(join(directory, 'etcd'));
    symlinkSync('etcd', join(directory, 'etcd'));
    expect(findBinaries(machine({ KUBEBUILDER_ASSETS: directory })).missing).toContain('no executable etcd');
    expect(findBinaries(machine({ KUBEBUILDER_ASSETS: './bin' })).missing).toContain('"./bin", not an absolute path');
  });

  test('on Windows they end in .exe', () => {
    const directory = folder();
    put(directory, ['etcd', 'kube-apiserver']);
    const windows: Machine = { ...machine({ KUBEBUILDER_ASSETS: directory }), platform: 'win32' };
    expect(findBinaries(windows).missing).toContain(
      'no executable etcd.exe and no executable kube-apiserver.exe in it',
    );
    put(directory, ['etcd.exe', 'kube-apiserver.exe']);
    expect(findBinaries(windows).binaries?.etcd).toBe(join(directory, 'etcd.exe'));
  });
});

describe.skipIf(process.platform === 'win32')('findBinaries where it is not', () => {
  test('takes what is installed', () => {
    const { machine: here, layout } = installed(folder());
    const { binaries } = findBinaries(here);
    expect(binaries?.directory).toBe(layout.binaries);
    for (const name of binaryNames) expect(binaries?.[name]).toBe(layout.binary(name));
  });

  test('takes what is there of an installation that was ended after the API server', () => {
    const { machine: here, layout } = installed(folder(), ['etcd', 'kube-apiserver']);
    expect(findBinaries(here).binaries).toEqual({
      directory: layout.binaries,
      etcd: layout.binary('etcd'),
      'kube-apiserver': layout.binary('kube-apiserver'),
    });
  });

  test('says that nothing is installed, and what to do', () => {
    const cache = folder();
    const { missing } = findBinaries(machine({ XDG_CACHE_HOME: cache }));
    expect(missing).toContain(`Kubernetes v1.36.3 with etcd v3.6.8 is not in ${cache}`);
    expect(missing).toContain(
      'call installControlPlane() once, or in the repository of Kilter run `npm run kube:install`',
    );
    expect(missing).toContain('KUBEBUILDER_ASSETS');
    expect(missing).not.toContain('another version');
  });

  test('says that another version is there instead', () => {
    const cache = folder();
    put(join(cache, 'kilter', 'control-plane', 'kubernetes-1.35.0-etcd-3.5.0-kwok-0.7.0-linux-amd64', 'bin'), ['etcd']);
    const { missing } = findBinaries(machine({ XDG_CACHE_HOME: cache }));
    expect(missing).toContain(
      'there is kubernetes-1.35.0-etcd-3.5.0-kwok-0.7.0-linux-amd64, which is another version or platform',
    );
  });

  test('does not take files that the manifest does not know as they are', () => {
    const { machine: here, layout } = installed(folder());
    writeFileSync(layout.binary('etcd'), 'replaced by hand');
    expect(findBinaries(here).missing).toContain(
      `etcd in ${layout.binaries} cannot be run, or is not what was installed there`,
    );
    rmSync(layout.manifest);
    expect(findBinaries(here).missing).toContain('etcd, kube-apiserver, kubectl');
  });

  test('says why there is no cache folder', () => {
    expect(findBinaries(machine({ XDG_CACHE_HOME: 'cache' })).missing).toContain('XDG_CACHE_HOME is "cache"');
  });
});
