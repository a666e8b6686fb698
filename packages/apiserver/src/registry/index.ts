// Kinds, verbs, subresources, deletion: what a request does to the stored objects.
export { builtinResources } from './builtin.ts';
export type { Answer, Call, PatchType, Registry, ServerClock, StoredChange, Verb, WatchEvent } from './call.ts';
export { bodySummary } from './decode-body.ts';
export type {
  DeletionRules,
  PrinterColumn,
  ResourceDefinition,
  ScalePaths,
  Strategy,
  StrategyContext,
} from './definition.ts';
export {
  badRequest,
  entityTooLarge,
  methodNotAllowed,
  notAcceptable,
  unauthorized,
  unavailable,
  unknownResource,
  unsupportedMediaType,
} from './refusals.ts';
export { createRegistry, type RegistryOptions, type ServerRegistry } from './registry.ts';
export { type StatusDetails, StatusError, type StatusFields } from './status-error.ts';
export { callAs, type InternalCall } from './internal-call.ts';
