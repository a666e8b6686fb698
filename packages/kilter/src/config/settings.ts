import { KilterError } from '../errors/index.ts';
import { parseDuration } from '../internal/index.ts';
import { parseBindAddress } from './bind-address.ts';
import { type Environment, processEnvironment } from './environment.ts';

/** 'auto': text at a terminal, JSON elsewhere. */
export type LogFormat = 'auto' | 'json' | 'text';
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** What can be set from outside. Precedence: flag, environment, code, default. */
export interface Settings {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly namespace?: string | undefined;
  readonly leaderElect?: boolean | undefined;
  readonly leaderElectionId?: string | undefined;
  readonly leaderElectionNamespace?: string | undefined;
  readonly metricsBindAddress?: string | undefined;
  readonly metricsSecure?: boolean | undefined;
  readonly requestMetrics?: boolean | undefined;
  readonly metricsCertPath?: string | undefined;
  readonly metricsCertName?: string | undefined;
  readonly metricsCertKey?: string | undefined;
  readonly healthProbeBindAddress?: string | undefined;
  readonly webhookBindAddress?: string | undefined;
  readonly webhookUrl?: string | undefined;
  readonly webhookCertPath?: string | undefined;
  readonly webhookCertName?: string | undefined;
  readonly webhookCertKey?: string | undefined;
  readonly logLevel?: LogLevel | undefined;
  readonly logFormat?: LogFormat | undefined;
  readonly logStacks?: boolean | undefined;
  readonly debugBindAddress?: string | undefined;
  /** Durations as text: `30s`. */
  readonly leaseDuration?: string | undefined;
  readonly renewDeadline?: string | undefined;
  readonly retryPeriod?: string | undefined;
  readonly gracefulStop?: string | undefined;
  readonly cacheSyncTimeout?: string | undefined;
  readonly cacheWaitTimeout?: string | undefined;
  readonly kubeApiQps?: number | undefined;
  readonly kubeApiBurst?: number | undefined;
}

type Value = Settings[keyof Settings];
/** Settings without those left open. */
type Given = { readonly [K in keyof Settings]?: NonNullable<Settings[K]> };

/** One row of the table of settings: flag, environment variable, meaning, default. */
export interface Setting {
  readonly name: keyof Settings;
  /** Kubebuilder's names, so that existing manifests keep working. The first is the documented one. */
  readonly flags: readonly string[];
  readonly variable: string;
  /** What stands for the value in the help; undefined for switches. */
  readonly value?: string | undefined;
  readonly help: string;
  /** What a value must be, for the message about one that is not. Default: the help. */
  readonly takes?: string | undefined;
  /** As text, for the help. */
  readonly default: string;
  /** Undefined for what it does not take. */
  parse(text: string): Value;
}

const secureUrl = (text: string): string | undefined =>
  text.startsWith('https://') && URL.canParse(text) ? text : undefined;
const anyText = (text: string): string | undefined => (text === '' ? undefined : text);

// The rules of the API server, which would refuse the name much later, in the middle of a request.
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const namespaceName = (text: string): string | undefined => (label.test(text) ? text : undefined);
const objectName = (text: string): string | undefined =>
  text.length <= 253 && text.split('.').every((part) => label.test(part)) ? text : undefined;

function truth(text: string): boolean | undefined {
  // What Go's flag package takes.
  if (/^(1|t|true)$/i.test(text)) return true;
  return /^(0|f|false)$/i.test(text) ? false : undefined;
}

// zap's levels beside pino's: `panic` is above anything Kilter logs but errors, a number is a verbosity.
const levels: ReadonlyMap<string, LogLevel> = new Map([
  ['debug', 'debug'],
  ['info', 'info'],
  ['warn', 'warn'],
  ['error', 'error'],
  ['panic', 'error'],
]);

// `console` is zap's word for text.
const formats: ReadonlyMap<string, LogFormat> = new Map([
  ['auto', 'auto'],
  ['json', 'json'],
  ['text', 'text'],
  ['console', 'text'],
]);

function level(text: string): LogLevel | undefined {
  return /^[1-9]\d{0,2}$/.test(text) ? 'debug' : levels.get(text.toLowerCase());
}

const address =
  (setting: string) =>
  (text: string): string => {
    parseBindAddress(text, setting);
    return text;
  };

// Go writes `1m30s` and `0s` too; here one number and one unit is enough, and none of these can be zero.
const duration = (text: string): string | undefined => ((parseDuration(text as '1s') ?? 0) > 0 ? text : undefined);

const number =
  (least: number, whole: boolean) =>
  (text: string): number | undefined => {
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    return value >= least && (!whole || Number.isSafeInteger(value)) ? value : undefined;
  };

/** A row for a duration: what it takes is the same everywhere. */
function durationSetting(row: Pick<Setting, 'name' | 'flags' | 'variable' | 'help' | 'default'>): Setting {
  return { ...row, value: 'DURATION', takes: 'a duration above zero, such as 500ms, 30s, 2m or 10h', parse: duration };
}

const nameRule = 'a name of a-z, 0-9 and -, at most 63 characters';

/** The table of settings, in the order of the help. */
export const settings: readonly Setting[] = [
  {
    name: 'kubeconfig',
    flags: ['kubeconfig'],
    variable: 'KILTER_KUBECONFIG',
    value: 'FILE',
    help: 'The kubeconfig to use.',
    default: '$KUBECONFIG, ~/.kube/config, then the service account of the pod',
    parse: anyText,
  },
  {
    name: 'context',
    flags: ['context'],
    variable: 'KILTER_CONTEXT',
    value: 'NAME',
    help: 'The context of the kubeconfig.',
    default: 'its current-context',
    parse: anyText,
  },
  {
    name: 'namespace',
    flags: ['namespace'],
    variable: 'KILTER_NAMESPACE',
    value: 'NAME',
    help: 'The namespace used where none is given.',
    takes: nameRule,
    default: 'that of the context or pod, then "default"',
    parse: namespaceName,
  },
  {
    name: 'leaderElect',
    flags: ['leader-elect'],
    variable: 'KILTER_LEADER_ELECT',
    help: 'Work only while holding the Lease, so that only one of several replicas acts.',
    default: 'what the code sets, else false',
    parse: truth,
  },
  {
    name: 'leaderElectionId',
    flags: ['leader-election-id'],
    variable: 'KILTER_LEADER_ELECTION_ID',
    value: 'NAME',
    help: 'The name of the Lease.',
    takes: `${nameRule}, with parts separated by dots`,
    default: 'the name of the operator',
    parse: objectName,
  },
  {
    name: 'leaderElectionNamespace',
    flags: ['leader-election-namespace'],
    variable: 'KILTER_LEADER_ELECTION_NAMESPACE',
    value: 'NAME',
    help: 'The namespace of the Lease.',
    takes: nameRule,
    default: '$POD_NAMESPACE, that of the service account or context, then "default"',
    parse: namespaceName,
  },
  durationSetting({
    name: 'leaseDuration',
    flags: ['leader-elect-lease-duration'],
    variable: 'KILTER_LEADER_ELECT_LEASE_DURATION',
    help: 'How long candidates wait for a silent leader; whole seconds.',
    default: '15s',
  }),
  durationSetting({
    name: 'renewDeadline',
    flags: ['leader-elect-renew-deadline'],
    variable: 'KILTER_LEADER_ELECT_RENEW_DEADLINE',
    help: 'How long a leader may fail to renew its Lease before it gives up.',
    default: '10s',
  }),
  durationSetting({
    name: 'retryPeriod',
    flags: ['leader-elect-retry-period'],
    variable: 'KILTER_LEADER_ELECT_RETRY_PERIOD',
    help: 'The time between renewals, and between attempts to take the Lease.',
    default: '2s',
  }),
  {
    name: 'metricsBindAddress',
    flags: ['metrics-bind-address'],
    variable: 'KILTER_METRICS_BIND_ADDRESS',
    value: 'ADDRESS',
    help: 'Where metrics are served; 0 for nowhere.',
    default: ':8080',
    parse: address('--metrics-bind-address'),
  },
  {
    name: 'metricsSecure',
    flags: ['metrics-secure'],
    variable: 'KILTER_METRICS_SECURE',
    help: 'Serve metrics over HTTPS, and only to callers that the API server allows to get /metrics.',
    default: 'what the code sets, else false',
    parse: truth,
  },
  {
    name: 'requestMetrics',
    flags: ['request-metrics'],
    variable: 'KILTER_REQUEST_METRICS',
    help: "Also measure each request, under client-go's names: time, sizes, retries, lookups.",
    default: 'what the code sets, else false',
    parse: truth,
  },
  {
    name: 'metricsCertPath',
    flags: ['metrics-cert-path'],
    variable: 'KILTER_METRICS_CERT_PATH',
    value: 'DIRECTORY',
    help: 'Certificate files for secured metrics, reloaded when they change.',
    default: 'none: a certificate the operator signs itself',
    parse: anyText,
  },
  {
    name: 'metricsCertName',
    flags: ['metrics-cert-name'],
    variable: 'KILTER_METRICS_CERT_NAME',
    value: 'FILE',
    help: 'The certificate in --metrics-cert-path.',
    default: 'tls.crt',
    parse: anyText,
  },
  {
    name: 'metricsCertKey',
    flags: ['metrics-cert-key'],
    variable: 'KILTER_METRICS_CERT_KEY',
    value: 'FILE',
    help: 'The key in --metrics-cert-path.',
    default: 'tls.key',
    parse: anyText,
  },
  {
    name: 'healthProbeBindAddress',
    flags: ['health-probe-bind-address'],
    variable: 'KILTER_HEALTH_PROBE_BIND_ADDRESS',
    value: 'ADDRESS',
    help: 'Where /healthz and /readyz are served; 0 for nowhere.',
    default: ':8081',
    parse: address('--health-probe-bind-address'),
  },
  {
    name: 'webhookBindAddress',
    flags: ['webhook-bind-address'],
    variable: 'KILTER_WEBHOOK_BIND_ADDRESS',
    value: 'ADDRESS',
    help: 'Where webhooks are served, by operators that have any; 0 for nowhere.',
    default: ':9443',
    parse: address('--webhook-bind-address'),
  },
  {
    name: 'webhookUrl',
    flags: ['webhook-url'],
    variable: 'KILTER_WEBHOOK_URL',
    value: 'URL',
    help: 'Where the API server reaches the webhooks, if not through their Service.',
    takes: 'https://host:port; without a port, the one the operator listens on',
    default: 'their Service',
    parse: secureUrl,
  },
  {
    name: 'webhookCertPath',
    flags: ['webhook-cert-path'],
    variable: 'KILTER_WEBHOOK_CERT_PATH',
    value: 'DIRECTORY',
    help: 'Certificate files for webhooks, reloaded when they change.',
    default: "none: the operator's own certificates",
    parse: anyText,
  },
  {
    name: 'webhookCertName',
    flags: ['webhook-cert-name'],
    variable: 'KILTER_WEBHOOK_CERT_NAME',
    value: 'FILE',
    help: 'The certificate in --webhook-cert-path.',
    default: 'tls.crt',
    parse: anyText,
  },
  {
    name: 'webhookCertKey',
    flags: ['webhook-cert-key'],
    variable: 'KILTER_WEBHOOK_CERT_KEY',
    value: 'FILE',
    help: 'The key in --webhook-cert-path.',
    default: 'tls.key',
    parse: anyText,
  },
  {
    name: 'logLevel',
    flags: ['log-level', 'zap-log-level'],
    variable: 'KILTER_LOG_LEVEL',
    value: 'LEVEL',
    help: 'debug, info, warn or error; a number of 1 or more means debug.',
    default: 'info',
    parse: level,
  },
  {
    name: 'logFormat',
    flags: ['log-format', 'zap-encoder'],
    variable: 'KILTER_LOG_FORMAT',
    value: 'FORMAT',
    help: 'json, text for people, or auto.',
    default: 'auto: text at a terminal, JSON elsewhere',
    parse: (text) => formats.get(text.toLowerCase()),
  },
  {
    name: 'logStacks',
    flags: ['log-stacks'],
    variable: 'KILTER_LOG_STACKS',
    help: 'In text logs, write the stack of an error below its line. JSON logs always contain it.',
    default: 'false',
    parse: truth,
  },
  {
    name: 'debugBindAddress',
    flags: ['debug-bind-address'],
    variable: 'KILTER_DEBUG_BIND_ADDRESS',
    value: 'ADDRESS',
    help: 'Where /debug/runs is served, on this machine only, such as 127.0.0.1:8082; 0 for nowhere.',
    default: '0',
    parse: address('--debug-bind-address'),
  },
  durationSetting({
    name: 'gracefulStop',
    flags: ['graceful-shutdown-timeout'],
    variable: 'KILTER_GRACEFUL_SHUTDOWN_TIMEOUT',
    help: "How long a stop may take in all; at most the Pod's terminationGracePeriodSeconds.",
    default: '30s',
  }),
  durationSetting({
    name: 'cacheSyncTimeout',
    flags: ['cache-sync-timeout'],
    variable: 'KILTER_CACHE_SYNC_TIMEOUT',
    help: 'How long the first sync of the caches may take.',
    default: '2m',
  }),
  durationSetting({
    name: 'cacheWaitTimeout',
    flags: ['cache-wait-timeout'],
    variable: 'KILTER_CACHE_WAIT_TIMEOUT',
    help: "How long a read waits for the operator's own writes to arrive in the cache.",
    default: '10s',
  }),
  {
    name: 'kubeApiQps',
    flags: ['kube-api-qps'],
    variable: 'KILTER_KUBE_API_QPS',
    value: 'NUMBER',
    help: 'Requests per second on average; Lease renewals are not counted.',
    takes: 'a number above 0',
    default: 'no limit: the server decides',
    parse: number(Number.MIN_VALUE, false),
  },
  {
    name: 'kubeApiBurst',
    flags: ['kube-api-burst'],
    variable: 'KILTER_KUBE_API_BURST',
    value: 'NUMBER',
    help: 'How many requests may be sent at once after a quiet period.',
    takes: 'a whole number of at least 1, together with --kube-api-qps',
    default: 'twice --kube-api-qps',
    parse: number(1, true),
  },
];

/** A value from text, or an error that says what was set and what it takes. */
export function parseSetting(setting: Setting, given: string, source: string): Value {
  const value = setting.parse(given);
  if (value !== undefined) return value;
  const takes = setting.value === undefined ? 'true or false' : (setting.takes ?? setting.help);
  throw new KilterError('CONFIG_VALUE_INVALID', `${source} is ${JSON.stringify(given)}; it takes: ${takes}`);
}

/** The settings the environment makes; an empty variable makes none. */
export function settingsFromEnvironment(env: Environment): Given {
  const made = settings.flatMap((setting) => {
    const given = env[setting.variable] ?? '';
    return given === '' ? [] : [[setting.name, parseSetting(setting, given, `$${setting.variable}`)] as const];
  });
  return Object.fromEntries(made);
}

/** Settings with nothing left open but what is looked up elsewhere. */
export interface ResolvedSettings extends Settings {
  readonly leaderElect: boolean;
  readonly metricsBindAddress: string;
  readonly healthProbeBindAddress: string;
  readonly logLevel: LogLevel;
}

function given(some: Settings): Given {
  return Object.fromEntries(Object.entries(some).filter(([, value]) => value !== undefined));
}

/** Flag before environment before code before default. */
export function resolveSettings(sources: {
  readonly flags?: Settings | undefined;
  readonly env?: Environment | undefined;
  readonly code?: Settings | undefined;
}): ResolvedSettings {
  return {
    leaderElect: false,
    metricsBindAddress: ':8080',
    healthProbeBindAddress: ':8081',
    logLevel: 'info',
    ...given(sources.code ?? {}),
    ...settingsFromEnvironment(sources.env ?? processEnvironment()),
    ...given(sources.flags ?? {}),
  };
}
