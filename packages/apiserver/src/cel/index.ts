// CEL: parsing, checking, cost and evaluation of rules. Pure.
export { type Authority, authorizerScope, authorizerValues } from './authorizer.ts';
export { toCel } from './data.ts';
export { type Declared, declaredBy, maxRequestSize, resourceSchema } from './declared.ts';
export { compile, type NoProgram, type Program } from './program.ts';
export { bool, type CelType, dyn, int, listOf, mapOf, string, timestamp, typeText } from './type.ts';
export type { Outcome } from './evaluate.ts';
export { CelFailure, CelOptional } from './value.ts';
export { celToJson, compileOver, untypedToCel, type VariableProgram } from './variables.ts';
