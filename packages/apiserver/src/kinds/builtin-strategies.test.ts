import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { builtinStrategy } from './builtin-kinds.ts';
import { builtinResources } from './builtin.ts';
import type { StrategyContext } from './definition.ts';
import { serviceRange } from './service-range.ts';

function context(): StrategyContext {
  let last = 0;
  return {
    now: () => '2026-01-01T00:00:00Z',
    serviceRange: serviceRange(),
    sequence: () => (last += 1),
    isAddressTaken: () => false,
    isNodePortTaken: ({ number, protocol }) => number === 30_009 && protocol === 'TCP',
  };
}

function created(group: string, kind: string, object: JsonObject): JsonObject {
  return builtinStrategy(group, kind).prepareForCreate?.(structuredClone(object), context()) ?? object;
}

function updated(group: string, kind: string, change: { to: JsonObject; from: JsonObject }): JsonObject {
  const strategy = builtinStrategy(group, kind);
  return strategy.prepareForUpdate?.(structuredClone(change.to), change.from, context()) ?? change.to;
}

const labelled = (kind: string, group = ''): string => `${kind}${group === '' ? '' : `.${group}`}`;
const kindsWhere = (holds: (strategy: ReturnType<typeof builtinStrategy>) => boolean): string[] =>
  builtinResources()
    .filter(({ strategy }) => holds(strategy))
    .map(({ kind, group }) => labelled(kind, group))
    .toSorted();

describe('what differs between kinds', () => {
  test('every served kind has a strategy, and an unknown one says what to do', () => {
    expect(builtinResources().every(({ strategy }) => strategy.prepareForCreate !== undefined)).toBe(true);
    expect(() => builtinStrategy('', 'Nothing')).toThrow('no row for Nothing');
  });

  test('generation is kept by workloads and their like alone', () => {
    expect(kindsWhere(({ generation }) => generation)).toEqual([
      'CronJob.batch',
      'CustomResourceDefinition.apiextensions.k8s.io',
      'DaemonSet.apps',
      'Deployment.apps',
      'DeviceClass.resource.k8s.io',
      'EndpointSlice.discovery.k8s.io',
      'FlowSchema.flowcontrol.apiserver.k8s.io',
      'Ingress.networking.k8s.io',
      'IngressClass.networking.k8s.io',
      'Job.batch',
      'MutatingAdmissionPolicy.admissionregistration.k8s.io',
      'MutatingAdmissionPolicyBinding.admissionregistration.k8s.io',
      'MutatingWebhookConfiguration.admissionregistration.k8s.io',
      'NetworkPolicy.networking.k8s.io',
      'Pod',
      'PodDisruptionBudget.policy',
      'PodTemplate',
      'PriorityClass.scheduling.k8s.io',
      'PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io',
      'ReplicaSet.apps',
      'ReplicationController',
      'ResourceSlice.resource.k8s.io',
      'StatefulSet.apps',
      'ValidatingAdmissionPolicy.admissionregistration.k8s.io',
      'ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io',
      'ValidatingWebhookConfiguration.admissionregistration.k8s.io',
    ]);
  });

  test('PUT needs a resourceVersion for the few kinds that refuse unconditional updates', () => {
    expect(kindsWhere(({ unconditionalUpdate }) => !unconditionalUpdate)).toEqual([
      'APIService.apiregistration.k8s.io',
      'CSIDriver.storage.k8s.io',
      'CSINode.storage.k8s.io',
      'CSIStorageCapacity.storage.k8s.io',
      'CustomResourceDefinition.apiextensions.k8s.io',
      'Lease.coordination.k8s.io',
      'MutatingAdmissionPolicy.admissionregistration.k8s.io',
      'MutatingAdmissionPolicyBinding.admissionregistration.k8s.io',
      'MutatingWebhookConfiguration.admissionregistration.k8s.io',
      'PodDisruptionBudget.policy',
      'RuntimeClass.node.k8s.io',
      'ValidatingAdmissionPolicy.admissionregistration.k8s.io',
      'ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io',
      'ValidatingWebhookConfiguration.admissionregistration.k8s.io',
      'VolumeAttachment.storage.k8s.io',
    ]);
  });

  test('PUT of a missing object creates it for the few kinds that allow it', () => {
    expect(kindsWhere(({ createOnUpdate }) => createOnUpdate)).toEqual([
      'ClusterRole.rbac.authorization.k8s.io',
      'ClusterRoleBinding.rbac.authorization.k8s.io',
      'Endpoints',
      'Event',
      'Event.events.k8s.io',
      'Lease.coordination.k8s.io',
      'LimitRange',
      'Role.rbac.authorization.k8s.io',
      'RoleBinding.rbac.authorization.k8s.io',
      'RuntimeClass.node.k8s.io',
      'Service',
    ]);
  });

  test('names: labels for namespaces, services and what numbers its pods, path segments for RBAC, addresses and certificate requests, subdomains for the rest', () => {
    expect(kindsWhere(({ nameRule }) => nameRule === 'label')).toEqual(['Namespace', 'Service', 'StatefulSet.apps']);
    expect(kindsWhere(({ nameRule }) => nameRule === 'path-segment')).toHaveLength(7);
  });
});

const container = { name: 'web', image: 'nginx:1.27' };

describe('API-C15: defaults of built-in kinds', () => {
  test('Pod', () => {
    expect(created('', 'Pod', { metadata: { name: 'p' }, spec: { containers: [container] } })).toEqual({
      metadata: { name: 'p' },
      spec: {
        containers: [
          {
            ...container,
            imagePullPolicy: 'IfNotPresent',
            resources: {},
            terminationMessagePath: '/dev/termination-log',
            terminationMessagePolicy: 'File',
          },
        ],
        dnsPolicy: 'ClusterFirst',
        enableServiceLinks: true,
        restartPolicy: 'Always',
        schedulerName: 'default-scheduler',
        securityContext: {},
        terminationGracePeriodSeconds: 30,
      },
      status: { phase: 'Pending', qosClass: 'BestEffort' },
    });
  });

  test.each([
    ['nginx', 'Always'],
    ['nginx:latest', 'Always'],
    ['registry:5000/nginx', 'Always'],
    ['registry:5000/nginx:1', 'IfNotPresent'],
    ['nginx@sha256:abc', 'IfNotPresent'],
    [`nginx@sha256:${'a'.repeat(64)}`, 'IfNotPresent'],
    [`nginx:latest@sha256:${'a'.repeat(64)}`, 'Always'],
    ['a'.repeat(64), 'IfNotPresent'],
    ['Nginx', 'IfNotPresent'],
    ['Registry/nginx', 'Always'],
    [' nginx', 'IfNotPresent'],
    ['a-'.repeat(1_000_000), 'IfNotPresent'],
  ])('Pod: the image %s is pulled %s', (image, imagePullPolicy) => {
    const pod = created('', 'Pod', { spec: { containers: [{ name: 'web', image }] } });
    expect(pod).toMatchObject({ spec: { containers: [{ imagePullPolicy }] } });
  });

  test('Pod: probes, ports, volumes and requests', () => {
    const pod = created('', 'Pod', {
      spec: {
        serviceAccountName: 'robot',
        containers: [
          {
            ...container,
            ports: [{ containerPort: 80 }],
            readinessProbe: { httpGet: { port: 80 } },
            env: [{ name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
            resources: { limits: { cpu: '1', memory: '1Gi' } },
          },
        ],
        volumes: [{ name: 'scratch' }, { name: 'config', configMap: { name: 'c' } }],
      },
    });
    expect(pod).toMatchObject({
      spec: {
        serviceAccount: 'robot',
        containers: [
          {
            ports: [{ protocol: 'TCP' }],
            readinessProbe: {
              httpGet: { path: '/', scheme: 'HTTP' },
              timeoutSeconds: 1,
              periodSeconds: 10,
              successThreshold: 1,
              failureThreshold: 3,
            },
            env: [{ valueFrom: { fieldRef: { apiVersion: 'v1' } } }],
            resources: { requests: { cpu: '1', memory: '1Gi' } },
          },
        ],
        volumes: [{ emptyDir: {} }, { configMap: { defaultMode: 420 } }],
      },
      status: { qosClass: 'Guaranteed' },
    });
  });

  test('Deployment', () => {
    const spec = { selector: { matchLabels: { app: 'web' } }, template: { spec: { containers: [container] } } };
    expect(created('apps', 'Deployment', { spec })).toMatchObject({
      spec: {
        replicas: 1,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
        template: { spec: { restartPolicy: 'Always', containers: [{ imagePullPolicy: 'IfNotPresent' }] } },
      },
    });
    const kept = { ...spec, replicas: 0, strategy: { type: 'Recreate' } };
    expect(created('apps', 'Deployment', { spec: kept })).toMatchObject({
      spec: { replicas: 0, strategy: { type: 'Recreate' } },
    });
    expect(created('apps', 'Deployment', { spec: kept })).not.toHaveProperty('spec.strategy.rollingUpdate');
  });

  test('Service', () => {
    const service = { spec: { ports: [{ port: 80 }, { port: 443, targetPort: 'https' }] } };
    expect(created('', 'Service', service)).toEqual({
      spec: {
        type: 'ClusterIP',
        clusterIP: '10.96.0.2',
        clusterIPs: ['10.96.0.2'],
        sessionAffinity: 'None',
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
        internalTrafficPolicy: 'Cluster',
        ports: [
          { port: 80, protocol: 'TCP', targetPort: 80 },
          { port: 443, protocol: 'TCP', targetPort: 'https' },
        ],
      },
      status: { loadBalancer: {} },
    });
  });

  test('Service: headless, external and node-port forms', () => {
    expect(created('', 'Service', { spec: { clusterIP: 'None' } })).toMatchObject({
      spec: { clusterIP: 'None', clusterIPs: ['None'] },
    });
    const external = created('', 'Service', { spec: { type: 'ExternalName', externalName: 'a.b' } });
    expect(external).not.toHaveProperty('spec.clusterIP');
    expect(created('', 'Service', { spec: { type: 'NodePort', ports: [{ port: 80 }] } })).toMatchObject({
      spec: { externalTrafficPolicy: 'Cluster', ports: [{ nodePort: 30_002 }] },
    });
  });

  test('Service: an update that leaves the allocated fields out keeps them', () => {
    const from = created('', 'Service', { spec: { type: 'NodePort', ports: [{ port: 80 }] } });
    const to = { spec: { type: 'NodePort', ports: [{ port: 80, name: 'http' }] } };
    expect(updated('', 'Service', { to, from })).toMatchObject({
      spec: {
        clusterIP: '10.96.0.2',
        clusterIPs: ['10.96.0.2'],
        ipFamilies: ['IPv4'],
        ports: [{ name: 'http', nodePort: 30_002 }],
      },
    });
  });

  test('Secret: Opaque, and stringData is folded into data', () => {
    const secret = created('', 'Secret', { data: { a: 'b2xk', b: 'Yg==' }, stringData: { a: 'new ü' } });
    expect(secret).toEqual({ type: 'Opaque', data: { a: Buffer.from('new ü').toString('base64'), b: 'Yg==' } });
  });
});

describe('other kinds', () => {
  test('Namespace: its name as label, the finalizer, the phase', () => {
    const namespace = created('', 'Namespace', { metadata: { name: 'shop' } });
    expect(namespace).toEqual({
      metadata: { name: 'shop', labels: { 'kubernetes.io/metadata.name': 'shop' } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
    const to = { metadata: { name: 'shop', labels: { 'kubernetes.io/metadata.name': 'other' } }, spec: {} };
    expect(updated('', 'Namespace', { to, from: namespace })).toMatchObject({
      metadata: { labels: { 'kubernetes.io/metadata.name': 'shop' } },
      spec: { finalizers: ['kubernetes'] },
    });
  });

  test('Job: counts, and a selector by its uid', () => {
    const job = created('batch', 'Job', { metadata: { name: 'j', uid: 'u1' }, spec: { template: {} } });
    expect(job).toMatchObject({
      spec: {
        completions: 1,
        parallelism: 1,
        backoffLimit: 6,
        selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': 'u1' } },
        template: { metadata: { labels: { 'job-name': 'j', 'controller-uid': 'u1' } } },
      },
    });
  });

  test('CustomResourceDefinition: names derived from the kind, no conversion', () => {
    const crd = created('apiextensions.k8s.io', 'CustomResourceDefinition', {
      spec: { names: { kind: 'WebApp', plural: 'webapps' } },
    });
    expect(crd).toMatchObject({
      spec: { names: { singular: 'webapp', listKind: 'WebAppList' }, conversion: { strategy: 'None' } },
    });
  });

  test('values of a wrong type are left for validation to complain about', () => {
    const wrong = { metadata: { name: 'x' }, spec: 'nonsense', data: 3 };
    for (const { group, kind, strategy } of builtinResources()) {
      const made = strategy.prepareForCreate?.(structuredClone(wrong) as JsonObject, context());
      expect({ group, kind, ...made }).toMatchObject({ spec: 'nonsense' });
    }
  });

  test('defaulting twice changes nothing', () => {
    const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [container] } };
    const object = { metadata: { name: 'x', uid: 'u' }, spec: { template, ports: [{ port: 1 }] } };
    for (const { group, version, kind, strategy } of builtinResources()) {
      const once = strategy.prepareForCreate?.(structuredClone(object) as JsonObject, context()) ?? {};
      const twice = strategy.prepareForUpdate?.(structuredClone(once), once, context());
      expect({ group, version, kind, ...twice }).toEqual({ group, version, kind, ...once });
    }
  });
});

test('a port of the nodes that another Service has is not handed out', () => {
  const several = Array.from({ length: 9 }, (_, index) => ({ name: `p${index}`, port: 80 + index }));
  const service = { spec: { type: 'NodePort', ports: several } };
  const { ports } = created('', 'Service', service)['spec'] as { ports: { nodePort: number }[] };
  expect(ports.map(({ nodePort }) => nodePort)).toEqual([2, 3, 4, 5, 6, 7, 8, 10, 11].map((more) => 30_000 + more));
});
