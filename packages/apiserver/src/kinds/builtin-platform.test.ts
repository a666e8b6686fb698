import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { builtinStrategy } from './builtin-kinds.ts';
import { serviceRange } from './service-range.ts';

const context = {
  now: () => '2026-01-01T00:00:00Z',
  serviceRange: serviceRange(),
  sequence: () => 1,
  isAddressTaken: () => false,
  isNodePortTaken: () => false,
};

function created(apiVersion: string, kind: string, object: JsonObject): JsonObject {
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const strategy = builtinStrategy(group, kind, version);
  return strategy.prepareForCreate?.(structuredClone(object), context) ?? object;
}

const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
const everything = { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} };
const webhook = { ...everything, failurePolicy: 'Fail', timeoutSeconds: 10 };

/** Each: the kind, what a client sends, and what a kube-apiserver 1.36 adds to it. */
const rows: [apiVersion: string, kind: string, sent: JsonObject, added: JsonObject][] = [
  [
    'admissionregistration.k8s.io/v1',
    'ValidatingWebhookConfiguration',
    { webhooks: [{ name: 'a.b.c', clientConfig: { service: { name: 's', namespace: 'n' } }, rules: [rule] }] },
    { webhooks: [{ ...webhook, clientConfig: { service: { port: 443 } }, rules: [{ ...rule, scope: '*' }] }] },
  ],
  [
    'admissionregistration.k8s.io/v1',
    'MutatingWebhookConfiguration',
    { webhooks: [{ name: 'a.b.c', clientConfig: { url: 'https://x' } }] },
    { webhooks: [{ ...webhook, reinvocationPolicy: 'Never' }] },
  ],
  [
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicy',
    { spec: { matchConstraints: { resourceRules: [rule] } } },
    {
      spec: { failurePolicy: 'Fail', matchConstraints: { ...everything, resourceRules: [{ scope: '*' }] } },
      status: {},
    },
  ],
  [
    'admissionregistration.k8s.io/v1',
    'MutatingAdmissionPolicyBinding',
    { spec: { policyName: 'x', matchResources: {} } },
    { spec: { matchResources: everything } },
  ],
  [
    'apiregistration.k8s.io/v1',
    'APIService',
    { spec: { service: { name: 's', namespace: 'n' } } },
    { spec: { service: { port: 443 } }, status: {} },
  ],
  [
    'v1',
    'LimitRange',
    { spec: { limits: [{ type: 'Container', max: { cpu: '1' }, min: { memory: '1Mi' } }] } },
    { spec: { limits: [{ default: { cpu: '1' }, defaultRequest: { cpu: '1', memory: '1Mi' } }] } },
  ],
  [
    'v1',
    'PersistentVolume',
    { spec: { hostPath: { path: '/x' } }, status: { phase: 'Bound' } },
    {
      spec: { hostPath: { type: '' }, persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' },
      status: { phase: 'Pending', lastPhaseTransitionTime: '2026-01-01T00:00:00Z' },
    },
  ],
  [
    'v1',
    'ReplicationController',
    { metadata: { name: 'x' }, spec: { template: { metadata: { labels: { app: 'a' } }, spec: { containers: [] } } } },
    {
      metadata: { labels: { app: 'a' } },
      spec: { replicas: 1, selector: { app: 'a' }, template: { spec: { restartPolicy: 'Always' } } },
      status: { replicas: 0 },
    },
  ],
  [
    'autoscaling/v1',
    'HorizontalPodAutoscaler',
    { spec: { maxReplicas: 3 } },
    { spec: { minReplicas: 1, targetCPUUtilizationPercentage: 80 } },
  ],
  [
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    { spec: { maxReplicas: 3, behavior: { scaleDown: { selectPolicy: 'Min' } } } },
    {
      spec: {
        minReplicas: 1,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
        ],
        behavior: {
          scaleUp: {
            stabilizationWindowSeconds: 0,
            selectPolicy: 'Max',
            policies: [
              { type: 'Pods', value: 4, periodSeconds: 15 },
              { type: 'Percent', value: 100, periodSeconds: 15 },
            ],
          },
          scaleDown: { selectPolicy: 'Min', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] },
        },
      },
    },
  ],
  [
    'flowcontrol.apiserver.k8s.io/v1',
    'PriorityLevelConfiguration',
    { spec: { type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing: {} } } } },
    {
      spec: {
        limited: {
          nominalConcurrencyShares: 30,
          lendablePercent: 0,
          limitResponse: { queuing: { handSize: 8, queues: 64, queueLengthLimit: 50 } },
        },
      },
    },
  ],
  ['flowcontrol.apiserver.k8s.io/v1', 'FlowSchema', { spec: {} }, { spec: { matchingPrecedence: 1000 }, status: {} }],
  [
    'networking.k8s.io/v1',
    'IngressClass',
    { spec: { parameters: {} } },
    { spec: { parameters: { scope: 'Cluster' } } },
  ],
  [
    'resource.k8s.io/v1',
    'ResourceClaim',
    { spec: { devices: { requests: [{ exactly: {} }, { firstAvailable: [{ allocationMode: 'All' }, {}] }] } } },
    {
      spec: {
        devices: {
          requests: [
            { exactly: { allocationMode: 'ExactCount', count: 1 } },
            { firstAvailable: [{ allocationMode: 'All' }, { allocationMode: 'ExactCount', count: 1 }] },
          ],
        },
      },
    },
  ],
  ['scheduling.k8s.io/v1', 'PriorityClass', { value: 1 }, { preemptionPolicy: 'PreemptLowerPriority' }],
  [
    'storage.k8s.io/v1',
    'CSIDriver',
    { spec: {} },
    {
      spec: {
        attachRequired: true,
        podInfoOnMount: false,
        storageCapacity: false,
        fsGroupPolicy: 'ReadWriteOnceWithFSType',
        requiresRepublish: false,
        seLinuxMount: false,
        volumeLifecycleModes: ['Persistent'],
      },
    },
  ],
  ['storage.k8s.io/v1', 'StorageClass', {}, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }],
  ['storage.k8s.io/v1', 'VolumeAttachment', { spec: {}, status: { attached: true } }, { status: { attached: false } }],
];

describe('API-C15: defaults of the kinds a platform is built from', () => {
  test.each(rows)('%s %s', (apiVersion, kind, sent, added) => {
    expect(created(apiVersion, kind, sent)).toMatchObject(added);
  });

  test('what a client said is kept', () => {
    const spec = { limited: { nominalConcurrencyShares: 5, limitResponse: { queuing: { queues: 2 } } } };
    expect(created('flowcontrol.apiserver.k8s.io/v1', 'PriorityLevelConfiguration', { spec })).toMatchObject({ spec });
    const lazy = { volumeBindingMode: 'WaitForFirstConsumer' };
    expect(created('storage.k8s.io/v1', 'StorageClass', lazy)).toMatchObject(lazy);
    const limits = [{ type: 'Pod', max: { cpu: '1' } }];
    expect(created('v1', 'LimitRange', { spec: { limits } })).toEqual({ spec: { limits } });
  });
});
