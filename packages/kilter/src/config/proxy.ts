import { KilterError } from '../errors/index.ts';
import { type Environment, firstSet } from './environment.ts';
import { isExempt } from './no-proxy.ts';

/** Whether user and password are percent-encoded correctly. */
function isDecodable({ username, password }: URL): boolean {
  try {
    return decodeURIComponent(username + password) !== undefined;
  } catch {
    return false;
  }
}

// The address is never shown: it may hold a password.
function refused(where: string, scheme: string): KilterError {
  if (scheme === 'socks5h') {
    return new KilterError('CONFIG_MALFORMED', `${where} has the scheme socks5h, which kubectl refuses there`, {
      cure: 'write socks5://host:port: names are resolved by the proxy anyway',
    });
  }
  if (scheme.startsWith('socks')) {
    return new KilterError('CONFIG_UNSUPPORTED', `${where} names a SOCKS proxy of a version other than 5`, {
      cure: 'use SOCKS5 (socks5://), or a proxy that understands HTTP CONNECT (http:// or https://)',
    });
  }
  return new KilterError('CONFIG_MALFORMED', `${where} is not the address of a proxy`, {
    cure: 'write it as http://host:port, https://host:port or socks5://host:port',
  });
}

const schemes: readonly string[] = ['http', 'https', 'socks5'];

/** The address of a proxy, checked; it must say its scheme. */
export function parseProxyUrl(text: string, where: string, known: readonly string[] = schemes): string {
  // The parser of URLs would drop blanks and line breaks, and turn backslashes.
  const url = !/[\s\\]/.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase() ?? '';
  if (!known.includes(scheme)) throw refused(where, scheme);
  if (url === undefined || url.hostname === '') throw refused(where, '');
  if (!isDecodable(url)) {
    throw new KilterError('CONFIG_MALFORMED', `${where} contains a user or password that is not percent-encoded`, {
      cure: 'write % as %25',
    });
  }
  return text;
}

// Upper case first, as Go reads them.
const variables = {
  'https:': ['HTTPS_PROXY', 'https_proxy'],
  'http:': ['HTTP_PROXY', 'http_proxy'],
} as const;

/**
 * The proxy the environment names for a server, as kubectl takes it: `HTTPS_PROXY` or `HTTP_PROXY` by the server's
 * scheme, `NO_PROXY` for exceptions, in upper or lower case; the machine itself is never asked for by a proxy.
 */
export function environmentProxy(server: URL, env: Environment): string | undefined {
  const set = firstSet(env, variables[server.protocol === 'http:' ? 'http:' : 'https:']);
  if (set === undefined || isExempt(server, firstSet(env, ['NO_PROXY', 'no_proxy'])?.value ?? '')) return undefined;
  // `host:port` alone is a proxy by HTTP.
  const address = set.value.includes('://') ? set.value : `http://${set.value}`;
  return parseProxyUrl(address, `$${set.name}`, [...schemes, 'socks5h']);
}
