// What a pod asks for: containers, volumes, where it may run.
import type { ObjectMeta } from '../../../api/index.ts';
import type {
  AppArmorProfile,
  Container,
  EphemeralContainer,
  ResourceRequirements,
  SELinuxOptions,
  SeccompProfile,
  WindowsSecurityContextOptions,
} from './container.ts';
import type { LabelSelector } from '../../meta/v1.ts';
import type { LocalObjectReference } from './reference.ts';
import type { Volume } from './volume.ts';

export interface PodSpec {
  activeDeadlineSeconds?: number | undefined;
  affinity?: Affinity | undefined;
  automountServiceAccountToken?: boolean | undefined;
  containers: Container[];
  dnsConfig?: PodDNSConfig | undefined;
  dnsPolicy?: string | undefined;
  enableServiceLinks?: boolean | undefined;
  ephemeralContainers?: EphemeralContainer[] | undefined;
  hostAliases?: HostAlias[] | undefined;
  hostIPC?: boolean | undefined;
  hostNetwork?: boolean | undefined;
  hostPID?: boolean | undefined;
  hostUsers?: boolean | undefined;
  hostname?: string | undefined;
  hostnameOverride?: string | undefined;
  imagePullSecrets?: LocalObjectReference[] | undefined;
  initContainers?: Container[] | undefined;
  nodeName?: string | undefined;
  nodeSelector?: Record<string, string> | undefined;
  os?: PodOS | undefined;
  overhead?: Record<string, string> | undefined;
  preemptionPolicy?: string | undefined;
  priority?: number | undefined;
  priorityClassName?: string | undefined;
  readinessGates?: PodReadinessGate[] | undefined;
  resourceClaims?: PodResourceClaim[] | undefined;
  resources?: ResourceRequirements | undefined;
  restartPolicy?: string | undefined;
  runtimeClassName?: string | undefined;
  schedulerName?: string | undefined;
  schedulingGates?: PodSchedulingGate[] | undefined;
  schedulingGroup?: PodSchedulingGroup | undefined;
  securityContext?: PodSecurityContext | undefined;
  serviceAccount?: string | undefined;
  serviceAccountName?: string | undefined;
  setHostnameAsFQDN?: boolean | undefined;
  shareProcessNamespace?: boolean | undefined;
  subdomain?: string | undefined;
  terminationGracePeriodSeconds?: number | undefined;
  tolerations?: Toleration[] | undefined;
  topologySpreadConstraints?: TopologySpreadConstraint[] | undefined;
  volumes?: Volume[] | undefined;
}

export interface PodTemplateSpec {
  metadata?: Partial<ObjectMeta> | undefined;
  spec?: PodSpec | undefined;
}

export interface Affinity {
  nodeAffinity?: NodeAffinity | undefined;
  podAffinity?: PodAffinity | undefined;
  podAntiAffinity?: PodAntiAffinity | undefined;
}

export interface NodeAffinity {
  preferredDuringSchedulingIgnoredDuringExecution?: PreferredSchedulingTerm[] | undefined;
  requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector | undefined;
}

export interface PreferredSchedulingTerm {
  preference: NodeSelectorTerm;
  weight: number;
}

export interface NodeSelectorTerm {
  matchExpressions?: NodeSelectorRequirement[] | undefined;
  matchFields?: NodeSelectorRequirement[] | undefined;
}

export interface NodeSelectorRequirement {
  key: string;
  operator: string;
  values?: string[] | undefined;
}

export interface NodeSelector {
  nodeSelectorTerms: NodeSelectorTerm[];
}

export interface PodAffinity {
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[] | undefined;
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[] | undefined;
}

export interface WeightedPodAffinityTerm {
  podAffinityTerm: PodAffinityTerm;
  weight: number;
}

export interface PodAffinityTerm {
  labelSelector?: LabelSelector | undefined;
  matchLabelKeys?: string[] | undefined;
  mismatchLabelKeys?: string[] | undefined;
  namespaceSelector?: LabelSelector | undefined;
  namespaces?: string[] | undefined;
  topologyKey: string;
}

export interface PodAntiAffinity {
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[] | undefined;
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[] | undefined;
}

export interface PodDNSConfig {
  nameservers?: string[] | undefined;
  options?: PodDNSConfigOption[] | undefined;
  searches?: string[] | undefined;
}

export interface PodDNSConfigOption {
  name?: string | undefined;
  value?: string | undefined;
}

export interface HostAlias {
  hostnames?: string[] | undefined;
  ip: string;
}

export interface PodOS {
  name: string;
}

export interface PodReadinessGate {
  conditionType: string;
}

export interface PodResourceClaim {
  name: string;
  resourceClaimName?: string | undefined;
  resourceClaimTemplateName?: string | undefined;
}

export interface PodSchedulingGate {
  name: string;
}

export interface PodSchedulingGroup {
  podGroupName?: string | undefined;
}

export interface PodSecurityContext {
  appArmorProfile?: AppArmorProfile | undefined;
  fsGroup?: number | undefined;
  fsGroupChangePolicy?: string | undefined;
  runAsGroup?: number | undefined;
  runAsNonRoot?: boolean | undefined;
  runAsUser?: number | undefined;
  seLinuxChangePolicy?: string | undefined;
  seLinuxOptions?: SELinuxOptions | undefined;
  seccompProfile?: SeccompProfile | undefined;
  supplementalGroups?: number[] | undefined;
  supplementalGroupsPolicy?: string | undefined;
  sysctls?: Sysctl[] | undefined;
  windowsOptions?: WindowsSecurityContextOptions | undefined;
}

export interface Sysctl {
  name: string;
  value: string;
}

export interface Toleration {
  effect?: string | undefined;
  key?: string | undefined;
  operator?: string | undefined;
  tolerationSeconds?: number | undefined;
  value?: string | undefined;
}

export interface TopologySpreadConstraint {
  labelSelector?: LabelSelector | undefined;
  matchLabelKeys?: string[] | undefined;
  maxSkew: number;
  minDomains?: number | undefined;
  nodeAffinityPolicy?: string | undefined;
  nodeTaintsPolicy?: string | undefined;
  topologyKey: string;
  whenUnsatisfiable: string;
}
