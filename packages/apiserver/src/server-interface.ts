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

/** The options of `apiServer`: users, authorization, initial state, time. */
export interface ApiServerOptions extends PodHandlers {
  /** Time and randomness: timestamps, waits, starting Pods; UIDs, generated names. Default: the system's. */
  readonly runtime?: Runtime | undefined;
  /** Which controllers run next to the API. Default: all; turn them off in tests that write such status themselves. */
  readonly controllers?: ControllerOptions | undefined;
  /**
   * Users by their bearer tokens, in addition to those that `connection` and `listen` create. Default: none. An unknown
   * token gets 401; a request without one is anonymous. `authorization` decides what they may do.
   */
  readonly users?: UsersByToken | undefined;
  /**
   * Who decides what users may do. Default: `AlwaysAllow`. With `RBAC`, roles and their bindings decide, as on a
   * cluster; users of `connection` and `listen` are administrators in any case. Use it to test that an operator's
   * permissions are sufficient.
   */
  readonly authorization?: AuthorizationMode | undefined;
  /**
   * The initial state. Default: that of an empty cluster. A later `restore` replaces it. For a cluster that outlives
   * its process, or a fixture for many tests.
   */
  readonly snapshot?: Snapshot | undefined;
  /**
   * Answers for the Services that webhook configurations and definitions name: a handler in this process, or the
   * `host:port` that serves HTTPS. Default: none, so that such a webhook fails as in a cluster where nothing runs
   * behind the Service; a webhook with a `url` does not need this. For tests of admission and conversion webhooks.
   */
  readonly services?: ServiceResolver | undefined;
  /**
   * Returns the logs of Pods, instead of a kubelet: a text, or chunks as they are written. Default: none, so that the
   * server answers like one that reaches no kubelet. For tests of code that reads logs, and of `kubectl logs`.
   */
  readonly podLogs?: PodLogs | undefined;
  /**
   * The issuer and key of service account tokens. Default: a generated key. For clients that must know them beforehand.
   */
  readonly accountTokens?: IssuerOptions | undefined;
  /** The network of Service addresses: an IPv4 network of 8 to 2^20 addresses. Default: `10.96.0.0/12`. */
  readonly serviceRange?: string | undefined;
  /** Called for every request once its answer is known. */
  readonly onRequest?: ((request: RecordedRequest) => void) | undefined;
  /** Called for every failed controller action, which is retried. Default: a process warning. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Which controllers run next to the API itself. Default: all. */
export interface ControllerOptions {
  /**
   * Garbage collection of dependents, deletion of namespace contents, default objects of namespaces, protection of
   * storage in use, aggregated roles.
   */
  readonly gc?: boolean | undefined;
  /** Controllers for Deployments, ReplicaSets and other workloads, Pods and Nodes. */
  readonly workloads?: boolean | WorkloadOptions | undefined;
}

/** Where a server listens, and what clients need to reach it. */
export interface ServedAddress extends Listener {
  /** The authority of its certificate, as PEM; empty for plain HTTP and for a certificate that was given. */
  readonly ca: string;
  /** A kubeconfig for kubectl, with CA and token. */
  readonly kubeconfig: string;
}

/** An API server in this process, with its controls for tests. */
export interface ApiServer extends AsyncDisposable {
  /** Handles one request in memory: only promises, no sockets, and no timers besides those of the clock. */
  handle(request: ServerRequest): Promise<ServerResponse>;
  /** A connection without sockets, as this user, who is an administrator. */
  connection(user: string): Connection;
  /** Serves HTTPS on loopback with its own certificate, unless the options say otherwise. */
  listen(options?: ServeOptions): Promise<ServedAddress>;
  /** Issues a client certificate with its key. Listeners trust it unless they have a `clientCa`. */
  certify(user: CertifiedUser): CertifiedKey;
  readonly registry: ServerRegistry;
  /** The last requests, oldest first; bounded. */
  readonly requests: readonly RecordedRequest[];
  /** Expires older resource versions and page tokens, as a compaction of etcd does. */
  compact(): void;
  /** Ends the watches of one kind, or all. */
  breakWatches(kind?: { readonly group: string; readonly kind: string }): void;
  /** Makes calls fail. Returns a function that removes the rule. */
  fail(rule: FaultRule): () => void;
  /** The complete stored state at this moment, as plain data. */
  snapshot(): Snapshot;
  /**
   * Restores a snapshot of this or another server, as a restored etcd does: the revision is that of the snapshot, even
   * if clients have seen later ones; all watches end; objects created since are gone, deleted ones are back, and
   * exactly the custom resources it defines are served. Throws `SnapshotRefused` before anything is changed.
   */
  restore(snapshot: Snapshot): void;
  /** Resolves when the controllers have nothing left to do now; pending timers do not count. */
  idle(): Promise<void>;
  /** Ends watches, controllers, timers and sockets. */
  close(): Promise<void>;
}
