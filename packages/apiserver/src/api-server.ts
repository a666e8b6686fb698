import { type Connection, inMemory, type Runtime, systemRuntime } from 'kilter/runtime';
import {
  garbageCollector,
  namespaceDefaults,
  namespaceEmptier,
  type RunningStages,
  runStages,
  storageProtection,
} from './gc/index.ts';
import {
  type FaultRule,
  Faults,
  type Listener,
  type RecordedRequest,
  requestHandler,
  RequestJournal,
  type ServerRequest,
  type ServerResponse,
} from './http/index.ts';
import { builtinResources } from './kinds/index.ts';
import { kubeconfigText } from './kubeconfig.ts';
import { createRegistry, type ServerRegistry } from './registry/index.ts';
import { serve, type ServeOptions } from './serving.ts';
import { Users, type UsersByToken } from './users.ts';
import { type WorkloadOptions, workloads } from './workloads/index.ts';

export interface ApiServerOptions {
  /** Time and chance: timestamps, waits, pods that start; uids, generated names. Default: the system's. */
  readonly runtime?: Runtime | undefined;
  /** What runs beside the API. Default: everything; a test that writes such status by hand switches it off. */
  readonly controllers?: ControllerOptions | undefined;
  /**
   * Users by their bearer tokens, beside those that `connection` and `listen` make. Default: none. An unknown token gets 401,
   * and who shows none is anonymous. Everybody may do everything.
   */
  readonly users?: UsersByToken | undefined;
  /** Told of every request once its answer is known. */
  readonly onRequest?: ((request: RecordedRequest) => void) | undefined;
  /** Told of every controller action that failed; it is tried again. Default: a process warning. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** What runs beside the API itself; everything unless switched off. */
export interface ControllerOptions {
  /** Garbage collection of dependents, emptying of namespaces, what each namespace starts with, storage that is in use. */
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

export interface ApiServer extends AsyncDisposable {
  /** One request in memory: promises only, no sockets and no timers beside those of the clock. */
  handle(request: ServerRequest): Promise<ServerResponse>;
  /** A connection without sockets, as this user; an administrator. */
  connection(user: string): Connection;
  /** Serves HTTPS on loopback with a certificate of its own, unless told otherwise. */
  listen(options?: ServeOptions): Promise<ServedAddress>;
  readonly registry: ServerRegistry;
  /** The last requests, oldest first; bounded. */
  readonly requests: readonly RecordedRequest[];
  /** Older resource versions and page tokens expire, as after a compaction of etcd. */
  compact(): void;
  /** Ends the watches of one kind, or all. */
  breakWatches(kind?: { readonly group: string; readonly kind: string }): void;
  /** Makes calls fail; the answer takes the rule away. */
  fail(rule: FaultRule): () => void;
  /** Resolves when the controllers have nothing left to do now; what waits for time does not count. */
  idle(): Promise<void>;
  /** Ends watches, controllers, timers and sockets. */
  close(): Promise<void>;
}

function startControllers(registry: ServerRegistry, options: ApiServerOptions): RunningStages {
  const { gc = true, workloads: work = true } = options.controllers ?? {};
  const stages = [
    ...(gc
      ? [
          garbageCollector(registry),
          namespaceEmptier(registry),
          namespaceDefaults(registry),
          storageProtection(registry),
        ]
      : []),
    ...(work === false ? [] : workloads(registry, work === true ? {} : work)),
  ];
  const onError = options.onError ?? ((error) => process.emitWarning(error instanceof Error ? error : String(error)));
  return runStages(registry, stages, { onError });
}

/** A Kubernetes API server inside this process, with a store of its own. */
export function apiServer(options: ApiServerOptions = {}): ApiServer {
  const { runtime = systemRuntime, onRequest: told } = options;
  const { clock } = runtime;
  const registry = createRegistry({ clock, random: () => runtime.random(), resources: builtinResources() });
  const faults = new Faults(clock);
  const closing = new AbortController();
  const users = new Users(runtime, options.users);
  const journal = new RequestJournal();
  const onRequest = (request: RecordedRequest): void => {
    journal.add(request);
    told?.(request);
  };
  const handle = requestHandler({ registry, userOf: users.userOf, faults, onRequest, closed: closing.signal });
  const controllers = startControllers(registry, options);
  /** Those that are open: each leaves when it is closed. */
  const listeners = new Set<Listener>();
  const close = async (): Promise<void> => {
    closing.abort();
    controllers.close();
    registry.close();
    await Promise.all([...listeners].map((listener) => listener.close()));
  };
  return {
    handle,
    connection: (user) => inMemory(handle, { token: users.tokenOf(user) }),
    listen: async (where = {}) => {
      const { listener, ca } = await serve(handle, where, clock.now());
      listeners.add(listener);
      const kubeconfig = kubeconfigText({ url: listener.url, ca, token: users.tokenOf('admin') });
      const end = async (): Promise<void> => {
        listeners.delete(listener);
        await listener.close();
      };
      return { ...listener, ca: ca ?? '', kubeconfig, close: end };
    },
    registry,
    requests: journal.requests,
    compact: () => registry.compact(),
    breakWatches: (kind) => registry.breakWatches(kind),
    fail: (rule) => faults.add(rule),
    idle: () => controllers.idle(),
    close,
    [Symbol.asyncDispose]: close,
  };
}
