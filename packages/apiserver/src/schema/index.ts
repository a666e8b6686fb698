// Structural schemas: defaulting, pruning, validation, CEL rules. Pure.
export { applyDefaults, type Nulls } from './defaults.ts';
export { duplicateFields } from './duplicate-fields.ts';
export { parseJson, stringifyJson } from './exact-json.ts';
export { goJsonProblem } from './go-json-problem.ts';
export { quote } from './go-text.ts';
export { jsonPath, JsonPathError, readPath } from './json-path.ts';
export type { NameRule } from './names.ts';
export { metadataIssues, type MetadataRules } from './object-metadata.ts';
export { prune, type Pruned, unknownFields } from './prune.ts';
export type { UncheckedRule } from './rules.ts';
export { type ScaleFields, scaleIssues } from './scale-fields.ts';
export type { Issue, Schema, ValidationRule } from './schema.ts';
export { duplicateFieldText, unknownFieldText } from './strict-decoding.ts';
export { structuralProblems, type StructuralContext } from './structural.ts';
export { validate, type ValidationContext, type Verdict, verdictOn } from './validate.ts';
