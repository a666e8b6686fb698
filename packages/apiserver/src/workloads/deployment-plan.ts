import { isDeepStrictEqual } from 'node:util';
import type { Json, JsonObject } from 'kilter/api';
import { deploymentStatus } from './deployment-status.ts';
import { limitsOf, nextScaling, roomFor, type Scaling } from './rolling-update.ts';
import { templateHash } from './template-hash.ts';
import {
  controllerReference,
  type Deployment,
  type DeploymentStatus,
  type PodTemplate,
  type ReplicaSet,
  selects,
  withOwner,
} from './workload-objects.ts';

/** What a deployment needs next: one write. */
export type DeploymentStep =
  | { readonly type: 'create'; readonly object: JsonObject }
  | { readonly type: 'adopt'; readonly replicaSet: ReplicaSet; readonly owners: JsonObject[] }
  | { readonly type: 'scale'; readonly replicaSet: ReplicaSet; readonly change: JsonObject }
  | { readonly type: 'annotate'; readonly target: Deployment | ReplicaSet; readonly annotations: JsonObject }
  | { readonly type: 'prune'; readonly replicaSet: ReplicaSet }
  | { readonly type: 'status'; readonly status: DeploymentStatus };

/** A deployment and what there is of it. */
export interface Rollout {
  readonly deployment: Deployment;
  /** Those it manages, oldest first. */
  readonly owned: readonly ReplicaSet[];
  /** Those of its namespace nobody manages. */
  readonly orphans: readonly ReplicaSet[];
  /** Whether a pod of a managed ReplicaSet is left, one that is being deleted included. */
  hasPods(replicaSet: ReplicaSet): boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface DeploymentPlan {
  readonly step: DeploymentStep | undefined;
  /** When to look again without a change. */
  readonly at?: number | undefined;
}

const hashLabel = 'pod-template-hash';
const revisionAnnotation = 'deployment.kubernetes.io/revision';
const desiredAnnotation = 'deployment.kubernetes.io/desired-replicas';
const maxAnnotation = 'deployment.kubernetes.io/max-replicas';

const revisionOf = ({ metadata }: ReplicaSet): number => Number(metadata.annotations?.[revisionAnnotation] ?? 0);

/** A template without the label that ReplicaSets add to it. */
function plainTemplate({ metadata, spec }: PodTemplate): JsonObject {
  const { labels, ...rest } = metadata ?? {};
  const { [hashLabel]: _, ...own } = labels ?? {};
  return { metadata: { ...rest, labels: own } as unknown as JsonObject, spec };
}

function sizeAnnotations(deployment: Deployment): Record<string, string> {
  const { replicas } = deployment.spec;
  return {
    [desiredAnnotation]: String(replicas),
    [maxAnnotation]: String(replicas + limitsOf(deployment).surge),
  };
}

/** What is the deployment's own, or was said to kubectl, is not handed on. */
const notShared = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  revisionAnnotation,
  'deployment.kubernetes.io/revision-history',
  desiredAnnotation,
  maxAnnotation,
  'deprecated.deployment.rollback.to',
]);

/** The annotations of a deployment that its newest ReplicaSet has as well: why it was changed, above all. */
function sharedAnnotations({ metadata }: Deployment): Record<string, string> {
  return Object.fromEntries(Object.entries(metadata.annotations ?? {}).filter(([key]) => !notShared.has(key)));
}

function newReplicaSet({ deployment, owned }: Rollout, replicas: number): JsonObject {
  const { metadata, spec } = deployment;
  const template = plainTemplate(spec.template);
  const hash = templateHash(template, deployment.status?.collisionCount);
  const labels = { ...spec.template.metadata?.labels, [hashLabel]: hash };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${metadata.name}-${hash}`,
      namespace: metadata.namespace,
      labels,
      annotations: {
        ...sharedAnnotations(deployment),
        [revisionAnnotation]: String(Math.max(0, ...owned.map(revisionOf)) + 1),
        ...sizeAnnotations(deployment),
      },
      ownerReferences: [controllerReference('apps/v1', 'Deployment', metadata)],
    },
    spec: {
      replicas,
      ...(spec.minReadySeconds !== undefined && { minReadySeconds: spec.minReadySeconds }),
      selector: {
        ...spec.selector,
        matchLabels: { ...spec.selector.matchLabels, [hashLabel]: hash },
      } as unknown as Json,
      template: { ...template, metadata: { ...(template['metadata'] as JsonObject), labels } },
    },
  };
}

function scaleStep({ deployment }: Rollout, { replicaSet, replicas }: Scaling): DeploymentStep {
  const change = { metadata: { annotations: sizeAnnotations(deployment) }, spec: { replicas } };
  return { type: 'scale', replicaSet, change };
}

/** Recreate: nothing new before everything old is gone. */
function recreateStep(
  rollout: Rollout,
  current: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
): DeploymentStep | 'wait' | undefined {
  const { replicas } = rollout.deployment.spec;
  const running = old.find(({ spec }) => spec.replicas > 0);
  if (running !== undefined) return scaleStep(rollout, { replicaSet: running, replicas: 0 });
  if (old.some((set) => rollout.hasPods(set))) return 'wait';
  if (current === undefined) return { type: 'create', object: newReplicaSet(rollout, replicas) };
  return current.spec.replicas === replicas ? undefined : scaleStep(rollout, { replicaSet: current, replicas });
}

function rollingStep(
  rollout: Rollout,
  current: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
): DeploymentStep | undefined {
  if (current === undefined)
    return { type: 'create', object: newReplicaSet(rollout, roomFor(rollout.deployment, old, 0)) };
  const scaling = nextScaling(rollout.deployment, current, old);
  return scaling && scaleStep(rollout, scaling);
}

/** The newest template has the highest revision, also where it is one that was rolled back to. */
function revisionStep(
  { deployment }: Rollout,
  current: ReplicaSet,
  old: readonly ReplicaSet[],
): DeploymentStep | undefined {
  const highest = Math.max(0, ...old.map(revisionOf));
  if (revisionOf(current) <= highest) {
    return { type: 'annotate', target: current, annotations: { [revisionAnnotation]: String(highest + 1) } };
  }
  const revision = String(revisionOf(current));
  if (deployment.metadata.annotations?.[revisionAnnotation] === revision) return undefined;
  return { type: 'annotate', target: deployment, annotations: { [revisionAnnotation]: revision } };
}

/** What is taken away from the deployment stays. */
function sharingStep({ deployment }: Rollout, current: ReplicaSet): DeploymentStep | undefined {
  const known = current.metadata.annotations ?? {};
  const changed = Object.entries(sharedAnnotations(deployment)).filter(([key, value]) => known[key] !== value);
  return changed.length === 0
    ? undefined
    : { type: 'annotate', target: current, annotations: Object.fromEntries(changed) };
}

/** Old ReplicaSets without pods are kept for rolling back, up to a limit. */
function pruneStep(rollout: Rollout, old: readonly ReplicaSet[]): DeploymentStep | undefined {
  const limit = rollout.deployment.spec.revisionHistoryLimit ?? 10;
  const done = old.filter((set) => set.spec.replicas === 0 && !rollout.hasPods(set) && !set.metadata.deletionTimestamp);
  const [oldest] = done.toSorted((a, b) => revisionOf(a) - revisionOf(b));
  return oldest !== undefined && done.length > limit ? { type: 'prune', replicaSet: oldest } : undefined;
}

function adoptStep({ deployment, orphans }: Rollout): DeploymentStep | undefined {
  const found = orphans.find(
    ({ metadata }) => !metadata.deletionTimestamp && selects(deployment.spec.selector, metadata.labels),
  );
  if (found === undefined) return undefined;
  const owner = controllerReference('apps/v1', 'Deployment', deployment.metadata);
  return { type: 'adopt', replicaSet: found, owners: withOwner(found.metadata, owner) };
}

function rolloutStep(
  rollout: Rollout,
  current: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
): DeploymentStep | undefined {
  const { spec } = rollout.deployment;
  if (spec.paused === true) return undefined;
  if (spec.strategy?.type !== 'Recreate') return rollingStep(rollout, current, old);
  const step = recreateStep(rollout, current, old);
  return step === 'wait' ? undefined : step;
}

/** The next write a deployment needs, and when to look again if there is none. */
export function planDeployment(rollout: Rollout): DeploymentPlan {
  const { deployment, owned, now } = rollout;
  if (deployment.metadata.deletionTimestamp !== undefined) return { step: undefined };
  const wanted = plainTemplate(deployment.spec.template);
  const current = owned.find(({ spec }) => isDeepStrictEqual(plainTemplate(spec.template), wanted));
  const old = owned.filter((set) => set !== current);
  const step =
    adoptStep(rollout) ??
    (current && (revisionStep(rollout, current, old) ?? sharingStep(rollout, current))) ??
    rolloutStep(rollout, current, old) ??
    pruneStep(rollout, old);
  if (step !== undefined) return { step };
  const { status, at } = deploymentStatus({ deployment, current, owned, now });
  if (isDeepStrictEqual(status, deployment.status ?? {})) return { step: undefined, at };
  return { step: { type: 'status', status } };
}
