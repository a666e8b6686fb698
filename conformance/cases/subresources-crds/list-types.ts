// API-K7: lists that are sets or maps.
import type { Case } from '../../src/case.ts';
import { claim, define, mergePatch, post, thing, things, thingsPath } from '../../src/steps.ts';
import {
  accepted,
  atField as at,
  causes,
  type Fields,
  judgeField,
  list,
  object,
  refused,
  reschema,
  text,
  tried,
} from './definitions.ts';

const set = (items: Fields, more: Fields = {}): Fields => list(items, { 'x-kubernetes-list-type': 'set', ...more });
const keyed = (keys: readonly string[], items: Fields): Fields =>
  list(items, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys });

const ports = object(
  { port: { type: 'integer' }, protocol: { ...text, default: 'TCP' }, note: text },
  { required: ['port'] },
);
const named = object({ name: text, value: text }, { required: ['name'] });

export const listTypes: readonly Case[] = [
  {
    id: 'k7-sets',
    section: 'subresources-crds',
    shows: ['API-K7'],
    title: 'a set has each value once',
    steps: [
      ...define(
        'crd',
        things(
          object({
            texts: set(text),
            numbers: set({ type: 'number' }),
            objects: set(object({ a: text, b: text }, { 'x-kubernetes-map-type': 'atomic' })),
            lists: set(list(text)),
            atomic: list(text, { 'x-kubernetes-list-type': 'atomic' }),
            plain: list(text),
          }),
        ),
      ),
      tried('unique', { texts: ['a', 'b'], objects: [{ a: 'a' }, { a: 'b' }], lists: [['a'], ['b']] }),
      tried('text', { texts: ['a', 'b', 'a'] }),
      tried('thrice', { texts: ['a', 'a', 'b', 'a', 'b'] }),
      tried('number', { numbers: [1, 1.0, 2] }),
      tried('object', {
        objects: [
          { a: 'a', b: 'b' },
          { b: 'b', a: 'a' },
        ],
      }),
      tried('list', { lists: [['a'], ['a']] }),
      tried('atomic', { atomic: ['a', 'a'], plain: ['b', 'b'] }),
    ],
    claims: [
      accepted('each once', 'unique'),
      claim('FieldValueDuplicate', 'text.body.details.causes.0.reason', { is: 'FieldValueDuplicate' }),
      ...causes('text', 'text', [['spec.texts[2]', 'Duplicate value: "a"']]),
      claim('object', 'object.body.details.causes.0.field', { is: 'spec.objects[1]' }),
      claim('list', 'list.body.details.causes.0.field', { is: 'spec.lists[1]' }),
      accepted('other lists take everything', 'atomic'),
    ],
  },
  {
    id: 'k7-maps',
    section: 'subresources-crds',
    shows: ['API-K7'],
    title: 'a list map has each key once',
    steps: [
      ...define(
        'crd',
        things(
          object({
            rows: keyed(['name'], named),
            ports: keyed(['port', 'protocol'], ports),
            nested: list(object({ rows: keyed(['name'], named) })),
          }),
        ),
      ),
      tried('unique', { rows: [{ name: 'a' }, { name: 'b' }], ports: [{ port: 1 }, { port: 1, protocol: 'UDP' }] }),
      tried('duplicate', { rows: [{ name: 'a', value: '1' }, { name: 'b' }, { name: 'a', value: '2' }] }),
      tried('two-keys', {
        ports: [
          { port: 1, protocol: 'TCP' },
          { port: 1, protocol: 'TCP', note: 'n' },
        ],
      }),
      tried('defaulted-key', { ports: [{ port: 1 }, { port: 1, protocol: 'TCP' }] }),
      tried('nested', { nested: [{ rows: [{ name: 'a' }, { name: 'a' }] }] }),
      tried('without-key', { rows: [{ value: '1' }, { value: '2' }] }),
    ],
    claims: [
      accepted('each once', 'unique'),
      claim('FieldValueDuplicate', 'duplicate.body.details.causes.0.reason', { is: 'FieldValueDuplicate' }),
      ...causes('key', 'duplicate', [['spec.rows[2]', 'Duplicate value: {"name":"a"}']]),
      ...causes('two keys', 'two-keys', [['spec.ports[1]', 'Duplicate value: {"port":1,"protocol":"TCP"}']]),
      ...causes('a defaulted key', 'defaulted-key', [
        ['spec.ports[1]', 'Duplicate value: {"port":1,"protocol":"TCP"}'],
      ]),
      ...causes('nested', 'nested', [['spec.nested[0].rows[1]', 'Duplicate value: {"name":"a"}']]),
    ],
  },
  {
    id: 'k7-ratcheted',
    section: 'subresources-crds',
    shows: ['API-K7', 'API-K9'],
    title: 'an object that broke the rule before may keep breaking it',
    steps: [
      ...define('crd', things(object({ texts: list(text), rows: list(named), note: text }))),
      post('create', thingsPath, thing('x', { spec: { texts: ['a', 'a'], rows: [{ name: 'a' }, { name: 'a' }] } }), {
        setup: true,
      }),
      post('good', thingsPath, thing('y', { spec: { texts: ['a'], rows: [{ name: 'a' }] } }), { setup: true }),
      reschema('tighten', object({ spec: object({ texts: set(text), rows: keyed(['name'], named), note: text }) })),
      post('refused', `${thingsPath}?dryRun=All`, thing('z', { spec: { texts: ['a', 'a'] } }), {
        until: { at: 'refused.status', is: 422 },
      }),
      mergePatch('untouched', `${thingsPath}/x`, { spec: { note: 'n' } }),
      mergePatch('more-duplicates', `${thingsPath}/x`, { spec: { texts: ['a', 'a', 'b', 'b'] } }),
      mergePatch('healed', `${thingsPath}/x`, { spec: { texts: ['a'], rows: [{ name: 'a' }] } }),
      mergePatch('broken-again', `${thingsPath}/x`, { spec: { texts: ['a', 'a'] } }),
      mergePatch('good-broken', `${thingsPath}/y`, { spec: { rows: [{ name: 'a' }, { name: 'a' }] } }),
    ],
    claims: [
      claim('a new object is checked', 'refused.body.code', { is: 422 }),
      claim('an old one may be changed elsewhere', 'untouched.status', { is: 200 }),
      claim('and in the list itself', 'more-duplicates.status', { is: 200 }),
      claim('once healed it is checked', 'broken-again.body.code', { is: 422 }),
      claim('one that was right is checked', 'good-broken.body.code', { is: 422 }),
    ],
  },
  {
    id: 'k7-definitions',
    section: 'subresources-crds',
    shows: ['API-K7'],
    title: 'keys of a list map are scalars that are always there, and its items are not nulls',
    steps: [
      judgeField('right', keyed(['name'], named)),
      judgeField('defaulted-key', keyed(['name'], object({ name: { ...text, default: 'd' } }))),
      judgeField('no-keys', list(named, { 'x-kubernetes-list-type': 'map' })),
      judgeField('keys-without-map', list(named, { 'x-kubernetes-list-map-keys': ['name'] })),
      judgeField('keys-of-set', set(text, { 'x-kubernetes-list-map-keys': ['name'] })),
      judgeField('absent-key', keyed(['nope'], named)),
      judgeField('repeated-key', keyed(['name', 'name'], named)),
      judgeField('object-key', keyed(['name'], object({ name: object({ a: text }) }, { required: ['name'] }))),
      judgeField('optional-key', keyed(['name'], object({ name: text }))),
      judgeField(
        'nullable-key',
        keyed(['name'], object({ name: { ...text, nullable: true } }, { required: ['name'] })),
      ),
      judgeField('nullable-item', keyed(['name'], { ...named, nullable: true })),
      judgeField('nullable-set-item', set({ ...text, nullable: true })),
      judgeField('text-items', keyed(['name'], text)),
      judgeField('granular-set', set(object({ a: text }))),
      judgeField('set-of-sets', set(set(text))),
    ],
    claims: [
      accepted('a required key', 'right'),
      accepted('a defaulted key', 'defaulted-key'),
      ...refused('no keys', 'no-keys', [
        `${at}.x-kubernetes-list-map-keys`,
        'must not be empty if x-kubernetes-list-type is map',
      ]),
      ...refused('keys without map', 'keys-without-map', [
        `${at}.x-kubernetes-list-type`,
        'must be map if x-kubernetes-list-map-keys is non-empty',
      ]),
      ...refused('keys of a set', 'keys-of-set', [
        `${at}.x-kubernetes-list-type`,
        'must be map if x-kubernetes-list-map-keys is non-empty',
      ]),
      ...refused('absent key', 'absent-key', [
        `${at}.x-kubernetes-list-map-keys`,
        'entries must all be names of item properties',
      ]),
      ...refused('repeated key', 'repeated-key', [
        `${at}.x-kubernetes-list-map-keys`,
        'must not contain duplicate entries',
      ]),
      ...refused('object as key', 'object-key', [`${at}.items.properties[name].type`, 'must be a scalar type']),
      ...refused('optional key', 'optional-key', [
        `${at}.items.properties[name].default`,
        'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
      ]),
      ...refused('nullable key', 'nullable-key', [
        `${at}.items.properties[name].nullable`,
        'this property is in x-kubernetes-list-map-keys, so it cannot be nullable',
      ]),
      ...refused('nullable item', 'nullable-item', [
        `${at}.items.nullable`,
        'cannot be nullable when x-kubernetes-list-type is map',
      ]),
      ...refused('nullable item of a set', 'nullable-set-item', [
        `${at}.items.nullable`,
        'cannot be nullable when x-kubernetes-list-type is set',
      ]),
      ...refused('items that are not objects', 'text-items', [
        `${at}.items.type`,
        "must be object if parent array's x-kubernetes-list-type is map",
      ]),
      ...refused('a set of granular objects', 'granular-set', [
        `${at}.items.x-kubernetes-map-type`,
        'must be atomic as item of a list with x-kubernetes-list-type=set',
      ]),
      ...refused('a set of sets', 'set-of-sets', [
        `${at}.items.x-kubernetes-list-type`,
        'must be atomic as item of a list with x-kubernetes-list-type=set',
      ]),
    ],
  },
];
