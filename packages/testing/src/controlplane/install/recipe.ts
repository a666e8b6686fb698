import type { BinaryName, Source, Versions } from './versions.ts';

/** How one binary is built, and how it says which version it is. */
export interface Recipe {
  readonly source: Source;
  /** The main package. */
  readonly package: string;
  /** Arguments that make it print its version and end. */
  readonly versionArguments: readonly string[];
  /** The version in what it prints then, with its `v`. */
  versionIn(output: string): string | undefined;
}

const ofKubernetes = {
  source: 'kubernetes',
  versionArguments: ['--version'],
  versionIn: (output: string) => /^Kubernetes (v\S+)/m.exec(output)?.[1],
} as const;

export const recipes: Readonly<Record<BinaryName, Recipe>> = {
  etcd: {
    source: 'etcd',
    package: 'go.etcd.io/etcd/server/v3',
    versionArguments: ['--version'],
    versionIn: (output) => prefixed(/^etcd Version: (\S+)/m.exec(output)?.[1]),
  },
  'kube-apiserver': { ...ofKubernetes, package: 'k8s.io/kubernetes/cmd/kube-apiserver' },
  kubectl: {
    source: 'kubernetes',
    package: 'k8s.io/kubernetes/cmd/kubectl',
    versionArguments: ['version', '--client'],
    versionIn: (output) => /^Client Version: (v\S+)/m.exec(output)?.[1],
  },
  'kube-controller-manager': { ...ofKubernetes, package: 'k8s.io/kubernetes/cmd/kube-controller-manager' },
  'kube-scheduler': { ...ofKubernetes, package: 'k8s.io/kubernetes/cmd/kube-scheduler' },
  kwok: {
    source: 'kwok',
    package: 'sigs.k8s.io/kwok/cmd/kwok',
    versionArguments: ['--version'],
    versionIn: (output) => prefixed(/^kwok version (\S+)/m.exec(output)?.[1]),
  },
};

function prefixed(version: string | undefined): string | undefined {
  return version === undefined || version.startsWith('v') ? version : `v${version}`;
}

/** Without these every version check sees v0.0.0; the date is fixed so that the same sources give the same bytes. */
function versionSettings(version: string): readonly string[] {
  const [major = '', minor = ''] = version.slice(1).split('.');
  const values = {
    gitVersion: version,
    gitMajor: major,
    gitMinor: minor,
    gitCommit: 'published-module',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
  };
  return ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'].flatMap((path) =>
    Object.entries(values).map(([name, value]) => `-X ${path}.${name}=${value}`),
  );
}

/** -s -w leaves out what only a debugger reads: a third of the size. */
export function linkerFlags(source: Source, versions: Versions): string {
  return ['-s', '-w', ...(source === 'kubernetes' ? versionSettings(versions.kubernetes) : [])].join(' ');
}

/** The arguments of `go` that build a binary into a file. */
export function buildArguments(name: BinaryName, versions: Versions, output: string): string[] {
  const { source, package: main } = recipes[name];
  // -v names each package as it is compiled: the only sign of life in minutes of work.
  return ['build', '-v', '-trimpath', '-buildvcs=false', '-ldflags', linkerFlags(source, versions), '-o', output, main];
}
