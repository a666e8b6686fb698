// Kinds of the core group, version v1.
import { type BuiltinKind, kind, type ObjectMeta } from '../../api/index.ts';
import type { NodeSpec, NodeStatus } from './v1/node.ts';
import type { PodSpec } from './v1/pod-spec.ts';
import type { PodStatus } from './v1/pod-status.ts';
import type { LocalObjectReference, ObjectReference } from './v1/reference.ts';
import type { ServiceSpec, ServiceStatus } from './v1/service.ts';

export type {
  AppArmorProfile,
  Capabilities,
  ConfigMapEnvSource,
  ConfigMapKeySelector,
  Container,
  ContainerPort,
  ContainerResizePolicy,
  ContainerRestartRule,
  ContainerRestartRuleOnExitCodes,
  EnvFromSource,
  EnvVar,
  EnvVarSource,
  EphemeralContainer,
  ExecAction,
  FileKeySelector,
  GRPCAction,
  HTTPGetAction,
  HTTPHeader,
  Lifecycle,
  LifecycleHandler,
  ObjectFieldSelector,
  Probe,
  ResourceClaim,
  ResourceFieldSelector,
  ResourceRequirements,
  SELinuxOptions,
  SeccompProfile,
  SecretEnvSource,
  SecretKeySelector,
  SecurityContext,
  SleepAction,
  TCPSocketAction,
  VolumeDevice,
  VolumeMount,
  WindowsSecurityContextOptions,
} from './v1/container.ts';
export type {
  AttachedVolume,
  ConfigMapNodeConfigSource,
  ContainerImage,
  DaemonEndpoint,
  NodeAddress,
  NodeCondition,
  NodeConfigSource,
  NodeConfigStatus,
  NodeDaemonEndpoints,
  NodeFeatures,
  NodeRuntimeHandler,
  NodeRuntimeHandlerFeatures,
  NodeSpec,
  NodeStatus,
  NodeSwapStatus,
  NodeSystemInfo,
  Taint,
} from './v1/node.ts';
export type {
  Affinity,
  HostAlias,
  NodeAffinity,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodAffinity,
  PodAffinityTerm,
  PodAntiAffinity,
  PodDNSConfig,
  PodDNSConfigOption,
  PodOS,
  PodReadinessGate,
  PodResourceClaim,
  PodSchedulingGate,
  PodSchedulingGroup,
  PodSecurityContext,
  PodSpec,
  PodTemplateSpec,
  PreferredSchedulingTerm,
  Sysctl,
  Toleration,
  TopologySpreadConstraint,
  WeightedPodAffinityTerm,
} from './v1/pod-spec.ts';
export type {
  ContainerExtendedResourceRequest,
  ContainerState,
  ContainerStateRunning,
  ContainerStateTerminated,
  ContainerStateWaiting,
  ContainerStatus,
  ContainerUser,
  HostIP,
  ImageVolumeStatus,
  LinuxContainerUser,
  NodeAllocatableResourceClaimStatus,
  PodCondition,
  PodExtendedResourceClaimStatus,
  PodIP,
  PodResourceClaimStatus,
  PodStatus,
  ResourceHealth,
  ResourceStatus,
  VolumeMountStatus,
  VolumeStatus,
} from './v1/pod-status.ts';
export type {
  LocalObjectReference,
  ObjectReference,
  TypedLocalObjectReference,
  TypedObjectReference,
} from './v1/reference.ts';
export type {
  ClientIPConfig,
  LoadBalancerIngress,
  LoadBalancerStatus,
  PortStatus,
  ServicePort,
  ServiceSpec,
  ServiceStatus,
  SessionAffinityConfig,
} from './v1/service.ts';
export type {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  AzureFileVolumeSource,
  CSIVolumeSource,
  CephFSVolumeSource,
  CinderVolumeSource,
  ClusterTrustBundleProjection,
  ConfigMapProjection,
  ConfigMapVolumeSource,
  DownwardAPIProjection,
  DownwardAPIVolumeFile,
  DownwardAPIVolumeSource,
  EmptyDirVolumeSource,
  EphemeralVolumeSource,
  FCVolumeSource,
  FlexVolumeSource,
  FlockerVolumeSource,
  GCEPersistentDiskVolumeSource,
  GitRepoVolumeSource,
  GlusterfsVolumeSource,
  HostPathVolumeSource,
  ISCSIVolumeSource,
  ImageVolumeSource,
  KeyToPath,
  NFSVolumeSource,
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimTemplate,
  PersistentVolumeClaimVolumeSource,
  PhotonPersistentDiskVolumeSource,
  PodCertificateProjection,
  PortworxVolumeSource,
  ProjectedVolumeSource,
  QuobyteVolumeSource,
  RBDVolumeSource,
  ScaleIOVolumeSource,
  SecretProjection,
  SecretVolumeSource,
  ServiceAccountTokenProjection,
  StorageOSVolumeSource,
  Volume,
  VolumeProjection,
  VolumeResourceRequirements,
  VsphereVirtualDiskVolumeSource,
} from './v1/volume.ts';

export interface ConfigMap {
  apiVersion: 'v1';
  kind: 'ConfigMap';
  metadata: ObjectMeta;
  binaryData?: Record<string, string> | undefined;
  data?: Record<string, string> | undefined;
  immutable?: boolean | undefined;
}
export const ConfigMap: BuiltinKind<ConfigMap> = /* @__PURE__ */ kind({
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  scope: 'Namespaced',
  shortNames: ['cm'],
});

export interface Event {
  apiVersion: 'v1';
  kind: 'Event';
  metadata: ObjectMeta;
  action?: string | undefined;
  count?: number | undefined;
  eventTime?: string | undefined;
  firstTimestamp?: string | undefined;
  involvedObject: ObjectReference;
  lastTimestamp?: string | undefined;
  message?: string | undefined;
  reason?: string | undefined;
  related?: ObjectReference | undefined;
  reportingComponent?: string | undefined;
  reportingInstance?: string | undefined;
  series?: EventSeries | undefined;
  source?: EventSource | undefined;
  type?: string | undefined;
}
export const Event: BuiltinKind<Event> = /* @__PURE__ */ kind({
  group: '',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  scope: 'Namespaced',
  shortNames: ['ev'],
});

export interface Namespace {
  apiVersion: 'v1';
  kind: 'Namespace';
  metadata: ObjectMeta;
  spec?: NamespaceSpec | undefined;
  status?: NamespaceStatus | undefined;
}
export const Namespace: BuiltinKind<Namespace> = /* @__PURE__ */ kind({
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  scope: 'Cluster',
  shortNames: ['ns'],
});

export interface Node {
  apiVersion: 'v1';
  kind: 'Node';
  metadata: ObjectMeta;
  spec?: NodeSpec | undefined;
  status?: NodeStatus | undefined;
}
export const Node: BuiltinKind<Node> = /* @__PURE__ */ kind({
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  scope: 'Cluster',
  shortNames: ['no'],
});

export interface Pod {
  apiVersion: 'v1';
  kind: 'Pod';
  metadata: ObjectMeta;
  spec?: PodSpec | undefined;
  status?: PodStatus | undefined;
}
export const Pod: BuiltinKind<Pod> = /* @__PURE__ */ kind({
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  scope: 'Namespaced',
  shortNames: ['po'],
});

export interface Secret {
  apiVersion: 'v1';
  kind: 'Secret';
  metadata: ObjectMeta;
  data?: Record<string, string> | undefined;
  immutable?: boolean | undefined;
  stringData?: Record<string, string> | undefined;
  type?: string | undefined;
}
export const Secret: BuiltinKind<Secret> = /* @__PURE__ */ kind({
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  scope: 'Namespaced',
});

export interface Service {
  apiVersion: 'v1';
  kind: 'Service';
  metadata: ObjectMeta;
  spec?: ServiceSpec | undefined;
  status?: ServiceStatus | undefined;
}
export const Service: BuiltinKind<Service> = /* @__PURE__ */ kind({
  group: '',
  version: 'v1',
  kind: 'Service',
  plural: 'services',
  scope: 'Namespaced',
  shortNames: ['svc'],
});

export interface ServiceAccount {
  apiVersion: 'v1';
  kind: 'ServiceAccount';
  metadata: ObjectMeta;
  automountServiceAccountToken?: boolean | undefined;
  imagePullSecrets?: LocalObjectReference[] | undefined;
  secrets?: ObjectReference[] | undefined;
}
export const ServiceAccount: BuiltinKind<ServiceAccount> = /* @__PURE__ */ kind({
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  scope: 'Namespaced',
  shortNames: ['sa'],
});

export interface NamespaceSpec {
  finalizers?: string[] | undefined;
}

export interface NamespaceStatus {
  conditions?: NamespaceCondition[] | undefined;
  phase?: string | undefined;
}

export interface NamespaceCondition {
  lastTransitionTime?: string | undefined;
  message?: string | undefined;
  reason?: string | undefined;
  status: string;
  type: string;
}

export interface EventSeries {
  count?: number | undefined;
  lastObservedTime?: string | undefined;
}

export interface EventSource {
  component?: string | undefined;
  host?: string | undefined;
}
