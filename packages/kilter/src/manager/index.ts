// Composition: operators and connections, order of start and stop, probes, signals.
export { connect, type ConnectOptions, connectTo, type ConnectToOptions } from './connect.ts';
export type { OperatorDescription } from './describe.ts';
export type { AddedWatch, Manager } from './manager.ts';
export { operator, type Operator, type StartOptions } from './operator.ts';
export type { RunOptions } from './run.ts';
export type { CacheOptions, LeaderElection, OperatorChecks, OperatorOptions, RequestRate } from './options.ts';
export { type Part, part, type PartContext, type PartOptions, type PartWrites } from './part.ts';
export type { Permissions, PermissionsOptions } from './permissions.ts';
export type { SecureMetrics } from './secure-metrics.ts';
export { type RbacOptions, rbacManifests } from './rbac-manifests.ts';
