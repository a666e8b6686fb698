import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { defaultClass } from './default-class.ts';
import { ofClass, unfitness } from './runtime-class.ts';
import { mergedTolerations } from './tolerations.ts';

const classOf = (name: string, created: string, value = 'true'): JsonObject => ({
  metadata: { name, creationTimestamp: created, annotations: { default: value } },
});

describe('API-A9: the default class', () => {
  const [old, recent] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'];

  test.each([
    [[], undefined],
    [[classOf('a', old, 'false')], undefined],
    [[classOf('a', old), classOf('b', recent)], 'b'],
    [[classOf('b', old), classOf('a', old)], 'a'],
  ])('of %j is %s', (classes, expected) => {
    expect(defaultClass(classes, ['none', 'default'])).toBe(expected);
  });
});

describe('API-A9: a pod of a RuntimeClass', () => {
  const runtimeClass = {
    overhead: { podFixed: { cpu: '1' } },
    scheduling: { nodeSelector: { a: 'b' }, tolerations: [{ key: 'k', operator: 'Exists' }] },
  };

  test('costs and is placed as the class says; what it was stays as it was', () => {
    const pod = { spec: { nodeSelector: { c: 'd' } } };
    expect(ofClass(pod, runtimeClass)).toEqual({
      pod: {
        spec: {
          overhead: { cpu: '1' },
          nodeSelector: { a: 'b', c: 'd' },
          tolerations: [{ key: 'k', operator: 'Exists' }],
        },
      },
    });
    expect(pod).toEqual({ spec: { nodeSelector: { c: 'd' } } });
  });

  test('that says otherwise is refused', () => {
    expect(ofClass({ spec: { overhead: { cpu: '2' } } }, runtimeClass)).toEqual({
      refused: "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
    });
    expect(ofClass({ spec: { nodeSelector: { a: 'x' } } }, runtimeClass)).toEqual({
      refused: 'conflict: runtimeClass.scheduling.nodeSelector[a] = b; pod.spec.nodeSelector[a] = x',
    });
  });

  test('must still fit once everybody has changed it', () => {
    expect(unfitness({ spec: { overhead: { cpu: '1' } } }, runtimeClass)).toBeUndefined();
    expect(unfitness({ spec: {} }, runtimeClass)).toContain("doesn't match");
    expect(unfitness({ spec: { overhead: { cpu: '1' } } }, undefined)).toContain('without corresponding RuntimeClass');
    expect(unfitness({ spec: {} }, {})).toBeUndefined();
  });
});

describe('tolerations in one list', () => {
  const exists = { key: 'a', operator: 'Exists' };
  const equal = { key: 'a', operator: 'Equal', value: 'x' };
  const shortly = { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 };

  test.each<[JsonObject[], JsonObject[], JsonObject[]]>([
    [[equal], [exists], [exists]],
    [[exists], [equal], [exists]],
    [[equal], [equal], [equal]],
    [[{ operator: 'Exists' }], [equal, exists], [{ operator: 'Exists' }]],
    [[equal], [{ ...equal, value: 'y' }], [equal, { ...equal, value: 'y' }]],
    [[shortly], [{ ...shortly, tolerationSeconds: 9 }], [{ ...shortly, tolerationSeconds: 9 }]],
    [[shortly], [{ ...exists, effect: 'NoExecute' }], [{ ...exists, effect: 'NoExecute' }]],
    [[{ ...exists, effect: 'NoSchedule' }], [shortly], [{ ...exists, effect: 'NoSchedule' }, shortly]],
  ])('%j and %j are %j', (first, second, expected) => {
    expect(mergedTolerations(first, second)).toEqual(expected);
  });
});
