// Signed tokens: compact JWTs with ES256, or RS256 where the key is of that kind.
import { Buffer } from 'node:buffer';
import { type KeyObject, sign, verify } from 'node:crypto';

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** What a token says, whoever signed it. */
export interface ReadJwt {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  /** What the signature is about. */
  readonly signed: string;
  readonly signature: Buffer;
}

/** How a key of its kind signs, by the name tokens have for it. */
export const algorithmOf = ({ asymmetricKeyType: type }: KeyObject): 'ES256' | 'RS256' =>
  type === 'rsa' ? 'RS256' : 'ES256';

export function signJwt(claims: object, { key, id }: { readonly key: KeyObject; readonly id: string }): string {
  const signed = `${encoded({ alg: algorithmOf(key), kid: id })}.${encoded(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

function decoded(part: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The parts of a token; undefined for what is none. */
export function readJwt(token: string): ReadJwt | undefined {
  const parts = token.split('.');
  if (parts.length !== 3 || !parts.every((part) => /^[\w-]+$/.test(part))) return undefined;
  const [head = '', body = '', end = ''] = parts;
  const header = decoded(head);
  const claims = decoded(body);
  if (header === undefined || claims === undefined) return undefined;
  return { header, claims, signed: `${head}.${body}`, signature: Buffer.from(end, 'base64url') };
}

/** Whether this key signed it, in the one way that is taken: a token that names another algorithm is not asked about it. */
export function isSigned({ header, signed, signature }: ReadJwt, key: KeyObject): boolean {
  return (
    header['alg'] === algorithmOf(key) &&
    verify('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }, signature)
  );
}
