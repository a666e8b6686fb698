import { inMemory, systemRuntime } from 'kilter/runtime';
import { FlowBook } from './flows/index.ts';
import {
  flowStatus,
  garbageCollector,
  namespaceDefaults,
  namespaceEmptier,
  policyStatus,
  quotaCounter,
  roleAggregation,
  type RunningStages,
  runStages,
  storageProtection,
} from './gc/index.ts';
import {
  Faults,
  type Listener,
  metricsText,
  type RecordedRequest,
  RequestCounts,
  requestHandler,
  RequestJournal,
} from './http/index.ts';
import { ClientAuthority } from './client-authority.ts';
import { checkFaultRule } from './fault-check.ts';
import { guardedRegistry } from './guarded-registry.ts';
import { kubeconfigText } from './kubeconfig.ts';
import { checkListenOptions, checkServerOptions } from './option-names.ts';
import type { ServerRegistry } from './registry/index.ts';
import type { ApiServer, ApiServerOptions } from './server-interface.ts';
import { serve, ServingAuthority } from './serving.ts';
import { workloads } from './workloads/index.ts';

function startControllers(
  registry: ServerRegistry,
  options: ApiServerOptions,
  rootCertificate: () => string,
): RunningStages {
  const { gc = true, workloads: work = true } = options.controllers ?? {};
  const stages = [
    // The server itself does this, not a controller beside it.
    flowStatus(registry),
    ...(gc
      ? [
          garbageCollector(registry),
          namespaceEmptier(registry),
          namespaceDefaults(registry, { rootCertificate }),
          storageProtection(registry),
          roleAggregation(registry),
          quotaCounter(registry),
          policyStatus(registry),
        ]
      : []),
    ...(work === false ? [] : workloads(registry, work === true ? {} : work)),
  ].filter((stage) => stage !== undefined);
  const onError = options.onError ?? ((error) => process.emitWarning(error instanceof Error ? error : String(error)));
  return runStages(registry, stages, { onError });
}

/** Whether anybody may want to speak something else than HTTP. */
const hasStreams = ({ podExec, podAttach, podForward }: ApiServerOptions): boolean =>
  [podExec, podAttach, podForward].some((handler) => handler !== undefined);

function metricsOf(registry: ServerRegistry, requests: RequestCounts, flows: FlowBook): string {
  const { watches, characters: bytes } = registry.usage();
  return metricsText({ requests, objects: registry.objectCounts(), seats: flows.seats(), watches, bytes });
}

/** A Kubernetes API server inside this process, with its own store. */
export function apiServer(options: ApiServerOptions = {}): ApiServer {
  const { runtime = systemRuntime, onRequest: told } = checkServerOptions(options);
  const { clock } = runtime;
  const { registry, users, authorizer, issuer } = guardedRegistry(options, runtime);
  const flows = new FlowBook(registry);
  const faults = new Faults(clock);
  const closing = new AbortController();
  const journal = new RequestJournal();
  const counts = new RequestCounts();
  const onRequest = (request: RecordedRequest, bytes: number): void => {
    journal.add(request, bytes);
    counts.add(request);
    told?.(request);
  };
  const handle = requestHandler({
    registry,
    userOf: users.userOf,
    faults,
    onRequest,
    closed: closing.signal,
    metrics: () => metricsOf(registry, counts, flows),
    issuer,
    authorizer,
    flows,
    podLogs: options.podLogs,
    podHandlers: options,
  });
  if (options.snapshot !== undefined) registry.restore(options.snapshot);
  const authority = new ServingAuthority(() => clock.now());
  const start = (): RunningStages => startControllers(registry, options, () => authority.published);
  let controllers = start();
  /** Those that are open: each leaves when it is closed. */
  const listeners = new Set<Listener>();
  const clients = new ClientAuthority(() => clock.now());
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
      const wanted = { upgrades: hasStreams(options), ...checkListenOptions(where) };
      const { listener, ca } = await serve(handle, wanted, { authority, clients });
      listeners.add(listener);
      controllers.wake();
      const kubeconfig = kubeconfigText({ url: listener.url, ca, token: users.tokenOf('admin') });
      const end = async (): Promise<void> => {
        listeners.delete(listener);
        await listener.close();
      };
      return { ...listener, ca: ca ?? '', kubeconfig, close: end };
    },
    certify: (user) => clients.issue(user),
    registry,
    get requests() {
      return journal.requests;
    },
    compact: () => registry.compact(),
    breakWatches: (kind) => registry.breakWatches(kind),
    fail: (rule) => faults.add(checkFaultRule(rule)),
    snapshot: () => registry.snapshot(),
    restore: (snapshot) => {
      registry.restore(snapshot);
      authorizer.forget();
      flows.forget();
      // What they knew is of another time: like those of a restarted control plane they begin with what there is.
      controllers.close();
      controllers = start();
    },
    idle: () => controllers.idle(),
    close,
    [Symbol.asyncDispose]: close,
  };
}
