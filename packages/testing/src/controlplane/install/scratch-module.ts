import type { Source, Versions } from './versions.ts';

/** The Go release that Kubernetes 1.36 asks for. */
export const goVersionNeeded = '1.26';

// Modules of Kubernetes' own tree. Its replaces do not reach those who depend on it, so they are said again.
const stagingModules = [
  ...['api', 'apiextensions-apiserver', 'apimachinery', 'apiserver', 'cli-runtime', 'client-go', 'cloud-provider'],
  ...['cluster-bootstrap', 'code-generator', 'component-base', 'component-helpers', 'controller-manager', 'cri-api'],
  ...['cri-client', 'cri-streaming', 'csi-translation-lib', 'dynamic-resource-allocation', 'endpointslice'],
  ...['externaljwt', 'kms', 'kube-aggregator', 'kube-controller-manager', 'kube-proxy', 'kube-scheduler', 'kubectl'],
  ...['kubelet', 'metrics', 'mount-utils', 'pod-security-admission', 'sample-apiserver', 'sample-cli-plugin'],
  ...['sample-controller', 'streaming'],
];

const requiredModule: Readonly<Record<Source, string>> = {
  kubernetes: 'k8s.io/kubernetes',
  etcd: 'go.etcd.io/etcd/server/v3',
  kwok: 'sigs.k8s.io/kwok',
};

/** The module path and version a source comes from. */
export function publishedModule(
  source: Source,
  versions: Versions,
): { readonly path: string; readonly version: string } {
  return { path: requiredModule[source], version: versions[source] };
}

/** go.mod of the scratch module a source is built in. */
export function moduleFile(source: Source, versions: Versions): string {
  const { path, version } = publishedModule(source, versions);
  const lines = [`module kilter.local/${source}`, `go ${goVersionNeeded}.0`, `require ${path} ${version}`];
  if (source !== 'kubernetes') return `${lines.join('\n\n')}\n`;
  const staging = version.replace(/^v1\./, 'v0.');
  const replaces = stagingModules.map((name) => `\tk8s.io/${name} => k8s.io/${name} ${staging}`);
  return `${lines.join('\n\n')}\n\nreplace (\n${replaces.join('\n')}\n)\n`;
}
