import type { Tokens } from './auth/index.ts';
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
  listen,
  type Listener,
  type ListenOptions,
  requestHandler,
  type RequestLog,
  type ServerRequest,
  type ServerResponse,
} from './http/index.ts';
import { builtinResources, createRegistry, type ServerClock, type ServerRegistry } from './registry/index.ts';
import { type WorkloadOptions, workloads } from './workloads/index.ts';

export interface ApiServerOptions {
  /** All time of the server: timestamps, waits, timeouts, pods that start. */
  readonly clock: ServerClock;
  /** All chance of the server, uniform in [0, 1): uids, generated names, the length of watches. */
  readonly random: () => number;
  /** Who a bearer token names; others get 401, and who shows none is anonymous. Everybody may do everything. */
  readonly tokens?: Tokens | undefined;
  readonly controllers?: ControllerOptions | undefined;
  /** Told of every request once its answer is known. */
  readonly onRequest?: ((log: RequestLog) => void) | undefined;
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

export interface ApiServer {
  /** One request in memory: promises only, no sockets and no timers beside those of the clock. */
  handle(request: ServerRequest): Promise<ServerResponse>;
  /** Serves the same on a socket. */
  listen(options?: ListenOptions): Promise<Listener>;
  readonly registry: ServerRegistry;
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
export function apiServer(options: ApiServerOptions): ApiServer {
  const { clock, random, tokens = {}, onRequest } = options;
  const registry = createRegistry({ clock, random, resources: builtinResources() });
  const faults = new Faults(clock);
  const closing = new AbortController();
  const handle = requestHandler({ registry, tokens, faults, onRequest, closed: closing.signal });
  const controllers = startControllers(registry, options);
  /** Open sockets only: each leaves when it is closed. */
  const listeners = new Set<Listener>();
  return {
    handle,
    registry,
    listen: async (where) => {
      const listener = await listen(handle, where);
      listeners.add(listener);
      return listener;
    },
    compact: () => registry.compact(),
    breakWatches: (kind) => registry.breakWatches(kind),
    fail: (rule) => faults.add(rule),
    idle: () => controllers.idle(),
    close: async () => {
      closing.abort();
      controllers.close();
      registry.close();
      await Promise.all([...listeners].map((listener) => listener.close()));
    },
  };
}
