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
export { type Unnamed, unnamedImpersonation } from './impersonation.ts';
export { type AccountClaims, type CheckedToken, checkToken, issueToken, type NamedObject } from './account-token.ts';
export { issuer, TokenIssuer } from './issuer.ts';
