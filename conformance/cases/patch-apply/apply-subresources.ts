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

const t = `${thingsPath}/x`;
const d = `${deployments}/d`;
const schema: Json = {
  type: 'object',
  properties: { replicas: { type: 'integer' }, n: { type: 'integer' }, selector: { type: 'string' } },
};
const withStatus = things(schema, { version: { subresources: { status: {} } } });
const withScale = things(schema, {
  version: {
    subresources: {
      status: {},
      scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
    },
  },
});
const scaleTo = (name: string, replicas: number): { [key: string]: Json } => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name },
  spec: { replicas },
});
const justReplicas = (replicas: number): Json => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd' },
  spec: { replicas },
});

const timely = {
  mask: ['body.metadata.resourceVersion'],
  because: 'a new version comes with the time of the entry, which moves with the next second',
};

export const applySubresources: readonly Case[] = [
  {
    id: 's8-status',
    section: 'patch-apply',
    shows: ['API-S8'],
    title: 'an apply to /status owns the status alone, and an apply to the object never does',
    steps: [
      ...define('crd', withStatus),
      apply('main', applied(t, 'm1'), thing('x', { spec: { n: 1 }, status: { main: 1 } })),
      apply(
        'status',
        applied(`${t}/status`, 'm2'),
        thing('x', { metadata: { labels: { a: '1' } }, spec: { n: 2 }, status: { ready: true, list: ['a'] } }),
      ),
      apply('status-conflict', applied(`${t}/status`, 'm3'), thing('x', { status: { ready: false } })),
      mergePatch('status-update', `${t}/status?fieldManager=m4`, { spec: { n: 9 }, status: { seen: 1 } }),
      apply('main-again', applied(t, 'm1'), thing('x', { spec: { n: 1 }, status: { ready: false } }), timely),
      apply('status-only-on-main', applied(t, 'm5'), thing('x', { status: { ready: false } }), timely),
      apply('status-left-out', applied(`${t}/status`, 'm2'), thing('x', { status: { ready: true } })),
      apply('status-of-missing', applied(`${thingsPath}/none/status`, 'm1'), thing('none', { status: { a: 1 } })),
      get('end', t),
    ],
    claims: [
      claim('the main apply ignores status', 'main.body.status', { present: false }),
      claim('and does not own it', entry('main', 0, 'fieldsV1'), { is: { 'f:spec': { 'f:n': {} } } }),
      claim('an entry with subresource status', entry('status', 1, 'subresource'), { is: 'status' }),
      claim('of the status alone', entry('status', 1, 'fieldsV1'), {
        is: { 'f:status': { 'f:list': {}, 'f:ready': {} } },
      }),
      claim('the rest is reset: spec', 'status.body.spec', { is: { n: 1 } }),
      claim('the rest is reset: labels', 'status.body.metadata.labels', { present: false }),
      claim('conflicts name the subresource', 'status-conflict.body.message', {
        is: 'Apply failed with 1 conflict: conflict with "m2" with subresource "status": .status.ready',
      }),
      claim('an update of /status too', entry('status-update', 2, 'subresource'), { is: 'status' }),
      claim('owns only status', entry('status-update', 2, 'fieldsV1'), { is: { 'f:status': { 'f:seen': {} } } }),
      claim('no conflict from the main apply', 'main-again.status', { is: 200 }),
      claim('nothing changed', 'main-again.body.status', { is: { ready: true, list: ['a'], seen: 1 } }),
      claim('left out of the status', 'status-left-out.body.status', { is: { ready: true, seen: 1 } }),
      claim('a subresource does not create', 'status-of-missing.status', { is: 404 }),
    ],
  },
  {
    id: 's8-built-in-status',
    section: 'patch-apply',
    shows: ['API-S8'],
    title: 'the same for the status of a Deployment',
    steps: [
      apply('main', applied(d, 'm1'), { ...deployment('d'), status: { replicas: 5 } }),
      apply('status', applied(`${d}/status`, 'm2'), {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'd', labels: { a: '1' } },
        spec: { replicas: 7 },
        status: {
          replicas: 2,
          conditions: [{ type: 'Available', status: 'True', reason: 'R', message: 'm' }],
        },
      }),
      apply('status-other', applied(`${d}/status`, 'm3'), {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'd' },
        status: { conditions: [{ type: 'Progressing', status: 'True' }] },
      }),
      put('status-put', `${d}/status?fieldManager=m4`, {
        ...deployment('d'),
        status: { replicas: 3 },
      }),
    ],
    claims: [
      claim('the main apply ignores status', 'main.body.status', { is: {} }),
      claim('the rest is reset', 'status.body.spec.replicas', { is: 1 }),
      claim('labels too', 'status.body.metadata.labels', { present: false }),
      claim('the entry', entry('status', 1, 'subresource'), { is: 'status' }),
      claim('conditions are keyed by type', 'status-other.body.status.conditions', { length: 2 }),
      claim('the statuses', managersOf('status-other'), { length: 3 }),
    ],
  },
  {
    id: 's8-status-without-subresource',
    section: 'patch-apply',
    shows: ['API-S8'],
    title: 'where status is not a subresource an apply owns it like any field',
    steps: [
      ...define('crd', things(schema)),
      apply('main', applied(t, 'm1'), thing('x', { spec: { n: 1 }, status: { ready: true } })),
      apply('no-subresource', applied(`${t}/status`, 'm2'), thing('x', { status: { ready: false } })),
      apply('conflict', applied(t, 'm2'), thing('x', { status: { ready: false } })),
    ],
    claims: [
      claim('owned', entry('main', 0, 'fieldsV1'), { is: { 'f:spec': { 'f:n': {} }, 'f:status': { 'f:ready': {} } } }),
      claim('a conflict', 'conflict.body.message', { contains: '.status.ready' }),
      claim('there is no /status', 'no-subresource.status', { is: 404 }),
    ],
  },
  {
    id: 's8-scale-update',
    section: 'patch-apply',
    shows: ['API-S8'],
    title: 'a write to /scale owns the replicas of the object',
    steps: [
      apply('deployment', applied(d, 'm1'), deployment('d', {}, { replicas: 1 })),
      get('scale', `${d}/scale`),
      mergePatch('scaled', `${d}/scale?fieldManager=scaler`, { spec: { replicas: 3 } }),
      get('owned', d),
      apply('conflict', applied(d, 'm1'), deployment('d', {}, { replicas: 1 })),
      apply('left-out', applied(d, 'm1'), deployment('d')),
      apply('forced', applied(d, 'm1', 'force=true'), deployment('d', {}, { replicas: 2 })),
      put('scale-put', `${d}/scale?fieldManager=putter`, scaleTo('d', 4)),
      get('owned-by-put', d),
    ],
    claims: [
      claim('the entry of the object', entry('owned', 1), {
        contains: { manager: 'scaler', operation: 'Update', apiVersion: 'apps/v1', subresource: 'scale' },
      }),
      claim('it has no time', entry('owned', 1, 'time'), { present: false }),
      claim('owns spec.replicas', entry('owned', 1, 'fieldsV1'), { is: { 'f:spec': { 'f:replicas': {} } } }),
      claim('the other lost it', entry('owned', 0, 'fieldsV1.f:spec.f:replicas'), { present: false }),
      claim('a conflict', 'conflict.body.message', {
        is: 'Apply failed with 1 conflict: conflict with "scaler" with subresource "scale" using apps/v1: .spec.replicas',
      }),
      claim('left out, it stays', 'left-out.body.spec.replicas', { is: 3 }),
      claim('forced', 'forced.body.spec.replicas', { is: 2 }),
      claim('a PUT owns it too', managersOf('owned-by-put'), { contains: { manager: 'putter', subresource: 'scale' } }),
    ],
  },
  {
    id: 's8-scale-apply',
    section: 'patch-apply',
    shows: ['API-S8'],
    title: 'an apply to /scale is mapped back to the object',
    steps: [
      apply('deployment', applied(d, 'm1'), deployment('d', {}, { replicas: 1 }), { setup: true }),
      apply('conflict', applied(`${d}/scale`, 'scaler'), scaleTo('d', 3)),
      apply('shared', applied(`${d}/scale`, 'scaler'), scaleTo('d', 1)),
      apply('forced', applied(`${d}/scale`, 'scaler', 'force=true'), scaleTo('d', 3)),
      get('owned', d),
      apply('main-conflict', applied(d, 'm2'), justReplicas(5)),
      apply('again', applied(`${d}/scale`, 'scaler'), scaleTo('d', 4)),
      apply('of-missing', applied(`${deployments}/none/scale`, 'scaler'), scaleTo('none', 3)),
      apply('wrong-kind', applied(`${d}/scale`, 'scaler'), justReplicas(3)),
      get('end', d),
    ],
    claims: [
      claim('a conflict with the main apply', 'conflict.body.message', {
        is: 'Apply failed with 1 conflict: conflict with "m1": .spec.replicas',
      }),
      claim('equal is shared', 'shared.status', { is: 200 }),
      claim('forced', 'forced.body.spec.replicas', { is: 3 }),
      claim('mapped back', managersOf('owned'), {
        contains: { manager: 'scaler', operation: 'Apply', apiVersion: 'apps/v1', subresource: 'scale' },
      }),
      claim('the main apply conflicts', 'main-conflict.body.message', {
        is: 'Apply failed with 1 conflict: conflict with "scaler" with subresource "scale": .spec.replicas',
      }),
      claim('its own value', 'again.body.spec.replicas', { is: 4 }),
      claim('a subresource does not create', 'of-missing.status', { is: 404 }),
    ],
  },
  {
    id: 's8-custom-scale',
    section: 'patch-apply',
    shows: ['API-S8'],
    title: 'the scale of a custom resource is mapped by its paths',
    steps: [
      ...define('crd', withScale),
      apply('main', applied(t, 'm1'), thing('x', { spec: { replicas: 1, n: 1 } })),
      mergePatch('scaled', `${t}/scale?fieldManager=scaler`, { spec: { replicas: 3 } }),
      get('owned', t),
      apply('conflict', applied(t, 'm1'), thing('x', { spec: { replicas: 1, n: 1 } })),
      apply('scale-apply', applied(`${t}/scale`, 'zoomer', 'force=true'), scaleTo('x', 5)),
      get('owned-by-apply', t),
      apply('scale-conflict', applied(`${t}/scale`, 'other'), scaleTo('x', 6)),
    ],
    claims: [
      claim('owned by the scaler', entry('owned', 1, 'fieldsV1'), { is: { 'f:spec': { 'f:replicas': {} } } }),
      claim('as a subresource', entry('owned', 1, 'subresource'), { is: 'scale' }),
      claim('a conflict', 'conflict.status', { is: 409 }),
      claim('an apply to it fails', 'scale-apply.status', { is: 500 }),
      claim('whatever its force', 'scale-apply.body.message', {
        contains: 'to proper version: request to convert CR to an invalid group/version: autoscaling/v1',
      }),
      claim('nothing is changed by it', 'owned-by-apply.body.spec.replicas', { is: 3 }),
      claim('conflict on the scale', 'scale-conflict.status', { is: 409 }),
    ],
  },
  {
    id: 's8-other-kinds',
    section: 'patch-apply',
    shows: ['API-S8'],
    title: 'a Pod’s status and a ConfigMap that has none',
    steps: [
      apply('pod', applied('/api/v1/namespaces/{{ns}}/pods/p', 'm1'), {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'p' },
        spec: { containers: [{ name: 'app', image: 'app:1' }] },
        status: { phase: 'Running' },
      }),
      apply('pod-status', applied('/api/v1/namespaces/{{ns}}/pods/p/status', 'm2'), {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'p', labels: { a: '1' } },
        spec: { containers: [{ name: 'app', image: 'app:2' }] },
        status: { conditions: [{ type: 'Ready', status: 'True' }] },
      }),
      post('config-map', configMaps, configMap('x', { data: { k: 'v' } }), { setup: true }),
      apply('no-status', applied(`${configMaps}/x/status`, 'm1'), configMap('x')),
    ],
    claims: [
      claim('the main apply ignores status', 'pod.body.status.phase', { is: 'Pending' }),
      claim('not owned', entry('pod', 0, 'fieldsV1.f:status'), { present: false }),
      claim('spec is reset', 'pod-status.body.spec.containers.0.image', { is: 'app:1' }),
      claim('the entry', entry('pod-status', 1, 'subresource'), { is: 'status' }),
    ],
  },
];
