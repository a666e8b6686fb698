// One harness over three grounds: the embedded server, a real control plane, an existing cluster.
export {
  cluster,
  type ClusterOptions,
  type ControlPlaneCluster,
  type EmbeddedCluster,
  type EmbeddedClusterOptions,
} from './cluster.ts';
export type { Backend } from './backend.ts';
export type { Expected } from './expectation.ts';
export { type Cluster, type WaitOptions, webhooksOf } from './harness.ts';
export type { PermissionUse } from './permission-use.ts';
export { difference } from './difference.ts';
export { checkOptions } from './known-options.ts';
export { isVirtual, Waiting } from './waiting.ts';
export { withExchange } from './with-exchange.ts';
