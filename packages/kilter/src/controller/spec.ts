import type { Duration, Kind, KubeObject, NamedRef } from '../api/index.ts';
import type { ComposedBy, Context, DeclaredIndex, KeyContext, Result, StatusFields } from '../reconcile/index.ts';
import type {
  IndexKeys,
  Predicate,
  Primaries,
  ReadsOptions,
  Targets,
  TriggerOptions,
  WatchOptions,
} from '../trigger/index.ts';
import type { QueueTuning } from './queue-tuning.ts';

// The builder's types are gone here: a spec is plain data over plain objects, and the loop needs no more.
export type AnyContext = Context<KubeObject, KubeObject, KubeObject, DeclaredIndex>;
export type AnyReconcile = (object: KubeObject, ctx: AnyContext) => Promise<Result>;
type AnyOptions = WatchOptions<KubeObject, boolean>;

export interface OwnedSpec {
  readonly kind: Kind;
  readonly options: AnyOptions & { readonly prune?: boolean | undefined };
}
export interface WatchedSpec {
  readonly kind: Kind;
  readonly map: (object: KubeObject, at: { readonly primaries: Primaries<string> }) => Targets;
  readonly options: AnyOptions;
}
export interface ReferencedSpec {
  readonly kind: Kind;
  readonly of: (object: KubeObject) => Targets;
  readonly options: AnyOptions;
}
export interface ReadSpec {
  readonly kind: Kind;
  readonly options: ReadsOptions<KubeObject, boolean>;
}
/** `bind` and `escalate` are rights about roles: to hand out, by a binding or by a role, what one does not hold oneself. */
export type WriteVerb = 'create' | 'update' | 'patch' | 'delete' | 'deletecollection' | 'bind' | 'escalate';
/** The options of `.writes`. */
export interface WritesOptions {
  /**
   * The verbs the operator uses on this kind and needs permission for. Default: create and patch, which `ctx.apply`
   * needs. Give others if `ctx.client` does more.
   */
  verbs?: readonly WriteVerb[] | undefined;
  /** The verbs apply to this subresource, such as `eviction` of Pods. Default: the objects themselves. */
  subresource?: string | undefined;
  /** Where. Default: the operator's namespaces. */
  namespaces?: readonly string[] | undefined;
  /**
   * Only for these objects, such as `admin` for the verb `bind`. Default: all. Not for `create`: a new object has no
   * name yet that a rule could check.
   */
  names?: readonly string[] | undefined;
}
export interface WrittenSpec {
  readonly kind: Kind;
  readonly options: WritesOptions;
}
export interface IndexSpec {
  readonly kind: Kind;
  readonly name: string;
  readonly key: (object: KubeObject) => IndexKeys;
}
export interface SourceSpec {
  readonly source: (signal: AbortSignal) => AsyncIterable<unknown>;
  readonly map: (event: unknown, at: { readonly primaries: Primaries<string> }) => Targets;
}
export interface CleanupSpec {
  readonly finalizer: string;
  readonly run: AnyReconcile;
}

/** The options of one controller: name, workers, backoff, deadlines. */
export interface ControllerOptions<T extends KubeObject> extends TriggerOptions<T>, QueueTuning {
  /** The name in logs, metrics and the field manager. Default: the lower-cased kind. */
  name?: string | undefined;
  /** Also run for objects that are being deleted and have no finalizer of this controller. Default: false. */
  deleting?: boolean | undefined;
  /**
   * Run again when nothing but the status of an object changed. Default: false for resources made by `customResource`,
   * whose status this controller writes itself; true for built-in kinds.
   */
  statusUpdates?: boolean | undefined;
  /**
   * Run on every replica, without the Lease and the write guard. Default: false. Use it for what each replica needs for
   * itself, such as a table in memory or a local proxy. Anything it writes is written by all replicas.
   */
  everyReplica?: boolean | undefined;
  /**
   * Skip an object that has ended the process three times, until its spec changes or its annotation
   * `quarantine.kilter.dev/<controller>` is removed. Detected by the leader, so only with leader election. Default:
   * true for resources made by `customResource`; false for built-in kinds, whose owners may not want Kilter's
   * annotation on them. Not for `reconcileKey`.
   */
  quarantine?: boolean | undefined;
  /** A run's signal aborts after this time. Default: 5 min. */
  timeout?: Duration | undefined;
}

/** A controller as data: what is watched, what is written, what runs. RBAC, docs and the console are derived from it. */
export interface ControllerSpec {
  readonly name: string;
  readonly kind: Kind;
  readonly concurrency: number;
  readonly timeout: number;
  /** As given: the operator's stand behind it. */
  readonly tuning: QueueTuning;
  readonly deleting: boolean;
  readonly everyReplica: boolean;
  readonly quarantine: boolean;
  readonly skipStatusUpdates: boolean;
  readonly labels: TriggerOptions<KubeObject>['labels'];
  readonly fields: TriggerOptions<KubeObject>['fields'];
  readonly namespaces: readonly string[] | undefined;
  readonly when: readonly Predicate[];
  readonly owns: readonly OwnedSpec[];
  readonly writes: readonly WrittenSpec[];
  readonly reads: readonly ReadSpec[];
  readonly watches: readonly WatchedSpec[];
  readonly references: readonly ReferencedSpec[];
  readonly indexes: readonly IndexSpec[];
  readonly sources: readonly SourceSpec[];
  readonly every: number | undefined;
  readonly cleanups: readonly CleanupSpec[];
  readonly onError: ((error: unknown, object: KubeObject) => StatusFields | undefined) | undefined;
  /** One of three: a function of the object and its context, a pure one, or one of the name alone. */
  readonly reconcile: AnyReconcile | undefined;
  readonly compose: ComposedBy | undefined;
  readonly reconcileKey:
    | ((ref: Required<NamedRef>, ctx: KeyContext<KubeObject, KubeObject, KubeObject, DeclaredIndex>) => Promise<Result>)
    | undefined;
}

/** A finished controller, for `operator({ controllers: [...] })`. */
export interface Controller<T extends KubeObject = KubeObject> {
  // First: the compiler tells the first that does not fit, and this is the one that a builder explains.
  readonly spec: ControllerSpec;
  readonly name: string;
  readonly kind: Kind<T>;
  readonly concurrency: number;
}
