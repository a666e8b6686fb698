// API-K5: defaults and nulls.
import type { Case, Json } from '../../src/case.ts';
import { apply, claim, define, get, mergePatch, post, put, thing, things, thingsPath } from '../../src/steps.ts';
import {
  accepted,
  atField as at,
  type Fields,
  judgeField,
  judgeRoot,
  list,
  loose,
  map,
  object,
  refused,
  reschema,
  text,
  tried,
  version,
  versioned,
  listed,
} from './definitions.ts';

const withDefault = (value: Json, schema: Fields): Fields => ({ ...schema, default: value });
const color = withDefault('red', text);

const shape = object({
  color,
  size: withDefault(3, { type: 'integer' }),
  nested: object({ inner: withDefault(true, { type: 'boolean' }) }),
  made: withDefault({}, object({ inner: withDefault('i', text) })),
  rows: list(object({ name: text, kind: withDefault('plain', text) })),
  entries: map(object({ kind: withDefault('plain', text) })),
});

const hook = (patch: Json): Json => ({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  response: {
    uid: '{{uid}}',
    allowed: true,
    patchType: 'JSONPatch',
    patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
  },
});

export const defaulting: readonly Case[] = [
  {
    id: 'k5-on-request',
    section: 'subresources-crds',
    shows: ['API-K5'],
    title: 'defaults are filled in on create, update, patch and apply; they make no parents',
    steps: [
      ...define('crd', things(shape)),
      post(
        'create',
        thingsPath,
        thing('x', { spec: { rows: [{ name: 'a' }, { name: 'b', kind: 'own' }], entries: { e: {} } } }),
      ),
      post('no-spec', `${thingsPath}?dryRun=All`, thing('y')),
      tried('empty', {}),
      tried('parent', { nested: {} }),
      tried('own', { color: 'blue', size: 0, made: { inner: '' } }),
      mergePatch('blue', `${thingsPath}/x`, { spec: { color: 'blue' } }),
      put(
        'update',
        `${thingsPath}/x`,
        thing('x', { metadata: { resourceVersion: '{{blue.body.metadata.resourceVersion}}' }, spec: { size: 4 } }),
      ),
      mergePatch('removed', `${thingsPath}/x`, { spec: { size: null } }),
      apply('applied', `${thingsPath}/z?fieldManager=m`, thing('z', { spec: { size: 5 } })),
    ],
    claims: [
      claim('on create', 'create.body.spec', {
        is: {
          color: 'red',
          size: 3,
          made: { inner: 'i' },
          rows: [
            { name: 'a', kind: 'plain' },
            { name: 'b', kind: 'own' },
          ],
          entries: { e: { kind: 'plain' } },
        },
      }),
      claim('no parent is made', 'no-spec.body.spec', { present: false }),
      claim('an absent parent stays absent', 'empty.body.spec.nested', { present: false }),
      claim('a default of the parent makes one', 'empty.body.spec.made', { is: { inner: 'i' } }),
      claim('a parent that is there is filled', 'parent.body.spec.nested', { is: { inner: true } }),
      claim('what is given stays, empty as it is', 'own.body.spec', {
        is: { color: 'blue', size: 0, made: { inner: '' } },
      }),
      claim('on update', 'update.body.spec', { is: { color: 'red', size: 4, made: { inner: 'i' } } }),
      claim('on patch', 'removed.body.spec.size', { is: 3 }),
      claim('on apply', 'applied.body.spec.color', { is: 'red' }),
    ],
  },
  {
    id: 'k5-on-read',
    section: 'subresources-crds',
    shows: ['API-K5'],
    title: 'a new default shows at once on what is stored',
    steps: [
      ...define('crd', things(object({ a: text, color: text }))),
      post('create', thingsPath, thing('x', { spec: { a: 'a' } }), { setup: true }),
      reschema('default', object({ spec: object({ a: text, color }) })),
      get('read', `${thingsPath}/x`, { until: { at: 'read.body.spec.color', present: true } }),
      listed('list', thingsPath),
      reschema('other-default', object({ spec: object({ a: text, color: withDefault('blue', text) }) })),
      get('read-other', `${thingsPath}/x`, { until: { at: 'read-other.body.spec.color', is: 'blue' } }),
      mergePatch('write', `${thingsPath}/x`, { spec: { a: 'b' } }),
      reschema('third-default', object({ spec: object({ a: text, color: withDefault('green', text) }) })),
      post('settled', `${thingsPath}?dryRun=All`, thing('y', { spec: {} }), {
        setup: true,
        until: { at: 'settled.body.spec.color', is: 'green' },
      }),
      get('written', `${thingsPath}/x`),
    ],
    claims: [
      claim('on read', 'read.body.spec', { is: { a: 'a', color: 'red' } }),
      claim('in lists', 'list.body.items.0.spec', { is: { a: 'a', color: 'red' } }),
      claim('it was not stored', 'read-other.body.spec.color', { is: 'blue' }),
      claim('the version stays', 'read-other.body.metadata.resourceVersion', {
        sameAs: 'create.body.metadata.resourceVersion',
      }),
      claim('a write stores the default', 'written.body.spec.color', { is: 'blue' }),
    ],
  },
  {
    id: 'k5-of-the-stored-version',
    section: 'subresources-crds',
    shows: ['API-K5', 'API-K11'],
    title: 'reads fill in the defaults of the stored version, requests those of their own',
    steps: [
      ...define(
        'crd',
        versioned([
          version('v1', object({ spec: object({ a: text, color, size: text }) })),
          version('v2', object({ spec: object({ a: text, color: text, size: withDefault('big', text) }) }), {
            storage: false,
          }),
        ]),
      ),
      post('create', thingsPath, thing('x', { spec: { a: 'a' } })),
      get('as-v2', '/apis/{{group}}/v2/namespaces/{{ns}}/things/x'),
      post('create-v2', '/apis/{{group}}/v2/namespaces/{{ns}}/things', {
        ...thing('y', { spec: { a: 'a' } }),
        apiVersion: '{{group}}/v2',
      }),
      get('as-v1', `${thingsPath}/y`),
    ],
    claims: [
      claim('a request has the defaults of its version', 'create.body.spec', { is: { a: 'a', color: 'red' } }),
      claim('a read by another version fills in nothing more', 'as-v2.body.spec', { is: { a: 'a', color: 'red' } }),
      claim('a request of the other version', 'create-v2.body.spec.size', { is: 'big' }),
      claim('read by the stored version', 'as-v1.body.spec', { is: { a: 'a', color: 'red', size: 'big' } }),
    ],
  },
  {
    id: 'k5-after-webhooks',
    section: 'subresources-crds',
    shows: ['API-K5', 'API-K4'],
    title: 'what a mutating webhook leaves out is defaulted, what it adds without a schema is pruned',
    hooks: {
      mutate: {
        respond: {
          json: hook([
            { op: 'remove', path: '/spec/color' },
            { op: 'add', path: '/spec/nope', value: 1 },
            { op: 'add', path: '/spec/nested', value: {} },
          ]),
        },
      },
    },
    steps: [
      ...define('crd', things(shape)),
      post(
        'webhook',
        '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
        {
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: 'MutatingWebhookConfiguration',
          metadata: { name: '{{id}}-mutate' },
          webhooks: [
            {
              name: 'mutate.example.com',
              admissionReviewVersions: ['v1'],
              sideEffects: 'None',
              clientConfig: { url: '{{hooks}}/mutate', caBundle: '{{hooksCA}}' },
              namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': '{{ns}}' } },
              rules: [{ apiGroups: ['{{group}}'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['things'] }],
            },
          ],
        },
        { setup: true },
      ),
      post('active', `${thingsPath}?dryRun=All`, thing('y', { spec: { color: 'blue' } }), {
        setup: true,
        until: { at: 'active.body.spec.nested', present: true },
      }),
      post('create', thingsPath, thing('x', { spec: { color: 'blue' } })),
    ],
    claims: [
      claim('defaulted after the webhook', 'create.body.spec.color', { is: 'red' }),
      claim('the webhook’s object is filled', 'create.body.spec.nested', { is: { inner: true } }),
      claim('the webhook’s unknown field is pruned', 'create.body.spec.nope', { present: false }),
    ],
  },
  {
    id: 'k5-nulls',
    section: 'subresources-crds',
    shows: ['API-K5'],
    title: 'null is kept where nullable, replaced by the default where not, and else removed',
    steps: [
      ...define(
        'crd',
        things(
          object({
            nullable: { ...text, nullable: true },
            both: { ...color, nullable: true },
            defaulted: color,
            plain: text,
            nested: object({ defaulted: color, plain: text }),
            rows: list({ type: 'string' }),
            nullableRows: list({ type: 'string', nullable: true }),
            entries: map(text),
            open: loose,
          }),
        ),
      ),
      tried('nullable', { nullable: null }),
      tried('nullable-defaulted', { both: null }),
      tried('defaulted', { defaulted: null }),
      tried('plain', { plain: null }),
      tried('nested', { nested: { defaulted: null, plain: null } }),
      tried('item', { rows: ['a', null] }),
      tried('nullable-item', { nullableRows: ['a', null] }),
      tried('value', { entries: { e: null } }),
      tried('preserved', { open: { a: null } }),
      tried('spec', null),
      tried('list', { rows: null }),
    ],
    claims: [
      claim('kept where nullable', 'nullable.body.spec.nullable', { is: null }),
      claim('kept where nullable, whatever the default', 'nullable-defaulted.body.spec.both', { is: null }),
      claim('replaced by the default', 'defaulted.body.spec.defaulted', { is: 'red' }),
      claim('removed', 'plain.body.spec.plain', { present: false }),
      claim('removed before validation', 'plain.status', { is: 201 }),
      claim('nested: replaced', 'nested.body.spec.nested', { is: { defaulted: 'red' } }),
      claim('preserved nulls stay', 'preserved.body.spec.open', { is: { a: null } }),
      claim('nullable items stay', 'nullable-item.body.spec.nullableRows', { is: ['a', null] }),
    ],
  },
  {
    id: 'k5-valid',
    section: 'subresources-crds',
    shows: ['API-K5'],
    title: 'a default satisfies its own schema, knows all its fields, and is not null',
    steps: [
      judgeField('right', withDefault({ a: 'abc' }, object({ a: { ...text, maxLength: 3 } }))),
      judgeField('type', withDefault(1, text)),
      judgeField('bound', withDefault(11, { type: 'integer', maximum: 10 })),
      judgeField('pattern', withDefault('B', { ...text, pattern: '^[a-z]$' })),
      judgeField('enum', withDefault('c', { ...text, enum: ['a', 'b'] })),
      judgeField('required', withDefault({}, object({ a: text }, { required: ['a'] }))),
      judgeField('required-defaulted', withDefault({}, object({ a: color }, { required: ['a'] }))),
      judgeField('unknown', withDefault({ a: 'a', nope: 1 }, object({ a: text }))),
      judgeField('null', withDefault(null, text)),
      judgeField('nullable-null', withDefault(null, { ...text, nullable: true })),
      judgeField('nested', withDefault({ a: 'abcd' }, object({ a: { ...text, maxLength: 3 } }))),
      judgeField('rule', withDefault('b', { ...text, 'x-kubernetes-validations': [{ rule: "self == 'a'" }] })),
      judgeField(
        'transition-rule',
        withDefault('b', { ...text, 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] }),
      ),
      judgeField('duplicate', withDefault(['a', 'a'], list(text, { 'x-kubernetes-list-type': 'set' }))),
    ],
    claims: [
      accepted('a valid default', 'right'),
      ...refused('type', 'type', [`${at}.default`, 'must be of type string']),
      ...refused('bound', 'bound', [`${at}.default`, 'should be less than or equal to 10']),
      ...refused('pattern', 'pattern', [`${at}.default`, "should match '^[a-z]$'"]),
      ...refused('enum', 'enum', [`${at}.default`, 'Unsupported value: "c"']),
      ...refused('required', 'required', [`${at}.default.a`, 'Required value']),
      ...refused('unknown field', 'unknown', [`${at}.default`, 'must not have unknown fields']),
      ...refused('rule', 'rule', [`${at}.default`, "failed rule: self == 'a'"]),
      accepted('a transition rule does not apply', 'transition-rule'),
    ],
  },
  {
    id: 'k5-forbidden-places',
    section: 'subresources-crds',
    shows: ['API-K5'],
    title: 'no defaults for apiVersion, kind and metadata',
    steps: [
      judgeRoot('api-version', object({ apiVersion: withDefault('v1', text), spec: object({ a: text }) })),
      judgeRoot('kind', object({ kind: withDefault('K', text), spec: object({ a: text }) })),
      judgeRoot('metadata', object({ metadata: withDefault({}, { type: 'object' }), spec: object({ a: text }) })),
      judgeRoot('name', object({ metadata: object({ name: withDefault('n', text) }), spec: object({ a: text }) })),
      judgeRoot('spec', object({ spec: withDefault({}, object({ color })) })),
      judgeRoot('root', { ...object({ spec: object({ a: text }) }), default: {} }),
      {
        ...judgeRoot(
          'root-with-status',
          { ...object({ spec: object({ a: text }) }), default: {} },
          { subresources: { status: {} } },
        ),
        mask: ['body.message', 'body.details.causes.2.message'],
        because: 'real quotes the schema as a struct of Go (API-Q8)',
      },
    ],
    claims: [
      claim('apiVersion', 'api-version.body.message', { contains: 'must not be set in top-level apiVersion' }),
      claim('kind', 'kind.body.message', { contains: 'must not be set in top-level kind' }),
      claim('metadata', 'metadata.body.message', { contains: 'must not be set in top-level metadata' }),
      claim('below metadata', 'name.body.message', { contains: 'must not be set in top-level metadata' }),
      accepted('spec', 'spec'),
      claim('not at the root either', 'root-with-status.body.message', {
        contains: 'fields are allowed at the root of the schema if the status subresource is enabled',
      }),
    ],
  },
];
