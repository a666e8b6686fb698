// From a definition to a type, a kind and a CustomResourceDefinition.
export type { CompatibilityChange, CompatibilityVerdict } from './compatibility-change.ts';
export {
  assertCompatible,
  type Compatibility,
  compatibility,
  type CompatibilityOptions,
  type CompatibilityWaiver,
} from './compatibility.ts';
export type { ConversionReport, ConvertOptions } from './conversion-object.ts';
export {
  type ConversionRequest,
  type ConversionResponse,
  type ConversionReview,
  type Convertible,
  convertReview,
  type ConvertReviewOptions,
} from './conversion-review.ts';
export type { ConversionEndpoint } from './conversion.ts';
export type { Conversion, Conversions, Definition, OlderVersion, PerVersion } from './definition.ts';
export { added, changed, deprecated, type FieldAction, type FieldActionMetadata, renamed } from './field-action.ts';
export {
  atLeastOneOf,
  atMostOneOf,
  atomic,
  condition,
  duration,
  embedded,
  entries,
  exactlyOneOf,
  immutable,
  listAtomic,
  listMap,
  listSet,
  matchedBy,
  quantity,
  rule,
  type Rule,
  type OneOf,
  type RuleMetadata,
  type RuleOptions,
  type RuleReason,
} from './metadata.ts';
export type { Naming } from './names.ts';
export type { Column, Scale } from './printing.ts';
export { type Problem, ResourceError } from './problem.ts';
export {
  type CommonStatus,
  type CustomObject,
  customResource,
  type CustomResource,
  type ManifestOptions,
  type ObjectOf,
  type ObservedObject,
  type VersionedResource,
} from './resource.ts';
export type { StandardIssue, StandardJsonSchema, StandardVerdict } from './standard.ts';
export { missingStoredVersions } from './versions-stored.ts';
export { fillDefaults } from './versions-evolution.ts';
