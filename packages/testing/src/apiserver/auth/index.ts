// Identities: who is asking. Pure decisions.
export type { User } from './user.ts';
