// Acting as somebody else. The requester is a ServiceAccount of the case: what it is granted concerns no other case.
import type { Case, Headers, Json, Step } from '../../src/case.ts';
import { claim, configMaps, get, post } from '../../src/steps.ts';
import { bind, bindEverywhere, clusterRole, rbac, role, roleBindings, roles } from './manifests.ts';

const review: Json = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
const reviews = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const accounts = '/api/v1/namespaces/{{ns}}/serviceaccounts';
const own: Json = { kind: 'ServiceAccount', namespace: '{{ns}}', name: 'me' };
const bearer = { authorization: 'Bearer {{token.body.status.token}}' };

/** A ServiceAccount with a token. */
const requester: readonly Step[] = [
  post('account', accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'me' } }, { setup: true }),
  post(
    'token',
    `${accounts}/me/token`,
    { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
    { setup: true },
  ),
];
const acting = (as: Headers): { as: 'nobody'; send: Headers } => ({ as: 'nobody', send: { ...bearer, ...as } });
const whoAmI = (name: string, as: Headers): Step => post(name, reviews, review, { send: as });

const users: readonly [step: string, headers: Headers][] = [
  ['user', { 'impersonate-user': 'carol' }],
  ['user-groups', { 'impersonate-user': 'carol', 'impersonate-group': ['devs', 'ops'] }],
  ['comma', { 'impersonate-user': 'carol', 'impersonate-group': 'a, b' }],
  ['authenticated', { 'impersonate-user': 'carol', 'impersonate-group': ['system:authenticated', 'devs'] }],
  ['unauthenticated', { 'impersonate-user': 'carol', 'impersonate-group': 'system:unauthenticated' }],
  ['masters', { 'impersonate-user': 'carol', 'impersonate-group': 'system:masters' }],
  ['empty-group', { 'impersonate-user': 'carol', 'impersonate-group': '' }],
  ['uid', { 'impersonate-user': 'carol', 'impersonate-uid': '1-2-3' }],
  ['extra', { 'impersonate-user': 'carol', 'impersonate-extra-scopes': ['view', 'edit'] }],
  ['escaped', { 'impersonate-user': 'carol', 'impersonate-extra-Example.com%2fGrant%41': 'x' }],
  ['badly-escaped', { 'impersonate-user': 'carol', 'impersonate-extra-a%zz': 'x' }],
  ['anonymous', { 'impersonate-user': 'system:anonymous' }],
  ['anonymous-groups', { 'impersonate-user': 'system:anonymous', 'impersonate-group': 'devs' }],
  ['account', { 'impersonate-user': 'system:serviceaccount:{{ns}}:robot' }],
  ['account-groups', { 'impersonate-user': 'system:serviceaccount:{{ns}}:robot', 'impersonate-group': 'devs' }],
  ['account-uid', { 'impersonate-user': 'system:serviceaccount:{{ns}}:robot', 'impersonate-uid': 'u' }],
  ['not-an-account', { 'impersonate-user': 'system:serviceaccount:{{ns}}:Robot' }],
  ['node-groups', { 'impersonate-user': 'system:node:n1', 'impersonate-group': 'devs' }],
  ['space', { 'impersonate-user': 'a b' }],
];

const rule = (verb: string, resources: readonly string[], more: { [key: string]: Json } = {}): Json => ({
  apiGroups: ['authentication.k8s.io', ''],
  resources,
  verbs: [verb],
  ...more,
});

/** What the requester may be, everywhere. */
const granted = (rules: Json): Step[] => [
  post('cluster-role', `${rbac}/clusterroles`, clusterRole('be', { rules }), { setup: true }),
  post('cluster-binding', `${rbac}/clusterrolebindings`, bindEverywhere('be', 'be', own), { setup: true }),
];
const readers: readonly Step[] = [
  post('reads', roles, role('reads', [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }]), {
    setup: true,
  }),
  post(
    'carol-reads',
    roleBindings,
    bind(
      'reads',
      { kind: 'Role', name: 'reads' },
      { kind: 'User', name: '{{id}}-carol', apiGroup: 'rbac.authorization.k8s.io' },
    ),
    { setup: true },
  ),
];
const carol = '{{id}}-carol';
const firstAllowed = (name: string): { until: { at: string; is: number } } => ({
  until: { at: `${name}.status`, is: 200 },
});

export const impersonation: readonly Case[] = [
  {
    id: 'z4-become',
    section: 'admission-identity',
    shows: ['API-Z4'],
    title: 'who may do everything may be anybody: user, groups, uid, extra, service account',
    steps: users.map(([name, headers]) => whoAmI(name, headers)),
    claims: [
      claim('the user', 'user.body.status.userInfo.username', { is: 'carol' }),
      claim('without groups of its own', 'user.body.status.userInfo.groups', { is: ['system:authenticated'] }),
      claim('each header is one group', 'user-groups.body.status.userInfo.groups', {
        is: ['devs', 'ops', 'system:authenticated'],
      }),
      claim('also one with a comma', 'comma.body.status.userInfo.groups', { is: ['a, b', 'system:authenticated'] }),
      claim('extra', 'extra.body.status.userInfo.extra.scopes', { is: ['view', 'edit'] }),
      claim('groups of a service account', 'account.body.status.userInfo.groups', {
        contains: 'system:serviceaccounts',
      }),
    ],
  },
  {
    id: 'z4-node',
    section: 'admission-identity',
    shows: ['API-Z4'],
    title: 'who acts as a node in the limited way is in the group of nodes',
    steps: [
      ...requester,
      ...granted([{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]),
      get('until', configMaps, { ...acting({}), ...firstAllowed('until') }),
      post('node', reviews, review, acting({ 'impersonate-user': 'system:node:n1' })),
      post('not-a-node', reviews, review, acting({ 'impersonate-user': 'system:node:N 1' })),
    ],
    claims: [
      claim('its groups', 'node.body.status.userInfo.groups', { is: ['system:nodes', 'system:authenticated'] }),
      claim('others are users', 'not-a-node.body.status.userInfo.groups', { is: ['system:authenticated'] }),
    ],
  },
  {
    id: 'z4-as-the-user',
    section: 'admission-identity',
    shows: ['API-Z4', 'API-Z2'],
    title: 'what somebody may do who is impersonated counts, not what the requester may',
    steps: [
      get('refused', configMaps, { send: { 'impersonate-user': carol } }),
      ...readers,
      get('allowed', configMaps, { send: { 'impersonate-user': carol }, ...firstAllowed('allowed') }),
      get('no-more', '/api/v1/namespaces/{{ns}}/secrets', { send: { 'impersonate-user': carol } }),
      get('masters', '/api/v1/namespaces/{{ns}}/secrets', {
        send: { 'impersonate-user': carol, 'impersonate-group': 'system:masters' },
      }),
      get('anonymous', configMaps, { send: { 'impersonate-user': 'system:anonymous' } }),
      get('path', '/metrics', { send: { 'impersonate-user': carol } }),
    ],
    claims: [
      claim('an administrator is refused as somebody without rights', 'refused.status', { is: 403 }),
      claim('and has those of the user', 'allowed.status', { is: 200 }),
      claim('no others', 'no-more.status', { is: 403 }),
      claim('groups count', 'masters.status', { is: 200 }),
    ],
  },
  {
    id: 'z4-impersonate-verb',
    section: 'admission-identity',
    shows: ['API-Z4'],
    title: 'the verb impersonate allows users, groups, uids and extras, each by itself',
    steps: [
      ...requester,
      ...readers,
      ...granted([
        rule('impersonate', ['users'], { resourceNames: [carol] }),
        rule('impersonate', ['groups'], { resourceNames: ['devs'] }),
        rule('impersonate', ['userextras/scopes'], { resourceNames: ['view'] }),
        rule('impersonate', ['uids'], { resourceNames: ['7'] }),
      ]),
      get('carol', configMaps, { ...acting({ 'impersonate-user': carol }), ...firstAllowed('carol') }),
      get('dave', configMaps, acting({ 'impersonate-user': 'dave' })),
      get('devs', configMaps, acting({ 'impersonate-user': carol, 'impersonate-group': 'devs' })),
      get('ops', configMaps, acting({ 'impersonate-user': carol, 'impersonate-group': ['devs', 'ops'] })),
      get('masters', configMaps, acting({ 'impersonate-user': carol, 'impersonate-group': 'system:masters' })),
      get('uid', configMaps, acting({ 'impersonate-user': carol, 'impersonate-uid': '7' })),
      get('other-uid', configMaps, acting({ 'impersonate-user': carol, 'impersonate-uid': '8' })),
      get('view', configMaps, acting({ 'impersonate-user': carol, 'impersonate-extra-scopes': 'view' })),
      get('edit', configMaps, acting({ 'impersonate-user': carol, 'impersonate-extra-scopes': 'edit' })),
      get('other', configMaps, acting({ 'impersonate-user': carol, 'impersonate-extra-other': 'view' })),
      get('as-carol', '/api/v1/namespaces/{{ns}}/secrets', acting({ 'impersonate-user': carol })),
      post('who', reviews, review, acting({ 'impersonate-user': carol, 'impersonate-group': 'devs' })),
    ],
    claims: [
      claim('a user that is named', 'carol.status', { is: 200 }),
      claim('no other', 'dave.status', { is: 403 }),
      claim('a group', 'devs.status', { is: 200 }),
      claim('no other, beside it', 'ops.status', { is: 403 }),
      claim('an uid', 'uid.status', { is: 200 }),
      claim('no other', 'other-uid.status', { is: 403 }),
      claim('an extra', 'view.status', { is: 200 }),
      claim('no other value', 'edit.status', { is: 403 }),
      claim('no other key', 'other.status', { is: 403 }),
      claim('from then on it is the user who asks', 'as-carol.body.message', { matches: '-carol" cannot list' }),
    ],
  },
  {
    id: 'z4-impersonate-accounts',
    section: 'admission-identity',
    shows: ['API-Z4'],
    title: 'service accounts of a namespace can be impersonated by a Role there',
    steps: [
      ...requester,
      post(
        'role',
        roles,
        role('be', [
          { apiGroups: [''], resources: ['serviceaccounts'], verbs: ['impersonate'] },
          { apiGroups: [''], resources: ['configmaps'], verbs: ['list'] },
        ]),
        { setup: true },
      ),
      post('binding', roleBindings, bind('be', { kind: 'Role', name: 'be' }, own), { setup: true }),
      post(
        'group-binding',
        roleBindings,
        bind(
          'all',
          { kind: 'Role', name: 'be' },
          { kind: 'Group', name: 'system:serviceaccounts:{{ns}}', apiGroup: 'rbac.authorization.k8s.io' },
        ),
        { setup: true },
      ),
      get('here', configMaps, {
        ...acting({ 'impersonate-user': 'system:serviceaccount:{{ns}}:robot' }),
        ...firstAllowed('here'),
      }),
      get('elsewhere', configMaps, acting({ 'impersonate-user': 'system:serviceaccount:default:robot' })),
      get('a-user', configMaps, acting({ 'impersonate-user': 'carol' })),
      get(
        'groups',
        configMaps,
        acting({ 'impersonate-user': 'system:serviceaccount:{{ns}}:robot', 'impersonate-group': 'devs' }),
      ),
    ],
    claims: [
      claim('in the namespace of the role', 'here.status', { is: 200 }),
      claim('not in others', 'elsewhere.status', { is: 403 }),
      claim('no users', 'a-user.status', { is: 403 }),
      claim('groups are a right of their own', 'groups.status', { is: 403 }),
    ],
  },
  {
    id: 'z4-limited',
    section: 'admission-identity',
    shows: ['API-Z4'],
    title: 'limited impersonation needs the right to be the user, and the right to do this as the user',
    steps: [
      ...requester,
      ...readers,
      ...granted([
        rule('impersonate:user-info', ['users'], { resourceNames: [carol] }),
        rule('impersonate:user-info', ['groups'], { resourceNames: ['devs'] }),
        rule('impersonate:user-info', ['userextras/example.com/scopes']),
        rule('impersonate-on:user-info:list', ['configmaps']),
      ]),
      get('list', configMaps, { ...acting({ 'impersonate-user': carol }), ...firstAllowed('list') }),
      get('get', `${configMaps}/x`, acting({ 'impersonate-user': carol })),
      get('dave', configMaps, acting({ 'impersonate-user': 'dave' })),
      get('devs', configMaps, acting({ 'impersonate-user': carol, 'impersonate-group': 'devs' })),
      get('ops', configMaps, acting({ 'impersonate-user': carol, 'impersonate-group': 'ops' })),
      get('many', configMaps, acting({ 'impersonate-user': carol, 'impersonate-group': ['devs', 'b', 'c', 'd'] })),
      get('empty', configMaps, acting({ 'impersonate-user': carol, 'impersonate-group': '' })),
      get('masters', configMaps, acting({ 'impersonate-user': carol, 'impersonate-group': 'system:masters' })),
      get('extra', configMaps, acting({ 'impersonate-user': carol, 'impersonate-extra-example.com%2fscopes': 'x' })),
      get('no-domain', configMaps, acting({ 'impersonate-user': carol, 'impersonate-extra-scopes': 'x' })),
      get('bad-domain', configMaps, acting({ 'impersonate-user': carol, 'impersonate-extra-a_b%2fscopes': 'x' })),
      get('upper', configMaps, acting({ 'impersonate-user': carol, 'impersonate-extra-example.com%2f%41': 'x' })),
      get('no-value', configMaps, acting({ 'impersonate-user': carol, 'impersonate-extra-example.com%2fscopes': '' })),
      get('node', configMaps, acting({ 'impersonate-user': 'system:node:n1' })),
    ],
    claims: [
      claim('what is granted', 'list.status', { is: 200 }),
      claim('nothing else is done', 'get.body.message', { matches: 'cannot impersonate-on:user-info:get' }),
      claim('nobody else', 'dave.status', { is: 403 }),
      claim('groups', 'devs.status', { is: 200 }),
      claim('never system:masters', 'masters.body.message', {
        matches: 'impersonating the system:masters group is not allowed',
      }),
    ],
  },
];
