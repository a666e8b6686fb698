// API-K11: conversion by webhook.
import type { Case, HookScript, Json, Step } from '../../src/case.ts';
import { claim, define, events, get, mergePatch, post, put, thing, watch } from '../../src/steps.ts';
import { crdPath, type Fields, object, text, version, versioned, listed } from './definitions.ts';

const at = (name: string): string => `/apis/{{group}}/${name}/namespaces/{{ns}}/things`;
const of = (name: string, metadata: string, more: Fields = {}): Fields => ({
  ...thing(metadata, more),
  apiVersion: `{{group}}/${name}`,
});

const schema = object({ spec: object({ a: text, b: text }) });

/** v1 is stored, v2 converted by the hook of this name. */
const converted = (hook: string): Step[] =>
  define(
    'crd',
    versioned([version('v1', schema), version('v2', schema, { storage: false })], {
      conversion: {
        strategy: 'Webhook',
        webhook: {
          clientConfig: { url: `{{hooks}}/${hook}`, caBundle: '{{hooksCA}}' },
          conversionReviewVersions: ['v1'],
        },
      },
    }),
  );

/** A definition whose webhook fails could not be cleared up. */
const done: Step = mergePatch(
  'done',
  crdPath,
  { spec: { conversion: { strategy: 'None', webhook: null } } },
  { setup: true },
);

const review = (response: Json): HookScript => ({
  respond: { json: { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', response } },
});

const success = { status: 'Success' };

interface Failure {
  readonly id: string;
  readonly title: string;
  readonly hook: HookScript;
  /** What follows "conversion webhook for {{group}}/v1, Kind=Thing ", as a regular expression. */
  readonly says: string;
}

const failures: readonly Failure[] = [
  {
    id: 'other-uid',
    title: 'the uid of the answer is that of the request',
    hook: review({ uid: 'another', result: success, convertedObjects: [] }),
    says: 'failed: expected response\\.uid="[0-9a-f-]{36}", got "another"$',
  },
  {
    id: 'fewer-objects',
    title: 'the answer has as many objects as the request',
    hook: review({ uid: '{{uid}}', result: success, convertedObjects: [] }),
    says: 'returned 0 objects, expected 1$',
  },
  {
    id: 'more-objects',
    title: 'the answer has no more objects than the request',
    hook: review({ uid: '{{uid}}', result: success, convertedObjects: [{}, {}] }),
    says: 'returned 2 objects, expected 1$',
  },
  {
    id: 'failure',
    title: 'a failure passes its message on',
    hook: review({ uid: '{{uid}}', result: { status: 'Failure', message: 'no way' } }),
    says: 'failed: no way$',
  },
  {
    id: 'failure-without-message',
    title: 'a failure without a message',
    hook: review({ uid: '{{uid}}', result: { status: 'Failure' } }),
    says: "failed: response\\.result\\.status was 'Failure', not 'Success'$",
  },
  {
    id: 'no-response',
    title: 'a review without an answer',
    hook: { respond: { json: { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview' } } },
    says: 'failed: no response provided$',
  },
  {
    id: 'status-500',
    title: 'an HTTP error',
    hook: { status: 500 },
    says: 'failed: ',
  },
  {
    id: 'no-json',
    title: 'an answer that is not JSON',
    hook: { respond: { text: 'hello' } },
    says: 'failed: ',
  },
  {
    id: 'other-version',
    title: 'an object of another version than asked for',
    hook: { convert: { merge: { apiVersion: 'example.com/v9' } } },
    says: 'returned invalid object at index 0: invalid groupVersion \\(expected .*/v2, received example\\.com/v9\\)$',
  },
  {
    id: 'other-kind',
    title: 'an object of another kind',
    hook: { convert: { merge: { kind: 'Other' } } },
    says: 'returned invalid object at index 0: invalid kind \\(expected Thing, received Other\\)$',
  },
  {
    id: 'other-name',
    title: 'an object of another name',
    hook: { convert: { merge: { metadata: { name: 'other' } } } },
    says: 'returned invalid object: must have the same name: x != other$',
  },
  {
    id: 'other-namespace',
    title: 'an object of another namespace',
    hook: { convert: { merge: { metadata: { namespace: 'other' } } } },
    says: 'returned invalid object: must have the same namespace: .* != other$',
  },
  {
    id: 'other-object-uid',
    title: 'an object of another uid',
    hook: { convert: { merge: { metadata: { uid: 'other' } } } },
    says: 'returned invalid object: must have the same UID: [0-9a-f-]{36} != other$',
  },
  {
    id: 'label-no-text',
    title: 'a label that is not text',
    hook: { convert: { merge: { metadata: { labels: { l: 1 } } } } },
    says: 'returned invalid metadata: metadata\\.labels\\[l\\] must be a string, but is int64 in converted object$',
  },
];

const failing = ({ id, title, hook, says }: Failure): Case => ({
  id: `k11-hook-${id}`,
  section: 'subresources-crds',
  shows: ['API-K11'],
  title: `conversion fails: ${title}`,
  hooks: { convert: hook },
  steps: [
    ...converted('convert'),
    post('create', at('v1'), of('v1', 'x', { spec: { a: 'a' } }), { setup: true }),
    get('read', `${at('v2')}/x`),
    get('stored', `${at('v1')}/x`),
    done,
  ],
  claims: [
    claim('500', 'read.body.code', { is: 500 }),
    claim('the message', 'read.body.message', { matches: `conversion webhook for .*/v1, Kind=Thing ${says}` }),
    claim('the stored version needs no conversion', 'stored.status', { is: 200 }),
  ],
});

export const conversion: readonly Case[] = [
  {
    id: 'k11-hook-review',
    section: 'subresources-crds',
    shows: ['API-K11'],
    title: 'the webhook is asked by a ConversionReview v1 and its answer is taken',
    hooks: { convert: { convert: { merge: { spec: { b: 'converted' } } } } },
    steps: [
      ...converted('convert'),
      post('create', at('v1'), of('v1', 'x', { metadata: { labels: { l: 'l' } }, spec: { a: 'a' } })),
      get('read', `${at('v2')}/x`),
      {
        do: 'hook-log',
        name: 'asked',
        hook: 'convert',
        count: 1,
        only: ['requests.0'],
        because: 'the server also converts for caches of its own, at times of its own',
      },
      get('stored', `${at('v1')}/x`),
      listed('list', at('v2')),
      watch('w', `${at('v2')}?watch=1&resourceVersion=0`),
      events('watched', 'w', { count: 1 }),
    ],
    claims: [
      claim('ConversionReview', 'asked.requests.0.body.kind', { is: 'ConversionReview' }),
      claim('v1', 'asked.requests.0.body.apiVersion', { is: 'apiextensions.k8s.io/v1' }),
      claim('with a uid', 'asked.requests.0.body.request.uid', { matches: '^[0-9a-f-]{36}$' }),
      claim('the version asked for', 'asked.requests.0.body.request.desiredAPIVersion', { is: '{{group}}/v2' }),
      claim('the objects', 'asked.requests.0.body.request.objects', { length: 1 }),
      claim('as stored', 'asked.requests.0.body.request.objects.0.apiVersion', { is: '{{group}}/v1' }),
      claim('converted', 'read.body.apiVersion', { is: '{{group}}/v2' }),
      claim('with what the webhook did', 'read.body.spec', { is: { a: 'a', b: 'converted' } }),
      claim('the stored version is not converted', 'stored.body.spec', { is: { a: 'a' } }),
      claim('in lists', 'list.body.items.0.spec.b', { is: 'converted' }),
      claim('in watches', 'watched.events.0.object.spec.b', { is: 'converted' }),
    ],
  },
  {
    id: 'k11-hook-writes',
    section: 'subresources-crds',
    shows: ['API-K11'],
    title: 'what is written in one version is converted to the stored one',
    hooks: { convert: { convert: { merge: { spec: { b: 'converted' } } } } },
    steps: [
      ...converted('convert'),
      post('create', at('v2'), of('v2', 'x', { spec: { a: 'a' } })),
      get('stored', `${at('v1')}/x`),
      put(
        'update',
        `${at('v2')}/x`,
        of('v2', 'x', { metadata: { resourceVersion: '{{stored.body.metadata.resourceVersion}}' }, spec: { a: 'c' } }),
      ),
      get('updated', `${at('v1')}/x`),
    ],
    claims: [
      claim('created', 'create.status', { is: 201 }),
      claim('stored as converted', 'stored.body.spec', { is: { a: 'a', b: 'converted' } }),
      claim('updated', 'updated.body.spec.a', { is: 'c' }),
    ],
  },
  {
    id: 'k11-hook-several',
    section: 'subresources-crds',
    shows: ['API-K11'],
    title: 'several objects keep their order',
    hooks: { convert: { convert: { merge: { spec: { b: 'converted' } } } } },
    steps: [
      ...converted('convert'),
      ...['b', 'c', 'a'].map((name) =>
        post(`create-${name}`, at('v1'), of('v1', name, { spec: { a: name } }), { setup: true }),
      ),
      listed('list', at('v2')),
    ],
    claims: [
      claim('count', 'list.body.items', { length: 3 }),
      claim('order', 'list.body.items.0.spec', { is: { a: 'a', b: 'converted' } }),
      claim('order', 'list.body.items.2.spec', { is: { a: 'c', b: 'converted' } }),
    ],
  },
  {
    id: 'k11-hook-metadata',
    section: 'subresources-crds',
    shows: ['API-K11'],
    title: 'of metadata a conversion changes labels and annotations only',
    hooks: {
      convert: {
        convert: {
          merge: {
            metadata: {
              labels: { l: 'converted' },
              annotations: { a: 'converted' },
              finalizers: ['example.com/f'],
              generation: 99,
              resourceVersion: '1',
              creationTimestamp: '2001-01-01T00:00:00Z',
              ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'c', uid: 'u' }],
              managedFields: [],
            },
          },
        },
      },
    },
    steps: [
      ...converted('convert'),
      post('create', at('v1'), of('v1', 'x', { metadata: { labels: { l: 'l', k: 'k' } }, spec: { a: 'a' } })),
      get('read', `${at('v2')}/x`),
    ],
    claims: [
      claim('labels', 'read.body.metadata.labels', { is: { l: 'converted', k: 'k' } }),
      claim('annotations', 'read.body.metadata.annotations', { is: { a: 'converted' } }),
      claim('no finalizers', 'read.body.metadata.finalizers', { present: false }),
      claim('no owners', 'read.body.metadata.ownerReferences', { present: false }),
      claim('the generation stays', 'read.body.metadata.generation', { is: 1 }),
      claim('the version stays', 'read.body.metadata.resourceVersion', {
        sameAs: 'create.body.metadata.resourceVersion',
      }),
      claim('the time stays', 'read.body.metadata.creationTimestamp', {
        sameAs: 'create.body.metadata.creationTimestamp',
      }),
    ],
  },
  {
    id: 'k11-hook-pruned',
    section: 'subresources-crds',
    shows: ['API-K11', 'API-K4', 'API-K5'],
    title: 'what a conversion adds without a schema is pruned; what it leaves out is not defaulted',
    hooks: { convert: { convert: { merge: { spec: { nope: 1 } } } } },
    steps: [
      ...define(
        'crd',
        versioned(
          [
            version('v1', schema),
            version('v2', object({ spec: object({ a: text, c: { ...text, default: 'd' } }) }), { storage: false }),
          ],
          {
            conversion: {
              strategy: 'Webhook',
              webhook: {
                clientConfig: { url: '{{hooks}}/convert', caBundle: '{{hooksCA}}' },
                conversionReviewVersions: ['v1'],
              },
            },
          },
        ),
      ),
      post('create', at('v1'), of('v1', 'x', { spec: { a: 'a', b: 'b' } }), { setup: true }),
      get('read', `${at('v2')}/x`),
    ],
    claims: [
      claim('the schema of the version read prunes, and fills in nothing', 'read.body.spec', { is: { a: 'a' } }),
    ],
  },
  {
    id: 'k11-hook-every-read',
    section: 'subresources-crds',
    shows: ['API-K11'],
    title: 'a failing conversion fails every read, alone and in lists, and every write',
    hooks: { convert: review({ uid: '{{uid}}', result: { status: 'Failure', message: 'no way' } }) },
    steps: [
      ...converted('convert'),
      post('create', at('v1'), of('v1', 'x', { spec: { a: 'a' } }), { setup: true }),
      get('read', `${at('v2')}/x`),
      get('list', at('v2'), { until: { at: 'list.status', is: 500 } }),
      mergePatch('patch', `${at('v2')}/x`, { spec: { a: 'b' } }),
      post('create-v2', at('v2'), of('v2', 'y', { spec: { a: 'a' } })),
      listed('stored', at('v1')),
      done,
    ],
    claims: [
      claim('get', 'read.body.message', { contains: 'conversion webhook for {{group}}/v1, Kind=Thing failed: no way' }),
      claim('list', 'list.body.message', {
        contains: 'conversion webhook for {{group}}/v1, Kind=Thing failed: no way',
      }),
      claim('patch', 'patch.body.code', { is: 500 }),
      claim('create', 'create-v2.body.message', {
        contains: 'conversion webhook for {{group}}/v2, Kind=Thing failed: no way',
      }),
      claim('the stored version is well', 'stored.body.items', { length: 1 }),
    ],
  },
  {
    id: 'k11-hook-unreachable',
    section: 'subresources-crds',
    shows: ['API-K11'],
    title: 'a webhook nobody answers for',
    hooks: { convert: { convert: {} } },
    steps: [
      ...define(
        'crd',
        versioned([version('v1', schema), version('v2', schema, { storage: false })], {
          conversion: {
            strategy: 'Webhook',
            webhook: { clientConfig: { url: 'https://127.0.0.1:1/convert' }, conversionReviewVersions: ['v1'] },
          },
        }),
      ),
      post('create', at('v1'), of('v1', 'x', { spec: { a: 'a' } }), { setup: true }),
      get('read', `${at('v2')}/x`),
      done,
    ],
    claims: [
      claim('500', 'read.body.code', { is: 500 }),
      claim('the message', 'read.body.message', {
        contains:
          'conversion webhook for {{group}}/v1, Kind=Thing failed: Post "https://127.0.0.1:1/convert?timeout=30s": dial tcp 127.0.0.1:1: connect: connection refused',
      }),
    ],
  },
  ...failures.map(failing),
];
