// Identities: who is asking. Pure decisions. Everybody may do everything: authorization is not served yet.
export {
  anonymous,
  authenticate,
  type CertificateSubject,
  type Credentials,
  type TokenReader,
} from './authenticate.ts';
export type { User } from './user.ts';
export { type Unnamed, unnamedImpersonation } from './impersonation.ts';
export { issuer, TokenIssuer } from './issuer.ts';
