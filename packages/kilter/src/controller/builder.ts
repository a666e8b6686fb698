import type { Duration, Kind, KubeObject, NamedRef } from '../api/index.ts';
import { KilterError } from '../errors/index.ts';
import { parseDuration } from '../internal/index.ts';
import type { Context, FinalizerName, KeyContext, Result, StatusPatch } from '../reconcile/index.ts';
import type { Predicate, Primaries, Seen, Targets, WatchOptions } from '../trigger/index.ts';
import type { AnyReconcile, Controller, ControllerOptions, ControllerSpec, SourceSpec } from './spec.ts';

export type Reconcile<T extends KubeObject, O extends KubeObject = never, W extends KubeObject = never> = (
  object: T,
  ctx: Context<T, O, W>,
) => Promise<Result>;

export interface Reconciler<T extends KubeObject, O extends KubeObject = never, W extends KubeObject = never> {
  reconcile: Reconcile<T, O, W>;
  finalizer?: undefined;
  cleanup?: undefined;
}
/** A reconciler that cleans up says under which finalizer. */
export interface Finalizing<T extends KubeObject, O extends KubeObject = never, W extends KubeObject = never> {
  reconcile: Reconcile<T, O, W>;
  finalizer: FinalizerName;
  cleanup: Reconcile<T, O, W>;
}

/** An async iterable runs once; a function gives a fresh one to every start of the operator. */
export type Source<E> = AsyncIterable<E> | ((signal: AbortSignal) => AsyncIterable<E>);

export interface OwnsOptions<K extends KubeObject, M extends boolean> extends WatchOptions<K, M> {
  /** Delete children of this kind that a successful run did not apply. Default: false. */
  prune?: boolean | undefined;
}

export interface ControllerBuilder<
  T extends KubeObject,
  Owned extends KubeObject = never,
  Written extends KubeObject = never,
  Indexes extends string = never,
> {
  /** Children: watched, applied with an owner reference; a change of one runs its owner. */
  owns<K extends KubeObject, M extends boolean = false>(
    kind: Kind<K>,
    options?: OwnsOptions<K, M>,
  ): ControllerBuilder<T, Owned | K, Written, Indexes>;
  /** What is written but not owned. */
  writes<K extends KubeObject>(kind: Kind<K>): ControllerBuilder<T, Owned, Written | K, Indexes>;
  /** What is cached but wakes nobody. */
  reads<K extends KubeObject>(kind: Kind<K>): ControllerBuilder<T, Owned, Written, Indexes>;
  /** What objects refer to: index and reverse mapping are derived. */
  references<K extends KubeObject>(
    kind: Kind<K>,
    of: (object: T) => Targets,
    options?: WatchOptions<K, boolean>,
  ): ControllerBuilder<T, Owned, Written, Indexes>;
  /** Anything else whose changes concern objects of this controller. */
  watches<K extends KubeObject, M extends boolean = false>(
    kind: Kind<K>,
    map: (object: Seen<K, M>, at: { readonly primaries: Primaries<Indexes> }) => Targets,
    options?: WatchOptions<K, M>,
  ): ControllerBuilder<T, Owned, Written, Indexes>;
  index<const N extends string>(
    name: N,
    key: (object: T) => string | undefined | readonly string[],
  ): ControllerBuilder<T, Owned, Written, Indexes | N>;
  /** Changes outside the cluster. */
  on<E>(
    source: Source<E>,
    map: (event: E, at: { readonly primaries: Primaries<Indexes> }) => Targets,
  ): ControllerBuilder<T, Owned, Written, Indexes>;
  /** Runs every object again at this period. */
  every(period: Duration): ControllerBuilder<T, Owned, Written, Indexes>;

  /** How many keys run at a time. Default: 1. */
  concurrency(workers: number): ControllerBuilder<T, Owned, Written, Indexes>;
  /** Stored before the first reconcile, run on deletion, retried until it returns. */
  cleanup(finalizer: FinalizerName, run: Reconcile<T, Owned, Written>): ControllerBuilder<T, Owned, Written, Indexes>;
  /** Maps a thrown error into the status; the next success takes it out. */
  onError(
    map: (error: unknown, object: T) => StatusPatch<T> | undefined,
  ): ControllerBuilder<T, Owned, Written, Indexes>;

  reconcile(
    reconciler: Reconcile<T, Owned, Written> | Reconciler<T, Owned, Written> | Finalizing<T, Owned, Written>,
  ): Controller<T>;
  /** As in controller-runtime: the name alone, also for objects that are being deleted or gone. */
  reconcileKey(run: (ref: Required<NamedRef>, ctx: KeyContext<T, Owned, Written>) => Promise<Result>): Controller<T>;
}

function invalid(message: string): KilterError {
  return new KilterError('CONTROLLER_OPTION_INVALID', message);
}

function positive(what: string, duration: Duration): number {
  const ms = parseDuration(duration);
  if (ms === undefined || ms <= 0)
    throw invalid(`${what} must be a duration above zero, not ${JSON.stringify(duration)}`);
  return ms;
}

function emptySpec<T extends KubeObject>(kind: Kind<T>, options: ControllerOptions<T>): ControllerSpec {
  const base = positive('backoff.base', options.backoff?.base ?? '5ms');
  const cap = positive('backoff.cap', options.backoff?.cap ?? '1000s');
  if (cap < base) throw invalid(`backoff.cap (${cap} ms) is below backoff.base (${base} ms)`);
  const when = options.when ?? [];
  return {
    name: options.name ?? kind.names.kind.toLowerCase(),
    kind,
    concurrency: 1,
    timeout: positive('timeout', options.timeout ?? '5m'),
    backoff: { base, cap },
    deleting: options.deleting ?? false,
    skipStatusUpdates: !(options.statusUpdates ?? !('manifest' in kind)),
    labels: options.labels,
    fields: options.fields,
    namespaces: options.namespaces,
    when: (typeof when === 'function' ? [when] : when) as readonly Predicate[],
    owns: [],
    writes: [],
    reads: [],
    watches: [],
    references: [],
    indexes: [],
    sources: [],
    every: undefined,
    cleanups: [],
    onError: undefined,
    reconcile: undefined,
    reconcileKey: undefined,
  };
}

function finish(spec: ControllerSpec): Controller {
  const finalizers = spec.cleanups.map(({ finalizer }) => finalizer);
  const twice = finalizers.find((name, i) => finalizers.indexOf(name) !== i);
  if (twice !== undefined) throw invalid(`${spec.name}: two cleanups share the finalizer ${twice}`);
  if (spec.reconcileKey !== undefined) checkByKey(spec);
  return { name: spec.name, kind: spec.kind, concurrency: spec.concurrency, spec };
}

/** What needs an object at hand has no place beside the form that gets the name alone. */
function checkByKey({ name, cleanups, onError, owns }: ControllerSpec): void {
  const cure = 'use ctx.of(object).finalizer(…) and .status(…) in reconcileKey, or .reconcile(…)';
  const refused = [
    ...(cleanups.length > 0 ? ['cleanup'] : []),
    ...(onError === undefined ? [] : ['onError']),
    ...(owns.some(({ options }) => options.prune === true) ? ['owns with prune'] : []),
  ];
  if (refused.length === 0) return;
  const message = `${name}: ${refused.join(', ')} cannot stand beside reconcileKey`;
  throw new KilterError('CONTROLLER_OPTION_INVALID', message, { cure });
}

function withReconciler(spec: ControllerSpec, given: AnyReconcile | Finalizing<KubeObject>): Controller {
  if (typeof given === 'function') return finish({ ...spec, reconcile: given });
  const reconcile = given.reconcile.bind(given) as unknown as AnyReconcile;
  if (given.cleanup === undefined) return finish({ ...spec, reconcile });
  const cleanup = { finalizer: given.finalizer, run: given.cleanup.bind(given) as unknown as AnyReconcile };
  return finish({ ...spec, reconcile, cleanups: [...spec.cleanups, cleanup] });
}

function checkedConcurrency(workers: number): number {
  if (!Number.isInteger(workers) || workers < 1)
    throw invalid(`concurrency must be a whole number from 1, not ${workers}`);
  return workers;
}

function checkedFinalizer(finalizer: string): string {
  if (!/^[^/\s]+\.[^/\s]+\/[^/\s]+$/.test(finalizer)) {
    throw invalid(`a finalizer is <domain>/<name>, as in example.com/dns, not ${JSON.stringify(finalizer)}`);
  }
  return finalizer;
}

function freshSource(source: Source<unknown>): SourceSpec['source'] {
  return typeof source === 'function' ? source : () => source;
}

function builderOf(spec: ControllerSpec): object {
  const add = (more: Partial<ControllerSpec>): object => builderOf({ ...spec, ...more });
  return {
    owns: (kind: Kind, options = {}) => add({ owns: [...spec.owns, { kind, options }] }),
    writes: (kind: Kind) => add({ writes: [...spec.writes, kind] }),
    reads: (kind: Kind) => add({ reads: [...spec.reads, kind] }),
    references: (kind: Kind, of: () => Targets, options = {}) =>
      add({ references: [...spec.references, { kind, of, options }] }),
    watches: (kind: Kind, map: () => Targets, options = {}) =>
      add({ watches: [...spec.watches, { kind, map, options }] }),
    index: (name: string, key: () => string | undefined) => add({ indexes: [...spec.indexes, { name, key }] }),
    on: (source: Source<unknown>, map: () => Targets) =>
      add({ sources: [...spec.sources, { source: freshSource(source), map }] }),
    every: (period: Duration) => add({ every: positive('every', period) }),
    concurrency: (workers: number) => add({ concurrency: checkedConcurrency(workers) }),
    cleanup: (finalizer: string, run: AnyReconcile) =>
      add({ cleanups: [...spec.cleanups, { finalizer: checkedFinalizer(finalizer), run }] }),
    onError: (map: NonNullable<ControllerSpec['onError']>) => add({ onError: map }),
    reconcile: (given: AnyReconcile | Finalizing<KubeObject>) => withReconciler(spec, given),
    reconcileKey: (run: NonNullable<ControllerSpec['reconcileKey']>) => finish({ ...spec, reconcileKey: run }),
  };
}

/** Begins a controller of this kind. Every call gives a new builder; nothing runs before an operator starts. */
export function controller<T extends KubeObject>(
  kind: Kind<T>,
  options: ControllerOptions<T> = {},
): ControllerBuilder<T> {
  return builderOf(emptySpec(kind, options)) as ControllerBuilder<T>;
}
