// The authorizer in the expressions of policies and of conditions.
import type { Case, Json, Step } from '../../src/case.ts';
import { claim, configMap, configMaps, post } from '../../src/steps.ts';
import { admission, allow, bind, deny, here, role, roleBindings, roles, validating, webhook } from './manifests.ts';

type Fields = { readonly [key: string]: Json };

const resourceRules = [
  { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE', 'UPDATE'] },
];

const policyOf = (name: string, spec: Fields): Json => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: `{{id}}-${name}` },
  spec: { matchConstraints: { resourceRules }, ...spec },
});

const bound = (name: string, spec: Fields): Step[] => [
  post(`${name}-policy`, `${admission}/validatingadmissionpolicies`, policyOf(name, spec), { setup: true }),
  post(
    `${name}-binding`,
    `${admission}/validatingadmissionpolicybindings`,
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: `{{id}}-${name}` },
      spec: {
        policyName: `{{id}}-${name}`,
        matchResources: { namespaceSelector: here },
        validationActions: ['Deny'],
      },
    },
    { setup: true },
  ),
];

/** Alice may write ConfigMaps here, and read the Secret that is named. */
const rights: Step[] = [
  post(
    'role',
    roles,
    role('writer', [
      { apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'update', 'get'] },
      { apiGroups: [''], resources: ['secrets'], resourceNames: ['known'], verbs: ['get'] },
    ]),
    { setup: true },
  ),
  post('bound', roleBindings, bind('writer', { kind: 'Role', name: 'writer' }), { setup: true }),
];

const asked = (expression: string): Fields => ({ expression, messageExpression: "'no: ' + request.userInfo.username" });
const create = (name: string, object: string, more: Partial<Step> = {}): Step =>
  post(name, `${configMaps}?dryRun=All`, configMap(object), { as: 'alice', ...more } as never);

const secrets = "authorizer.group('').resource('secrets').namespace(request.namespace)";

export const authorizerCases: readonly Case[] = [
  {
    id: 'a7-authorizer',
    section: 'admission-identity',
    shows: ['API-A7'],
    title: 'a policy asks what the writer may do, by resource, by path, and for a service account',
    steps: [
      ...rights,
      ...bound('named', {
        matchConditions: [{ name: 'n', expression: "object.metadata.name.startsWith('secret-')" }],
        validations: [asked(`${secrets}.name(object.metadata.name.substring(7)).check('get').allowed()`)],
      }),
      ...bound('own', {
        matchConditions: [{ name: 'n', expression: "object.metadata.name.startsWith('own')" }],
        validations: [
          asked("authorizer.requestResource.check('create').allowed()"),
          asked("authorizer.requestResource.check('delete').allowed()"),
        ],
      }),
      ...bound('path', {
        matchConditions: [{ name: 'n', expression: "object.metadata.name.startsWith('path')" }],
        validations: [asked("authorizer.path('/metrics').check('get').allowed()")],
      }),
      ...bound('account', {
        matchConditions: [{ name: 'n', expression: "object.metadata.name.startsWith('account')" }],
        validations: [
          {
            expression: `authorizer.serviceAccount('default', 'robot').group('apps').resource('deployments').subresource('scale').check('update').reason() == 'x'`,
            message: 'no reason',
          },
        ],
      }),
      create('unknown', 'secret-unknown', { until: { at: 'unknown.status', is: 422 } }),
      create('known', 'secret-known'),
      create('own', 'own', { until: { at: 'own.status', is: 422 } }),
      create('path', 'path', { until: { at: 'path.status', is: 422 } }),
      create('account', 'account', { until: { at: 'account.status', is: 422 } }),
      post('admin', `${configMaps}?dryRun=All`, configMap('own')),
    ],
    claims: [
      claim('who may read the Secret may write', 'known.status', { is: 201 }),
      claim('who may do everything may', 'admin.status', { is: 201 }),
    ],
  },
  {
    id: 'a7-authorizer-failures',
    section: 'admission-identity',
    shows: ['API-A7'],
    title: 'questions that make no sense fail when they are asked, and three questions cost too much',
    steps: [
      ...bound('blank', {
        matchConditions: [{ name: 'n', expression: "object.metadata.name == 'blank'" }],
        validations: [
          { expression: "authorizer.group('').resource(' ').check('get').allowed()" },
          { expression: "authorizer.path('').check('get').allowed()" },
          { expression: "authorizer.serviceAccount('A', 'b').path('/').check('get').allowed()" },
          { expression: "authorizer.serviceAccount('a', 'B/').path('/').check('get').allowed()" },
        ],
      }),
      ...bound('dear', {
        matchConditions: [{ name: 'n', expression: "object.metadata.name == 'dear'" }],
        validations: [
          {
            expression:
              "authorizer.path('/a').check('get').allowed() && authorizer.path('/b').check('get').allowed() && authorizer.path('/c').check('get').allowed()",
          },
        ],
      }),
      post('blank', `${configMaps}?dryRun=All`, configMap('blank'), { until: { at: 'blank.status', is: 422 } }),
      post('dear', `${configMaps}?dryRun=All`, configMap('dear'), { until: { at: 'dear.status', is: 422 } }),
      post(
        'message',
        `${admission}/validatingadmissionpolicies?dryRun=All`,
        policyOf('message', {
          validations: [{ expression: 'true', messageExpression: "authorizer.path('/').check('get').reason()" }],
        }),
      ),
      post(
        'untyped',
        `${admission}/validatingadmissionpolicies?dryRun=All`,
        policyOf('untyped', {
          validations: [
            { expression: "authorizer.resource('x')" },
            { expression: 'authorizer.requestResource' },
            { expression: 'authorizer.nothing' },
            { expression: "object.check('x').allowed()" },
          ],
        }),
      ),
    ],
    claims: [claim('a message asks nobody', 'message.status', { is: 422 })],
  },
  {
    id: 'a5-authorizer-condition',
    section: 'admission-identity',
    shows: ['API-A5'],
    title: 'a condition of a webhook asks what the writer may do',
    hooks: { refuse: deny(), pass: allow() },
    steps: [
      ...rights,
      validating('v', [
        webhook('refuse', {
          matchConditions: [{ name: 'breakglass', expression: `!${secrets}.name('known').check('get').allowed()` }],
        }),
      ]),
      post('bob-may', roles, role('bob', [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create'] }]), {
        setup: true,
      }),
      post(
        'bob-bound',
        roleBindings,
        bind(
          'bob',
          { kind: 'Role', name: 'bob' },
          {
            kind: 'User',
            name: 'bob',
            apiGroup: 'rbac.authorization.k8s.io',
          },
        ),
        { setup: true },
      ),
      post('bob', `${configMaps}?dryRun=All`, configMap('x'), {
        as: 'bob',
        until: { at: 'bob.body.message', matches: 'no way' },
      }),
      create('alice', 'x'),
    ],
    claims: [claim('not asked about alice', 'alice.status', { is: 201 })],
  },
];
