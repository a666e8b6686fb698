// Who may do what: the authorizer over stored roles, what it refuses, and the reviews that ask it.
export { accessReviews } from './access-reviews.ts';
export { answeringResources } from './answering.ts';
export { type AuthorizationMode, Authorizer } from './authorizer.ts';
export { escalationCheck } from './escalation.ts';
export { identityReviews, type TokenJudge, type TokenVerdict, userInfo } from './identity-reviews.ts';
export { Impersonator } from './impersonate.ts';
export { signerCheck } from './signers.ts';
export { AccountTokens } from './service-accounts.ts';
