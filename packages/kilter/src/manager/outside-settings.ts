import type { Duration } from '../api/index.ts';
import type { ResolvedSettings, Settings } from '../config/index.ts';
import type { MountedCertificates, WebhookServing } from '../webhook/index.ts';
import type { LeaderElection, OperatorOptions, RequestRate, ResolvedOperatorOptions } from './options.ts';
import { resolveOperatorOptions } from './resolve-options.ts';
import type { SecureMetrics } from './secure-metrics.ts';

/** Without what is left open, so that it hides nothing below it. */
function given<T extends object>(some: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(some).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}

// The table of settings has checked that they are durations.
const duration = (text: string | undefined): Duration | undefined => text as Duration | undefined;

function election(options: OperatorOptions, settings: ResolvedSettings): LeaderElection | false {
  if (!settings.leaderElect) return false;
  return {
    ...(typeof options.leaderElection === 'object' ? options.leaderElection : {}),
    ...given({
      lease: settings.leaderElectionId,
      namespace: settings.leaderElectionNamespace,
      leaseDuration: duration(settings.leaseDuration),
      renewDeadline: duration(settings.renewDeadline),
      retryPeriod: duration(settings.retryPeriod),
    }),
  };
}

function rate({ rateLimit }: OperatorOptions, { kubeApiQps, kubeApiBurst }: ResolvedSettings): RequestRate | undefined {
  if (kubeApiQps === undefined && kubeApiBurst === undefined) return rateLimit;
  // A burst without a rate is refused with the other options.
  return { qps: kubeApiQps ?? rateLimit?.qps ?? Number.NaN, burst: kubeApiBurst };
}

function mounted(files: MountedCertificates | undefined, settings: ResolvedSettings): MountedCertificates | undefined {
  const { webhookCertPath, webhookCertName, webhookCertKey } = settings;
  const directory = webhookCertPath ?? files?.directory;
  if (directory === undefined) return undefined;
  return { ...files, directory, ...given({ certificate: webhookCertName, key: webhookCertKey }) };
}

function webhookServer({ webhookServer: code = {} }: OperatorOptions, settings: ResolvedSettings): WebhookServing {
  const { certificates } = code;
  const files = mounted(certificates !== undefined && 'directory' in certificates ? certificates : undefined, settings);
  const { webhookBindAddress: address, webhookUrl: url } = settings;
  return { ...code, ...given({ address, url }), ...(files !== undefined && { certificates: files }) };
}

function secureMetrics(options: OperatorOptions, settings: ResolvedSettings): SecureMetrics | false {
  if (settings.metricsSecure !== true) return false;
  const code = typeof options.secureMetrics === 'object' ? options.secureMetrics : {};
  const { metricsCertPath, metricsCertName, metricsCertKey } = settings;
  const directory = metricsCertPath ?? code.certificates?.directory;
  if (directory === undefined) return code;
  const names = given({ certificate: metricsCertName, key: metricsCertKey });
  return { ...code, certificates: { ...code.certificates, directory, ...names } };
}

/** Flags and environment over what the code says. */
export function configured(options: OperatorOptions, settings: ResolvedSettings): ResolvedOperatorOptions {
  const gracefulStop = duration(settings.gracefulStop);
  const cache = given({
    syncTimeout: duration(settings.cacheSyncTimeout),
    waitTimeout: duration(settings.cacheWaitTimeout),
  });
  const rateLimit = rate(options, settings);
  return resolveOperatorOptions({
    ...options,
    leaderElection: election(options, settings),
    metricsAddress: settings.metricsBindAddress,
    probeAddress: settings.healthProbeBindAddress,
    secureMetrics: secureMetrics(options, settings),
    ...given({ debugAddress: settings.debugBindAddress, requestMetrics: settings.requestMetrics }),
    webhookServer: webhookServer(options, settings),
    cache: { ...options.cache, ...cache },
    ...(gracefulStop !== undefined && { gracefulStop }),
    ...(rateLimit !== undefined && { rateLimit }),
  });
}

const text = (value: Duration | undefined): string | undefined => (typeof value === 'number' ? `${value}ms` : value);

/** What the code says of what can be set from outside: what the help shows, and what flags are laid over. */
export function settingsOf(options: OperatorOptions): Settings {
  const { leaderElection, cache, rateLimit } = options;
  const elected: LeaderElection = typeof leaderElection === 'object' ? leaderElection : {};
  return {
    leaderElect: leaderElection !== undefined && leaderElection !== false,
    leaderElectionId: elected.lease,
    leaderElectionNamespace: elected.namespace,
    leaseDuration: text(elected.leaseDuration),
    renewDeadline: text(elected.renewDeadline),
    retryPeriod: text(elected.retryPeriod),
    metricsBindAddress: options.metricsAddress,
    metricsSecure: options.secureMetrics === undefined ? undefined : options.secureMetrics !== false,
    requestMetrics: options.requestMetrics,
    debugBindAddress: options.debugAddress,
    healthProbeBindAddress: options.probeAddress,
    webhookBindAddress: options.webhookServer?.address,
    webhookUrl: options.webhookServer?.url,
    gracefulStop: text(options.gracefulStop),
    cacheSyncTimeout: text(cache?.syncTimeout),
    cacheWaitTimeout: text(cache?.waitTimeout),
    kubeApiQps: rateLimit?.qps,
    kubeApiBurst: rateLimit?.burst,
  };
}
