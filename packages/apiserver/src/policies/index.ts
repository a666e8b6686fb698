// Admission policies in CEL: validating and mutating ones, their bindings and parameters.
export { mutatingPolicies } from './mutating.ts';
export { validatingPolicies } from './validating.ts';
