import type { Json, Step } from '../../src/case.ts';
import { define, get, type things } from '../../src/steps.ts';

type Fields = { [key: string]: Json };

export const open: Fields = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

export const pods = '/api/v1/namespaces/{{ns}}/pods';

// What admission would add, which is not the point here.
const admitted: Fields = {
  priority: 0,
  preemptionPolicy: 'PreemptLowerPriority',
  tolerations: ['not-ready', 'unreachable'].map((reason) => ({
    key: `node.kubernetes.io/${reason}`,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 300,
  })),
};

export const pod = (name: string, spec: Fields = {}, metadata: Fields = {}): Fields => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...metadata },
  spec: {
    containers: [{ name: 'main', image: 'registry.example/app:1' }],
    ...admitted,
    ...spec,
  },
});

/** A reference to the ConfigMap of an earlier step. */
export const ownedBy = (step: string, more: Fields = {}): Fields => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: `{{${step}.body.metadata.name}}`,
  uid: `{{${step}.body.metadata.uid}}`,
  ...more,
});

/** Defines things and waits until lists are answered from the cache: a moment after they are served. */
export const ready = (manifest: ReturnType<typeof things>): Step[] => [
  ...define('crd', manifest),
  get('crd-listed', '/apis/{{group}}/v1/things', { setup: true, until: { at: 'crd-listed.status', is: 200 } }),
];
