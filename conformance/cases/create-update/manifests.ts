// Objects of built-in kinds, as small as the server takes them.
import type { Json } from '../../src/case.ts';

type Fields = { readonly [key: string]: Json };

export const inNamespace = (groupVersion: string, resource: string): string =>
  `${groupVersion === 'v1' ? '/api/v1' : `/apis/${groupVersion}`}/namespaces/{{ns}}/${resource}`;

export const inCluster = (groupVersion: string, resource: string): string =>
  `${groupVersion === 'v1' ? '/api/v1' : `/apis/${groupVersion}`}/${resource}`;

export const deployments: string = inNamespace('apps/v1', 'deployments');
export const services: string = inNamespace('v1', 'services');
export const secrets: string = inNamespace('v1', 'secrets');
export const pods: string = inNamespace('v1', 'pods');

const labels = { app: 'a' };

export const podSpec: Fields = { containers: [{ name: 'c', image: 'example.com/c:1' }] };

/** Metadata given in `more` is merged with the name; everything else replaces. */
export function manifest([apiVersion, kind]: readonly [string, string], name: string, more: Fields = {}): Fields {
  const { metadata = {}, ...rest } = more as { metadata?: Fields } & Fields;
  return { apiVersion, kind, metadata: { name, ...metadata }, ...rest };
}

export const podTemplate: Fields = { metadata: { labels }, spec: podSpec };

export const pod = (name: string, more: Fields = {}): Fields =>
  manifest(['v1', 'Pod'], name, { spec: podSpec, ...more });

export const deployment = (name: string, more: Fields = {}): Fields =>
  manifest(['apps/v1', 'Deployment'], name, {
    spec: { selector: { matchLabels: labels }, template: podTemplate },
    ...more,
  });

export const service = (name: string, more: Fields = {}): Fields =>
  manifest(['v1', 'Service'], name, { spec: { selector: labels, ports: [{ port: 80 }] }, ...more });

export const secret = (name: string, more: Fields = {}): Fields => manifest(['v1', 'Secret'], name, more);
