import { apiVersionOf, type Kind, kindLabel } from '../api/index.ts';
import type { Informer, SharedCache } from '../cache/index.ts';
import type { Client, Reader } from '../client/index.ts';
import type { Runtime } from '../internal/index.ts';
import { type WorkQueue, workQueue } from '../queue/index.ts';
import {
  AppliedStates,
  type DeclaredChild,
  ownEntryOf,
  type ReconcileEnvironment,
  type RunContext,
} from '../reconcile/index.ts';
import type { Recorder } from '../recorder/index.ts';
import type { Journal, Logger, Metrics } from '../telemetry/index.ts';
import type { Primaries } from '../trigger/index.ts';
import { Loop } from './loop.ts';
import { OneRun } from './one-run.ts';
import { RunMetrics } from './run-metrics.ts';
import type { ControllerSpec } from './spec.ts';
import { connectTriggers } from './triggers.ts';

/** What an operator gives each of its controllers. */
export interface ControllerDependencies {
  readonly cache: SharedCache;
  /** Writes guarded and under the controller's field manager; reads live. */
  readonly client: Client;
  readonly live: Reader;
  readonly recorder: Recorder;
  readonly runtime: Runtime;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly journal: Journal;
  /** The field manager of this controller. */
  readonly manager: string;
  readonly leadership: () => RunContext['leadership'];
  readonly fence: ReconcileEnvironment['fence'];
}

/** One controller of a started operator: first connected, then run, then drained. */
export class ControllerRunner {
  readonly #spec: ControllerSpec;
  readonly #dependencies: ControllerDependencies;
  readonly #queue: WorkQueue;
  /** Ends the triggers; set by `connect`. */
  #disconnect: () => void = () => undefined;
  /** Mappers of external sources wait for it. */
  readonly #started: PromiseWithResolvers<void> = Promise.withResolvers();
  /** What runs the user's code; there once the controller runs. */
  #oneRun: OneRun | undefined;
  #primaries: Primaries<string> | undefined;
  /** Informers of owned kinds, by `Kind.group`; set by `connect`. */
  #children: ReadonlyMap<string, Informer> = new Map();

  constructor(spec: ControllerSpec, dependencies: ControllerDependencies) {
    this.#spec = spec;
    this.#dependencies = dependencies;
    const { runtime, metrics, logger } = dependencies;
    this.#queue = workQueue({ name: spec.name, runtime, metrics, logger, backoff: spec.backoff });
  }

  get name(): string {
    return this.#spec.name;
  }

  /** Declares what is watched and fills the queue from it; nothing runs yet, so standbys do it too. */
  connect(): void {
    const { cache, runtime, logger, metrics } = this.#dependencies;
    const context = { queue: this.#queue, controller: this.#spec.name, logger, metrics };
    const started = this.#started.promise;
    const gone = (key: string): void => this.#oneRun?.forget(key);
    const setup = { spec: this.#spec, cache, clock: runtime.clock, context, started, gone };
    const { primaries, children, disconnect } = connectTriggers(setup);
    this.#primaries = primaries;
    this.#children = children;
    this.#disconnect = disconnect;
  }

  /** Runs keys until shut down; what runs is aborted with the signal. */
  async start(signal: AbortSignal): Promise<void> {
    const { runtime, logger, metrics, journal, cache } = this.#dependencies;
    const spec = this.#spec;
    this.#started.resolve();
    this.#oneRun = new OneRun(spec, this.#environment(), cache);
    await new Loop({
      spec,
      queue: this.#queue,
      oneRun: this.#oneRun,
      clientFor: (key) => this.#clientFor(key),
      runtime,
      logger,
      metrics: new RunMetrics(metrics, spec.name, spec.concurrency),
      journal,
      signal,
    }).run();
  }

  /** Hands out no more keys. */
  shutdown(): void {
    this.#disconnect();
    this.#queue.shutdown();
  }

  drained(): Promise<void> {
    return this.#queue.drained();
  }

  #clientFor(key: string): Client {
    const { cache, client } = this.#dependencies;
    return cache.client(client, { kind: this.#spec.kind, key });
  }

  #environment(): ReconcileEnvironment {
    const { cache, live, recorder, runtime, manager, leadership, fence, metrics } = this.#dependencies;
    const skipped = metrics.counter('kilter_skipped_writes_total', 'Writes not sent because nothing would change.');
    const labels = { controller: this.#spec.name };
    return {
      kind: this.#spec.kind,
      children: declaredChildren(this.#spec),
      ownedFieldsOf: (kind, ref) => ownEntryOf(cache.managedFieldsOf(kind, ref), manager),
      live,
      cache: cache.view,
      childrenOf: async (kind, { key, uid }) => {
        await cache.settled(this.#spec.kind, key);
        return this.#children.get(kindLabel(kind.names))?.ownedBy(uid) ?? [];
      },
      primaries: this.#primaries as RunContext['primaries'],
      recorder,
      clock: runtime.clock,
      manager,
      states: new AppliedStates(),
      leadership,
      fence,
      skipped: () => skipped.inc(labels),
    };
  }
}

function declaredChildren({ owns, writes }: ControllerSpec): Map<string, DeclaredChild> {
  const entry = (kind: Kind, owned: boolean): [string, DeclaredChild] => [
    `${apiVersionOf(kind.names)}/${kind.names.kind}`,
    { kind, owned },
  ];
  return new Map([...writes.map((kind) => entry(kind, false)), ...owns.map(({ kind }) => entry(kind, true))]);
}
