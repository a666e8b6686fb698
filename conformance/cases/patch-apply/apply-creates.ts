import type { Case, Json } from '../../src/case.ts';
import {
  apply,
  claim,
  configMap,
  configMaps,
  define,
  get,
  post,
  put,
  thing,
  things,
  thingsPath,
} from '../../src/steps.ts';
import { applied, deployment, deployments, entry, managersOf, service, services } from './manifests.ts';

const x = `${configMaps}/x`;
const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/{{ns}}/roles';
const bindings = '/apis/rbac.authorization.k8s.io/v1/namespaces/{{ns}}/rolebindings';
const role = (verbs: Json): { [key: string]: Json } => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata: { name: 'r' },
  rules: [{ apiGroups: [''], resources: ['configmaps'], verbs }],
});

export const applyCreates: readonly Case[] = [
  {
    id: 's2-create',
    section: 'patch-apply',
    shows: ['API-S2', 'API-S3'],
    title: 'an apply of a missing object creates it, and its defaults belong to nobody',
    steps: [
      apply('config-map', applied(x, 'm1'), configMap('x', { data: { k: 'v' } })),
      apply('deployment', applied(`${deployments}/d`, 'm1'), deployment('d')),
      apply('service', applied(`${services}/s`, 'm1'), service('s', { ports: [{ port: 80 }] })),
      apply('again', applied(x, 'm1'), configMap('x', { data: { k: 'v' } })),
      apply('nothing', applied(`${configMaps}/empty`, 'm1'), configMap('empty')),
      apply('dry-run', applied(`${configMaps}/dry`, 'm1', 'dryRun=All'), configMap('dry', { data: { k: 'v' } })),
      get('not-stored', `${configMaps}/dry`),
      apply('invalid', applied(`${deployments}/bad`, 'm1'), {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'bad' },
        spec: { replicas: 1 },
      }),
    ],
    claims: [
      claim('201', 'config-map.status', { is: 201 }),
      claim('a Deployment', 'deployment.status', { is: 201 }),
      claim('with its defaults', 'deployment.body.spec.replicas', { is: 1 }),
      claim('unowned', entry('deployment', 0, 'fieldsV1'), {
        is: {
          'f:spec': {
            'f:selector': {},
            'f:template': {
              'f:metadata': { 'f:labels': { 'f:app': {} } },
              'f:spec': { 'f:containers': { 'k:{"name":"app"}': { '.': {}, 'f:image': {}, 'f:name': {} } } },
            },
          },
        },
      }),
      claim('one entry', managersOf('deployment'), { length: 1 }),
      claim('a Service', 'service.status', { is: 201 }),
      claim('the second is 200', 'again.status', { is: 200 }),
      claim('a dry run is 201', 'dry-run.status', { is: 201 }),
      claim('and stores nothing', 'not-stored.status', { is: 404 }),
    ],
  },
  {
    id: 's2-custom-defaults',
    section: 'patch-apply',
    shows: ['API-S2'],
    title: 'defaults of a custom resource are unowned',
    steps: [
      ...define(
        'crd',
        things({
          type: 'object',
          properties: {
            replicas: { type: 'integer', default: 3 },
            mode: { type: 'string', default: 'auto' },
            nested: { type: 'object', default: {}, properties: { deep: { type: 'string', default: 'd' } } },
          },
        }),
      ),
      apply('create', applied(`${thingsPath}/x`, 'm1'), thing('x', { spec: { mode: 'manual' } })),
      apply('left-out', applied(`${thingsPath}/x`, 'm1'), thing('x', { spec: {} })),
      apply('other', applied(`${thingsPath}/x`, 'm2'), thing('x', { spec: { replicas: 5 } })),
    ],
    claims: [
      claim('201', 'create.status', { is: 201 }),
      claim('defaulted', 'create.body.spec', { is: { mode: 'manual', replicas: 3, nested: { deep: 'd' } } }),
      claim('unowned', entry('create', 0, 'fieldsV1'), { is: { 'f:spec': { 'f:mode': {} } } }),
      claim('left out: the default returns', 'left-out.body.spec.mode', { is: 'auto' }),
      claim('nobody to conflict with', 'other.status', { is: 200 }),
    ],
  },
  {
    id: 's2-uid-and-version',
    section: 'patch-apply',
    shows: ['API-S2'],
    title: 'an apply that names a uid does not create, and a stale version is a conflict',
    steps: [
      apply('missing-uid', applied(x, 'm1'), configMap('x', { metadata: { uid: 'abc' }, data: { k: 'v' } })),
      get('still-missing', x),
      apply(
        'missing-version',
        applied(`${configMaps}/y`, 'm1'),
        configMap('y', { metadata: { resourceVersion: '1' }, data: { k: 'v' } }),
      ),
      apply('create', applied(x, 'm1'), configMap('x', { data: { k: 'v' } })),
      apply('other-uid', applied(x, 'm1'), configMap('x', { metadata: { uid: 'abc' }, data: { k: 'w' } })),
      apply(
        'same-uid',
        applied(x, 'm1'),
        configMap('x', { metadata: { uid: '{{create.body.metadata.uid}}' }, data: { k: '1' } }),
      ),
      apply(
        'stale',
        applied(x, 'm1'),
        configMap('x', { metadata: { resourceVersion: '{{create.body.metadata.resourceVersion}}' }, data: { k: '2' } }),
      ),
      apply(
        'current',
        applied(x, 'm1'),
        configMap('x', {
          metadata: { resourceVersion: '{{same-uid.body.metadata.resourceVersion}}' },
          data: { k: '3' },
        }),
      ),
    ],
    claims: [
      claim('with uid: 409', 'missing-uid.status', { is: 409 }),
      claim('the message', 'missing-uid.body.message', {
        is: 'Operation cannot be fulfilled on configmaps "x": uid mismatch: the provided object specified uid abc, and no existing object was found',
      }),
      claim('nothing was created', 'still-missing.status', { is: 404 }),
      claim('a version does not hinder the creation', 'missing-version.status', { is: 201 }),
      claim('stale version: 409', 'stale.status', { is: 409 }),
      claim('Conflict', 'stale.body.reason', { is: 'Conflict' }),
      claim('the current one is taken', 'current.status', { is: 200 }),
      claim('the right uid too', 'same-uid.status', { is: 200 }),
    ],
  },
  {
    id: 's2-permission',
    section: 'patch-apply',
    shows: ['API-S2'],
    title: 'whoever may patch may not yet create by an apply',
    steps: [
      post('role', roles, role(['patch']), { setup: true }),
      post(
        'binding',
        bindings,
        {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'RoleBinding',
          metadata: { name: 'r' },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
          subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'alice' }],
        },
        { setup: true },
      ),
      post('create', configMaps, configMap('x', { data: { k: 'v' } }), { setup: true }),
      apply('existing', applied(x, 'm1'), configMap('x', { data: { k: 'v' } }), {
        as: 'alice',
        until: { at: 'existing.status', is: 200 },
      }),
      apply('missing', applied(`${configMaps}/y`, 'm1'), configMap('y', { data: { k: 'v' } }), { as: 'alice' }),
      apply('missing-dry-run', applied(`${configMaps}/y`, 'm1', 'dryRun=All'), configMap('y'), { as: 'alice' }),
      put('more', `${roles}/r`, role(['patch', 'create']), { setup: true }),
      apply('created', applied(`${configMaps}/z`, 'm1'), configMap('z', { data: { k: 'v' } }), {
        as: 'alice',
        until: { at: 'created.status', is: 201 },
      }),
    ],
    claims: [
      claim('patch is enough for what exists', 'existing.status', { is: 200 }),
      claim('to create, create permission is needed too', 'missing.status', { is: 403 }),
      claim('the message', 'missing.body.message', {
        matches: '^configmaps "y" is forbidden: User "alice" cannot create resource "configmaps"',
      }),
      claim('with it', 'created.status', { is: 201 }),
    ],
  },
];
