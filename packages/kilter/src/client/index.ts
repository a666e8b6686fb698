// Typed verbs over the transport: reads, writes, patches, apply, watch.
export type {
  ApplyOptions,
  Change,
  Client,
  DeleteOptions,
  DraftFor,
  ListOptions,
  ListPage,
  PageOptions,
  PatchOptions,
  Reader,
  ReadOptions,
  WatchOptions,
  WriteOptions,
  Writer,
} from './client.ts';
export { type ClientOptions, createClient } from './create-client.ts';
export { mergeDifference } from './merge-difference.ts';
export {
  json,
  type JsonOperation,
  type JsonPatch,
  type Patch,
  type PatchBody,
  strategic,
  type StrategicPatch,
} from './patch.ts';
