import type { KeyObject } from 'node:crypto';
import { crypto } from '../internal/index.ts';
import { type Authority, type Signer, signerOf } from './authority.ts';
import {
  type CertifiedKey,
  distinguishedName,
  extension,
  extensionIds,
  invalidInput,
  keyId,
  signCertificate,
  validity,
} from './certificate.ts';
import * as der from './der.ts';
import { addressOctets } from './ip-address.ts';

/** What a leaf certificate may be used for. */
export type LeafUsage = 'server' | 'client';

/** The options of a new leaf certificate: who it is for, and for how long. */
export interface LeafOptions {
  /** The common name; for an API server, the user's name. */
  readonly name: string;
  /** The names of the server; `*.example.com` is possible. */
  readonly dnsNames?: readonly string[] | undefined;
  readonly ipAddresses?: readonly string[] | undefined;
  /** For an API server, the user's groups. */
  readonly organizations?: readonly string[] | undefined;
  readonly usage: LeafUsage;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Limited by the authority's own lifetime: after that nobody would accept the leaf. */
  readonly days: number;
}

/** A certificate with its key, and who signed it. */
export interface Leaf extends CertifiedKey {
  /** The certificate of the authority that signed it, as PEM. */
  readonly authority: string;
}

const extendedUsages: Readonly<Record<LeafUsage, string>> = {
  server: '1.3.6.1.5.5.7.3.1',
  client: '1.3.6.1.5.5.7.3.2',
};
// digitalSignature, bit 0: all an ECDSA leaf does in TLS.
const leafUsage = der.bitString(Buffer.of(0b1000_0000), 7);
const dnsName = /^(\*\.)?[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/i;

function altName(name: string): Buffer {
  if (name.length > 253 || !dnsName.test(name)) throw invalidInput(`${JSON.stringify(name)} is not a DNS name`);
  return der.implicit(2, Buffer.from(name, 'ascii'));
}

function altAddress(address: string): Buffer {
  const octets = addressOctets(address);
  if (octets === undefined) throw invalidInput(`${JSON.stringify(address)} is not an IP address`);
  return der.implicit(7, octets);
}

function altNames({ dnsNames = [], ipAddresses = [], usage }: LeafOptions): Buffer[] {
  const names = [...dnsNames.map(altName), ...ipAddresses.map(altAddress)];
  // Clients ignore the common name: such a certificate would match no server.
  if (names.length === 0 && usage === 'server') throw invalidInput('a server needs a DNS name or an IP address');
  return names.length === 0 ? [] : [extension(extensionIds.subjectAltName, der.sequence(...names))];
}

function leafExtensions(options: LeafOptions, publicKey: KeyObject, signer: Signer): Buffer[] {
  const authorityKeyId =
    signer.subjectKeyId === undefined
      ? []
      : [extension(extensionIds.authorityKeyId, der.sequence(der.implicit(0, signer.subjectKeyId)))];
  return [
    extension(extensionIds.basicConstraints, der.sequence(), true),
    extension(extensionIds.keyUsage, leafUsage, true),
    extension(extensionIds.extKeyUsage, der.sequence(der.oid(extendedUsages[options.usage]))),
    extension(extensionIds.subjectKeyId, der.octetString(keyId(publicKey))),
    ...authorityKeyId,
    ...altNames(options),
  ];
}

/** Issues a certificate of this authority, with a new ECDSA P-256 key. */
export function issue(authority: Authority, options: LeafOptions): Leaf {
  const signer = signerOf(authority, options.now);
  const { notBefore, notAfter } = validity(options.now, options.days);
  const subject = distinguishedName(options.name, options.organizations);
  const { publicKey, privateKey } = crypto().generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const certificate = signCertificate(
    {
      subject,
      issuer: signer.subject,
      notBefore,
      notAfter: Math.min(notAfter, signer.notAfter),
      publicKey,
      extensions: leafExtensions(options, publicKey, signer),
    },
    signer.key,
  );
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { certificate, key, authority: authority.certificate };
}
