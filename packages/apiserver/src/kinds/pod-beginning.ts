// What the server makes of a Pod when it is created, whatever the client sent.
import type { JsonObject } from 'kilter/api';
import { metadataOf, objectIfIn, objectIn, objectsIn, textsOf } from '../values/index.ts';
import { qosClass } from './builtin-pod-defaults.ts';
import type { StrategyContext } from './definition.ts';

/** Adds what the pod itself has under these keys to a selector of its like; a selector that is missing selects nothing. */
function joinLabels(owner: JsonObject, labels: JsonObject): void {
  const selector = objectIfIn(owner, 'labelSelector');
  if (selector === undefined) return;
  const terms = [
    ['matchLabelKeys', 'In'],
    ['mismatchLabelKeys', 'NotIn'],
  ] as const;
  const added = terms.flatMap(([field, operator]) =>
    textsOf(owner[field])
      .filter((key) => Object.hasOwn(labels, key))
      .map((key): JsonObject => ({ key, operator, values: [labels[key] ?? ''] })),
  );
  if (added.length > 0) selector['matchExpressions'] = [...objectsIn(selector, 'matchExpressions'), ...added];
}

/** Those of affinities to other pods, in the order of the server. */
function podTermsIn(spec: JsonObject): JsonObject[] {
  const affinity = objectIfIn(spec, 'affinity') ?? {};
  return ['podAffinity', 'podAntiAffinity'].flatMap((field) => {
    const rules = objectIfIn(affinity, field) ?? {};
    const preferred = objectsIn(rules, 'preferredDuringSchedulingIgnoredDuringExecution');
    return [
      ...preferred.map((one) => objectIfIn(one, 'podAffinityTerm') ?? {}),
      ...objectsIn(rules, 'requiredDuringSchedulingIgnoredDuringExecution'),
    ];
  });
}

const gated = (now: string): JsonObject => ({
  type: 'PodScheduled',
  status: 'False',
  lastProbeTime: null,
  lastTransitionTime: now,
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
});

export function beginPod(pod: JsonObject, context: StrategyContext): void {
  const spec = objectIn(pod, 'spec');
  if (Number(spec['terminationGracePeriodSeconds']) < 0) spec['terminationGracePeriodSeconds'] = 1;
  const waits = objectsIn(spec, 'schedulingGates').length > 0;
  pod['status'] = { phase: 'Pending', ...(waits && { conditions: [gated(context.now())] }), qosClass: qosClass(spec) };
  const labels = objectIfIn(metadataOf(pod), 'labels') ?? {};
  for (const owner of [...podTermsIn(spec), ...objectsIn(spec, 'topologySpreadConstraints')]) joinLabels(owner, labels);
}
