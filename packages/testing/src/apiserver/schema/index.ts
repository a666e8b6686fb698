// Structural schemas: defaulting, pruning, validation, CEL rules. Pure.
export type { Issue, Schema, ValidationRule } from './schema.ts';
