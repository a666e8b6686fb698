// API-K9: errors of what an update leaves as it was do not count.
import type { Case, Json } from '../../src/case.ts';
import { claim, define, get, mergePatch, post, put, thing, things, thingsPath } from '../../src/steps.ts';
import { causes, type Fields, integer, list, map, object, reschema, text } from './definitions.ts';

const ruled = (schema: Fields, ...rules: readonly Json[]): Fields => ({ ...schema, 'x-kubernetes-validations': rules });
const keyed = (items: Fields): Fields =>
  list(items, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] });
const named = (value: Fields): Fields => object({ name: text, v: value }, { required: ['name'] });
const x = `${thingsPath}/x`;

const before = object({
  t: text,
  n: integer,
  parent: object({ a: text, b: text }),
  rows: keyed(named(text)),
  atomic: list(text),
  entries: map(text),
  ruled: text,
  note: text,
});

const after = object({
  t: { ...text, maxLength: 3 },
  n: { ...integer, maximum: 10 },
  parent: object({ a: text, b: text }, { required: ['b'] }),
  rows: keyed(named({ ...text, enum: ['good'] })),
  atomic: list({ ...text, pattern: '^good' }),
  entries: map({ ...text, pattern: '^good' }),
  ruled: ruled({ ...text, maxLength: 10 }, { rule: "self == 'good'", message: 'be good' }),
  note: text,
});

const spec: Json = {
  t: 'long text',
  n: 99,
  parent: { a: 'a' },
  rows: [{ name: 'r', v: 'bad' }],
  atomic: ['bad'],
  entries: { e: 'bad' },
  ruled: 'bad',
};

export const ratcheting: readonly Case[] = [
  {
    id: 'k9-unchanged',
    section: 'subresources-crds',
    shows: ['API-K9'],
    title: 'what was valid before a schema tightened may stay, as long as it is not touched',
    steps: [
      ...define('crd', things(before)),
      post('create', thingsPath, thing('x', { spec }), { setup: true }),
      reschema('tighten', object({ spec: after })),
      post('new', `${thingsPath}?dryRun=All`, thing('y', { spec: { n: 99 } }), {
        until: { at: 'new.status', is: 422 },
      }),
      get('read', x),
      mergePatch('note', x, { spec: { note: 'n' } }),
      put('same', x, thing('x', { metadata: { resourceVersion: '{{note.body.metadata.resourceVersion}}' }, spec })),
      mergePatch('bound', x, { spec: { n: 98 } }),
      mergePatch('length', x, { spec: { t: 'other long text' } }),
      mergePatch('parent', x, { spec: { parent: { a: 'changed' } } }),
      mergePatch('item-beside', x, {
        spec: {
          rows: [
            { name: 's', v: 'good' },
            { name: 'r', v: 'bad' },
          ],
        },
      }),
      mergePatch('item', x, { spec: { rows: [{ name: 'r', v: 'worse' }] } }),
      mergePatch('atomic', x, { spec: { atomic: ['bad', 'good'] } }),
      mergePatch('entry-beside', x, { spec: { entries: { f: 'good' } } }),
      mergePatch('entry', x, { spec: { entries: { e: 'worse' } } }),
      mergePatch('rule', x, { spec: { ruled: 'worse' } }),
      mergePatch('healed', x, { spec: { n: 9 } }),
      mergePatch('broken-again', x, { spec: { n: 99 } }),
    ],
    claims: [
      claim('a new object is checked', 'new.body.code', { is: 422 }),
      claim('reads do not care', 'read.status', { is: 200 }),
      claim('a change elsewhere', 'note.status', { is: 200 }),
      claim('an update with the same values', 'same.status', { is: 200 }),
      ...causes('a changed number', 'bound', [
        ['spec.n', 'Invalid value: 98: spec.n in body should be less than or equal to 10'],
      ]),
      claim('a changed text', 'length.body.details.causes.0.field', { is: 'spec.t' }),
      claim('a changed object that lacks something', 'parent.body.details.causes.0.field', { is: 'spec.parent.b' }),
      claim('an item beside one of a list map', 'item-beside.status', { is: 200 }),
      claim('the item itself', 'item.body.code', { is: 422 }),
      claim('an atomic list is one value', 'atomic.body.code', { is: 422 }),
      claim('an entry beside one of a map', 'entry-beside.status', { is: 200 }),
      claim('the entry itself', 'entry.body.code', { is: 422 }),
      claim('a rule', 'rule.body.details.causes', {
        contains: { field: 'spec.ruled', message: 'Invalid value: "worse": be good' },
      }),
      claim('once right it is checked', 'broken-again.body.code', { is: 422 }),
    ],
  },
  {
    id: 'k9-transition-rules',
    section: 'subresources-crds',
    shows: ['API-K9'],
    title: 'transition rules run whatever is unchanged',
    steps: [
      ...define('crd', things(object({ n: integer, note: text }))),
      post('create', thingsPath, thing('x', { spec: { n: 1 } }), { setup: true }),
      reschema(
        'tighten',
        object({
          spec: object({
            n: ruled(integer, { rule: 'self > oldSelf', message: 'only up' }, { rule: 'self > 5', message: 'above 5' }),
            note: text,
          }),
        }),
      ),
      post('new', `${thingsPath}?dryRun=All`, thing('y', { spec: { n: 1 } }), { until: { at: 'new.status', is: 422 } }),
      mergePatch('note', x, { spec: { note: 'n' } }),
    ],
    claims: [...causes('the transition rule alone', 'note', [['spec.n', 'Invalid value: 1: only up']])],
  },
  {
    id: 'k9-status',
    section: 'subresources-crds',
    shows: ['API-K9'],
    title: 'a status is written though the spec is no longer valid',
    steps: [
      ...define(
        'crd',
        things(before, {
          version: {
            subresources: { status: {} },
            schema: { openAPIV3Schema: object({ spec: before, status: object({ s: text }) }) },
          },
        }),
      ),
      post('create', thingsPath, thing('x', { spec }), { setup: true }),
      mergePatch(
        'tighten',
        '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.{{group}}',
        {
          spec: {
            versions: [
              {
                name: 'v1',
                served: true,
                storage: true,
                subresources: { status: {} },
                schema: { openAPIV3Schema: object({ spec: after, status: object({ s: text }) }) },
              },
            ],
          },
        },
        { setup: true },
      ),
      post('new', `${thingsPath}?dryRun=All`, thing('y', { spec: { n: 99 } }), {
        until: { at: 'new.status', is: 422 },
      }),
      mergePatch('status', `${x}/status`, { status: { s: 's' } }),
    ],
    claims: [claim('200', 'status.status', { is: 200 })],
  },
];
