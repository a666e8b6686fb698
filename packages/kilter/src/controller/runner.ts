import { keyOfRef, type Kind, type NamedRef } from '../api/index.ts';
import type { WriteObserver } from '../cache/index.ts';
import type { Client } from '../client/index.ts';
import { type Work, type WorkQueue, workQueue } from '../queue/index.ts';
import { StartGate } from '../trigger/index.ts';
import type { ControllerDependencies } from './dependencies.ts';
import { environmentOf } from './environment.ts';
import { HotLoops } from './hot-loops.ts';
import { isSameKind } from './kinds.ts';
import { Loop } from './loop.ts';
import { OneRun, type PrimaryObjects } from './one-run.ts';
import { resolveTuning } from './queue-tuning.ts';
import { RunMetrics } from './run-metrics.ts';
import type { ControllerSpec } from './spec.ts';
import { type Connected, connectTriggers } from './triggers.ts';

/** One controller of a started operator: first connected, then run, then drained. */
export class ControllerRunner {
  readonly #spec: ControllerSpec;
  readonly #dependencies: ControllerDependencies;
  readonly #queue: WorkQueue;
  /** What it listens to; set by `connect`. */
  #connected: Connected | undefined;
  readonly #hotLoops: HotLoops;
  /** Opens with the start: a standby watches, and collects no keys. */
  readonly #gate = new StartGate();
  /** Mappers of external sources wait for it. */
  readonly #started: PromiseWithResolvers<void> = Promise.withResolvers();
  /** What runs the user's code; there once the controller runs. */
  #oneRun: OneRun | undefined;

  constructor(spec: ControllerSpec, dependencies: ControllerDependencies) {
    this.#spec = spec;
    this.#dependencies = dependencies;
    const { runtime, metrics, logger } = dependencies;
    const tuning = resolveTuning(spec.tuning, dependencies.tuning);
    this.#queue = workQueue({ name: spec.name, runtime, metrics, logger, ...tuning });
    this.#hotLoops = new HotLoops({
      controller: spec.name,
      manager: dependencies.manager,
      live: dependencies.live,
      clock: runtime.clock,
      metrics,
      event: (ref, message) => this.#event(ref, message),
    });
  }

  get name(): string {
    return this.#spec.name;
  }

  /** Declares what is watched; nothing is queued yet, so standbys do it too. */
  connect(): void {
    const { cache, runtime, logger, metrics } = this.#dependencies;
    const { clock } = runtime;
    const context = { queue: this.#queue, controller: this.#spec.name, clock, gate: this.#gate, logger, metrics };
    const started = this.#started.promise;
    const gone = (key: string): void => {
      this.#oneRun?.forget(key);
      this.#hotLoops.forget(key);
    };
    this.#connected = connectTriggers({ spec: this.#spec, cache, context, started, gone });
  }

  /** Runs keys until shut down; what runs is aborted with the signal. */
  async start(signal: AbortSignal): Promise<void> {
    const { runtime, logger, metrics, journal, cache } = this.#dependencies;
    const spec = this.#spec;
    const connected = this.#connected as Connected;
    const { primary } = connected;
    const objects: PrimaryObjects = {
      unsettled: (key) => cache.unsettled(spec.kind, key),
      stored: (key) => primary.stored(key),
      managedFieldsOf: (key) => primary.managedFieldsOf(key),
    };
    this.#oneRun = new OneRun(spec, environmentOf(spec, this.#dependencies, connected), objects);
    const loop = new Loop({
      spec,
      queue: this.#queue,
      oneRun: this.#oneRun,
      hotLoops: this.#hotLoops,
      clientFor: (work, observe) => this.#clientFor(work, observe),
      runtime,
      logger,
      metrics: new RunMetrics(metrics, spec.name, spec.concurrency),
      journal,
      closed: this.#dependencies.closed,
      signal,
    }).run();
    // Workers first: the first keys run while the last ones are still found.
    this.#gate.open();
    this.#started.resolve();
    await loop;
  }

  /** Hands out no more keys. */
  shutdown(): void {
    this.#connected?.disconnect();
    this.#queue.shutdown();
  }

  drained(): Promise<void> {
    return this.#queue.drained();
  }

  #clientFor({ key, ref }: Pick<Work, 'key' | 'ref'>, observe: WriteObserver): Client {
    const { cache, client } = this.#dependencies;
    const { kind, name } = this.#spec;
    // Bare names in a run mean the namespace of its object; where that has none they are refused.
    const namespace = ref.namespace ?? '';
    // The object of a run is what its controller's selectors let in, also where somebody else's let in more.
    const outside = (of: Kind, other: string): boolean =>
      other === key && isSameKind(of, kind) && this.#connected?.primary.has(key) === false;
    return cache.client(client, { madeFor: { kind, key, observe }, namespace, indexUser: name, outside });
  }

  /** About an object that is still there; of one that is gone nobody reads. */
  #event(ref: NamedRef, message: string): void {
    const regarding = this.#connected?.primary.get(keyOfRef(ref));
    if (regarding === undefined) return;
    this.#dependencies.recorder.record({ regarding, type: 'Warning', reason: 'HotLoop', message });
  }
}
