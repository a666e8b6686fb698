// An embedded API server for tests and development, and the harness around it.
export { cluster, type Cluster, type ClusterOptions, type Expected, type WaitOptions } from './cluster.ts';
export {
  embeddedServer as apiServer,
  type EmbeddedServer,
  type EmbeddedServerOptions,
  type RecordedRequest,
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
