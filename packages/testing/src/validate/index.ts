// What the server would say of an object of a custom resource, without a server.
export { type DefinedKind, validate, type ValidateOptions, type Validation, type ValidationError } from './validate.ts';
