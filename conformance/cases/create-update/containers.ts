// What an author gets wrong in a container: probes, hooks, resources, variables; and what is taken with a warning.
import type { Case, Json, Step } from '../../src/case.ts';
import { claim, mergePatch, post } from '../../src/steps.ts';
import { deployment, inNamespace, manifest, pod, podSpec, pods } from './manifests.ts';

type Fields = { readonly [key: string]: Json };

const container = (more: Fields): Fields => ({ name: 'c', image: 'example.com/c:1', ...more });
const tried = (step: string, spec: Fields): Step => post(step, `${pods}?dryRun=All`, pod('p', { spec }));
const withContainer = (step: string, more: Fields, spec: Fields = {}): Step =>
  tried(step, { containers: [container(more)], ...spec });

const web = { httpGet: { path: '/', port: 80 } };

const probes: Case = {
  id: 'c16-probes',
  section: 'create-update',
  shows: ['API-C16'],
  title: 'a probe has one way to ask, and counts that make sense; an init container has none',
  steps: [
    withContainer('fine', { livenessProbe: web, readinessProbe: { ...web, successThreshold: 2 }, startupProbe: web }),
    withContainer('nothing', { livenessProbe: {} }),
    withContainer('two', { readinessProbe: { ...web, exec: { command: ['x'] }, tcpSocket: { port: 1 } } }),
    withContainer('command', { livenessProbe: { exec: { command: [] } } }),
    withContainer('port', { livenessProbe: { httpGet: { port: 0 } } }),
    withContainer('port-name', { livenessProbe: { httpGet: { port: 'NOT_A_NAME' } } }),
    withContainer('scheme', { livenessProbe: { httpGet: { port: 1, scheme: 'ftp' } } }),
    withContainer('header', { livenessProbe: { httpGet: { port: 1, httpHeaders: [{ name: 'a b', value: 'x' }] } } }),
    withContainer('socket', { startupProbe: { tcpSocket: { port: 70_000 } } }),
    withContainer('grpc', { startupProbe: { grpc: { port: 0 } } }),
    withContainer('counts', {
      livenessProbe: {
        ...web,
        initialDelaySeconds: -1,
        timeoutSeconds: -2,
        periodSeconds: -3,
        successThreshold: -4,
        failureThreshold: -5,
      },
    }),
    withContainer('once', { livenessProbe: { ...web, successThreshold: 2 } }),
    withContainer('end', { livenessProbe: { ...web, terminationGracePeriodSeconds: 0 } }),
    withContainer('end-of-readiness', { readinessProbe: { ...web, terminationGracePeriodSeconds: 5 } }),
    withContainer('hooks', { lifecycle: { postStart: {}, preStop: { httpGet: { port: 0 } } } }),
    withContainer('sleep', { lifecycle: { preStop: { sleep: { seconds: 31 } } } }),
    withContainer('sleep-fits', { lifecycle: { preStop: { sleep: { seconds: 30 } } } }),
    tried('init', { ...podSpec, initContainers: [{ ...container({ livenessProbe: web, lifecycle: {} }), name: 'i' }] }),
    tried('sidecar', {
      ...podSpec,
      initContainers: [{ ...container({ restartPolicy: 'Always', startupProbe: {} }), name: 'i' }],
    }),
    post('template', `${inNamespace('apps/v1', 'deployments')}?dryRun=All`, {
      ...deployment('d'),
      spec: {
        selector: { matchLabels: { app: 'x' } },
        template: {
          metadata: { labels: { app: 'x' } },
          spec: { containers: [container({ livenessProbe: { exec: {} } })] },
        },
      },
    }),
  ],
  claims: [
    claim('fine', 'fine.status', { is: 201 }),
    claim('something to ask', 'nothing.status', { is: 422 }),
    claim('only one', 'two.body.details.causes', { length: 2 }),
    claim('in templates too', 'template.body.details.causes.0.field', {
      is: 'spec.template.spec.containers[0].livenessProbe.exec.command',
    }),
  ],
};

const withResources = (step: string, resources: Fields, spec: Fields = {}): Step =>
  withContainer(step, { resources }, spec);

const resources: Case = {
  id: 'c16-resources',
  section: 'create-update',
  shows: ['API-C16'],
  title: 'a container asks for known things, in amounts that fit their limits',
  steps: [
    withResources('fine', { requests: { cpu: '1', 'example.com/gpu': '2' }, limits: { 'example.com/gpu': '2' } }),
    withResources('more', { requests: { cpu: '2' }, limits: { cpu: '1' } }),
    withResources('negative', { requests: { memory: '-1' } }),
    withResources('unknown', { limits: { gpu: '1' } }),
    withResources('name', { limits: { 'example.com/a b': '1' } }),
    withResources('part', { limits: { 'example.com/gpu': '1500m' } }),
    withResources('not-equal', { requests: { 'example.com/gpu': '1' }, limits: { 'example.com/gpu': '2' } }),
    withResources('no-limit', { requests: { 'hugepages-2Mi': '2Mi', cpu: '1' } }),
    withResources('pages-alone', { limits: { 'hugepages-2Mi': '2Mi' } }),
    withResources('pages-broken', { limits: { 'hugepages-2Mi': '3Mi', cpu: '1' } }),
    withResources('claim', { claims: [{ name: 'nobody' }] }),
    withResources(
      'claims',
      { claims: [{ name: 'one' }, { name: 'one' }, { name: 'other' }] },
      { resourceClaims: [{ name: 'one', resourceClaimName: 'x' }] },
    ),
  ],
  claims: [
    claim('fine', 'fine.status', { is: 201 }),
    claim('a request above its limit', 'more.body.details.causes.0.field', {
      is: 'spec.containers[0].resources.requests',
    }),
  ],
};

const variable = (...env: Fields[]): Fields => ({ env });

const variables: Case = {
  id: 'c16-variables',
  section: 'create-update',
  shows: ['API-C16'],
  title: 'a variable has a name and one source',
  steps: [
    withContainer('name', variable({ name: 'a=b', value: 'x' })),
    withContainer('odd-name', variable({ name: '1 a.b-c', value: 'x' })),
    withContainer('no-source', variable({ name: 'A', valueFrom: {} })),
    withContainer('both', variable({ name: 'A', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } })),
    withContainer(
      'two',
      variable({
        name: 'A',
        valueFrom: { fieldRef: { fieldPath: 'metadata.name' }, configMapKeyRef: { name: 'c', key: 'k' } },
      }),
    ),
    withContainer('field', variable({ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.labels' } } })),
    withContainer('no-field', variable({ name: 'A', valueFrom: { fieldRef: { fieldPath: 'spec.nothing' } } })),
    withContainer('label', variable({ name: 'A', valueFrom: { fieldRef: { fieldPath: "metadata.labels['a']" } } })),
    withContainer('no-key', variable({ name: 'A', valueFrom: { secretKeyRef: { name: 's' } } })),
    withContainer('bad-key', variable({ name: 'A', valueFrom: { configMapKeyRef: { name: 'c', key: 'a/b' } } })),
    withContainer('resource', variable({ name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.gpu' } } })),
    withContainer('from-nothing', { envFrom: [{}] }),
    withContainer('from-two', { envFrom: [{ configMapRef: { name: 'c' }, secretRef: { name: 's' } }] }),
    withContainer('from-nobody', { envFrom: [{ configMapRef: {} }] }),
    withContainer('prefix', { envFrom: [{ prefix: 'a=', configMapRef: { name: 'c' } }] }),
  ],
  claims: [
    claim('anything that can be printed but =', 'odd-name.status', { is: 201 }),
    claim('one source', 'two.status', { is: 422 }),
  ],
};

const warnings: Case = {
  id: 't6-pods',
  section: 'create-update',
  shows: ['API-T6'],
  title: 'a pod is taken with warnings of what no longer works or hides something else',
  steps: [
    tried('labels', { ...podSpec, nodeSelector: { 'beta.kubernetes.io/os': 'linux' } }),
    tried('spread', {
      ...podSpec,
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 'failure-domain.beta.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule' },
      ],
    }),
    tried('affinity', {
      ...podSpec,
      affinity: {
        podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'a' }] },
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: { topologyKey: 'a' } }],
        },
      },
    }),
    tried('volume', { ...podSpec, volumes: [{ name: 'v', gitRepo: { repository: 'r' } }] }),
    tried('secrets', { ...podSpec, imagePullSecrets: [{ name: 'a' }, { name: 'a' }, {}] }),
    tried('aliases', { ...podSpec, hostAliases: [{ ip: '1.2.3.4' }, { ip: '1.2.3.4' }] }),
    withContainer('fraction', { resources: { limits: { memory: '0.5' } } }),
    withContainer('hidden', {
      env: [
        { name: 'A', value: '1' },
        { name: 'A', value: '2' },
        { name: 'A', value: '$(A)3' },
      ],
    }),
    withContainer('ports', { ports: [{ containerPort: 80 }, { containerPort: 80, hostPort: 8080 }] }),
    tried('port-names', {
      containers: [
        { ...container({ ports: [{ name: 'web', containerPort: 80 }] }), name: 'a' },
        { ...container({ ports: [{ name: 'web', containerPort: 80 }] }), name: 'b' },
      ],
    }),
    tried('grace', { ...podSpec, terminationGracePeriodSeconds: -1 }),
    post('annotation', `${pods}?dryRun=All`, {
      ...pod('p'),
      metadata: { name: 'p', annotations: { 'scheduler.alpha.kubernetes.io/critical-pod': '' } },
    }),
    post('name', `${pods}?dryRun=All`, pod('a.b')),
    post('job', `${inNamespace('batch/v1', 'jobs')}?dryRun=All`, {
      ...manifest(['batch/v1', 'Job'], 'a.b', {
        spec: {
          template: { spec: { ...podSpec, restartPolicy: 'Never', nodeSelector: { 'beta.kubernetes.io/os': 'x' } } },
        },
      }),
    }),
    post('deployment', inNamespace('apps/v1', 'deployments'), {
      ...deployment('d.e'),
    }),
    mergePatch('changed', `${inNamespace('apps/v1', 'deployments')}/d.e`, {
      spec: { template: { spec: { nodeSelector: { 'beta.kubernetes.io/arch': 'x' } } } },
    }),
    mergePatch('labelled', `${inNamespace('apps/v1', 'deployments')}/d.e`, { metadata: { labels: { a: 'b' } } }),
  ],
  claims: [
    claim('taken', 'labels.status', { is: 201 }),
    claim('with a warning', 'labels.headers.warning', { matches: 'kubernetes.io/os' }),
    claim('a change that is none for the pods is silent', 'labelled.headers.warning', { present: false }),
  ],
};

export const containers: readonly Case[] = [probes, resources, variables, warnings];
