import { jsonResponse, pageNotFound, type ServerResponse, textResponse } from './message.ts';

/** Clients compare it with their own. */
const version = {
  major: '1',
  minor: '36',
  gitVersion: 'v1.36.3',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: 'kilter',
  platform: 'javascript/any',
};

export function versionPage(): ServerResponse {
  return jsonResponse(version, { status: 200 });
}

/** What is said to be well: the server is one piece, so that it is as long as it answers. */
const checks: Readonly<Record<HealthPath, readonly string[]>> = {
  healthz: ['ping', 'log', 'etcd'],
  livez: ['ping', 'log', 'etcd'],
  readyz: ['ping', 'log', 'etcd', 'etcd-readiness', 'informer-sync', 'shutdown'],
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

export function rootPage(): ServerResponse {
  const paths = ['/api', '/apis', '/healthz', '/livez', '/openapi/v2', '/openapi/v3', '/readyz', '/version'];
  return jsonResponse({ paths }, { status: 200 });
}
