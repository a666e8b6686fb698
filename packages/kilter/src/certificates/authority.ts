import type { KeyObject, X509Certificate } from 'node:crypto';
import { KilterError } from '../errors/index.ts';
import { crypto, x509 } from '../internal/index.ts';
import {
  type CertifiedKey,
  distinguishedName,
  extension,
  extensionIds,
  keyId,
  signCertificate,
  validity,
} from './certificate.ts';
import * as der from './der.ts';

/** A certificate authority as plain PEM, so that it can be stored and reused. */
export type Authority = CertifiedKey;

/** The options of a new authority. */
export interface AuthorityOptions {
  /** The common name. */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly days: number;
}

/** An authority as a signer needs it. */
export interface Signer {
  readonly key: KeyObject;
  /** DER of its distinguished name, exactly as its certificate has it. */
  readonly subject: Buffer;
  readonly subjectKeyId: Buffer | undefined;
  /** Milliseconds since 1970. */
  readonly notAfter: number;
}

// digitalSignature, keyCertSign and cRLSign: bits 0, 5 and 6.
const signingUsage = der.bitString(Buffer.of(0b1000_0110), 1);

/** Creates a self-signed authority with an ECDSA P-256 key. It may sign leaf certificates, but no other authorities. */
export function createAuthority({ name, now, days }: AuthorityOptions): Authority {
  const subject = distinguishedName(name);
  const lifetime = validity(now, days);
  const { publicKey, privateKey } = crypto().generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const constraints = der.sequence(der.boolean(true), der.integer(Buffer.of(0)));
  const extensions = [
    extension(extensionIds.basicConstraints, constraints, true),
    extension(extensionIds.keyUsage, signingUsage, true),
    extension(extensionIds.subjectKeyId, der.octetString(keyId(publicKey))),
  ];
  const certificate = signCertificate({ subject, issuer: subject, ...lifetime, publicKey, extensions }, privateKey);
  return { certificate, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

function refused(why: string, cause?: unknown): KilterError {
  return new KilterError('CERTIFICATES_AUTHORITY_INVALID', `the authority cannot sign: ${why}`, { cause });
}

function parsed({ certificate, key }: Authority): { certificate: X509Certificate; key: KeyObject } {
  try {
    return { certificate: x509(certificate), key: crypto().createPrivateKey(key) };
  } catch (cause) {
    throw refused('its certificate or key is not PEM', cause);
  }
}

/** The fields of a certificate's body after the optional version: serial, algorithm, issuer, validity, subject, … */
function bodyOf(certificate: X509Certificate): der.DerValue[] {
  const whole = der.readValues(certificate.raw)?.[0];
  const body = der.readValues(whole?.content ?? Buffer.alloc(0))?.[0];
  const fields = der.readValues(body?.content ?? Buffer.alloc(0)) ?? [];
  return fields[0]?.tag === 0xa0 ? fields.slice(1) : fields;
}

/** The identifier a leaf must repeat: verifiers compare the octets, however the authority made them. */
function subjectKeyIdOf(fields: readonly der.DerValue[]): Buffer | undefined {
  const extensions = fields.find(({ tag }) => tag === 0xa3);
  const list = der.readValues(extensions?.content ?? Buffer.alloc(0))?.[0];
  const id = der.oid(extensionIds.subjectKeyId);
  for (const { content } of der.readValues(list?.content ?? Buffer.alloc(0)) ?? []) {
    const parts = der.readValues(content) ?? [];
    if (parts[0]?.raw.equals(id) === true)
      return der.readValues(parts.at(-1)?.content ?? Buffer.alloc(0))?.[0]?.content;
  }
  return undefined;
}

/** Reads an authority back and checks that it can sign at this moment. */
export function signerOf(authority: Authority, now: number): Signer {
  const { certificate, key } = parsed(authority);
  const notAfter = certificate.validToDate.getTime();
  if (!certificate.ca) throw refused('its certificate is not a CA certificate');
  if (!certificate.checkPrivateKey(key)) throw refused('the key does not belong to the certificate');
  if (key.asymmetricKeyType !== 'ec') throw refused(`its key is ${key.asymmetricKeyType ?? 'unknown'}, not ECDSA`);
  if (notAfter <= now) throw refused(`its certificate expired at ${certificate.validTo}`);
  const fields = bodyOf(certificate);
  const subject = fields[4]?.raw;
  if (subject === undefined) throw refused('its certificate has no subject');
  return { key, subject, subjectKeyId: subjectKeyIdOf(fields), notAfter };
}
