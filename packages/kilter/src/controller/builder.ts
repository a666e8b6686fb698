import type { Duration, Kind, KubeObject, NamedRef, Stored } from '../api/index.ts';
import type {
  Compose,
  Context,
  DeclaredIndex,
  FinalizerName,
  IndexName,
  KeyContext,
  Missing,
  Result,
  StatusPatch,
} from '../reconcile/index.ts';
import type { IndexKeys, Primaries, ReadsOptions, Seen, Targets, WatchOptions } from '../trigger/index.ts';
import type { Controller, WritesOptions } from './spec.ts';

/** The function that brings the cluster to the state that one object declares. */
export type Reconcile<
  T extends KubeObject,
  O extends KubeObject = never,
  W extends KubeObject = never,
  I extends DeclaredIndex = never,
> = (object: Stored<T>, ctx: Context<T, O, W, I>) => Promise<Result>;

/** A reconciler as an object, for classes. */
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
/** A reconciler as an object that also cleans up, with its finalizer. */
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

/** An async iterable, which can be used once, or a function that returns a new one for every start of the operator. */
export type Source<E> = AsyncIterable<E> | ((signal: AbortSignal) => AsyncIterable<E>);

/** The options of `.owns`. */
export interface OwnsOptions<K extends KubeObject, M extends boolean> extends WatchOptions<K, M> {
  /**
   * Delete children of this kind that a run did not apply, if the run returned nothing. A run that returns `requeue` or
   * `requeueAfter` may have stopped half-way, so nothing is deleted then: to prune and poll, use `.every(period)`.
   * Default: false; true with `.compose`, whose function lists everything that is wanted.
   */
  prune?: boolean | undefined;
}

/** What `controller(Kind)` returns: call declarations in any order, then `.reconcile` or `.compose`. */
export interface ControllerBuilder<
  T extends KubeObject,
  Owned extends KubeObject = never,
  Written extends KubeObject = never,
  Indexes extends DeclaredIndex = never,
> {
  readonly name: string;
  readonly kind: Kind<T>;
  /** Never present: makes the compile error readable if an unfinished builder is passed to an operator. */
  readonly spec?: Missing<'.reconcile(…), .reconcileKey(…) or .compose(…) at its end'>;
  /** Declares children: applied with an owner reference and watched; a change of a child triggers a run for its owner. */
  owns<K extends KubeObject, M extends boolean = false>(
    kind: Kind<K>,
    options?: OwnsOptions<K, M>,
  ): ControllerBuilder<T, Owned | K, Written, Indexes>;
  /** Declares a kind that is written but not owned, or that is written in other ways than by `ctx.apply`. */
  writes<K extends KubeObject>(
    kind: Kind<K>,
    options?: WritesOptions,
  ): ControllerBuilder<T, Owned, Written | K, Indexes>;
  /** Declares a kind that is cached but triggers no runs. */
  reads<K extends KubeObject, M extends boolean = false>(
    kind: Kind<K>,
    options?: ReadsOptions<K, M>,
  ): ControllerBuilder<T, Owned, Written, Indexes>;
  /** Declares a kind that objects refer to by name: a change triggers runs for those that name it. */
  references<K extends KubeObject>(
    kind: Kind<K>,
    of: (object: Stored<T>) => Targets,
    options?: WatchOptions<K, boolean>,
  ): ControllerBuilder<T, Owned, Written, Indexes>;
  /** Declares any other kind whose changes trigger runs, for the objects that `map` returns. */
  watches<K extends KubeObject, M extends boolean = false>(
    kind: Kind<K>,
    map: (object: Seen<K, M>, at: { readonly primaries: Primaries<IndexName<Indexes, T>, Stored<T>> }) => Targets,
    options?: WatchOptions<K, M>,
  ): ControllerBuilder<T, Owned, Written, Indexes>;
  /** Indexes objects by their contents, for `primaries.by`, `ctx.cache.by`, and `fields` of lists through client and cache. */
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
  /** Triggers runs for changes outside the cluster, for the objects that `map` returns. */
  on<E>(
    source: Source<E>,
    map: (event: E, at: { readonly primaries: Primaries<IndexName<Indexes, T>, Stored<T>> }) => Targets,
  ): ControllerBuilder<T, Owned, Written, Indexes>;
  /** Reconciles every object again at this interval. */
  every(period: Duration): ControllerBuilder<T, Owned, Written, Indexes>;

  /** How many keys run at a time. Default: 1. */
  concurrency(workers: number): ControllerBuilder<T, Owned, Written, Indexes>;
  /** Cleans up before an object is deleted. The finalizer is stored before the first reconcile; `run` is retried until it succeeds. */
  cleanup(
    finalizer: FinalizerName,
    run: Reconcile<T, Owned, Written, Indexes>,
  ): ControllerBuilder<T, Owned, Written, Indexes>;
  /** Maps a thrown error to a patch of the status, which the next success removes. */
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
   * The pure form: the desired children and status as a function of the object and of what is observed. Kilter applies the children in
   * order, deletes those of owned kinds that are no longer listed, and writes the status with a `Ready` condition.
   */
  compose(compose: Compose<T, Owned | Written>): Controller<T>;
  /** controller-runtime's form: gets only the name, and also runs for objects that are being deleted or are gone. */
  reconcileKey(
    run: (ref: Required<NamedRef>, ctx: KeyContext<T, Owned, Written, Indexes>) => Promise<Result>,
  ): Controller<T>;
}
