import { KilterError } from '../errors/index.ts';
import type { Impersonation } from './connection-config.ts';

/** Headers as they are sent: names in lower case, several values for one name as a list. */
export type Headers = Readonly<Record<string, string | readonly string[]>>;

function refused(what: string): KilterError {
  return new KilterError('CONFIG_MALFORMED', `the impersonation's ${what}`, {
    cure: 'correct as, as-uid, as-groups or as-user-extra',
  });
}

/** A header holds octets: other letters travel as those of their UTF-8, which is what the server reads. */
function octets(value: string, what: string): string {
  if (/[\0\r\n]/.test(value)) throw refused(`${what} contains a line break`);
  return Buffer.from(value, 'utf8').toString('latin1');
}

// The token characters of RFC 9110 but `%`, which escapes the rest.
const plain = /[!#$&'*+.^_`|~0-9A-Za-z-]/;

function headerName(key: string): string {
  if (key === '') throw refused('extra has an empty key');
  const escaped = [...Buffer.from(key, 'utf8')].map((octet) => {
    const sign = String.fromCodePoint(octet);
    return octet < 128 && plain.test(sign) ? sign : `%${octet.toString(16).toUpperCase().padStart(2, '0')}`;
  });
  // The server reads the names of extras in lower case.
  return `impersonate-extra-${escaped.join('').toLowerCase()}`;
}

/** The `impersonate-*` headers. */
export function impersonationHeaders(as: Impersonation | undefined): Headers {
  if (as === undefined) return {};
  if (as.user === '') throw refused('user is empty');
  const headers = new Map<string, string | readonly string[]>([['impersonate-user', octets(as.user, 'user')]]);
  if (as.uid !== undefined && as.uid !== '') headers.set('impersonate-uid', octets(as.uid, 'uid'));
  const groups = (as.groups ?? []).map((group) => octets(group, 'group'));
  if (groups.length > 0) headers.set('impersonate-group', groups);
  for (const [key, values] of Object.entries(as.extra ?? {})) {
    const name = headerName(key);
    // Two keys that differ in case alone are one to the server.
    const all = [...(headers.get(name) ?? []), ...values.map((value) => octets(value, 'extra'))];
    if (all.length > 0) headers.set(name, all);
  }
  return Object.fromEntries(headers);
}
