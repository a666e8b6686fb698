import type { Case, Json } from '../../src/case.ts';
import { apply, claim, define, get, mergePatch, post, thing, things, thingsPath } from '../../src/steps.ts';
import { applied, entry } from './manifests.ts';

const t = `${thingsPath}/x`;
const texts = { type: 'array', items: { type: 'string' } } as const;
const spec = (properties: { [key: string]: Json }): Json => ({ type: 'object', properties });
const of = (fields: { [key: string]: Json }) => thing('x', { spec: fields });
const portItem = {
  type: 'object',
  required: ['port'],
  properties: {
    port: { type: 'integer' },
    protocol: { type: 'string', default: 'TCP' },
    name: { type: 'string' },
    deep: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } },
  },
} as const;

export const listTypes: readonly Case[] = [
  {
    id: 's6-atomic-lists',
    section: 'patch-apply',
    shows: ['API-S6'],
    title: 'a list is atomic by default: owned and replaced as a whole',
    steps: [
      ...define(
        'crd',
        things(
          spec({
            list: texts,
            named: { ...texts, 'x-kubernetes-list-type': 'atomic' },
            objects: { type: 'array', items: portItem },
          }),
        ),
      ),
      apply('first', applied(t, 'm1'), of({ list: ['a', 'b'], named: ['a'], objects: [{ port: 1 }] })),
      apply('conflict', applied(t, 'm2'), of({ list: ['c'] })),
      apply('conflict-named', applied(t, 'm2'), of({ named: ['a', 'b'] })),
      apply('equal', applied(t, 'm2'), of({ list: ['a', 'b'] })),
      apply('forced', applied(t, 'm2', 'force=true'), of({ list: ['c'], objects: [{ port: 2 }] })),
      apply(
        'duplicates',
        applied(t, 'm2', 'force=true'),
        of({ list: ['c', 'c'], objects: [{ port: 2 }, { port: 2 }] }),
      ),
      apply('empty', applied(t, 'm2'), of({ list: [] })),
    ],
    claims: [
      claim('a leaf', entry('first', 0, 'fieldsV1.f:spec'), { is: { 'f:list': {}, 'f:named': {}, 'f:objects': {} } }),
      claim('another list is a conflict', 'conflict.body.message', { contains: '.spec.list' }),
      claim('named so as well', 'conflict-named.status', { is: 409 }),
      claim('the same list is shared', 'equal.status', { is: 200 }),
      claim('replaced', 'forced.body.spec.list', { is: ['c'] }),
      claim('of objects too', 'forced.body.spec.objects', { is: [{ port: 2, protocol: 'TCP' }] }),
      claim('duplicates are allowed', 'duplicates.body.spec.list', { is: ['c', 'c'] }),
      claim('empty', 'empty.body.spec.list', { is: [] }),
    ],
  },
  {
    id: 's6-sets',
    section: 'patch-apply',
    shows: ['API-S6'],
    title: 'of a set each value has its owners',
    steps: [
      ...define(
        'crd',
        things(
          spec({
            texts: { ...texts, 'x-kubernetes-list-type': 'set' },
            numbers: { type: 'array', items: { type: 'integer' }, 'x-kubernetes-list-type': 'set' },
          }),
        ),
      ),
      apply('first', applied(t, 'm1'), of({ texts: ['a', 'b'], numbers: [1, 2] })),
      apply('second', applied(t, 'm2'), of({ texts: ['b', 'c'], numbers: [3] })),
      apply('left-out', applied(t, 'm1'), of({ texts: ['a'] })),
      apply('duplicate', applied(t, 'm1'), of({ texts: ['a', 'a'] })),
      mergePatch('duplicate-by-patch', `${t}?fieldManager=m3`, { spec: { texts: ['a', 'a'] } }),
      mergePatch('replaced', `${t}?fieldManager=m3`, { spec: { texts: ['a', 'd'] } }),
      apply('empty', applied(t, 'm1'), of({ texts: [] })),
      get('end', t),
    ],
    claims: [
      claim('values', entry('first', 0, 'fieldsV1.f:spec'), {
        is: { 'f:numbers': { 'v:1': {}, 'v:2': {} }, 'f:texts': { 'v:"a"': {}, 'v:"b"': {} } },
      }),
      claim('merged', 'second.body.spec', { is: { texts: ['a', 'b', 'c'], numbers: [1, 2, 3] } }),
      claim('shared values stay', 'left-out.body.spec', { is: { texts: ['a', 'b', 'c'], numbers: [3] } }),
      claim('duplicates: 500', 'duplicate.status', { is: 500 }),
      claim('without a reason', 'duplicate.body.reason', { present: false }),
    ],
  },
  {
    id: 's6-map-lists',
    section: 'patch-apply',
    shows: ['API-S6'],
    title: 'items of a list with keys are merged by them, and key defaults count',
    steps: [
      ...define(
        'crd',
        things(
          spec({
            ports: {
              type: 'array',
              'x-kubernetes-list-type': 'map',
              'x-kubernetes-list-map-keys': ['port', 'protocol'],
              items: portItem,
            },
          }),
        ),
      ),
      apply(
        'first',
        applied(t, 'm1'),
        of({
          ports: [
            { port: 80, name: 'http', deep: { a: '1' } },
            { port: 53, protocol: 'UDP' },
          ],
        }),
      ),
      apply('default-counts', applied(t, 'm2'), of({ ports: [{ port: 80, protocol: 'TCP', deep: { b: '2' } }] })),
      apply('conflict', applied(t, 'm2'), of({ ports: [{ port: 80, name: 'other' }] })),
      apply('other-key', applied(t, 'm2'), of({ ports: [{ port: 80, protocol: 'UDP', name: 'other' }] })),
      apply(
        'duplicate',
        applied(t, 'm2'),
        of({
          ports: [
            { port: 1, name: 'a' },
            { port: 1, name: 'b' },
          ],
        }),
      ),
      apply('duplicate-by-default', applied(t, 'm2'), of({ ports: [{ port: 1 }, { port: 1, protocol: 'TCP' }] })),
      apply('no-key', applied(t, 'm2'), of({ ports: [{ name: 'nameless' }] })),
      apply('null-item', applied(t, 'm2'), of({ ports: [null] })),
      apply('item-gone', applied(t, 'm1'), of({ ports: [{ port: 80, name: 'http' }] })),
      get('end', t),
    ],
    claims: [
      claim('the key with its default', entry('first', 0, 'fieldsV1.f:spec.f:ports'), {
        is: {
          'k:{"port":53,"protocol":"UDP"}': { '.': {}, 'f:port': {}, 'f:protocol': {} },
          'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:deep': { 'f:a': {} }, 'f:name': {}, 'f:port': {} },
        },
      }),
      claim('key defaults count', 'default-counts.body.spec.ports', { length: 2 }),
      claim('merged inside', 'default-counts.body.spec.ports.0.deep', { is: { a: '1', b: '2' } }),
      claim('a conflict inside an item', 'conflict.body.message', {
        contains: '.spec.ports[port=80,protocol="TCP"].name',
      }),
      claim('another key, another item', 'other-key.body.spec.ports', { length: 3 }),
      claim('duplicate keys: 500', 'duplicate.status', { is: 500 }),
      claim('with the default', 'duplicate-by-default.status', { is: 500 }),
      claim('the item is gone', 'item-gone.body.spec.ports', { length: 2 }),
    ],
  },
  {
    id: 's6-map-types',
    section: 'patch-apply',
    shows: ['API-S6'],
    title: 'maps and objects are granular by default, or atomic',
    steps: [
      ...define(
        'crd',
        things(
          spec({
            map: { type: 'object', additionalProperties: { type: 'string' } },
            granular: { type: 'object', 'x-kubernetes-map-type': 'granular', additionalProperties: { type: 'string' } },
            atomicMap: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: { type: 'string' } },
            object: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } },
            atomicObject: {
              type: 'object',
              'x-kubernetes-map-type': 'atomic',
              properties: { a: { type: 'string' }, b: { type: 'string' } },
            },
            maps: {
              type: 'object',
              additionalProperties: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } },
            },
          }),
        ),
      ),
      apply(
        'first',
        applied(t, 'm1'),
        of({
          map: { a: '1' },
          granular: { a: '1' },
          atomicMap: { a: '1' },
          object: { a: '1' },
          atomicObject: { a: '1' },
          maps: { k: { a: '1' } },
        }),
      ),
      apply(
        'beside',
        applied(t, 'm2'),
        of({ map: { b: '2' }, granular: { b: '2' }, object: { b: '2' }, maps: { k: { b: '2' } } }),
      ),
      apply('atomic-map', applied(t, 'm2'), of({ atomicMap: { b: '2' } })),
      apply('atomic-object', applied(t, 'm2'), of({ atomicObject: { b: '2' } })),
      apply('forced', applied(t, 'm2', 'force=true'), of({ atomicMap: { b: '2' }, atomicObject: { b: '2' } })),
      mergePatch('by-patch', `${t}?fieldManager=m3`, { spec: { atomicMap: { c: '3' }, map: { c: '3' } } }),
    ],
    claims: [
      claim('owned', entry('first', 0, 'fieldsV1.f:spec'), {
        is: {
          'f:map': { 'f:a': {} },
          'f:granular': { 'f:a': {} },
          'f:atomicMap': {},
          'f:object': { 'f:a': {} },
          'f:atomicObject': {},
          'f:maps': { 'f:k': { '.': {}, 'f:a': {} } },
        },
      }),
      claim('granular by default', 'beside.body.spec.map', { is: { a: '1', b: '2' } }),
      claim('or by name', 'beside.body.spec.granular', { is: { a: '1', b: '2' } }),
      claim('objects as well', 'beside.body.spec.object', { is: { a: '1', b: '2' } }),
      claim('inside a map', 'beside.body.spec.maps', { is: { k: { a: '1', b: '2' } } }),
      claim('an atomic map is one field', 'atomic-map.status', { is: 409 }),
      claim('an atomic object too', 'atomic-object.status', { is: 409 }),
      claim('replaced as a whole', 'forced.body.spec.atomicMap', { is: { b: '2' } }),
      claim('the object too', 'forced.body.spec.atomicObject', { is: { b: '2' } }),
    ],
  },
  {
    id: 's6-unknown-fields',
    section: 'patch-apply',
    shows: ['API-S6'],
    title: 'under preserve-unknown-fields maps are granular and lists atomic',
    steps: [
      ...define(
        'crd',
        things({
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          properties: {
            known: { type: 'string' },
            set: { ...texts, 'x-kubernetes-list-type': 'set' },
            any: { 'x-kubernetes-preserve-unknown-fields': true },
            embedded: {
              type: 'object',
              'x-kubernetes-embedded-resource': true,
              'x-kubernetes-preserve-unknown-fields': true,
            },
            flexible: { 'x-kubernetes-int-or-string': true },
          },
        }),
      ),
      apply(
        'first',
        applied(t, 'm1'),
        of({ known: 'k', map: { a: 1, deep: { a: 1 } }, list: [{ name: 'a' }], set: ['a'], any: { x: 1 } }),
      ),
      apply('beside', applied(t, 'm2'), of({ map: { b: 2, deep: { b: 2 } }, set: ['b'], any: { y: 2 } })),
      apply('list', applied(t, 'm2'), of({ list: [{ name: 'b' }] })),
      apply('type', applied(t, 'm2', 'force=true'), of({ map: 'text', any: [1] })),
      apply(
        'embedded',
        applied(t, 'm3'),
        of({
          embedded: {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name: 'e', labels: { a: '1' } },
            data: { k: 'v' },
          },
          flexible: 1,
        }),
      ),
      apply('flexible', applied(t, 'm3'), of({ flexible: '50%' })),
    ],
    claims: [
      claim('maps granular', 'beside.body.spec.map', { is: { a: 1, b: 2, deep: { a: 1, b: 2 } } }),
      claim('declared fields keep their type', 'beside.body.spec.set', { is: ['a', 'b'] }),
      claim('lists atomic', 'list.body.message', { contains: '.spec.list' }),
      claim('409', 'list.status', { is: 409 }),
    ],
  },
  {
    id: 's6-undeclared',
    section: 'patch-apply',
    shows: ['API-S6', 'API-E11'],
    title: 'duplicate keys and undeclared fields are typing errors without a reason',
    steps: [
      ...define(
        'crd',
        things(
          spec({
            set: { ...texts, 'x-kubernetes-list-type': 'set' },
            n: { type: 'integer' },
            list: texts,
            object: { type: 'object', properties: { a: { type: 'string' } } },
          }),
        ),
      ),
      apply('undeclared', applied(t, 'm1'), of({ nope: 1 })),
      apply('two-undeclared', applied(t, 'm1'), of({ nope: 1, object: { deeper: 1 } }), {
        mask: ['body.message'],
        because: 'Go walks the fields in any order',
      }),
      apply('root', applied(t, 'm1'), thing('x', { nope: 1 })),
      apply('metadata', applied(t, 'm1'), thing('x', { metadata: { nope: 1 } })),
      apply('ignored', applied(t, 'm1', 'fieldValidation=Ignore'), of({ nope: 1 })),
      apply('duplicate', applied(t, 'm1'), of({ set: ['a', 'b', 'a'] })),
      apply('wrong-type', applied(t, 'm1'), of({ n: 'text' })),
      apply('list-for-object', applied(t, 'm1'), of({ object: ['a'] })),
      apply('object-for-list', applied(t, 'm1'), of({ list: { a: 1 } })),
      apply('float', applied(t, 'm1'), of({ n: 1.5 })),
      apply('with-namespace', applied(t, 'm1'), thing('x', { metadata: { namespace: '{{ns}}' }, spec: { nope: 1 } })),
      get('nothing-created', t),
      apply('built-in', applied('/api/v1/namespaces/{{ns}}/configmaps/x', 'm1'), {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'x' },
        nope: 1,
      }),
    ],
    claims: [
      claim('500', 'undeclared.status', { is: 500 }),
      claim('no reason', 'undeclared.body.reason', { present: false }),
      claim('the message', 'undeclared.body.message', {
        matches:
          '^failed to create typed patch object \\(/x; .*/v1, Kind=Thing\\): .spec.nope: field not declared in schema$',
      }),
      claim('duplicate values: 500', 'duplicate.status', { is: 500 }),
      claim('nothing was created', 'nothing-created.status', { is: 404 }),
      claim('of built-ins', 'built-in.status', { is: 500 }),
    ],
  },
  {
    id: 's6-nested-lists',
    section: 'patch-apply',
    shows: ['API-S6'],
    title: 'lists inside lists, and objects in a set',
    steps: [
      ...define(
        'crd',
        things(
          spec({
            groups: {
              type: 'array',
              'x-kubernetes-list-type': 'map',
              'x-kubernetes-list-map-keys': ['name'],
              items: {
                type: 'object',
                required: ['name'],
                properties: {
                  name: { type: 'string' },
                  members: { ...texts, 'x-kubernetes-list-type': 'set' },
                  rules: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['id'],
                    items: {
                      type: 'object',
                      required: ['id'],
                      properties: { id: { type: 'integer' }, v: { type: 'string' } },
                    },
                  },
                  matrix: { type: 'array', items: { type: 'array', items: { type: 'integer' } } },
                },
              },
            },
            objects: {
              type: 'array',
              'x-kubernetes-list-type': 'set',
              items: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: { type: 'string' } } },
            },
          }),
        ),
      ),
      apply(
        'first',
        applied(t, 'm1'),
        of({
          groups: [{ name: 'g', members: ['a'], rules: [{ id: 1, v: 'x' }], matrix: [[1], [2]] }],
        }),
      ),
      apply('second', applied(t, 'm2'), of({ groups: [{ name: 'g', members: ['b'], rules: [{ id: 2, v: 'y' }] }] })),
      apply('conflict', applied(t, 'm2'), of({ groups: [{ name: 'g', rules: [{ id: 1, v: 'y' }], matrix: [[3]] }] })),
      apply('objects-as-values', applied(t, 'm2'), of({ objects: [{ a: '1' }] })),
      apply('first-goes', applied(t, 'm1'), of({})),
    ],
    claims: [
      claim('merged at every depth', 'second.body.spec.groups', {
        is: [
          {
            name: 'g',
            members: ['a', 'b'],
            rules: [
              { id: 1, v: 'x' },
              { id: 2, v: 'y' },
            ],
            matrix: [[1], [2]],
          },
        ],
      }),
      claim('objects cannot be values', 'objects-as-values.body.message', {
        contains: "associative list without keys has an element that's a map type",
      }),
      claim('paths of two keys', 'conflict.body.message', { contains: '.spec.groups[name="g"].rules[id=1].v' }),
      claim('what the other owns stays', 'first-goes.body.spec', {
        is: { groups: [{ name: 'g', members: ['b'], rules: [{ id: 2, v: 'y' }] }] },
      }),
    ],
  },
  {
    id: 's6-type-change',
    section: 'patch-apply',
    shows: ['API-S6'],
    title: 'updates that leave duplicates behind do not stop a later apply',
    steps: [
      ...define('crd', things(spec({ list: { ...texts }, n: { type: 'integer' } }))),
      post('create', `${thingsPath}?fieldManager=m1`, of({ list: ['a', 'a'] })),
      apply('beside', applied(t, 'm2'), of({ n: 1 })),
      apply('same', applied(t, 'm2'), of({ n: 1, list: ['a', 'a'] })),
    ],
    claims: [
      claim('an atomic list may hold duplicates', 'beside.status', { is: 200 }),
      claim('and is shared as a whole', 'same.status', { is: 200 }),
    ],
  },
];
