// What the server fills in where a built-in object says nothing.
import type { Case, Json } from '../../src/case.ts';
import { claim, mergePatch, post, put } from '../../src/steps.ts';
import {
  deployment,
  deployments,
  manifest,
  pod,
  pods,
  podTemplate,
  secret,
  secrets,
  service,
  services,
} from './manifests.ts';

const section = 'create-update';

const filled = (step: string, defaults: Readonly<Record<string, Json>>): Case['claims'] =>
  Object.entries(defaults).map(([at, value]) => claim(`${at} by default`, `${step}.body.${at}`, { is: value }));

const container = (image: string): Json => ({ spec: { containers: [{ name: 'c', image }] } });

export const defaults: readonly Case[] = [
  {
    id: 'c15-pod',
    section,
    shows: ['API-C15'],
    title: 'the defaults of a Pod',
    steps: [post('create', pods, pod('x'))],
    claims: filled('create', {
      'spec.restartPolicy': 'Always',
      'spec.dnsPolicy': 'ClusterFirst',
      'spec.terminationGracePeriodSeconds': 30,
      'spec.schedulerName': 'default-scheduler',
      'spec.securityContext': {},
      'spec.enableServiceLinks': true,
      'spec.containers.0.imagePullPolicy': 'IfNotPresent',
      'spec.containers.0.terminationMessagePath': '/dev/termination-log',
      'spec.containers.0.terminationMessagePolicy': 'File',
      'spec.containers.0.resources': {},
      'status.phase': 'Pending',
      'status.qosClass': 'BestEffort',
    }),
  },
  {
    id: 'c15-pod-image-pull',
    section,
    shows: ['API-C15'],
    title: 'the pull policy follows the tag of the image',
    steps: [
      post('tagged', pods, { ...pod('tagged'), ...(container('example.com/c:1') as object) }),
      post('latest', pods, { ...pod('latest'), ...(container('example.com/c:latest') as object) }),
      post('untagged', pods, { ...pod('untagged'), ...(container('example.com/c') as object) }),
      post('digest', pods, { ...pod('digest'), ...(container(`example.com/c@sha256:${'0'.repeat(64)}`) as object) }),
    ],
    claims: [
      ...filled('tagged', { 'spec.containers.0.imagePullPolicy': 'IfNotPresent' }),
      ...filled('latest', { 'spec.containers.0.imagePullPolicy': 'Always' }),
      ...filled('untagged', { 'spec.containers.0.imagePullPolicy': 'Always' }),
      ...filled('digest', { 'spec.containers.0.imagePullPolicy': 'IfNotPresent' }),
    ],
  },
  {
    id: 'c15-pod-in-full',
    section,
    shows: ['API-C15'],
    title: 'the defaults of ports, probes, volumes, limits and init containers of a Pod',
    steps: [
      post('create', pods, {
        ...pod('x'),
        spec: {
          serviceAccountName: 'me',
          initContainers: [{ name: 'i', image: 'example.com/i:1' }],
          containers: [
            {
              name: 'c',
              image: 'example.com/c:1',
              ports: [{ containerPort: 80 }],
              env: [{ name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
              readinessProbe: { httpGet: { port: 80 } },
              livenessProbe: { tcpSocket: { port: 80 } },
              lifecycle: { preStop: { httpGet: { port: 80 } } },
              resources: { limits: { cpu: '1', memory: '64Mi' } },
              volumeMounts: [{ name: 'config', mountPath: '/config' }],
            },
          ],
          volumes: [
            { name: 'config', configMap: { name: 'm' } },
            { name: 'secret', secret: { secretName: 's' } },
            { name: 'scratch' },
            { name: 'host', hostPath: { path: '/tmp' } },
            { name: 'down', downwardAPI: { items: [{ path: 'l', fieldRef: { fieldPath: 'metadata.labels' } }] } },
            { name: 'all', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
          ],
        },
      }),
    ],
    claims: filled('create', {
      'spec.containers.0.ports': [{ containerPort: 80, protocol: 'TCP' }],
      'spec.containers.0.readinessProbe': {
        httpGet: { path: '/', port: 80, scheme: 'HTTP' },
        timeoutSeconds: 1,
        periodSeconds: 10,
        successThreshold: 1,
        failureThreshold: 3,
      },
      'spec.containers.0.resources.requests': { cpu: '1', memory: '64Mi' },
      'spec.volumes.0.configMap.defaultMode': 420,
      'spec.volumes.2': { name: 'scratch', emptyDir: {} },
      'spec.initContainers.0.imagePullPolicy': 'IfNotPresent',
    }),
  },
  {
    id: 'c15-deployment',
    section,
    shows: ['API-C15'],
    title: 'the defaults of a Deployment, and of its template',
    steps: [post('create', deployments, deployment('x'))],
    claims: filled('create', {
      'spec.replicas': 1,
      'spec.strategy': { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
      'spec.revisionHistoryLimit': 10,
      'spec.progressDeadlineSeconds': 600,
      'spec.template.spec.restartPolicy': 'Always',
      'spec.template.spec.dnsPolicy': 'ClusterFirst',
      'spec.template.spec.terminationGracePeriodSeconds': 30,
      'spec.template.spec.schedulerName': 'default-scheduler',
      'spec.template.spec.containers.0.imagePullPolicy': 'IfNotPresent',
    }),
  },
  {
    id: 'c15-deployment-recreate',
    section,
    shows: ['API-C15'],
    title: 'what is given stays, and an update is filled in again',
    steps: [
      post('create', deployments, {
        ...deployment('x'),
        spec: {
          selector: { matchLabels: { app: 'a' } },
          template: podTemplate,
          replicas: 0,
          strategy: { type: 'Recreate' },
          revisionHistoryLimit: 0,
        },
      }),
      mergePatch('emptied', `${deployments}/x`, { spec: { replicas: null, revisionHistoryLimit: null } }),
      put('put', `${deployments}/x`, deployment('x')),
    ],
    claims: [
      ...filled('create', {
        'spec.replicas': 0,
        'spec.strategy': { type: 'Recreate' },
        'spec.revisionHistoryLimit': 0,
      }),
      ...filled('emptied', { 'spec.replicas': 1, 'spec.revisionHistoryLimit': 10 }),
      ...filled('put', { 'spec.strategy.type': 'RollingUpdate' }),
    ],
  },
  {
    id: 'c15-service',
    section,
    shows: ['API-C15'],
    title: 'the defaults of a Service',
    steps: [post('create', services, service('x'))],
    claims: [
      claim('clusterIP by default', 'create.body.spec.clusterIP', { matches: '^(\\d+\\.){3}\\d+$' }),
      claim('clusterIPs has the same', 'create.body.spec.clusterIPs.0', { sameAs: 'create.body.spec.clusterIP' }),
      ...filled('create', {
        'spec.type': 'ClusterIP',
        'spec.sessionAffinity': 'None',
        'spec.ipFamilies': ['IPv4'],
        'spec.ipFamilyPolicy': 'SingleStack',
        'spec.internalTrafficPolicy': 'Cluster',
        'spec.ports': [{ protocol: 'TCP', port: 80, targetPort: 80 }],
        status: { loadBalancer: {} },
      }),
    ],
  },
  {
    id: 'c15-service-kinds',
    section,
    shows: ['API-C15'],
    title: 'the defaults of the other forms of a Service',
    steps: [
      post('headless', services, { ...service('headless'), spec: { clusterIP: 'None', ports: [{ port: 80 }] } }),
      post('external', services, {
        ...service('external'),
        spec: { type: 'ExternalName', externalName: 'example.com' },
      }),
      post('node-port', services, {
        ...service('node-port'),
        spec: { type: 'NodePort', ports: [{ port: 80, targetPort: 'http' }] },
      }),
      post('balanced', services, { ...service('balanced'), spec: { type: 'LoadBalancer', ports: [{ port: 80 }] } }),
      post('sticky', services, {
        ...service('sticky'),
        spec: { sessionAffinity: 'ClientIP', ports: [{ port: 80 }, { name: 'b', port: 81 }] },
      }),
      post('sticky-one', services, {
        ...service('sticky-one'),
        spec: { sessionAffinity: 'ClientIP', ports: [{ port: 80 }] },
      }),
    ],
    claims: [
      ...filled('headless', { 'spec.clusterIP': 'None', 'spec.clusterIPs': ['None'], 'spec.type': 'ClusterIP' }),
      claim('no address for an external name', 'external.body.spec.clusterIP', { present: false }),
      claim('a node port', 'node-port.body.spec.ports.0.nodePort', { atLeast: 30000 }),
      ...filled('node-port', { 'spec.externalTrafficPolicy': 'Cluster' }),
      ...filled('balanced', { 'spec.allocateLoadBalancerNodePorts': true }),
      ...filled('sticky-one', { 'spec.sessionAffinityConfig': { clientIP: { timeoutSeconds: 10800 } } }),
    ],
  },
  {
    id: 'c15-secret',
    section,
    shows: ['API-C15'],
    title: 'the defaults of a Secret: Opaque, and stringData folded in',
    steps: [
      post('create', secrets, secret('x', { data: { a: 'MQ==', b: 'MQ==' }, stringData: { b: '2', c: '3' } })),
      post('empty', secrets, secret('empty')),
      mergePatch('patch', `${secrets}/x`, { stringData: { a: '4' } }),
      put('put', `${secrets}/x`, secret('x', { stringData: { d: '5' } })),
    ],
    claims: [
      ...filled('create', { type: 'Opaque', data: { a: 'MQ==', b: 'Mg==', c: 'Mw==' } }),
      claim('stringData is gone', 'create.body.stringData', { present: false }),
      ...filled('empty', { type: 'Opaque' }),
      ...filled('patch', { data: { a: 'NA==', b: 'Mg==', c: 'Mw==' } }),
      ...filled('put', { data: { d: 'NQ==' } }),
    ],
  },
  {
    id: 'c15-service-given-address',
    section,
    shows: ['API-C15', 'API-C16'],
    title: 'a Service keeps its address when a PUT leaves it out',
    steps: [
      post('create', services, service('x'), { setup: true }),
      put('put', `${services}/x`, service('x', { metadata: { labels: { a: 'b' } } })),
      mergePatch('taken', `${services}/x`, { spec: { clusterIP: '10.0.0.0' } }),
      post(
        'twice',
        services,
        manifest(['v1', 'Service'], 'y', {
          spec: { clusterIP: '{{create.body.spec.clusterIP}}', ports: [{ port: 80 }] },
        }),
        { only: ['status', 'body.reason'], because: 'the address allocated stands in the message' },
      ),
    ],
    claims: [
      claim('the same address', 'put.body.spec.clusterIP', { sameAs: 'create.body.spec.clusterIP' }),
      claim('it is immutable', 'taken.status', { is: 422 }),
      claim('nobody else may have it', 'twice.status', { is: 422 }),
    ],
  },
];
