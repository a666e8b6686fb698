// What built-in kinds refuse: metadata, missing fields, and what may not change.
import type { Case, Claim, Json, Step } from '../../src/case.ts';
import { apply, claim, configMap, configMaps, jsonPatch, mergePatch, post, put } from '../../src/steps.ts';
import {
  deployment,
  deployments,
  inNamespace,
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
const claims = inNamespace('v1', 'persistentvolumeclaims');
const statefulSets = inNamespace('apps/v1', 'statefulsets');
const daemonSets = inNamespace('apps/v1', 'daemonsets');
const replicaSets = inNamespace('apps/v1', 'replicasets');
const jobs = inNamespace('batch/v1', 'jobs');
const selector = { matchLabels: { app: 'a' } };
const otherSelector = { matchLabels: { app: 'b' } };

const refused = (step: string, field?: string): Claim[] => [
  claim(`422: ${step}`, `${step}.status`, { is: 422 }),
  ...(field === undefined
    ? []
    : [claim(`because of ${field}: ${step}`, `${step}.body.details.causes`, { contains: { field } })]),
];
const taken = (step: string): Claim => claim(`taken: ${step}`, `${step}.status`, { is: 200 });

const setup = { setup: true };
const volumeClaim = (name: string, spec: { readonly [key: string]: Json }): { readonly [key: string]: Json } =>
  manifest(['v1', 'PersistentVolumeClaim'], name, {
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: '',
      resources: { requests: { storage: '1Gi' } },
      ...spec,
    },
  });
const scalers = inNamespace('autoscaling/v2', 'horizontalpodautoscalers');
/** Scales a kind of the core group. */
const scaler = (name: string, kind: string, maxReplicas = 3): { readonly [key: string]: Json } =>
  manifest(['autoscaling/v2', 'HorizontalPodAutoscaler'], name, {
    spec: { maxReplicas, scaleTargetRef: { apiVersion: 'v1', kind, name: 'x' } },
  });
const ports = (name: string, list: readonly Json[]): Json => service(name, { spec: { ports: list } });
const changes = (path: string, list: Readonly<Record<string, Json>>): Step[] =>
  Object.entries(list).map(([step, patch]) => mergePatch(step, path, patch));

/** Refused in words that end in Go's memory (API-Q8), so that their beginnings are claimed. */
const wordy = (path: string, list: Readonly<Record<string, Json>>): Step[] =>
  Object.entries(list).map(([step, patch]) =>
    mergePatch(step, path, patch, {
      mask: ['body.message', 'body.details.causes.0.message'],
      because:
        'real goes on with structs of its own memory, which q8-memory compares; claims have the words before them',
    }),
  );
const says = (step: string, words: string): Claim =>
  claim(`the words: ${step}`, `${step}.body.details.causes.0.message`, { contains: words });

const metadataSteps: Readonly<Record<string, { readonly [key: string]: Json }>> = {
  'label-key': { labels: { 'not valid': 'v' } },
  'label-value': { labels: { a: 'not valid' } },
  'label-length': { labels: { a: 'v'.repeat(64) } },
  'annotation-key': { annotations: { 'not valid': 'v' } },
  'generate-name': { generateName: 'NOT-' },
};

export const validation: readonly Case[] = [
  {
    id: 'c16-metadata',
    section,
    shows: ['API-C16', 'API-E9'],
    title: 'labels and annotations must have valid keys, labels valid values',
    steps: [
      ...Object.entries(metadataSteps).map(([step, metadata]) =>
        post(step, configMaps, configMap(step, { metadata: { ...metadata } })),
      ),
      post(
        'annotation-size',
        configMaps,
        configMap('annotation-size', { metadata: { annotations: { a: '{{times:262145::v}}' } } }),
      ),
    ],
    claims: [
      ...refused('label-key', 'metadata.labels'),
      ...refused('label-value', 'metadata.labels'),
      ...refused('label-length', 'metadata.labels'),
      ...refused('annotation-key', 'metadata.annotations'),
      ...refused('generate-name', 'metadata.generateName'),
      ...refused('annotation-size', 'metadata.annotations'),
    ],
  },
  {
    id: 'c16-required-fields',
    section,
    shows: ['API-C16', 'API-E9'],
    title: 'fields that are required',
    steps: [
      post('pod', pods, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' } }),
      post('container', pods, pod('x', { spec: { containers: [{}] } })),
      post('deployment', deployments, deployment('x', { spec: {} })),
      post(
        'template-labels',
        deployments,
        deployment('x', { spec: { selector: otherSelector, template: podTemplate } }),
      ),
      post('service', services, service('x', { spec: {} })),
      post('job', jobs, manifest(['batch/v1', 'Job'], 'x', { spec: {} })),
      post('cron', inNamespace('batch/v1', 'cronjobs'), manifest(['batch/v1', 'CronJob'], 'x', { spec: {} })),
      post(
        'ingress',
        inNamespace('networking.k8s.io/v1', 'ingresses'),
        manifest(['networking.k8s.io/v1', 'Ingress'], 'x'),
      ),
      post('claim', claims, manifest(['v1', 'PersistentVolumeClaim'], 'x')),
      post(
        'binding',
        inNamespace('rbac.authorization.k8s.io/v1', 'rolebindings'),
        manifest(['rbac.authorization.k8s.io/v1', 'RoleBinding'], 'x'),
      ),
      post('scaler', inNamespace('autoscaling/v2', 'horizontalpodautoscalers'), {
        apiVersion: 'autoscaling/v2',
        kind: 'HorizontalPodAutoscaler',
        metadata: { name: 'x' },
      }),
    ],
    claims: [
      ...refused('pod', 'spec.containers'),
      ...refused('container', 'spec.containers[0].name'),
      ...refused('container', 'spec.containers[0].image'),
      ...refused('deployment', 'spec.selector'),
      ...refused('template-labels', 'spec.template.metadata.labels'),
      ...refused('service', 'spec.ports'),
      ...refused('job'),
      ...refused('cron', 'spec.schedule'),
      ...refused('ingress', 'spec'),
      ...refused('claim', 'spec.accessModes'),
      ...refused('binding', 'roleRef.name'),
      ...refused('scaler', 'spec.scaleTargetRef.kind'),
    ],
  },
  {
    id: 'c16-autoscaler-target',
    section,
    shows: ['API-C16'],
    title:
      'an autoscaler names the group of what it scales, unless that is a ReplicationController or stood there before',
    steps: [
      post('controller', scalers, scaler('a', 'ReplicationController')),
      post('old-form', inNamespace('autoscaling/v1', 'horizontalpodautoscalers'), {
        ...scaler('b', 'ReplicationController'),
        apiVersion: 'autoscaling/v1',
      }),
      post('another', scalers, scaler('c', 'Thing')),
      put('kept', `${scalers}/a`, scaler('a', 'ReplicationController', 4)),
      put('changed', `${scalers}/a`, scaler('a', 'Thing')),
    ],
    claims: [
      claim('taken', 'controller.status', { is: 201 }),
      claim('taken', 'old-form.status', { is: 201 }),
      ...refused('another', 'spec.scaleTargetRef.apiVersion'),
      claim('taken', 'kept.status', { is: 200 }),
      ...refused('changed', 'spec.scaleTargetRef.apiVersion'),
    ],
  },
  {
    id: 'c16-immutable-selectors',
    section,
    shows: ['API-C16'],
    title: 'the selector of a workload is immutable',
    steps: [
      post('d', deployments, deployment('x'), setup),
      post(
        's',
        statefulSets,
        manifest(['apps/v1', 'StatefulSet'], 'x', { spec: { selector, serviceName: 's', template: podTemplate } }),
        setup,
      ),
      post(
        'ds',
        daemonSets,
        manifest(['apps/v1', 'DaemonSet'], 'x', { spec: { selector, template: podTemplate } }),
        setup,
      ),
      post(
        'rs',
        replicaSets,
        manifest(['apps/v1', 'ReplicaSet'], 'x', { spec: { selector, template: podTemplate } }),
        setup,
      ),
      ...['deployment', 'daemonset', 'replicaset'].map((step, index) =>
        mergePatch(step, `${[deployments, daemonSets, replicaSets][index] ?? ''}/x`, {
          spec: { selector: otherSelector, template: { metadata: { labels: { app: 'b' } } } },
        }),
      ),
      mergePatch('statefulset', `${statefulSets}/x`, { spec: { serviceName: 'other' } }),
    ],
    claims: [
      ...refused('deployment', 'spec.selector'),
      ...refused('daemonset', 'spec.selector'),
      ...refused('replicaset', 'spec.selector'),
      ...refused('statefulset', 'spec'),
      claim('the words', 'deployment.body.message', { contains: 'field is immutable' }),
    ],
  },
  {
    id: 'c16-immutable-job',
    section,
    shows: ['API-C16'],
    title: 'the selector and the template of a job are immutable',
    steps: [
      post(
        'job',
        jobs,
        manifest(['batch/v1', 'Job'], 'x', {
          spec: {
            template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'example.com/c:1' }] } },
          },
        }),
        setup,
      ),
      ...wordy(`${jobs}/x`, {
        template: { spec: { template: { spec: { containers: [{ name: 'c', image: 'example.com/c:2' }] } } } },
      }),
      ...changes(`${jobs}/x`, {
        completions: { spec: { completions: 5 } },
        parallelism: { spec: { parallelism: 5 } },
      }),
    ],
    claims: [
      ...refused('template', 'spec.template'),
      says('template', 'field is immutable'),
      ...refused('completions', 'spec.completions'),
      taken('parallelism'),
    ],
  },
  {
    id: 'c16-secret',
    section,
    shows: ['API-C16'],
    title: 'the type of a Secret is immutable, and some types need their keys',
    steps: [
      post('create', secrets, secret('x', { data: { k: 'dg==' } }), setup),
      mergePatch('type', `${secrets}/x`, { type: 'example.com/other' }),
      post('tls', secrets, secret('tls', { type: 'kubernetes.io/tls' })),
      post('docker', secrets, secret('docker', { type: 'kubernetes.io/dockerconfigjson' })),
      post('token', secrets, secret('token', { type: 'kubernetes.io/service-account-token' })),
      post('key', secrets, secret('key', { data: { 'not valid': 'dg==' } })),
      mergePatch('immutable', `${secrets}/x`, { immutable: true }),
      mergePatch('again', `${secrets}/x`, { immutable: false }),
    ],
    claims: [
      ...refused('type', 'type'),
      ...refused('tls'),
      ...refused('docker'),
      ...refused('token'),
      ...refused('key', 'data[not valid]'),
      taken('immutable'),
      ...refused('again', 'immutable'),
    ],
  },
  {
    id: 'c16-service-ports',
    section,
    shows: ['API-C16'],
    title: 'the ports of a Service',
    steps: [
      post('range', services, ports('range', [{ port: 0 }])),
      post('too-high', services, ports('too-high', [{ port: 65536 }])),
      post('unnamed', services, ports('unnamed', [{ port: 80 }, { port: 81 }])),
      post(
        'same-name',
        services,
        ports('same-name', [
          { name: 'a', port: 80 },
          { name: 'a', port: 81 },
        ]),
      ),
      post(
        'same-port',
        services,
        ports('same-port', [
          { name: 'a', port: 80 },
          { name: 'b', port: 80 },
        ]),
      ),
      post('protocol', services, ports('protocol', [{ port: 80, protocol: 'ICMP' }])),
      post('target', services, ports('target', [{ port: 80, targetPort: 'not valid' }])),
      post('type', services, service('type', { spec: { type: 'Nonsense', ports: [{ port: 80 }] } })),
      post('external', services, service('external', { spec: { type: 'ExternalName' } })),
    ],
    claims: [
      ...refused('range', 'spec.ports[0].port'),
      ...refused('too-high', 'spec.ports[0].port'),
      ...refused('unnamed', 'spec.ports[0].name'),
      ...refused('same-name', 'spec.ports[1].name'),
      ...refused('same-port', 'spec.ports[1]'),
      ...refused('protocol', 'spec.ports[0].protocol'),
      ...refused('target', 'spec.ports[0].targetPort'),
      ...refused('type', 'spec.type'),
      ...refused('external', 'spec.externalName'),
    ],
  },
  {
    id: 'c16-service-selects-later',
    section,
    shows: ['API-C16'],
    title: 'a headless Service of both families that begins to select needs what a single family cannot give',
    steps: [
      post('made', services, manifest(['v1', 'Service'], 'x', { spec: { clusterIP: 'None' } })),
      put(
        'selects',
        `${services}/x`,
        manifest(['v1', 'Service'], 'x', { spec: { clusterIP: 'None', selector: { a: '1' } } }),
      ),
      mergePatch('single', `${services}/x`, {
        spec: { selector: { a: '1' }, ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4'] },
      }),
    ],
    claims: [claim('both', 'made.status', { is: 201 }), ...refused('selects', 'spec.ipFamilyPolicy'), taken('single')],
  },
  {
    id: 'c16-empty-and-immutable',
    section,
    shows: ['API-C16'],
    title: 'of an immutable ConfigMap or Secret a map without entries is another value than none',
    steps: (
      [
        ['map', configMaps, 'ConfigMap', ['data', 'binaryData']],
        ['secret', secrets, 'Secret', ['data', 'stringData']],
      ] as const
    ).flatMap(([name, path, kind, fields]) => {
      const frozen = (more: { [key: string]: Json }): Json =>
        manifest(['v1', kind], name, { immutable: true, ...more });
      return [
        post(`${name}-made`, path, frozen({})),
        put(`${name}-same`, `${path}/${name}`, frozen({})),
        ...fields.flatMap((field) => [
          put(`${name}-${field}`, `${path}/${name}`, frozen({ [field]: {} })),
          mergePatch(`${name}-${field}-patched`, `${path}/${name}`, { [field]: {} }),
          apply(
            `${name}-${field}-applied`,
            `${path}/${name}?fieldManager=m`,
            manifest(['v1', kind], name, { [field]: {} }),
          ),
          jsonPatch(`${name}-${field}-json`, `${path}/${name}`, [{ op: 'add', path: `/${field}`, value: {} }]),
        ]),
        post(`${name}-empty`, path, manifest(['v1', kind], `${name}-empty`, { immutable: true, data: {} })),
        mergePatch(`${name}-again`, `${path}/${name}-empty`, { data: {} }),
        mergePatch(`${name}-filled`, `${path}/${name}`, { data: {}, stringData: { a: 'b' } }),
      ];
    }),
    claims: [taken('map-same'), ...refused('map-binaryData', 'binaryData'), ...refused('secret-data', 'data')],
  },
  {
    id: 'c16-volume-claim',
    section,
    shows: ['API-C16'],
    title: 'the spec of a PersistentVolumeClaim is immutable but for its size',
    steps: [
      post('create', claims, volumeClaim('x', {}), setup),
      post('mode', claims, volumeClaim('mode', { accessModes: ['Sometimes'] })),
      post('size', claims, volumeClaim('size', { resources: {} })),
      ...wordy(`${claims}/x`, {
        'access-mode': { spec: { accessModes: ['ReadWriteMany'] } },
        'storage-class': { spec: { storageClassName: 'other' } },
        smaller: { spec: { resources: { requests: { storage: '1Mi' } } } },
      }),
      ...changes(`${claims}/x`, {
        labels: { metadata: { labels: { a: 'b' } } },
      }),
    ],
    claims: [
      ...refused('mode', 'spec.accessModes'),
      ...refused('size'),
      ...refused('access-mode', 'spec'),
      ...refused('storage-class', 'spec'),
      ...refused('smaller'),
      ...['access-mode', 'storage-class', 'smaller'].map((step) =>
        says(step, 'spec is immutable after creation except resources.requests and volumeAttributesClassName'),
      ),
      taken('labels'),
    ],
  },
  {
    id: 'c16-pod-immutable',
    section,
    shows: ['API-C16'],
    title: 'the spec of a Pod is immutable but for images, tolerations and the deadline',
    steps: [
      post('create', pods, pod('x'), setup),
      ...changes(`${pods}/x`, {
        image: { spec: { containers: [{ name: 'c', image: 'example.com/c:2' }] } },
        deadline: { spec: { activeDeadlineSeconds: 100 } },
        'shorter-deadline': { spec: { activeDeadlineSeconds: 50 } },
        'longer-deadline': { spec: { activeDeadlineSeconds: 200 } },
      }),
      ...wordy(`${pods}/x`, {
        'node-name': { spec: { nodeName: 'n' } },
        restart: { spec: { restartPolicy: 'Never' } },
        environment: {
          spec: { containers: [{ name: 'c', image: 'example.com/c:2', env: [{ name: 'A', value: 'b' }] }] },
        },
        'service-account': { spec: { serviceAccountName: 'other' } },
      }),
      {
        do: 'request',
        name: 'tolerate',
        method: 'PATCH',
        path: `${pods}/x`,
        send: { 'content-type': 'application/json-patch+json' },
        body: { json: [{ op: 'add', path: '/spec/tolerations/-', value: { key: 'k', operator: 'Exists' } }] },
      },
      mergePatch('tolerate-less', `${pods}/x`, { spec: { tolerations: [] } }),
    ],
    claims: [
      taken('image'),
      taken('deadline'),
      taken('shorter-deadline'),
      ...refused('longer-deadline'),
      ...refused('node-name', 'spec'),
      ...refused('restart', 'spec'),
      ...refused('environment', 'spec'),
      ...refused('service-account', 'spec'),
      taken('tolerate'),
      ...refused('tolerate-less'),
      ...['node-name', 'restart', 'environment', 'service-account'].map((step) =>
        says(step, 'Forbidden: pod updates may not change fields other than'),
      ),
    ],
  },
  {
    id: 'q8-memory',
    section,
    shows: ['API-Q8'],
    title: 'a refused change of a Pod is told with the difference of two structs of Go',
    steps: [
      post('create', pods, pod('x'), setup),
      ...changes(`${pods}/x`, { restart: { spec: { restartPolicy: 'Never' } } }),
    ],
    claims: [claim('fields as Go names them', 'restart.body.message', { contains: 'RestartPolicy' })],
  },
];
