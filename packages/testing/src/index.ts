// API servers for tests and development, embedded or real, and the harness around them.
export {
  type Backend,
  cluster,
  type Cluster,
  type ClusterOptions,
  type ControlPlaneCluster,
  type EmbeddedCluster,
  type EmbeddedClusterOptions,
  type Expected,
  type WaitOptions,
} from './cluster.ts';
export type { RecordedRequest } from './cluster/request-journal.ts';
export {
  type Binaries,
  clusterControllers,
  controlPlane,
  type ControlPlane,
  type ControlPlaneOptions,
  findBinaries,
  workloadControllers,
} from './controlplane/index.ts';
export {
  embeddedServer as apiServer,
  type EmbeddedServer,
  type EmbeddedServerOptions,
  type ServedAddress,
} from './embedded-server.ts';
export {
  RoundTripError,
  roundTrips,
  type RoundTripsOptions,
  type RoundTripsReport,
  type VersionedKind,
} from './round-trips/index.ts';
export { validate, type ValidateOptions, type Validation } from './validate.ts';
export { virtualClock, virtualRuntime } from 'kilter/runtime';
