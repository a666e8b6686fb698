import type { Kind, KubeObject } from '../api/index.ts';
import type { OperatorCache } from '../cache/index.ts';
import type { Client } from '../client/index.ts';
import type { Controller, WatchedSpec } from '../controller/index.ts';
import { inShort, KilterError } from '../errors/index.ts';
import type { Journal } from '../telemetry/index.ts';
import type { Primaries, Seen, Targets, WatchOptions } from '../trigger/index.ts';
import { AddedControllers } from './added-controllers.ts';
import type { Composed } from './compose.ts';
import type { Lifecycle } from './lifecycle.ts';
import { checkParts, type Part } from './part.ts';

/** A started operator. */
export interface Manager extends AsyncDisposable {
  /** Caches are synced. Rejects if the operator ends before that. */
  readonly ready: Promise<void>;
  /**
   * Resolves after a graceful stop; rejects with the first failure as it was thrown, a lost lease among them. What failed on
   * the way down hangs on it as `suppressed`.
   */
  readonly done: Promise<void>;
  /** Reads from the cache, writes to the server. */
  readonly client: Client;
  /** The stores as they are, synchronously. */
  readonly cache: OperatorCache;
  /** The last runs: why each ran and what came of it. */
  readonly runs: Journal;
  /** Whether its controllers may run: always, without election. */
  readonly leading: boolean;
  /** The operator's metrics as text: what the endpoint serves, but for the `registries` of others. */
  metrics(): string;
  /** One more part: it starts at once, or with its group. Refused once the stop has begun. */
  add(part: Part): void;
  /**
   * One more controller: resolves once what it watches is synced, and it runs, or waits for the Lease with the others. Where that
   * fails (rights that are missing, a kind that is not served) it rejects, nothing of it is left, and the operator goes on. Rules that
   * only it needs are not among those of `operator.permissions()`.
   */
  add(controller: Controller): Promise<void>;
  /** One more kind whose changes wake objects of a controller that runs; resolves once it is synced. */
  watch<T extends KubeObject, K extends KubeObject, M extends boolean = false>(
    controller: Controller<T>,
    watched: AddedWatch<T, K, M>,
  ): Promise<void>;
  /** Stops gracefully and waits for the end; rejects as `done` does. */
  stop(): Promise<void>;
}

/** As `.watches(kind, map, options)` of a controller says it. */
export interface AddedWatch<T extends KubeObject, K extends KubeObject, M extends boolean = false> {
  readonly kind: Kind<K>;
  readonly map: (object: Seen<K, M>, at: { readonly primaries: Primaries<string, T> }) => Targets;
  readonly options?: WatchOptions<K, M> | undefined;
}
const isController = (given: Part | Controller): given is Controller =>
  (given as Controller | undefined)?.spec !== undefined;
/** A builder without its `.reconcile` is easily taken for a controller. */
function refuseOthers(given: Part): void {
  const { name, run } = (given as Partial<Part> | undefined | null) ?? {};
  if (name !== undefined && run !== undefined) return;
  throw new KilterError('MANAGER_PART_INVALID', `manager.add takes a controller or a part, not ${inShort(given)}`, {
    cure: 'finish the controller with .reconcile, .compose or .reconcileKey, or declare a part with part(name, run)',
  });
}
/** An operator on its way. */
export interface Running {
  readonly lifecycle: Lifecycle;
  readonly done: Promise<void>;
  /** Aborts when the operator is to stop. */
  readonly stopping: AbortSignal;
  readonly stop: () => Promise<void>;
}

/** What whoever started the operator gets of it. */
export function runningManager(composed: Composed, { lifecycle, done, stopping, stop }: Running): Manager {
  const { parts, live, cache, journal, metrics, controllers } = composed;
  const { review } = controllers;
  const added = new AddedControllers({
    ...controllers,
    cache,
    groupOf: ({ spec }) => (spec.everyReplica ? parts.replicaRunners : parts.runners),
    ready: () => lifecycle.ready,
    stop: stopping,
    review: review && ((controller) => review(controller, stopping)),
  });
  return {
    ready: lifecycle.ready,
    done,
    client: cache.client(live),
    cache: cache.view,
    runs: journal,
    get leading() {
      return parts.election?.leading ?? true;
    },
    metrics: () => metrics.text(),
    add: ((given: Part | Controller) => {
      if (isController(given)) return added.add(given);
      refuseOthers(given);
      const [one] = checkParts([given]) as [Part];
      if (stopping.aborted) throw new KilterError('MANAGER_STOPPED', `the part ${one.name} came too late`);
      return (one.on === 'leader' ? parts.leaderParts : parts.replicaParts).add(one);
    }) as Manager['add'],
    watch: (controller, { kind, map, options: watching = {} }) =>
      added.watch(controller, { kind, map, options: watching } as unknown as WatchedSpec),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
