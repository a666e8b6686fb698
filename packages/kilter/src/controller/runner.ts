import { keyOfRef, type Kind, type KubeObject, type NamedRef } from '../api/index.ts';
import type { Informer, SentWrite, SharedCache, WriteObserver } from '../cache/index.ts';
import type { Client } from '../client/index.ts';
import { type Work, type WorkQueue, workQueue } from '../queue/index.ts';
import { OwnMetrics } from '../telemetry/index.ts';
import { StartGate } from '../trigger/index.ts';
import type { ControllerDependencies } from './dependencies.ts';
import { environmentOf } from './environment.ts';
import { HotLoops } from './hot-loops.ts';
import { isSameKind } from './kinds.ts';
import { Loop } from './loop.ts';
import { Quarantine } from './quarantine.ts';
import { KeyReconciler, type PrimaryObjects } from './key-reconciler.ts';
import { resolveTuning } from './queue-tuning.ts';
import { RunMetrics } from './run-metrics.ts';
import type { ControllerSpec, WatchedSpec } from './spec.ts';
import { type Connected, connectTriggers } from './triggers.ts';

/** One controller of a started operator: first connected, then run, then drained. */
export class ControllerRunner {
  readonly #spec: ControllerSpec;
  readonly #dependencies: ControllerDependencies;
  readonly #queue: WorkQueue;
  /** What it listens to; set by `connect`. */
  #connected: Connected | undefined;
  /** What it has asked the cache for. */
  readonly #informers = new Set<Informer>();
  /** How to take its indexes back from the cache. */
  readonly #indexes: (() => void)[] = [];
  readonly #metrics: OwnMetrics;
  readonly #hotLoops: HotLoops;
  /** Opens with the start: a standby watches, and collects no keys. */
  readonly #gate = new StartGate();
  /** Mappers of external sources wait for it. */
  readonly #started: PromiseWithResolvers<void> = Promise.withResolvers();
  /** Leaves out objects that end the process; undefined where nobody does. There once the controller runs. */
  #quarantine: Quarantine | undefined;
  /** There once the controller runs. */
  #loop: Loop | undefined;
  /** What runs the user's code; there once the controller runs. */
  #reconciler: KeyReconciler | undefined;

  constructor(spec: ControllerSpec, dependencies: ControllerDependencies) {
    this.#spec = spec;
    this.#dependencies = dependencies;
    const { runtime, logger } = dependencies;
    const metrics = (this.#metrics = new OwnMetrics(dependencies.metrics));
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

  /** What runs now: `thing/default/a`. */
  get running(): string[] {
    return Array.from(this.#loop?.running ?? [], (key) => `${this.name}/${key}`);
  }

  /** Declares what is watched; nothing is queued yet, so standbys do it too. */
  connect(): void {
    const { cache, runtime, logger } = this.#dependencies;
    const metrics = this.#metrics;
    const { clock } = runtime;
    const context = { queue: this.#queue, controller: this.#spec.name, clock, gate: this.#gate, logger, metrics };
    const started = this.#started.promise;
    const gone = (key: string): void => {
      this.#reconciler?.forget(key);
      this.#hotLoops.forget(key);
    };
    const held = (key: string): boolean => this.#quarantine?.holds(key) ?? false;
    const given = { spec: this.#spec, cache: this.#asking(cache), context, started, gone, held };
    this.#connected = connectTriggers(given);
  }

  /** Everything this controller watches or reads, as the cache holds it. */
  get informers(): readonly Informer[] {
    return [...this.#informers];
  }

  /** One more kind that wakes its objects; gives what is watched for it, and how to end that. */
  watch(watched: WatchedSpec): { readonly informers: readonly Informer[]; release(): Promise<void> } {
    const before = new Set(this.#informers);
    const disconnect = this.#connected?.watch(watched);
    const informers = this.informers.filter((informer) => !before.has(informer));
    const release = async (): Promise<void> => {
      disconnect?.();
      for (const informer of informers) this.#informers.delete(informer);
      await Promise.all(informers.map((informer) => informer.release()));
    };
    return { informers, release };
  }

  /** Of one that never ran: nothing of it stays in the cache and among the gauges, so that another may have its name. */
  async release(): Promise<void> {
    this.shutdown();
    this.#metrics.end();
    for (const takeBack of this.#indexes.splice(0)) takeBack();
    const { informers } = this;
    this.#informers.clear();
    await Promise.all(informers.map((informer) => informer.release()));
  }

  #asking(cache: SharedCache): Pick<SharedCache, 'informer' | 'index'> {
    return {
      informer: (declaration) => {
        const informer = cache.informer(declaration);
        this.#informers.add(informer as unknown as Informer);
        return informer;
      },
      index: (kind, index) => {
        const takeBack = cache.index(kind, index);
        this.#indexes.push(takeBack);
        return takeBack;
      },
    };
  }

  /** Runs keys until shut down; what runs is aborted with the signal. */
  async start(signal: AbortSignal): Promise<void> {
    const { runtime, logger, journal, cache } = this.#dependencies;
    const metrics = this.#metrics;
    const spec = this.#spec;
    const connected = this.#connected as Connected;
    const { primary } = connected;
    const objects: PrimaryObjects = {
      unsettled: (key) => cache.unsettled(spec.kind, key),
      stored: (key, number) => primary.stored(key, number),
      managedFieldsOf: (key) => primary.managedFieldsOf(key),
    };
    const environment = environmentOf(spec, this.#dependencies, connected);
    const { crashes } = this.#dependencies;
    if (spec.quarantine) {
      this.#quarantine = new Quarantine({ controller: spec.name, environment, metrics, crashes });
    }
    this.#reconciler = new KeyReconciler(spec, environment, { ...objects, quarantine: this.#quarantine });
    this.#loop = new Loop({
      spec,
      queue: this.#queue,
      reconciler: this.#reconciler,
      hotLoops: this.#hotLoops,
      clientFor: (work, observe) => this.#clientFor(work, observe),
      before: (write) => this.#cached(write),
      runtime,
      logger,
      metrics: new RunMetrics(metrics, spec.name, spec.concurrency),
      journal,
      tracing: this.#dependencies.tracing,
      closed: this.#dependencies.closed,
      signal,
    });
    const loop = this.#loop.run();
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

  /** What the cache does not hold, or not as a whole, is not known: a journal asks no server. */
  #cached({ kind, ref }: SentWrite): KubeObject | undefined {
    if (ref === undefined) return undefined;
    try {
      return this.#dependencies.cache.viewFor({ indexUser: this.#spec.name }).find(kind, ref);
    } catch {
      return undefined;
    }
  }

  /** About an object that is still there; of one that is gone nobody reads. */
  #event(ref: NamedRef, message: string): void {
    const regarding = this.#connected?.primary.get(keyOfRef(ref));
    if (regarding === undefined) return;
    this.#dependencies.recorder.record({ regarding, type: 'Warning', reason: 'HotLoop', message });
  }
}
