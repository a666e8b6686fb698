// What the status of a PodDisruptionBudget should say. Pure.
import { formatTime, type JsonObject, parseTime } from 'kilter/api';
import { conditionFor, withDisruptionCondition } from '../kinds/index.ts';
import { sameValue } from '../values/index.ts';
import type { Unknown } from './controller-scale.ts';
import { isTrue, type Meta, type Pod } from './workload-objects.ts';

export interface Budget {
  readonly metadata: Meta;
  readonly spec?: {
    readonly minAvailable?: number | string;
    readonly maxUnavailable?: number | string;
    readonly selector?: JsonObject;
  };
  readonly status?: JsonObject & { readonly disruptedPods?: Readonly<Record<string, string>> };
}

export interface BudgetView {
  readonly budget: Budget;
  /** Those it selects. */
  readonly pods: readonly Pod[];
  /** How many pods their controllers want together, or why that cannot be said. */
  readonly scale: () => number | Unknown;
  readonly now: number;
}

export interface BudgetPlan {
  /** Undefined: it says so already. */
  readonly status?: JsonObject;
  /** When an announced eviction counts as not happening. */
  readonly at?: number | undefined;
}

/** An evicted pod that is still there after this long stays. */
const deletionTimeout = 120_000;

/** A number, or a percentage of a total, rounded up. */
function share(value: number | string, total: number): number | Unknown {
  if (typeof value === 'number') return value;
  const percent = /^(\d+)%$/.exec(value)?.[1];
  if (percent === undefined)
    return { problem: `invalid value for IntOrString: invalid type: string is not a percentage` };
  return Math.ceil((Number(percent) * total) / 100);
}

interface Counts {
  readonly expectedPods: number;
  readonly desiredHealthy: number;
}

function countsOf({ budget, pods, scale }: BudgetView): Counts | Unknown {
  const { minAvailable, maxUnavailable } = budget.spec ?? {};
  if (maxUnavailable === undefined && minAvailable === undefined) return { expectedPods: 0, desiredHealthy: 0 };
  if (maxUnavailable === undefined && typeof minAvailable === 'number')
    return { expectedPods: pods.length, desiredHealthy: minAvailable };
  const expectedPods = scale();
  if (typeof expectedPods !== 'number') return expectedPods;
  const part = share(maxUnavailable ?? minAvailable ?? 0, expectedPods);
  if (typeof part !== 'number') return part;
  return { expectedPods, desiredHealthy: maxUnavailable === undefined ? part : Math.max(0, expectedPods - part) };
}

/** The evictions that were announced and have not happened yet, with the time each is given. */
function announced({ budget, pods, now }: BudgetView): Map<string, number> {
  const noted = budget.status?.disruptedPods ?? {};
  return new Map(
    pods.flatMap(({ metadata: { name, deletionTimestamp } }) => {
      const time = Object.hasOwn(noted, name) ? parseTime(noted[name] ?? '') : undefined;
      if (time === undefined || deletionTimestamp !== undefined || time + deletionTimeout < now) return [];
      return [[name, time + deletionTimeout] as const];
    }),
  );
}

/** Nothing may go while it is not known how many there should be. */
function failed(view: BudgetView, message: string): JsonObject {
  const status: JsonObject = { ...view.budget.status, disruptionsAllowed: 0 };
  const condition = { status: 'False', reason: 'SyncFailed', message } as const;
  return { ...status, conditions: withDisruptionCondition(status, condition, formatTime(view.now)) };
}

function wantedStatus(view: BudgetView, waiting: ReadonlyMap<string, number>): JsonObject {
  const { budget, pods, now } = view;
  const counts = countsOf(view);
  if ('problem' in counts) return failed(view, counts.problem);
  const healthy = pods.filter(
    ({ metadata, status }) =>
      metadata.deletionTimestamp === undefined && !waiting.has(metadata.name) && isTrue(status?.conditions, 'Ready'),
  ).length;
  const spare = healthy - counts.desiredHealthy;
  const disruptionsAllowed = counts.expectedPods > 0 && spare > 0 ? spare : 0;
  const noted = Object.entries(budget.status?.disruptedPods ?? {}).filter(([name]) => waiting.has(name));
  const status: JsonObject = {
    ...budget.status,
    observedGeneration: budget.metadata.generation ?? 0,
    currentHealthy: healthy,
    ...counts,
    disruptionsAllowed,
  };
  delete status['disruptedPods'];
  if (noted.length > 0) status['disruptedPods'] = Object.fromEntries(noted);
  const conditions = withDisruptionCondition(status, conditionFor(disruptionsAllowed), formatTime(now));
  return { ...status, conditions };
}

/** Makes the status of a budget say what it allows now. */
export function planBudget(view: BudgetView): BudgetPlan {
  const waiting = announced(view);
  const status = wantedStatus(view, waiting);
  if (!sameValue(status, view.budget.status ?? {})) return { status };
  return { at: waiting.size === 0 ? undefined : Math.min(...waiting.values()) + 1 };
}
