import type { Draft, Fields, FieldsOf, Kind, KubeObject, Labels, Ref } from '../api/index.ts';
import type { Patch } from './patch.ts';

export interface ReadOptions {
  signal?: AbortSignal | undefined;
}
export interface ListOptions extends ReadOptions {
  /** All namespaces unless given. */
  namespace?: string | undefined;
  labels?: Labels | undefined;
  fields?: Fields | undefined;
  /** Default: 500. */
  pageSize?: number | undefined;
  /** Only metadata of the objects, which keep their apiVersion and kind. Default: false. */
  metadataOnly?: boolean | undefined;
}
export interface WatchOptions extends ListOptions {
  /** Resume after this version. */
  resourceVersion?: string | undefined;
  /** First the present state as ADDED, its end marked by a bookmark with `initialEventsEnd`. */
  sendInitialEvents?: boolean | undefined;
  /** The server closes the stream after it. */
  timeoutSeconds?: number | undefined;
}
export interface WriteOptions {
  dryRun?: boolean | undefined;
  /** The field manager. Default: the client's own. */
  manager?: string | undefined;
  signal?: AbortSignal | undefined;
}
export interface PatchOptions<S extends string = string> extends WriteOptions {
  subresource?: S | undefined;
}
export interface ApplyOptions extends PatchOptions {
  manager: string;
  /** Take fields that another manager owns. Default: false. */
  force?: boolean | undefined;
}
export interface DeleteOptions extends WriteOptions {
  propagation?: 'Foreground' | 'Background' | 'Orphan' | undefined;
  /** Seconds. */
  gracePeriod?: number | undefined;
}
export type Change<T extends KubeObject> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string; readonly initialEventsEnd: boolean };

/** With `subresource: 'status'` the draft has a status to write into. */
export type DraftFor<T extends KubeObject, S extends string> = 'status' extends S
  ? Draft<T> & (T extends { status?: infer U } ? { status: NonNullable<U> } : unknown)
  : Draft<T>;

export interface Reader {
  /** Throws `NotFound`. */
  get<T extends KubeObject>(kind: Kind<T>, ref: Ref, options?: ReadOptions): Promise<T>;
  find<T extends KubeObject>(kind: Kind<T>, ref: Ref, options?: ReadOptions): Promise<T | undefined>;
  /** All pages, as an array. */
  list<T extends KubeObject>(kind: Kind<T>, options?: ListOptions): Promise<T[]>;
}
export interface Writer {
  create<T extends KubeObject>(object: T, options?: PatchOptions): Promise<T>;
  update<T extends KubeObject>(object: T, options?: PatchOptions): Promise<T>;
  /** Sends what the function changed as a merge patch, locked on the object's resourceVersion; nothing when nothing changed. */
  edit<T extends KubeObject, const S extends string = never>(
    object: T,
    change: (draft: DraftFor<T, S>) => void,
    options?: PatchOptions<S>,
  ): Promise<T>;
  /** Sends the patch as it is, without a lock. A plain body is a merge patch. */
  patch<T extends KubeObject>(kind: Kind<T>, ref: Ref, patch: Patch<NoInfer<T>>, options?: PatchOptions): Promise<T>;
  /** Server-side apply of a complete object or of the fields made by `Kind.fields(…)`. */
  apply<T extends KubeObject>(object: T | FieldsOf<T>, options: ApplyOptions): Promise<T>;
  // The form with a kind comes first: the last overload is the one an error message shows.
  /** Deletes whatever has that name. */
  delete<T extends KubeObject>(kind: Kind<T>, ref: Ref, options?: DeleteOptions): Promise<void>;
  /** Deletes this very object: its UID is the precondition. */
  delete(object: KubeObject, options?: DeleteOptions): Promise<void>;
}
/** One page of a list, with what is needed to watch from it or to go on. */
export interface ListPage<T extends KubeObject> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
  /** The token of the next page; undefined on the last one. */
  readonly continue: string | undefined;
}
export interface PageOptions extends ListOptions {
  /** The token of the page before. */
  continue?: string | undefined;
}
export interface Client extends Reader, Writer, AsyncDisposable {
  /** One page, resourceVersion unset: a consistent read. An expired token is thrown (`isExpired`), not hidden. */
  listPage<T extends KubeObject>(kind: Kind<T>, options?: PageOptions): Promise<ListPage<T>>;
  /** Page by page. */
  each<T extends KubeObject>(kind: Kind<T>, options?: ListOptions): AsyncIterableIterator<T>;
  /** A raw watch, bookmarks included; the cache is the better choice. Ends when the server closes it, throws coded errors. */
  watch<T extends KubeObject>(kind: Kind<T>, options?: WatchOptions): AsyncIterableIterator<Change<T>>;
}
