// Identities: who is asking, and the tokens of service accounts. What they may do is decided elsewhere.
export {
  anonymous,
  authenticate,
  authenticated,
  type CertificateSubject,
  type Credentials,
  type TokenReader,
} from './authenticate.ts';
export type { User } from './user.ts';
export { type ImpersonationHeaders, type WantedUser, wantedUser } from './impersonation.ts';
export { type AccountClaims, type CheckedToken, checkToken, issueToken, type NamedObject } from './account-token.ts';
export { type IssuerOptions, TokenIssuer } from './issuer.ts';
