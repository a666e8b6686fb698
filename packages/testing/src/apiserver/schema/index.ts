// Structural schemas: defaulting, pruning, validation, CEL rules. Pure.
export { applyDefaults } from './defaults.ts';
export { duplicateFields } from './duplicate-fields.ts';
export { prune, type Pruned, unknownFields } from './prune.ts';
export type { Issue, Schema, ValidationRule } from './schema.ts';
export { duplicateFieldText, unknownFieldText } from './strict-decoding.ts';
export { validate, type ValidationContext, type Verdict, verdictOn } from './validate.ts';
