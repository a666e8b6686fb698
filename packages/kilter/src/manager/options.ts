import { type Duration, type Kind, kindLabel } from '../api/index.ts';
import { checkCachedKinds, type CachedKind, type CachePolicy } from '../cache/index.ts';
import { type Controller, type QueueTuning, resolveTuning } from '../controller/index.ts';
import { KilterError } from '../errors/index.ts';
import { parseDuration } from '../internal/index.ts';
import type { Logger } from '../telemetry/index.ts';
import type { RateLimit } from '../transport/index.ts';
import {
  type ResolvedWebhook,
  resolveServing,
  resolveWebhooks,
  type Webhook,
  type WebhookServing,
} from '../webhook/index.ts';
import { checkParts, type Part } from './part.ts';
import type { Check } from './probes.ts';

export interface LeaderElection {
  /** The Lease's name. Default: the operator's name. */
  lease?: string;
  /** Default: POD_NAMESPACE, the service account's, the kubeconfig context's, 'default'. */
  namespace?: string;
  /** Default: `<hostname>_<uuid>`, new with every start. */
  identity?: string;
  /** How long a silent leader is waited for. Default: 15 s. */
  leaseDuration?: Duration;
  /** A leader that could not renew for so long gives up. Default: 10 s. */
  renewDeadline?: Duration;
  /** Time between renewals and between tries. Default: 2 s. */
  retryPeriod?: Duration;
  /** Merged into the Lease's own. Default: none. */
  labels?: Readonly<Record<string, string>>;
  onStartedLeading?: (leadership: { readonly epoch: number; readonly signal: AbortSignal }) => void | Promise<void>;
  onStoppedLeading?: () => void | Promise<void>;
}
export interface CacheOptions {
  /** Reading what nobody declared: throw, read live, or start an informer. Default: 'strict'. */
  policy?: CachePolicy;
  /** The policy in single namespaces. Default: `policy`. Under 'strict', nothing is written either where nothing is watched. */
  policyIn?: Readonly<Record<string, CachePolicy>>;
  /**
   * Kinds that are cached otherwise than the rest, each as `cached(Kind, { keep, drop, transform, policy })`. Default: none. For
   * kinds with many or large objects of which little is read.
   */
  kinds?: readonly CachedKind[];
  /**
   * How often what is held is compared with the server's list (metadata only); a difference is reported and healed. Default: never.
   * Set it where acting on a missed event would be costly; it costs a list of each kind.
   */
  verifyEvery?: Duration;
  /** The safety resync. Default: 10 h, spread by 10 %. */
  resync?: Duration;
  /** How long the first sync may take, of every informer however it came to be. Default: 2 min. Raise it for very many objects. */
  syncTimeout?: Duration;
  /**
   * How long a read waits for this operator's own writes to arrive in the cache, and a run for those of the one before. Default:
   * 10 s. Overridden by `--cache-wait-timeout`. Raise it where watches lag behind; on expiry the read fails and the run is retried.
   */
  waitTimeout?: Duration;
}
/** A limit on the requests an operator sends, as `QPS` and `Burst` of client-go. */
export interface RequestRate {
  /** Requests per second in the long run. */
  qps: number;
  /** How many may go at once after a quiet time. Default: twice `qps`. */
  burst?: number | undefined;
}
export interface OperatorChecks {
  healthz?: Readonly<Record<string, Check>>;
  readyz?: Readonly<Record<string, Check>>;
}
export interface OperatorOptions {
  /** Names the Lease, the field manager and the reporting controller of Events. */
  name: string;
  controllers?: readonly Controller[];
  /** What is asked before objects are stored: `mutating(…)`, `validating(…)`. Served by every replica, leader or not. */
  webhooks?: readonly Webhook[];
  /**
   * How webhooks and conversions are served, and by what certificates. Default: on ':9443', behind the Service `<name>-webhook`,
   * with certificates of its own.
   */
  webhookServer?: WebhookServing;
  /** Default: false. */
  leaderElection?: boolean | LeaderElection;
  /**
   * The order and the pace in which the keys of all controllers run. Default: as each option says. A controller's own options
   * win. To be set where all controllers call the same slow system, or serve the same tenants.
   */
  queue?: QueueTuning;
  /** What is watched. All by default. */
  namespaces?: readonly string[];
  cache?: CacheOptions;
  /** pino's interface. Default: JSON lines on stderr. */
  logger?: Logger;
  /**
   * How long a stop may take in all. Default: 30 s, a Pod's own terminationGracePeriodSeconds; change both together. Runs are
   * aborted 5 s before it is over.
   */
  gracefulStop?: Duration;
  /**
   * A limit on all requests, retries included; those for the Lease are never held up. Default: none, the server's priority and
   * fairness decides. Set it where the server has none, or a cluster must be spared.
   */
  rateLimit?: RequestRate;
  /** Servers, tickers and one-time jobs of your own, made with `part(…)`: started and stopped with the rest. Default: none. */
  parts?: readonly Part[];
  /**
   * Checks of your own beside those of `/healthz` and `/readyz`, by name: one that throws, or returns a reason, fails. Default: none.
   * A failing liveness check makes the kubelet start the Pod anew: to be used for what a restart mends.
   */
  checks?: OperatorChecks;
  /** `:8080`, `127.0.0.1:0`, or '0' for none. Served by `run()`, or by `start({ serve: true })`. Default: ':8080'. */
  metricsAddress?: string;
  /** As `metricsAddress`. Default: ':8081'. */
  probeAddress?: string;
}

export interface ResolvedElection {
  readonly lease: string;
  readonly namespace: string | undefined;
  readonly identity: string | undefined;
  readonly leaseDuration: number;
  readonly renewDeadline: number;
  readonly retryPeriod: number;
  readonly labels: Readonly<Record<string, string>> | undefined;
  readonly onStartedLeading: LeaderElection['onStartedLeading'];
  readonly onStoppedLeading: LeaderElection['onStoppedLeading'];
}
export interface ResolvedOperatorOptions {
  readonly name: string;
  readonly controllers: readonly Controller[];
  readonly webhooks: readonly ResolvedWebhook[];
  readonly webhookServer: WebhookServing;
  /** Every kind that controllers and webhooks are about. */
  readonly allKinds: readonly Kind[];
  readonly leaderElection: ResolvedElection | undefined;
  readonly queue: QueueTuning;
  readonly namespaces: readonly string[] | undefined;
  readonly policy: CachePolicy;
  readonly policyIn: Readonly<Record<string, CachePolicy>> | undefined;
  readonly kinds: readonly CachedKind[];
  readonly verifyEvery: number | undefined;
  readonly resync: number;
  readonly syncTimeout: number;
  readonly waitTimeout: number;
  readonly rateLimit: RateLimit | undefined;
  readonly logger: Logger | undefined;
  readonly gracefulStop: number;
  readonly parts: readonly Part[];
  readonly checks: Required<OperatorChecks>;
  readonly metricsAddress: string;
  readonly probeAddress: string;
}

/** What the probes have of their own. */
const ownChecks: ReadonlySet<string> = new Set(['ping', 'caches', 'webhooks']);

function resolveChecks({ healthz = {}, readyz = {} }: OperatorChecks): Required<OperatorChecks> {
  for (const [name, check] of [...Object.entries(healthz), ...Object.entries(readyz)]) {
    const wrong = ownChecks.has(name)
      ? 'is a check of Kilter'
      : !/^[-a-zA-Z0-9_.]+$/.test(name)
        ? 'cannot be part of a path'
        : '';
    if (wrong !== '') throw new KilterError('MANAGER_CHECK_INVALID', `checks: ${JSON.stringify(name)} ${wrong}`);
    if (typeof check !== 'function')
      throw new KilterError('MANAGER_CHECK_INVALID', `checks: ${name} is not a function`);
  }
  return { healthz, readyz };
}

function invalid(message: string): KilterError {
  return new KilterError('MANAGER_OPTION_INVALID', message);
}

function milliseconds(what: string, duration: Duration): number {
  const ms = parseDuration(duration);
  if (ms === undefined || ms <= 0)
    throw invalid(`${what} must be a duration above zero, not ${JSON.stringify(duration)}`);
  return ms;
}

function resolveElection(name: string, given: OperatorOptions['leaderElection']): ResolvedElection | undefined {
  if (given === undefined || given === false) return undefined;
  const options = given === true ? {} : given;
  return {
    lease: options.lease ?? name,
    namespace: options.namespace,
    identity: options.identity,
    leaseDuration: milliseconds('leaderElection.leaseDuration', options.leaseDuration ?? '15s'),
    renewDeadline: milliseconds('leaderElection.renewDeadline', options.renewDeadline ?? '10s'),
    retryPeriod: milliseconds('leaderElection.retryPeriod', options.retryPeriod ?? '2s'),
    labels: options.labels,
    onStartedLeading: options.onStartedLeading,
    onStoppedLeading: options.onStoppedLeading,
  };
}

function resolveRate(given: RequestRate | undefined): ResolvedOperatorOptions['rateLimit'] {
  if (given === undefined) return undefined;
  const { qps, burst = Math.max(1, Math.ceil(2 * qps)) } = given;
  if (!(Number.isFinite(qps) && qps > 0)) throw invalid(`rateLimit.qps must be a number above 0, not ${String(qps)}`);
  if (!(Number.isSafeInteger(burst) && burst >= 1)) {
    throw invalid(`rateLimit.burst must be a whole number from 1 on, not ${String(burst)}`);
  }
  return { qps, burst };
}

function checkNames(name: string, controllers: readonly Controller[]): void {
  if (typeof name !== 'string') throw invalid('an operator needs a name: operator({ name, controllers })');
  const unfinished = controllers.findIndex((controller) => controller?.spec === undefined);
  if (unfinished >= 0) {
    throw invalid(`controllers[${unfinished}] is not a controller: end it with .reconcile(…) or .reconcileKey(…)`);
  }
  // The Lease takes this name, and a Lease's name is a DNS-1123 subdomain.
  if (!/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(name) || name.length > 253) {
    throw invalid(`name must consist of lower-case letters, digits, '-' and '.', not ${JSON.stringify(name)}`);
  }
  const names = controllers.map((controller) => controller.name);
  const twice = names.find((other, i) => names.indexOf(other) !== i);
  if (twice !== undefined) throw new KilterError('MANAGER_DUPLICATE_CONTROLLER', `two controllers are named ${twice}`);
}

/** Each controller's own over the operator's must make sense together. */
function checkedTuning(queue: QueueTuning, controllers: readonly Controller[]): QueueTuning {
  for (const own of [{}, ...controllers.map(({ spec }) => spec.tuning)]) resolveTuning(own, queue);
  return queue;
}

/** What a controller reconciles is handed to it, compared with and written back: it must be there as a whole. */
function checkedKinds(cache: CacheOptions, controllers: readonly Controller[]): readonly CachedKind[] {
  const { kinds = [], policy = 'strict', policyIn } = cache;
  checkCachedKinds(kinds, { policy, policyIn });
  for (const { kind, options } of kinds) {
    if (options.keep === undefined && options.drop === undefined && options.transform === undefined) continue;
    const label = kindLabel(kind.names);
    const whose = controllers.find(({ spec }) => kindLabel(spec.kind.names) === label);
    if (whose === undefined) continue;
    throw invalid(`cache.kinds leaves out fields of ${label}, which the controller ${whose.name} reconciles`);
  }
  return kinds;
}

function kindsOf(controllers: readonly Controller[], webhooks: readonly ResolvedWebhook[]): readonly Kind[] {
  const all = controllers.flatMap(({ spec }) => [
    spec.kind,
    ...[...spec.owns, ...spec.watches, ...spec.references, ...spec.reads].map(({ kind }) => kind),
    ...spec.writes.map(({ kind }) => kind),
  ]);
  return [...new Set([...all, ...webhooks.map(({ kind }) => kind)])];
}

/** What the user gave, with defaults, checked. */
export function resolveOperatorOptions(options: OperatorOptions): ResolvedOperatorOptions {
  const controllers = options.controllers ?? [];
  checkNames(options.name, controllers);
  const webhooks = resolveWebhooks(options.webhooks ?? []);
  resolveServing(options.name, options.webhookServer);
  return {
    name: options.name,
    controllers,
    webhooks,
    webhookServer: options.webhookServer ?? {},
    allKinds: kindsOf(controllers, webhooks),
    queue: checkedTuning(options.queue ?? {}, controllers),
    leaderElection: resolveElection(options.name, options.leaderElection),
    namespaces: options.namespaces,
    policy: options.cache?.policy ?? 'strict',
    policyIn: options.cache?.policyIn,
    kinds: checkedKinds(options.cache ?? {}, controllers),
    verifyEvery:
      options.cache?.verifyEvery === undefined
        ? undefined
        : milliseconds('cache.verifyEvery', options.cache.verifyEvery),
    resync: milliseconds('cache.resync', options.cache?.resync ?? '10h'),
    syncTimeout: milliseconds('cache.syncTimeout', options.cache?.syncTimeout ?? '2m'),
    waitTimeout: milliseconds('cache.waitTimeout', options.cache?.waitTimeout ?? '10s'),
    rateLimit: resolveRate(options.rateLimit),
    logger: options.logger,
    gracefulStop: milliseconds('gracefulStop', options.gracefulStop ?? '30s'),
    parts: checkParts(options.parts ?? []),
    checks: resolveChecks(options.checks ?? {}),
    metricsAddress: options.metricsAddress ?? ':8080',
    probeAddress: options.probeAddress ?? ':8081',
  };
}
