import type { TokenIssuer } from '../auth/index.ts';
import { jsonResponse, pageNotFound, type ServerResponse, textResponse } from './message.ts';

/** Clients compare it with their own. */
const version = {
  major: '1',
  minor: '36',
  emulationMajor: '1',
  emulationMinor: '36',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  gitVersion: 'v1.36.3',
  gitCommit: 'embedded',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: 'none',
  compiler: 'kilter',
  platform: `javascript/${process.platform}`,
};

export function versionPage(): ServerResponse {
  return jsonResponse(version, { status: 200 });
}

// What the real server does once after it has begun to listen: its probes and dashboards name these.
const hooks = [
  'start-apiserver-admission-initializer',
  'generic-apiserver-start-informers',
  'priority-and-fairness-config-consumer',
  'priority-and-fairness-filter',
  'storage-object-count-tracker-hook',
  'start-apiextensions-informers',
  'start-apiextensions-controllers',
  'crd-informer-synced',
  'start-system-namespaces-controller',
  'peer-endpoint-reconciler-controller',
  'start-cluster-authentication-info-controller',
  'start-kube-apiserver-identity-lease-controller',
  'start-kube-apiserver-identity-lease-garbage-collector',
  'storage-readiness',
  'start-legacy-token-tracking-controller',
  'start-service-ip-repair-controllers',
  'rbac/bootstrap-roles',
  'scheduling/bootstrap-system-priority-classes',
  'priority-and-fairness-config-producer',
  'bootstrap-controller',
  'start-kubernetes-service-cidr-controller',
  'start-kube-aggregator-informers',
  'apiservice-status-local-available-controller',
  'apiservice-status-remote-available-controller',
  'apiservice-registration-controller',
  'apiservice-discovery-controller',
  'kube-apiserver-autoregistration',
];
const lastHooks = ['apiservice-openapi-controller', 'apiservice-openapiv3-controller'];

const afterStart: readonly string[] = [
  ...hooks.map((hook) => `poststarthook/${hook}`),
  'autoregister-completion',
  ...lastHooks.map((hook) => `poststarthook/${hook}`),
];

/** What is said to be well: the server is one piece, so that it is as long as it answers. */
const checks: Readonly<Record<HealthPath, readonly string[]>> = {
  healthz: ['ping', 'log', 'loopback-serving-certificate', 'etcd', ...afterStart],
  livez: ['ping', 'log', 'loopback-serving-certificate', 'etcd', ...afterStart],
  readyz: ['ping', 'log', 'etcd', 'etcd-readiness', 'informer-sync', ...afterStart, 'shutdown'],
};

export type HealthPath = 'healthz' | 'livez' | 'readyz';

/** All checks of a path, or one of them by name. */
export function healthPage(path: HealthPath, one: string | undefined, query: URLSearchParams): ServerResponse {
  if (one !== undefined && !checks[path].includes(one)) return pageNotFound();
  const excluded = query.getAll('exclude');
  const lines = checks[path].map((name) => `[+]${name} ${excluded.includes(name) ? 'excluded: ok' : 'ok'}\n`);
  const text = one === undefined && query.has('verbose') ? `${lines.join('')}${path} check passed\n` : 'ok';
  return textResponse(text, { status: 200, headers: { 'x-content-type-options': 'nosniff' } });
}

const plainPaths = [
  '/.well-known/openid-configuration',
  '/api',
  '/api/v1',
  '/apis',
  '/apis/',
  '/metrics',
  '/openapi/v2',
  '/openapi/v3',
  '/openapi/v3/',
  '/openid/v1/jwks',
  '/version',
];

/** Every path somebody may look at, of groups as well. */
export function rootPage(groups: Iterable<string>): ServerResponse {
  const health = Object.entries(checks).flatMap(([path, names]) => [
    `/${path}`,
    ...names.map((name) => `/${path}/${name}`),
  ]);
  const paths = [...new Set([...plainPaths, ...health, ...groups])].toSorted();
  return jsonResponse({ paths }, { status: 200 });
}

const publicPage = { 'cache-control': 'public, max-age=3600' };

/** Where the keys are with which tokens of service accounts can be checked, and the keys themselves. */
export function openidPage(what: 'configuration' | 'keys', issuer: TokenIssuer, host: string): ServerResponse {
  if (what === 'configuration') return jsonResponse(issuer.configuration(host), { status: 200, headers: publicPage });
  const headers = { ...publicPage, 'content-type': 'application/jwk-set+json' };
  return jsonResponse({ keys: issuer.keySet().keys }, { status: 200, headers });
}

export function metricsPage(text: string): ServerResponse {
  return textResponse(text, { status: 200, headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' } });
}
