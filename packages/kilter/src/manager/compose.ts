import { createCache, type SharedCache } from '../cache/index.ts';
import type { Client } from '../client/index.ts';
import { type Controller, ControllerRunner, permissionsOf } from '../controller/index.ts';
import { toldThrown } from '../errors/index.ts';
import type { Runtime } from '../internal/index.ts';
import { createRecorder } from '../recorder/index.ts';
import { Journal, type Logger, MetricsRegistry, type Tracing, userMetrics } from '../telemetry/index.ts';
import { type Connection, tracedTransport, transport } from '../transport/index.ts';
import type { WebhookGround, WebhookPlace } from '../webhook/index.ts';
import { checkAccess } from './access-check.ts';
import { type Candidate, ElectionGate, electionOf } from './candidate.ts';
import { clientsOn } from './clients.ts';
import { crashWatchOf } from './crash-lease.ts';
import { fenceOf } from './fence.ts';
import type { ResolvedOperatorOptions } from './options.ts';
import { PartGroup } from './part-group.ts';
import type { Part, PartContext } from './part.ts';
import type { Parts } from './parts.ts';
import { operatorPermissions } from './permissions.ts';
import { checkWhole } from './resolve-options.ts';
import { RunnerGroup } from './runner-group.ts';
import { exemplars } from './tracing.ts';

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
  /** The process is this operator's: a stuck event loop ends it. Default: false. */
  readonly watchdog?: boolean | undefined;
  /** Rejects with what nobody caught; the operator stops then. Undefined: nobody looks. */
  readonly uncaught?: Promise<never> | undefined;
  /** Ask the server at the start whether the operator may do what it declares. */
  readonly accessReview: boolean;
}
/** The rooms of one start, handed to each other. */
export interface Composed {
  readonly parts: Omit<Parts, 'openEndpoints' | 'webhooks'>;
  readonly live: Client;
  /** As `live`, with requests that end with the signal. */
  readonly clientUntil: (signal: AbortSignal) => Client;
  /** Asks about scrapers, each of which waits for the answer. */
  readonly reviewer: Client;
  readonly cache: SharedCache;
  readonly journal: Journal;
  readonly metrics: MetricsRegistry;
  /** For those that come later. */
  readonly controllers: {
    readonly runners: ReadonlyMap<string, ControllerRunner>;
    readonly runnerOf: (controller: Controller) => ControllerRunner;
    readonly check: (controller: Controller) => void;
    readonly review: ((controller: Controller, signal: AbortSignal) => Promise<void>) | undefined;
  };
  readonly gate: ElectionGate;
}
const journalOf = (logger: Logger): Journal =>
  new Journal((error) =>
    logger.error({ err: toldThrown(error) }, 'a listener of `runs` threw; the run is not affected'),
  );

interface TracedStart extends StartEnvironment {
  readonly tracing: Tracing | undefined;
}

/** Builds the rooms and hands neighbours over. */
export function compose(options: ResolvedOperatorOptions, environment: TracedStart, candidate: Candidate): Composed {
  const { connection, runtime, logger, tracing } = environment;
  const { name, policy, policyIn, kinds, verifyEvery, namespaces, resync, syncTimeout, waitTimeout } = options;
  const { gracefulStop, rateLimit, requestMetrics } = options;
  const metrics = new MetricsRegistry();
  const journal = journalOf(logger);
  const metric = userMetrics(options.metrics, { metrics, logger, exemplar: exemplars(tracing, runtime.clock) });
  const gate = new ElectionGate();
  // Without election nothing is asked, and writes go the common way.
  const guard = candidate.election === undefined ? undefined : gate;
  const sending = { metrics, requestMetrics, gate: guard, rateLimit, userAgent: `${name}/kilter` };
  const plain = transport(connection, { runtime, logger, ...sending });
  const wire = tracing === undefined ? plain : tracedTransport(plain, tracing);
  const told = { logger, metrics, clock: runtime.clock };
  const work = new AbortController();
  const { writeLimit } = candidate;
  const clients = clientsOn(wire, { manager: name, work: work.signal, writeLimit, ...told });
  const { live, reviewer, reader, clientOf, clientUntil } = clients;
  const reporting = { reportingController: name, reportingInstance: candidate.identity };
  const recorder = createRecorder({ client: live, runtime, logger, metrics, ...reporting });
  const sharing = { client: live, runtime, logger, metrics, defaultNamespace: connection.namespace };
  // Of every controller of this operator, also of those that are added later.
  const ownManager = (manager: string): boolean => manager.startsWith(`${name}/`);
  const reading = { policy, policyIn, kinds, verifyEvery, namespaces, resync, syncTimeout, waitTimeout };
  const cache = createCache({ ...sharing, ...reading, ownManager });
  const reached = (): void => cache.wake();
  const election = electionOf(candidate, { wire, manager: name, runtime, logger, metrics, recorder, reached });
  gate.election = election;
  const leadership = () => election?.leadership ?? { epoch: 0, identity: candidate.identity };
  const fence = fenceOf({ clock: runtime.clock, gate, limit: writeLimit });
  const shared = { cache, live: reader, recorder, runtime, logger, metrics, metric, journal, tracing };
  const unled = () => ({ epoch: 0, identity: candidate.identity });
  const open = fenceOf({ clock: runtime.clock, gate: { closed: () => undefined }, limit: undefined });
  const crashes = crashWatchOf(options, candidate, { wire, ...told });
  const runnerOf = ({ spec }: Controller): ControllerRunner => {
    const manager = `${name}/${spec.name}`;
    const guard = spec.everyReplica
      ? { fence: open, leadership: unled }
      : { fence, closed: () => gate.closed(), leadership, crashes };
    const client = clientOf(manager, !spec.everyReplica);
    return new ControllerRunner(spec, { ...shared, ...guard, client, manager, tuning: options.queue });
  };
  const made = options.controllers.map((controller) => ({ controller, runner: runnerOf(controller) }));
  const runnersOn = (everyReplica: boolean): RunnerGroup =>
    new RunnerGroup(
      made.flatMap(({ controller: { spec }, runner }) => (spec.everyReplica === everyReplica ? runner : [])),
    );
  const contextOf = (part: Part, signal: AbortSignal): PartContext => ({
    signal,
    client: cache.client(clientOf(`${name}/${part.name}`, part.on === 'leader')),
    live: reader,
    cache: cache.view,
    log: logger.child({ part: part.name }),
    metric,
    fence: (effect) => (part.on === 'leader' ? fence : open)(effect, signal),
  });
  const partsOn = (on: Part['on']): PartGroup => {
    const parts = options.parts.filter((part) => part.on === on);
    return new PartGroup(parts, { clock: runtime.clock, logger, cache, contextOf });
  };
  const permissions = operatorPermissions(options, { namespace: candidate.namespace });
  const asking = { permissions, can: live.can.bind(live), clock: runtime.clock, logger };
  const review = environment.accessReview ? (signal: AbortSignal) => checkAccess(asking, signal) : undefined;
  const runners = { runners: runnersOn(false), replicaRunners: runnersOn(true) };
  const own = { ...runners, replicaParts: partsOn('everyReplica'), leaderParts: partsOn('leader') };
  const beside = { uncaught: environment.uncaught, review, election, crashes, hooks: candidate.election, recorder };
  const parts = { ...own, ...beside, cache, clock: runtime.clock, logger, gracefulStop, work };
  const reviewOf = ({ spec }: Controller, signal: AbortSignal): Promise<void> =>
    checkAccess({ ...asking, permissions: permissionsOf(spec, namespaces) }, signal);
  const controllers = {
    runners: new Map(made.map(({ runner }) => [runner.name, runner])),
    runnerOf,
    check: (controller: Controller) => checkWhole(options.kinds, [controller]),
    review: environment.accessReview ? reviewOf : undefined,
  };
  return { parts, live, clientUntil, reviewer, cache, journal, metrics, gate, controllers };
}
