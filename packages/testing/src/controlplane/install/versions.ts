/** The three sources a control plane is built from, each at one version. */
export interface Versions {
  readonly kubernetes: string;
  readonly etcd: string;
  readonly kwok: string;
}

/** What `kube:install` installs. The checksums of these very versions are in checksums.gen.ts: change both. */
export const pinnedVersions: Versions = { kubernetes: 'v1.36.3', etcd: 'v3.6.8', kwok: 'v0.8.0' };

export type Source = keyof Versions;

/** What is wrong with versions given by hand; undefined when nothing is. */
export function versionsProblem(versions: Versions): string | undefined {
  const wrong = Object.entries(versions).find(([, version]) => !/^v\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version)));
  return wrong === undefined ? undefined : `${wrong[0]} is ${JSON.stringify(wrong[1])}: give a version like v1.36.3`;
}

export type BinaryName = 'etcd' | 'kube-apiserver' | 'kubectl' | 'kube-controller-manager' | 'kube-scheduler' | 'kwok';

/** In the order they are built: what an API server needs comes first, so that an interrupted installation is usable. */
export const binaryNames: readonly BinaryName[] = [
  'etcd',
  'kube-apiserver',
  'kubectl',
  'kube-controller-manager',
  'kube-scheduler',
  'kwok',
];
