import type { Duration, Kind, KubeObject, NamedRef, Stored } from '../api/index.ts';
import type {
  Compose,
  Context,
  DeclaredIndex,
  FinalizerName,
  IndexName,
  KeyContext,
  Result,
  StatusPatch,
} from '../reconcile/index.ts';
import type { IndexKeys, Primaries, ReadsOptions, Seen, Targets, WatchOptions } from '../trigger/index.ts';
import type { Controller, WritesOptions } from './spec.ts';

/** The function that brings one object to what it declares. */
export type Reconcile<
  T extends KubeObject,
  O extends KubeObject = never,
  W extends KubeObject = never,
  I extends DeclaredIndex = never,
> = (object: Stored<T>, ctx: Context<T, O, W, I>) => Promise<Result>;

/** The same as an object, for classes. */
export interface Reconciler<
  T extends KubeObject,
  O extends KubeObject = never,
  W extends KubeObject = never,
  I extends DeclaredIndex = never,
> {
  reconcile: Reconcile<T, O, W, I>;
  finalizer?: undefined;
  cleanup?: undefined;
}
/** A reconciler that cleans up says under which finalizer. */
export interface Finalizing<
  T extends KubeObject,
  O extends KubeObject = never,
  W extends KubeObject = never,
  I extends DeclaredIndex = never,
> {
  reconcile: Reconcile<T, O, W, I>;
  finalizer: FinalizerName;
  cleanup: Reconcile<T, O, W, I>;
}

/** An async iterable runs once; a function gives a fresh one to every start of the operator. */
export type Source<E> = AsyncIterable<E> | ((signal: AbortSignal) => AsyncIterable<E>);

/** Of `.owns`. */
export interface OwnsOptions<K extends KubeObject, M extends boolean> extends WatchOptions<K, M> {
  /**
   * Delete children of this kind that a run did not apply, once it returned nothing. A run that returns `requeue` or
   * `requeueAfter` may have stopped half-way, so nothing is deleted then: to prune and poll, use `.every(period)`.
   * Default: false; with `.compose`, which names all that is wanted, true.
   */
  prune?: boolean | undefined;
}

/** What `controller(Kind)` begins: declarations in any order, then `.reconcile` or `.compose`. */
export interface ControllerBuilder<
  T extends KubeObject,
  Owned extends KubeObject = never,
  Written extends KubeObject = never,
  Indexes extends DeclaredIndex = never,
> {
  /** Children: watched, applied with an owner reference; a change of one runs its owner. */
  owns<K extends KubeObject, M extends boolean = false>(
    kind: Kind<K>,
    options?: OwnsOptions<K, M>,
  ): ControllerBuilder<T, Owned | K, Written, Indexes>;
  /** What is written but not owned, or written in other ways than by `ctx.apply`. */
  writes<K extends KubeObject>(
    kind: Kind<K>,
    options?: WritesOptions,
  ): ControllerBuilder<T, Owned, Written | K, Indexes>;
  /** What is cached but wakes nobody. */
  reads<K extends KubeObject, M extends boolean = false>(
    kind: Kind<K>,
    options?: ReadsOptions<K, M>,
  ): ControllerBuilder<T, Owned, Written, Indexes>;
  /** What objects refer to: index and reverse mapping are derived. */
  references<K extends KubeObject>(
    kind: Kind<K>,
    of: (object: Stored<T>) => Targets,
    options?: WatchOptions<K, boolean>,
  ): ControllerBuilder<T, Owned, Written, Indexes>;
  /** Anything else whose changes concern objects of this controller. */
  watches<K extends KubeObject, M extends boolean = false>(
    kind: Kind<K>,
    map: (object: Seen<K, M>, at: { readonly primaries: Primaries<IndexName<Indexes, T>, Stored<T>> }) => Targets,
    options?: WatchOptions<K, M>,
  ): ControllerBuilder<T, Owned, Written, Indexes>;
  /** Finds objects by what is in them: by `primaries.by`, `ctx.cache.by`, and `fields` of lists through client and cache. */
  index<const N extends string>(
    name: N,
    key: (object: Stored<T>) => IndexKeys,
  ): ControllerBuilder<T, Owned, Written, Indexes | DeclaredIndex<T['apiVersion'], T['kind'], N>>;
  /** The same for any kind this controller owns, watches, refers to or reads. */
  index<K extends KubeObject, const N extends string>(
    kind: Kind<K>,
    name: N,
    key: (object: Stored<K>) => IndexKeys,
  ): ControllerBuilder<T, Owned, Written, Indexes | DeclaredIndex<K['apiVersion'], K['kind'], N>>;
  /** Changes outside the cluster. */
  on<E>(
    source: Source<E>,
    map: (event: E, at: { readonly primaries: Primaries<IndexName<Indexes, T>, Stored<T>> }) => Targets,
  ): ControllerBuilder<T, Owned, Written, Indexes>;
  /** Runs every object again at this period. */
  every(period: Duration): ControllerBuilder<T, Owned, Written, Indexes>;

  /** How many keys run at a time. Default: 1. */
  concurrency(workers: number): ControllerBuilder<T, Owned, Written, Indexes>;
  /** Stored before the first reconcile, run on deletion, retried until it returns. */
  cleanup(
    finalizer: FinalizerName,
    run: Reconcile<T, Owned, Written, Indexes>,
  ): ControllerBuilder<T, Owned, Written, Indexes>;
  /** Maps a thrown error into the status; the next success takes it out. */
  onError(
    map: (error: unknown, object: Stored<T>) => StatusPatch<T> | undefined,
  ): ControllerBuilder<T, Owned, Written, Indexes>;

  reconcile(
    reconciler:
      | Reconcile<T, Owned, Written, Indexes>
      | Reconciler<T, Owned, Written, Indexes>
      | Finalizing<T, Owned, Written, Indexes>,
  ): Controller<T>;
  /**
   * The pure form: desired children and status as a function of the object and what is observed. Kilter applies the children in their
   * order, deletes those of owned kinds that are not among them any more, and writes the status with a `Ready` condition.
   */
  compose(compose: Compose<T, Owned | Written>): Controller<T>;
  /** As in controller-runtime: the name alone, also for objects that are being deleted or gone. */
  reconcileKey(
    run: (ref: Required<NamedRef>, ctx: KeyContext<T, Owned, Written, Indexes>) => Promise<Result>,
  ): Controller<T>;
}
