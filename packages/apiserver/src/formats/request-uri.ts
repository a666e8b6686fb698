import { isIPv6 } from './ip-address.ts';

const scheme = /^([a-z][a-z0-9+.-]*):(.*)$/is;
const badEscape = /%(?![0-9a-f]{2})/i;

/** What Go's `url.ParseRequestURI` accepts: an absolute URI or an absolute path, with no fragment of its own. */
export function isRequestUri(text: string): boolean {
  if (text === '' || /\p{Cc}/u.test(text.replace(/[\u0080-\u009f]/g, ''))) return false;
  if (text === '*') return true;
  const [, , afterScheme] = scheme.exec(text) ?? [];
  if (text.startsWith(':')) return false;
  const rest = (afterScheme ?? text).replace(/\?.*$/s, '');
  if (!rest.startsWith('/')) return afterScheme !== undefined;
  if (!rest.startsWith('//') || (afterScheme === undefined && rest.startsWith('///'))) return !badEscape.test(rest);
  return hasValidAuthority(rest.slice(2));
}

function hasValidAuthority(rest: string): boolean {
  const slash = rest.indexOf('/');
  const authority = slash < 0 ? rest : rest.slice(0, slash);
  const path = slash < 0 ? '' : rest.slice(slash);
  const user = authority.lastIndexOf('@');
  if (user >= 0 && !/^[a-z0-9\-._~!$&'()*+,;=:%@]*$/i.test(authority.slice(0, user))) return false;
  return !badEscape.test(path) && !badEscape.test(authority) && isHostAndPort(authority.slice(user + 1));
}

function isHostAndPort(text: string): boolean {
  const bracketed = /^\[([^\]]*)\](?::\d*)?$/.exec(text);
  if (bracketed !== null) return isIPv6((bracketed[1] ?? '').replace(/%25.*$/, ''));
  if (/[[\]]/.test(text)) return false;
  // Only bytes beyond ASCII may be written as escapes in a host.
  return /^[^\s\\^`{|}#?/@%:]*(?::\d*)?$/.test(text.replace(/%[89a-f][0-9a-f]/gi, ''));
}
