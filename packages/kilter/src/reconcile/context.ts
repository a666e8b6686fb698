import type { FieldsOf, Kind, KubeObject, MergedCause, NamedRef, Stored } from '../api/index.ts';
import type { CacheView } from '../cache/index.ts';
import type { Client, Reader } from '../client/index.ts';
import type { Logger, UseMetric } from '../telemetry/index.ts';
import type { FinalizerName } from './finalizer.ts';
import type { IntentField, IntentOf, Intents } from './intents.ts';
import type { Result } from './result.ts';
import type { StatusPatch, TimeField } from './status.ts';

/** The options of `ctx.status`. */
export interface StatusOptions {
  /**
   * What to do if someone else has written the object since this run read it. 'merge' reads it again and keeps their fields along with
   * these; 'fail' throws the conflict, and the run is retried with the current object. Default: 'merge'. Use 'fail' for
   * a status that is
   * computed from the previous one, such as a counter.
   */
  conflict?: 'merge' | 'fail' | undefined;
  /**
   * A field that is set to the time of this write. It changes only together with another field, or every run would write. Default:
   * none.
   */
  stamp?: string | undefined;
}

/** The options of `ctx.fence`. */
export interface EffectOptions {
  /**
   * The errors after which the effect is tried once more at once; the guard is checked again first. An SDK that retries by itself does
   * not check it: switch that off. Default: an `OutsideError` that says `throttled`.
   */
  again?: ((error: unknown) => boolean) | undefined;
}

/** What `ctx.fenced` passes to every call of a service. */
export interface EffectCall {
  /** Aborts when the call must not continue: at its deadline, and when leadership is lost. */
  readonly signal: AbortSignal;
  /** Who calls: a service that records this shows which leader did what. */
  readonly leader: { readonly epoch: number; readonly identity: string };
}

/** A service whose calls all pass the write guard: its functions, without their last parameter, the `EffectCall`. */
export type Fenced<Service> = {
  readonly [
    F in keyof Service as Service[F] extends (...args: never) => Promise<unknown> ? F : never
  ]: Service[F] extends (...args: [...infer Given, EffectCall]) => infer Answer ? (...args: Given) => Answer : never;
};

/** The options of `ctx.apply`. */
export interface ApplyChildOptions {
  /** Take over fields that another field manager owns. Default: true. */
  force?: boolean | undefined;
  /** What to do if an object of that name exists without an owner: 'ifOrphan' adopts it, 'never' fails. Default: 'ifOrphan'. */
  adopt?: 'ifOrphan' | 'never' | undefined;
  /** Set an owner reference. Default: true for kinds in `.owns`, false for kinds in `.writes`. */
  owner?: boolean | undefined;
}

/** The member of a union of kinds that has this apiVersion and kind. */
type Member<U extends KubeObject, A, K> = Extract<U, { apiVersion: A; kind: K }>;

/** Never there: its argument is what the compile error says. */
export interface Missing<Declaration extends string> {
  readonly missing: Declaration;
}
type Undeclared<K extends string> = Missing<`.owns(${K}) or .writes(${K}), before .cleanup and .reconcile`>;

/** Compared strictly: a reconciler that applies Services does not fit a controller that never declared them. */
declare const declared: unique symbol;

/** An index of a controller, as its types know it: its kind and its name. */
export interface DeclaredIndex<A extends string = string, K extends string = string, N extends string = string> {
  readonly apiVersion: A;
  readonly kind: K;
  readonly name: N;
}
/** The names of the indexes over one kind; if there are none, a hint for the compile error. */
export type IndexName<Indexes extends DeclaredIndex, C extends KubeObject> = [
  Extract<Indexes, { apiVersion: C['apiVersion']; kind: C['kind'] }>,
] extends [never]
  ? `declare it first: .index(${C['kind']}, name, key)`
  : Extract<Indexes, { apiVersion: C['apiVersion']; kind: C['kind'] }>['name'];

/** The cache as it is, read synchronously, with the controller's own indexes. */
export interface IndexedCache<in Indexes extends DeclaredIndex = never> extends CacheView {
  /** The objects of a kind with this key in a declared index; none without a key. */
  by<C extends KubeObject>(kind: Kind<C>, index: IndexName<Indexes, C>, key: string | undefined): Stored<C>[];
}

/** What every run has, with or without an object. In all of it, a bare name means the namespace of the object. */
export interface RunContext<T extends KubeObject = KubeObject, in Indexes extends DeclaredIndex = never> {
  /** Aborts at the reconcile timeout, at the end of a graceful stop, and when leadership is lost. */
  readonly signal: AbortSignal;
  /** The key of this run; the namespace is '' for cluster-scoped kinds. */
  readonly request: { readonly name: string; readonly namespace: string };
  /** Reads from the cache, once this operator's own writes have arrived there; writes to the server. */
  readonly client: Client;
  /** Reads from the server. */
  readonly live: Reader;
  /** The cache as it is, read synchronously. */
  readonly cache: IndexedCache<Indexes>;
  /** Other objects of the reconciled kind, by a declared index. */
  readonly primaries: {
    by(index: IndexName<Indexes, T>, key: string | undefined): readonly NamedRef[];
    all(): readonly NamedRef[];
  };
  readonly log: Logger;
  /** Counts or sets a metric that the operator declares: `ctx.metric(orders).inc({ result: 'ok' })`. */
  readonly metric: UseMetric;
  /** The time in milliseconds since 1970, by the operator's clock, which a test can replace. */
  now(): number;
  /** Why this run was started: for logs and people, not for decisions. */
  readonly causes: readonly MergedCause[];
  readonly leadership: { readonly epoch: number; readonly identity: string };
  /** Runs an effect outside the cluster under the write guard. */
  fence<R>(effect: (signal: AbortSignal) => Promise<R>, options?: EffectOptions): Promise<R>;
  /** A service outside the cluster, each call of it in `fence`. */
  fenced<Service extends object>(service: Service): Fenced<Service>;
}

/** What a run works with: reads, writes, waits, Events, logs. */
export interface Context<
  T extends KubeObject,
  in Owned extends KubeObject = never,
  in Written extends KubeObject = never,
  in Indexes extends DeclaredIndex = never,
> extends RunContext<T, Indexes> {
  readonly [declared]?: (owned: Owned, written: Owned | Written, index: Indexes) => void;
  /** Server-side apply that sets an owner reference for owned kinds. Declare kinds with `.owns(Kind)` or `.writes(Kind)`. */
  apply<A extends string, K extends string, C extends KubeObject = Member<Owned | Written, A, K>>(
    object: { apiVersion: A; kind: K } & ([C] extends [never] ? Undeclared<K> : NoInfer<C> | FieldsOf<NoInfer<C>>),
    options?: ApplyChildOptions,
  ): Promise<Stored<C>>;
  /** Patches the status; sends nothing if nothing changed. */
  status(
    patch:
      | StatusPatch<T>
      | ([StatusPatch<T>] extends [never] ? Missing<'a status in the definition of the kind'> : never),
    options?: StatusOptions & { stamp?: TimeField<T> | undefined },
  ): Promise<void>;
  /** Intents stored in a list of this object's status and identified by `key`, for effects outside that must survive a crash. */
  intents<F extends IntentField<T>>(field: F, key: keyof IntentOf<T, F> & string): Intents<T, IntentOf<T, F>>;
  /** The children of this object, including those just written. */
  owned<C extends KubeObject>(
    kind: Kind<C> & ([C] extends [Owned] ? unknown : Missing<`.owns(${C['kind']})`>),
  ): Promise<Stored<C>[]>;
  event(type: 'Normal' | 'Warning', reason: string, message: string, options?: { action?: string }): void;
}

/** Where a finalizer's protocol is after a call. */
export type FinalizerState =
  /** Not deleting: the finalizer is stored, continue. */
  | 'continue'
  /** Deleting: the cleanup has returned and the finalizer is gone. */
  | 'cleaned'
  /** Deleting: the cleanup asked for more time. */
  | 'pending'
  /** Deleting, and the finalizer is not there: others still hold the object. */
  | 'foreign';

/** What `ctx.of(object)` adds for an object that was found. */
export interface ObjectContext<
  T extends KubeObject,
  in Owned extends KubeObject = never,
  in Written extends KubeObject = never,
  in Indexes extends DeclaredIndex = never,
> extends Context<T, Owned, Written, Indexes> {
  finalizer(name: FinalizerName, cleanup: () => Promise<Result>): Promise<FinalizerState>;
}

/** The context of `reconcileKey`: there may be no object. */
export interface KeyContext<
  T extends KubeObject,
  in Owned extends KubeObject = never,
  in Written extends KubeObject = never,
  in Indexes extends DeclaredIndex = never,
> extends RunContext<T, Indexes> {
  /** The context of an object that was found. */
  of(object: T): ObjectContext<T, Owned, Written, Indexes>;
}
