// What /status takes and what the main resource leaves alone.
import type { Case, Json } from '../../src/case.ts';
import {
  apply,
  claim,
  define,
  get,
  jsonPatch,
  mergePatch,
  post,
  put,
  strategicPatch,
  thing,
  things,
  thingsPath,
} from '../../src/steps.ts';
import { type Kind, counting, notCounting } from './kinds.ts';

const section = 'create-update';
const spec = { type: 'object', properties: { n: { type: 'integer' } } } as const;
const withStatus = { version: { subresources: { status: {} } } };
const definition = define('crd', things(spec, withStatus));
const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: '11111111-2222-4333-8444-555555555555' };
const touched = {
  labels: { touched: 'yes' },
  annotations: { touched: 'yes' },
  finalizers: ['example.com/hold'],
  ownerReferences: [owner],
};

interface BuiltInStatus {
  readonly kind: string;
  /** A status the kind takes. */
  readonly status: { readonly [key: string]: Json };
  /** What of the metadata /status lets through. */
  readonly through: { readonly [field in keyof typeof touched]: boolean };
}

const allThrough = { labels: true, annotations: true, finalizers: true, ownerReferences: true };

const builtIns: readonly BuiltInStatus[] = [
  { kind: 'deployment', status: { replicas: 1 }, through: { ...allThrough, labels: false } },
  { kind: 'pod', status: { phase: 'Running' }, through: { ...allThrough, ownerReferences: false } },
  { kind: 'replicaset', status: { replicas: 1 }, through: allThrough },
  { kind: 'job', status: { active: 1, startTime: '2001-02-03T04:05:06Z' }, through: allThrough },
  { kind: 'service', status: { loadBalancer: {} }, through: allThrough },
  { kind: 'namespace', status: { phase: 'Active' }, through: allThrough },
  { kind: 'node', status: { phase: 'Running' }, through: allThrough },
];

const fields = ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const;
const kindOf = (id: string): Kind => [...counting, ...notCounting].find((kind) => kind.id === id) as Kind;

function builtInCase({ kind, status, through }: BuiltInStatus): Case {
  const { path, object } = kindOf(kind);
  const name = (object['metadata'] as { name: string }).name;
  const at = `${path}/${name}`;
  return {
    id: `c7-status-of-a-${kind}`,
    section,
    shows: ['API-C7'],
    title: `what /status of a ${kind} lets through of the metadata`,
    steps: [
      post('create', path, object),
      mergePatch('patch', `${at}/status`, { metadata: touched, status }),
      get('stored', at),
      mergePatch('main', at, { metadata: { labels: { main: 'yes' } }, status: { conditions: [] } }),
      // Cluster-wide ones are removed after the case, and must not wait for it.
      mergePatch('release', at, { metadata: { finalizers: null } }, { setup: true }),
    ],
    claims: [
      claim('200', 'patch.status', { is: 200 }),
      ...fields.map((field) =>
        claim(`${field} ${through[field] ? 'let through' : 'kept'}`, `stored.body.metadata.${field}`, {
          present: through[field],
        }),
      ),
      ...fields
        .filter((field) => through[field])
        .map((field) =>
          claim(`${field} as written`, `stored.body.metadata.${field}`, { contains: touchedPart(field) }),
        ),
    ],
  };
}

function touchedPart(field: (typeof fields)[number]): Json {
  if (field === 'finalizers') return 'example.com/hold';
  return field === 'ownerReferences' ? { uid: owner.uid } : { touched: 'yes' };
}

export const status: readonly Case[] = [
  {
    id: 'c7-custom-create-drops',
    section,
    shows: ['API-C7'],
    title: 'a create of a custom resource with a status subresource drops the status',
    steps: [
      ...definition,
      post('create', thingsPath, thing('x', { spec: { n: 1 }, status: { phase: 'Up' } })),
      get('stored', `${thingsPath}/x`),
    ],
    claims: [
      claim('POST drops status', 'create.body.status', { present: false }),
      claim('nothing of it is stored', 'stored.body.status', { present: false }),
      claim('the rest is taken', 'create.body.spec.n', { is: 1 }),
    ],
  },
  {
    id: 'c7-custom-main-keeps',
    section,
    shows: ['API-C7'],
    title: 'PUT and every PATCH of the main resource keep the old status',
    steps: [
      ...definition,
      post('create', thingsPath, thing('x', { spec: { n: 1 } })),
      mergePatch('status', `${thingsPath}/x/status`, { status: { phase: 'Up' } }),
      put(
        'put',
        `${thingsPath}/x`,
        thing('x', {
          metadata: { resourceVersion: '{{status.body.metadata.resourceVersion}}' },
          spec: { n: 2 },
          status: { phase: 'Down' },
        }),
      ),
      put(
        'put-without',
        `${thingsPath}/x`,
        thing('x', { metadata: { resourceVersion: '{{put.body.metadata.resourceVersion}}' }, spec: { n: 3 } }),
      ),
      mergePatch('merge', `${thingsPath}/x`, { spec: { n: 4 }, status: { phase: 'Down' } }),
      mergePatch('merge-only-status', `${thingsPath}/x`, { status: null }),
      jsonPatch('json', `${thingsPath}/x`, [
        { op: 'replace', path: '/status/phase', value: 'Down' },
        { op: 'replace', path: '/spec/n', value: 5 },
      ]),
      apply(
        'apply',
        `${thingsPath}/x?fieldManager=m&force=true`,
        thing('x', { spec: { n: 6 }, status: { phase: 'Down' } }),
      ),
    ],
    claims: [
      ...['put', 'put-without', 'merge', 'merge-only-status', 'json', 'apply'].map((step) =>
        claim(`keeps the old status: ${step}`, `${step}.body.status`, { is: { phase: 'Up' } }),
      ),
      claim('PUT takes the rest', 'put.body.spec.n', { is: 2 }),
      claim('PATCH takes the rest', 'merge.body.spec.n', { is: 4 }),
      claim('a JSON patch takes the rest', 'json.body.spec.n', { is: 5 }),
      claim('an apply takes the rest', 'apply.body.spec.n', { is: 6 }),
      claim('a patch of status alone changes nothing', 'merge-only-status.body.metadata.resourceVersion', {
        sameAs: 'merge.body.metadata.resourceVersion',
      }),
    ],
  },
  {
    id: 'c7-custom-status-alone',
    section,
    shows: ['API-C7'],
    title: '/status of a custom resource takes the status and nothing else',
    steps: [
      ...definition,
      post('create', thingsPath, thing('x', { spec: { n: 1 } })),
      put(
        'put',
        `${thingsPath}/x/status`,
        thing('x', {
          metadata: { ...touched, resourceVersion: '{{create.body.metadata.resourceVersion}}' },
          spec: { n: 2 },
          status: { phase: 'Up' },
        }),
      ),
      mergePatch('merge', `${thingsPath}/x/status`, { metadata: touched, spec: { n: 3 }, status: { phase: 'Down' } }),
      jsonPatch('json', `${thingsPath}/x/status`, [
        { op: 'add', path: '/metadata/labels', value: touched.labels },
        { op: 'add', path: '/metadata/annotations', value: touched.annotations },
        { op: 'add', path: '/metadata/finalizers', value: touched.finalizers },
        { op: 'replace', path: '/spec/n', value: 4 },
        { op: 'replace', path: '/status/phase', value: 'Up' },
      ]),
      mergePatch('removed', `${thingsPath}/x/status`, { status: null }),
      get('stored', `${thingsPath}/x`),
      get('through', `${thingsPath}/x/status`),
    ],
    claims: [
      ...['put', 'merge', 'json'].flatMap((step) => [
        claim(`200: ${step}`, `${step}.status`, { is: 200 }),
        claim(`not labels: ${step}`, `${step}.body.metadata.labels`, { present: false }),
        claim(`not annotations: ${step}`, `${step}.body.metadata.annotations`, { present: false }),
        claim(`not finalizers: ${step}`, `${step}.body.metadata.finalizers`, { present: false }),
        claim(`not spec: ${step}`, `${step}.body.spec.n`, { is: 1 }),
      ]),
      claim('takes the status', 'put.body.status.phase', { is: 'Up' }),
      claim('takes it from a patch', 'merge.body.status.phase', { is: 'Down' }),
      claim('takes it from a JSON patch', 'json.body.status.phase', { is: 'Up' }),
      claim('and takes it away', 'removed.body.status', { present: false }),
      claim('as stored', 'stored.body.spec.n', { is: 1 }),
      claim('/status shows the whole object', 'through.body.spec.n', { is: 1 }),
    ],
  },
  {
    id: 'c7-no-status-subresource',
    section,
    shows: ['API-C7'],
    title: 'a custom resource without the subresource has no /status, and its status is a field like any other',
    steps: [
      ...define('crd', things(spec)),
      post('create', thingsPath, thing('x', { spec: { n: 1 }, status: { phase: 'Up' } })),
      mergePatch('change', `${thingsPath}/x`, { status: { phase: 'Down' } }),
      mergePatch('status', `${thingsPath}/x/status`, { status: { phase: 'Up' } }),
      get('read', `${thingsPath}/x/status`),
    ],
    claims: [
      claim('POST takes it', 'create.body.status.phase', { is: 'Up' }),
      claim('PATCH takes it', 'change.body.status.phase', { is: 'Down' }),
      claim('no /status', 'status.status', { is: 404 }),
      claim('no /status to read', 'read.status', { is: 404 }),
    ],
  },
  ...builtIns.map(builtInCase),
  {
    id: 'c7-built-in-main-keeps',
    section,
    shows: ['API-C7'],
    title: 'a built-in kind drops the status on create and keeps the old one on main writes',
    steps: ((deployment: Kind) => [
      post('create', deployment.path, { ...deployment.object, status: { replicas: 7 } }),
      mergePatch('status', `${deployment.path}/x/status`, { spec: { replicas: 9 }, status: { replicas: 3 } }),
      strategicPatch('main', `${deployment.path}/x`, { spec: { replicas: 2 }, status: { replicas: 5 } }),
      put('put', `${deployment.path}/x`, { ...deployment.object, status: { replicas: 6 } }),
    ])(kindOf('deployment')),
    claims: [
      claim('POST drops status', 'create.body.status', { is: {} }),
      claim('/status takes only status', 'status.body.spec.replicas', { is: 1 }),
      claim('/status takes status', 'status.body.status.replicas', { is: 3 }),
      claim('PATCH keeps the old', 'main.body.status.replicas', { is: 3 }),
      claim('PUT keeps the old', 'put.body.status.replicas', { is: 3 }),
    ],
  },
];
