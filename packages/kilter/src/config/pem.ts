import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { KilterError } from '../errors/index.ts';

/** A client's certificate with its key, both PEM. */
export interface CertificatePair {
  readonly cert: string;
  readonly key: string;
}

// Between the marks only base64: a block that was not written to its end does not match.
const certificateBlock = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[\sA-Za-z0-9+/=]+-----END [A-Z0-9 ]+-----/g;

// No causes: errors of the cryptographic library say nothing a person could use.
function unusable(where: string, why: string, cure?: string): KilterError {
  return new KilterError('CONFIG_MALFORMED', `${where} ${why}`, { cure });
}

function readable(block: string): boolean {
  try {
    return new X509Certificate(block).subject !== undefined;
  } catch {
    return false;
  }
}

/** Refuses text that is no PEM of one certificate or more, all of them whole. */
export function checkCertificates(pem: string, where: string): void {
  const blocks = pem.match(certificateBlock) ?? [];
  const begun = pem.match(/-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/g)?.length ?? 0;
  if (begun === 0) throw unusable(where, 'holds no PEM certificate', 'it must begin with -----BEGIN CERTIFICATE-----');
  const bad = blocks.length < begun ? blocks.length : blocks.findIndex((block) => !readable(block));
  if (bad !== -1) throw unusable(where, `holds a certificate that cannot be read, the ${bad + 1}. of ${begun}`);
}

function privateKey(pem: string, where: string): KeyObject {
  if (!/-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/.test(pem)) {
    throw unusable(where, 'holds no PEM private key', 'it must begin with -----BEGIN PRIVATE KEY-----');
  }
  if (/-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(pem)) {
    throw unusable(where, 'is encrypted with a passphrase', 'store it without one: openssl pkey -in KEY -out PLAIN');
  }
  try {
    return createPrivateKey(pem);
  } catch {
    throw unusable(where, 'holds a private key that cannot be read');
  }
}

/** Refuses a certificate and a key that are broken or do not belong together. */
export function checkPair(
  { cert, key }: CertificatePair,
  where: { readonly cert: string; readonly key: string },
): void {
  checkCertificates(cert, where.cert);
  const parsed = privateKey(key, where.key);
  if (!new X509Certificate(cert).checkPrivateKey(parsed)) {
    throw unusable(where.key, `is not the key of ${where.cert}`, 'give both from the same login');
  }
}
