import { compareResourceVersions, type KubeObject } from '../api/index.ts';
import type { Runtime, Timer } from '../internal/index.ts';
import type { Logger } from '../telemetry/index.ts';
import { AwaitedWrites } from './awaited-writes.ts';
import type { CacheMetrics, InformerGauges } from './cache-metrics.ts';
import { type Delta, deleted, deletedByKey, resynced, vanished, written } from './change.ts';
import { coversNamespace, matchesDeclaration, type ResolvedDeclaration } from './declaration.ts';
import { Handlers } from './handlers.ts';
import { noteUse, type Part, verified } from './informer-part.ts';
import type { IntakeOptions, Received } from './intake.ts';
import { ObjectCodec } from './object-codec.ts';
import type { Outages } from './outages.ts';
import { type ChangeType, Reflector, type Snapshot } from './reflector.ts';
import { inSlices } from './slices.ts';
import type { SourceOf } from './source.ts';
import { ageOf, ObjectStore, type StoreReader } from './store.ts';
import type { StoredObject } from './stored-object.ts';
import { UserIndexes } from './user-indexes.ts';
import { Verifier } from './verifier.ts';
import type { ChangeHandler } from './view.ts';
import { WatchReports } from './watch-reports.ts';

export interface InformerCoreOptions {
  readonly declaration: ResolvedDeclaration;
  readonly source: SourceOf;
  readonly runtime: Runtime;
  readonly logger: Logger;
  readonly metrics: CacheMetrics;
  readonly outages: Outages;
  /** How long an initial stream may be silent before its end marker, in milliseconds. */
  readonly initialPatience?: number | undefined;
  readonly ownManager: IntakeOptions['ownManager'];
  /** What is kept of an object; undefined: all of it. */
  readonly projection?: IntakeOptions['projection'];
  readonly transform?: IntakeOptions['transform'];
  /** Milliseconds between two safety resyncs; undefined: none. */
  readonly resync: number | undefined;
  /** Milliseconds between two comparisons with the server's list; undefined: none. */
  readonly verifyEvery?: number | undefined;
}

/** One watched kind: its store, kept up by a reflector per namespace, and those who follow it. */
export class InformerCore {
  readonly awaited: AwaitedWrites;
  readonly indexes: UserIndexes;
  readonly #options: InformerCoreOptions;
  /** Changed before the start alone. */
  #declaration: ResolvedDeclaration;
  #codec: ObjectCodec;
  #started = false;
  readonly #store = new ObjectStore();
  readonly #handlers: Handlers;
  readonly #parts: readonly Part[];
  readonly #firstSync = Promise.withResolvers<void>();
  /** Runs from the first sync to the stop. */
  #resyncTimer: Timer | undefined;
  readonly #verifier: Verifier | undefined;
  #stopped = false;

  constructor(options: InformerCoreOptions) {
    this.#options = options;
    this.#declaration = options.declaration;
    this.#codec = this.#codecFor(options.declaration);
    const { clock } = options.runtime;
    this.#handlers = new Handlers({ clock, failed: (error, key) => this.#handlerFailed(error, key) });
    this.#parts = (this.declaration.namespaces ?? [undefined]).map((namespace) => this.#part(namespace));
    this.#verifier = this.#verifierOf(options);
    this.indexes = new UserIndexes({
      store: this.#store,
      label: this.declaration.label,
      failed: (error, about) => this.#indexFailed(error, about),
    });
    this.awaited = new AwaitedWrites({
      held: (key) => this.#store.get(key),
      progress: (namespace) => this.#partOf(namespace)?.progress,
    });
  }

  get declaration(): ResolvedDeclaration {
    return this.#declaration;
  }

  /** Keeps whole objects from now on. False once it has started: what is stored cannot be completed. */
  promote(): boolean {
    if (this.#started) return false;
    this.#declaration = { ...this.#declaration, metadataOnly: false };
    this.#codec = this.#codecFor(this.#declaration);
    return true;
  }

  get store(): StoreReader {
    return this.#store;
  }

  /** Handlers have processed the first complete state of every namespace. */
  get synced(): boolean {
    return this.#parts.every(({ delivered }) => delivered);
  }

  /** The store holds the first complete state of every namespace; handlers may still be at it. */
  get filled(): boolean {
    return this.#parts.every(({ progress }) => progress !== undefined);
  }

  /** Resolves at the first sync; stays pending where it never comes. */
  get firstSync(): Promise<void> {
    return this.#firstSync.promise;
  }

  get lastError(): { readonly error: unknown; readonly at: number } | undefined {
    const errors = this.#parts.flatMap(({ reports }) => reports.lastError ?? []);
    return errors.toSorted((a, b) => b.at - a.at)[0];
  }

  get gauges(): InformerGauges {
    const now = this.#options.runtime.clock.monotonic();
    const heard = this.#parts.flatMap(({ heardAt }) => heardAt ?? []);
    return {
      label: this.declaration.label,
      objects: this.#store.count,
      bytes: this.#store.size,
      synced: this.synced,
      silence: heard.length === 0 ? undefined : (now - Math.min(...heard)) / 1000,
    };
  }

  start(): void {
    this.#started = true;
    if (!this.#stopped) for (const { reflector } of this.#parts) reflector.start();
  }

  /** The server is there: watches that back off only because it was not are opened now. */
  wake(): void {
    for (const { reflector } of this.#parts) reflector.wake();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#resyncTimer?.cancel();
    this.#verifier?.stop();
    await Promise.all(this.#parts.map(({ reflector }) => reflector.stop()));
    for (const { reports } of this.#parts) this.#options.outages.forget(reports);
    this.awaited.forgetAll();
  }

  handle(handler: ChangeHandler): () => void {
    const newest = (key: string): Delta | undefined => {
      const object = this.#store.get(key);
      return object === undefined ? undefined : written(undefined, object, true);
    };
    return this.#handlers.add(handler, { keys: this.#told(), newest });
  }

  /** The keys a handler added now has missed. A state that is still being put in place will be reported to it. */
  #told(): Iterable<string> {
    if (this.filled) return this.#store.keys();
    const filled = this.#parts.flatMap(({ progress, namespace }) => (progress === undefined ? [] : (namespace ?? '')));
    return filled.flatMap((namespace) => this.#store.all(namespace).map(({ key }) => key));
  }

  /** Whether a written object will arrive here, or leaves from here. */
  expects(object: KubeObject, key: string): boolean {
    if (!coversNamespace(this.declaration, object.metadata.namespace)) return false;
    return matchesDeclaration(this.declaration, object) || this.#store.get(key) !== undefined;
  }

  #codecFor({ kind, metadataOnly }: ResolvedDeclaration): ObjectCodec {
    const { ownManager, projection, transform } = this.#options;
    // What a user's function is written for are whole objects.
    const cut = metadataOnly ? { projection } : { projection, transform };
    return new ObjectCodec({ names: kind.names, metadataOnly, ownManager, ...cut });
  }

  #part(namespace: string | undefined): Part {
    const { runtime, logger, metrics, outages, initialPatience } = this.#options;
    const { clock } = runtime;
    const part: Part = {
      namespace,
      reports: new WatchReports({ declaration: this.declaration, namespace, clock, logger, metrics, outages }),
      reflector: new Reflector({
        runtime,
        initialPatience,
        source: this.#options.source(namespace, {
          metadataOnly: () => this.declaration.metadataOnly,
          intake: {
            take: (bytes, start) => this.#codec.take(bytes, start),
            takeValue: (raw) => this.#codec.takeValue(raw),
          },
        }),
        sink: {
          replace: (snapshot) => this.#slice(this.#replace(part, snapshot)),
          apply: (type, received, at) => {
            part.heardAt = at;
            this.#apply(type, received, part);
          },
          progress: (resourceVersion, at) => this.#progress(part, resourceVersion, at),
          report: (report) => part.reports.take(report),
          skipped: (problem, key) => part.reports.skipped(problem, key),
        },
      }),
      progress: undefined,
      delivered: false,
      heardAt: undefined,
      unusable: new Set(),
      changed: undefined,
    };
    return part;
  }

  #verifierOf(options: InformerCoreOptions): Verifier | undefined {
    const { verifyEvery: every, runtime, logger, metrics, declaration, source } = options;
    if (every === undefined) return undefined;
    const { label: kind } = declaration;
    return new Verifier({
      every,
      runtime,
      logger: logger.child({ kind }),
      parts: this.#parts.map((part) => verified(part, { store: this.#store, source, names: declaration.kind.names })),
      found: (count) => metrics.differences.inc({ kind }, count),
    });
  }

  #partOf(namespace: string | undefined): Part | undefined {
    return this.#parts.find((part) => part.namespace === undefined || part.namespace === namespace);
  }

  #slice(work: Iterator<undefined>): Promise<void> | undefined {
    return inSlices(work, { clock: this.#options.runtime.clock, over: () => this.#stopped });
  }

  *#replace(part: Part, snapshot: Snapshot): Generator<undefined> {
    const initial = part.progress === undefined;
    part.unusable = new Set(snapshot.unusable);
    part.changed?.(undefined);
    const deltas = initial ? yield* this.#fill(snapshot) : yield* this.#exchange(part, snapshot);
    part.progress = snapshot.resourceVersion;
    part.heardAt = this.#options.runtime.clock.monotonic();
    if (snapshot.rewound) this.awaited.forgetAll();
    this.awaited.replaced();
    yield* this.#handlers.telling(deltas);
    part.delivered = true;
    if (!initial || !this.synced) return;
    this.#firstSync.resolve();
    this.#scheduleResync();
    this.#verifier?.schedule();
  }

  /** The first state: nobody reads the store before it is complete. */
  *#fill({ objects }: Snapshot): Generator<undefined, Iterable<Delta>> {
    yield* this.#store.fill(objects);
    return initialDeltas(objects.values());
  }

  /** A later one: compared piece by piece, and put in place at once. Meanwhile nothing else changes this part. */
  *#exchange({ namespace }: Part, { objects, unusable }: Snapshot): Generator<undefined, Iterable<Delta>> {
    const difference = yield* this.#store.compare({ namespace, objects, unusable });
    const replaced = this.#store.replace(difference);
    for (const { before, after } of replaced.written) {
      if (before !== undefined && before.uid !== after.uid) this.awaited.forgetUid(after.key, before.uid);
    }
    return [...replaced.removed.map(vanished), ...replaced.written.map(({ before, after }) => written(before, after))];
  }

  #apply(type: ChangeType, received: Received, part: Part): void {
    noteUse(part, type, received);
    if (type === 'DELETED') this.#delete(received, part);
    else if (received.usable) this.#put(received.object);
    else part.reports.skipped(received.problem, received.key);
  }

  #put(object: StoredObject): void {
    const held = this.#store.get(object.key);
    const age = held === undefined ? 'newer' : ageOf(object, held);
    if (age === 'older') this.#options.metrics.stale.inc({ kind: this.declaration.label });
    if (age !== 'newer') return;
    const before = this.#store.put(object);
    if (!this.awaited.empty) {
      if (before !== undefined && before.uid !== object.uid) this.awaited.forgetUid(object.key, before.uid);
      this.awaited.stored(object);
    }
    this.#handlers.dispatch(written(before, object));
  }

  #delete(received: Received, part: Part): void {
    const { key } = received;
    if (!received.usable) part.reports.skipped(received.problem, key);
    if (key === undefined) return;
    const held = this.#store.get(key);
    if (held !== undefined && isStale(received, held)) {
      this.#options.metrics.stale.inc({ kind: this.declaration.label });
      return;
    }
    this.#store.remove(key);
    this.awaited.removed(key, received.usable ? received.object.uid : undefined);
    this.#handlers.dispatch(deletion(received, key, held));
  }

  #progress(part: Part, resourceVersion: string, at: number): void {
    part.progress = resourceVersion;
    part.heardAt = at;
    this.awaited.progressed();
  }

  #scheduleResync(): void {
    const { resync, runtime } = this.#options;
    if (resync === undefined || this.#stopped) return;
    // Spread by a tenth either way, so that informers synced together are not resynced together (IN-12).
    this.#resyncTimer = runtime.clock.timer(resync * (0.9 + 0.2 * runtime.random()), () => {
      void this.#slice(this.#handlers.telling(this.#resyncDeltas()));
      this.#scheduleResync();
    });
  }

  /** Looked up one by one: what changed meanwhile has been reported already, in its newest state. */
  *#resyncDeltas(): Generator<Delta> {
    for (const { key } of this.#store.all()) {
      const object = this.#store.get(key);
      if (object !== undefined) yield resynced(object);
    }
  }

  #indexFailed(error: unknown, about: { index: string; key: string }): void {
    const { logger, metrics } = this.#options;
    metrics.handlerErrors.inc({ kind: this.declaration.label });
    logger.error(
      { err: error, kind: this.declaration.label, ...about },
      'an index function threw; the object is left out of the index',
    );
  }

  #handlerFailed(error: unknown, key: string): void {
    const { logger, metrics } = this.#options;
    metrics.handlerErrors.inc({ kind: this.declaration.label });
    logger.error(
      { err: error, kind: this.declaration.label, key },
      'a change handler threw; it does not get this change again',
    );
  }
}

/** The deletion of what had the key before: within one stream nothing goes back in time. */
function isStale(received: Received, held: StoredObject): boolean {
  if (received.resourceVersion === undefined) return false;
  return compareResourceVersions(received.resourceVersion, held.resourceVersion) === -1;
}

function deletion(received: Received, key: string, held: StoredObject | undefined): Delta {
  if (received.usable) return deleted(received.object);
  return deletedByKey({ key, resourceVersion: received.resourceVersion ?? '' }, held);
}

function* initialDeltas(objects: Iterable<StoredObject>): Generator<Delta> {
  for (const object of objects) yield written(undefined, object, true);
}
