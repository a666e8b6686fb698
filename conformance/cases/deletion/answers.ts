import type { Case, Json, Step } from '../../src/case.ts';
import { claim, mergePatch, post, remove } from '../../src/steps.ts';
import { inCluster, inNamespace, manifest, podTemplate } from '../create-update/manifests.ts';
import { counting, notCounting } from '../create-update/kinds.ts';

type Fields = { readonly [key: string]: Json };

interface Row {
  readonly id: string;
  readonly path: string;
  readonly object: Fields;
}

const storage = 'storage.k8s.io/v1';
const resource = 'resource.k8s.io/v1';
const net = 'networking.k8s.io/v1';
const flow = 'flowcontrol.apiserver.k8s.io/v1';
const autoscaler = (version: string): Fields =>
  manifest([`autoscaling/${version}`, 'HorizontalPodAutoscaler'], 'x', {
    spec: { maxReplicas: 2, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } },
  });

const inCore: readonly Row[] = [
  { id: 'endpoints', path: inNamespace('v1', 'endpoints'), object: manifest(['v1', 'Endpoints'], 'x') },
  {
    id: 'event',
    path: inNamespace('v1', 'events'),
    object: manifest(['v1', 'Event'], 'x', { involvedObject: { kind: 'Pod', namespace: '{{ns}}', name: 'p' } }),
  },
  {
    id: 'limitrange',
    path: inNamespace('v1', 'limitranges'),
    object: manifest(['v1', 'LimitRange'], 'x', { spec: { limits: [{ type: 'Pod', max: { cpu: '99' } }] } }),
  },
  {
    id: 'persistentvolume',
    path: inCluster('v1', 'persistentvolumes'),
    object: manifest(['v1', 'PersistentVolume'], '{{id}}', {
      spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/x' } },
    }),
  },
  {
    id: 'podtemplate',
    path: inNamespace('v1', 'podtemplates'),
    object: manifest(['v1', 'PodTemplate'], 'x', { template: podTemplate }),
  },
  {
    id: 'resourcequota',
    path: inNamespace('v1', 'resourcequotas'),
    object: manifest(['v1', 'ResourceQuota'], 'x', { spec: { hard: { 'count/leases.coordination.k8s.io': '99' } } }),
  },
];

const inGroups: readonly Row[] = [
  {
    id: 'controllerrevision',
    path: inNamespace('apps/v1', 'controllerrevisions'),
    object: manifest(['apps/v1', 'ControllerRevision'], 'x', { data: {}, revision: 1 }),
  },
  { id: 'autoscaler', path: inNamespace('autoscaling/v2', 'horizontalpodautoscalers'), object: autoscaler('v2') },
  { id: 'autoscaler-v1', path: inNamespace('autoscaling/v1', 'horizontalpodautoscalers'), object: autoscaler('v1') },
  {
    id: 'lease',
    path: inNamespace('coordination.k8s.io/v1', 'leases'),
    object: manifest(['coordination.k8s.io/v1', 'Lease'], 'x', { spec: {} }),
  },
  {
    id: 'new-event',
    path: inNamespace('events.k8s.io/v1', 'events'),
    object: manifest(['events.k8s.io/v1', 'Event'], 'x', {
      eventTime: '2020-01-01T00:00:00.000000Z',
      reportingController: 'example.com/c',
      reportingInstance: 'i',
      action: 'a',
      reason: 'r',
      type: 'Normal',
      regarding: { kind: 'Pod', namespace: '{{ns}}', name: 'p' },
    }),
  },
  {
    id: 'apiservice',
    path: inCluster('apiregistration.k8s.io/v1', 'apiservices'),
    object: manifest(['apiregistration.k8s.io/v1', 'APIService'], 'v1.{{group}}', {
      spec: {
        group: '{{group}}',
        version: 'v1',
        groupPriorityMinimum: 1,
        versionPriority: 1,
        insecureSkipTLSVerify: true,
        service: { name: 's', namespace: '{{ns}}' },
      },
    }),
  },
  {
    id: 'flowschema',
    path: inCluster(flow, 'flowschemas'),
    object: manifest([flow, 'FlowSchema'], '{{id}}', {
      spec: { priorityLevelConfiguration: { name: 'global-default' }, matchingPrecedence: 9999 },
    }),
  },
  {
    id: 'prioritylevel',
    path: inCluster(flow, 'prioritylevelconfigurations'),
    object: manifest([flow, 'PriorityLevelConfiguration'], '{{id}}', {
      spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } },
    }),
  },
];

const ofNetwork: readonly Row[] = [
  {
    id: 'ingressclass',
    path: inCluster(net, 'ingressclasses'),
    object: manifest([net, 'IngressClass'], '{{id}}', { spec: { controller: 'example.com/c' } }),
  },
  {
    id: 'ipaddress',
    path: inCluster(net, 'ipaddresses'),
    object: manifest([net, 'IPAddress'], '192.0.2.77', {
      spec: { parentRef: { resource: 'services', namespace: '{{ns}}', name: 's' } },
    }),
  },
  {
    id: 'servicecidr',
    path: inCluster(net, 'servicecidrs'),
    object: manifest([net, 'ServiceCIDR'], '{{id}}', { spec: { cidrs: ['198.51.100.0/24'] } }),
  },
];

const ofStorage: readonly Row[] = [
  {
    id: 'runtimeclass',
    path: inCluster('node.k8s.io/v1', 'runtimeclasses'),
    object: manifest(['node.k8s.io/v1', 'RuntimeClass'], '{{id}}', { handler: 'h' }),
  },
  {
    id: 'deviceclass',
    path: inCluster(resource, 'deviceclasses'),
    object: manifest([resource, 'DeviceClass'], '{{id}}', { spec: {} }),
  },
  {
    id: 'resourceclaim',
    path: inNamespace(resource, 'resourceclaims'),
    object: manifest([resource, 'ResourceClaim'], 'x', { spec: {} }),
  },
  {
    id: 'resourceclaimtemplate',
    path: inNamespace(resource, 'resourceclaimtemplates'),
    object: manifest([resource, 'ResourceClaimTemplate'], 'x', { spec: { spec: {} } }),
  },
  {
    id: 'resourceslice',
    path: inCluster(resource, 'resourceslices'),
    object: manifest([resource, 'ResourceSlice'], '{{id}}', {
      spec: {
        driver: 'example.com',
        nodeName: 'n',
        pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
        devices: [{ name: 'd' }],
      },
    }),
  },
  {
    id: 'csidriver',
    path: inCluster(storage, 'csidrivers'),
    object: manifest([storage, 'CSIDriver'], '{{id}}', { spec: {} }),
  },
  {
    id: 'csinode',
    path: inCluster(storage, 'csinodes'),
    object: manifest([storage, 'CSINode'], '{{id}}', { spec: { drivers: [] } }),
  },
  {
    id: 'csistoragecapacity',
    path: inNamespace(storage, 'csistoragecapacities'),
    object: manifest([storage, 'CSIStorageCapacity'], 'x', { storageClassName: 's' }),
  },
  {
    id: 'storageclass',
    path: inCluster(storage, 'storageclasses'),
    object: manifest([storage, 'StorageClass'], '{{id}}', { provisioner: 'example.com/p' }),
  },
  {
    id: 'volumeattachment',
    path: inCluster(storage, 'volumeattachments'),
    object: manifest([storage, 'VolumeAttachment'], '{{id}}', {
      spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'v' } },
    }),
  },
  {
    id: 'volumeattributesclass',
    path: inCluster(storage, 'volumeattributesclasses'),
    object: manifest([storage, 'VolumeAttributesClass'], '{{id}}', {
      driverName: 'example.com',
      parameters: { a: 'b' },
    }),
  },
];

// Storage has finalizers of its own: without them it goes at once, too.
const protectedKinds = new Set(['persistentvolume', 'persistentvolumeclaim', 'volumeattributesclass']);

// A namespace waits for its controller, which is another matter.
const goneAtOnce = ({ id }: Row): boolean => id !== 'namespace';

function stepsOf({ id, path, object }: Row): Step[] {
  const { name = '' } = object['metadata'] as { readonly name?: string };
  const release = mergePatch(`${id}-free`, `${path}/${name}`, { metadata: { finalizers: null } }, { setup: true });
  return [
    post(id, path, object, { setup: true }),
    ...(protectedKinds.has(id) ? [release] : []),
    remove(`${id}-gone`, `${path}/${name}`),
  ];
}

/** Kinds whose delete answers what was deleted; all others answer a Status. */
const answersObject = new Set([
  'replicationcontroller',
  'job',
  'pod',
  'service',
  'serviceaccount',
  'persistentvolumeclaim',
  'persistentvolume',
  'podtemplate',
  'resourcequota',
  'deviceclass',
  'resourceclaim',
  'resourceclaimtemplate',
  'resourceslice',
  'csidriver',
  'csinode',
  'storageclass',
  'volumeattachment',
  'volumeattributesclass',
]);

const answering = (id: string, title: string, rows: readonly Row[]): Case => ({
  id: `x1-answers-${id}`,
  section: 'deletion',
  shows: ['API-X1'],
  title: `what a delete answers: ${title}`,
  steps: rows.filter(goneAtOnce).flatMap(stepsOf),
  claims: rows.filter(goneAtOnce).map((row) =>
    claim(row.id, `${row.id}-gone.body.kind`, {
      is: answersObject.has(row.id) ? (row.object['kind'] ?? '') : 'Status',
    }),
  ),
});

export const deleteAnswers: readonly Case[] = [
  answering('counting', 'kinds with a generation', counting),
  answering('plain', 'kinds without a generation', notCounting),
  answering('core', 'further kinds of the core', inCore),
  answering('groups', 'events, leases, autoscalers, API services and flows', inGroups),
  answering('network', 'networks', ofNetwork),
  answering('storage', 'storage and devices', ofStorage),
];
