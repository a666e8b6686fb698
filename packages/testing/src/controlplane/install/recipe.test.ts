import { describe, expect, test } from 'vitest';
import { buildArguments, linkerFlags, recipes } from './recipe.ts';
import { goVersionNeeded, moduleFile } from './scratch-module.ts';
import { type BinaryName, binaryNames, pinnedVersions } from './versions.ts';

describe('scratch modules', () => {
  test('API-G2: Kubernetes is required as published, its 33 own modules are replaced by their published ones', () => {
    const text = moduleFile('kubernetes', pinnedVersions);
    expect(goVersionNeeded).toBe('1.26');
    expect(text).toContain('\ngo 1.26.0\n');
    expect(text).toContain('\nrequire k8s.io/kubernetes v1.36.3\n');
    const replaces = [...text.matchAll(/^\t(k8s\.io\/\S+) => (\S+) (\S+)$/gm)];
    expect(replaces).toHaveLength(33);
    expect(new Set(replaces.map((row) => row[1])).size).toBe(33);
    expect(replaces.every(([, from, to, version]) => from === to && version === 'v0.36.3')).toBe(true);
    for (const name of ['api', 'cri-streaming', 'externaljwt', 'streaming', 'sample-cli-plugin']) {
      expect(text).toContain(`k8s.io/${name} => k8s.io/${name} v0.36.3`);
    }
  });

  test('API-G3: etcd has a module of its own, at 3.6', () => {
    const text = moduleFile('etcd', pinnedVersions);
    expect(text).toBe('module kilter.local/etcd\n\ngo 1.26.0\n\nrequire go.etcd.io/etcd/server/v3 v3.6.8\n');
  });

  test('kwok has a module of its own', () => {
    expect(moduleFile('kwok', pinnedVersions)).toContain('require sigs.k8s.io/kwok v0.8.0\n');
    expect(moduleFile('kwok', pinnedVersions)).not.toContain('replace');
  });
});

describe('recipes', () => {
  test('API-G2: what is built, stripped of the paths of this machine', () => {
    const packages = binaryNames.map((name) => recipes[name].package);
    expect(packages).toEqual([
      'go.etcd.io/etcd/server/v3',
      'k8s.io/kubernetes/cmd/kube-apiserver',
      'k8s.io/kubernetes/cmd/kubectl',
      'k8s.io/kubernetes/cmd/kube-controller-manager',
      'k8s.io/kubernetes/cmd/kube-scheduler',
      'sigs.k8s.io/kwok/cmd/kwok',
    ]);
    const args = buildArguments('kubectl', pinnedVersions, '/there/kubectl');
    expect(args.slice(0, 3)).toEqual(['build', '-v', '-trimpath']);
    expect(args.slice(-3)).toEqual(['-o', '/there/kubectl', 'k8s.io/kubernetes/cmd/kubectl']);
  });

  test('API-G4: the version is said to the linker, with all that belongs to it', () => {
    const flags = linkerFlags('kubernetes', pinnedVersions);
    for (const path of ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version']) {
      expect(flags).toContain(`-X ${path}.gitVersion=v1.36.3 `);
      expect(flags).toContain(`-X ${path}.gitMajor=1 `);
      expect(flags).toContain(`-X ${path}.gitMinor=36 `);
      expect(flags).toContain(`-X ${path}.gitTreeState=clean `);
      expect(flags).toMatch(new RegExp(`-X ${path}\\.gitCommit=\\S+ `));
      expect(flags).toMatch(new RegExp(`-X ${path}\\.buildDate=\\d{4}-\\d\\d-\\d\\dT00:00:00Z( |$)`));
    }
    expect(linkerFlags('etcd', pinnedVersions)).toBe('-s -w');
  });

  test.each<[BinaryName, string, string | undefined]>([
    ['etcd', 'etcd Version: 3.6.8\nGit SHA: Not provided\nGo Version: go1.26.8\n', 'v3.6.8'],
    ['kube-apiserver', 'Kubernetes v1.36.3\n', 'v1.36.3'],
    ['kubectl', 'Client Version: v1.36.3\nKustomize Version: v5.8.1\n', 'v1.36.3'],
    ['kwok', 'kwok version v0.8.0 go1.26.8 (linux/amd64)\n', 'v0.8.0'],
    ['kwok', 'kwok version 0.8.0\n', 'v0.8.0'],
    ['kube-scheduler', 'usage: kube-scheduler\n', undefined],
    ['etcd', '', undefined],
  ])('%s says %j', (name, output, version) => {
    expect(recipes[name].versionIn(output)).toBe(version);
  });
});
