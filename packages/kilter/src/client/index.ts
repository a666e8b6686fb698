// Typed verbs over the transport: reads, writes, patches, apply, watch, logs, discovery, access reviews.
export type { AccessQuestion, AccessVerb } from './access-question.ts';
export type { Access } from './access-review.ts';
export type { Change, ListPage } from './answers.ts';
export type { Answered, BodyOf, Client, DraftFor, ManagedClient, Reader, Subresource, Writer } from './client.ts';
export { type ClientOptions, createClient } from './create-client.ts';
export type { Discovery, DiscoveryFailure, ServedKinds } from './discovery.ts';
export type { DiscoveredKind, DiscoveredSubresource } from './discovery-documents.ts';
export { mergeDifference } from './merge-difference.ts';
export type {
  ApplyOptions,
  CallOptions,
  ClientDefaults,
  DeleteAllOptions,
  DeleteOptions,
  EachOptions,
  EvictOptions,
  ListOptions,
  LogOptions,
  PageOptions,
  EditOptions,
  PatchOptions,
  ReadOptions,
  Seen,
  SelectOptions,
  TokenOptions,
  WatchOptions,
  WriteOptions,
} from './options.ts';
export { checkOptions } from './option-names.ts';
export {
  json,
  type JsonOperation,
  type JsonPatch,
  type Patch,
  type PatchBody,
  strategic,
  type StrategicPatch,
} from './patch.ts';
export {
  rawReads,
  type RawChange,
  type RawIntake,
  type RawPage,
  type RawReads,
  type WithRawReads,
} from './raw-reads.ts';
export { namesOf } from './target.ts';
export type { ServerVersion } from './server-version.ts';
export type { Scale, ServiceAccountToken, SubresourceBody, Unstructured } from './subresource-bodies.ts';
