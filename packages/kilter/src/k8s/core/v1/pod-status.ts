// What became of a pod.
import type { ResourceRequirements } from './container.ts';

export interface PodStatus {
  allocatedResources?: Record<string, string> | undefined;
  conditions?: PodCondition[] | undefined;
  containerStatuses?: ContainerStatus[] | undefined;
  ephemeralContainerStatuses?: ContainerStatus[] | undefined;
  extendedResourceClaimStatus?: PodExtendedResourceClaimStatus | undefined;
  hostIP?: string | undefined;
  hostIPs?: HostIP[] | undefined;
  initContainerStatuses?: ContainerStatus[] | undefined;
  message?: string | undefined;
  nodeAllocatableResourceClaimStatuses?: NodeAllocatableResourceClaimStatus[] | undefined;
  nominatedNodeName?: string | undefined;
  observedGeneration?: number | undefined;
  phase?: string | undefined;
  podIP?: string | undefined;
  podIPs?: PodIP[] | undefined;
  qosClass?: string | undefined;
  reason?: string | undefined;
  resize?: string | undefined;
  resourceClaimStatuses?: PodResourceClaimStatus[] | undefined;
  resources?: ResourceRequirements | undefined;
  startTime?: string | undefined;
}

export interface PodCondition {
  lastProbeTime?: string | undefined;
  lastTransitionTime?: string | undefined;
  message?: string | undefined;
  observedGeneration?: number | undefined;
  reason?: string | undefined;
  status: string;
  type: string;
}

export interface ContainerStatus {
  allocatedResources?: Record<string, string> | undefined;
  allocatedResourcesStatus?: ResourceStatus[] | undefined;
  containerID?: string | undefined;
  image: string;
  imageID: string;
  lastState?: ContainerState | undefined;
  name: string;
  ready: boolean;
  resources?: ResourceRequirements | undefined;
  restartCount: number;
  started?: boolean | undefined;
  state?: ContainerState | undefined;
  stopSignal?: string | undefined;
  user?: ContainerUser | undefined;
  volumeMounts?: VolumeMountStatus[] | undefined;
}

export interface ResourceStatus {
  name: string;
  resources?: ResourceHealth[] | undefined;
}

export interface ResourceHealth {
  health?: string | undefined;
  message?: string | undefined;
  resourceID: string;
}

export interface ContainerState {
  running?: ContainerStateRunning | undefined;
  terminated?: ContainerStateTerminated | undefined;
  waiting?: ContainerStateWaiting | undefined;
}

export interface ContainerStateRunning {
  startedAt?: string | undefined;
}

export interface ContainerStateTerminated {
  containerID?: string | undefined;
  exitCode: number;
  finishedAt?: string | undefined;
  message?: string | undefined;
  reason?: string | undefined;
  signal?: number | undefined;
  startedAt?: string | undefined;
}

export interface ContainerStateWaiting {
  message?: string | undefined;
  reason?: string | undefined;
}

export interface ContainerUser {
  linux?: LinuxContainerUser | undefined;
}

export interface LinuxContainerUser {
  gid: number;
  supplementalGroups?: number[] | undefined;
  uid: number;
}

export interface VolumeMountStatus {
  mountPath: string;
  name: string;
  readOnly?: boolean | undefined;
  recursiveReadOnly?: string | undefined;
  volumeStatus?: VolumeStatus | undefined;
}

export interface VolumeStatus {
  image?: ImageVolumeStatus | undefined;
}

export interface ImageVolumeStatus {
  imageRef: string;
}

export interface PodExtendedResourceClaimStatus {
  requestMappings: ContainerExtendedResourceRequest[];
  resourceClaimName: string;
}

export interface ContainerExtendedResourceRequest {
  containerName: string;
  requestName: string;
  resourceName: string;
}

export interface HostIP {
  ip: string;
}

export interface NodeAllocatableResourceClaimStatus {
  containers?: string[] | undefined;
  resourceClaimName: string;
  resources: Record<string, string>;
}

export interface PodIP {
  ip: string;
}

export interface PodResourceClaimStatus {
  name: string;
  resourceClaimName?: string | undefined;
}
