import type { Fields, KubeObject, Labels, MetadataOf, Stored } from '../api/index.ts';

/** What a read gives: with `metadataOnly`, an object without its other fields. */
export type Seen<T extends KubeObject, M extends boolean> = M extends true ? Stored<MetadataOf<T>> : Stored<T>;

/** The options of every call. */
export interface CallOptions {
  /** Ends the call at once with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** The options of one read. */
export interface ReadOptions<M extends boolean = false> extends CallOptions {
  /** Only metadata, under the object's own apiVersion and kind. Default: false. */
  metadataOnly?: M | undefined;
  /** Any state at least as new as this version; `'0'`: whatever the server has cached. Default: the newest. */
  resourceVersion?: string | undefined;
  /** A subresource with the form of the object, such as `status`. For others use `client.subresource`. */
  subresource?: string | undefined;
}

/** Which objects of a kind are meant. */
export interface SelectOptions<M extends boolean = false> extends CallOptions {
  /** Default: all namespaces, or that of `client.with({ namespace })`. */
  namespace?: string | undefined;
  /** `{ app: 'db', tier: ['a', 'b'] }` or kubectl's notation. Default: all. */
  labels?: Labels | undefined;
  /** `{ 'spec.nodeName': 'n1' }` or kubectl's notation. The server knows few fields. Default: all. */
  fields?: Fields | undefined;
  /** Only metadata of the objects, under their own apiVersion and kind. Default: false. */
  metadataOnly?: M | undefined;
}

/** The options of one list: where, and which objects. */
export interface ListOptions<M extends boolean = false> extends SelectOptions<M> {
  /** How many objects are requested at a time. Default: 500. */
  pageSize?: number | undefined;
  /** The maximum number of objects. Default: all. */
  limit?: number | undefined;
  /**
   * A state at least as new as this version; `'0'`: whatever the server has cached, which is cheap but may be old.
   * Default: unset, a consistent read of the newest state.
   */
  resourceVersion?: string | undefined;
  /** How `resourceVersion` is meant. Default: the server's choice, which is NotOlderThan. */
  resourceVersionMatch?: 'Exact' | 'NotOlderThan' | undefined;
}

/** The options of `each`: which objects, and how many per page. */
export interface EachOptions<M extends boolean = false> extends ListOptions<M> {
  /**
   * What happens if the server has dropped the state the list began with, which it does after some minutes. `'throw'`:
   * an error (`isExpired`). `'continue'`: continues with the current state; objects of earlier pages may have changed
   * since. Default: 'throw'.
   */
  onExpired?: 'throw' | 'continue' | undefined;
}

/** The options of `listPage`: those of a list, and where the page begins. */
export interface PageOptions<M extends boolean = false> extends ListOptions<M> {
  /** The token of the page before. */
  continue?: string | undefined;
}

/** The options of one watch of a client. */
export interface WatchOptions<M extends boolean = false> extends SelectOptions<M> {
  /** Resume after this version. Default: begins with the current state, as ADDED. */
  resourceVersion?: string | undefined;
  /** First sends the current state as ADDED, its end marked by a bookmark with `initialEventsEnd`. Default: false. */
  sendInitialEvents?: boolean | undefined;
  /** The server closes the stream after this time. Default: the server's choice, 30 to 60 minutes. */
  timeoutSeconds?: number | undefined;
  /** Called once the server has accepted the watch, which may be long before the first change. Default: none. */
  onOpen?: (() => void) | undefined;
}

/** The options of any write. */
export interface WriteOptions extends CallOptions {
  /** Check everything but store nothing. Default: false, or that of `client.with({ dryRun })`. */
  dryRun?: boolean | undefined;
  /** The field manager. Default: the client's own. */
  manager?: string | undefined;
  /**
   * What the server does with unknown and duplicate fields: drops them, drops them with a warning, or refuses the
   * object. Default: the server's, which is Warn.
   */
  fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined;
}

/** The options of one patch. */
export interface PatchOptions<S extends string = string> extends WriteOptions {
  /** The subresource to write, such as `status`. Default: the object itself. */
  subresource?: S | undefined;
}

/** The options of one edit. */
export interface EditOptions<S extends string = string> extends PatchOptions<S> {
  /**
   * What happens if somebody else has written the object since it was read. `'fail'`: the Conflict is thrown.
   * `'again'`: the object is read again and the function is applied to that, five times in all, as long as it is the
   * same object (UID). Default: 'again' for `ctx.client` and the clients of parts, otherwise 'fail'. Use `'fail'` if
   * the decision to make the change depends on the old object.
   */
  conflict?: 'again' | 'fail' | undefined;
}

/** The options of one apply. */
export interface ApplyOptions extends PatchOptions {
  /**
   * The field manager that owns the fields from now on. A field that it applied before and now leaves out disappears.
   */
  manager: string;
  /** Take fields that another manager owns. Default: false. */
  force?: boolean | undefined;
}

/** How deletions go. */
export interface DeletionOptions extends CallOptions {
  /** Default: false, or that of `client.with({ dryRun })`. */
  dryRun?: boolean | undefined;
  /** What becomes of the objects it owns. Default: the kind's, mostly Background. */
  propagation?: 'Foreground' | 'Background' | 'Orphan' | undefined;
  /** Seconds until a Pod is killed. Default: the object's own. */
  gracePeriod?: number | undefined;
}

export interface DeleteOptions extends DeletionOptions {
  /**
   * Only delete this exact object, or this exact state of it. If an object is passed, its UID is always a precondition.
   */
  preconditions?: { uid?: string | undefined; resourceVersion?: string | undefined } | undefined;
}

/** The options of `deleteAll`: which objects, and how each is deleted. */
export interface DeleteAllOptions extends DeletionOptions {
  /** Where. A namespaced kind needs this or `allNamespaces`. */
  namespace?: string | undefined;
  /** In every namespace, one after the other: the server has no such request. Default: false. */
  allNamespaces?: boolean | undefined;
  /** Default: all. */
  labels?: Labels | undefined;
  /** Default: all. */
  fields?: Fields | undefined;
}

/** The options of one eviction. */
export interface EvictOptions extends DeletionOptions {
  /** Only evict this exact Pod, or this exact state of it. */
  preconditions?: { uid?: string | undefined; resourceVersion?: string | undefined } | undefined;
}

/** The options of a token for a ServiceAccount. */
export interface TokenOptions extends CallOptions {
  /** Who the token is for. Default: the API server itself. */
  audiences?: readonly string[] | undefined;
  /** At least 600; the server may choose another value. Default: the server's, one hour. */
  expirationSeconds?: number | undefined;
  /** The token becomes invalid when this Pod, Secret or Node is deleted. Default: when the account is. */
  boundTo?: KubeObject | undefined;
}

/** Which lines of which container, and whether to follow. */
export interface LogOptions extends CallOptions {
  /** Default: the only container, or the one named by the Pod's annotation. */
  container?: string | undefined;
  /** Continue with new lines until the container ends. Default: false. */
  follow?: boolean | undefined;
  /** Read the log of the container before its last restart. Default: false. */
  previous?: boolean | undefined;
  /** Only lines at most this old. Not together with `sinceTime`. */
  sinceSeconds?: number | undefined;
  /** Only lines since this time, as RFC 3339. */
  sinceTime?: string | undefined;
  /** Only the last lines. Default: all. */
  tailLines?: number | undefined;
  /** The maximum number of bytes. Default: all. */
  limitBytes?: number | undefined;
  /** Each line begins with its time. Default: false. */
  timestamps?: boolean | undefined;
  /** A longer line is split into pieces of this many bytes, so that memory stays bounded. Default: 1 MiB. */
  maxLineBytes?: number | undefined;
}

/** The defaults of a client made by `with`, for calls that do not set these options. */
export interface ClientDefaults {
  /** For references, objects, lists and watches without a namespace. */
  namespace?: string | undefined;
  /** True: nothing this client does is stored, whatever the call says. */
  dryRun?: boolean | undefined;
  /** The field manager of every write, applies included. */
  manager?: string | undefined;
  fieldValidation?: WriteOptions['fieldValidation'];
  /** The deadline of each request, over all its attempts, in milliseconds. */
  deadline?: number | undefined;
}
