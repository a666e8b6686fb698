import type { JsonObject } from 'kilter/api';
import { expect, test } from 'vitest';
import type { StrategyContext } from './definition.ts';
import { beginPod } from './pod-beginning.ts';

const context = { now: () => '2026-01-02T03:04:05Z' } as StrategyContext;

function begun(spec: JsonObject, labels: JsonObject = {}): JsonObject {
  const pod: JsonObject = { metadata: { labels }, spec: { containers: [], ...spec }, status: { phase: 'Running' } };
  beginPod(pod, context);
  return pod;
}

const like = (more: JsonObject = {}): JsonObject => ({
  labelSelector: { matchExpressions: [{ key: 'app', operator: 'Exists' }] },
  matchLabelKeys: ['hash', 'missing'],
  ...more,
});
const joined = [
  { key: 'app', operator: 'Exists' },
  { key: 'hash', operator: 'In', values: ['h'] },
];

test('a pod begins Pending, and with gates held back', () => {
  expect(begun({})['status']).toEqual({ phase: 'Pending', qosClass: 'BestEffort' });
  expect(begun({ schedulingGates: [{ name: 'g' }] })['status']).toMatchObject({
    conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }],
  });
});

test('what selects its like takes its own labels over', () => {
  const { spec } = begun(
    {
      topologySpreadConstraints: [like(), { matchLabelKeys: ['hash'] }],
      affinity: {
        podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [like()] },
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, podAffinityTerm: { labelSelector: {}, mismatchLabelKeys: ['hash'] } },
          ],
        },
      },
    },
    { hash: 'h' },
  );
  expect(spec).toMatchObject({
    topologySpreadConstraints: [{ labelSelector: { matchExpressions: joined } }, { matchLabelKeys: ['hash'] }],
    affinity: {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: { matchExpressions: joined } }],
      },
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            podAffinityTerm: {
              labelSelector: { matchExpressions: [{ key: 'hash', operator: 'NotIn', values: ['h'] }] },
            },
          },
        ],
      },
    },
  });
});
