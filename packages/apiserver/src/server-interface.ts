import type { CertifiedKey } from 'kilter/certificates';
import type { Connection, Runtime } from 'kilter/runtime';
import type { AuthorizationMode } from './access/index.ts';
import type { IssuerOptions } from './auth/index.ts';
import type { CertifiedUser } from './client-authority.ts';
import type {
  FaultRule,
  Listener,
  PodHandlers,
  PodLogs,
  RecordedRequest,
  ServerRequest,
  ServerResponse,
} from './http/index.ts';
import type { ServerRegistry, Snapshot } from './registry/index.ts';
import type { ServeOptions } from './serving.ts';
import type { UsersByToken } from './users.ts';
import type { ServiceResolver } from './webhooks/index.ts';
import type { WorkloadOptions } from './workloads/index.ts';

/** Of `apiServer`: kinds, users, faults, time. */
export interface ApiServerOptions extends PodHandlers {
  /** Time and chance: timestamps, waits, pods that start; uids, generated names. Default: the system's. */
  readonly runtime?: Runtime | undefined;
  /** What runs beside the API. Default: everything; a test that writes such status by hand switches it off. */
  readonly controllers?: ControllerOptions | undefined;
  /**
   * Users by their bearer tokens, beside those that `connection` and `listen` make. Default: none. An unknown token gets 401,
   * and who shows none is anonymous. What they may do is up to `authorization`.
   */
  readonly users?: UsersByToken | undefined;
  /**
   * Who decides what users may do. Default: `AlwaysAllow`. With `RBAC` roles and their bindings do, as on a cluster; who `connection`
   * and `listen` name is an administrator all the same. To show that the rights an operator is given suffice.
   */
  readonly authorization?: AuthorizationMode | undefined;
  /**
   * What the server holds at its start. Default: what every cluster begins with. A later `restore` replaces it. For a cluster
   * that outlives its process, or a fixture that many tests start from.
   */
  readonly snapshot?: Snapshot | undefined;
  /**
   * Who answers for the Services that webhook configurations and definitions name: a handler in this process, or the `host:port`
   * that serves it by HTTPS. Default: nobody, so that such a webhook fails as in a cluster where nothing runs behind the
   * Service; a webhook with a `url` needs none of this. For tests of admission and conversion webhooks.
   */
  readonly services?: ServiceResolver | undefined;
  /**
   * Who answers for the logs of Pods, in place of a kubelet: a text, or chunks as they are written. Default: nobody, so that the server
   * says what one says that reaches no kubelet. For tests of what reads logs, and of `kubectl logs`.
   */
  readonly podLogs?: PodLogs | undefined;
  /** Who signs the tokens of service accounts, and in whose name. Default: a key of this server's own. For clients that know either beforehand. */
  readonly accountTokens?: IssuerOptions | undefined;
  /** Where the addresses of Services come from: an IPv4 network of 8 to 2^20 addresses. Default: `10.96.0.0/12`. */
  readonly serviceRange?: string | undefined;
  /** Told of every request once its answer is known. */
  readonly onRequest?: ((request: RecordedRequest) => void) | undefined;
  /** Told of every controller action that failed; it is tried again. Default: a process warning. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** What runs beside the API itself; everything unless switched off. */
export interface ControllerOptions {
  /** Garbage collection of dependents, emptying of namespaces, what each namespace starts with, storage that is in use, aggregated roles. */
  readonly gc?: boolean | undefined;
  /** Deployments, ReplicaSets, Pods and a Node that come to life. */
  readonly workloads?: boolean | WorkloadOptions | undefined;
}

/** Where a server listens, and what clients need to reach it. */
export interface ServedAddress extends Listener {
  /** The authority of its certificate, as PEM; empty for plain HTTP and for a certificate that was given. */
  readonly ca: string;
  /** For kubectl: CA and token inside. */
  readonly kubeconfig: string;
}

/** An API server in this process, and what a test may do to it. */
export interface ApiServer extends AsyncDisposable {
  /** One request in memory: promises only, no sockets and no timers beside those of the clock. */
  handle(request: ServerRequest): Promise<ServerResponse>;
  /** A connection without sockets, as this user; an administrator. */
  connection(user: string): Connection;
  /** Serves HTTPS on loopback with a certificate of its own, unless told otherwise. */
  listen(options?: ServeOptions): Promise<ServedAddress>;
  /** A client certificate with its key, of the authority that listeners trust unless they are given another as `clientCa`. */
  certify(user: CertifiedUser): CertifiedKey;
  readonly registry: ServerRegistry;
  /** The last requests, oldest first; bounded. */
  readonly requests: readonly RecordedRequest[];
  /** Older resource versions and page tokens expire, as after a compaction of etcd. */
  compact(): void;
  /** Ends the watches of one kind, or all. */
  breakWatches(kind?: { readonly group: string; readonly kind: string }): void;
  /** Makes calls fail; the answer takes the rule away. */
  fail(rule: FaultRule): () => void;
  /** Everything that is stored at this moment, as plain data. */
  snapshot(): Snapshot;
  /**
   * Takes the server back to a snapshot, of this server or another, as a restored etcd does: the revision is that of the
   * snapshot, even if clients have seen later ones; all watches end; what was created since is gone, what was deleted is back,
   * and exactly the custom resources it defines are served. Throws `SnapshotRefused` before anything is changed.
   */
  restore(snapshot: Snapshot): void;
  /** Resolves when the controllers have nothing left to do now; what waits for time does not count. */
  idle(): Promise<void>;
  /** Ends watches, controllers, timers and sockets. */
  close(): Promise<void>;
}
