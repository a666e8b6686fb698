// Kinds of the group coordination.k8s.io, version v1.
import { type BuiltinKind, kind, type ObjectMeta } from '../../api/index.ts';

export interface Lease {
  apiVersion: 'coordination.k8s.io/v1';
  kind: 'Lease';
  metadata: ObjectMeta;
  spec?: LeaseSpec | undefined;
}
export const Lease: BuiltinKind<Lease> = /* @__PURE__ */ kind({
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  scope: 'Namespaced',
});

export interface LeaseSpec {
  acquireTime?: string | undefined;
  holderIdentity?: string | undefined;
  leaseDurationSeconds?: number | undefined;
  leaseTransitions?: number | undefined;
  preferredHolder?: string | undefined;
  renewTime?: string | undefined;
  strategy?: string | undefined;
}
