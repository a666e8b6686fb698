import { createCache, type OperatorCache, type SharedCache } from '../cache/index.ts';
import { type Client, createClient } from '../client/index.ts';
import { type Controller, ControllerRunner } from '../controller/index.ts';
import { processReadings, type Runtime, watchLoopDelay } from '../internal/index.ts';
import { KilterError } from '../errors/index.ts';
import { errorManagerOf } from '../reconcile/index.ts';
import { createRecorder } from '../recorder/index.ts';
import { Journal, type Logger, MetricsRegistry, registerProcessMetrics } from '../telemetry/index.ts';
import { type Connection, transport } from '../transport/index.ts';
import type { WebhookGround, WebhookPlace } from '../webhook/index.ts';
import { checkAccess } from './access-check.ts';
import { type Candidate, candidateOf, ElectionGate, electionOf } from './candidate.ts';
import type { Endpoint } from './endpoints.ts';
import { fenceOf } from './fence.ts';
import { Lifecycle } from './lifecycle.ts';
import { openEndpoints } from './observability.ts';
import type { ResolvedOperatorOptions } from './options.ts';
import { PartGroup } from './part-group.ts';
import { checkParts, type Part, type PartContext } from './part.ts';
import type { Parts } from './parts.ts';
import { webhookPartOf } from './webhooks.ts';
import { operatorPermissions } from './permissions.ts';
import { transportUntil } from './working-transport.ts';

/** A started operator. */
export interface Manager extends AsyncDisposable {
  /** Caches are synced. Rejects if the operator ends before that. */
  readonly ready: Promise<void>;
  /**
   * Resolves after a graceful stop; rejects with the first failure as it was thrown, a lost lease among them. What failed on
   * the way down hangs on it as `suppressed`.
   */
  readonly done: Promise<void>;
  /** Reads from the cache, writes to the server. */
  readonly client: Client;
  /** The stores as they are, synchronously. */
  readonly cache: OperatorCache;
  /** The last runs: why each ran and what came of it. */
  readonly runs: Journal;
  /** Whether its controllers may run: always, without election. */
  readonly leading: boolean;
  /** The text of the metrics endpoint. */
  metrics(): string;
  /** One more part: it starts at once, or with its group. Refused once the stop has begun. */
  add(part: Part): void;
  /** Stops gracefully and waits for the end; rejects as `done` does. */
  stop(): Promise<void>;
}

/** What a start brings along. */
export interface StartEnvironment {
  readonly connection: Connection;
  /** The connection, where the manager opened it and has to close it. */
  readonly own: Connection | undefined;
  readonly runtime: Runtime;
  readonly logger: Logger;
  readonly signal: AbortSignal | undefined;
  readonly serve: boolean;
  /** Where webhooks are served, if not as the operator says. */
  readonly webhooks?: WebhookPlace | WebhookGround | undefined;
  /** Ask the server at the start whether the operator may do what it declares. */
  readonly accessReview: boolean;
}

interface Composed {
  readonly parts: Omit<Parts, 'openEndpoints' | 'webhooks'>;
  readonly live: Client;
  readonly cache: SharedCache;
  readonly journal: Journal;
  readonly metrics: MetricsRegistry;
}

/** Builds the rooms and hands neighbours over. */
function compose(options: ResolvedOperatorOptions, environment: StartEnvironment, candidate: Candidate): Composed {
  const { connection, runtime, logger } = environment;
  const { name, policy, policyIn, kinds, verifyEvery, namespaces, resync, syncTimeout, waitTimeout } = options;
  const { gracefulStop, rateLimit } = options;
  const metrics = new MetricsRegistry();
  const journal = new Journal((error) =>
    logger.error({ err: error }, 'a listener of `runs` threw; the run is not affected'),
  );
  const gate = new ElectionGate();
  const wire = transport(connection, { runtime, logger, metrics, gate, rateLimit, userAgent: `${name}/kilter` });
  const told = { logger, metrics, clock: runtime.clock };
  const live = createClient(wire, { manager: name, ...told });
  const reporting = { reportingController: name, reportingInstance: candidate.identity };
  const recorder = createRecorder({ client: live, runtime, logger, metrics, ...reporting });
  const names = options.controllers.map((controller) => `${name}/${controller.name}`);
  const managers = new Set([...names, ...names.map(errorManagerOf)]);
  const sharing = { client: live, runtime, logger, metrics, defaultNamespace: connection.namespace };
  const ownManager = (manager: string): boolean => managers.has(manager);
  const reading = { policy, policyIn, kinds, verifyEvery, namespaces, resync, syncTimeout, waitTimeout };
  const cache = createCache({ ...sharing, ...reading, ownManager });
  const reached = (): void => cache.wake();
  const election = electionOf(candidate, { wire, manager: name, runtime, logger, metrics, recorder, reached });
  gate.election = election;
  const leadership = () => election?.leadership ?? { epoch: 0, identity: candidate.identity };
  const fence = fenceOf({ clock: runtime.clock, gate, limit: candidate.writeLimit });
  const closed = (): string | undefined => gate.closed();
  const work = new AbortController();
  const working = transportUntil(wire, work.signal);
  const reader = createClient(working, { manager: name, ...told });
  const limit = candidate.writeLimit;
  const clientOf = (manager: string, guarded: boolean): Client =>
    createClient(working, { manager, ...(guarded && { guarded, writeDeadline: limit }), ...told });
  const shared = { cache, live: reader, recorder, runtime, logger, metrics, journal };
  const unled = () => ({ epoch: 0, identity: candidate.identity });
  const open = fenceOf({ clock: runtime.clock, gate: { closed: () => undefined }, limit: undefined });
  const runnerOf = ({ spec }: Controller): ControllerRunner => {
    const manager = `${name}/${spec.name}`;
    const guard = spec.everyReplica ? { fence: open, leadership: unled } : { fence, closed, leadership };
    const client = clientOf(manager, !spec.everyReplica);
    return new ControllerRunner(spec, { ...shared, ...guard, client, manager, tuning: options.queue });
  };
  const runnersOn = (everyReplica: boolean): ControllerRunner[] =>
    options.controllers.filter(({ spec }) => spec.everyReplica === everyReplica).map(runnerOf);
  const contextOf = (part: Part, signal: AbortSignal): PartContext => ({
    signal,
    client: cache.client(clientOf(`${name}/${part.name}`, part.on === 'leader')),
    live: reader,
    cache: cache.view,
    log: logger.child({ part: part.name }),
    metrics,
    fence: (effect) => (part.on === 'leader' ? fence : open)(effect, signal),
  });
  const partsOn = (on: Part['on']): PartGroup => {
    const parts = options.parts.filter((part) => part.on === on);
    return new PartGroup(parts, { clock: runtime.clock, logger, contextOf });
  };
  const hooks = candidate.election;
  const permissions = operatorPermissions(options, { namespace: candidate.namespace });
  const asking = { permissions, can: live.can.bind(live), clock: runtime.clock, logger };
  const review = environment.accessReview ? (signal: AbortSignal) => checkAccess(asking, signal) : undefined;
  const runners = { runners: runnersOn(false), replicaRunners: runnersOn(true) };
  const own = { ...runners, replicaParts: partsOn('everyReplica'), leaderParts: partsOn('leader') };
  const parts = { ...own, review, cache, election, hooks, recorder, clock: runtime.clock, logger, gracefulStop, work };
  return { parts, live, cache, journal, metrics };
}

async function runAndClose(lifecycle: Lifecycle, close: () => Promise<void>): Promise<void> {
  try {
    await lifecycle.run();
  } finally {
    await close();
  }
}

/** Composes an operator and starts it; it runs on after this returns. */
export async function startManager(options: ResolvedOperatorOptions, environment: StartEnvironment): Promise<Manager> {
  try {
    return await start(options, environment);
  } catch (error) {
    await environment.own?.close();
    throw error;
  }
}

async function start(options: ResolvedOperatorOptions, environment: StartEnvironment): Promise<Manager> {
  const { runtime, connection } = environment;
  const candidate = await candidateOf(options, { runtime, contextNamespace: connection.namespace });
  const { parts, live, cache, journal, metrics } = compose(options, environment, candidate);
  const { logger, webhooks: place } = environment;
  const contextNamespace = connection.namespace;
  const webhooks = await webhookPartOf(options, { client: live, runtime, logger, metrics, contextNamespace, place });
  const stop = new AbortController();
  const signals = environment.signal === undefined ? [stop.signal] : [stop.signal, environment.signal];
  const { metricsAddress, probeAddress } = options;
  const readiness = (): string | undefined => lifecycle.readiness();
  const webhookReadiness = webhooks && (() => webhooks.readiness());
  const { checks } = options;
  const observed = { metricsAddress, probeAddress, metrics, readiness, webhookReadiness, checks };
  const openNone = (): Promise<readonly Endpoint[]> => Promise.resolve([]);
  const open = environment.serve ? () => openEndpoints(observed) : openNone;
  const lifecycle: Lifecycle = new Lifecycle({ ...parts, webhooks, openEndpoints: open }, AbortSignal.any(signals));
  const loop = watchLoopDelay();
  registerProcessMetrics(metrics, processReadings(runtime.clock.now()), loop);
  const done = runAndClose(lifecycle, async () => {
    loop.stop();
    await environment.own?.close();
  });
  // A failure is logged where it happens; whoever awaits `done` gets it, and nobody has to.
  done.catch(() => undefined);
  const stopAndWait = (): Promise<void> => {
    stop.abort(new Error('stopped'));
    return done;
  };
  return {
    ready: lifecycle.ready,
    done,
    client: cache.client(live),
    cache: cache.view,
    runs: journal,
    get leading() {
      return parts.election?.leading ?? true;
    },
    metrics: () => metrics.text(),
    add: (part) => {
      if (AbortSignal.any(signals).aborted)
        throw new KilterError('MANAGER_STOPPED', `the part ${part.name} came too late`);
      const [one] = checkParts([part]) as [Part];
      (one.on === 'leader' ? parts.leaderParts : parts.replicaParts).add(one);
    },
    stop: stopAndWait,
    [Symbol.asyncDispose]: stopAndWait,
  };
}
