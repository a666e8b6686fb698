// Kinds as data: what is served, and what each built-in kind defaults, refuses and keeps.
export { builtinKind, withStrategy } from './builtin-kinds.ts';
export { qosClass } from './builtin-pod-defaults.ts';
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
  SubresourceUpdate,
} from './definition.ts';
export { readCertificateRequest } from './certificate-request.ts';
export { conditionFor, withDisruptionCondition } from './disruption-budget.ts';
export {
  dedupeOwners,
  finalizersOf,
  metadataIssues,
  metadataUpdateIssues,
  metadataWarnings,
} from './metadata-rules.ts';
export { conditionIssues, labelSelectorIssues, oneOfIssues, ruleIssues } from './matching-rules.ts';
export { conversionIssues } from './webhook-rules.ts';
export { serviceRange } from './service-range.ts';
export { dns1035Label, keyProblems, labelValueProblems, nameProblems, subdomainProblems } from './names.ts';
