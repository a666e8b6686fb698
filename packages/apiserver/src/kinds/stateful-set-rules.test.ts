import type { JsonObject } from 'kilter/api';
import { expect, test } from 'vitest';
import { defaultPodSpec } from './builtin-pod-defaults.ts';
import { statefulSetIssues } from './stateful-set-rules.ts';

const claim: JsonObject = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};

function set({ claims = [claim], pod = {} }: { claims?: JsonObject[]; pod?: JsonObject } = {}): JsonObject {
  const mounts = [{ name: 'data', mountPath: '/data' }];
  const podSpec: JsonObject = { containers: [{ name: 'c', image: 'i', volumeMounts: mounts }], ...pod };
  defaultPodSpec(podSpec);
  const template = { metadata: { labels: { app: 'x' } }, spec: podSpec };
  const decided = { podManagementPolicy: 'OrderedReady', updateStrategy: { type: 'RollingUpdate' } };
  return {
    kind: 'StatefulSet',
    spec: { ...decided, selector: { matchLabels: { app: 'x' } }, template, volumeClaimTemplates: claims },
  };
}

// The texts are those of kube-apiserver 1.36.3.
test.each([
  ['a claim is a volume of its pods', set(), []],
  ['it takes the place of a volume of its name', set({ pod: { volumes: [{ name: 'data', emptyDir: {} }] } }), []],
  [
    'without it the volume is missing',
    set({ claims: [] }),
    ['spec.template.spec.containers[0].volumeMounts[0].name: Not found: "data"'],
  ],
  [
    'a claim says what it asks for',
    set({ claims: [{ metadata: { name: 'data' }, spec: {} }] }),
    [
      'spec.volumeClaimTemplates[0].spec.accessModes: Required value: at least 1 access mode is required',
      'spec.volumeClaimTemplates[0].spec.resources[storage]: Required value',
    ],
  ],
  [
    'pods of a set have no deadline',
    set({ pod: { activeDeadlineSeconds: 5 } }),
    ['spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in StatefulSet is not Supported'],
  ],
])('a StatefulSet: %s', (_, object, expected) => {
  expect(statefulSetIssues(object, undefined).map(({ field, message }) => `${field}: ${message}`)).toEqual(expected);
});
