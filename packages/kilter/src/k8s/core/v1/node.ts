// A machine and what it offers.

export interface NodeSpec {
  configSource?: NodeConfigSource | undefined;
  externalID?: string | undefined;
  podCIDR?: string | undefined;
  podCIDRs?: string[] | undefined;
  providerID?: string | undefined;
  taints?: Taint[] | undefined;
  unschedulable?: boolean | undefined;
}

export interface NodeConfigSource {
  configMap?: ConfigMapNodeConfigSource | undefined;
}

export interface ConfigMapNodeConfigSource {
  kubeletConfigKey: string;
  name: string;
  namespace: string;
  resourceVersion?: string | undefined;
  uid?: string | undefined;
}

export interface Taint {
  effect: string;
  key: string;
  timeAdded?: string | undefined;
  value?: string | undefined;
}

export interface NodeStatus {
  addresses?: NodeAddress[] | undefined;
  allocatable?: Record<string, string> | undefined;
  capacity?: Record<string, string> | undefined;
  conditions?: NodeCondition[] | undefined;
  config?: NodeConfigStatus | undefined;
  daemonEndpoints?: NodeDaemonEndpoints | undefined;
  declaredFeatures?: string[] | undefined;
  features?: NodeFeatures | undefined;
  images?: ContainerImage[] | undefined;
  nodeInfo?: NodeSystemInfo | undefined;
  phase?: string | undefined;
  runtimeHandlers?: NodeRuntimeHandler[] | undefined;
  volumesAttached?: AttachedVolume[] | undefined;
  volumesInUse?: string[] | undefined;
}

export interface NodeAddress {
  address: string;
  type: string;
}

export interface NodeCondition {
  lastHeartbeatTime?: string | undefined;
  lastTransitionTime?: string | undefined;
  message?: string | undefined;
  reason?: string | undefined;
  status: string;
  type: string;
}

export interface NodeConfigStatus {
  active?: NodeConfigSource | undefined;
  assigned?: NodeConfigSource | undefined;
  error?: string | undefined;
  lastKnownGood?: NodeConfigSource | undefined;
}

export interface NodeDaemonEndpoints {
  kubeletEndpoint?: DaemonEndpoint | undefined;
}

export interface DaemonEndpoint {
  Port: number;
}

export interface NodeFeatures {
  supplementalGroupsPolicy?: boolean | undefined;
}

export interface ContainerImage {
  names?: string[] | undefined;
  sizeBytes?: number | undefined;
}

export interface NodeSystemInfo {
  architecture: string;
  bootID: string;
  containerRuntimeVersion: string;
  kernelVersion: string;
  kubeProxyVersion: string;
  kubeletVersion: string;
  machineID: string;
  operatingSystem: string;
  osImage: string;
  swap?: NodeSwapStatus | undefined;
  systemUUID: string;
}

export interface NodeSwapStatus {
  capacity?: number | undefined;
}

export interface NodeRuntimeHandler {
  features?: NodeRuntimeHandlerFeatures | undefined;
  name?: string | undefined;
}

export interface NodeRuntimeHandlerFeatures {
  recursiveReadOnlyMounts?: boolean | undefined;
  userNamespaces?: boolean | undefined;
}

export interface AttachedVolume {
  devicePath: string;
  name: string;
}
