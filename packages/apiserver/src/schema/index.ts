// Structural schemas: defaulting, pruning, validation, CEL rules. Pure.
export { applyDefaults, type Nulls } from './defaults.ts';
export { duplicateFields } from './duplicate-fields.ts';
export { embeddedResourceIssues } from './embedded-resource.ts';
export { at, child, entry, noField } from './field-path.ts';
export { goJsonProblem } from './go-json-problem.ts';
export { forbidden, invalid, notSupported, omitted, required, typeInvalid } from './issue.ts';
export { jsonPath, JsonPathError, readPath } from './json-path.ts';
export { metadataIssues, type MetadataRules } from './object-metadata.ts';
export { prune, pruneBelow, type Pruned, unknownFields } from './prune.ts';
export { normalizeFieldPath } from './rule-field-path.ts';
export { declaredOf, programsOf } from './rule-programs.ts';
export { hasRules, type UncheckedRule, validateRules } from './rules.ts';
export { type ScaleFields, scaleIssues } from './scale-fields.ts';
export { duplicateFieldText, unknownFieldText } from './strict-decoding.ts';
export { validateValue } from './validate-value.ts';
export { validate, type ValidationContext, type Verdict, verdictOn } from './validate.ts';
