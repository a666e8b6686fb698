import type { KeyObject } from 'node:crypto';
import { KilterError } from '../errors/index.ts';
import { crypto, x509 } from '../internal/index.ts';

/** A client's certificate with its key, both PEM. */
export interface CertificatePair {
  readonly cert: string;
  readonly key: string;
}

// Between the marks only base64: a block that was not written to its end does not match.
const certificateBlock = /-----BEGIN CERTIFICATE-----[\sA-Za-z0-9+/=]+-----END CERTIFICATE-----/g;
const begin = /-----BEGIN CERTIFICATE-----/g;

// The bundles of operating systems hold about 150. Each is read, and that takes a while.
const mostCertificates = 1000;

// No causes: errors of the cryptographic library say nothing a person could use.
function unusable(where: string, why: string, cure?: string): KilterError {
  return new KilterError('CONFIG_MALFORMED', `${where} ${why}`, { cure });
}

function readable(block: string): boolean {
  try {
    return x509(block).subject !== undefined;
  } catch {
    return false;
  }
}

/** The blocks of certificates, each from its mark to the next one's: whole ones and others. */
function blocksOf(pem: string, where: string): string[] {
  const starts = [...pem.matchAll(begin)].map(({ index }) => index);
  if (starts.length > mostCertificates) {
    throw unusable(where, `contains more than ${mostCertificates} certificates`, 'keep only those that are needed');
  }
  if (starts.length > 0) return starts.map((start, i) => pem.slice(start, starts[i + 1]));
  throw unusable(where, 'contains no PEM certificate', 'it must begin with -----BEGIN CERTIFICATE-----');
}

/** The block itself, without what is behind it; undefined where it cannot be read. */
function certificateIn(part: string): string | undefined {
  const [block] = part.match(certificateBlock) ?? [];
  return block !== undefined && readable(block) ? block : undefined;
}

const unreadable = (at: number, of: number): string =>
  `contains a certificate that cannot be read, number ${at + 1} of ${of}`;

/** Refuses text that is not PEM of one certificate or more, all of them whole. */
export function checkCertificates(pem: string, where: string): void {
  const blocks = blocksOf(pem, where);
  const bad = blocks.findIndex((block) => certificateIn(block) === undefined);
  if (bad !== -1) throw unusable(where, unreadable(bad, blocks.length));
}

/** Authorities to trust. */
export interface Authorities {
  readonly pem: string;
  /** What was left out. */
  readonly warnings: readonly string[];
  /** The last certificate has no end: the file may be about to be written. */
  readonly cut: boolean;
}

/** The certificates of a bundle that can be read; as in Go the others are left out, but not all of them can be. */
export function readAuthorities(pem: string, where: string): Authorities {
  const parts = blocksOf(pem, where);
  const blocks = parts.map(certificateIn);
  const good = blocks.filter((block) => block !== undefined);
  if (good.length === blocks.length) return { pem, warnings: [], cut: false };
  const problem = unreadable(blocks.indexOf(undefined), blocks.length);
  if (good.length === 0) throw unusable(where, problem);
  const cut = !/-----END /.test(parts.at(-1) ?? '');
  return { pem: `${good.join('\n')}\n`, warnings: [`${where} ${problem}: it is left out`], cut };
}

function privateKey(pem: string, where: string): KeyObject {
  if (!/-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/.test(pem)) {
    throw unusable(where, 'contains no PEM private key', 'it must begin with -----BEGIN PRIVATE KEY-----');
  }
  if (/-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(pem)) {
    throw unusable(where, 'is encrypted with a passphrase', 'store it without one: openssl pkey -in KEY -out PLAIN');
  }
  try {
    return crypto().createPrivateKey(pem);
  } catch {
    throw unusable(where, 'contains a private key that cannot be read');
  }
}

/** Refuses a certificate and a key that are broken or do not belong together. */
export function checkPair(
  { cert, key }: CertificatePair,
  where: { readonly cert: string; readonly key: string },
): void {
  checkCertificates(cert, where.cert);
  const parsed = privateKey(key, where.key);
  if (!x509(cert).checkPrivateKey(parsed)) {
    throw unusable(where.key, `is not the key of ${where.cert}`, 'give both from the same login');
  }
}
