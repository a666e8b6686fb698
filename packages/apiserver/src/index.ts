// A Kubernetes API server inside this process, and the judgement of schemas on which it rests.
export { apiServer } from './api-server.ts';
export {
  type Fault,
  type FaultStatus,
  type FaultRule,
  jsonResponse,
  listen,
  type Listener,
  type ListenOptions,
  type Protocol,
  type RecordedRequest,
  RequestJournal,
  type ServerRequest,
  type ServerResponse,
} from './http/index.ts';
export { type Snapshot, SnapshotRefused } from './registry/index.ts';
export { applyDefaults, metadataIssues, prune, type ScaleFields, unknownFieldText, verdictOn } from './schema/index.ts';
export type { ApiServer, ApiServerOptions, ControllerOptions, ServedAddress } from './server-interface.ts';
export type { ServeOptions } from './serving.ts';
export { structuralProblems } from './structural/index.ts';
export type { SnapshotObject } from './storage/index.ts';
export type { UsersByToken } from './users.ts';
export type { Issue, Schema, ValidationRule } from './values/index.ts';
export type {
  ServiceHandler,
  ServiceReference,
  ServiceRequest,
  ServiceResolver,
  ServiceResponse,
} from './webhooks/index.ts';
export type { PodTimes, WorkloadOptions } from './workloads/index.ts';
