import type { Json, JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { podUpdateIssues } from './pod-update-rules.ts';

const pod = (spec: JsonObject): JsonObject => ({ spec: { containers: [{ name: 'c', image: 'i' }], ...spec } });

const texts = (change: JsonObject, before: JsonObject = {}): string[] =>
  podUpdateIssues(pod({ ...before, ...change }), pod(before)).map(({ field, message }) => `${field}: ${message}`);

const gates = (...names: string[]): Json => names.map((name) => ({ name }));
const gated = { schedulingGates: gates('a', 'b') };
const asks = (key: string): JsonObject => ({ key, operator: 'Exists' });
const required = (...terms: JsonObject[]): JsonObject => ({
  nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } },
});
const preferred: JsonObject = { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1 }] } };
const terms = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';
const nothingElse = [expect.stringContaining('spec: Forbidden: pod updates may not change') as string];

describe('while gates hold a pod back, where it may run', () => {
  test.each<readonly [change: string, now: JsonObject, then: JsonObject, expected: readonly string[]]>([
    ['may be narrowed', { nodeSelector: { a: 'b', c: 'd' } }, { nodeSelector: { a: 'b' } }, []],
    [
      'may not be widened',
      { nodeSelector: { a: 'c' } },
      { nodeSelector: { a: 'b' } },
      [
        'spec.nodeSelector: Invalid value: {"a":"c"}: only additions to spec.nodeSelector are allowed (no mutations or deletions)',
      ],
    ],
    ['may be chosen', { affinity: required({ matchExpressions: [asks('a')] }) }, {}, []],
    [
      'may be narrowed within a term',
      { affinity: required({ matchExpressions: [asks('a'), asks('b')] }) },
      { affinity: required({ matchExpressions: [asks('a')] }) },
      [],
    ],
    [
      'may not be replaced',
      { affinity: required({ matchExpressions: [asks('b')] }) },
      { affinity: required({ matchExpressions: [asks('a')] }) },
      [
        `${terms}[0]: Invalid value: {"MatchExpressions":[{"Key":"b","Operator":"Exists","Values":null}],"MatchFields":null}: only additions are allowed (no mutations or deletions)`,
      ],
    ],
    [
      'may not be left open',
      { affinity: null },
      { affinity: required({ matchExpressions: [asks('a')] }) },
      [`${terms}: Invalid value: null: no additions/deletions to non-empty NodeSelectorTerms list are allowed`],
    ],
    ['may be preferred', { affinity: preferred }, {}, []],
    ['may not depend on other pods', { affinity: { podAffinity: {} } }, {}, nothingElse],
  ])('%s', (_, now, then, expected) => {
    expect(texts(now, { ...gated, ...then })).toEqual(expected);
  });
});

test.each([{ nodeSelector: { a: 'b' } }, { affinity: preferred }])('without gates it stays: %j', (change) => {
  expect(texts(change)).toEqual(nothingElse);
});

describe('gates of a pod', () => {
  test('may be taken away', () => {
    expect(texts({ schedulingGates: gates('b') }, gated)).toEqual([]);
  });
  test('may not be added', () => {
    expect(texts({ schedulingGates: gates('b', 'c') }, gated)).toEqual([
      "spec.schedulingGates[1].name: Forbidden: only deletion is allowed, but found new scheduling gate 'c'",
    ]);
  });
});

test('tolerations may be added, and last for another time', () => {
  const tolerations = [{ key: 'a', effect: 'NoExecute', tolerationSeconds: 1 }];
  const more = [{ key: 'a', effect: 'NoExecute', tolerationSeconds: 2 }, { key: 'b' }];
  expect(texts({ tolerations: more }, { tolerations })).toEqual([]);
  expect(texts({ tolerations }, { tolerations: more })).toEqual([
    'spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds',
  ]);
});

test('very many tolerations are compared in linear time', () => {
  const tolerations = Array.from({ length: 50_000 }, (_, index) => ({ key: `k${index}` }));
  expect(texts({ tolerations: tolerations.toReversed() }, { tolerations })).toEqual([]);
});
