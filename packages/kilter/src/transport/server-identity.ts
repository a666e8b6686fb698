import { isIP } from 'node:net';
import { x509 } from '../internal/index.ts';

/** The dots a name may end in, brackets and the zone of an address are not part of either. */
function addressIn(name: string): string | undefined {
  const bare = name.replace(/^\[(.*)\]$/, '$1').replace(/(?<=.)%.*$/, '');
  return isIP(bare) === 0 ? undefined : bare;
}

/** The name to ask for in the handshake; undefined for an address, which has no place there (RFC 6066). */
export function nameInHandshake(name: string): string | undefined {
  const plain = addressIn(name) === undefined ? name.replace(/\.+$/, '') : '';
  return plain === '' ? undefined : plain;
}

// As Node writes them: values with unusual characters are JSON texts.
const alternative = /(?:^|, )([^:,"]+):("(?:[^"\\]|\\.)*"|[^,]*)/g;

function dnsNames(names: string): string[] {
  return [...names.matchAll(alternative)]
    .filter(([, kind]) => kind === 'DNS')
    .map(([, , value = '']) => (value.startsWith('"') ? String(JSON.parse(value)) : value).toLowerCase());
}

const label = /^(?!-)[a-z0-9_-]+$/;
const isHostname = (labels: readonly string[]): boolean => labels.every((one) => label.test(one));

/** A wildcard stands for one whole label, the first; anything that is not a host name must be equal. */
function matches(pattern: string, name: string): boolean {
  const wanted = name.replace(/\.$/, '').split('.');
  const [first = '', ...rest] = pattern.split('.');
  const wild = first === '*' && rest.length > 0;
  if (!isHostname(wanted) || !isHostname(wild ? rest : [first, ...rest])) return pattern === name;
  if (rest.length + 1 !== wanted.length) return false;
  return (wild || first === wanted[0]) && rest.every((part, i) => part === wanted[i + 1]);
}

function refused(message: string): Error {
  return Object.assign(new Error(message), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
}

/**
 * Why a certificate is not one for this name or address; undefined where it is. By Go's rules, which are those of kubectl
 * and of every other client of an API server: alternative names alone count, the common name never does.
 */
export function identityProblem(name: string, certificate: { readonly raw: Uint8Array }): Error | undefined {
  const parsed = x509(certificate.raw);
  const names = parsed.subjectAltName ?? '';
  const address = addressIn(name);
  if (address !== undefined) {
    if (parsed.checkIP(address) !== undefined) return undefined;
  } else if (dnsNames(names).some((pattern) => matches(pattern, name.toLowerCase()))) return undefined;
  if (names === '') return refused('the certificate has a common name only, and no subject alternative names');
  return refused(`the certificate is for ${names}, not for ${name}`);
}
