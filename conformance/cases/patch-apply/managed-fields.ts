import type { Case } from '../../src/case.ts';
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
import { applied, deployment, deployments, entry, managersOf, podSpecOf } from './manifests.ts';

const x = `${configMaps}/x`;
const openSpec = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;
const version = (name: string, storage: boolean) => ({
  name,
  served: true,
  storage,
  subresources: { status: {} },
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: openSpec, status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    },
  },
});
const twoVersions = things(openSpec, { versions: [version('v1', true), version('v2', false)] });
const v2Path = '/apis/{{group}}/v2/namespaces/{{ns}}/things';
const thing2 = (spec: { [key: string]: number }) => ({
  apiVersion: '{{group}}/v2',
  kind: 'Thing',
  metadata: { name: 'x' },
  spec,
});

export const managedFields: readonly Case[] = [
  {
    id: 's3-entry',
    section: 'patch-apply',
    shows: ['API-S3'],
    title: 'an entry says who, how, in which version, when and what',
    steps: [
      apply('apply', applied(x, 'm1'), configMap('x', { metadata: { labels: { a: '1' } }, data: { k: 'v' } }), {
        keyOrder: true,
      }),
      mergePatch('update', `${x}?fieldManager=m2`, { data: { l: 'w' } }),
      post('deployment', deployments, deployment('d'), { setup: true }),
      mergePatch('status', `${deployments}/d/status?fieldManager=m3`, { status: { replicas: 1 } }),
    ],
    claims: [
      claim('manager, operation, apiVersion, time, fieldsType, fieldsV1', entry('apply', 0), {
        inOrder: ['manager', 'operation', 'apiVersion', 'time', 'fieldsType', 'fieldsV1'],
      }),
      claim('six of them', entry('apply', 0), { length: 6 }),
      claim('manager', entry('apply', 0, 'manager'), { is: 'm1' }),
      claim('Apply', entry('apply', 0, 'operation'), { is: 'Apply' }),
      claim('apiVersion', entry('apply', 0, 'apiVersion'), { is: 'v1' }),
      claim('time in whole seconds', entry('apply', 0, 'time'), {
        matches: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$',
      }),
      claim('FieldsV1', entry('apply', 0, 'fieldsType'), { is: 'FieldsV1' }),
      claim('fieldsV1', entry('apply', 0, 'fieldsV1'), {
        is: { 'f:data': { 'f:k': {} }, 'f:metadata': { 'f:labels': { 'f:a': {} } } },
      }),
      claim('Update', entry('update', 1, 'operation'), { is: 'Update' }),
      claim('subresource', managersOf('status'), {
        contains: { manager: 'm3', operation: 'Update', subresource: 'status' },
      }),
    ],
  },
  {
    id: 's3-identity',
    section: 'patch-apply',
    shows: ['API-S3'],
    title: 'manager, operation, subresource tell entries apart, and for updates the version',
    steps: [
      ...define('crd', twoVersions),
      apply('apply', applied(`${thingsPath}/x`, 'm'), thing('x', { spec: { a: 1 } })),
      mergePatch('update', `${thingsPath}/x?fieldManager=m`, { spec: { b: 1 } }),
      mergePatch('update-again', `${thingsPath}/x?fieldManager=m`, { spec: { c: 1 } }),
      mergePatch('update-v2', `${v2Path}/x?fieldManager=m`, { spec: { d: 1 } }),
      apply('apply-status', applied(`${thingsPath}/x/status`, 'm'), thing('x', { status: { s: 1 } })),
      mergePatch('update-status', `${thingsPath}/x/status?fieldManager=m`, { status: { t: 1 } }),
      apply('apply-v2', applied(`${v2Path}/x`, 'm'), thing2({ a: 1, e: 1 })),
      get('end', `${thingsPath}/x`),
      get('end-v2', `${v2Path}/x`),
    ],
    claims: [
      claim('the operation', managersOf('update'), { length: 2 }),
      claim('the same identity: one entry', managersOf('update-again'), { length: 2 }),
      claim('for Update also apiVersion', managersOf('update-v2'), { length: 3 }),
      claim('the subresource', managersOf('apply-status'), { length: 4 }),
      claim('of updates too', managersOf('update-status'), { length: 5 }),
      claim('for Apply the version does not count', managersOf('apply-v2'), { length: 5 }),
      claim('the entry has the version of the last apply', managersOf('apply-v2'), {
        contains: { manager: 'm', operation: 'Apply', apiVersion: '{{group}}/v2' },
      }),
    ],
  },
  {
    id: 's3-keys',
    section: 'patch-apply',
    shows: ['API-S3'],
    title: 'keys are fields, sorted key objects, values, and a dot for the thing itself',
    steps: [
      apply(
        'built-in',
        applied(`${deployments}/d`, 'm1'),
        {
          ...deployment('d', {
            containers: [
              {
                name: 'app',
                image: 'app:1',
                ports: [{ containerPort: 80, protocol: 'TCP' }],
                env: [{ name: 'E', value: '' }],
              },
            ],
          }),
        },
        { keyOrder: true },
      ),
      apply(
        'finalizers',
        applied(x, 'm1'),
        configMap('x', { metadata: { finalizers: ['example.com/a', 'example.com/b'] } }),
      ),
      apply(
        'owners',
        applied(x, 'm2'),
        configMap('x', {
          metadata: {
            ownerReferences: [
              { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: '00000000-0000-4000-8000-000000000001' },
            ],
          },
        }),
      ),
      ...define(
        'crd',
        things({
          type: 'object',
          properties: {
            numbers: { type: 'array', items: { type: 'integer' }, 'x-kubernetes-list-type': 'set' },
            flags: { type: 'array', items: { type: 'boolean' }, 'x-kubernetes-list-type': 'set' },
            byTwo: {
              type: 'array',
              'x-kubernetes-list-type': 'map',
              'x-kubernetes-list-map-keys': ['zone', 'name', 'index'],
              items: {
                type: 'object',
                required: ['zone', 'name', 'index'],
                properties: {
                  zone: { type: 'string' },
                  name: { type: 'string' },
                  index: { type: 'integer' },
                  v: { type: 'string' },
                },
              },
            },
            atomic: { type: 'array', items: { type: 'string' } },
          },
        }),
      ),
      apply(
        'custom',
        applied(`${thingsPath}/x`, 'm1'),
        thing('x', {
          spec: {
            numbers: [2, 1],
            flags: [true],
            byTwo: [{ zone: 'z', name: 'quoted "n"', index: 1, v: 'x' }],
            atomic: ['a', 'b'],
          },
        }),
        { keyOrder: true },
      ),
    ],
    claims: [
      claim(
        'f:name and k:{…} with sorted keys',
        entry('built-in', 0, 'fieldsV1.f:spec.f:template.f:spec.f:containers'),
        {
          is: {
            'k:{"name":"app"}': {
              '.': {},
              'f:env': { 'k:{"name":"E"}': { '.': {}, 'f:name': {}, 'f:value': {} } },
              'f:image': {},
              'f:name': {},
              'f:ports': {
                'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {}, 'f:protocol': {} },
              },
            },
          },
        },
      ),
      claim('v:…', entry('finalizers', 0, 'fieldsV1.f:metadata.f:finalizers'), {
        is: { 'v:"example.com/a"': {}, 'v:"example.com/b"': {} },
      }),
      claim('an owner is its key, as a whole', entry('owners', 1, 'fieldsV1.f:metadata.f:ownerReferences'), {
        is: { 'k:{"uid":"00000000-0000-4000-8000-000000000001"}': {} },
      }),
      claim('numbers as values', entry('custom', 0, 'fieldsV1.f:spec.f:numbers'), { is: { 'v:1': {}, 'v:2': {} } }),
      claim('several keys in alphabetical order', entry('custom', 0, 'fieldsV1.f:spec.f:byTwo'), {
        is: {
          'k:{"index":1,"name":"quoted \\"n\\"","zone":"z"}': {
            '.': {},
            'f:index': {},
            'f:name': {},
            'f:v': {},
            'f:zone': {},
          },
        },
      }),
      claim('an atomic list is a leaf', entry('custom', 0, 'fieldsV1.f:spec.f:atomic'), { is: {} }),
    ],
  },
  {
    id: 's3-dots',
    section: 'patch-apply',
    shows: ['API-S3'],
    title: 'an apply owns leaves and list items, an update also the maps it created',
    steps: [
      apply('apply', applied(x, 'm1'), configMap('x', { metadata: { labels: { a: '1' } }, data: { k: 'v' } })),
      post(
        'update',
        `${configMaps}?fieldManager=m1`,
        configMap('y', { metadata: { labels: { a: '1' } }, data: { k: 'v' } }),
      ),
      mergePatch('into-existing-map', `${configMaps}/y?fieldManager=m2`, { data: { l: 'w' } }),
      mergePatch('new-map', `${configMaps}/y?fieldManager=m2`, { binaryData: { b: 'YQ==' } }),
      apply('empty-map', applied(`${configMaps}/z`, 'm1'), configMap('z', { metadata: { labels: {} }, data: {} })),
      post('created-deployment', `${deployments}?fieldManager=m1`, deployment('d')),
      mergePatch('new-item', `${deployments}/d?fieldManager=m2`, {
        spec: {
          template: {
            spec: {
              containers: [
                { name: 'app', image: 'app:1' },
                { name: 'side', image: 's:1' },
              ],
            },
          },
        },
      }),
      ...define('crd', things(openSpec)),
      apply(
        'custom-apply',
        applied(`${thingsPath}/x`, 'm1'),
        thing('x', { spec: { a: { b: { c: 1 } }, empty: {}, none: [] } }),
      ),
      post(
        'custom-update',
        `${thingsPath}?fieldManager=m1`,
        thing('y', { spec: { a: { b: { c: 1 } }, empty: {}, none: [] } }),
      ),
    ],
    claims: [
      claim('Apply owns leaves', entry('apply', 0, 'fieldsV1'), {
        is: { 'f:data': { 'f:k': {} }, 'f:metadata': { 'f:labels': { 'f:a': {} } } },
      }),
      claim('Update also the maps it created', entry('update', 0, 'fieldsV1'), {
        is: { 'f:data': { '.': {}, 'f:k': {} }, 'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } } },
      }),
      claim('but not those that were there', entry('into-existing-map', 1, 'fieldsV1'), {
        is: { 'f:data': { 'f:l': {} } },
      }),
      claim('created later', entry('new-map', 1, 'fieldsV1.f:binaryData'), { is: { '.': {}, 'f:b': {} } }),
      claim('two containers', `${podSpecOf('new-item')}.containers`, { length: 2 }),
      claim(
        'items of a map without declared fields are owned as items of a list are',
        entry('custom-apply', 0, 'fieldsV1'),
        {
          is: { 'f:spec': { 'f:a': { '.': {}, 'f:b': { '.': {}, 'f:c': {} } }, 'f:empty': {}, 'f:none': {} } },
        },
      ),
      claim('a custom resource, created', entry('custom-update', 0, 'fieldsV1'), {
        is: {
          'f:spec': { '.': {}, 'f:a': { '.': {}, 'f:b': { '.': {}, 'f:c': {} } }, 'f:empty': {}, 'f:none': {} },
        },
      }),
    ],
  },
  {
    id: 's3-never-tracked',
    section: 'patch-apply',
    shows: ['API-S3'],
    title: 'apiVersion, kind, metadata itself and its server-set fields belong to nobody',
    steps: [
      post(
        'create',
        `${configMaps}?fieldManager=m1`,
        configMap('x', {
          metadata: {
            namespace: '{{ns}}',
            uid: 'abc',
            generation: 7,
            creationTimestamp: '2020-01-01T00:00:00Z',
            selfLink: '/x',
            labels: { a: '1' },
          },
        }),
      ),
      apply(
        'apply',
        applied(x, 'm2'),
        configMap('x', {
          metadata: {
            namespace: '{{ns}}',
            uid: '{{create.body.metadata.uid}}',
            resourceVersion: '{{create.body.metadata.resourceVersion}}',
            creationTimestamp: '{{create.body.metadata.creationTimestamp}}',
            selfLink: '/y',
            generation: 9,
            annotations: { b: '2' },
          },
        }),
      ),
      ...define('crd', things(openSpec)),
      post(
        'custom',
        `${thingsPath}?fieldManager=m1`,
        thing('x', { metadata: { namespace: '{{ns}}', finalizers: ['example.com/f'] } }),
      ),
      mergePatch('generation', `${thingsPath}/x?fieldManager=m2`, { spec: { n: 1 } }),
      apply(
        'generated-name',
        applied(`${thingsPath}/g`, 'm1'),
        thing('g', { metadata: { generateName: 'g-' }, spec: { n: 1 } }),
      ),
      post(
        'only-identity',
        `${configMaps}?fieldManager=m1`,
        configMap('nothing', { metadata: { namespace: '{{ns}}' } }),
      ),
    ],
    claims: [
      claim('only the label, and the label map', entry('create', 0, 'fieldsV1'), {
        is: { 'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } } },
      }),
      claim('only the annotation', entry('apply', 0, 'fieldsV1'), {
        is: { 'f:metadata': { 'f:annotations': { 'f:b': {} } } },
      }),
      claim('only the finalizers', entry('custom', 0, 'fieldsV1'), {
        is: { 'f:metadata': { 'f:finalizers': { '.': {}, 'v:"example.com/f"': {} } } },
      }),
      claim('not the generation', entry('generation', 1, 'fieldsV1'), { is: { 'f:spec': { '.': {}, 'f:n': {} } } }),
      claim('nothing owned, no entry', 'only-identity.body.metadata.managedFields', { present: false }),
    ],
  },
  {
    id: 's3-index-steps',
    section: 'patch-apply',
    shows: ['API-S3'],
    title: 'i:n, a place in a list, is kept where a client wrote it',
    steps: [
      ...define('crd', things(openSpec)),
      apply('create', applied(`${thingsPath}/x`, 'm1'), thing('x', { spec: { list: ['a', 'b'] } })),
      put('written', `${thingsPath}/x?fieldManager=m2`, {
        ...thing('x', { spec: { list: ['a', 'b'] } }),
        metadata: {
          name: 'x',
          resourceVersion: '{{create.body.metadata.resourceVersion}}',
          managedFields: [
            {
              manager: 'm1',
              operation: 'Apply',
              apiVersion: '{{group}}/v1',
              time: '2020-01-01T00:00:00Z',
              fieldsType: 'FieldsV1',
              fieldsV1: { 'f:spec': { 'f:map': { 'i:1': {}, 'i:0': { 'f:deep': {} } } } },
            },
          ],
        },
      }),
      get('kept', `${thingsPath}/x`),
    ],
    claims: [claim('kept', entry('kept', 0, 'fieldsV1.f:spec.f:map'), { is: { 'i:0': { 'f:deep': {} }, 'i:1': {} } })],
  },
];
