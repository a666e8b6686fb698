import { randomBytes } from 'node:crypto';
import { KilterError } from 'kilter';
import { optionMistakes, type OptionNames } from 'kilter/runtime';
import { environmentVariable } from '../environment/index.ts';
import { type Binaries, findBinaries, install } from './binaries.ts';
import type { TokenUser } from './credentials.ts';
import { flagValue, withFlags } from './flags.ts';

/** The options of a control plane of real processes. */
export interface ControlPlaneOptions {
  /** The executables. Default: those in KUBEBUILDER_ASSETS, otherwise those of `installControlPlane`. */
  binaries?: Binaries | undefined;
  /** Controllers of kube-controller-manager by name. Default: none, so the process is not started. */
  controllers?: readonly string[] | undefined;
  /** The number of fake Nodes; with any, kube-scheduler and kwok are started, so that Pods run. Default: 0. */
  nodes?: number | undefined;
  /** Users by their bearer tokens, in addition to the administrator. Default: none. */
  tokens?: Readonly<Record<string, TokenUser>> | undefined;
  /** Flags for kube-apiserver, as `--name=value`; they replace Kilter's own. Default: none. */
  apiServerFlags?: readonly string[] | undefined;
  /** Aborts the start: it rejects with the signal's reason, and leaves nothing behind. Default: none. */
  signal?: AbortSignal | undefined;
}

/** The controllers an operator needs: garbage collection, namespaces, service accounts. */
export const clusterControllers: readonly string[] = [
  'garbage-collector-controller',
  'namespace-controller',
  'serviceaccount-controller',
  'root-ca-certificate-publisher-controller',
  'clusterrole-aggregation-controller',
  'resourcequota-controller',
  'validatingadmissionpolicy-status-controller',
];

/** The controllers that turn Deployments and the like into Pods. */
export const workloadControllers: readonly string[] = [
  ...clusterControllers,
  'deployment-controller',
  'replicaset-controller',
  'statefulset-controller',
  'daemonset-controller',
  'job-controller',
  'cronjob-controller',
  'disruption-controller',
  'endpointslice-controller',
];

export interface ResolvedOptions {
  readonly binaries: Binaries;
  readonly controllers: readonly string[];
  readonly nodes: number;
  /** Of the administrator. */
  readonly token: string;
  /** The administrator's among them. */
  readonly tokens: Readonly<Record<string, TokenUser>>;
  readonly apiServerFlags: readonly string[];
  /** The port the flags ask for. */
  readonly port: number | undefined;
  readonly signal: AbortSignal | undefined;
}

// A node costs some kilobytes; beyond this a test has another aim than a place for Pods.
const mostNodes = 1000;

function refused(message: string, cure: string): KilterError {
  return new KilterError('TESTING_CONTROL_PLANE_OPTION', message, { cure });
}

function checkNodes(nodes: number): number {
  if (Number.isInteger(nodes) && nodes >= 0 && nodes <= mostNodes) return nodes;
  throw refused(`nodes is ${nodes}`, `give a whole number from 0 to ${mostNodes}`);
}

function checkControllers(controllers: readonly string[]): readonly string[] {
  // A star, and a minus before a name, mean something to the process; a comma would be two names.
  const wrong = controllers.find((name) => !/^(\*|-?[a-z0-9-]+)$/.test(name));
  if (wrong === undefined) return controllers;
  throw refused(`${JSON.stringify(wrong)} is not a controller's name`, "give names such as 'namespace-controller'");
}

function checkTokens(tokens: Readonly<Record<string, TokenUser>>): Readonly<Record<string, TokenUser>> {
  for (const [token, { name, groups = [] }] of Object.entries(tokens)) {
    const cure = 'give a token of visible ASCII characters and a user with a name';
    if (!/^[\x21-\x7e]+$/.test(token)) throw refused('a token in `tokens` cannot be sent in a header', cure);
    if (name === '') throw refused('a user in `tokens` has no name', cure);
    const broken = [name, ...groups].find((text) => /[\r\n]/.test(text));
    if (broken !== undefined) throw refused(`${JSON.stringify(broken)} in \`tokens\` has more than one line`, cure);
    const comma = groups.find((group) => group === '' || group.includes(','));
    if (comma !== undefined)
      throw refused(`the group ${JSON.stringify(comma)} in \`tokens\``, 'give groups without commas');
  }
  return tokens;
}

function found(): Binaries {
  const { binaries, why, cure } = findBinaries();
  if (binaries !== undefined) return binaries;
  throw new KilterError('TESTING_BINARY_MISSING', `there is no control plane to start: ${why}`, { cure });
}

type Optional = 'kube-controller-manager' | 'kube-scheduler' | 'kwok';

function needs(binaries: Binaries, names: readonly Optional[], why: string): void {
  const absent = names.filter((name) => binaries[name] === undefined).join(' and no ');
  if (absent === '') return;
  const { directory } = binaries;
  const given = environmentVariable('KUBEBUILDER_ASSETS') === directory;
  const message = `there is no ${absent} in ${directory}${given ? ', which KUBEBUILDER_ASSETS names' : ''}, and ${why}`;
  const cure = `put it there, or unset KUBEBUILDER_ASSETS and ${install}`;
  throw new KilterError('TESTING_BINARY_MISSING', message, given ? { cure } : {});
}

function portIn(flags: readonly string[]): number | undefined {
  const value = flagValue(flags, 'secure-port');
  if (value === undefined) return undefined;
  const port = Number(value);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw refused(`--secure-port=${value} in apiServerFlags`, 'give a port from 1 to 65535, or leave it to the kernel');
}

const known: OptionNames<ControlPlaneOptions> = {
  binaries: true,
  controllers: true,
  nodes: true,
  tokens: true,
  apiServerFlags: true,
  signal: true,
};

/** Also those of a cluster that starts none: the test may run on one elsewhere. */
export function checkControlPlaneOptions(options: ControlPlaneOptions): void {
  const [mistake] = optionMistakes('controlPlane', options, known);
  if (mistake !== undefined) throw new KilterError('TESTING_OPTION_INVALID', mistake);
}

export function resolveOptions(options: ControlPlaneOptions): ResolvedOptions {
  checkControlPlaneOptions(options);
  const controllers = checkControllers(options.controllers ?? []);
  const nodes = checkNodes(options.nodes ?? 0);
  const given = checkTokens(options.tokens ?? {});
  // Also checks those given.
  const apiServerFlags = withFlags([], options.apiServerFlags ?? []);
  const binaries = options.binaries ?? found();
  if (controllers.length > 0) needs(binaries, ['kube-controller-manager'], '`controllers` are asked for');
  if (nodes > 0) needs(binaries, ['kube-scheduler', 'kwok'], '`nodes` are asked for');
  const token = randomBytes(24).toString('base64url');
  return {
    binaries,
    controllers,
    nodes,
    token,
    tokens: { ...given, [token]: { name: 'admin', groups: ['system:masters'] } },
    apiServerFlags,
    port: portIn(apiServerFlags),
    signal: options.signal,
  };
}
