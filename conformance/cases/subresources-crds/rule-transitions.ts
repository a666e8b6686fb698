// API-K8: rules about old and new (CRD-R6, CRD-R7, CRD-R8, CRD-R9).
import type { Case, Json } from '../../src/case.ts';
import { claim, define, mergePatch, post, thing, things, thingsPath } from '../../src/steps.ts';
import {
  accepted,
  atField as at,
  causes,
  type Fields,
  integer,
  judgeField,
  list,
  map,
  object,
  refused,
  text,
  tried,
} from './definitions.ts';

const ruled = (schema: Fields, ...rules: readonly Json[]): Fields => ({ ...schema, 'x-kubernetes-validations': rules });
const x = `${thingsPath}/x`;
const short: Fields = { type: 'string', maxLength: 10 };

const growing: Fields = { rule: 'self >= oldSelf', message: 'only up' };
const keyed = (items: Fields): Fields =>
  list(items, { maxItems: 5, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] });

const oldSelf = { rule: 'self == oldSelf' };
const cannot = 'oldSelf cannot be used on the uncorrelatable portion of the schema within';

export const ruleTransitions: readonly Case[] = [
  {
    id: 'k8-transition',
    section: 'subresources-crds',
    shows: ['API-K8'],
    title: 'a rule with oldSelf runs on update, where there is an old value',
    steps: [
      ...define('crd', things(object({ n: ruled(integer, growing), other: text }))),
      post('create', thingsPath, thing('x', { spec: { other: 'o' } })),
      mergePatch('set', x, { spec: { n: 5 } }),
      mergePatch('up', x, { spec: { n: 6 } }),
      mergePatch('down', x, { spec: { n: 5 } }),
      mergePatch('removed', x, { spec: { n: null } }),
      mergePatch('set-again', x, { spec: { n: 1 } }),
      post('created-with', thingsPath, thing('y', { spec: { n: 1 } })),
    ],
    claims: [
      claim('not on create', 'created-with.status', { is: 201 }),
      claim('not where there was no old value', 'set.status', { is: 200 }),
      claim('it holds', 'up.status', { is: 200 }),
      ...causes('it does not', 'down', [['spec.n', 'Invalid value: 5: only up']]),
      claim('not where there is no new value', 'removed.status', { is: 200 }),
      claim('and a value set again is new', 'set-again.status', { is: 200 }),
    ],
  },
  {
    id: 'k8-optional-old-self',
    section: 'subresources-crds',
    shows: ['API-K8'],
    title: 'with optionalOldSelf the rule runs on create as well, oldSelf being an optional',
    steps: [
      ...define(
        'crd',
        things(
          object({
            n: ruled(integer, {
              rule: 'oldSelf.hasValue() ? self >= oldSelf.value() : self == 1',
              message: 'begins with 1, then up',
              optionalOldSelf: true,
            }),
            off: ruled(integer, { rule: 'self >= oldSelf', message: 'only up', optionalOldSelf: false }),
          }),
        ),
      ),
      post('create-2', thingsPath, thing('x', { spec: { n: 2 } })),
      post('create-1', thingsPath, thing('x', { spec: { n: 1, off: 1 } })),
      mergePatch('up', x, { spec: { n: 3 } }),
      mergePatch('down', x, { spec: { n: 2 } }),
      judgeField('without-old-self', ruled(integer, { rule: 'self > 1', optionalOldSelf: true })),
      judgeField('false-without-old-self', ruled(integer, { rule: 'self > 1', optionalOldSelf: false })),
      judgeField('compared-directly', ruled(integer, { rule: 'self > oldSelf', optionalOldSelf: true })),
      judgeField('below-a-list', list(ruled(integer, { rule: 'oldSelf.hasValue()', optionalOldSelf: true }))),
    ],
    claims: [
      ...causes('on create', 'create-2', [['spec.n', 'Invalid value: 2: begins with 1, then up']]),
      claim('it holds on create', 'create-1.status', { is: 201 }),
      claim('it holds on update', 'up.status', { is: 200 }),
      ...causes('on update', 'down', [['spec.n', 'Invalid value: 2: begins with 1, then up']]),
      ...refused('without oldSelf', 'without-old-self', [
        `${at}.x-kubernetes-validations[0].optionalOldSelf`,
        'may not be set if oldSelf is not used in rule',
      ]),
      ...refused('false without oldSelf', 'false-without-old-self', [
        `${at}.x-kubernetes-validations[0].optionalOldSelf`,
        'may not be set if oldSelf is not used in rule',
      ]),
      claim('it is an optional', 'compared-directly.body.code', { is: 422 }),
      claim('not below a list either', 'below-a-list.body.code', { is: 422 }),
    ],
  },
  {
    id: 'k8-uncorrelatable',
    section: 'subresources-crds',
    shows: ['API-K8'],
    title: 'oldSelf is refused where old and new items cannot be told to belong together',
    steps: [
      judgeField('plain-list', list(ruled(short, oldSelf))),
      judgeField('atomic-list', list(ruled(short, oldSelf), { 'x-kubernetes-list-type': 'atomic' })),
      judgeField('set', list(ruled(short, oldSelf), { 'x-kubernetes-list-type': 'set' })),
      judgeField('atomic-map', object({ a: ruled(short, oldSelf) }, { 'x-kubernetes-map-type': 'atomic' })),
      judgeField('deep', list(object({ a: object({ b: ruled(short, oldSelf) }) }))),
      judgeField('list-map', keyed(ruled(object({ name: short, v: short }, { required: ['name'] }), oldSelf))),
      judgeField('granular-map', map(ruled(short, oldSelf), { maxProperties: 5 })),
      judgeField('object', object({ a: ruled(short, oldSelf) })),
      judgeField('on-the-list', ruled(list(short, { maxItems: 5 }), oldSelf)),
      judgeField('on-the-atomic-map', ruled(object({ a: short }, { 'x-kubernetes-map-type': 'atomic' }), oldSelf)),
    ],
    claims: [
      ...refused('below a list', 'plain-list', [`${at}.items.x-kubernetes-validations[0].rule`, `${cannot} ${at}`]),
      ...refused('below an atomic list', 'atomic-list', [
        `${at}.items.x-kubernetes-validations[0].rule`,
        `${cannot} ${at}`,
      ]),
      ...refused('below a set', 'set', [`${at}.items.x-kubernetes-validations[0].rule`, `${cannot} ${at}`]),
      ...refused('deep below', 'deep', [
        `${at}.items.properties[a].properties[b].x-kubernetes-validations[0].rule`,
        `${cannot} ${at}`,
      ]),
      accepted('below an atomic map', 'atomic-map'),
      accepted('below a list map', 'list-map'),
      accepted('below a map', 'granular-map'),
      accepted('below an object', 'object'),
      accepted('on the list itself', 'on-the-list'),
      accepted('on the atomic map itself', 'on-the-atomic-map'),
    ],
  },
  {
    id: 'k8-correlated',
    section: 'subresources-crds',
    shows: ['API-K8'],
    title: 'items of a list map belong together by key, values of a map by name',
    steps: [
      ...define(
        'crd',
        things(
          object({
            rows: keyed(object({ name: short, n: ruled(integer, growing) }, { required: ['name'] })),
            entries: map(ruled(integer, growing), { maxProperties: 5 }),
          }),
        ),
      ),
      post(
        'create',
        thingsPath,
        thing('x', {
          spec: {
            rows: [
              { name: 'a', n: 5 },
              { name: 'b', n: 1 },
            ],
            entries: { e: 5 },
          },
        }),
        { setup: true },
      ),
      mergePatch('reordered', x, {
        spec: {
          rows: [
            { name: 'b', n: 2 },
            { name: 'a', n: 5 },
            { name: 'c', n: 0 },
          ],
        },
      }),
      mergePatch('lowered', x, {
        spec: {
          rows: [
            { name: 'b', n: 2 },
            { name: 'a', n: 4 },
          ],
        },
      }),
      mergePatch('entry-added', x, { spec: { entries: { f: 1 } } }),
      mergePatch('entry-lowered', x, { spec: { entries: { e: 4 } } }),
    ],
    claims: [
      claim('by key, not by place', 'reordered.status', { is: 200 }),
      ...causes('an item', 'lowered', [['spec.rows[1].n', 'Invalid value: 4: only up']]),
      claim('a new entry has no old value', 'entry-added.status', { is: 200 }),
      ...causes('an entry', 'entry-lowered', [['spec.entries[e]', 'Invalid value: 4: only up']]),
    ],
  },
  {
    id: 'k8-immutable',
    section: 'subresources-crds',
    shows: ['API-K8'],
    title: 'a value that is fixed once set: the rule itself, and guards up to an ancestor that is always there',
    steps: [
      ...define(
        'crd',
        things(
          ruled(
            object({
              bare: object({ f: ruled(short, oldSelf) }),
              parent: ruled(object({ f: ruled(short, oldSelf) }), {
                rule: '!has(oldSelf.f) || has(self.f)',
                message: 'f stays',
              }),
              guarded: ruled(object({ f: ruled(short, oldSelf) }), {
                rule: '!has(oldSelf.f) || has(self.f)',
                message: 'f stays',
              }),
            }),
            { rule: '!has(oldSelf.guarded) || has(self.guarded)', message: 'guarded stays' },
          ),
        ),
      ),
      post('create', thingsPath, thing('x', { spec: { bare: { f: 'a' }, parent: { f: 'a' }, guarded: { f: 'a' } } }), {
        setup: true,
      }),
      mergePatch('changed', x, { spec: { bare: { f: 'b' } } }),
      mergePatch('removed-parent', `${x}?dryRun=All`, { spec: { parent: null } }),
      mergePatch('removed-field', x, { spec: { parent: { f: null } } }),
      mergePatch('removed-guarded', x, { spec: { guarded: null } }),
      mergePatch('bare-removed', x, { spec: { bare: { f: null } } }),
      mergePatch('bare-changed', x, { spec: { bare: { f: 'c' } } }),
    ],
    claims: [
      claim('a changed value', 'changed.body.code', { is: 422 }),
      claim('without a guard it can be removed', 'bare-removed.status', { is: 200 }),
      claim('and then be set to another', 'bare-changed.status', { is: 200 }),
      ...causes('a guard on the parent', 'removed-field', [['spec.parent', 'Invalid value: f stays']]),
      claim('a guard on a removed object does not run', 'removed-parent.status', { is: 200 }),
      ...causes('a guard above it does', 'removed-guarded', [['spec', 'Invalid value: guarded stays']]),
    ],
  },
  {
    id: 'k8-one-of',
    section: 'subresources-crds',
    shows: ['API-K8'],
    title: 'at most, exactly and at least one of several fields, counted by has()',
    steps: [
      ...define(
        'crd',
        things(
          object({
            most: ruled(object({ a: text, b: text }), {
              rule: '(has(self.a)?1:0)+(has(self.b)?1:0) <= 1',
              message: 'm',
            }),
            exactly: ruled(object({ a: text, b: text }), {
              rule: '(has(self.a)?1:0)+(has(self.b)?1:0) == 1',
              message: 'm',
            }),
            least: ruled(object({ a: text, b: text }), { rule: 'has(self.a) || has(self.b)', message: 'm' }),
          }),
        ),
      ),
      tried('good', { most: {}, exactly: { a: '' }, least: { a: '', b: '' } }),
      tried('most', { most: { a: '', b: '' } }),
      tried('exactly', { exactly: { a: '', b: '' } }),
      tried('exactly-none', { exactly: {} }),
      tried('least', { least: {} }),
    ],
    claims: [
      accepted('good', 'good'),
      ...causes('at most', 'most', [['spec.most', 'Invalid value: m']]),
      ...causes('exactly', 'exactly', [['spec.exactly', 'Invalid value: m']]),
      ...causes('exactly, none', 'exactly-none', [['spec.exactly', 'Invalid value: m']]),
      ...causes('at least', 'least', [['spec.least', 'Invalid value: m']]),
    ],
  },
];
