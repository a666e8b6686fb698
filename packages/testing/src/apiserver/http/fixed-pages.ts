import { jsonResponse, type ServerResponse, textResponse } from './message.ts';

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

/** The server is one piece: as long as it answers, it is well. */
export function healthPage(check: string, query: URLSearchParams): ServerResponse {
  const text = query.has('verbose') ? `[+]ping ok\n${check} check passed\n` : 'ok';
  return textResponse(text, { status: 200, headers: { 'x-content-type-options': 'nosniff' } });
}

export function rootPage(): ServerResponse {
  const paths = ['/api', '/apis', '/healthz', '/livez', '/openapi/v2', '/openapi/v3', '/readyz', '/version'];
  return jsonResponse({ paths }, { status: 200 });
}
