import type { Json, JsonObject } from 'kilter/api';
import { column, type Column } from './column.ts';
import { at, count, items, text } from './fields.ts';
import { age, name } from './standard-columns.ts';

/** How many metrics a cell names before it only counts. */
const shown = 2;
const sources: Readonly<Record<string, string>> = {
  External: 'external',
  Pods: 'pods',
  Object: 'object',
  Resource: 'resource',
  ContainerResource: 'containerResource',
};

const known = (found: string): string => (found === '' ? '<unknown>' : found);
const percent = (found: string): string => (found === '' ? '' : `${found}%`);

/** What one metric is beside what it shall be. */
function metricText(metric: Json, status: Json | undefined): string {
  const type = text(metric, 'type');
  const source = sources[type];
  if (source === undefined) return '<unknown type>';
  const target = at(metric, source, 'target');
  const current = at(status, source, 'current');
  const average = text(target, 'averageValue');
  if (type === 'Resource' || type === 'ContainerResource') {
    const pair =
      average === ''
        ? `${known(percent(text(current, 'averageUtilization')))}/${percent(text(target, 'averageUtilization')) || '<auto>'}`
        : `${known(text(current, 'averageValue'))}/${average}`;
    return `${text(metric, source, 'name')}: ${pair}`;
  }
  if (type === 'Pods') return `${known(text(current, 'averageValue'))}/${average}`;
  if (average !== '') return `${known(text(current, 'averageValue'))}/${average} (avg)`;
  return `${known(text(current, 'value'))}/${text(target, 'value')}`;
}

/** The first version of the kind knows one metric, in fields of its own. */
function processorText(scaler: JsonObject): string[] {
  const target = text(scaler, 'spec', 'targetCPUUtilizationPercentage');
  if (target === '') return [];
  return [`cpu: ${known(percent(text(scaler, 'status', 'currentCPUUtilizationPercentage')))}/${target}%`];
}

function targets(scaler: JsonObject): string {
  const statuses = items(scaler, 'status', 'currentMetrics');
  const metrics = items(scaler, 'spec', 'metrics').map((metric, index) => metricText(metric, statuses[index]));
  const all = [...processorText(scaler), ...metrics];
  if (all.length === 0) return '<none>';
  const first = all.slice(0, shown).join(', ');
  return all.length > shown ? `${first} + ${all.length - shown} more...` : first;
}

export const autoscalerColumns: readonly Column[] = [
  name,
  column('Reference', (scaler) => {
    const target = at(scaler, 'spec', 'scaleTargetRef');
    return `${text(target, 'kind')}/${text(target, 'name')}`;
  }),
  column('Targets', targets),
  column('MinPods', (scaler) => text(scaler, 'spec', 'minReplicas') || '<unset>'),
  column('MaxPods', (scaler) => count(scaler, 'spec', 'maxReplicas')),
  column('Replicas', (scaler) => count(scaler, 'status', 'currentReplicas')),
  age,
];
