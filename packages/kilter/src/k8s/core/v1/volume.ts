// What a pod can mount.
import type { ObjectMeta } from '../../../api/index.ts';
import type { ObjectFieldSelector, ResourceFieldSelector } from './container.ts';
import type { LabelSelector } from '../../meta/v1.ts';
import type { LocalObjectReference, TypedLocalObjectReference, TypedObjectReference } from './reference.ts';

export interface Volume {
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource | undefined;
  azureDisk?: AzureDiskVolumeSource | undefined;
  azureFile?: AzureFileVolumeSource | undefined;
  cephfs?: CephFSVolumeSource | undefined;
  cinder?: CinderVolumeSource | undefined;
  configMap?: ConfigMapVolumeSource | undefined;
  csi?: CSIVolumeSource | undefined;
  downwardAPI?: DownwardAPIVolumeSource | undefined;
  emptyDir?: EmptyDirVolumeSource | undefined;
  ephemeral?: EphemeralVolumeSource | undefined;
  fc?: FCVolumeSource | undefined;
  flexVolume?: FlexVolumeSource | undefined;
  flocker?: FlockerVolumeSource | undefined;
  gcePersistentDisk?: GCEPersistentDiskVolumeSource | undefined;
  gitRepo?: GitRepoVolumeSource | undefined;
  glusterfs?: GlusterfsVolumeSource | undefined;
  hostPath?: HostPathVolumeSource | undefined;
  image?: ImageVolumeSource | undefined;
  iscsi?: ISCSIVolumeSource | undefined;
  name: string;
  nfs?: NFSVolumeSource | undefined;
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource | undefined;
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource | undefined;
  portworxVolume?: PortworxVolumeSource | undefined;
  projected?: ProjectedVolumeSource | undefined;
  quobyte?: QuobyteVolumeSource | undefined;
  rbd?: RBDVolumeSource | undefined;
  scaleIO?: ScaleIOVolumeSource | undefined;
  secret?: SecretVolumeSource | undefined;
  storageos?: StorageOSVolumeSource | undefined;
  vsphereVolume?: VsphereVirtualDiskVolumeSource | undefined;
}

export interface AWSElasticBlockStoreVolumeSource {
  fsType?: string | undefined;
  partition?: number | undefined;
  readOnly?: boolean | undefined;
  volumeID: string;
}

export interface AzureDiskVolumeSource {
  cachingMode?: string | undefined;
  diskName: string;
  diskURI: string;
  fsType?: string | undefined;
  kind?: string | undefined;
  readOnly?: boolean | undefined;
}

export interface AzureFileVolumeSource {
  readOnly?: boolean | undefined;
  secretName: string;
  shareName: string;
}

export interface CephFSVolumeSource {
  monitors: string[];
  path?: string | undefined;
  readOnly?: boolean | undefined;
  secretFile?: string | undefined;
  secretRef?: LocalObjectReference | undefined;
  user?: string | undefined;
}

export interface CinderVolumeSource {
  fsType?: string | undefined;
  readOnly?: boolean | undefined;
  secretRef?: LocalObjectReference | undefined;
  volumeID: string;
}

export interface ConfigMapVolumeSource {
  defaultMode?: number | undefined;
  items?: KeyToPath[] | undefined;
  name?: string | undefined;
  optional?: boolean | undefined;
}

export interface KeyToPath {
  key: string;
  mode?: number | undefined;
  path: string;
}

export interface CSIVolumeSource {
  driver: string;
  fsType?: string | undefined;
  nodePublishSecretRef?: LocalObjectReference | undefined;
  readOnly?: boolean | undefined;
  volumeAttributes?: Record<string, string> | undefined;
}

export interface DownwardAPIVolumeSource {
  defaultMode?: number | undefined;
  items?: DownwardAPIVolumeFile[] | undefined;
}

export interface DownwardAPIVolumeFile {
  fieldRef?: ObjectFieldSelector | undefined;
  mode?: number | undefined;
  path: string;
  resourceFieldRef?: ResourceFieldSelector | undefined;
}

export interface EmptyDirVolumeSource {
  medium?: string | undefined;
  sizeLimit?: string | undefined;
}

export interface EphemeralVolumeSource {
  volumeClaimTemplate?: PersistentVolumeClaimTemplate | undefined;
}

export interface PersistentVolumeClaimTemplate {
  metadata?: Partial<ObjectMeta> | undefined;
  spec: PersistentVolumeClaimSpec;
}

export interface PersistentVolumeClaimSpec {
  accessModes?: string[] | undefined;
  dataSource?: TypedLocalObjectReference | undefined;
  dataSourceRef?: TypedObjectReference | undefined;
  resources?: VolumeResourceRequirements | undefined;
  selector?: LabelSelector | undefined;
  storageClassName?: string | undefined;
  volumeAttributesClassName?: string | undefined;
  volumeMode?: string | undefined;
  volumeName?: string | undefined;
}

export interface VolumeResourceRequirements {
  limits?: Record<string, string> | undefined;
  requests?: Record<string, string> | undefined;
}

export interface FCVolumeSource {
  fsType?: string | undefined;
  lun?: number | undefined;
  readOnly?: boolean | undefined;
  targetWWNs?: string[] | undefined;
  wwids?: string[] | undefined;
}

export interface FlexVolumeSource {
  driver: string;
  fsType?: string | undefined;
  options?: Record<string, string> | undefined;
  readOnly?: boolean | undefined;
  secretRef?: LocalObjectReference | undefined;
}

export interface FlockerVolumeSource {
  datasetName?: string | undefined;
  datasetUUID?: string | undefined;
}

export interface GCEPersistentDiskVolumeSource {
  fsType?: string | undefined;
  partition?: number | undefined;
  pdName: string;
  readOnly?: boolean | undefined;
}

export interface GitRepoVolumeSource {
  directory?: string | undefined;
  repository: string;
  revision?: string | undefined;
}

export interface GlusterfsVolumeSource {
  endpoints: string;
  path: string;
  readOnly?: boolean | undefined;
}

export interface HostPathVolumeSource {
  path: string;
  type?: string | undefined;
}

export interface ImageVolumeSource {
  pullPolicy?: string | undefined;
  reference?: string | undefined;
}

export interface ISCSIVolumeSource {
  chapAuthDiscovery?: boolean | undefined;
  chapAuthSession?: boolean | undefined;
  fsType?: string | undefined;
  initiatorName?: string | undefined;
  iqn: string;
  iscsiInterface?: string | undefined;
  lun: number;
  portals?: string[] | undefined;
  readOnly?: boolean | undefined;
  secretRef?: LocalObjectReference | undefined;
  targetPortal: string;
}

export interface NFSVolumeSource {
  path: string;
  readOnly?: boolean | undefined;
  server: string;
}

export interface PersistentVolumeClaimVolumeSource {
  claimName: string;
  readOnly?: boolean | undefined;
}

export interface PhotonPersistentDiskVolumeSource {
  fsType?: string | undefined;
  pdID: string;
}

export interface PortworxVolumeSource {
  fsType?: string | undefined;
  readOnly?: boolean | undefined;
  volumeID: string;
}

export interface ProjectedVolumeSource {
  defaultMode?: number | undefined;
  sources?: VolumeProjection[] | undefined;
}

export interface VolumeProjection {
  clusterTrustBundle?: ClusterTrustBundleProjection | undefined;
  configMap?: ConfigMapProjection | undefined;
  downwardAPI?: DownwardAPIProjection | undefined;
  podCertificate?: PodCertificateProjection | undefined;
  secret?: SecretProjection | undefined;
  serviceAccountToken?: ServiceAccountTokenProjection | undefined;
}

export interface ClusterTrustBundleProjection {
  labelSelector?: LabelSelector | undefined;
  name?: string | undefined;
  optional?: boolean | undefined;
  path: string;
  signerName?: string | undefined;
}

export interface ConfigMapProjection {
  items?: KeyToPath[] | undefined;
  name?: string | undefined;
  optional?: boolean | undefined;
}

export interface DownwardAPIProjection {
  items?: DownwardAPIVolumeFile[] | undefined;
}

export interface PodCertificateProjection {
  certificateChainPath?: string | undefined;
  credentialBundlePath?: string | undefined;
  keyPath?: string | undefined;
  keyType: string;
  maxExpirationSeconds?: number | undefined;
  signerName: string;
  userAnnotations?: Record<string, string> | undefined;
}

export interface SecretProjection {
  items?: KeyToPath[] | undefined;
  name?: string | undefined;
  optional?: boolean | undefined;
}

export interface ServiceAccountTokenProjection {
  audience?: string | undefined;
  expirationSeconds?: number | undefined;
  path: string;
}

export interface QuobyteVolumeSource {
  group?: string | undefined;
  readOnly?: boolean | undefined;
  registry: string;
  tenant?: string | undefined;
  user?: string | undefined;
  volume: string;
}

export interface RBDVolumeSource {
  fsType?: string | undefined;
  image: string;
  keyring?: string | undefined;
  monitors: string[];
  pool?: string | undefined;
  readOnly?: boolean | undefined;
  secretRef?: LocalObjectReference | undefined;
  user?: string | undefined;
}

export interface ScaleIOVolumeSource {
  fsType?: string | undefined;
  gateway: string;
  protectionDomain?: string | undefined;
  readOnly?: boolean | undefined;
  secretRef: LocalObjectReference;
  sslEnabled?: boolean | undefined;
  storageMode?: string | undefined;
  storagePool?: string | undefined;
  system: string;
  volumeName?: string | undefined;
}

export interface SecretVolumeSource {
  defaultMode?: number | undefined;
  items?: KeyToPath[] | undefined;
  optional?: boolean | undefined;
  secretName?: string | undefined;
}

export interface StorageOSVolumeSource {
  fsType?: string | undefined;
  readOnly?: boolean | undefined;
  secretRef?: LocalObjectReference | undefined;
  volumeName?: string | undefined;
  volumeNamespace?: string | undefined;
}

export interface VsphereVirtualDiskVolumeSource {
  fsType?: string | undefined;
  storagePolicyID?: string | undefined;
  storagePolicyName?: string | undefined;
  volumePath: string;
}
