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
   * Resolves after a graceful stop; rejects with the first failure as it was thrown, such as a lost Lease. Failures
   * during the stop are attached to it as `suppressed`.
   */
  readonly done: Promise<void>;
  /** Reads from the cache, writes to the server. */
  readonly client: Client;
  /** The stores as they are, synchronously. */
  readonly cache: OperatorCache;
  /** The last runs: why each ran, and its result. */
  readonly runs: Journal;
  /** Whether its controllers may run; always true without leader election. */
  readonly leading: boolean;
  /** The operator's metrics as text: what the endpoint serves, without `registries`. */
  metrics(): string;
  /** Adds a part: it starts at once, or with the others of its group. Refused once a stop has begun. */
  add(part: Part): void;
  /**
   * Adds a controller. Resolves once everything it watches is synced and it runs, or waits for the Lease with the
   * others. If that fails (a missing permission, a kind that is not served), it rejects, leaves nothing behind, and the
   * operator continues. Rules that only this controller needs are not part of `operator.permissions()`.
   */
  add(controller: Controller): Promise<void>;
  /**
   * Adds a kind whose changes trigger runs of a running controller. Resolves once it is synced. If that fails, it
   * rejects, and leaves nothing behind.
   */
  watch<T extends KubeObject, K extends KubeObject, M extends boolean = false>(
    controller: Controller<T>,
    watched: AddedWatch<T, K, M>,
  ): Promise<void>;
  /** Stops gracefully and waits for the end; rejects as `done` does. */
  stop(): Promise<void>;
}

/** The same as `.watches(kind, map, options)` of a controller. */
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
      if (stopping.aborted) throw new KilterError('MANAGER_STOPPED', `the part ${one.name} was added too late`);
      return (one.on === 'leader' ? parts.leaderParts : parts.replicaParts).add(one);
    }) as Manager['add'],
    watch: (controller, watched) => added.watch(controller, watched as unknown as WatchedSpec),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
