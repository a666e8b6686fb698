// Admission policies in CEL: validating and mutating ones, their bindings and parameters.
export { mutatingPolicies } from './mutating.ts';
export { withPolicyRules } from './policy-kinds.ts';
export { typeWarnings } from './type-check.ts';
export { validatingPolicies } from './validating.ts';
