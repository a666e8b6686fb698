import { type Duration, type Kind, kindLabel } from '../api/index.ts';
import { checkCachedKinds, type CachedKind } from '../cache/index.ts';
import { type Controller, type QueueTuning, resolveTuning } from '../controller/index.ts';
import { parseBindAddress } from '../config/index.ts';
import { inShort, KilterError, type OptionNames } from '../errors/index.ts';
import { parseDuration } from '../internal/index.ts';
import { checkMetrics, type ForeignRegistry } from '../telemetry/index.ts';
import { mountedNames, type ResolvedWebhook, resolveServing, resolveWebhooks } from '../webhook/index.ts';
import { isLoopback } from './debug-answers.ts';
import { checkOptions, Mistakes } from './mistakes.ts';
import { checkedLogger } from './operator-logger.ts';
import type {
  CacheOptions,
  LeaderElection,
  OperatorChecks,
  OperatorOptions,
  RequestRate,
  ResolvedElection,
  ResolvedOperatorOptions,
} from './options.ts';
import { checkParts, type Part } from './part.ts';
import type { SecureMetrics } from './secure-metrics.ts';

/** What the probes have of their own. */
const ownChecks: ReadonlySet<string> = new Set(['ping', 'caches', 'webhooks']);

const checkNames: OptionNames<OperatorChecks> = { healthz: true, readyz: true };

function resolveChecks({ healthz = {}, readyz = {} }: OperatorChecks): Required<OperatorChecks> {
  for (const [endpoint, checks] of Object.entries({ healthz, readyz })) {
    if (typeof checks === 'object' && checks !== null && !Array.isArray(checks)) continue;
    throw new KilterError(
      'MANAGER_CHECK_INVALID',
      `checks.${endpoint} takes functions by name, not ${inShort(checks)}`,
    );
  }
  for (const [name, check] of [...Object.entries(healthz), ...Object.entries(readyz)]) {
    const wrong = ownChecks.has(name)
      ? "is one of Kilter's own checks"
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
  if (ms === undefined || ms <= 0) throw invalid(`${what} must be a duration above zero, not ${inShort(duration)}`);
  return ms;
}

const electionOptions: OptionNames<LeaderElection> = {
  lease: true,
  namespace: true,
  identity: true,
  leaseDuration: true,
  renewDeadline: true,
  retryPeriod: true,
  labels: true,
  onStartedLeading: true,
  onStoppedLeading: true,
};

function resolveElection(
  name: string,
  given: OperatorOptions['leaderElection'],
  mistakes: Mistakes,
): ResolvedElection | undefined {
  if (given === undefined || given === false) return undefined;
  const options = given === true ? {} : mistakes.form('leaderElection', given, electionOptions);
  const time = (what: 'leaseDuration' | 'renewDeadline' | 'retryPeriod', usual: Duration): number =>
    mistakes.of(() => milliseconds(`leaderElection.${what}`, options[what] ?? usual), 0);
  return {
    lease: options.lease ?? name,
    namespace: options.namespace,
    identity: options.identity,
    leaseDuration: time('leaseDuration', '15s'),
    renewDeadline: time('renewDeadline', '10s'),
    retryPeriod: time('retryPeriod', '2s'),
    labels: options.labels,
    onStartedLeading: options.onStartedLeading,
    onStoppedLeading: options.onStoppedLeading,
  };
}

const rateNames: OptionNames<RequestRate> = { qps: true, burst: true };

function resolveRate(given: RequestRate | undefined): ResolvedOperatorOptions['rateLimit'] {
  if (given === undefined) return undefined;
  checkOptions('rateLimit', given, rateNames);
  const { qps, burst = Math.max(1, Math.ceil(2 * qps)) } = given;
  if (!(Number.isFinite(qps) && qps > 0)) throw invalid(`rateLimit.qps must be a number above 0, not ${String(qps)}`);
  if (!(Number.isSafeInteger(burst) && burst >= 1)) {
    throw invalid(`rateLimit.burst must be a whole number of at least 1, not ${String(burst)}`);
  }
  return { qps, burst };
}

function checkedName(name: string): string {
  if (typeof name !== 'string') throw invalid('an operator needs a name: operator({ name, controllers })');
  // The Lease takes this name, and a Lease's name is a DNS-1123 subdomain.
  if (!/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(name) || name.length > 253) {
    throw invalid(`name must consist of lower-case letters, digits, '-' and '.', not ${JSON.stringify(name)}`);
  }
  return name;
}

function checkedControllers(controllers: readonly Controller[]): readonly Controller[] {
  if (!Array.isArray(controllers))
    throw invalid(`controllers takes a list of controllers, not ${inShort(controllers)}`);
  const unfinished = controllers.findIndex((controller: Controller | undefined) => controller?.spec === undefined);
  if (unfinished >= 0) {
    throw invalid(
      `controllers[${unfinished}] is not a controller: end it with .reconcile(…), .reconcileKey(…) or .compose(…)`,
    );
  }
  const names = (controllers as readonly Controller[]).map((controller) => controller.name);
  const twice = names.find((other, i) => names.indexOf(other) !== i);
  if (twice !== undefined) throw new KilterError('MANAGER_DUPLICATE_CONTROLLER', `two controllers are named ${twice}`);
  return controllers;
}

function checkedNamespaces(namespaces: readonly string[] | undefined): readonly string[] | undefined {
  if (namespaces === undefined) return undefined;
  const isName = (one: unknown): boolean => typeof one === 'string' && one !== '';
  if (Array.isArray(namespaces) && namespaces.length > 0 && namespaces.every(isName)) return namespaces;
  throw invalid(`namespaces must name at least one, not ${inShort(namespaces)}; leave it out for all`);
}

/** Each controller's own over the operator's must make sense together. */
function checkedTuning(queue: QueueTuning, controllers: readonly Controller[]): QueueTuning {
  for (const own of [{}, ...controllers.map(({ spec }) => spec.tuning)]) resolveTuning(own, queue);
  return queue;
}

function checkedKinds(cache: CacheOptions, controllers: readonly Controller[]): readonly CachedKind[] {
  const { kinds = [], policy = 'strict', policyIn } = cache;
  checkCachedKinds(kinds, { policy, policyIn });
  checkWhole(kinds, controllers);
  return kinds;
}

/** What a controller reconciles is handed to it, compared with and written back: it must be there as a whole. */
export function checkWhole(kinds: readonly CachedKind[], controllers: readonly Controller[]): void {
  for (const { kind, options } of kinds) {
    if (options.keep === undefined && options.drop === undefined && options.transform === undefined) continue;
    const label = kindLabel(kind.names);
    const whose = controllers.find(({ spec }) => kindLabel(spec.kind.names) === label);
    if (whose === undefined) continue;
    throw invalid(`cache.kinds leaves out fields of ${label}, which the controller ${whose.name} reconciles`);
  }
}

interface Declaring {
  readonly controllers: readonly Controller[];
  readonly webhooks: readonly ResolvedWebhook[];
  readonly parts: readonly Part[];
}

function kindsOf({ controllers, webhooks, parts }: Declaring): readonly Kind[] {
  const all = controllers.flatMap(({ spec }) => [
    spec.kind,
    ...[...spec.owns, ...spec.watches, ...spec.references, ...spec.reads].map(({ kind }) => kind),
    ...spec.writes.map(({ kind }) => kind),
  ]);
  const ofParts = parts.flatMap(({ reads, writes }) => [...reads, ...writes.map(({ kind }) => kind)]);
  return [...new Set([...all, ...webhooks.map(({ kind }) => kind), ...ofParts])];
}

/** What runs did is not for everybody: without authentication, only for users of this machine. */
function checkedDebugAddress(address: string): string {
  const bind = parseBindAddress(address, 'the debug address');
  if (bind !== undefined && !isLoopback(bind)) {
    throw invalid(
      `debugAddress must be an address of this machine, such as 127.0.0.1:8082, not ${JSON.stringify(address)}`,
    );
  }
  return address;
}

const secureNames: OptionNames<SecureMetrics> = { certificates: true };

function resolveSecureMetrics(given: OperatorOptions['secureMetrics']): SecureMetrics | undefined {
  if (given === undefined || given === false) return undefined;
  const secure = given === true ? {} : given;
  checkOptions('secureMetrics', secure, secureNames);
  if (secure.certificates !== undefined) checkOptions('secureMetrics.certificates', secure.certificates, mountedNames);
  if (secure.certificates !== undefined && typeof secure.certificates.directory !== 'string') {
    throw invalid('secureMetrics.certificates needs the directory the files are in');
  }
  return secure;
}

function checkedRegistries(registries: readonly ForeignRegistry[]): readonly ForeignRegistry[] {
  const wrong = registries.findIndex((registry) => typeof registry?.getMetricsAsJSON !== 'function');
  if (wrong >= 0) throw invalid(`registries[${wrong}] is not a registry of prom-client: it has no getMetricsAsJSON()`);
  return registries;
}

const cacheOptions: OptionNames<CacheOptions> = {
  policy: true,
  policyIn: true,
  kinds: true,
  verifyEvery: true,
  resync: true,
  syncTimeout: true,
  waitTimeout: true,
};

type Resolved<K extends keyof ResolvedOperatorOptions> = Pick<ResolvedOperatorOptions, K>;

function resolveCache(
  given: CacheOptions,
  controllers: readonly Controller[],
  mistakes: Mistakes,
): Resolved<'policy' | 'policyIn' | 'kinds' | 'verifyEvery' | 'resync' | 'syncTimeout' | 'waitTimeout'> {
  const cache = mistakes.form('cache', given, cacheOptions);
  const time = (what: 'resync' | 'syncTimeout' | 'waitTimeout', usual: Duration): number =>
    mistakes.of(() => milliseconds(`cache.${what}`, cache[what] ?? usual), 0);
  const { policy = 'strict', policyIn, verifyEvery } = cache;
  return {
    policy,
    policyIn,
    kinds: mistakes.of(() => checkedKinds(cache, controllers), []),
    verifyEvery:
      verifyEvery === undefined ? undefined : mistakes.of(() => milliseconds('cache.verifyEvery', verifyEvery), 0),
    resync: time('resync', '10h'),
    syncTimeout: time('syncTimeout', '2m'),
    waitTimeout: time('waitTimeout', '10s'),
  };
}

function resolveServers(
  options: OperatorOptions,
  mistakes: Mistakes,
): Resolved<'metricsAddress' | 'probeAddress' | 'debugAddress' | 'secureMetrics'> {
  const { metricsAddress = ':8080', probeAddress = ':8081', debugAddress = '0' } = options;
  mistakes.of(() => parseBindAddress(metricsAddress, 'metricsAddress'), undefined);
  mistakes.of(() => parseBindAddress(probeAddress, 'probeAddress'), undefined);
  return {
    metricsAddress,
    probeAddress,
    debugAddress: mistakes.of(() => checkedDebugAddress(debugAddress), debugAddress),
    secureMetrics: mistakes.of(() => resolveSecureMetrics(options.secureMetrics), undefined),
  };
}

function resolveMeasures(
  options: OperatorOptions,
  mistakes: Mistakes,
): Resolved<'checks' | 'metrics' | 'registries' | 'requestMetrics' | 'logger' | 'tracing'> {
  return {
    checks: mistakes.of(() => resolveChecks(mistakes.form('checks', options.checks ?? {}, checkNames)), {
      healthz: {},
      readyz: {},
    }),
    metrics: mistakes.of(() => checkMetrics(options.metrics ?? []), []),
    registries: mistakes.of(() => checkedRegistries(options.registries ?? []), []),
    logger: mistakes.of(() => checkedLogger(options.logger), undefined),
    requestMetrics: options.requestMetrics ?? false,
    tracing: options.tracing ?? true,
  };
}

const operatorOptions: OptionNames<OperatorOptions> = {
  name: true,
  controllers: true,
  webhooks: true,
  webhookServer: true,
  leaderElection: true,
  queue: true,
  namespaces: true,
  cache: true,
  logger: true,
  gracefulStop: true,
  watchdog: true,
  rateLimit: true,
  parts: true,
  checks: true,
  metrics: true,
  registries: true,
  requestMetrics: true,
  metricsAddress: true,
  tracing: true,
  probeAddress: true,
  debugAddress: true,
  secureMetrics: true,
};

/** What the user gave, with defaults, checked: everything that is wrong is reported at once. */
export function resolveOperatorOptions(given: OperatorOptions): ResolvedOperatorOptions {
  const mistakes = new Mistakes();
  const options = mistakes.form('operator()', given, operatorOptions);
  const name = mistakes.of(() => checkedName(options.name), '');
  const controllers = mistakes.of(() => checkedControllers(options.controllers ?? []), []);
  const webhooks = mistakes.of(() => resolveWebhooks(options.webhooks ?? []), []);
  const parts = mistakes.of(() => checkParts(options.parts ?? []), []);
  mistakes.of(() => resolveServing(name, options.webhookServer), undefined);
  const resolved = {
    name,
    controllers,
    webhooks,
    webhookServer: options.webhookServer ?? {},
    allKinds: kindsOf({ controllers, webhooks, parts }),
    queue: mistakes.of(() => checkedTuning(options.queue ?? {}, controllers), {}),
    leaderElection: resolveElection(name, options.leaderElection, mistakes),
    namespaces: mistakes.of(() => checkedNamespaces(options.namespaces), undefined),
    ...resolveCache(options.cache ?? {}, controllers, mistakes),
    rateLimit: mistakes.of(() => resolveRate(options.rateLimit), undefined),
    gracefulStop: mistakes.of(() => milliseconds('gracefulStop', options.gracefulStop ?? '30s'), 0),
    watchdog: options.watchdog ?? true,
    parts,
    ...resolveMeasures(options, mistakes),
    ...resolveServers(options, mistakes),
  };
  mistakes.report();
  return resolved;
}
