import type { Json } from '../../src/case.ts';

type Fields = { [key: string]: Json };

export const open: Fields = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

export const pods = '/api/v1/namespaces/{{ns}}/pods';

export const pod = (name: string, spec: Fields = {}, metadata: Fields = {}): Fields => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...metadata },
  spec: { containers: [{ name: 'main', image: 'registry.example/app:1' }], ...spec },
});

/** A reference to the ConfigMap of an earlier step. */
export const ownedBy = (step: string, more: Fields = {}): Fields => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: `{{${step}.body.metadata.name}}`,
  uid: `{{${step}.body.metadata.uid}}`,
  ...more,
});
