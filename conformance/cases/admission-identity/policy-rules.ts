// What policies, bindings and conditions may not say.
import type { Case, Json, RequestStep } from '../../src/case.ts';
import { claim, mergePatch, post } from '../../src/steps.ts';
import { admission, allow, webhook } from './manifests.ts';

type Fields = { readonly [key: string]: Json };

const rule: Json = { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] };
const constraints: Json = { resourceRules: [rule] };
const fine: Json = [{ expression: 'true' }];

const named = (sort: 'Validating' | 'Mutating', kind: string, spec: Fields): Json => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: `${sort}AdmissionPolicy${kind}`,
  metadata: { name: '{{id}}' },
  spec,
});

const patch = '[JSONPatch{op: "add", path: "/data/x", value: "y"}]';

/** Where expressions do not compile, the compiler says so with a drawing of the place. */
const withoutText = {
  mask: ['body.message', 'body.details.causes.0.message'],
  because: 'where in an expression the mistake is, is not told in the same words',
};

const validating = (name: string, spec: Fields, more: Partial<RequestStep> = {}): RequestStep =>
  post(
    name,
    `${admission}/validatingadmissionpolicies?dryRun=All`,
    named('Validating', '', { matchConstraints: constraints, validations: fine, ...spec }),
    more,
  );

const mutating = (name: string, spec: Fields, more: Partial<RequestStep> = {}): RequestStep =>
  post(
    name,
    `${admission}/mutatingadmissionpolicies?dryRun=All`,
    named('Mutating', '', {
      matchConstraints: constraints,
      reinvocationPolicy: 'Never',
      mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: patch } }],
      ...spec,
    }),
    more,
  );

const bound = (name: string, spec: Fields): RequestStep =>
  post(
    name,
    `${admission}/validatingadmissionpolicybindings?dryRun=All`,
    named('Validating', 'Binding', { policyName: 'p', validationActions: ['Deny'], ...spec }),
  );

const shown = { section: 'admission-identity', shows: ['API-A7'] } as const;
const taken = { only: ['status'], because: 'that it is taken is the topic' };

export const policyRules: readonly Case[] = [
  {
    ...shown,
    id: 'a7-policy-refused',
    title: 'what a validating policy may not say',
    steps: [
      validating('constraints', { matchConstraints: null }),
      validating('no-rules', { matchConstraints: {} }),
      validating('rule', {
        matchConstraints: {
          matchPolicy: 'Nearly',
          resourceRules: [{ ...(rule as Fields), operations: ['READ', '*'], resourceNames: ['a/b', 'c', 'c'] }],
        },
      }),
      validating('failure-policy', { failurePolicy: 'Maybe' }),
      validating('nothing', { validations: [] }),
      validating('param-kind', { paramKind: { apiVersion: 'a/b/c', kind: 'A.B' } }),
      validating('param-version', { paramKind: { apiVersion: 'Not_a_group/v1', kind: '' } }),
      validating('empty', {
        validations: [{ expression: ' ', message: ' ', messageExpression: ' ', reason: 'Because' }],
      }),
      validating('lines', { validations: [{ expression: 'true', message: 'a\nb' }] }),
      validating('variable', {
        variables: [
          { name: 'a-b', expression: '1' },
          { name: '', expression: '' },
          { name: 'in', expression: '1' },
        ],
      }),
      validating('conditions', {
        matchConditions: [
          { name: 'a', expression: '' },
          { name: 'a', expression: 'true' },
          { name: '', expression: 'true' },
        ],
      }),
      validating('annotations', {
        auditAnnotations: [
          { key: 'a', valueExpression: '' },
          { key: 'a', valueExpression: "'x'" },
          { key: 'a b', valueExpression: "'x'" },
        ],
      }),
    ],
    claims: [claim('422', 'constraints.status', { is: 422 })],
  },
  {
    ...shown,
    id: 'a7-policy-types',
    title: 'an expression must make what its place wants',
    steps: [
      validating('number', { validations: [{ expression: '1' }] }),
      validating('dyn', { validations: [{ expression: 'object.data' }] }),
      validating('message', { validations: [{ expression: 'true', messageExpression: '1' }] }),
      validating('annotation', { validations: [], auditAnnotations: [{ key: 'a', valueExpression: '[1]' }] }),
      validating('condition', { matchConditions: [{ name: 'a', expression: "'x'" }] }),
      validating(
        'fine',
        {
          paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
          matchConditions: [{ name: 'a', expression: "request.operation == 'CREATE' && params.data.size() > 0" }],
          variables: [
            { name: 'labels', expression: 'has(object.metadata.labels) ? object.metadata.labels : {}' },
            { name: 'small', expression: 'variables.labels.size() < 3' },
          ],
          validations: [
            { expression: 'variables.small', messageExpression: "'too many: ' + string(variables.labels.size())" },
            { expression: "object.data.all(k, k.startsWith('a') || object.data[k] in ['b'])" },
            { expression: "!has(object.metadata.annotations) || object.metadata.annotations.exists(k, k == 'x')" },
            { expression: 'namespaceObject.metadata.name.matches("^a") && oldObject == null' },
            { expression: 'object.?data.a.orValue("") != "x" && request.userInfo.groups.size() >= 0' },
            { expression: "quantity('1').isLessThan(quantity('2')) ? true : size(object.data) > 1" },
            { expression: "authorizer.group('').resource('pods').check('get').allowed()" },
          ],
          auditAnnotations: [{ key: 'a', valueExpression: 'variables.small ? "yes" : "no"' }],
        },
        taken,
      ),
    ],
    claims: [claim('422', 'number.status', { is: 422 }), claim('fine', 'fine.status', { is: 201 })],
  },
  {
    ...shown,
    id: 'a7-policy-compiles',
    hooks: { a: allow() },
    title: 'an expression that does not compile is refused when it is written',
    steps: [
      validating('syntax', { validations: [{ expression: 'object.' }] }, withoutText),
      validating('unknown', { validations: [{ expression: 'nothing == 1' }] }, withoutText),
      validating('params', { validations: [{ expression: 'params.x == 1' }] }, withoutText),
      validating(
        'later',
        {
          variables: [
            { name: 'a', expression: 'variables.b' },
            { name: 'b', expression: '1' },
          ],
        },
        withoutText,
      ),
      validating('overload', { validations: [{ expression: "1 + 'a' == 2" }] }, withoutText),
      validating('request', { validations: [{ expression: "request.nothing == ''" }] }, withoutText),
      validating('message', { validations: [{ expression: 'true', messageExpression: 'object +' }] }, withoutText),
      validating('annotation', { auditAnnotations: [{ key: 'a', valueExpression: 'nothing' }] }, withoutText),
      validating('condition', { matchConditions: [{ name: 'a', expression: 'nothing' }] }, withoutText),
      mutating('patch', { mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: 'nothing' } }] }, withoutText),
      post(
        'webhook',
        `${admission}/validatingwebhookconfigurations?dryRun=All`,
        {
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: 'ValidatingWebhookConfiguration',
          metadata: { name: '{{id}}' },
          webhooks: [webhook('a', { matchConditions: [{ name: 'a', expression: 'nothing' }] })],
        },
        withoutText,
      ),
      post('webhook-type', `${admission}/mutatingwebhookconfigurations?dryRun=All`, {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'MutatingWebhookConfiguration',
        metadata: { name: '{{id}}' },
        webhooks: [webhook('a', { matchConditions: [{ name: 'a', expression: 'object' }] })],
      }),
    ],
    claims: [claim('422', 'syntax.status', { is: 422 }), claim('webhook', 'webhook.status', { is: 422 })],
  },
  {
    ...shown,
    id: 'a7-mutating-refused',
    title: 'what a mutating policy may not say',
    steps: [
      mutating('nothing', { mutations: [] }),
      mutating('type', { mutations: [{ patchType: 'Merge' }] }),
      mutating('no-type', { mutations: [{}] }),
      mutating('missing', { mutations: [{ patchType: 'JSONPatch' }, { patchType: 'ApplyConfiguration' }] }),
      mutating('empty', { mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: ' ' } }] }),
      mutating('both', {
        mutations: [
          { patchType: 'JSONPatch', jsonPatch: { expression: patch }, applyConfiguration: { expression: 'Object{}' } },
          {
            patchType: 'ApplyConfiguration',
            jsonPatch: { expression: patch },
            applyConfiguration: { expression: 'Object{}' },
          },
        ],
      }),
      mutating('kinds', {
        mutations: [
          { patchType: 'JSONPatch', jsonPatch: { expression: '[]' } },
          { patchType: 'JSONPatch', jsonPatch: { expression: '[1]' } },
          { patchType: 'JSONPatch', jsonPatch: { expression: 'Object{}' } },
          { patchType: 'ApplyConfiguration', applyConfiguration: { expression: "'x'" } },
        ],
      }),
      mutating('reinvocation', { reinvocationPolicy: 'Often' }),
      mutating('no-reinvocation', { reinvocationPolicy: '' }),
      mutating('operation', { matchConstraints: { resourceRules: [{ ...(rule as Fields), operations: ['DELETE'] }] } }),
      mutating(
        'fine',
        {
          mutations: [
            {
              patchType: 'ApplyConfiguration',
              applyConfiguration: { expression: 'Object{metadata: Object.metadata{labels: {"a": "b"}}}' },
            },
            {
              patchType: 'JSONPatch',
              jsonPatch: {
                expression: '[JSONPatch{op: "add", path: "/data/" + jsonpatch.escapeKey("a/b"), value: "x"}]',
              },
            },
          ],
        },
        taken,
      ),
    ],
    claims: [claim('422', 'nothing.status', { is: 422 }), claim('fine', 'fine.status', { is: 201 })],
  },
  {
    ...shown,
    id: 'a7-binding-refused',
    title: 'what a binding may not say',
    steps: [
      bound('no-policy', { policyName: '' }),
      bound('policy', { policyName: 'Not Valid' }),
      bound('actions', { validationActions: ['Deny', 'Warn', 'Warn', 'Shout'] }),
      bound('no-actions', { validationActions: [] }),
      bound('param', { paramRef: { parameterNotFoundAction: 'Deny' } }),
      bound('both', { paramRef: { name: 'a', selector: {}, parameterNotFoundAction: 'Deny' } }),
      bound('not-found', { paramRef: { name: 'a/b' } }),
      bound('matching', {
        matchResources: { objectSelector: { matchExpressions: [{ key: 'a b', operator: 'Is', values: ['c d'] }] } },
      }),
      post(
        'mutating',
        `${admission}/mutatingadmissionpolicybindings?dryRun=All`,
        named('Mutating', 'Binding', {
          policyName: '',
          matchResources: { resourceRules: [{ ...(rule as Fields), operations: ['DELETE'] }] },
        }),
      ),
      post(
        'stored',
        `${admission}/validatingadmissionpolicybindings`,
        named('Validating', 'Binding', {
          policyName: 'p',
          validationActions: ['Deny'],
          matchResources: { namespaceSelector: { matchLabels: { none: 'such' } } },
        }),
        taken,
      ),
      mergePatch('changed', `${admission}/validatingadmissionpolicybindings/{{id}}`, {
        spec: { validationActions: null },
      }),
    ],
    claims: [claim('422', 'policy.status', { is: 422 })],
  },
];
