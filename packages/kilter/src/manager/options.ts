import type { Duration, Kind } from '../api/index.ts';
import type { CachedKind, CachePolicy } from '../cache/index.ts';
import type { Controller, QueueTuning } from '../controller/index.ts';
import type { ForeignRegistry, Logger, Metric, PlainLogger } from '../telemetry/index.ts';
import type { RateLimit } from '../transport/index.ts';
import type { ResolvedWebhook, Webhook, WebhookServing } from '../webhook/index.ts';
import type { Part } from './part.ts';
import type { Check } from './probes.ts';
import type { SecureMetrics } from './secure-metrics.ts';

/** The Lease that decides which replica runs controllers. */
export interface LeaderElection {
  /** The Lease's name. Default: the operator's name. */
  lease?: string;
  /** Default: POD_NAMESPACE, the service account's, the kubeconfig context's, 'default'. */
  namespace?: string;
  /** Default: `<hostname>_<uuid>`, new with every start. */
  identity?: string;
  /** How long candidates wait for a leader that no longer renews. Default: 15 s. */
  leaseDuration?: Duration;
  /** A leader that cannot renew for this long gives up. Default: 10 s. */
  renewDeadline?: Duration;
  /** The time between renewals, and between attempts. Default: 2 s. */
  retryPeriod?: Duration;
  /** Labels to merge into those of the Lease. Default: none. */
  labels?: Readonly<Record<string, string>>;
  /**
   * Called when this replica begins to lead. Controllers and parts of the leader start once it has returned, so use it to
   * prepare for them; something that runs for as long as this replica leads is a `part`. The signal aborts if leadership
   * is lost or the operator stops before it has returned. If it throws, the operator stops. Default: none.
   */
  onStartedLeading?: (leadership: { readonly epoch: number; readonly signal: AbortSignal }) => void | Promise<void>;
  /** Called when this replica no longer leads, after its controllers have ended; it has half of the time left for the stop. Default: none. */
  onStoppedLeading?: () => void | Promise<void>;
}
export interface CacheOptions {
  /** What reading an undeclared kind does: throw, read from the server, or start an informer. Default: 'strict'. */
  policy?: CachePolicy;
  /** The policy in single namespaces. Default: `policy`. Under 'strict', nothing is written either where nothing is watched. */
  policyIn?: Readonly<Record<string, CachePolicy>>;
  /**
   * Kinds that are cached differently from the rest, each as `cached(Kind, { keep, drop, transform, policy })`. Default: none. For
   * kinds with many or large objects of which only little is read.
   */
  kinds?: readonly CachedKind[];
  /**
   * How often the cache is compared with the server's list (metadata only); a difference is reported and repaired. Default: never.
   * Set it where acting on a missed event would be costly; it costs a list of each kind.
   */
  verifyEvery?: Duration;
  /** How often every object is reconciled again, as a safety net. Default: 10 h, spread by 10 %. */
  resync?: Duration;
  /** How long the first sync of an informer may take. Default: 2 min. Raise it for very many objects. */
  syncTimeout?: Duration;
  /**
   * How long a read waits for this operator's own writes to arrive in the cache, and a run for those of the one before. Default:
   * 10 s. Overridden by `--cache-wait-timeout`. Raise it where watches lag behind; on expiry the read fails and the run is retried.
   */
  waitTimeout?: Duration;
}
/** A limit on the requests an operator sends, like `QPS` and `Burst` of client-go. */
export interface RequestRate {
  /** Requests per second in the long run. */
  qps: number;
  /** How many may be sent at once after a quiet time. Default: twice `qps`. */
  burst?: number | undefined;
}
/** Checks of your own, by endpoint and name. */
export interface OperatorChecks {
  healthz?: Readonly<Record<string, Check>>;
  readyz?: Readonly<Record<string, Check>>;
}
/** The options of an operator: what it reconciles and serves, and how. */
export interface OperatorOptions {
  /** Names the Lease, the field manager and the reporting controller of Events. */
  name: string;
  controllers?: readonly Controller[];
  /** Admission webhooks: `mutating(…)`, `validating(…)`. Served by every replica, leader or not. */
  webhooks?: readonly Webhook[];
  /**
   * How webhooks and conversions are served, and with which certificates. Default: on ':9443', behind the Service `<name>-webhook`,
   * with certificates that the operator manages itself.
   */
  webhookServer?: WebhookServing;
  /** Default: false. */
  leaderElection?: boolean | LeaderElection;
  /**
   * The order and pace in which the keys of all controllers run. Default: that of each option. A controller's own options take
   * precedence. Set it if all controllers call the same slow system, or serve the same tenants.
   */
  queue?: QueueTuning;
  /** The namespaces to watch. Default: all. */
  namespaces?: readonly string[];
  cache?: CacheOptions;
  /** `pino()`, `console`, or anything with their methods. Default: lines on stderr, as text at a terminal and as JSON elsewhere. */
  logger?: Logger | PlainLogger;
  /**
   * How long a stop may take in all. Default: 30 s, like terminationGracePeriodSeconds of a Pod; change both together. Runs are
   * aborted 5 s before the end.
   */
  gracefulStop?: Duration;
  /**
   * Whether to end a process whose event loop is stuck, for example in an endless loop: after half the lease's duration
   * (7.5 s) a thread
   * logs where it is stuck and which keys are running, and after all of it (15 s, also without leader election) it ends
   * the process. Only
   * `run()` does this, and not while a debugger is open. Default: true. Switch it off if a reconciler has to compute for that long.
   */
  watchdog?: boolean;
  /**
   * A limit on all requests, including retries; those for the Lease are never delayed. Default: none, the server's priority and
   * fairness decides. Set it if the server has none, or if the operator must not load the cluster.
   */
  rateLimit?: RequestRate;
  /** Servers, tickers and one-time jobs of your own, made with `part(…)`: started and stopped with the rest. Default: none. */
  parts?: readonly Part[];
  /**
   * Additional checks for `/healthz` and `/readyz`, by name: a check fails if it throws or returns a reason. Default: none. A failing
   * liveness check makes the kubelet restart the Pod: use it only for what a restart fixes.
   */
  checks?: OperatorChecks;
  /**
   * Metrics of your own, made with `counter(…)`, `gauge(…)` and `histogram(…)`: served with the rest, used as `ctx.metric(declared)`
   * in runs and parts. Default: none.
   */
  metrics?: readonly Metric[];
  /**
   * Registries of prom-client whose metrics are served with the rest. Default: none. For code that already uses prom-client. A metric
   * whose name is taken is left out, and a registry that cannot be read affects only its own metrics.
   */
  registries?: readonly ForeignRegistry[];
  /**
   * Also measure each request, under client-go's names: time, time in the rate limit, sizes, retries, name lookups.
   * Default: false, as in
   * client-go, because it costs time on every request and every scrape. Overridden by `--request-metrics`. Use it to
   * find out whether the
   * API server, the network or `rateLimit` is slow.
   */
  requestMetrics?: boolean;
  /** `:8080`, `127.0.0.1:0`, or '0' for none. Served by `run()`, or by `start({ serve: true })`. Default: ':8080'. */
  metricsAddress?: string;
  /**
   * Trace runs, their wait in the queue and their requests through `@opentelemetry/api`, if it is installed and a tracer provider is
   * registered before the start. Default: true. Without a provider nothing is traced and there is no overhead.
   */
  tracing?: boolean;
  /** As `metricsAddress`. Default: ':8081'. */
  probeAddress?: string;
  /**
   * Where `/debug/runs` is served: what ran, why, and what it wrote, as JSON. A loopback address such as
   * `127.0.0.1:8082`, to be reached
   * through `kubectl port-forward`. Default: '0', nowhere. Overridden by `--debug-bind-address`.
   */
  debugAddress?: string;
  /**
   * Serve metrics over HTTPS, and only to users whom the API server allows to `get` the path `/metrics`: scrapers send
   * the token of their
   * ServiceAccount. Default: false, plain HTTP for everybody. Overridden by `--metrics-secure`. For clusters where
   * metrics are not public.
   */
  secureMetrics?: boolean | SecureMetrics;
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
  readonly logger: Logger | PlainLogger | undefined;
  readonly gracefulStop: number;
  readonly watchdog: boolean;
  readonly parts: readonly Part[];
  readonly checks: Required<OperatorChecks>;
  readonly metrics: readonly Metric[];
  readonly registries: readonly ForeignRegistry[];
  readonly requestMetrics: boolean;
  readonly tracing: boolean;
  readonly metricsAddress: string;
  readonly probeAddress: string;
  readonly debugAddress: string;
  /** Undefined: not secured. */
  readonly secureMetrics: SecureMetrics | undefined;
}
