// A Kubernetes API server inside this process.
export { apiServer } from './api-server.ts';
export type { IssuerOptions } from './auth/index.ts';
export type { CertifiedUser } from './client-authority.ts';
export {
  type Fault,
  type FaultStatus,
  type FaultRule,
  jsonResponse,
  listen,
  type Listener,
  type ListenOptions,
  type PodAttach,
  type PodAttachRequest,
  type PodConnectionRequest,
  type PodExec,
  type PodExecRequest,
  type PodForward,
  type PodForwardRequest,
  type PodHandlers,
  type PodLogRequest,
  type PodLogs,
  type PodPort,
  type PodProgram,
  type PodStreams,
  type Protocol,
  type RecordedRequest,
  RequestJournal,
  type ServerRequest,
  type ServerResponse,
  type TerminalSize,
} from './http/index.ts';
export { type ServerRegistry, type Snapshot, SnapshotRefused } from './registry/index.ts';
export type { ApiServer, ApiServerOptions, ControllerOptions, ServedAddress } from './server-interface.ts';
export type { ServeOptions } from './serving.ts';
export type { SnapshotObject } from './storage/index.ts';
export type { UsersByToken } from './users.ts';
export type {
  ServiceHandler,
  ServiceReference,
  ServiceRequest,
  ServiceResolver,
  ServiceResponse,
} from './webhooks/index.ts';
export type { PodTimes, WorkloadOptions } from './workloads/index.ts';
