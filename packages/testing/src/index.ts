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
  type PermissionUse,
  type WaitOptions,
} from './cluster/index.ts';
export {
  type Binaries,
  clusterControllers,
  controlPlane,
  type ControlPlane,
  type ControlPlaneOptions,
  findBinaries,
  type FoundBinaries,
  installControlPlane,
  type InstallOptions,
  workloadControllers,
} from './controlplane/index.ts';
export { crashEveryWrite, type CrashOptions, type CrashReport } from './crashes/index.ts';
export {
  RoundTripError,
  roundTrips,
  type RoundTripsOptions,
  type RoundTripsReport,
  type VersionedKind,
} from './roundtrips/index.ts';
export { validate, type ValidateOptions, type Validation } from './validate/index.ts';
export {
  apiServer,
  type ApiServer,
  type ApiServerOptions,
  type RecordedRequest,
  type ServedAddress,
  type Snapshot,
} from '@kilter/apiserver';
export { virtualClock, virtualRuntime } from 'kilter/runtime';
