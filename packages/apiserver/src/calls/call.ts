import type { JsonObject } from 'kilter/api';
import type { User } from '../auth/index.ts';
import type { ResourceDefinition } from '../kinds/index.ts';

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';
export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

/** One request after routing and decoding: what to do to which resource. */
export interface Call {
  readonly verb: Verb;
  readonly resource: ResourceDefinition;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  /** Query parameters as sent: labelSelector, fieldManager, dryRun, force, resourceVersion, … */
  readonly query: URLSearchParams;
  /** The decoded body: an object, a JSON patch (a list), DeleteOptions; undefined without one. */
  readonly body: unknown;
  /** The body of a create or update as it came: refusals quote it. */
  readonly sent?: Uint8Array | undefined;
  /** Why the body of a patch cannot be read; what that means depends on whether its object exists. */
  readonly undecodable?: string | undefined;
  /** Paths that stood more than once in the body's text, if it came as text. */
  readonly duplicateFields?: readonly string[] | undefined;
  /** What a body in YAML made its reader say of keys that stood more than once. */
  readonly duplicateKeys?: readonly string[] | undefined;
  readonly patchType: PatchType | undefined;
  /** Read from a view this many revisions old; unset: of now. */
  readonly behind?: number | undefined;
  readonly user: User;
  readonly userAgent: string;
  /** Ends a watch. */
  readonly signal: AbortSignal;
}

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: JsonObject;
}

/** What a verb answers; failures are thrown as `StatusError`. */
export type Answer =
  | {
      readonly type: 'object';
      readonly code: 200 | 201;
      readonly object: JsonObject;
      readonly warnings: readonly string[];
    }
  | {
      readonly type: 'list';
      readonly list: JsonObject;
      /** Its items, kind and apiVersion included; to be read only. */
      readonly objects: readonly JsonObject[];
      readonly warnings: readonly string[];
    }
  | { readonly type: 'watch'; readonly events: AsyncIterable<WatchEvent>; readonly warnings: readonly string[] };

/** The verbs over all served resources: what `http` calls for outside clients, and `gc` and `workloads` for themselves. */
export interface Registry {
  /** Every served resource, built-in and custom, in group and version order. */
  resources(): readonly ResourceDefinition[];
  find(group: string, version: string, plural: string): ResourceDefinition | undefined;
  findKind(group: string, kind: string): ResourceDefinition | undefined;
  /** Refuses a verb or subresource the resource does not have: nobody reads the body of such a request. */
  check(asked: Pick<Call, 'verb' | 'resource' | 'subresource' | 'name'>): void;
  execute(call: Call): Promise<Answer>;
  /** Asks those who admit connections, and resolves to their warnings; rejects with a refusal. */
  admitConnection(connection: ConnectionRequest): Promise<readonly string[]>;
  /** Reads the stored objects of a resource synchronously, for stages: private copies, in key order. */
  peek(resource: ResourceDefinition, namespace?: string): JsonObject[];
  /** Called after every stored change of any resource, synchronously and in order; returns the unsubscribe function. */
  onChange(listener: (change: StoredChange) => void): () => void;
  readonly clock: ServerClock;
  readonly random: () => number;
}

/** A request that leads out of the server, to a kubelet or a program. */
export interface ConnectionRequest extends Pick<Call, 'resource' | 'namespace' | 'user'> {
  readonly subresource: string;
  readonly name: string;
  /** The options of the connection, an object of its own kind. */
  readonly object: JsonObject;
}

export interface StoredChange {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly resource: ResourceDefinition;
  /** Shared by all who receive it: only to be read. */
  readonly object: JsonObject;
}

/** The server's own view of time; any clock with these two will do. */
export interface ServerClock {
  now(): number;
  timer(ms: number, callback: () => void): { cancel(): void };
}
