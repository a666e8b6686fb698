// A PKCS #10 request: whether it is one, whether whoever sent it has the key, and which groups it names.
import { Buffer } from 'node:buffer';
import { createPublicKey, verify } from 'node:crypto';

/** A value in DER, with what it is made of. */
interface Element {
  readonly tag: number;
  readonly content: Buffer;
  /** Tag and length included. */
  readonly whole: Buffer;
}

class Malformed extends Error {}

const constructed = 0x30;
const setTag = 0x31;
const objectIdTag = 0x06;
const bitStringTag = 0x03;
// 2.5.4.10
const organizationId = Buffer.of(0x55, 0x04, 0x0a);
// By the end of the object identifiers of signatures: ECDSA and RSA with SHA-2, and Ed25519, which hashes by itself.
const hashes: Readonly<Record<string, string | null>> = {
  '2a8648ce3d040302': 'sha256',
  '2a8648ce3d040303': 'sha384',
  '2a8648ce3d040304': 'sha512',
  '2a864886f70d01010b': 'sha256',
  '2a864886f70d01010c': 'sha384',
  '2a864886f70d01010d': 'sha512',
  '2b6570': null,
};

function elementsOf(bytes: Buffer): Element[] {
  const found: Element[] = [];
  let at = 0;
  while (at < bytes.length) {
    const [tag = 0, first] = [bytes[at], bytes[at + 1]];
    if (first === undefined) throw new Malformed('asn1: syntax error: data truncated');
    const long = first < 0x80 ? 0 : first & 0x7f;
    const length = long === 0 ? first : Number.parseInt(bytes.subarray(at + 2, at + 2 + long).toString('hex'), 16);
    const start = at + 2 + long;
    if (long > 4 || !(start + length <= bytes.length)) throw new Malformed('asn1: syntax error: data truncated');
    found.push({ tag, content: bytes.subarray(start, start + length), whole: bytes.subarray(at, start + length) });
    at = start + length;
  }
  return found;
}

function sequence(element: Element | undefined): Element[] {
  if (element?.tag !== constructed) throw new Malformed('asn1: structure error: tags do not match');
  return elementsOf(element.content);
}

export interface CertificateRequest {
  readonly organizations: readonly string[];
  /** Whether the key it names has signed it. */
  readonly isSigned: boolean;
}

/** The first block of PEM, whatever stands around it. */
function blockOf(pem: string): Buffer | undefined {
  const found = /-----BEGIN ([^-\n]*)-----\r?\n([\sA-Za-z0-9+/=]*?)-----END \1-----/.exec(pem);
  return found?.[1] === 'CERTIFICATE REQUEST' ? Buffer.from(found[2] ?? '', 'base64') : undefined;
}

function organizationsIn(subject: Element | undefined): string[] {
  const parts = sequence(subject).filter(({ tag }) => tag === setTag);
  return parts.flatMap(({ content }) =>
    elementsOf(content).flatMap((pair) => {
      const [id, value] = sequence(pair);
      const named = id?.tag === objectIdTag && id.content.equals(organizationId);
      return named && value !== undefined ? [value.content.toString('utf8')] : [];
    }),
  );
}

function isSigned(info: Element, key: Element, [algorithm, bits]: readonly [Element, Element]): boolean {
  const [id] = sequence(algorithm);
  const hash = hashes[id?.content.toString('hex') ?? ''];
  if (hash === undefined || bits.tag !== bitStringTag) return false;
  const publicKey = createPublicKey({ key: key.whole, format: 'der', type: 'spki' });
  return verify(hash, info.whole, publicKey, bits.content.subarray(1));
}

function parsed(bytes: Buffer): CertificateRequest {
  const [whole] = elementsOf(bytes);
  const [info, algorithm, bits] = sequence(whole);
  const [, subject, key] = sequence(info);
  if (info === undefined || key === undefined || algorithm === undefined || bits === undefined)
    throw new Malformed('asn1: structure error: sequence truncated');
  return { organizations: organizationsIn(subject), isSigned: isSigned(info, key, [algorithm, bits]) };
}

/** What a request in base64 says, or what is wrong with it. */
export function readCertificateRequest(base64: string): CertificateRequest | { readonly problem: string } {
  const block = blockOf(Buffer.from(base64, 'base64').toString('latin1'));
  if (block === undefined) return { problem: 'PEM block type must be CERTIFICATE REQUEST' };
  try {
    return parsed(block);
  } catch (error) {
    // A key that cannot be read is as malformed as bytes without a structure; both are reported in the words of the parser that noticed.
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
