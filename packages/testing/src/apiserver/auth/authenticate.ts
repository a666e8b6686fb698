import type { User } from './user.ts';

/** The subject of a client certificate the transport has verified. */
export interface CertificateSubject {
  readonly commonName: string;
  readonly organizations: readonly string[];
}

export interface Credentials {
  /** The Authorization header. */
  readonly authorization: string | undefined;
  readonly certificate: CertificateSubject | undefined;
}

export type Tokens = Readonly<Record<string, User>>;

export const anonymous: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

function authenticated({ name, groups }: User): User {
  return { name, groups: groups.includes('system:authenticated') ? groups : [...groups, 'system:authenticated'] };
}

/** Who is asking; undefined if the credentials are wrong. Nobody who shows nothing is refused here. */
export function authenticate({ authorization, certificate }: Credentials, tokens: Tokens): User | undefined {
  if (certificate !== undefined) {
    return authenticated({ name: certificate.commonName, groups: certificate.organizations });
  }
  if (authorization === undefined || authorization === '') return anonymous;
  const token = /^bearer\s+(\S+)\s*$/i.exec(authorization)?.[1];
  // Other schemes prove nothing to this server, as on the real one.
  if (token === undefined) return anonymous;
  const user = Object.hasOwn(tokens, token) ? tokens[token] : undefined;
  return user && authenticated(user);
}
