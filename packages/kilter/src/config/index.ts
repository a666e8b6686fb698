// Kubeconfig, in-cluster credentials, flags and environment: the only reader of any of them.
export { type BindAddress, parseBindAddress } from './bind-address.ts';
export {
  type ConnectionConfig,
  type ExecPlugin,
  type Impersonation,
  type LoadedConfig,
  parseServer,
} from './connection-config.ts';
export {
  credentials,
  type Credentials,
  type CredentialsOptions,
  type HeldCredentials,
  type TlsMaterial,
} from './credentials.ts';
export { type Environment, processEnvironment, type ReadFile } from './environment.ts';
export { type Flags, parseFlags } from './flags.ts';
export type { PluginCall, RunPlugin } from './exec-process.ts';
export { type AllowedField, type ForeignKubeconfig, loadForeign } from './foreign-kubeconfig.ts';
export { loadConfig, type LoadConfigOptions } from './load.ts';
export { podNamespace, type PodNamespaceOptions } from './in-cluster.ts';
export { redacted } from './redaction.ts';
export { helpText, type InputVariable, inputVariables } from './help.ts';
export {
  type LogFormat,
  type LogLevel,
  type ResolvedSettings,
  resolveSettings,
  type Setting,
  type Settings,
  settings,
  settingsFromEnvironment,
} from './settings.ts';
