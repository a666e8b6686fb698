// Kinds as data: what is served, and what each built-in kind defaults, refuses and keeps.
export { builtinDeprecation, secondForm } from './builtin-forms.ts';
export { builtinResources, builtinSchema } from './builtin.ts';
export { Catalog, plainlyServed, type Served } from './catalog.ts';
export type { PrinterColumn, ResourceDefinition, ScalePaths, Strategy, StrategyContext } from './definition.ts';
export { withKindRules } from './kind-rules.ts';
export {
  dedupeOwners,
  finalizersOf,
  metadataIssues,
  metadataUpdateIssues,
  metadataWarnings,
} from './metadata-rules.ts';
export { dns1035Label, keyProblems, labelValueProblems, subdomainProblems } from './names.ts';
