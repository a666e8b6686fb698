// One object of each built-in kind that generations are about, and a change outside its metadata.
import type { Json } from '../../src/case.ts';
import {
  deployment,
  inCluster,
  inNamespace,
  manifest,
  pod,
  podSpec,
  podTemplate,
  secret,
  service,
} from './manifests.ts';

type Fields = { readonly [key: string]: Json };

export interface Kind {
  readonly id: string;
  readonly path: string;
  readonly object: Fields;
  /** A merge patch outside metadata. */
  readonly change: Fields;
  /** The generations after new labels, new annotations and the change, where they are not 1, 1 and 2. */
  readonly generations?: readonly [number, number, number];
}

const admission = 'admissionregistration.k8s.io/v1';
const rbac = 'rbac.authorization.k8s.io/v1';
const selector = { matchLabels: { app: 'a' } };
const jobTemplate = { spec: { ...podSpec, restartPolicy: 'Never' } };
// Selects nothing that exists.
const nowhere = { matchLabels: { 'kubernetes.io/metadata.name': '{{id}}-nowhere' } };

const hook = {
  name: 'hook.example.com',
  clientConfig: { url: 'https://127.0.0.1:1/hook' },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  namespaceSelector: nowhere,
  rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] }],
};
const matchConstraints = {
  namespaceSelector: nowhere,
  resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] }],
};
const mutation = { patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } };
const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }];
const roleRef = (kind: string): Fields => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name: 'r' });
const subjects = [{ kind: 'User', name: 'carol', apiGroup: 'rbac.authorization.k8s.io' }];

const workloads: readonly Kind[] = [
  {
    id: 'deployment',
    path: inNamespace('apps/v1', 'deployments'),
    object: deployment('x'),
    change: { spec: { replicas: 2 } },
    generations: [1, 2, 3],
  },
  {
    id: 'statefulset',
    path: inNamespace('apps/v1', 'statefulsets'),
    object: manifest(['apps/v1', 'StatefulSet'], 'x', { spec: { selector, serviceName: 's', template: podTemplate } }),
    change: { spec: { replicas: 2 } },
  },
  {
    id: 'daemonset',
    path: inNamespace('apps/v1', 'daemonsets'),
    object: manifest(['apps/v1', 'DaemonSet'], 'x', { spec: { selector, template: podTemplate } }),
    change: { spec: { minReadySeconds: 5 } },
  },
  {
    id: 'replicaset',
    path: inNamespace('apps/v1', 'replicasets'),
    object: manifest(['apps/v1', 'ReplicaSet'], 'x', { spec: { selector, template: podTemplate } }),
    change: { spec: { replicas: 2 } },
  },
  {
    id: 'replicationcontroller',
    path: inNamespace('v1', 'replicationcontrollers'),
    object: manifest(['v1', 'ReplicationController'], 'x', { spec: { template: podTemplate } }),
    change: { spec: { replicas: 2 } },
  },
  {
    id: 'job',
    path: inNamespace('batch/v1', 'jobs'),
    object: manifest(['batch/v1', 'Job'], 'x', { spec: { template: jobTemplate } }),
    change: { spec: { parallelism: 2 } },
  },
  {
    id: 'cronjob',
    path: inNamespace('batch/v1', 'cronjobs'),
    object: manifest(['batch/v1', 'CronJob'], 'x', {
      spec: { schedule: '* * * * *', jobTemplate: { spec: { template: jobTemplate } } },
    }),
    change: { spec: { suspend: true } },
  },
];

const admissionKinds: readonly Kind[] = [
  {
    id: 'validatingwebhooks',
    path: inCluster(admission, 'validatingwebhookconfigurations'),
    object: manifest([admission, 'ValidatingWebhookConfiguration'], '{{id}}', { webhooks: [hook] }),
    change: { webhooks: [{ ...hook, timeoutSeconds: 5 }] },
  },
  {
    id: 'mutatingwebhooks',
    path: inCluster(admission, 'mutatingwebhookconfigurations'),
    object: manifest([admission, 'MutatingWebhookConfiguration'], '{{id}}', { webhooks: [hook] }),
    change: { webhooks: [{ ...hook, timeoutSeconds: 5 }] },
  },
  {
    id: 'validatingadmissionpolicy',
    path: inCluster(admission, 'validatingadmissionpolicies'),
    object: manifest([admission, 'ValidatingAdmissionPolicy'], '{{id}}', {
      spec: { matchConstraints, validations: [{ expression: 'true' }] },
    }),
    change: { spec: { validations: [{ expression: '1 == 1' }] } },
  },
  {
    id: 'mutatingadmissionpolicy',
    path: inCluster(admission, 'mutatingadmissionpolicies'),
    object: manifest([admission, 'MutatingAdmissionPolicy'], '{{id}}', {
      spec: { matchConstraints, reinvocationPolicy: 'Never', mutations: [mutation] },
    }),
    change: { spec: { reinvocationPolicy: 'IfNeeded' } },
  },
  {
    id: 'validatingpolicybinding',
    path: inCluster(admission, 'validatingadmissionpolicybindings'),
    object: manifest([admission, 'ValidatingAdmissionPolicyBinding'], '{{id}}', {
      spec: { policyName: '{{id}}-none', validationActions: ['Deny'] },
    }),
    change: { spec: { validationActions: ['Warn'] } },
  },
  {
    id: 'mutatingpolicybinding',
    path: inCluster(admission, 'mutatingadmissionpolicybindings'),
    object: manifest([admission, 'MutatingAdmissionPolicyBinding'], '{{id}}', { spec: { policyName: '{{id}}-none' } }),
    change: { spec: { policyName: '{{id}}-other' } },
  },
];

const otherKinds: readonly Kind[] = [
  {
    id: 'pod',
    path: inNamespace('v1', 'pods'),
    object: pod('x'),
    change: { spec: { activeDeadlineSeconds: 100 } },
  },
  {
    id: 'ingress',
    path: inNamespace('networking.k8s.io/v1', 'ingresses'),
    object: manifest(['networking.k8s.io/v1', 'Ingress'], 'x', {
      spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } },
    }),
    change: { spec: { defaultBackend: { service: { name: 't' } } } },
  },
  {
    id: 'networkpolicy',
    path: inNamespace('networking.k8s.io/v1', 'networkpolicies'),
    object: manifest(['networking.k8s.io/v1', 'NetworkPolicy'], 'x', { spec: { podSelector: {} } }),
    change: { spec: { podSelector: selector } },
  },
  {
    id: 'poddisruptionbudget',
    path: inNamespace('policy/v1', 'poddisruptionbudgets'),
    object: manifest(['policy/v1', 'PodDisruptionBudget'], 'x', { spec: { minAvailable: 1, selector } }),
    change: { spec: { minAvailable: 2 } },
  },
  {
    id: 'endpointslice',
    path: inNamespace('discovery.k8s.io/v1', 'endpointslices'),
    object: manifest(['discovery.k8s.io/v1', 'EndpointSlice'], 'x', {
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.1.2.3'] }],
    }),
    change: { endpoints: [{ addresses: ['10.1.2.4'] }] },
    generations: [2, 2, 3],
  },
  {
    id: 'priorityclass',
    path: inCluster('scheduling.k8s.io/v1', 'priorityclasses'),
    object: manifest(['scheduling.k8s.io/v1', 'PriorityClass'], '{{id}}', { value: 7 }),
    change: { description: 'seven' },
    generations: [1, 1, 1],
  },
];

export const counting: readonly Kind[] = [...workloads, ...admissionKinds, ...otherKinds];

export const notCounting: readonly Kind[] = [
  {
    id: 'configmap',
    path: inNamespace('v1', 'configmaps'),
    object: manifest(['v1', 'ConfigMap'], 'x', { data: { k: 'v' } }),
    change: { data: { k: 'w' } },
  },
  {
    id: 'secret',
    path: inNamespace('v1', 'secrets'),
    object: secret('x', { data: { k: 'dg==' } }),
    change: { data: { k: 'dw==' } },
  },
  {
    id: 'service',
    path: inNamespace('v1', 'services'),
    object: service('x'),
    change: { spec: { sessionAffinity: 'ClientIP' } },
  },
  {
    id: 'serviceaccount',
    path: inNamespace('v1', 'serviceaccounts'),
    object: manifest(['v1', 'ServiceAccount'], 'x'),
    change: { automountServiceAccountToken: false },
  },
  {
    id: 'namespace',
    path: inCluster('v1', 'namespaces'),
    object: manifest(['v1', 'Namespace'], '{{id}}-other'),
    change: { spec: { finalizers: ['kubernetes', 'example.com/hold'] } },
  },
  {
    id: 'node',
    path: inCluster('v1', 'nodes'),
    object: manifest(['v1', 'Node'], '{{id}}'),
    change: { spec: { unschedulable: true } },
  },
  {
    id: 'persistentvolumeclaim',
    path: inNamespace('v1', 'persistentvolumeclaims'),
    object: manifest(['v1', 'PersistentVolumeClaim'], 'x', {
      spec: { accessModes: ['ReadWriteOnce'], storageClassName: '', resources: { requests: { storage: '1Gi' } } },
    }),
    change: { spec: { volumeName: 'v' } },
  },
  {
    id: 'role',
    path: inNamespace(rbac, 'roles'),
    object: manifest([rbac, 'Role'], 'x', { rules: [] }),
    change: { rules },
  },
  {
    id: 'clusterrole',
    path: inCluster(rbac, 'clusterroles'),
    object: manifest([rbac, 'ClusterRole'], '{{id}}', { rules: [] }),
    change: { rules },
  },
  {
    id: 'rolebinding',
    path: inNamespace(rbac, 'rolebindings'),
    object: manifest([rbac, 'RoleBinding'], 'x', { roleRef: roleRef('Role'), subjects: [] }),
    change: { subjects },
  },
  {
    id: 'clusterrolebinding',
    path: inCluster(rbac, 'clusterrolebindings'),
    object: manifest([rbac, 'ClusterRoleBinding'], '{{id}}', { roleRef: roleRef('ClusterRole'), subjects: [] }),
    change: { subjects },
  },
];
