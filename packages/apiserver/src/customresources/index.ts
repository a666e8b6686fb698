// What a CustomResourceDefinition says: its rules, its status, and the resources it serves. Pure.
export { definitionIssues, isEstablished } from './crd-rules.ts';
export {
  approvedStatus,
  claimsOf,
  cleanupFinalizer,
  clearing,
  createdStatus,
  establishedStatus,
  type NameClaims,
  namedStatus,
  terminating,
  withStoredVersions,
} from './crd-status.ts';
export { servedBy } from './custom-definition.ts';
