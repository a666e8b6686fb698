// What Go's parser of URLs refuses, in its words: only what it says before anybody asks about scheme and host.
import { quote } from '../values/index.ts';

/** What may be in a host as it is. */
const hostCharacter = /[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"%]/;

function escapeProblem(text: string, isRefused: (escape: string) => boolean): string | undefined {
  for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', at + 3)) {
    const escape = text.slice(at, at + 3);
    if (!/^%[0-9A-Fa-f]{2}$/.test(escape) || isRefused(escape)) return `invalid URL escape ${quote(escape)}`;
  }
  return undefined;
}

/** In a host only what is not ASCII may be escaped. */
const isAscii = (escape: string): boolean => /^%[0-7]/.test(escape) && escape !== '%25';

function hostProblem(host: string): string | undefined {
  const bracket = host.lastIndexOf(']');
  if (host.startsWith('[') && bracket < 0) return "missing ']' in host";
  const rest = host.startsWith('[') ? host.slice(bracket + 1) : host;
  const colon = host.startsWith('[') ? 0 : rest.lastIndexOf(':');
  const port = colon < 0 ? '' : rest.slice(colon);
  if (port !== '' && !/^:\d*$/.test(port)) return `invalid port ${quote(port)} after host`;
  const wrong = [...host].find((character) => character < '\u0080' && !hostCharacter.test(character));
  return (
    escapeProblem(host, isAscii) ?? (wrong === undefined ? undefined : `invalid character ${quote(wrong)} in host name`)
  );
}

/** Why Go does not read a text as a URL; undefined if it does. */
export function goUrlProblem(text: string): string | undefined {
  // oxlint-disable-next-line no-control-regex -- these are what it is about
  if (/[\u0000-\u001f\u007f]/.test(text)) return 'net/url: invalid control character in URL';
  if (text.startsWith(':')) return 'missing protocol scheme';
  const [beginning = '', scheme = ''] = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text) ?? [];
  const rest = text.slice(beginning.length).replace(/#.*$/, '').replace(/\?.*$/, '');
  if (!rest.startsWith('/')) {
    // What follows a scheme without a slash is not looked at.
    if (scheme !== '') return undefined;
    if ((rest.split('/', 1)[0] ?? '').includes(':')) return 'first path segment in URL cannot contain colon';
  }
  const [, authority, path = ''] = /^\/\/([^/]*)(.*)$/.exec(rest) ?? [undefined, undefined, rest];
  const host = authority?.slice(authority.lastIndexOf('@') + 1) ?? '';
  return hostProblem(host) ?? escapeProblem(path, () => false);
}
