import type { Json, Step } from '../../src/case.ts';
import { define, get, type things } from '../../src/steps.ts';

type Fields = { [key: string]: Json };

/** A query value, percent-encoded; what is filled in stays readable. */
export const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll('%7B%7B', '{{').replaceAll('%7D%7D', '}}');

export const inNamespace = (group: string, plural: string): string =>
  `${group === 'v1' ? '/api/v1' : `/apis/${group}`}/namespaces/{{ns}}/${plural}`;

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

/** The template of a workload whose selector is app=<app>. */
export const template = (app: string, spec: Fields = {}): Fields => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: 'main', image: 'registry.example/app:1' }], ...spec },
});

export const pods = '/api/v1/namespaces/{{ns}}/pods';
export const secrets = '/api/v1/namespaces/{{ns}}/secrets';

/** Defines things and waits until lists are answered from the cache: a moment after they are served. */
export const ready = (manifest: ReturnType<typeof things>): Step[] => [
  ...define('crd', manifest),
  get('crd-listed', '/apis/{{group}}/v1/things', { setup: true, until: { at: 'crd-listed.status', is: 200 } }),
];
