// Certificates that the room itself refuses to make, or has no use for: what servers of other hands show.
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { distinguishedName, extension, extensionIds, keyId, signCertificate, validity } from './certificate.ts';
import * as der from './der.ts';
import { addressOctets } from './ip-address.ts';

/** A certificate with its key, and what is needed to sign others with it. */
export interface Made {
  readonly certificate: string;
  readonly key: string;
  readonly signer: { readonly key: KeyObject; readonly subject: Buffer; readonly id: Buffer };
}

export interface MakeOptions {
  readonly name: string;
  /** Default: itself. */
  readonly issuer?: Made | undefined;
  readonly authority?: boolean | undefined;
  readonly dnsNames?: readonly string[] | undefined;
  readonly ipAddresses?: readonly string[] | undefined;
  /** As OIDs. Default: server authentication. Empty: no such extension. */
  readonly usages?: readonly string[] | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly days?: number | undefined;
}

function extensionsOf(options: MakeOptions, id: Buffer): Buffer[] {
  const { authority = false, dnsNames = [], ipAddresses = [], issuer, usages = ['1.3.6.1.5.5.7.3.1'] } = options;
  const names = [
    ...dnsNames.map((name) => der.implicit(2, Buffer.from(name, 'ascii'))),
    ...ipAddresses.map((address) => der.implicit(7, addressOctets(address) ?? Buffer.alloc(0))),
  ];
  const purposes = authority ? [] : usages.map((usage) => der.oid(usage));
  return [
    extension(extensionIds.basicConstraints, authority ? der.sequence(der.boolean(true)) : der.sequence(), true),
    extension(extensionIds.keyUsage, der.bitString(Buffer.of(authority ? 0b1000_0110 : 0b1000_0000), 1), true),
    extension(extensionIds.subjectKeyId, der.octetString(id)),
    ...(issuer === undefined
      ? []
      : [extension(extensionIds.authorityKeyId, der.sequence(der.implicit(0, issuer.signer.id)))]),
    ...(purposes.length === 0 ? [] : [extension(extensionIds.extKeyUsage, der.sequence(...purposes))]),
    ...(names.length === 0 ? [] : [extension(extensionIds.subjectAltName, der.sequence(...names))]),
  ];
}

/** Any certificate. */
export function make(options: MakeOptions): Made {
  const subject = distinguishedName(options.name);
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = keyId(publicKey);
  const issuer = options.issuer?.signer ?? { key: privateKey, subject };
  const certificate = signCertificate(
    {
      subject,
      issuer: issuer.subject,
      ...validity(options.now, options.days ?? 1),
      publicKey,
      extensions: extensionsOf(options, id),
    },
    issuer.key,
  );
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { certificate, key, signer: { key: privateKey, subject, id } };
}
