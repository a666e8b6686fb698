import type { Json } from '../../src/case.ts';

type Fields = { [key: string]: Json };

/** A query value, percent-encoded; what is filled in stays readable. */
export const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll('%7B%7B', '{{').replaceAll('%7D%7D', '}}');

export const inNamespace = (group: string, plural: string): string =>
  `${group === 'v1' ? '/api/v1' : `/apis/${group}`}/namespaces/{{ns}}/${plural}`;

export const pod = (name: string, spec: Fields = {}, metadata: Fields = {}): Fields => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...metadata },
  spec: { containers: [{ name: 'main', image: 'registry.example/app:1' }], ...spec },
});

/** The template of a workload whose selector is app=<app>. */
export const template = (app: string, spec: Fields = {}): Fields => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: 'main', image: 'registry.example/app:1' }], ...spec },
});

export const pods = '/api/v1/namespaces/{{ns}}/pods';
export const secrets = '/api/v1/namespaces/{{ns}}/secrets';
