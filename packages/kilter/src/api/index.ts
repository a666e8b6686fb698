// The vocabulary: objects, kinds, references, selectors. Plain data and pure functions, no I/O.
export type { Cause, MergedCause } from './cause.ts';
export type { Duration } from './duration.ts';
export { isIncomplete, markIncomplete } from './incomplete.ts';
export type { Json, JsonObject } from './json.ts';
export {
  apiVersionOf,
  type BuiltinKind,
  groupVersionOf,
  type Identity,
  type Kind,
  kind,
  kindKey,
  kindLabel,
  type KindName,
  type KindNames,
  knownKind,
  metadataOf,
  rememberKind,
  type RequestKind,
  requestKind,
  type Scope,
  type SentTo,
} from '../kind/kind.ts';
export type {
  ClusterMeta,
  Condition,
  Draft,
  KubeObject,
  ManagedFieldsEntry,
  MetadataOf,
  ObjectMeta,
  OwnerReference,
  RequestMeta,
  Stored,
} from '../kind/object.ts';
export type { Applied, FieldsOf, Partially, Removable } from '../kind/partial.ts';
export type { FieldPath } from './path.ts';
export { type Permission, rulesOf } from './permission.ts';
export { keyOf, keyOfRef, type NamedRef, type Ref, refOfKey } from './ref.ts';
export { compareResourceVersions } from './resource-version.ts';
export { fieldsFault, labelsFault } from './selector-fault.ts';
export {
  type Fields,
  fieldSelector,
  type Labels,
  labelSelector,
  type LabelTerm,
  matchesLabels,
  parseLabelSelector,
} from './selector.ts';
export { formatMicroTime, formatTime, parseTime } from './time.ts';
export { absentWhenNull, withoutNulls } from './without-nulls.ts';
