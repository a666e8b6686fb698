import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { defaultPodSpec } from './builtin-pod-defaults.ts';
import { podIssues } from './pod-rules.ts';

function pod(change: JsonObject = {}, container: JsonObject = {}): JsonObject {
  const spec: JsonObject = { containers: [{ name: 'c', image: 'i', ...container }], ...change };
  defaultPodSpec(spec);
  return { spec };
}

const texts = (object: JsonObject, old?: JsonObject): string[] =>
  podIssues(object, old).map(({ field, message }) => `${field}: ${message}`);

describe('what an author of a pod gets wrong', () => {
  test.each([
    [pod(), []],
    [
      pod({}, { volumeMounts: [{ name: 'v', mountPath: '/v' }] }),
      ['spec.containers[0].volumeMounts[0].name: Not found: "v"'],
    ],
    [pod({ volumes: [{ name: 'v' }] }, { volumeMounts: [{ name: 'v', mountPath: '/v' }] }), []],
    [pod({ volumes: [{ name: 'v' }, { name: 'v' }] }), ['spec.volumes[1].name: Duplicate value: "v"']],
    [
      pod({}, { ports: [{ containerPort: 70_000 }] }),
      ['spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive'],
    ],
    [pod({}, { env: [{ value: 'v' }] }), ['spec.containers[0].env[0].name: Required value']],
    [pod({ initContainers: [{ name: 'c', image: 'i' }] }), ['spec.initContainers[0].name: Duplicate value: "c"']],
  ])('%j', (object, expected) => {
    expect(texts(object)).toEqual(expected);
  });
});

describe('what an update of a pod may change', () => {
  test.each([
    ['the image', pod({}, { image: 'other' }), []],
    [
      'no node, which is for a binding',
      pod({ nodeName: 'n' }),
      [expect.stringContaining('spec: Forbidden: ') as string],
    ],
    ['a deadline', pod({ activeDeadlineSeconds: 5 }), []],
    [
      'no container more',
      pod({ containers: [] }),
      ['spec.containers: Required value', 'spec.containers: Forbidden: pod updates may not add or remove containers'],
    ],
  ])('%s', (_, object, expected) => {
    expect(texts(object, pod())).toEqual(expected);
  });

  test('not the node a second time, nor anything else', () => {
    for (const changed of [pod({ nodeName: 'm' }), pod({ nodeName: 'n', hostNetwork: true })]) {
      expect(texts(changed, pod({ nodeName: 'n' }))).toEqual([
        expect.stringContaining('spec: Forbidden: pod updates may not change fields other than'),
      ]);
    }
  });
});
