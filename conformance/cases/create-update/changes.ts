// What an update of a built-in kind may change: each object is made once, and changed step by step.
import type { Case, Json, Step } from '../../src/case.ts';
import { claim, mergePatch, post } from '../../src/steps.ts';
import { inCluster, inNamespace } from './manifests.ts';

type Fields = { readonly [key: string]: Json };

interface Change {
  readonly to: Json;
  /** Refused: what the message says of structs in the server's memory is not compared. */
  readonly refused?: true;
  readonly subresource?: 'status';
  readonly quotes?: true;
}

interface Changed {
  readonly title: string;
  readonly path: string;
  readonly object: readonly [apiVersion: string, kind: string, fields: Fields];
  readonly changes: Readonly<Record<string, Change>>;
}

const to = (change: Json): Change => ({ to: change });
const not = (change: Json): Change => ({ to: change, refused: true });
/** Refused with a text that shows a struct. */
const quoted = (change: Json): Change => ({ to: change, refused: true, quotes: true });
const onStatus = (change: Change): Change => ({ ...change, subresource: 'status' });

const containers = [{ name: 'c', image: 'example.com/c:1' }];
const spec = (fields: Fields): Json => ({ spec: fields });
const template = (fields: Fields, metadata: Fields = {}): Json => spec({ template: { metadata, spec: fields } });
const nodeTerms = (...keys: string[]): Fields => ({
  requiredDuringSchedulingIgnoredDuringExecution: {
    nodeSelectorTerms: [{ matchExpressions: keys.map((key) => ({ key, operator: 'Exists' })) }],
  },
});
const preferredNodes: Fields = {
  preferredDuringSchedulingIgnoredDuringExecution: [
    { weight: 1, preference: { matchExpressions: [{ key: 'k', operator: 'Exists' }] } },
  ],
};
const neighbours: Fields = {
  podAffinity: {
    preferredDuringSchedulingIgnoredDuringExecution: [
      { weight: 1, podAffinityTerm: { topologyKey: 'zone', labelSelector: { matchLabels: { a: 'b' } } } },
    ],
  },
};
const gates = (...names: string[]): Json => names.map((name) => ({ name: `example.com/${name}` }));
const pods = inNamespace('v1', 'pods');
const jobs = inNamespace('batch/v1', 'jobs');
const pod = (fields: Fields): Changed['object'] => ['v1', 'Pod', { spec: { containers, ...fields } }];
const job = (fields: Fields): Changed['object'] => [
  'batch/v1',
  'Job',
  { spec: { template: { spec: { restartPolicy: 'Never', containers } }, ...fields } },
];
const suspended = (status: string, active = 0): Json => ({
  status: { startTime: '2026-01-02T03:04:05Z', active, conditions: [{ type: 'Suspended', status }] },
});

const all: Readonly<Record<string, Changed>> = {
  'gated-pods': {
    title: 'where a Pod with gates may run can be narrowed',
    path: pods,
    object: pod({ schedulingGates: gates('a', 'b') }),
    changes: {
      selector: to(spec({ nodeSelector: { a: 'b' } })),
      'other-selector': not(spec({ nodeSelector: { a: 'c' } })),
      terms: to(spec({ affinity: { nodeAffinity: nodeTerms('k') } })),
      'more-terms': to(spec({ affinity: { nodeAffinity: nodeTerms('k', 'l') } })),
      'other-terms': not(spec({ affinity: { nodeAffinity: nodeTerms('l') } })),
      'no-terms': not(spec({ affinity: null })),
      neighbours: quoted(spec({ affinity: neighbours })),
      'new-gate': not(spec({ schedulingGates: gates('a', 'c') })),
      'fewer-gates': to(spec({ schedulingGates: gates('b') })),
      'no-gates': to(spec({ schedulingGates: null })),
      'gate-again': not(spec({ schedulingGates: gates('b') })),
      late: quoted(spec({ nodeSelector: { c: 'd' } })),
    },
  },
  pods: {
    title: 'tolerations, deadlines and images of a Pod',
    path: pods,
    object: pod({ tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 10 }] }),
    changes: {
      tolerations: to(
        spec({
          tolerations: [
            { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 20 },
            { key: 'b', operator: 'Exists' },
          ],
        }),
      ),
      'fewer-tolerations': not(spec({ tolerations: [] })),
      deadline: to(spec({ activeDeadlineSeconds: 100 })),
      later: not(spec({ activeDeadlineSeconds: 200 })),
      never: not(spec({ activeDeadlineSeconds: null })),
      image: to(spec({ containers: [{ name: 'c', image: 'example.com/c:2' }] })),
      armor: not({ metadata: { annotations: { 'container.apparmor.security.beta.kubernetes.io/c': 'unconfined' } } }),
      'other-name': quoted(spec({ containers: [{ name: 'd', image: 'example.com/c:2' }] })),
      'one-more': not(spec({ containers: [...containers, { name: 'd', image: 'example.com/c:2' }] })),
    },
  },
  'indexed-jobs': {
    title: 'an indexed Job grows and shrinks as a whole',
    path: jobs,
    object: job({ completionMode: 'Indexed', completions: 3, parallelism: 2 }),
    changes: {
      alone: not(spec({ completions: 4 })),
      together: to(spec({ completions: 4, parallelism: 4 })),
      fewer: to(spec({ completions: 2, parallelism: 2 })),
      none: not(spec({ completions: null })),
    },
  },
  jobs: {
    title: 'what of a Job is decided once',
    path: jobs,
    object: job({ completions: 3, backoffLimit: 1 }),
    changes: {
      completions: not(spec({ completions: 4 })),
      counts: to(spec({ parallelism: 5, backoffLimit: 2, activeDeadlineSeconds: 9, ttlSecondsAfterFinished: 4 })),
      mode: not(spec({ completionMode: 'Indexed' })),
      manager: not(spec({ managedBy: 'example.com/x' })),
      image: quoted(template({ containers: [{ name: 'c', image: 'example.com/c:2' }] })),
      nodes: quoted(template({ nodeSelector: { a: 'b' } })),
      suspended: to(spec({ suspend: true })),
    },
  },
  'suspended-jobs': {
    title: 'pods of a Job at rest: where they run, and what they ask for',
    path: jobs,
    object: job({ suspend: true }),
    changes: {
      nodes: to(template({ nodeSelector: { a: 'b' }, tolerations: [{ key: 'k', operator: 'Exists' }] })),
      labels: to(template({}, { labels: { a: 'b' }, annotations: { c: 'd' } })),
      gates: to(template({ schedulingGates: gates('a') })),
      preferences: to(template({ affinity: { nodeAffinity: preferredNodes } })),
      neighbours: quoted(template({ affinity: neighbours })),
      amounts: to(template({ containers: [{ ...containers[0], resources: { requests: { cpu: '1' } } }] })),
      image: quoted(template({ containers: [{ name: 'c', image: 'example.com/c:2' }] })),
      started: onStatus(to(suspended('True'))),
      again: to(template({ nodeSelector: { a: 'c' } })),
      running: onStatus(to(suspended('True', 1))),
      'while-running': quoted(template({ nodeSelector: { a: 'd' } })),
      resumed: onStatus(to(suspended('False'))),
      'when-resumed': quoted(template({ nodeSelector: { a: 'd' } })),
    },
  },
  claims: {
    title: 'a claim gets a class and a volume once, and grows when it is bound',
    path: inNamespace('v1', 'persistentvolumeclaims'),
    object: [
      'v1',
      'PersistentVolumeClaim',
      { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } } } },
    ],
    changes: {
      larger: quoted(spec({ resources: { requests: { storage: '3Gi' } } })),
      class: to(spec({ storageClassName: 'fast' })),
      'other-class': quoted(spec({ storageClassName: 'slow' })),
      volume: to(spec({ volumeName: 'v' })),
      'other-volume': quoted(spec({ volumeName: 'w' })),
      bound: onStatus(to({ status: { phase: 'Bound', capacity: { storage: '2Gi' } } })),
      smaller: not(spec({ resources: { requests: { storage: '1Gi' } } })),
      limit: quoted(spec({ resources: { limits: { storage: '9Gi' } } })),
      modes: quoted(spec({ accessModes: ['ReadOnlyMany'] })),
      block: quoted(spec({ volumeMode: 'Block' })),
    },
  },
  sources: {
    title: 'the source of a claim is said in two fields',
    path: inNamespace('v1', 'persistentvolumeclaims'),
    object: [
      'v1',
      'PersistentVolumeClaim',
      {
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '2Gi' } },
          dataSourceRef: { apiGroup: 'example.com', kind: 'Image', name: 'i' },
        },
      },
    ],
    changes: { same: to(spec({ dataSourceRef: null })), other: quoted(spec({ dataSource: { name: 'j' } })) },
  },
  volumes: {
    title: 'a PersistentVolume stays where it is',
    path: inCluster('v1', 'persistentvolumes'),
    object: [
      'v1',
      'PersistentVolume',
      { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } } },
    ],
    changes: {
      place: quoted(spec({ hostPath: { path: '/y' } })),
      source: quoted(spec({ nfs: { server: 's', path: '/x' } })),
      block: not(spec({ volumeMode: 'Block' })),
      capacity: to(spec({ capacity: { storage: '2Gi' } })),
      policy: to(spec({ persistentVolumeReclaimPolicy: 'Delete', storageClassName: 'a' })),
      'other-policy': not(spec({ persistentVolumeReclaimPolicy: 'Keep' })),
      nodes: to(
        spec({ nodeAffinity: { required: nodeTerms('a')['requiredDuringSchedulingIgnoredDuringExecution'] ?? null } }),
      ),
    },
  },
  nodes: {
    title: 'taints of a Node, and what is known of it once and for all',
    path: inCluster('v1', 'nodes'),
    object: [
      'v1',
      'Node',
      {
        spec: { podCIDR: '10.1.0.0/24', podCIDRs: ['10.1.0.0/24'], providerID: 'a://b' },
        status: { capacity: { cpu: '4' } },
      },
    ],
    changes: {
      network: not(spec({ podCIDR: '10.2.0.0/24', podCIDRs: ['10.2.0.0/24'] })),
      provider: not(spec({ providerID: 'c://d' })),
      taint: to(spec({ unschedulable: true, taints: [{ key: 'a', effect: 'NoSchedule' }] })),
      twice: not(
        spec({
          taints: [
            { key: 'a', effect: 'NoSchedule' },
            { key: 'a', value: 'b', effect: 'NoSchedule' },
          ],
        }),
      ),
      effect: not(spec({ taints: [{ key: 'a', effect: 'Never' }] })),
      'no-effect': not(spec({ taints: [{ key: 'a' }] })),
      key: not(spec({ taints: [{ key: 'a b', value: 'c d', effect: 'NoSchedule' }] })),
      capacity: onStatus(to({ status: { capacity: { cpu: '8' } } })),
      negative: onStatus(not({ status: { capacity: { cpu: '-1' } } })),
      addresses: onStatus(
        not({
          status: {
            addresses: [
              { type: 'InternalIP', address: '192.0.2.1' },
              { type: 'InternalIP', address: '192.0.2.1' },
            ],
          },
        }),
      ),
    },
  },
  'storage-classes': {
    title: 'a StorageClass provides what it always did',
    path: inCluster('storage.k8s.io/v1', 'storageclasses'),
    object: ['storage.k8s.io/v1', 'StorageClass', { provisioner: 'example.com/p', parameters: { a: 'b' } }],
    changes: {
      parameters: not({ parameters: { a: 'c' } }),
      provisioner: not({ provisioner: 'example.com/q' }),
      policy: not({ reclaimPolicy: 'Retain' }),
      mode: not({ volumeBindingMode: 'WaitForFirstConsumer' }),
      rest: to({ allowVolumeExpansion: true, mountOptions: ['ro'] }),
    },
  },
  'priority-classes': {
    title: 'a PriorityClass is worth what it always was',
    path: inCluster('scheduling.k8s.io/v1', 'priorityclasses'),
    object: ['scheduling.k8s.io/v1', 'PriorityClass', { value: 5 }],
    changes: {
      value: not({ value: 6 }),
      policy: not({ preemptionPolicy: 'Never' }),
      description: to({ description: 'x' }),
    },
  },
  'ingress-classes': {
    title: 'an IngressClass keeps its controller',
    path: inCluster('networking.k8s.io/v1', 'ingressclasses'),
    object: ['networking.k8s.io/v1', 'IngressClass', { spec: { controller: 'example.com/c' } }],
    changes: {
      controller: not(spec({ controller: 'example.com/d' })),
      form: not(spec({ controller: 'nope' })),
      parameters: to(spec({ parameters: { kind: 'K', name: 'n' } })),
      namespaced: not(spec({ parameters: { kind: 'K', name: 'n', scope: 'Namespace' } })),
      cluster: not(spec({ parameters: { kind: 'K', name: 'n', scope: 'Cluster', namespace: 'x' } })),
      scope: not(spec({ parameters: { kind: 'K/', name: '', scope: 'World', apiGroup: 'A_' } })),
    },
  },
  'runtime-classes': {
    title: 'a RuntimeClass keeps its handler',
    path: inCluster('node.k8s.io/v1', 'runtimeclasses'),
    object: ['node.k8s.io/v1', 'RuntimeClass', { handler: 'h' }],
    changes: { handler: not({ handler: 'g' }), overhead: to({ overhead: { podFixed: { cpu: '1' } } }) },
  },
  revisions: {
    title: 'a ControllerRevision keeps its data',
    path: inNamespace('apps/v1', 'controllerrevisions'),
    object: ['apps/v1', 'ControllerRevision', { revision: 1, data: { a: 1 } }],
    changes: { data: quoted({ data: { a: 2 } }), revision: to({ revision: 2 }), negative: not({ revision: -1 }) },
  },
  controllers: {
    title: 'a ReplicationController may select other pods, those it makes',
    path: inNamespace('v1', 'replicationcontrollers'),
    object: [
      'v1',
      'ReplicationController',
      { spec: { selector: { a: 'b' }, template: { metadata: { labels: { a: 'b', c: 'd' } }, spec: { containers } } } },
    ],
    changes: {
      selector: to(spec({ selector: { a: null, c: 'd' } })),
      'other-selector': not(spec({ selector: { e: 'f' } })),
      replicas: not(spec({ replicas: -1, minReadySeconds: -1 })),
      ending: not(template({ restartPolicy: 'Never', activeDeadlineSeconds: 5 })),
      image: not(template({ containers: [{ name: 'c', image: '' }] })),
      status: onStatus(not({ status: { replicas: 1, readyReplicas: 2, availableReplicas: 3 } })),
    },
  },
  sets: {
    title: 'what of a StatefulSet may change, and how',
    path: inNamespace('apps/v1', 'statefulsets'),
    object: [
      'apps/v1',
      'StatefulSet',
      {
        spec: {
          serviceName: 's',
          selector: { matchLabels: { a: 'b' } },
          template: { metadata: { labels: { a: 'b' } }, spec: { containers, hostname: 'H_', subdomain: 'S_' } },
        },
      },
    ],
    changes: {
      service: not(spec({ serviceName: 't' })),
      management: not(spec({ podManagementPolicy: 'Parallel' })),
      counts: to(spec({ replicas: 3, ordinals: { start: 2 }, minReadySeconds: 3, revisionHistoryLimit: 2 })),
      ordinals: not(spec({ ordinals: { start: -1 } })),
      retention: to(spec({ persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Retain' } })),
      'no-retention': not(spec({ persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Keep', whenScaled: '' } })),
      partition: not(spec({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: -1 } } })),
      'on-delete': to(spec({ updateStrategy: { type: 'OnDelete', rollingUpdate: null } })),
      deadline: not(template({ activeDeadlineSeconds: 5 })),
      collisions: onStatus(to({ status: { replicas: 0, collisionCount: 2 } })),
      'fewer-collisions': onStatus(not({ status: { collisionCount: 1 } })),
    },
  },
  daemons: {
    title: 'counts in the status of a DaemonSet',
    path: inNamespace('apps/v1', 'daemonsets'),
    object: [
      'apps/v1',
      'DaemonSet',
      {
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: { metadata: { labels: { a: 'b' } }, spec: { containers } },
        },
      },
    ],
    changes: {
      negative: onStatus(not({ status: { numberReady: -1, numberAvailable: -2 } })),
      collisions: onStatus(to({ status: { collisionCount: 2 } })),
      'fewer-collisions': onStatus(not({ status: { collisionCount: 1 } })),
      deadline: not(template({ activeDeadlineSeconds: 5 })),
    },
  },
  balancers: {
    title: 'whoever balances the load of a Service goes on doing so',
    path: inNamespace('v1', 'services'),
    object: ['v1', 'Service', { spec: { type: 'ClusterIP', selector: { a: 'b' }, ports: [{ port: 80 }] } }],
    changes: {
      type: to(
        spec({ type: 'LoadBalancer', loadBalancerClass: 'example.com/a', allocateLoadBalancerNodePorts: false }),
      ),
      class: not(spec({ loadBalancerClass: 'example.com/b' })),
      none: not(spec({ loadBalancerClass: null })),
    },
  },
  bindings: {
    title: 'who gets a role',
    path: inNamespace('rbac.authorization.k8s.io/v1', 'rolebindings'),
    object: [
      'rbac.authorization.k8s.io/v1',
      'RoleBinding',
      { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' } },
    ],
    changes: {
      role: not({ roleRef: { name: 's' } }),
      subjects: to({
        subjects: [
          { kind: 'User', name: 'a' },
          { kind: 'ServiceAccount', name: 'b' },
        ],
      }),
      kind: not({ subjects: [{ kind: 'Robot', name: 'a' }] }),
      name: not({ subjects: [{ kind: 'User', name: '' }] }),
      account: not({ subjects: [{ kind: 'ServiceAccount', name: 'B_', namespace: 'x', apiGroup: 'y' }] }),
      group: not({ subjects: [{ kind: 'Group', apiGroup: 'x', name: 'b' }] }),
    },
  },
};

const because = 'the rest of the message shows structs of the server';

export const changes: readonly Case[] = Object.entries(all).map(([id, { title, path, object, changes: rows }]) => {
  const [apiVersion, kind, fields] = object;
  const name = '{{id}}';
  const made = post('made', path, { apiVersion, kind, metadata: { name }, ...fields });
  return {
    id: `c16-changed-${id}`,
    section: 'create-update',
    shows: ['API-C16'],
    title,
    steps: [
      made,
      ...Object.entries(rows).map(([step, change]): Step => {
        const place = [path, name, ...(change.subresource === undefined ? [] : [change.subresource])].join('/');
        const sent = mergePatch(step, place, change.to);
        return change.quotes === true
          ? { ...sent, only: ['status', 'body.reason', 'body.details.causes.0.field'], because }
          : sent;
      }),
    ],
    claims: Object.entries(rows).map(([step, { refused }]) =>
      claim(step, `${step}.status`, { is: refused === true ? 422 : 200 }),
    ),
  };
});
