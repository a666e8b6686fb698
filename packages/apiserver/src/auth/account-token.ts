// Tokens of service accounts: what they claim, and whether the claims hold.
import { type ReadJwt, isSigned, readJwt, signJwt } from './jwt.ts';
import type { TokenIssuer } from './issuer.ts';

export interface NamedObject {
  readonly name: string;
  readonly uid: string;
}

/** Whose token it is, and what it lives and dies with. */
export interface AccountClaims {
  readonly namespace: string;
  readonly account: NamedObject;
  readonly pod?: NamedObject | undefined;
  readonly node?: NamedObject | undefined;
  readonly secret?: NamedObject | undefined;
}

export interface TokenTimes {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly seconds: number;
}

export interface IssuedToken extends AccountClaims, TokenTimes {
  readonly id: string;
  readonly audiences: readonly string[];
}

export function issueToken({ keys, url }: TokenIssuer, token: IssuedToken): string {
  const { namespace, account, pod, node, secret, now, seconds, id, audiences } = token;
  const at = Math.floor(now / 1000);
  const claims = {
    aud: audiences,
    exp: at + seconds,
    iat: at,
    iss: url,
    jti: id,
    'kubernetes.io': { namespace, node, pod, secret, serviceaccount: account },
    nbf: at,
    sub: `system:serviceaccount:${namespace}:${account.name}`,
  };
  return signJwt(claims, { key: keys.privateKey, id: keys.id });
}

/** A token as it was checked: signed here, not yet or no longer valid, meant for others; undefined: not of this issuer at all. */
export type CheckedToken =
  | {
      readonly problem: undefined;
      readonly claims: AccountClaims;
      readonly id: string;
      readonly audiences: readonly string[];
    }
  | { readonly problem: string };

/** Clocks differ by this much. */
const leeway = 60;

const named = (value: unknown): NamedObject | undefined => {
  const { name, uid } = Object(value ?? {}) as Partial<Record<keyof NamedObject, unknown>>;
  return typeof name === 'string' && typeof uid === 'string' ? { name, uid } : undefined;
};

function audiencesOf({ claims }: ReadJwt): string[] {
  const { aud } = claims;
  if (typeof aud === 'string') return [aud];
  return Array.isArray(aud) ? aud.filter((one) => typeof one === 'string') : [];
}

function timeProblem({ claims }: ReadJwt, now: number): string | undefined {
  const at = Math.floor(now / 1000);
  const { exp, nbf, iat } = claims;
  if (typeof nbf === 'number' && at + leeway < nbf) return 'service account token is not valid yet';
  if (typeof exp === 'number' && at - leeway > exp) return 'service account token has expired';
  return typeof iat === 'number' && at + leeway < iat ? 'service account token is issued in the future' : undefined;
}

function accountOf({ claims }: ReadJwt): AccountClaims | undefined {
  const own = Object(claims['kubernetes.io'] ?? {}) as Record<string, unknown>;
  const account = named(own['serviceaccount']);
  const { namespace } = own;
  if (account === undefined || typeof namespace !== 'string') return undefined;
  return { namespace, account, pod: named(own['pod']), node: named(own['node']), secret: named(own['secret']) };
}

const list = (values: readonly string[]): string => `[${values.map((value) => JSON.stringify(value)).join(' ')}]`;

/** Checks all that a token says by itself; whether its account is still there is for others to know. */
export function checkToken(
  { keys, url }: TokenIssuer,
  token: string,
  { now, audiences }: { readonly now: number; readonly audiences: readonly string[] },
): CheckedToken | undefined {
  const read = readJwt(token);
  if (read === undefined || read.claims['iss'] !== url) return undefined;
  if (read.header['kid'] !== undefined && read.header['kid'] !== keys.id)
    return { problem: 'invalid signature, no keys found' };
  if (!isSigned(read, keys.publicKey)) return { problem: 'go-jose/go-jose: error in cryptographic primitive' };
  const claims = accountOf(read);
  const meant = audiencesOf(read);
  const shared = meant.filter((one) => audiences.includes(one));
  if (shared.length === 0)
    return { problem: `token audiences ${list(meant)} is invalid for the target audiences ${list(audiences)}` };
  const problem =
    timeProblem(read, now) ?? (claims === undefined ? 'service account token names no account' : undefined);
  if (problem !== undefined || claims === undefined) return { problem: problem ?? '' };
  const { jti } = read.claims;
  return { problem: undefined, claims, id: typeof jti === 'string' ? jti : '', audiences: shared };
}
