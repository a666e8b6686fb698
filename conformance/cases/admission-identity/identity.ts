import type { Case, Json } from '../../src/case.ts';
import { claim, configMap, configMaps, get, post } from '../../src/steps.ts';

const whoAmI: Json = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
const reviews = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const numbered = { mask: ['body.status.userInfo.uid'], because: 'how a token table numbers its users is its own' };

export const identity: readonly Case[] = [
  {
    id: 'z1-tokens',
    section: 'admission-identity',
    shows: ['API-Z1', 'API-Z3'],
    title: 'a bearer token names a user and its groups; system:authenticated is added',
    steps: [
      post('alice', reviews, whoAmI, { as: 'alice', ...numbered }),
      post('bob', reviews, whoAmI, { as: 'bob', ...numbered }),
    ],
    claims: [
      claim('the user of the token', 'alice.body.status.userInfo.username', { is: 'alice' }),
      claim('its groups, and system:authenticated', 'alice.body.status.userInfo.groups', {
        is: ['team', 'system:authenticated'],
      }),
      claim('also without groups of its own', 'bob.body.status.userInfo.groups', { is: ['system:authenticated'] }),
    ],
  },
  {
    id: 'z1-bad-token',
    section: 'admission-identity',
    shows: ['API-Z1', 'API-E2'],
    title: 'a token nobody has is 401, whatever is asked',
    steps: [
      get('resource', configMaps, { as: 'wrong-token' }),
      get('version', '/version', { as: 'wrong-token' }),
      get('health', '/healthz', { as: 'wrong-token' }),
    ],
    claims: [
      claim('401', 'resource.status', { is: 401 }),
      claim('its reason', 'resource.body.reason', { is: 'Unauthorized' }),
      claim('its message', 'resource.body.message', { is: 'Unauthorized' }),
      claim('also where anybody may look', 'version.status', { is: 401 }),
      claim('and for probes', 'health.status', { is: 401 }),
    ],
  },
  {
    id: 'z1-anonymous',
    section: 'admission-identity',
    shows: ['API-Z1'],
    title: 'who shows no token is system:anonymous and may look at health and version',
    steps: [
      get('version', '/version', {
        as: 'nobody',
        only: ['status'],
        because: 'what it says is the topic of another case',
      }),
      get('resource', configMaps, { as: 'nobody' }),
    ],
    claims: [
      claim('version is open', 'version.status', { is: 200 }),
      claim('the rest is not', 'resource.status', { is: 403 }),
      claim('and the refusal names the user', 'resource.body.message', {
        matches: 'User "system:anonymous" cannot list',
      }),
    ],
  },
  {
    id: 'z1-masters',
    section: 'admission-identity',
    shows: ['API-Z1'],
    title: 'system:masters may do everything, without a role',
    steps: [
      post('create', configMaps, configMap('x')),
      get('metrics', '/metrics', { only: ['status'], because: 'numbers of the moment' }),
      post('refused', configMaps, configMap('y'), { as: 'alice' }),
    ],
    claims: [
      claim('writes', 'create.status', { is: 201 }),
      claim('paths that are not resources', 'metrics.status', { is: 200 }),
      claim('others need a role', 'refused.status', { is: 403 }),
    ],
  },
  {
    id: 'z3-access-reviews',
    section: 'admission-identity',
    shows: ['API-Z3'],
    title: 'reviews are created only, answered with 201 and not stored',
    steps: [
      post('can-i', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: { resourceAttributes: { namespace: '{{ns}}', verb: 'get', resource: 'configmaps' } },
      }),
      post('may-alice', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        spec: { user: 'alice', resourceAttributes: { namespace: '{{ns}}', verb: 'get', resource: 'configmaps' } },
      }),
      post('local', '/apis/authorization.k8s.io/v1/namespaces/{{ns}}/localsubjectaccessreviews', {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'LocalSubjectAccessReview',
        metadata: { namespace: '{{ns}}' },
        spec: { user: 'alice', resourceAttributes: { namespace: '{{ns}}', verb: 'get', resource: 'configmaps' } },
      }),
      post(
        'rules',
        '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
        { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace: '{{ns}}' } },
        {
          as: 'bob',
          unordered: [
            'body.status.resourceRules',
            'body.status.nonResourceRules',
            'body.status.nonResourceRules.*.nonResourceURLs',
          ],
          because: 'bindings are walked through in no order',
        },
      ),
      post(
        'token',
        '/apis/authentication.k8s.io/v1/tokenreviews',
        {
          apiVersion: 'authentication.k8s.io/v1',
          kind: 'TokenReview',
          spec: { token: 'bob-token' },
        },
        { mask: ['body.status.user.uid'], because: 'how a token table numbers its users is its own' },
      ),
      get('list', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'),
    ],
    claims: [
      claim('201', 'can-i.status', { is: 201 }),
      claim('an answer', 'can-i.body.status.allowed', { is: true }),
      claim('no uid: not stored', 'can-i.body.metadata.uid', { present: false }),
      claim('of another user', 'may-alice.body.status.allowed', { is: false }),
      claim('local', 'local.body.status.allowed', { is: false }),
      claim('rules', 'rules.status', { is: 201 }),
      claim('tokens', 'token.body.status.user.username', { is: 'bob' }),
      claim('create only', 'list.status', { is: 405 }),
    ],
  },
];
