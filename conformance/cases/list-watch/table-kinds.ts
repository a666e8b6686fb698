import type { Case, Claim, Json, Step } from '../../src/case.ts';
import { claim, get, mergePatch, post } from '../../src/steps.ts';
import { inNamespace, pod, template } from './manifests.ts';

type Fields = { [key: string]: Json };

const asTable = { send: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } };
const withoutTexts = {
  ...asTable,
  mask: ['body.columnDefinitions.*.description'],
  because: 'the texts are compared in l9-descriptions',
};
const onlyColumns = {
  ...asTable,
  only: ['status', 'body.columnDefinitions'],
  because: 'whatever else is on the server is not the point',
};

interface Row {
  readonly group: string;
  readonly plural: string;
  readonly manifest: Fields;
  readonly status?: Fields;
  /** Names of the columns, in order. */
  readonly columns: readonly string[];
  readonly clusterWide?: boolean;
}

const pathOf = ({ group, plural, clusterWide = false }: Row): string =>
  clusterWide ? `${group === 'v1' ? '/api/v1' : `/apis/${group}`}/${plural}` : inNamespace(group, plural);

const stepOf = ({ plural }: Row): string => `${plural}-table`;

const nameOf = ({ manifest }: Row): string => (manifest['metadata'] as { name: string }).name;

function stepsOf(row: Row): Step[] {
  const path = pathOf(row);
  const { plural, manifest, status } = row;
  return [
    post(plural, path, manifest, { setup: true }),
    ...(status === undefined
      ? []
      : [mergePatch(`${plural}-status`, `${path}/${nameOf(row)}/status`, { status }, { setup: true })]),
    get(stepOf(row), `${path}/${nameOf(row)}?includeObject=None`, withoutTexts),
  ];
}

const claimsOf = (row: Row): Claim[] =>
  [...row.columns.entries()]
    .map(([index, name]) =>
      claim(`${row.plural}: ${name}`, `${stepOf(row)}.body.columnDefinitions.${index}.name`, { is: name }),
    )
    .concat(claim(`${row.plural}: no more`, `${stepOf(row)}.body.columnDefinitions`, { length: row.columns.length }));

const kindCase = (id: string, title: string, rows: readonly Row[]): Case => ({
  id,
  section: 'list-watch',
  shows: ['API-L9'],
  title,
  steps: rows.flatMap(stepsOf),
  claims: rows.flatMap(claimsOf),
});

const object = (apiVersion: string, kind: string, more: Fields): Fields => ({
  apiVersion,
  kind,
  metadata: { name: 'a' },
  ...more,
});

const selector = { matchLabels: { app: 'a' } };

const workloads: readonly Row[] = [
  {
    group: 'v1',
    plural: 'pods',
    manifest: pod('a', { nodeName: '{{id}}-node', readinessGates: [{ conditionType: 'example.com/up' }] }),
    status: {
      phase: 'Running',
      podIPs: [{ ip: '10.244.7.7' }],
      containerStatuses: [
        { name: 'main', ready: true, restartCount: 2, image: 'i', imageID: 'i', state: { running: {} } },
      ],
    },
    columns: ['Name', 'Ready', 'Status', 'Restarts', 'Age', 'IP', 'Node', 'Nominated Node', 'Readiness Gates'],
  },
  {
    group: 'apps/v1',
    plural: 'deployments',
    manifest: object('apps/v1', 'Deployment', { spec: { replicas: 3, selector, template: template('a') } }),
    status: { replicas: 3, updatedReplicas: 2, readyReplicas: 1, availableReplicas: 1 },
    columns: ['Name', 'Ready', 'Up-to-date', 'Available', 'Age', 'Containers', 'Images', 'Selector'],
  },
  {
    group: 'apps/v1',
    plural: 'replicasets',
    manifest: object('apps/v1', 'ReplicaSet', { spec: { replicas: 3, selector, template: template('a') } }),
    status: { replicas: 2, readyReplicas: 1 },
    columns: ['Name', 'Desired', 'Current', 'Ready', 'Age', 'Containers', 'Images', 'Selector'],
  },
  {
    group: 'apps/v1',
    plural: 'statefulsets',
    manifest: object('apps/v1', 'StatefulSet', { spec: { serviceName: 's', selector, template: template('a') } }),
    columns: ['Name', 'Ready', 'Age', 'Containers', 'Images'],
  },
  {
    group: 'apps/v1',
    plural: 'daemonsets',
    manifest: object('apps/v1', 'DaemonSet', { spec: { selector, template: template('a') } }),
    columns: [
      'Name',
      'Desired',
      'Current',
      'Ready',
      'Up-to-date',
      'Available',
      'Node Selector',
      'Age',
      'Containers',
      'Images',
      'Selector',
    ],
  },
  {
    group: 'batch/v1',
    plural: 'jobs',
    manifest: object('batch/v1', 'Job', {
      spec: {
        completions: 2,
        template: { spec: { ...(template('a', { restartPolicy: 'Never' })['spec'] as Fields) } },
      },
    }),
    columns: ['Name', 'Status', 'Completions', 'Duration', 'Age', 'Containers', 'Images', 'Selector'],
  },
  {
    group: 'batch/v1',
    plural: 'cronjobs',
    manifest: object('batch/v1', 'CronJob', {
      spec: {
        schedule: '*/5 * * * *',
        jobTemplate: { spec: { template: { spec: template('a', { restartPolicy: 'Never' })['spec'] as Fields } } },
      },
    }),
    columns: [
      'Name',
      'Schedule',
      'Timezone',
      'Suspend',
      'Active',
      'Last Schedule',
      'Age',
      'Containers',
      'Images',
      'Selector',
    ],
  },
  {
    group: 'v1',
    plural: 'replicationcontrollers',
    manifest: object('v1', 'ReplicationController', { spec: { selector: { app: 'a' }, template: template('a') } }),
    columns: ['Name', 'Desired', 'Current', 'Ready', 'Age', 'Containers', 'Images', 'Selector'],
  },
  {
    group: 'autoscaling/v2',
    plural: 'horizontalpodautoscalers',
    manifest: object('autoscaling/v2', 'HorizontalPodAutoscaler', {
      spec: { maxReplicas: 5, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' } },
    }),
    columns: ['Name', 'Reference', 'Targets', 'MinPods', 'MaxPods', 'Replicas', 'Age'],
  },
  {
    group: 'policy/v1',
    plural: 'poddisruptionbudgets',
    manifest: object('policy/v1', 'PodDisruptionBudget', { spec: { minAvailable: '50%', selector } }),
    columns: ['Name', 'Min Available', 'Max Unavailable', 'Allowed Disruptions', 'Age'],
  },
];

const configuration: readonly Row[] = [
  {
    group: 'v1',
    plural: 'configmaps',
    manifest: object('v1', 'ConfigMap', { data: { a: '1' }, binaryData: { b: 'AA==' } }),
    columns: ['Name', 'Data', 'Age'],
  },
  {
    group: 'v1',
    plural: 'secrets',
    manifest: object('v1', 'Secret', { stringData: { a: '1', b: '2' } }),
    columns: ['Name', 'Type', 'Data', 'Age'],
  },
  {
    group: 'v1',
    plural: 'serviceaccounts',
    manifest: object('v1', 'ServiceAccount', { secrets: [{ name: 's' }] }),
    columns: ['Name', 'Age'],
  },
  {
    group: 'v1',
    plural: 'events',
    manifest: object('v1', 'Event', {
      involvedObject: { kind: 'Pod', namespace: '{{ns}}', name: 'p', apiVersion: 'v1' },
      reason: 'Started',
      message: 'it happened',
      source: { component: 'robot', host: 'h' },
      type: 'Normal',
      count: 4,
    }),
    columns: ['Last Seen', 'Type', 'Reason', 'Object', 'Subobject', 'Source', 'Message', 'First Seen', 'Count', 'Name'],
  },
  {
    group: 'v1',
    plural: 'persistentvolumeclaims',
    manifest: object('v1', 'PersistentVolumeClaim', {
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'fast',
        resources: { requests: { storage: '1Gi' } },
      },
    }),
    columns: [
      'Name',
      'Status',
      'Volume',
      'Capacity',
      'Access Modes',
      'StorageClass',
      'VolumeAttributesClass',
      'Age',
      'VolumeMode',
    ],
  },
  {
    group: 'v1',
    plural: 'resourcequotas',
    manifest: object('v1', 'ResourceQuota', { spec: { hard: { 'count/nothings.example.com': '5' } } }),
    columns: ['Name', 'Request', 'Limit', 'Age'],
  },
  {
    group: 'v1',
    plural: 'limitranges',
    manifest: object('v1', 'LimitRange', { spec: { limits: [] } }),
    columns: ['Name', 'Created At'],
  },
  {
    group: 'v1',
    plural: 'podtemplates',
    manifest: object('v1', 'PodTemplate', { template: template('a') }),
    columns: ['Name', 'Containers', 'Images', 'Pod Labels'],
  },
  {
    group: 'coordination.k8s.io/v1',
    plural: 'leases',
    manifest: object('coordination.k8s.io/v1', 'Lease', { spec: { holderIdentity: 'me' } }),
    columns: ['Name', 'Holder', 'Age'],
  },
  {
    group: 'apps/v1',
    plural: 'controllerrevisions',
    manifest: object('apps/v1', 'ControllerRevision', { revision: 7, data: { a: 1 } }),
    columns: ['Name', 'Controller', 'Revision', 'Age'],
  },
];

const networkAndRoles: readonly Row[] = [
  {
    group: 'v1',
    plural: 'services',
    manifest: object('v1', 'Service', {
      spec: {
        clusterIP: 'None',
        selector: { app: 'a' },
        ports: [
          { name: 't', port: 80 },
          { name: 'u', port: 53, protocol: 'UDP' },
        ],
      },
    }),
    columns: ['Name', 'Type', 'Cluster-IP', 'External-IP', 'Port(s)', 'Age', 'Selector'],
  },
  {
    group: 'v1',
    plural: 'endpoints',
    manifest: object('v1', 'Endpoints', {
      subsets: [{ addresses: [{ ip: '10.1.2.3' }, { ip: '10.1.2.4' }], ports: [{ port: 80 }] }],
    }),
    columns: ['Name', 'Endpoints', 'Age'],
  },
  {
    group: 'discovery.k8s.io/v1',
    plural: 'endpointslices',
    manifest: object('discovery.k8s.io/v1', 'EndpointSlice', {
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.1.2.3'] }],
      ports: [{ port: 80 }],
    }),
    columns: ['Name', 'AddressType', 'Ports', 'Endpoints', 'Age'],
  },
  {
    group: 'networking.k8s.io/v1',
    plural: 'ingresses',
    manifest: object('networking.k8s.io/v1', 'Ingress', {
      spec: {
        ingressClassName: 'c',
        tls: [{ hosts: ['x.example'] }],
        rules: [{ host: 'x.example' }, { host: 'y.example' }],
        defaultBackend: { service: { name: 's', port: { number: 80 } } },
      },
    }),
    columns: ['Name', 'Class', 'Hosts', 'Address', 'Ports', 'Age'],
  },
  {
    group: 'networking.k8s.io/v1',
    plural: 'networkpolicies',
    manifest: object('networking.k8s.io/v1', 'NetworkPolicy', { spec: { podSelector: selector } }),
    columns: ['Name', 'Pod-Selector', 'Age'],
  },
  {
    group: 'rbac.authorization.k8s.io/v1',
    plural: 'roles',
    manifest: object('rbac.authorization.k8s.io/v1', 'Role', { rules: [] }),
    columns: ['Name', 'Created At'],
  },
  {
    group: 'rbac.authorization.k8s.io/v1',
    plural: 'rolebindings',
    manifest: object('rbac.authorization.k8s.io/v1', 'RoleBinding', {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'a' },
      subjects: [
        { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'u' },
        { kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'g' },
        { kind: 'ServiceAccount', namespace: 'n', name: 's' },
      ],
    }),
    columns: ['Name', 'Role', 'Age', 'Users', 'Groups', 'ServiceAccounts'],
  },
];

const wide = (apiVersion: string, kind: string, more: Fields): Fields =>
  object(apiVersion, kind, { metadata: { name: '{{id}}-a' }, ...more });
const hookConfiguration = { webhooks: [] };

const clusterWide: readonly Row[] = [
  {
    group: 'v1',
    plural: 'nodes',
    manifest: wide('v1', 'Node', { spec: { unschedulable: true } }),
    status: {
      conditions: [{ type: 'Ready', status: 'True' }],
      nodeInfo: { kubeletVersion: 'v1.36.3', kernelVersion: 'k', osImage: 'o', containerRuntimeVersion: 'c://1' },
      addresses: [{ type: 'InternalIP', address: '10.9.9.9' }],
    },
    columns: [
      'Name',
      'Status',
      'Roles',
      'Age',
      'Version',
      'Internal-IP',
      'External-IP',
      'OS-Image',
      'Kernel-Version',
      'Container-Runtime',
    ],
    clusterWide: true,
  },
  {
    group: 'v1',
    plural: 'persistentvolumes',
    manifest: wide('v1', 'PersistentVolume', {
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } },
    }),
    columns: [
      'Name',
      'Capacity',
      'Access Modes',
      'Reclaim Policy',
      'Status',
      'Claim',
      'StorageClass',
      'VolumeAttributesClass',
      'Reason',
      'Age',
      'VolumeMode',
    ],
    clusterWide: true,
  },
  {
    group: 'rbac.authorization.k8s.io/v1',
    plural: 'clusterroles',
    manifest: wide('rbac.authorization.k8s.io/v1', 'ClusterRole', { rules: [] }),
    columns: ['Name', 'Created At'],
    clusterWide: true,
  },
  {
    group: 'rbac.authorization.k8s.io/v1',
    plural: 'clusterrolebindings',
    manifest: wide('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'r' },
    }),
    columns: ['Name', 'Role', 'Age', 'Users', 'Groups', 'ServiceAccounts'],
    clusterWide: true,
  },
  {
    group: 'admissionregistration.k8s.io/v1',
    plural: 'validatingwebhookconfigurations',
    manifest: wide('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', hookConfiguration),
    columns: ['Name', 'Webhooks', 'Age'],
    clusterWide: true,
  },
  {
    group: 'admissionregistration.k8s.io/v1',
    plural: 'mutatingwebhookconfigurations',
    manifest: wide('admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration', hookConfiguration),
    columns: ['Name', 'Webhooks', 'Age'],
    clusterWide: true,
  },
  {
    group: 'apiextensions.k8s.io/v1',
    plural: 'customresourcedefinitions',
    manifest: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.{{group}}' },
      spec: {
        group: '{{group}}',
        names: { kind: 'Thing', plural: 'things' },
        scope: 'Namespaced',
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    },
    columns: ['Name', 'Created At'],
    clusterWide: true,
  },
];

const everyKind = [...workloads, ...configuration, ...networkAndRoles, ...clusterWide];

export const tableKinds: readonly Case[] = [
  kindCase('l9-workload-kinds', 'the columns of workloads', workloads),
  kindCase('l9-configuration-kinds', 'the columns of configuration, storage and records', configuration),
  kindCase('l9-network-and-role-kinds', 'the columns of network kinds and roles', networkAndRoles),
  kindCase('l9-cluster-kinds', 'the columns of cluster-scoped kinds', clusterWide),
  {
    id: 'l9-namespaces',
    section: 'list-watch',
    shows: ['API-L9'],
    title: 'the columns of namespaces',
    steps: [get('one', '/api/v1/namespaces/{{ns}}?includeObject=None', withoutTexts)],
    claims: [
      claim('Name', 'one.body.columnDefinitions.0.name', { is: 'Name' }),
      claim('Status', 'one.body.rows.0.cells.1', { is: 'Active' }),
      claim('Age', 'one.body.columnDefinitions.2.name', { is: 'Age' }),
    ],
  },
  {
    id: 'l9-descriptions',
    section: 'list-watch',
    shows: ['API-Q8'],
    title: 'each column of each kind is described',
    steps: everyKind.map((row) => get(row.plural, `${pathOf(row)}?fieldSelector=metadata.name%3Dnobody`, onlyColumns)),
    claims: everyKind.flatMap((row) =>
      row.columns.map((name, index) =>
        claim(`${row.plural}: ${name}`, `${row.plural}.body.columnDefinitions.${index}.description`, {
          matches: '\\w',
        }),
      ),
    ),
  },
];
