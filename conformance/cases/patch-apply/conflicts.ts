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
  thing,
  things,
  thingsPath,
} from '../../src/steps.ts';
import { anyCauses, applied, deployment, deployments, entry, managersOf } from './manifests.ts';

const x = `${configMaps}/x`;
const t = `${thingsPath}/x`;
const data = (fields: { [key: string]: string | null }) => configMap('x', { data: fields });
const keyed = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
  items: {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, a: { type: 'string' }, b: { type: 'string' } },
  },
} as const;
const schema = {
  type: 'object',
  properties: {
    replicas: { type: 'integer' },
    a: { type: 'string' },
    b: { type: 'string' },
    atomic: { type: 'array', items: { type: 'string' } },
    set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    items: keyed,
    object: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: { type: 'string' } },
    map: { type: 'object', additionalProperties: { type: 'string' } },
  },
} as const;

export const conflicts: readonly Case[] = [
  {
    id: 's5-one-conflict',
    section: 'patch-apply',
    shows: ['API-S5', 'API-E6'],
    title: 'another manager’s field with another value is a conflict',
    steps: [
      ...define('crd', things(schema)),
      apply('first', applied(t, 'm1'), thing('x', { spec: { replicas: 1, a: '1' } })),
      apply('conflict', applied(t, 'm2'), thing('x', { spec: { replicas: 2 } })),
      apply('conflict-dry-run', applied(t, 'm2', 'dryRun=All'), thing('x', { spec: { replicas: 2 } })),
      apply('other-field', applied(t, 'm2'), thing('x', { spec: { b: '2' } })),
      get('unchanged', t),
    ],
    claims: [
      claim('409', 'conflict.status', { is: 409 }),
      claim('Conflict', 'conflict.body.reason', { is: 'Conflict' }),
      claim('the message', 'conflict.body.message', {
        is: 'Apply failed with 1 conflict: conflict with "m1": .spec.replicas',
      }),
      claim('one cause', 'conflict.body.details.causes', {
        is: [{ reason: 'FieldManagerConflict', message: 'conflict with "m1"', field: '.spec.replicas' }],
      }),
      claim('other fields are free', 'other-field.status', { is: 200 }),
      claim('nothing was taken', 'unchanged.body.spec', { is: { replicas: 1, a: '1', b: '2' } }),
    ],
  },
  {
    id: 's5-several-conflicts',
    section: 'patch-apply',
    shows: ['API-S5'],
    title: 'several conflicts are listed by manager',
    steps: [
      ...define('crd', things(schema)),
      apply('first', applied(t, 'm1'), thing('x', { spec: { replicas: 1, a: '1', b: '1' } }), { setup: true }),
      apply('one-manager', applied(t, 'm2'), thing('x', { spec: { a: '2', b: '2' } })),
      apply('second', applied(t, 'm2'), thing('x', { spec: { map: { k: '2' } } }), { setup: true }),
      mergePatch('update', `${t}?fieldManager=m3`, { spec: { set: ['u'], atomic: ['u'] } }, { setup: true }),
      apply(
        'managers',
        applied(t, 'm4'),
        thing('x', { spec: { a: '4', b: '4', map: { k: '4' }, atomic: ['4'], set: ['4'] } }),
        anyCauses,
      ),
    ],
    claims: [
      claim('the message', 'one-manager.body.message', {
        is: 'Apply failed with 2 conflicts: conflicts with "m1":\n- .spec.a\n- .spec.b',
      }),
      claim('a cause each', 'one-manager.body.details.causes', {
        is: [
          { reason: 'FieldManagerConflict', message: 'conflict with "m1"', field: '.spec.a' },
          { reason: 'FieldManagerConflict', message: 'conflict with "m1"', field: '.spec.b' },
        ],
      }),
      claim('several managers', 'managers.body.message', {
        matches:
          '^Apply failed with 4 conflicts: conflicts with "m1":\n- .spec.a\n- .spec.b\nconflicts with "m2":\n- .spec.map.k\nconflicts with "m3" using .*/v1:\n- .spec.atomic$',
      }),
    ],
  },
  {
    id: 's5-update-managers',
    section: 'patch-apply',
    shows: ['API-S5'],
    title: 'a manager that updated is named with its version, one of a subresource with that',
    steps: [
      post('create', `${configMaps}?fieldManager=m`, data({ k: 'v' }), { setup: true }),
      apply('conflict', applied(x, 'm1'), data({ k: 'other' })),
      apply('same-manager', applied(x, 'm'), data({ k: 'other' })),
      post('deployment', `${deployments}?fieldManager=creator`, deployment('d'), { setup: true }),
      mergePatch('scaled', `${deployments}/d/scale?fieldManager=scaler`, { spec: { replicas: 2 } }, { setup: true }),
      apply('subresource', applied(`${deployments}/d`, 'm1'), {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'd' },
        spec: { replicas: 3 },
      }),
      ...define('crd', things(schema)),
      post('thing', `${thingsPath}?fieldManager=creator`, thing('x', { spec: { a: '1' } }), { setup: true }),
      apply('custom', applied(t, 'm1'), thing('x', { spec: { a: '2' } })),
    ],
    claims: [
      claim('"m" using v1', 'conflict.body.message', {
        is: 'Apply failed with 1 conflict: conflict with "m" using v1: .data.k',
      }),
      claim('in the cause too', 'conflict.body.details.causes.0.message', { is: 'conflict with "m" using v1' }),
      claim('even of the same name', 'same-manager.status', { is: 409 }),
      claim('with its subresource', 'subresource.body.message', {
        is: 'Apply failed with 1 conflict: conflict with "scaler" with subresource "scale" using apps/v1: .spec.replicas',
      }),
      claim('of a custom resource', 'custom.body.message', {
        matches: '^Apply failed with 1 conflict: conflict with "creator" using .*/v1: .spec.a$',
      }),
    ],
  },
  {
    id: 's5-shared',
    section: 'patch-apply',
    shows: ['API-S5'],
    title: 'equal values are shared, and conflict as soon as one wants another',
    steps: [
      apply('first', applied(x, 'm1'), data({ k: 'v', l: 'w' })),
      apply('second', applied(x, 'm2'), data({ k: 'v' })),
      apply('third', applied(x, 'm3'), data({ k: 'v' })),
      apply('one-wants-another', applied(x, 'm1'), data({ k: 'x', l: 'w' }), anyCauses),
      apply('forced', applied(x, 'm1', 'force=true'), data({ k: 'x', l: 'w' })),
      apply('the-old-value', applied(x, 'm2'), data({ k: 'v' })),
    ],
    claims: [
      claim('equal = shared', 'second.status', { is: 200 }),
      claim('both own it', managersOf('second'), { length: 2 }),
      claim('all three', managersOf('third'), { length: 3 }),
      claim('nobody changes it alone', 'one-wants-another.body.message', {
        is: 'Apply failed with 2 conflicts: conflicts with "m2":\n- .data.k\nconflicts with "m3":\n- .data.k',
      }),
      claim('force takes it from all', managersOf('forced'), { length: 1 }),
    ],
  },
  {
    id: 's5-force',
    section: 'patch-apply',
    shows: ['API-S5'],
    title: 'force takes fields from applies and updates, and only those',
    steps: [
      ...define('crd', things(schema)),
      apply(
        'first',
        applied(t, 'm1'),
        thing('x', { spec: { a: '1', b: '1', set: ['p', 'q'], items: [{ name: 'i', a: '1' }] } }),
      ),
      mergePatch('update', `${t}?fieldManager=m2`, { spec: { replicas: 1, map: { k: '1', l: '1' } } }),
      apply(
        'forced',
        applied(t, 'm3', 'force=true'),
        thing('x', {
          spec: { a: '3', replicas: 3, map: { k: '3' }, set: ['p'], items: [{ name: 'i', a: '3', b: '3' }] },
        }),
      ),
      apply('loser', applied(t, 'm1'), thing('x', { spec: { a: '1', b: '1' } })),
      apply('force-without-conflict', applied(t, 'm3', 'force=true'), thing('x', { spec: { a: '3' } })),
    ],
    claims: [
      claim('taken', 'forced.body.spec', {
        is: {
          a: '3',
          b: '1',
          replicas: 3,
          map: { k: '3', l: '1' },
          set: ['p', 'q'],
          items: [{ name: 'i', a: '3', b: '3' }],
        },
      }),
      claim('the first keeps the rest', entry('forced', 0, 'fieldsV1.f:spec'), {
        is: {
          'f:b': {},
          'f:items': { 'k:{"name":"i"}': { '.': {}, 'f:name': {} } },
          'f:set': { 'v:"p"': {}, 'v:"q"': {} },
        },
      }),
      claim('so does the update', entry('forced', 2, 'fieldsV1.f:spec'), {
        is: { 'f:map': { '.': {}, 'f:l': {} } },
      }),
      claim('the loser conflicts now', 'loser.status', { is: 409 }),
    ],
  },
  {
    id: 's5-left-out',
    section: 'patch-apply',
    shows: ['API-S5'],
    title: 'what a manager leaves out is deleted if nobody else owns it',
    steps: [
      apply('first', applied(x, 'm1'), data({ own: '1', shared: '1', updated: '1', touched: '1', stays: '1' })),
      apply('second', applied(x, 'm2'), data({ shared: '1' })),
      mergePatch('update', `${x}?fieldManager=m3`, { data: { updated: '3', touched: '1' } }),
      apply('left-out', applied(x, 'm1'), data({ stays: '1' })),
      apply('shared-left-out', applied(x, 'm2'), data({})),
      apply('all-left-out', applied(x, 'm1'), configMap('x')),
      apply('never-owned', applied(x, 'm4'), configMap('x')),
      apply('null', applied(x, 'm4'), data({ updated: null })),
      apply('null-of-own', applied(x, 'm5'), data({ five: '5' }), { setup: true }),
      apply('null-taken-back', applied(x, 'm5'), data({ five: null })),
      get('end', x),
    ],
    claims: [
      claim('deleted if unowned; shared and updated stay', 'left-out.body.data', {
        is: { shared: '1', updated: '3', stays: '1' },
      }),
      claim('the last owner leaves it out', 'shared-left-out.body.data', { is: { updated: '3', stays: '1' } }),
      claim('what an update owns stays', 'all-left-out.body.data', { is: { updated: '3' } }),
    ],
  },
  {
    id: 's5-left-out-items',
    section: 'patch-apply',
    shows: ['API-S5', 'API-S6'],
    title: 'items that are left out go with all inside, unless somebody else owns the item',
    steps: [
      ...define('crd', things(schema)),
      apply(
        'first',
        applied(t, 'm1'),
        thing('x', {
          spec: {
            a: '1',
            items: [
              { name: 'own', a: '1' },
              { name: 'inner', a: '1' },
              { name: 'shared', a: '1' },
            ],
            set: ['own', 'shared'],
            map: { own: '1', shared: '1' },
            atomic: ['a'],
            object: { k: '1' },
          },
        }),
      ),
      apply(
        'second',
        applied(t, 'm2'),
        thing('x', {
          spec: {
            items: [
              { name: 'inner', b: '2' },
              { name: 'shared', a: '1' },
            ],
            set: ['shared'],
            map: { shared: '1' },
          },
        }),
      ),
      mergePatch('update', `${t}?fieldManager=m3`, {
        spec: {
          items: [
            { name: 'own', a: '1', b: '3' },
            { name: 'inner', a: '1', b: '2' },
            { name: 'shared', a: '1' },
          ],
        },
      }),
      apply('left-out', applied(t, 'm1'), thing('x', { spec: { a: '1' } })),
      apply('nothing', applied(t, 'm1'), thing('x')),
      apply('second-left-out', applied(t, 'm2'), thing('x', { spec: {} })),
    ],
    claims: [
      claim('an update inside does not hold the item', 'left-out.body.spec.items', { length: 2 }),
      claim('inner stays with what the other owns', 'left-out.body.spec.items', {
        contains: { name: 'inner', b: '2' },
      }),
      claim('a shared item stays', 'left-out.body.spec.items', { contains: { name: 'shared', a: '1' } }),
      claim('the set keeps what is shared', 'left-out.body.spec.set', { is: ['shared'] }),
      claim('the map keeps what is shared', 'left-out.body.spec.map', { is: { shared: '1' } }),
      claim('the atomic list goes', 'left-out.body.spec.atomic', { present: false }),
      claim('the atomic map goes', 'left-out.body.spec.object', { present: false }),
    ],
  },
  {
    id: 's5-paths',
    section: 'patch-apply',
    shows: ['API-S5'],
    title: 'conflicts name items by key, values and atomic wholes',
    steps: [
      ...define('crd', things(schema)),
      apply(
        'first',
        applied(t, 'm1'),
        thing('x', {
          metadata: { labels: { 'example.com/a': '1' } },
          spec: {
            items: [{ name: 'i', a: '1' }],
            set: ['s'],
            atomic: ['a'],
            object: { k: '1' },
            map: { 'dotted.key': '1' },
          },
        }),
      ),
      apply(
        'conflict',
        applied(t, 'm2'),
        thing('x', {
          metadata: { labels: { 'example.com/a': '2' } },
          spec: {
            items: [{ name: 'i', a: '2' }],
            set: ['s'],
            atomic: ['a', 'b'],
            object: { k: '1', l: '1' },
            map: { 'dotted.key': '2' },
          },
        }),
      ),
      apply(
        'deployment',
        applied(`${deployments}/d`, 'm1'),
        deployment('d', { containers: [{ name: 'app', image: 'app:1', ports: [{ containerPort: 80, name: 'a' }] }] }),
        { setup: true },
      ),
      apply('built-in', applied(`${deployments}/d`, 'm2'), {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'd' },
        spec: {
          template: {
            spec: { containers: [{ name: 'app', image: 'app:2', ports: [{ containerPort: 80, name: 'b' }] }] },
          },
        },
      }),
    ],
    claims: [
      claim('all six', 'conflict.body.details.causes', { length: 5 }),
      claim('an item by its key', 'conflict.body.message', { contains: '- .spec.items[name="i"].a' }),
      claim('an atomic list', 'conflict.body.message', { contains: '- .spec.atomic' }),
      claim('an atomic map', 'conflict.body.message', { contains: '- .spec.object' }),
      claim('two keys', 'built-in.body.message', {
        contains: '- .spec.template.spec.containers[name="app"].ports[containerPort=80,protocol="TCP"].name',
      }),
    ],
  },
];
