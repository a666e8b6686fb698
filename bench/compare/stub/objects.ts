// The objects of the measurements, from a seed: the same number gives the same bytes, on every machine.
export type ObjectKind = 'pods' | 'widgets';

export interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  /** The path of the collection over all namespaces. */
  readonly path: string;
}

export const resources: Readonly<Record<ObjectKind, Resource>> = {
  pods: { apiVersion: 'v1', kind: 'Pod', path: '/api/v1/pods' },
  widgets: { apiVersion: 'bench.example.com/v1', kind: 'Widget', path: '/apis/bench.example.com/v1/widgets' },
};

/** Sixteen digits of microseconds, written over when an event is sent at a given pace. */
export const unsent = '0000000000000000';
const sent = 'bench.example.com/sent';

/** A number of 32 bits from a seed and what it is for. */
function drawn(seed: number, salt: number): number {
  let x = (seed * 0x9e3779b1 + salt * 0x85ebca6b) >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad) >>> 0;
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97) >>> 0;
  return (x ^ (x >>> 15)) >>> 0;
}

const hex = (seed: number, salt: number): string => drawn(seed, salt).toString(16).padStart(8, '0');

function uidOf(i: number): string {
  const [a, b, c, d] = [hex(i, 1), hex(i, 2), hex(i, 3), hex(i, 4)];
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-a${c.slice(1, 4)}-${c.slice(4)}${d}`;
}

interface Drawn {
  readonly index: number;
  readonly resourceVersion: string;
  /** Counts what changed: 0 for the first state. */
  readonly generation: number;
}

function metadataOf(one: string, { index, resourceVersion, generation }: Drawn): Record<string, unknown> {
  const labels = {
    'app.kubernetes.io/name': `app-${drawn(index, 5) % 200}`,
    'app.kubernetes.io/managed-by': 'bench',
    'bench.example.com/group': `group-${index % 50}`,
  };
  return {
    name: `${one}-${index}`,
    namespace: `team-${index % 100}`,
    uid: uidOf(index),
    resourceVersion,
    generation: generation + 1,
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels,
    annotations: { [sent]: unsent },
  };
}

function widget(given: Drawn): object {
  const { index, generation } = given;
  const parts = Array.from({ length: 6 }, (_, i) => ({
    name: `part-${drawn(index, 10 + i) % 1000}`,
    quantity: drawn(index, 20 + i) % 50,
  }));
  const settings = Object.fromEntries(
    Array.from({ length: 9 }, (_, i) => [`setting-${i}`, `value-${hex(index, 30 + i)}`]),
  );
  return {
    ...{ apiVersion: 'bench.example.com/v1', kind: 'Widget', metadata: metadataOf('widget', given) },
    spec: { size: generation, color: `color-${index % 50}`, parts, settings },
    status: { observedGeneration: generation, runs: 0 },
  };
}

const time = '2026-01-01T00:00:05Z';
const condition = (type: string): object => ({ type, status: 'True', lastProbeTime: null, lastTransitionTime: time });

function container(index: number, at: number): Record<string, unknown> {
  const env = Array.from({ length: 4 }, (_, i) => ({
    name: `SETTING_${i}`,
    value: `value-${hex(index, 100 + 10 * at + i)}`,
  }));
  return {
    name: `container-${at}`,
    image: `registry.example.com/team/app-${drawn(index, 5) % 200}:v1.${drawn(index, 6) % 40}.0`,
    ports: [{ name: 'http', containerPort: 8080 + at, protocol: 'TCP' }],
    env,
    resources: { limits: { cpu: '500m', memory: '256Mi' }, requests: { cpu: '100m', memory: '128Mi' } },
    volumeMounts: [
      { name: 'kube-api-access', readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' },
    ],
    livenessProbe: {
      httpGet: { path: '/healthz', port: 'http', scheme: 'HTTP' },
      timeoutSeconds: 1,
      periodSeconds: 10,
    },
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: 'IfNotPresent',
  };
}

/** What kubelet and scheduler leave behind: about a third of a Pod's bytes. */
function managedFields(): object[] {
  const own = (manager: string, fieldsV1: object, subresource?: string): object => ({
    ...{ manager, operation: 'Update', apiVersion: 'v1', time, fieldsType: 'FieldsV1', fieldsV1 },
    ...(subresource !== undefined && { subresource }),
  });
  const env = Object.fromEntries(
    Array.from({ length: 6 }, (_, i) => [`k:{"name":"SETTING_${i}"}`, { '.': {}, 'f:name': {}, 'f:value': {} }]),
  );
  const fields = {
    '.': {},
    'f:env': { '.': {}, ...env },
    'f:image': {},
    'f:imagePullPolicy': {},
    'f:name': {},
    'f:resources': {},
  };
  const spec = { 'f:containers': { 'k:{"name":"container-0"}': fields, 'k:{"name":"container-1"}': fields } };
  const types = ['ContainersReady', 'Initialized', 'Ready'].map((type) => [
    `k:{"type":"${type}"}`,
    { '.': {}, 'f:lastProbeTime': {}, 'f:lastTransitionTime': {}, 'f:status': {}, 'f:type': {} },
  ]);
  const status = {
    'f:conditions': Object.fromEntries(types),
    'f:containerStatuses': {},
    'f:hostIP': {},
    'f:phase': {},
    'f:podIP': {},
  };
  return [own('kube-controller-manager', { 'f:spec': spec }), own('kubelet', { 'f:status': status }, 'status')];
}

function pod(given: Drawn): object {
  const { index, generation } = given;
  const address = `10.${drawn(index, 7) % 256}.${drawn(index, 8) % 256}.${drawn(index, 9) % 256}`;
  const owner = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    name: `app-${index % 997}`,
    uid: uidOf(index % 997),
    controller: true,
    blockOwnerDeletion: true,
  };
  const token = { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } };
  const statuses = [0, 1].map((at) => ({
    ...{
      name: `container-${at}`,
      state: { running: { startedAt: time } },
      lastState: {},
      ready: true,
      restartCount: generation,
    },
    ...{ image: `registry.example.com/team/app:v1`, imageID: `sha256:${hex(index, 40 + at).repeat(8)}`, started: true },
    containerID: `containerd://${hex(index, 50 + at).repeat(8)}`,
  }));
  return {
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: { ...metadataOf('pod', given), ownerReferences: [owner], managedFields: managedFields() },
    spec: {
      volumes: [{ name: 'kube-api-access', projected: { sources: [token], defaultMode: 420 } }],
      containers: [container(index, 0), container(index, 1)],
      ...{
        restartPolicy: 'Always',
        terminationGracePeriodSeconds: 30,
        dnsPolicy: 'ClusterFirst',
        serviceAccountName: 'default',
      },
      ...{ nodeName: `node-${index % 50}`, securityContext: {}, schedulerName: 'default-scheduler', priority: 0 },
      tolerations: ['not-ready', 'unreachable'].map((what) => ({
        ...{ key: `node.kubernetes.io/${what}`, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
      })),
    },
    status: {
      phase: 'Running',
      conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(condition),
      ...{ hostIP: '10.0.0.1', podIP: address, podIPs: [{ ip: address }], startTime: time, qosClass: 'Burstable' },
      containerStatuses: statuses,
    },
  };
}

export function objectText(kind: ObjectKind, given: Drawn): string {
  return JSON.stringify(kind === 'pods' ? pod(given) : widget(given));
}
