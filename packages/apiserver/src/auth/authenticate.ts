import type { User } from './user.ts';

/** The subject of a client certificate the transport has verified. */
export interface CertificateSubject {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** SHA-256 of the certificate, in hexadecimal digits. */
  readonly fingerprint?: string | undefined;
}

export interface Credentials {
  /** The Authorization header. */
  readonly authorization: string | undefined;
  /** `rejected`: the client showed one that no known authority signed. */
  readonly certificate: CertificateSubject | 'rejected' | undefined;
}

/** Who a bearer token names; undefined if nobody. */
export type TokenReader = (token: string) => User | undefined;

export const anonymous: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/** Whoever proved to be somebody is in the group of those. */
export function authenticated({ groups, ...user }: User): User {
  return { ...user, groups: groups.includes('system:authenticated') ? groups : [...groups, 'system:authenticated'] };
}

/** What stands between the first space and the second, as Go's server splits it: after two spaces that is nothing. Empty: no token. */
function bearerToken(authorization = ''): string {
  const [scheme = '', token = ''] = authorization.trim().split(' ');
  return scheme.toLowerCase() === 'bearer' ? token : '';
}

/** Who is asking; undefined if the credentials are wrong. Nobody who shows nothing is refused here. */
export function authenticate({ authorization, certificate }: Credentials, userOf: TokenReader): User | undefined {
  if (certificate !== undefined && certificate !== 'rejected') {
    const { commonName: name, organizations: groups, fingerprint } = certificate;
    const extra = { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${fingerprint ?? ''}`] };
    return authenticated({ name, groups, ...(fingerprint !== undefined && { extra }) });
  }
  const token = bearerToken(authorization);
  // Other schemes prove nothing to this server, as on the real one; a bad certificate is worse than none.
  if (token === '') return certificate === 'rejected' ? undefined : anonymous;
  const user = userOf(token);
  return user && authenticated(user);
}
