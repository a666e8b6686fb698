// Kinds as data: what is served, and what each built-in kind defaults, refuses and keeps.
export { builtinKind, withStrategy } from './builtin-kinds.ts';
export { builtinResources, builtinSchema } from './builtin.ts';
export { Catalog, plainlyServed, type Served } from './catalog.ts';
export type {
  Action,
  ActionRequest,
  Admission,
  Answering,
  AnswerRequest,
  NamedResource,
  NodePort,
  PrinterColumn,
  ResourceDefinition,
  ScalePaths,
  Strategy,
  StrategyContext,
} from './definition.ts';
export { conditionFor, withDisruptionCondition } from './disruption-budget.ts';
export {
  dedupeOwners,
  finalizersOf,
  metadataIssues,
  metadataUpdateIssues,
  metadataWarnings,
} from './metadata-rules.ts';
export { conversionIssues } from './webhook-rules.ts';
export { dns1035Label, keyProblems, labelValueProblems, subdomainProblems } from './names.ts';
