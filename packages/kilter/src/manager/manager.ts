import { hostname } from 'node:os';
import { createCache, type CacheView } from '../cache/index.ts';
import { type Client, createClient } from '../client/index.ts';
import { parseBindAddress, podNamespace } from '../config/index.ts';
import { type ControllerDependencies, ControllerRunner } from '../controller/index.ts';
import { createElection, type Election } from '../election/index.ts';
import type { Runtime } from '../internal/index.ts';
import { createRecorder } from '../recorder/index.ts';
import { Journal, type Logger, MetricsRegistry } from '../telemetry/index.ts';
import { type Connection, type Transport, transport } from '../transport/index.ts';
import { type Endpoint, serve } from './endpoints.ts';
import { fenceOf } from './fence.ts';
import { Lifecycle } from './lifecycle.ts';
import type { ResolvedElection, ResolvedOperatorOptions } from './options.ts';
import { type Checks, probe } from './probes.ts';

/** A started operator. */
export interface Manager extends AsyncDisposable {
  /** Caches are synced. Rejects if the operator ends before that. */
  readonly ready: Promise<void>;
  /** Resolves after a graceful stop; rejects with the first failure, a lost lease among them. */
  readonly done: Promise<void>;
  /** Reads from the cache, writes to the server. */
  readonly client: Client;
  /** The stores as they are, synchronously. */
  readonly cache: CacheView;
  /** The last runs: why each ran and what came of it. */
  readonly runs: Journal;
  readonly leading: boolean;
  /** The text of the metrics endpoint. */
  metrics(): string;
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
}

interface Candidate {
  readonly options: ResolvedElection;
  readonly identity: string;
  readonly namespace: string;
}

async function candidateOf(
  options: ResolvedOperatorOptions,
  environment: StartEnvironment,
): Promise<Candidate | undefined> {
  const { leaderElection } = options;
  if (leaderElection === undefined) return undefined;
  const identity = leaderElection.identity ?? `${hostname()}_${environment.runtime.uuid()}`;
  const namespace = leaderElection.namespace ?? (await podNamespace({ context: environment.connection.namespace }));
  return { options: leaderElection, identity, namespace };
}

/** Composes the rooms into one running operator. */
export async function startManager(options: ResolvedOperatorOptions, environment: StartEnvironment): Promise<Manager> {
  const { connection, runtime, logger } = environment;
  const metrics = new MetricsRegistry();
  const journal = new Journal();
  const candidate = await candidateOf(options, environment);
  const identity = candidate?.identity ?? `${hostname()}_${runtime.uuid()}`;
  /** Set once the election stands; until then guarded writes have nothing to wait for. */
  let election: Election | undefined;
  const gate = { closed: () => election?.closed() };
  const wire: Transport = transport(connection, {
    runtime,
    logger,
    metrics,
    gate,
    userAgent: `${options.name}/kilter`,
  });
  const live = createClient(wire, { manager: options.name });
  const recorder = createRecorder({
    client: live,
    runtime,
    logger,
    metrics,
    reportingController: options.name,
    reportingInstance: identity,
  });
  if (candidate !== undefined) {
    const { lease, leaseDuration, renewDeadline, retryPeriod } = candidate.options;
    const client = createClient(wire, { manager: options.name, session: 'lease' });
    const place = { name: lease, namespace: candidate.namespace };
    election = createElection({
      client,
      runtime,
      logger,
      metrics,
      recorder,
      lease: place,
      identity,
      leaseDuration,
      renewDeadline,
      retryPeriod,
    });
  }
  const fieldManagers = options.controllers.map(({ name }) => `${options.name}/${name}`);
  const { policy, namespaces, resync, syncTimeout } = options;
  const cache = createCache({
    client: live,
    runtime,
    logger,
    metrics,
    policy,
    namespaces,
    resync,
    syncTimeout,
    ownManagers: fieldManagers,
  });
  const writeLimit = candidate && candidate.options.leaseDuration - candidate.options.renewDeadline;
  const shared: Omit<ControllerDependencies, 'client' | 'manager'> = {
    cache,
    live,
    recorder,
    runtime,
    logger,
    metrics,
    journal,
    leadership: () => election?.leadership ?? { epoch: 0, identity },
    fence: fenceOf({ clock: runtime.clock, gate, limit: writeLimit }),
  };
  const runners = options.controllers.map(({ spec }) => {
    const manager = `${options.name}/${spec.name}`;
    const client = createClient(wire, { manager, guarded: candidate !== undefined, writeDeadline: writeLimit });
    return new ControllerRunner(spec, { ...shared, client, manager });
  });
  const stop = new AbortController();
  const given = environment.signal;
  const stopping = given === undefined ? stop.signal : AbortSignal.any([stop.signal, given]);
  const lifecycle: Lifecycle = new Lifecycle(
    {
      cache,
      runners,
      election,
      hooks: candidate?.options,
      recorder,
      clock: runtime.clock,
      logger,
      gracefulStop: options.gracefulStop,
      openEndpoints: () => (environment.serve ? openEndpoints(options, metrics, () => lifecycle.readiness()) : none()),
    },
    stopping,
  );
  const done = lifecycle.run().finally(() => environment.own?.close());
  // A failure is logged where it happens; whoever awaits `done` gets it, and nobody has to.
  done.catch(() => undefined);
  return {
    ready: lifecycle.ready,
    done,
    client: cache.client(live),
    cache: cache.view,
    runs: journal,
    get leading() {
      return election?.leading ?? true;
    },
    metrics: () => metrics.text(),
    stop: () => {
      stop.abort(new Error('stopped'));
      return done;
    },
    async [Symbol.asyncDispose]() {
      await this.stop();
    },
  };
}

const none = (): Promise<readonly Endpoint[]> => Promise.resolve([]);

async function openEndpoints(
  { metricsAddress, probeAddress }: ResolvedOperatorOptions,
  metrics: MetricsRegistry,
  readiness: () => string | undefined,
): Promise<readonly Endpoint[]> {
  const ping: Checks = new Map([['ping', () => undefined]]);
  const endpoints = { healthz: ping, readyz: new Map([['caches', readiness]]) };
  const opened: Endpoint[] = [];
  const metricsAt = parseBindAddress(metricsAddress, 'the metrics address');
  const probesAt = parseBindAddress(probeAddress, 'the probe address');
  try {
    if (metricsAt !== undefined) {
      const contentType = 'text/plain; version=0.0.4; charset=utf-8';
      const answer = ({ pathname }: URL) =>
        pathname === '/metrics' ? { status: 200, contentType, body: metrics.text() } : undefined;
      opened.push(await serve('metrics', metricsAt, answer));
    }
    if (probesAt !== undefined) {
      const contentType = 'text/plain; charset=utf-8';
      const answer = (url: URL) => {
        const found = probe(url, endpoints);
        return found === undefined ? undefined : { ...found, contentType };
      };
      opened.push(await serve('probes', probesAt, answer));
    }
    return opened;
  } catch (error) {
    for (const endpoint of opened) await endpoint.close();
    throw error;
  }
}
