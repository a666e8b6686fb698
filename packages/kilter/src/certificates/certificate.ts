import type { KeyObject } from 'node:crypto';
import { KilterError } from '../errors/index.ts';
import { crypto } from '../internal/index.ts';
import * as der from './der.ts';

/** A certificate and its private key, both as PEM (the key as PKCS#8). */
export interface CertifiedKey {
  readonly certificate: string;
  readonly key: string;
}

export interface CertificateRequest {
  /** DER of the subject's and the issuer's distinguished names. */
  readonly subject: Uint8Array;
  readonly issuer: Uint8Array;
  /** Milliseconds since 1970. */
  readonly notBefore: number;
  readonly notAfter: number;
  readonly publicKey: KeyObject;
  readonly extensions: readonly Uint8Array[];
}

const ecdsaWithSha256 = der.sequence(der.oid('1.2.840.10045.4.3.2'));
const day = 86_400_000;
// Clocks of two machines differ: a certificate that is valid only from this second on is refused by the one behind.
const backdated = 5 * 60_000;

export function invalidInput(message: string): KilterError {
  return new KilterError('CERTIFICATES_INPUT_INVALID', message);
}

/** From a little before `now` to `days` after it. */
export function validity(now: number, days: number): { notBefore: number; notAfter: number } {
  if (!Number.isFinite(now) || !Number.isFinite(days) || days <= 0) {
    throw invalidInput(`a lifetime of ${days} days from ${now} is invalid: days must be above 0`);
  }
  return { notBefore: now - backdated, notAfter: now + days * day };
}

const attribute = (type: string, value: string): Buffer => der.setOf(der.sequence(der.oid(type), der.utf8(value)));

/** A distinguished name: organizations, then the common name. */
export function distinguishedName(name: string, organizations: readonly string[] = []): Buffer {
  for (const value of [name, ...organizations]) {
    // The upper bound X.520 sets for both attributes.
    if (value === '' || value.length > 64) {
      throw invalidInput(`the name ${JSON.stringify(value)} must have 1 to 64 characters`);
    }
  }
  return der.sequence(
    ...organizations.map((organization) => attribute('2.5.4.10', organization)),
    attribute('2.5.4.3', name),
  );
}

export function extension(id: string, value: Uint8Array, critical = false): Buffer {
  return der.sequence(der.oid(id), ...(critical ? [der.boolean(true)] : []), der.octetString(value));
}

/** The names extensions go by. */
export const extensionIds = {
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyId: '2.5.29.35',
  extKeyUsage: '2.5.29.37',
} as const;

/** The key identifier of RFC 5280, section 4.2.1.2, method 1: SHA-1 of the public key's bits. */
export function keyId(publicKey: KeyObject): Buffer {
  const info = der.readValues(publicKey.export({ type: 'spki', format: 'der' }))?.[0];
  const bits = der.readValues(info?.content ?? Buffer.alloc(0))?.[1]?.content.subarray(1);
  return crypto()
    .createHash('sha1')
    .update(bits ?? Buffer.alloc(0))
    .digest();
}

/** 126 random bits, positive and never zero: unique without a counter to keep. */
function serialNumber(): Buffer {
  const octets = crypto().randomBytes(16);
  octets[0] = ((octets[0] ?? 0) & 0x3f) | 0x40;
  return octets;
}

function pem(label: string, content: Uint8Array): string {
  const lines =
    Buffer.from(content)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}

/** Signs a version 3 certificate; PEM. */
export function signCertificate(request: CertificateRequest, signer: KeyObject): string {
  const body = der.sequence(
    der.explicit(0, der.integer(Buffer.of(2))),
    der.integer(serialNumber()),
    ecdsaWithSha256,
    request.issuer,
    der.sequence(der.time(request.notBefore), der.time(request.notAfter)),
    request.subject,
    request.publicKey.export({ type: 'spki', format: 'der' }),
    der.explicit(3, der.sequence(...request.extensions)),
  );
  return pem('CERTIFICATE', der.sequence(body, ecdsaWithSha256, der.bitString(crypto().sign('sha256', body, signer))));
}
