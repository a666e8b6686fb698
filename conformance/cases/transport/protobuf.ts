// Built-in kinds in protobuf, as Go's clients send them.
import type { Case } from '../../src/case.ts';
import {
  claim,
  configMap,
  configMaps,
  define,
  events,
  get,
  post,
  put,
  remove,
  type RequestOptions,
  thing,
  things,
  thingsPath,
  watch,
} from '../../src/steps.ts';
import { protobuf } from './protobuf-bodies.ts';

const type = 'application/vnd.kubernetes.protobuf';
const sent: RequestOptions = { send: { 'content-type': type } };
const core = '/api/v1/namespaces/{{ns}}';
const deployments = '/apis/apps/v1/namespaces/{{ns}}/deployments';
const leases = '/apis/coordination.k8s.io/v1/namespaces/{{ns}}/leases';
const mayBeEither = 'answers may stay JSON: which of the two it is, is each server’s own affair';

const kinds: readonly [string, string, Parameters<typeof protobuf>[0]][] = [
  ['configmap', configMaps, 'configMap'],
  ['secret', `${core}/secrets`, 'secret'],
  ['service', `${core}/services`, 'service'],
  ['pod', `${core}/pods`, 'pod'],
  ['event', '/api/v1/namespaces/default/events', 'event'],
  ['serviceaccount', `${core}/serviceaccounts`, 'serviceAccount'],
  ['deployment', deployments, 'deployment'],
  ['job', '/apis/batch/v1/namespaces/{{ns}}/jobs', 'job'],
  ['ingress', '/apis/networking.k8s.io/v1/namespaces/{{ns}}/ingresses', 'ingress'],
  ['role', '/apis/rbac.authorization.k8s.io/v1/namespaces/{{ns}}/roles', 'role'],
  ['lease', leases, 'lease'],
  ['crd', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All', 'crd'],
  ['review', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', 'sar'],
];

const creates = kinds.map(([name, path, body]): Case => {
  const mask =
    name === 'job'
      ? { mask: ['body.spec.selector', 'body.spec.template.metadata.labels'], because: 'holds the uid' }
      : {};
  return {
    id: `b1-post-${name}`,
    section: 'transport',
    shows: ['API-B1'],
    title: `POST takes a ${name} in protobuf`,
    steps: [post('create', path, protobuf(body), { ...sent, ...mask })],
    claims: [
      claim('accepted on POST', 'create.status', { is: 201 }),
      claim('and understood', 'create.body.kind', { matches: '^[A-Z][A-Za-z]+$' }),
    ],
  };
});

const writes: readonly Case[] = [
  {
    id: 'b1-put',
    section: 'transport',
    shows: ['API-B1'],
    title: 'PUT takes protobuf, on subresources as well',
    steps: [
      post('create', configMaps, configMap('p', { data: { k: 'one', gone: 'x' } }), { setup: true }),
      put('config', `${configMaps}/p`, protobuf('configMapChanged'), sent),
      put('lease', `${leases}/p`, protobuf('lease'), sent),
      post('deployment', deployments, protobuf('deployment'), { ...sent, setup: true }),
      put('status', `${deployments}/p/status`, protobuf('deploymentStatus'), sent),
      put('scale', `${deployments}/p/scale`, protobuf('scale'), sent),
      get('after', `${deployments}/p`),
    ],
    claims: [
      claim('accepted on PUT', 'config.status', { is: 200 }),
      claim('in place of what was there', 'config.body.data', { is: { k: 'two' } }),
      claim('MicroTime', 'lease.body.spec.renewTime', { is: '2020-01-02T03:04:06.678901Z' }),
      claim('status', 'status.body.status.replicas', { is: 2 }),
      claim('scale', 'scale.body.spec.replicas', { is: 3 }),
      claim('the scale is the spec', 'after.body.spec.replicas', { is: 3 }),
    ],
  },
  {
    id: 'b1-delete-options',
    section: 'transport',
    shows: ['API-B1'],
    title: 'DeleteOptions come in protobuf too',
    steps: [
      post('create', configMaps, configMap('p')),
      remove('refused', `${configMaps}/p`, { ...sent, body: protobuf('deleteOptionsWrong') }),
      remove('gone', `${configMaps}/p`, { ...sent, body: protobuf('deleteOptions') }),
    ],
    claims: [
      claim('preconditions are understood', 'refused.status', { is: 409 }),
      claim('and the policy: foreground leaves the object until collected', 'gone.body.metadata.finalizers', {
        is: ['foregroundDeletion'],
      }),
    ],
  },
  {
    id: 'b1-envelope',
    section: 'transport',
    shows: ['API-B1'],
    title: 'the magic, the type in the envelope and the message itself are checked',
    steps: [
      post('no-magic', configMaps, { base64: 'SzhTAGFiYw==' }, sent),
      post('json', configMaps, { text: '{"metadata":{"name":"x"}}' }, sent),
      post('empty', configMaps, { text: '' }, sent),
      post('garbage', configMaps, { base64: 'azhzAP///w==' }, sent),
      post('other-kind', configMaps, protobuf('secret'), sent),
      post('nothing-in-it', `${core}/pods`, protobuf('emptyPod'), sent),
    ],
    claims: [
      claim('magic `k8s\\0`', 'no-magic.body.message', {
        contains: 'does not appear to be a protobuf message, expected prefix [107 56 115 0]',
      }),
      claim('400', 'no-magic.status', { is: 400 }),
      claim('JSON under that name is refused', 'json.status', { is: 400 }),
      claim('typeMeta says what it is', 'other-kind.body.message', {
        contains: 'Secret in version "v1" cannot be handled as a ConfigMap',
      }),
    ],
  },
  {
    id: 'b1-strict',
    section: 'transport',
    shows: ['API-B1'],
    title: 'kubectl create sends protobuf with strict validation',
    steps: [
      post('create', `${configMaps}?fieldManager=kubectl-create&fieldValidation=Strict`, protobuf('configMap'), {
        send: { 'content-type': type, accept: `${type},application/json` },
        only: ['status'],
        because: mayBeEither,
      }),
      get('after', `${configMaps}/p`),
    ],
    claims: [
      claim('accepted', 'create.status', { is: 201 }),
      claim('by the manager named', 'after.body.metadata.managedFields.0.manager', { is: 'kubectl-create' }),
    ],
  },
];

const answers: readonly Case[] = [
  {
    id: 'b2-answers',
    section: 'transport',
    shows: ['API-B2'],
    title: 'clients that would like protobuf take JSON as well, and see which it is',
    steps: [
      post('create', configMaps, configMap('a'), { setup: true }),
      ...[`${type}, */*`, `${type},application/json`].flatMap((accept, index) => [
        get(`get${index}`, `${configMaps}/a`, { send: { accept }, only: ['status'], because: mayBeEither }),
        get(`list${index}`, configMaps, { send: { accept }, only: ['status'], because: mayBeEither }),
        get(`missing${index}`, `${configMaps}/nope`, { send: { accept }, only: ['status'], because: mayBeEither }),
      ]),
    ],
    claims: ['get0', 'list0', 'missing0', 'get1', 'list1', 'missing1'].map((step) =>
      claim('the Content-Type says which', `${step}.headers.content-type`, {
        matches: '^application/(json|vnd\\.kubernetes\\.protobuf)$',
      }),
    ),
  },
  {
    id: 'b2-custom-resources',
    section: 'transport',
    shows: ['API-B2'],
    title: 'the same clients get custom resources as JSON',
    steps: [
      ...define('crd', things({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true })),
      post('create', thingsPath, thing('a'), { send: { accept: `${type}, */*` } }),
      get('get', `${thingsPath}/a`, { send: { accept: `${type},application/json` } }),
      get('list', thingsPath, { send: { accept: `${type}, */*` } }),
      watch('w', `${thingsPath}?watch=1&resourceVersion=0`, { send: { accept: `${type}, */*` } }),
      events('seen', 'w', { count: 1 }),
    ],
    claims: [
      claim('JSON', 'create.headers.content-type', { is: 'application/json' }),
      claim('get', 'get.headers.content-type', { is: 'application/json' }),
      claim('list', 'list.headers.content-type', { is: 'application/json' }),
      claim('watch', 'seen.headers.content-type', { is: 'application/json' }),
      claim('which can be read', 'seen.events.0.object.kind', { is: 'Thing' }),
    ],
  },
];

const wanted: RequestOptions = { send: { accept: type } };
const partial = (kind: string): RequestOptions => ({ send: { accept: `${type};as=${kind};g=meta.k8s.io;v=v1` } });

const forms: readonly Case[] = [
  {
    id: 'b2-objects',
    section: 'transport',
    shows: ['API-B2'],
    title: 'objects, lists, metadata alone and refusals, field by field, empty ones included',
    steps: [
      post('made', configMaps, configMap('a', { data: { k: 'v' }, binaryData: { b: 'AP8=' } }), wanted),
      get('one', `${configMaps}/a`, wanted),
      get('list', `${configMaps}?fieldSelector=metadata.name=a`, wanted),
      get('metadata', `${configMaps}/a`, partial('PartialObjectMetadata')),
      get('all-metadata', `${configMaps}?fieldSelector=metadata.name=a`, partial('PartialObjectMetadataList')),
      get('missing', `${configMaps}/nope`, wanted),
      post('again', configMaps, configMap('a'), wanted),
      post('invalid', configMaps, configMap('Not A Name'), wanted),
      get('table', configMaps, partial('Table')),
      get('unknown', '/api/v1/nopes', wanted),
      get('version', '/version', wanted),
    ],
    claims: [
      claim('made as protobuf', 'made.headers.content-type', { is: type }),
      claim('fields that are not pointers are written even when empty', 'one.body.metadata.generateName', { is: '' }),
      claim('a list', 'list.body.kind', { is: 'ConfigMapList' }),
      claim('metadata alone', 'metadata.body.kind', { is: 'PartialObjectMetadata' }),
      claim('a refusal', 'missing.body.code', { is: 404 }),
      claim('no table', 'table.status', { is: 406 }),
    ],
  },
  {
    id: 'b2-workload',
    section: 'transport',
    shows: ['API-B2'],
    title: 'a Deployment, its scale and a Lease, field by field',
    steps: [
      post('deployment', deployments, protobuf('deployment'), { send: { accept: type, 'content-type': type } }),
      get('scale', `${deployments}/p/scale`, wanted),
      post('lease', leases, protobuf('lease'), { send: { accept: type, 'content-type': type } }),
      post('crd', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All', protobuf('crd'), {
        send: { accept: type, 'content-type': type },
      }),
    ],
    claims: [
      claim('understood', 'deployment.status', { is: 201 }),
      claim('and written', 'deployment.body.kind', { is: 'Deployment' }),
      claim('the scale', 'scale.body.kind', { is: 'Scale' }),
    ],
  },
  {
    id: 'b2-custom-metadata',
    section: 'transport',
    shows: ['API-B2', 'API-T3'],
    title: 'a custom resource has no message, its metadata and the refusals of its path have',
    steps: [
      ...define('crd', things({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true })),
      post('create', thingsPath, thing('a'), { setup: true }),
      get('one', `${thingsPath}/a`, wanted),
      get('metadata', `${thingsPath}/a`, partial('PartialObjectMetadata')),
      get('all-metadata', thingsPath, partial('PartialObjectMetadataList')),
      get('missing', `${thingsPath}/nope`, { send: { accept: `${type},application/json` } }),
      remove('options', `${thingsPath}/a`, { ...sent, body: protobuf('deleteOptions') }),
    ],
    claims: [
      claim('not the object', 'one.status', { is: 406 }),
      claim('its metadata', 'metadata.body.kind', { is: 'PartialObjectMetadata' }),
      claim('a refusal is protobuf', 'missing.headers.content-type', { is: type }),
      claim('options of its deletion too', 'options.body.metadata.finalizers', { is: ['foregroundDeletion'] }),
    ],
  },
  {
    id: 'b1-malformed',
    section: 'transport',
    shows: ['API-B1'],
    title: 'what is wrong inside a message is told apart from what is wrong around it',
    steps: [
      post('nothing', configMaps, { base64: 'azhzAA==' }, sent),
      post('inside', configMaps, { base64: 'azhzAAoPCgJ2MRIJQ29uZmlnTWFwEgH/GgAiAA==' }, sent),
      post('no-type', configMaps, { base64: 'azhzAAoECgASABIB/xoAIgA=' }, sent),
      post('no-kind', configMaps, { base64: 'azhzAAoKCgJ2MRIETm9wZRIB/xoAIgA=' }, sent),
      post('no-group', configMaps, { base64: 'azhzAAoUCgdub3BlL3YxEglDb25maWdNYXASAf8aACIA' }, sent),
      post('list', configMaps, { base64: 'azhzAAoTCgJ2MRINQ29uZmlnTWFwTGlzdBIAGgAiAA==' }, sent),
      post('wire-type', configMaps, { base64: 'azhzAAoPCgJ2MRIJQ29uZmlnTWFwEg0KAwoBeBIGEgIKAP8BGgAiAA==' }, sent),
      post('made', configMaps, configMap('d'), { setup: true }),
      remove('options', `${configMaps}/d`, {
        ...sent,
        body: { base64: 'azhzAAoTCgJ2MRINRGVsZXRlT3B0aW9ucxIB/xoAIgA=' },
      }),
      remove('other-options', `${configMaps}/d`, { ...sent, body: { base64: 'azhzAAoJCgJ2MRIDUG9kEgAaACIA' } }),
    ],
    claims: [
      claim('inside', 'inside.body.message', {
        is: 'ConfigMap in version "v1" cannot be handled as a ConfigMap: unexpected EOF',
      }),
      claim('of a delete the bare problem', 'options.body.message', { is: 'unexpected EOF' }),
    ],
  },
];

export const inProtobuf: readonly Case[] = [...creates, ...writes, ...answers, ...forms];
