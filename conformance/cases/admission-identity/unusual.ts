// What admission is seldom asked for, though it is legal: subresources, selectors on deletes and on what is cluster-wide, params by the number.
import type { Case, Json, Step } from '../../src/case.ts';
import { apply, claim, configMap, configMaps, get, mergePatch, post, put, remove } from '../../src/steps.ts';
import { allow, deny, mutating, patching, probe, validating, webhook } from './manifests.ts';

type Fields = { readonly [key: string]: Json };

const core = '/api/v1/namespaces/{{ns}}';
const deployments = '/apis/apps/v1/namespaces/{{ns}}/deployments';
const scale = `${deployments}/x/scale`;
const asked = (hook: string, count: number): Step => ({
  do: 'hook-log',
  name: `asked-${hook}`,
  hook,
  count,
  only: Array.from({ length: count }, (_, index) => `requests.${index}.body.request`),
  because: 'when and by what address a webhook is asked is of other cases',
});
const rule = (apiGroups: readonly string[], resources: readonly string[], operations: readonly string[]): Fields => ({
  rules: [{ apiGroups, apiVersions: ['*'], resources, operations }],
});
const container = { name: 'c', image: 'example.com/c:1' };
const pod = (name: string): Json => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels: { app: 'a' } },
  spec: { containers: [container] },
});
const deployment: Json = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'x' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'a' } },
    template: { metadata: { labels: { app: 'a' } }, spec: { containers: [container] } },
  },
};
const setup = { setup: true };
const marker = webhook('marker');
const marked = probe('marked', { at: 'marked.headers.warning', matches: 'marked' });
const otherMarker = webhook('other-marker');
const otherMarked = probe('other-marked', { at: 'other-marked.headers.warning', matches: 'other' });
const markerHook = { marker: allow({ warnings: ['marked'] }) };
const markerHooks = { ...markerHook, 'other-marker': allow({ warnings: ['other'] }) };

export const unusual: readonly Case[] = [
  {
    id: 'a2-scale',
    section: 'admission-identity',
    shows: ['API-A2'],
    title: 'a webhook of the scale is shown a Scale, and what it makes of it is the scale',
    hooks: { grow: patching([{ op: 'replace', path: '/spec/replicas', value: 7 }]), judge: allow(), ...markerHooks },
    steps: [
      mutating('m', [marker, webhook('grow', rule(['apps'], ['deployments/scale'], ['*']))]),
      marked,
      validating('v', [webhook('judge', rule(['apps'], ['deployments/scale'], ['*'])), otherMarker]),
      otherMarked,
      post('made', deployments, deployment, setup),
      put('put', scale, {
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { name: 'x', namespace: '{{ns}}' },
        spec: { replicas: 2 },
      }),
      mergePatch('patch', scale, { spec: { replicas: 3 } }),
      apply('applied', `${scale}?fieldManager=m&force=true`, {
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { name: 'x', namespace: '{{ns}}' },
        spec: { replicas: 4 },
      }),
      get('after', scale),
      asked('grow', 3),
      asked('judge', 3),
    ],
    claims: [
      claim('put', 'put.body.spec.replicas', { is: 7 }),
      claim('patched', 'patch.body.spec.replicas', { is: 7 }),
      claim('a Scale', 'asked-grow.requests.0.body.request.object.kind', { is: 'Scale' }),
      claim('of the kind', 'asked-grow.requests.0.body.request.kind', {
        is: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      }),
    ],
  },
  {
    id: 'a2-posted-subresources',
    section: 'admission-identity',
    shows: ['API-A2'],
    title: 'evictions, bindings and tokens are shown to webhooks as what was posted',
    hooks: {
      first: allow(),
      seen: allow({ warnings: ['seen'] }),
      no: deny({ code: 409, message: 'not now' }),
      ...markerHooks,
    },
    steps: [
      mutating('m', [
        otherMarker,
        webhook('first', rule([''], ['pods/eviction', 'pods/binding', 'serviceaccounts/token'], ['*'])),
      ]),
      otherMarked,
      validating('v', [
        marker,
        webhook('seen', rule([''], ['pods/eviction', 'pods/binding', 'serviceaccounts/token'], ['*'])),
        webhook('no', {
          ...rule([''], ['pods/eviction'], ['CREATE']),
          matchConditions: [{ name: 'z', expression: "request.name == 'z'" }],
        }),
      ]),
      marked,
      post(
        'account',
        `${core}/serviceaccounts`,
        { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'r' } },
        setup,
      ),
      post('x', `${core}/pods`, pod('x'), setup),
      post('y', `${core}/pods`, pod('y'), setup),
      post('z', `${core}/pods`, pod('z'), setup),
      post(
        'token',
        `${core}/serviceaccounts/r/token`,
        {
          apiVersion: 'authentication.k8s.io/v1',
          kind: 'TokenRequest',
          spec: {},
        },
        { mask: ['body.status.token'], because: 'a signed token differs from run to run' },
      ),
      post('bound', `${core}/pods/y/binding`, {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name: 'y' },
        target: { kind: 'Node', name: 'n' },
      }),
      post('evicted', `${core}/pods/x/eviction`, {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name: 'x', labels: { a: 'b' } },
        deleteOptions: { gracePeriodSeconds: 0 },
      }),
      post('kept', `${core}/pods/z/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'z' } }),
      get('there', `${core}/pods/z`, { only: ['status'], because: 'it is still there' }),
      asked('first', 4),
      asked('seen', 4),
    ],
    claims: [
      claim('evicted', 'evicted.status', { is: 201 }),
      claim('refused', 'kept.status', { is: 409 }),
      claim('still there', 'there.status', { is: 200 }),
      claim('the last one', 'asked-seen.requests.3.body.request.name', { is: 'z' }),
    ],
  },
  {
    id: 'a5-selectors-on-delete',
    section: 'admission-identity',
    shows: ['API-A5'],
    title: 'an objectSelector sees what is deleted, a condition its old form, and a deletion without labels nobody',
    hooks: { chosen: deny({ code: 418, message: 'kept' }), ...markerHook },
    steps: [
      validating('v', [
        marker,
        webhook('chosen', {
          ...rule([''], ['configmaps'], ['DELETE']),
          objectSelector: { matchLabels: { keep: 'yes' } },
          matchConditions: [
            { name: 'old', expression: "object == null && oldObject.metadata.name != 'z'" },
            {
              name: 'options',
              expression: '!has(request.options.gracePeriodSeconds) || request.options.gracePeriodSeconds != 7',
            },
          ],
        }),
      ]),
      marked,
      ...['x', 'y', 'z', 'w'].map((name) =>
        post(name, configMaps, configMap(name, { metadata: { labels: name === 'y' ? {} : { keep: 'yes' } } }), setup),
      ),
      remove('kept', `${configMaps}/x`),
      remove('dry', `${configMaps}/x?dryRun=All`),
      remove('gone', `${configMaps}/y`),
      remove('spared', `${configMaps}/z`),
      remove('graceful', `${configMaps}/w`, {
        body: { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 7 },
      }),
      mergePatch('relabelled', `${configMaps}/x`, { metadata: { labels: { keep: null } } }),
      remove('gone-as-well', `${configMaps}/x`),
    ],
    claims: [
      claim('kept', 'kept.status', { is: 418 }),
      claim('in a dry run as well', 'dry.status', { is: 418 }),
      claim('without the label', 'gone.status', { is: 200 }),
      claim('by a condition', 'spared.status', { is: 200 }),
      claim('by the options', 'graceful.status', { is: 200 }),
      claim('no longer', 'gone-as-well.status', { is: 200 }),
    ],
  },
  {
    id: 'a5-cluster-wide',
    section: 'admission-identity',
    shows: ['API-A5'],
    title: 'a namespaceSelector lets pass what is cluster-wide, and judges a Namespace by its own labels, old or new',
    hooks: { seen: allow({ warnings: ['seen'] }), ...markerHook },
    steps: [
      validating('v', [
        marker,
        webhook('seen', {
          ...rule(['', 'scheduling.k8s.io'], ['namespaces', 'priorityclasses'], ['*']),
          namespaceSelector: { matchLabels: { team: '{{id}}' } },
          matchConditions: [{ name: 'mine', expression: "request.name.startsWith('{{id}}')" }],
        }),
      ]),
      marked,
      post('class', '/apis/scheduling.k8s.io/v1/priorityclasses', {
        apiVersion: 'scheduling.k8s.io/v1',
        kind: 'PriorityClass',
        metadata: { name: '{{id}}-class' },
        value: 7,
      }),
      remove('class-gone', '/apis/scheduling.k8s.io/v1/priorityclasses/{{id}}-class'),
      post('plain', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: '{{id}}-plain' } }),
      post('chosen', '/api/v1/namespaces', {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: '{{id}}-chosen', labels: { team: '{{id}}' } },
      }),
      mergePatch('joins', '/api/v1/namespaces/{{id}}-plain', { metadata: { labels: { team: '{{id}}' } } }),
      mergePatch('leaves', '/api/v1/namespaces/{{id}}-plain', { metadata: { labels: { team: null } } }),
    ],
    claims: [
      claim('cluster-wide', 'class.headers.warning', { contains: 'seen' }),
      claim('a namespace without the label', 'plain.headers.warning', { present: false }),
      claim('with the label', 'chosen.headers.warning', { contains: 'seen' }),
    ],
  },
  {
    id: 'a2-generated-name',
    section: 'admission-identity',
    shows: ['API-A2'],
    title: 'a webhook may name what was to be generated, and take the generated name away',
    hooks: {
      names: patching([{ op: 'replace', path: '/metadata/name', value: 'chosen' }]),
      takes: patching([{ op: 'remove', path: '/metadata/generateName' }]),
      ...markerHook,
    },
    steps: [
      mutating('m', [
        marker,
        webhook('names', { objectSelector: { matchLabels: { hook: 'names' } } }),
        webhook('takes', { objectSelector: { matchLabels: { hook: 'takes' } } }),
      ]),
      marked,
      ...['names', 'takes'].map((hook) =>
        post(hook, configMaps, {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { generateName: 'g-', labels: { hook } },
        }),
      ),
      get('chosen', `${configMaps}/chosen`),
    ],
    claims: [claim('without both there is no name', 'takes.status', { is: 422 })],
  },
  {
    id: 'z4-who-is-impersonated',
    section: 'admission-identity',
    shows: ['API-Z4'],
    title: 'a SelfSubjectReview says who is impersonated: uid, extra in several spellings, groups once each',
    steps: (
      [
        ['uid', { 'impersonate-user': 'u', 'impersonate-uid': '7' }],
        [
          'extra',
          { 'impersonate-user': 'u', 'impersonate-extra-Some%2fScope': ['b', 'a', 'b'], 'impersonate-extra-x': '' },
        ],
        ['groups', { 'impersonate-user': 'u', 'impersonate-group': ['g', 'g', 'system:authenticated', ''] }],
        ['escape', { 'impersonate-user': 'u', 'impersonate-extra-%zz': 'a' }],
        ['no-user', { 'impersonate-group': 'g' }],
        ['only-uid', { 'impersonate-uid': '7' }],
        ['anonymous', { 'impersonate-user': 'system:anonymous' }],
        ['anonymous-groups', { 'impersonate-user': 'system:anonymous', 'impersonate-group': 'g' }],
        ['account', { 'impersonate-user': 'system:serviceaccount:{{ns}}:robot' }],
        ['account-groups', { 'impersonate-user': 'system:serviceaccount:{{ns}}:robot', 'impersonate-group': 'g' }],
        ['not-account', { 'impersonate-user': 'system:serviceaccount:{{ns}}' }],
      ] as const
    ).map(([name, send]) =>
      post(
        name,
        '/apis/authentication.k8s.io/v1/selfsubjectreviews',
        { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
        { send },
      ),
    ),
    claims: [
      claim('uid', 'uid.body.status.userInfo.uid', { is: '7' }),
      claim('a user is needed', 'no-user.status', { is: 400 }),
    ],
  },
];
