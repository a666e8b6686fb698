import type { Case } from '../../src/case.ts';
import { claim, get } from '../../src/steps.ts';

const anyVersion = {
  mask: ['body.metadata.resourceVersion'],
  because: 'in which order the server made them is not certain',
};

const system = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

export const atStart: readonly Case[] = [
  {
    id: 'x10-at-start',
    section: 'deletion',
    shows: ['API-X10'],
    title: 'what there is before anybody created anything',
    steps: [
      ...system.map((name) => get(name, `/api/v1/namespaces/${name}`, anyVersion)),
      get('kubernetes', '/api/v1/namespaces/default/services/kubernetes', {
        only: ['status', 'body.metadata.labels', 'body.spec.type', 'body.spec.ports.0.name', 'body.spec.ports.0.port'],
        because: 'address and target port are those of the server that runs',
      }),
      get('authentication', '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication', {
        only: ['status', 'body.metadata.name'],
        because: 'its data are the certificates of the server that runs',
      }),
      get('cluster-critical', '/apis/scheduling.k8s.io/v1/priorityclasses/system-cluster-critical', anyVersion),
      get('node-critical', '/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical', anyVersion),
      get('cluster-admin', '/apis/rbac.authorization.k8s.io/v1/clusterroles/cluster-admin', anyVersion),
      get('edit', '/apis/rbac.authorization.k8s.io/v1/clusterroles/edit', {
        only: ['status', 'body.metadata.labels', 'body.aggregationRule'],
        because: 'its rules come from aggregation, which a controller does',
      }),
      get('cluster-admins', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/cluster-admin', anyVersion),
    ],
    claims: [
      ...system.map((name) => claim(`Namespace ${name}`, `${name}.body.status.phase`, { is: 'Active' })),
      claim('Service default/kubernetes', 'kubernetes.status', { is: 200 }),
      claim('ConfigMap kube-system/extension-apiserver-authentication', 'authentication.status', { is: 200 }),
      claim('PriorityClass', 'cluster-critical.body.value', { is: 2_000_000_000 }),
      claim('PriorityClass', 'node-critical.body.value', { is: 2_000_001_000 }),
      claim('bootstrap roles', 'cluster-admin.status', { is: 200 }),
      claim('bootstrap roles', 'edit.status', { is: 200 }),
      claim('bootstrap bindings', 'cluster-admins.status', { is: 200 }),
    ],
  },
];
