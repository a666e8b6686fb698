// What runs in a pod: containers, their environment, probes, ports and rights.

export interface EphemeralContainer {
  args?: string[] | undefined;
  command?: string[] | undefined;
  env?: EnvVar[] | undefined;
  envFrom?: EnvFromSource[] | undefined;
  image?: string | undefined;
  imagePullPolicy?: string | undefined;
  lifecycle?: Lifecycle | undefined;
  livenessProbe?: Probe | undefined;
  name: string;
  ports?: ContainerPort[] | undefined;
  readinessProbe?: Probe | undefined;
  resizePolicy?: ContainerResizePolicy[] | undefined;
  resources?: ResourceRequirements | undefined;
  restartPolicy?: string | undefined;
  restartPolicyRules?: ContainerRestartRule[] | undefined;
  securityContext?: SecurityContext | undefined;
  startupProbe?: Probe | undefined;
  stdin?: boolean | undefined;
  stdinOnce?: boolean | undefined;
  targetContainerName?: string | undefined;
  terminationMessagePath?: string | undefined;
  terminationMessagePolicy?: string | undefined;
  tty?: boolean | undefined;
  volumeDevices?: VolumeDevice[] | undefined;
  volumeMounts?: VolumeMount[] | undefined;
  workingDir?: string | undefined;
}

export interface Container {
  args?: string[] | undefined;
  command?: string[] | undefined;
  env?: EnvVar[] | undefined;
  envFrom?: EnvFromSource[] | undefined;
  image?: string | undefined;
  imagePullPolicy?: string | undefined;
  lifecycle?: Lifecycle | undefined;
  livenessProbe?: Probe | undefined;
  name: string;
  ports?: ContainerPort[] | undefined;
  readinessProbe?: Probe | undefined;
  resizePolicy?: ContainerResizePolicy[] | undefined;
  resources?: ResourceRequirements | undefined;
  restartPolicy?: string | undefined;
  restartPolicyRules?: ContainerRestartRule[] | undefined;
  securityContext?: SecurityContext | undefined;
  startupProbe?: Probe | undefined;
  stdin?: boolean | undefined;
  stdinOnce?: boolean | undefined;
  terminationMessagePath?: string | undefined;
  terminationMessagePolicy?: string | undefined;
  tty?: boolean | undefined;
  volumeDevices?: VolumeDevice[] | undefined;
  volumeMounts?: VolumeMount[] | undefined;
  workingDir?: string | undefined;
}

export interface EnvVar {
  name: string;
  value?: string | undefined;
  valueFrom?: EnvVarSource | undefined;
}

export interface EnvVarSource {
  configMapKeyRef?: ConfigMapKeySelector | undefined;
  fieldRef?: ObjectFieldSelector | undefined;
  fileKeyRef?: FileKeySelector | undefined;
  resourceFieldRef?: ResourceFieldSelector | undefined;
  secretKeyRef?: SecretKeySelector | undefined;
}

export interface ConfigMapKeySelector {
  key: string;
  name?: string | undefined;
  optional?: boolean | undefined;
}

export interface ObjectFieldSelector {
  apiVersion?: string | undefined;
  fieldPath: string;
}

export interface FileKeySelector {
  key: string;
  optional?: boolean | undefined;
  path: string;
  volumeName: string;
}

export interface ResourceFieldSelector {
  containerName?: string | undefined;
  divisor?: string | undefined;
  resource: string;
}

export interface SecretKeySelector {
  key: string;
  name?: string | undefined;
  optional?: boolean | undefined;
}

export interface EnvFromSource {
  configMapRef?: ConfigMapEnvSource | undefined;
  prefix?: string | undefined;
  secretRef?: SecretEnvSource | undefined;
}

export interface ConfigMapEnvSource {
  name?: string | undefined;
  optional?: boolean | undefined;
}

export interface SecretEnvSource {
  name?: string | undefined;
  optional?: boolean | undefined;
}

export interface Lifecycle {
  postStart?: LifecycleHandler | undefined;
  preStop?: LifecycleHandler | undefined;
  stopSignal?: string | undefined;
}

export interface LifecycleHandler {
  exec?: ExecAction | undefined;
  httpGet?: HTTPGetAction | undefined;
  sleep?: SleepAction | undefined;
  tcpSocket?: TCPSocketAction | undefined;
}

export interface ExecAction {
  command?: string[] | undefined;
}

export interface HTTPGetAction {
  host?: string | undefined;
  httpHeaders?: HTTPHeader[] | undefined;
  path?: string | undefined;
  port: number | string;
  scheme?: string | undefined;
}

export interface HTTPHeader {
  name: string;
  value: string;
}

export interface SleepAction {
  seconds: number;
}

export interface TCPSocketAction {
  host?: string | undefined;
  port: number | string;
}

export interface Probe {
  exec?: ExecAction | undefined;
  failureThreshold?: number | undefined;
  grpc?: GRPCAction | undefined;
  httpGet?: HTTPGetAction | undefined;
  initialDelaySeconds?: number | undefined;
  periodSeconds?: number | undefined;
  successThreshold?: number | undefined;
  tcpSocket?: TCPSocketAction | undefined;
  terminationGracePeriodSeconds?: number | undefined;
  timeoutSeconds?: number | undefined;
}

export interface GRPCAction {
  port: number;
  service?: string | undefined;
}

export interface ContainerPort {
  containerPort: number;
  hostIP?: string | undefined;
  hostPort?: number | undefined;
  name?: string | undefined;
  protocol?: string | undefined;
}

export interface ContainerResizePolicy {
  resourceName: string;
  restartPolicy: string;
}

export interface ResourceRequirements {
  claims?: ResourceClaim[] | undefined;
  limits?: Record<string, string> | undefined;
  requests?: Record<string, string> | undefined;
}

export interface ResourceClaim {
  name: string;
  request?: string | undefined;
}

export interface ContainerRestartRule {
  action: string;
  exitCodes?: ContainerRestartRuleOnExitCodes | undefined;
}

export interface ContainerRestartRuleOnExitCodes {
  operator: string;
  values?: number[] | undefined;
}

export interface SecurityContext {
  allowPrivilegeEscalation?: boolean | undefined;
  appArmorProfile?: AppArmorProfile | undefined;
  capabilities?: Capabilities | undefined;
  privileged?: boolean | undefined;
  procMount?: string | undefined;
  readOnlyRootFilesystem?: boolean | undefined;
  runAsGroup?: number | undefined;
  runAsNonRoot?: boolean | undefined;
  runAsUser?: number | undefined;
  seLinuxOptions?: SELinuxOptions | undefined;
  seccompProfile?: SeccompProfile | undefined;
  windowsOptions?: WindowsSecurityContextOptions | undefined;
}

export interface AppArmorProfile {
  localhostProfile?: string | undefined;
  type: string;
}

export interface Capabilities {
  add?: string[] | undefined;
  drop?: string[] | undefined;
}

export interface SELinuxOptions {
  level?: string | undefined;
  role?: string | undefined;
  type?: string | undefined;
  user?: string | undefined;
}

export interface SeccompProfile {
  localhostProfile?: string | undefined;
  type: string;
}

export interface WindowsSecurityContextOptions {
  gmsaCredentialSpec?: string | undefined;
  gmsaCredentialSpecName?: string | undefined;
  hostProcess?: boolean | undefined;
  runAsUserName?: string | undefined;
}

export interface VolumeDevice {
  devicePath: string;
  name: string;
}

export interface VolumeMount {
  mountPath: string;
  mountPropagation?: string | undefined;
  name: string;
  readOnly?: boolean | undefined;
  recursiveReadOnly?: string | undefined;
  subPath?: string | undefined;
  subPathExpr?: string | undefined;
}
