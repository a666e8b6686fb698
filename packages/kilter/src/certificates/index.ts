// X.509 keys, authorities and leaves over node:crypto. No Kubernetes word in here.
export { type Authority, type AuthorityOptions, createAuthority } from './authority.ts';
export { issue, type Leaf, type LeafOptions, type LeafUsage } from './leaf.ts';
export type { CertifiedKey } from './certificate.ts';
