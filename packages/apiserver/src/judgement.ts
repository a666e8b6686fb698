// @kilter/apiserver/schema: what a server says of a schema, and of an object by its schema, without a server.
export {
  applyDefaults,
  metadataIssues,
  prune,
  type Pruned,
  type ScaleFields,
  unknownFieldText,
  type Verdict,
  verdictOn,
} from './schema/index.ts';
export { structuralProblems } from './structural/index.ts';
export type { Issue, Schema, ValidationRule } from './values/index.ts';
