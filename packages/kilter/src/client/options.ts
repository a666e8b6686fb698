import type { Fields, KubeObject, Labels, MetadataOf, Stored } from '../api/index.ts';

/** What a read gives: with `metadataOnly`, an object without its other fields. */
export type Seen<T extends KubeObject, M extends boolean> = M extends true ? Stored<MetadataOf<T>> : Stored<T>;

export interface CallOptions {
  /** Ends the call at once with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** Of one read. */
export interface ReadOptions<M extends boolean = false> extends CallOptions {
  /** Only metadata, under the object's own apiVersion and kind. Default: false. */
  metadataOnly?: M | undefined;
  /** Any state at least as new as this version; `'0'`: whatever the server has at hand. Default: the newest. */
  resourceVersion?: string | undefined;
  /** A part that has the form of the object, as `status`. For others: `client.subresource`. */
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

/** Of one list: where, and which of them. */
export interface ListOptions<M extends boolean = false> extends SelectOptions<M> {
  /** How many objects are asked for at a time. Default: 500. */
  pageSize?: number | undefined;
  /** At most so many objects. Default: all. */
  limit?: number | undefined;
  /**
   * A state at least as new as this version; `'0'`: whatever the server has at hand, which is cheap and may be old.
   * Default: unset, a consistent read of the newest state.
   */
  resourceVersion?: string | undefined;
  /** How `resourceVersion` is meant. Default: the server's choice, which is NotOlderThan. */
  resourceVersionMatch?: 'Exact' | 'NotOlderThan' | undefined;
}

/** Of `each`: which objects, and how many a page has. */
export interface EachOptions<M extends boolean = false> extends ListOptions<M> {
  /**
   * What happens when the server has forgotten the state the list began with, which it does after some minutes.
   * `'throw'`: an error (`isExpired`). `'continue'`: goes on with the state of now, so that objects of earlier pages may
   * have changed meanwhile. Default: 'throw'.
   */
  onExpired?: 'throw' | 'continue' | undefined;
}

export interface PageOptions<M extends boolean = false> extends ListOptions<M> {
  /** The token of the page before. */
  continue?: string | undefined;
}

/** Of one watch of a client. */
export interface WatchOptions<M extends boolean = false> extends SelectOptions<M> {
  /** Resume after this version. Default: begins with the present state, as ADDED. */
  resourceVersion?: string | undefined;
  /** First the present state as ADDED, its end marked by a bookmark with `initialEventsEnd`. Default: false. */
  sendInitialEvents?: boolean | undefined;
  /** The server closes the stream after it. Default: the server's choice, 30 to 60 minutes. */
  timeoutSeconds?: number | undefined;
  /** Called once the server has accepted the watch, which may be long before the first change. Default: nobody is told. */
  onOpen?: (() => void) | undefined;
}

/** Of any write. */
export interface WriteOptions extends CallOptions {
  /** Everything is checked and nothing is stored. Default: false, or that of `client.with({ dryRun })`. */
  dryRun?: boolean | undefined;
  /** The field manager. Default: the client's own. */
  manager?: string | undefined;
  /**
   * What the server does with unknown and duplicate fields: drops them, drops them with a warning, or refuses the
   * object. Default: the server's, which is Warn.
   */
  fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined;
}

/** Of one patch. */
export interface PatchOptions<S extends string = string> extends WriteOptions {
  /** The part to write, as `status`. Default: the object itself. */
  subresource?: S | undefined;
}

/** Of one edit. */
export interface EditOptions<S extends string = string> extends PatchOptions<S> {
  /**
   * What follows when somebody else has written the object since it was read. `'fail'`: the Conflict is thrown. `'again'`: the object is
   * read anew and the function applied to that, five times in all, as long as it is the same object (UID). Default: 'again' for
   * `ctx.client` and the clients of parts, else 'fail'. Name `'fail'` where the change was decided by what the object was.
   */
  conflict?: 'again' | 'fail' | undefined;
}

/** Of one apply. */
export interface ApplyOptions extends PatchOptions {
  /** Who owns the fields from now on. A field this manager applied before and leaves out now disappears. */
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
  /** Only if it is this very object, in this very state. Of an object that is given, the UID is one anyway. */
  preconditions?: { uid?: string | undefined; resourceVersion?: string | undefined } | undefined;
}

/** Of `deleteAll`: which objects, and how each goes. */
export interface DeleteAllOptions extends DeletionOptions {
  /** Where. A kind with namespaces needs this or `allNamespaces`. */
  namespace?: string | undefined;
  /** In every namespace, one after the other: the server has no such request. Default: false. */
  allNamespaces?: boolean | undefined;
  /** Default: all. */
  labels?: Labels | undefined;
  /** Default: all. */
  fields?: Fields | undefined;
}

/** Of one eviction. */
export interface EvictOptions extends DeletionOptions {
  /** Only if it is this very Pod, in this very state. */
  preconditions?: { uid?: string | undefined; resourceVersion?: string | undefined } | undefined;
}

/** Of a token for a ServiceAccount. */
export interface TokenOptions extends CallOptions {
  /** Who may be shown the token. Default: the API server itself. */
  audiences?: readonly string[] | undefined;
  /** 600 at least; the server may give less or more. Default: the server's, one hour. */
  expirationSeconds?: number | undefined;
  /** The token dies with this Pod, Secret or Node. Default: it lives as long as the account. */
  boundTo?: KubeObject | undefined;
}

/** Which lines of which container, and whether to follow. */
export interface LogOptions extends CallOptions {
  /** Default: the only container, or the one named by the Pod's annotation. */
  container?: string | undefined;
  /** Go on with new lines until the container ends. Default: false. */
  follow?: boolean | undefined;
  /** Of the container before its last restart. Default: false. */
  previous?: boolean | undefined;
  /** Only lines so old at most. Not together with `sinceTime`. */
  sinceSeconds?: number | undefined;
  /** Only lines since this time, RFC 3339. */
  sinceTime?: string | undefined;
  /** Only the last lines. Default: all. */
  tailLines?: number | undefined;
  /** At most so many bytes. Default: all. */
  limitBytes?: number | undefined;
  /** Each line begins with its time. Default: false. */
  timestamps?: boolean | undefined;
  /** A longer line comes in pieces of this many bytes, so that memory stays bounded. Default: 1 MiB. */
  maxLineBytes?: number | undefined;
}

/** What a client made by `with` uses where a call says nothing. */
export interface ClientDefaults {
  /** For references, objects, lists and watches without a namespace. */
  namespace?: string | undefined;
  /** True: nothing such a client is asked to do is stored, whatever the call says. */
  dryRun?: boolean | undefined;
  /** The field manager of every write, applies included. */
  manager?: string | undefined;
  fieldValidation?: WriteOptions['fieldValidation'];
  /** For each request, over all its attempts, in milliseconds. */
  deadline?: number | undefined;
}
