// HorizontalPodAutoscalers: their defaults, and the two forms of one store.
import type { Json, JsonObject } from 'kilter/api';
import { clone, fill, isObject, objectIfIn, objectIn, objectsIn, textIn } from '../values/index.ts';

const cpuTarget = (utilization: Json): JsonObject => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: utilization } },
});

const defaultUtilization = 80;
const period = 15;
const limits = {
  up: {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [
      { type: 'Pods', value: 4, periodSeconds: period },
      { type: 'Percent', value: 100, periodSeconds: period },
    ],
  },
  down: { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: period }] },
} as const;

export function defaultAutoscaler(autoscaler: JsonObject): void {
  const spec = objectIn(autoscaler, 'spec');
  fill(spec, { minReplicas: 1 });
  if (objectsIn(spec, 'metrics').length === 0) spec['metrics'] = [cpuTarget(defaultUtilization)];
  const behavior = objectIfIn(spec, 'behavior');
  if (behavior === undefined) return;
  fill(objectIn(behavior, 'scaleUp'), clone(limits.up) as unknown as JsonObject);
  fill(objectIn(behavior, 'scaleDown'), clone(limits.down) as unknown as JsonObject);
}

/** What v1 has no field for travels in annotations, as JSON in the form of v2. */
const carried = [
  { annotation: 'autoscaling.alpha.kubernetes.io/metrics', part: 'spec', field: 'metrics' },
  { annotation: 'autoscaling.alpha.kubernetes.io/behavior', part: 'spec', field: 'behavior' },
  { annotation: 'autoscaling.alpha.kubernetes.io/current-metrics', part: 'status', field: 'currentMetrics' },
  { annotation: 'autoscaling.alpha.kubernetes.io/conditions', part: 'status', field: 'conditions' },
] as const;

/** The utilization is a default only where no other metric came along. */
export function defaultOldAutoscaler(autoscaler: JsonObject): void {
  const annotations = objectIfIn(objectIfIn(autoscaler, 'metadata') ?? {}, 'annotations') ?? {};
  const spec = objectIn(autoscaler, 'spec');
  fill(spec, { minReplicas: 1 });
  if (annotations[carried[0].annotation] === undefined) {
    fill(spec, { targetCPUUtilizationPercentage: defaultUtilization });
  }
}

function utilizationOf(metric: JsonObject, place: 'target' | 'current'): Json | undefined {
  const resource = objectIfIn(metric, 'resource');
  if (textIn(metric, 'type') !== 'Resource' || resource === undefined || textIn(resource, 'name') !== 'cpu') {
    return undefined;
  }
  return objectIfIn(resource, place)?.['averageUtilization'];
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function withAnnotations(autoscaler: JsonObject, more: Readonly<Record<string, string>>): JsonObject {
  const metadata = objectIfIn(autoscaler, 'metadata') ?? {};
  const names = new Set<string>(carried.map(({ annotation }) => annotation));
  const kept = Object.entries(objectIfIn(metadata, 'annotations') ?? {}).filter(([name]) => !names.has(name));
  const annotations = { ...Object.fromEntries(kept), ...more };
  const { annotations: _, ...rest } = metadata;
  const some = Object.keys(annotations).length > 0;
  return { ...autoscaler, metadata: { ...rest, ...(some && { annotations }) } };
}

/** autoscaling/v1 from what is stored. */
export function oldAutoscaler(stored: JsonObject): JsonObject {
  const { metrics: _, behavior, ...spec } = objectIfIn(stored, 'spec') ?? {};
  const { currentMetrics, conditions, ...status } = objectIfIn(stored, 'status') ?? {};
  const metrics = objectsIn(objectIfIn(stored, 'spec') ?? {}, 'metrics');
  const target = metrics.map((metric) => utilizationOf(metric, 'target')).find((value) => value !== undefined);
  const current = objectsIn({ currentMetrics: currentMetrics ?? [] }, 'currentMetrics')
    .map((metric) => utilizationOf(metric, 'current'))
    .findLast((value) => value !== undefined);
  const others = metrics.filter((metric) => utilizationOf(metric, 'target') === undefined);
  const values: Readonly<Record<string, Json | undefined>> = { metrics: others, behavior, currentMetrics, conditions };
  const entries = carried.filter(({ field }) => !isEmpty(values[field]));
  const annotations = entries.map(({ annotation, field }) => [annotation, JSON.stringify(values[field])] as const);
  return withAnnotations(
    {
      ...stored,
      apiVersion: 'autoscaling/v1',
      spec: { ...spec, ...(target !== undefined && { targetCPUUtilizationPercentage: target }) },
      ...(stored['status'] !== undefined && {
        status: {
          currentReplicas: 0,
          ...status,
          ...(current !== undefined && { currentCPUUtilizationPercentage: current }),
        },
      }),
    },
    Object.fromEntries(annotations),
  );
}

function parsed(text: Json | undefined): Json | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    // Anybody can write an annotation: one that is not JSON carries nothing.
    return undefined;
  }
}

/** What is stored (autoscaling/v2) from autoscaling/v1. */
export function storedAutoscaler(old: JsonObject): JsonObject {
  const annotations = objectIfIn(objectIfIn(old, 'metadata') ?? {}, 'annotations') ?? {};
  const { targetCPUUtilizationPercentage: target, ...spec } = objectIfIn(old, 'spec') ?? {};
  const { currentCPUUtilizationPercentage: _, ...status } = objectIfIn(old, 'status') ?? {};
  // Only v1 writes the zero.
  if (status['currentReplicas'] === 0) delete status['currentReplicas'];
  const parts = { spec, status };
  for (const { annotation, part, field } of carried) {
    const value = parsed(annotations[annotation]);
    if (Array.isArray(value) || isObject(value)) parts[part][field] = value;
  }
  const metrics = [...objectsIn(spec, 'metrics'), ...(target === undefined ? [] : [cpuTarget(target)])];
  spec['metrics'] = metrics.length > 0 ? metrics : [cpuTarget(defaultUtilization)];
  const stored = { ...old, apiVersion: 'autoscaling/v2', spec, ...(old['status'] !== undefined && { status }) };
  return withAnnotations(stored, {});
}
