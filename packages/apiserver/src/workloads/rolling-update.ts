import type { Deployment, ReplicaSet } from './workload-objects.ts';

/** How many pods may be above, and how many below what is wanted. */
export interface Limits {
  readonly surge: number;
  readonly unavailable: number;
}

function scaled(value: number | string | undefined, total: number, round: (value: number) => number): number {
  if (typeof value === 'number') return value;
  const percent = /^(\d+)%$/.exec(value ?? '25%')?.[1];
  return percent === undefined ? 0 : round((Number(percent) * total) / 100);
}

/** Surge rounds up and unavailable down, so that availability is kept; both nothing would never move. */
export function limitsOf({ spec }: Deployment): Limits {
  if (spec.strategy?.type === 'Recreate') return { surge: 0, unavailable: 0 };
  const { maxSurge, maxUnavailable } = spec.strategy?.rollingUpdate ?? {};
  const surge = scaled(maxSurge, spec.replicas, Math.ceil);
  const unavailable = Math.min(scaled(maxUnavailable, spec.replicas, Math.floor), spec.replicas);
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

export interface Scaling {
  readonly replicaSet: ReplicaSet;
  readonly replicas: number;
}

const wanted = ({ spec }: ReplicaSet): number => spec.replicas;
const available = ({ status }: ReplicaSet): number => status?.availableReplicas ?? 0;
const sum = (sets: readonly ReplicaSet[], count: (set: ReplicaSet) => number): number =>
  sets.reduce((total, set) => total + count(set), 0);

/** How many pods a new ReplicaSet may have at once, beside those of the old ones. */
export function roomFor(deployment: Deployment, old: readonly ReplicaSet[], current: number): number {
  const { replicas } = deployment.spec;
  const room = replicas + limitsOf(deployment).surge - sum(old, wanted) - current;
  return Math.min(replicas, current + Math.max(0, room));
}

/** Takes from the oldest first; those that do not run cost nothing. */
function scaleDownOld(deployment: Deployment, current: ReplicaSet, old: readonly ReplicaSet[]): Scaling | undefined {
  const least = deployment.spec.replicas - limitsOf(deployment).unavailable;
  const all = [...old, current];
  const spare = sum(all, wanted) - least - (wanted(current) - available(current));
  const broken = old.find((set) => wanted(set) > available(set));
  if (spare > 0 && broken !== undefined) {
    const gone = Math.min(spare, wanted(broken) - available(broken));
    return { replicaSet: broken, replicas: wanted(broken) - gone };
  }
  const excess = Math.min(spare, sum(all, available) - least);
  const oldest = old.find((set) => wanted(set) > 0);
  if (excess <= 0 || oldest === undefined) return undefined;
  return { replicaSet: oldest, replicas: wanted(oldest) - Math.min(excess, wanted(oldest)) };
}

/** The next step from the old ReplicaSets (oldest first) to the current one; undefined when none is possible now. */
export function nextScaling(
  deployment: Deployment,
  current: ReplicaSet,
  old: readonly ReplicaSet[],
): Scaling | undefined {
  const { replicas } = deployment.spec;
  if (wanted(current) > replicas) return { replicaSet: current, replicas };
  const room = roomFor(deployment, old, wanted(current));
  if (room > wanted(current)) return { replicaSet: current, replicas: room };
  return scaleDownOld(deployment, current, old);
}
