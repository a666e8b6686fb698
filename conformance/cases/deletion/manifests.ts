import type { Json } from '../../src/case.ts';

export { pod, pods, ready } from '../list-watch/manifests.ts';

type Fields = { [key: string]: Json };

export const open: Fields = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** A reference to the ConfigMap of an earlier step. */
export const ownedBy = (step: string, more: Fields = {}): Fields => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: `{{${step}.body.metadata.name}}`,
  uid: `{{${step}.body.metadata.uid}}`,
  ...more,
});
