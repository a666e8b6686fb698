import type { Case, Json } from '../../src/case.ts';
import {
  apply,
  claim,
  configMap,
  configMaps,
  define,
  get,
  mergePatch,
  post,
  put,
  thing,
  things,
  thingsPath,
} from '../../src/steps.ts';
import { applied, deployment, deployments, entry, managersOf } from './manifests.ts';

const x = `${configMaps}/x`;
const t = `${thingsPath}/x`;
const v2 = '/apis/{{group}}/v2/namespaces/{{ns}}/things/x';
const openSpec: Json = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const version = (name: string, storage: boolean, served = true): Json => ({
  name,
  served,
  storage,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: openSpec } } },
});
const versions = (...all: Json[]) => things(openSpec, { versions: all });
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
const annotation = (step: string) => [step, 'body', 'metadata', 'annotations', lastApplied] as const;
const hpa = (name: string) => `/apis/autoscaling/${name}/namespaces/{{ns}}/horizontalpodautoscalers/h`;
const scaler = (name: string, spec: Json): { [key: string]: Json } => ({
  apiVersion: `autoscaling/${name}`,
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'h' },
  spec,
});
const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
const cpu = (averageUtilization: number): Json => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});

const jsonPatchOf = (patch: Json): Json => Buffer.from(JSON.stringify(patch)).toString('base64');
const admits = (patch: Json): { respond: { json: Json } } => ({
  respond: {
    json: {
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      response: { uid: '{{uid}}', allowed: true, patchType: 'JSONPatch', patch: jsonPatchOf(patch) },
    },
  },
});
const hook = (name: string, resources: Json): Json => ({
  name: `${name}.example.com`,
  clientConfig: { url: `{{hooks}}/${name}`, caBundle: '{{hooksCA}}' },
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': '{{ns}}' } },
  objectSelector: { matchLabels: { hook: name } },
  rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources }],
});
const hookConfiguration = (...webhooks: Json[]): Json => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingWebhookConfiguration',
  metadata: { name: '{{id}}-hooks' },
  webhooks,
});
const hookConfigurations = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';
const marked = (name: string, more: { [key: string]: Json } = {}) =>
  configMap(name, { metadata: { labels: { hook: 'mark' } }, data: { k: 'v' }, ...more });

export const applyVersions: readonly Case[] = [
  {
    id: 's10-custom-versions',
    section: 'patch-apply',
    shows: ['API-S10', 'API-S5'],
    title: 'ownership in one version conflicts with an apply in another, and moves with the manager',
    steps: [
      ...define('crd', versions(version('v1', true), version('v2', false))),
      apply('v1', applied(t, 'm1'), thing('x', { spec: { a: 1, b: 1 } })),
      apply('v2-conflict', applied(v2, 'm2'), { ...thing('x', { spec: { a: 2 } }), apiVersion: '{{group}}/v2' }),
      apply('v2-beside', applied(v2, 'm2'), { ...thing('x', { spec: { c: 2 } }), apiVersion: '{{group}}/v2' }),
      apply('same-manager-in-v2', applied(v2, 'm1'), { ...thing('x', { spec: { a: 1 } }), apiVersion: '{{group}}/v2' }),
      mergePatch('update-in-v2', `${v2}?fieldManager=m3`, { spec: { a: 3 } }),
      apply('v1-conflict', applied(t, 'm4'), thing('x', { spec: { a: 4 } })),
    ],
    claims: [
      claim('a conflict across versions', 'v2-conflict.body.message', {
        is: 'Apply failed with 1 conflict: conflict with "m1": .spec.a',
      }),
      claim('each set in its version', entry('v2-beside', 1, 'apiVersion'), { matches: '/v2$' }),
      claim('what the manager leaves out in another version goes', 'same-manager-in-v2.body.spec', {
        is: { a: 1, c: 2 },
      }),
      claim('one entry per applier', managersOf('same-manager-in-v2'), { length: 2 }),
      claim('an update names its version', 'v1-conflict.body.message', {
        matches: 'conflict with "m3" using .*/v2: .spec.a$',
      }),
    ],
  },
  {
    id: 's10-built-in-versions',
    section: 'patch-apply',
    shows: ['API-S10'],
    title: 'the sets of a built-in kind are compared in their own version',
    steps: [
      apply(
        'v2',
        applied(hpa('v2'), 'm1'),
        scaler('v2', { scaleTargetRef: target, maxReplicas: 3, metrics: [cpu(50)] }),
      ),
      get('as-v1', hpa('v1')),
      apply('v1-conflict', applied(hpa('v1'), 'm2'), scaler('v1', { targetCPUUtilizationPercentage: 60 })),
      apply('v1-beside', applied(hpa('v1'), 'm2'), scaler('v1', { minReplicas: 2 })),
      apply('v1-equal', applied(hpa('v1'), 'm3'), scaler('v1', { targetCPUUtilizationPercentage: 50 })),
      apply('v1-forced', applied(hpa('v1'), 'm3', 'force=true'), scaler('v1', { targetCPUUtilizationPercentage: 60 })),
      get('as-v2', hpa('v2')),
    ],
    claims: [
      claim('one field of v1 is another of v2', 'v1-conflict.status', { is: 409 }),
      claim('the path of the owner’s version', 'v1-conflict.body.message', { contains: '.spec.metrics' }),
      claim('beside', 'v1-beside.body.spec.minReplicas', { is: 2 }),
      claim('forced', 'as-v2.body.spec.metrics.0.resource.target.averageUtilization', { is: 60 }),
    ],
  },
  {
    id: 's10-dropped-versions',
    section: 'patch-apply',
    shows: ['API-S10'],
    title: 'entries of a version that is not known any more are dropped by the next write of a built-in kind',
    steps: [
      post('create', `${deployments}?fieldManager=m0`, deployment('d'), { setup: true }),
      mergePatch('written', `${deployments}/d?fieldManager=m1`, {
        metadata: {
          managedFields: [
            {
              manager: 'old',
              operation: 'Apply',
              apiVersion: 'apps/v1beta1',
              time: '2020-01-01T00:00:00Z',
              fieldsType: 'FieldsV1',
              fieldsV1: { 'f:spec': { 'f:replicas': {} } },
            },
            {
              manager: 'new',
              operation: 'Apply',
              apiVersion: 'apps/v1',
              time: '2020-01-01T00:00:00Z',
              fieldsType: 'FieldsV1',
              fieldsV1: { 'f:spec': { 'f:paused': {} } },
            },
          ],
        },
      }),
      mergePatch('written-with-change', `${deployments}/d?fieldManager=m1`, {
        metadata: {
          labels: { a: '1' },
          managedFields: [
            {
              manager: 'old',
              operation: 'Apply',
              apiVersion: 'apps/v1beta1',
              time: '2020-01-01T00:00:00Z',
              fieldsType: 'FieldsV1',
              fieldsV1: { 'f:spec': { 'f:replicas': {} } },
            },
            {
              manager: 'new',
              operation: 'Apply',
              apiVersion: 'apps/v1',
              time: '2020-01-01T00:00:00Z',
              fieldsType: 'FieldsV1',
              fieldsV1: { 'f:spec': { 'f:paused': {} } },
            },
          ],
        },
      }),
      apply('apply', applied(`${deployments}/d`, 'm2'), {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'd' },
        spec: { replicas: 2 },
      }),
      ...define('crd', versions(version('v1', true), version('v2', false))),
      apply('in-v2', applied(v2, 'm1'), { ...thing('x', { spec: { a: 1 } }), apiVersion: '{{group}}/v2' }),
      get('definition', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.{{group}}', { setup: true }),
      put(
        'without-v2',
        '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.{{group}}',
        {
          ...versions(version('v1', true)),
          metadata: { name: 'things.{{group}}', resourceVersion: '{{definition.body.metadata.resourceVersion}}' },
        },
        { setup: true },
      ),
      get('v2-gone', v2, { until: { at: 'v2-gone.status', is: 404 }, setup: false }),
      apply('after', applied(t, 'm2'), thing('x', { spec: { a: 2 } })),
      mergePatch('update-after', `${t}?fieldManager=m3`, { spec: { b: 3 } }),
      apply('apply-after', applied(t, 'm2'), thing('x', { spec: { c: 2 } })),
    ],
    claims: [
      claim('dropped', managersOf('apply'), { length: 3 }),
      claim('of a custom resource an apply fails', 'after.status', { is: 500 }),
      claim('the message', 'after.body.message', {
        matches: '^request to convert CR to an invalid group/version: .*/v2$',
      }),
      claim('an update goes through, and nothing is tracked any more', managersOf('update-after'), { present: false }),
      claim('then an apply works', 'apply-after.status', { is: 200 }),
    ],
  },
  {
    id: 's11-last-applied',
    section: 'patch-apply',
    shows: ['API-S11'],
    title: 'an apply by kubectl brings the last-applied annotation up to date, if there is one',
    steps: [
      apply('no-annotation', applied(x, 'kubectl'), configMap('x', { data: { k: 'v' } })),
      mergePatch('annotated', `${x}?fieldManager=kubectl-client-side-apply`, {
        metadata: { annotations: { [lastApplied]: '{}' } },
      }),
      apply(
        'by-kubectl',
        applied(x, 'kubectl'),
        configMap('x', { metadata: { labels: { b: '2', a: '1' } }, data: { k: 'w' } }),
      ),
      apply('by-another', applied(x, 'another'), configMap('x', { data: { l: '1' } })),
      apply(
        'no-change',
        applied(x, 'kubectl'),
        configMap('x', { metadata: { labels: { b: '2', a: '1' } }, data: { k: 'w' } }),
      ),
      apply(
        'status-too',
        applied(x, 'kubectl'),
        configMap('x', { metadata: { annotations: { note: 'n' } }, data: { k: 'w' } }),
      ),
      mergePatch('emptied', x, { metadata: { annotations: { [lastApplied]: '' } } }, { setup: true }),
      apply('empty-annotation', applied(x, 'kubectl'), configMap('x', { data: { k: 'x' } })),
    ],
    claims: [
      claim('none is made', 'no-annotation.body.metadata.annotations', { present: false }),
      claim('updated', annotation('by-kubectl'), {
        is: '{"apiVersion":"v1","data":{"k":"w"},"kind":"ConfigMap","metadata":{"labels":{"a":"1","b":"2"},"name":"x"}}\n',
      }),
      claim('not by another', annotation('by-another'), { sameAs: annotation('by-kubectl') }),
      claim('not an empty one', annotation('empty-annotation'), { is: '' }),
    ],
  },
  {
    id: 's11-migration',
    section: 'patch-apply',
    shows: ['API-S11'],
    title: 'kubectl may take what the annotation says it applied, others may not',
    steps: [
      post(
        'create',
        `${configMaps}?fieldManager=kubectl-client-side-apply`,
        configMap('x', {
          metadata: {
            annotations: {
              [lastApplied]:
                '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"data":{"k":"v","l":"other"}}\n',
            },
          },
          data: { k: 'v', l: 'w' },
        }),
        { setup: true },
      ),
      apply('another', applied(x, 'another'), configMap('x', { data: { k: 'changed' } })),
      apply('kubectl-other-field', applied(x, 'kubectl'), configMap('x', { data: { k: 'changed', l: 'changed' } })),
      apply('kubectl', applied(x, 'kubectl'), configMap('x', { data: { k: 'changed' } })),
    ],
    claims: [
      claim('a conflict for others', 'another.status', { is: 409 }),
      claim('and where the annotation differs from what is there', 'kubectl-other-field.body.message', {
        contains: '.data.l',
      }),
      claim('allowed', 'kubectl.status', { is: 200 }),
      claim('changed', 'kubectl.body.data.k', { is: 'changed' }),
    ],
  },
  {
    id: 's12-webhook-fields',
    section: 'patch-apply',
    shows: ['API-S12'],
    title: 'what a webhook changes on create is owned by nobody',
    hooks: { mark: admits([{ op: 'add', path: '/metadata/annotations', value: { hooked: 'yes' } }]) },
    steps: [
      post('hooks', hookConfigurations, hookConfiguration(hook('mark', ['configmaps'])), { setup: true }),
      post('active', `${configMaps}?dryRun=All`, marked('probe'), {
        setup: true,
        until: { at: 'active.body.metadata.annotations.hooked', is: 'yes' },
      }),
      post('create', `${configMaps}?fieldManager=m1`, marked('x')),
      apply('apply-create', applied(`${configMaps}/y`, 'm1'), marked('y')),
      mergePatch('unhooked', `${x}?fieldManager=m2`, { metadata: { labels: { hook: 'none' } } }),
      apply('free', applied(x, 'm3'), configMap('x', { metadata: { annotations: { hooked: 'no' } } })),
      post('plain', `${configMaps}?fieldManager=m1`, configMap('z', { data: { k: 'v' } })),
      put(
        'update',
        `${configMaps}/z?fieldManager=m2`,
        configMap('z', { metadata: { labels: { hook: 'mark' } }, data: { k: 'v' } }),
      ),
      mergePatch('patch', `${configMaps}/z?fieldManager=m2`, { data: { l: 'w' } }),
    ],
    claims: [
      claim('changed', 'create.body.metadata.annotations.hooked', { is: 'yes' }),
      claim('owned by nobody', entry('create', 0, 'fieldsV1.f:metadata.f:annotations'), { present: false }),
      claim('one entry', managersOf('create'), { length: 1 }),
      claim('created by an apply as well', entry('apply-create', 0, 'fieldsV1.f:metadata.f:annotations'), {
        present: false,
      }),
      claim('nobody to conflict with', 'free.status', { is: 200 }),
    ],
  },
  {
    id: 's7-pipeline',
    section: 'patch-apply',
    shows: ['API-S7'],
    title: 'after the merge come defaulting, admission and validation, in this order',
    hooks: {
      mark: admits([{ op: 'add', path: '/metadata/annotations', value: { hooked: 'yes' } }]),
      break: admits([{ op: 'replace', path: '/spec/n', value: 99 }]),
    },
    steps: [
      ...define(
        'crd',
        things({
          type: 'object',
          properties: {
            n: { type: 'integer', maximum: 10 },
            mode: { type: 'string', default: 'auto', enum: ['auto', 'manual'] },
          },
        }),
      ),
      post('hooks', hookConfigurations, hookConfiguration(hook('mark', ['things']), hook('break', ['things'])), {
        setup: true,
      }),
      apply(
        'active',
        applied(`${thingsPath}/probe`, 'm1', 'dryRun=All'),
        thing('probe', { metadata: { labels: { hook: 'mark' } }, spec: { n: 1 } }),
        {
          setup: true,
          until: { at: 'active.body.metadata.annotations.hooked', is: 'yes' },
        },
      ),
      apply('invalid', applied(`${thingsPath}/bad`, 'm1'), thing('bad', { spec: { n: 11 } })),
      apply('invalid-enum', applied(`${thingsPath}/bad`, 'm1'), thing('bad', { spec: { mode: 'none' } })),
      apply('create', applied(t, 'm1'), thing('x', { metadata: { labels: { hook: 'mark' } }, spec: { n: 1 } })),
      {
        do: 'hook-log',
        name: 'asked',
        hook: 'mark',
        only: [['requests', '-1', 'body', 'request', 'object', 'spec']],
        because: 'the review is another statement’s',
      },
      apply(
        'broken',
        applied(`${thingsPath}/y`, 'm1'),
        thing('y', { metadata: { labels: { hook: 'break' } }, spec: { n: 1 } }),
      ),
      apply('no-op', applied(t, 'm1'), thing('x', { metadata: { labels: { hook: 'mark' } }, spec: { n: 1 } })),
    ],
    claims: [
      claim('validated after the merge', 'invalid.status', { is: 422 }),
      claim('defaulted before admission', ['asked', 'requests', '-1', 'body', 'request', 'object', 'spec'], {
        is: { n: 1, mode: 'auto' },
      }),
      claim('admission changes what is stored', 'create.body.metadata.annotations', { is: { hooked: 'yes' } }),
      claim('validation after admission', 'broken.status', { is: 422 }),
      claim('a no-op through all of it', 'no-op.body.metadata.resourceVersion', {
        sameAs: 'create.body.metadata.resourceVersion',
      }),
    ],
  },
];
