// ValidatingAdmissionPolicy and MutatingAdmissionPolicy.
import type { Case, Json, Step } from '../../src/case.ts';
import { claim, configMap, configMaps, mergePatch, post, remove } from '../../src/steps.ts';
import { admission, here } from './manifests.ts';

type Fields = { readonly [key: string]: Json };

const rules = [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE', 'UPDATE'] }];

const policy = (name: string, spec: Fields, options: { kind?: string; setup?: boolean } = {}): Step => {
  const { kind = 'ValidatingAdmissionPolicy', setup = true } = options;
  return post(
    `${name}-policy`,
    `${admission}/${kind === 'ValidatingAdmissionPolicy' ? 'validatingadmissionpolicies' : 'mutatingadmissionpolicies'}`,
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind,
      metadata: { name: `{{id}}-${name}` },
      spec: { matchConstraints: { resourceRules: rules }, ...spec },
    },
    { setup },
  );
};

const binding = (name: string, spec: Fields, options: { kind?: string; setup?: boolean } = {}): Step => {
  const { kind = 'ValidatingAdmissionPolicyBinding', setup = true } = options;
  const actions = kind === 'ValidatingAdmissionPolicyBinding' ? { validationActions: ['Deny'] } : {};
  return post(
    `${name}-b`,
    `${admission}/${kind.toLowerCase()}s`,
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind,
      metadata: { name: `{{id}}-${name}` },
      spec: { policyName: `{{id}}-${name}`, matchResources: { namespaceSelector: here }, ...actions, ...spec },
    },
    { setup },
  );
};

const mutatingKinds = { kind: 'MutatingAdmissionPolicy' };
const mutatingBinding = { kind: 'MutatingAdmissionPolicyBinding' };
const validations = (...list: Fields[]): Fields => ({ validations: list });
const refusedAt = (name: string): { at: string; matches: string } => ({
  at: `${name}.body.message`,
  matches: 'denied',
});

const two = (name: string): Json => configMap(name, { data: { a: '1', b: '2' } });

/** A policy that lets ConfigMaps of this name have as many entries as its parameter says. */
const limited = (name: string, paramRef: Fields): Step[] => [
  policy(name, {
    paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
    matchConditions: [{ name: 'mine', expression: `object.metadata.name.startsWith('${name}')` }],
    ...validations({
      expression: 'object.data.size() <= int(params.data.most)',
      messageExpression: "'more than ' + params.data.most",
    }),
  }),
  binding(name, { paramRef }),
];

export const policies: readonly Case[] = [
  {
    id: 'a7-denied',
    section: 'admission-identity',
    shows: ['API-A7'],
    title: 'a policy refuses with its message, its messageExpression or its expression, and its reason',
    steps: [
      policy(
        'p',
        validations(
          { expression: "!has(object.data) || !('a' in object.data)", message: 'no a', reason: 'Forbidden' },
          { expression: "!has(object.data) || !('b' in object.data)", messageExpression: "'b is ' + object.data.b" },
          { expression: "!has(object.data) || !('c' in object.data)" },
        ),
      ),
      binding('p', {}),
      post('message', `${configMaps}?dryRun=All`, configMap('x', { data: { a: '1' } }), {
        until: refusedAt('message'),
      }),
      post('expression', configMaps, configMap('x', { data: { b: 'two' } })),
      post('bare', configMaps, configMap('x', { data: { c: '3' } })),
      post('all', configMaps, configMap('x', { data: { a: '1', b: '2', c: '3' } })),
      post('none', configMaps, configMap('x'), { only: ['status'], because: 'it is taken' }),
      mergePatch('update', `${configMaps}/x`, { data: { b: 'later' } }),
    ],
    claims: [
      claim('Forbidden', 'message.status', { is: 403 }),
      claim('Invalid unless said otherwise', 'expression.status', { is: 422 }),
      claim('taken', 'none.status', { is: 201 }),
    ],
  },
  {
    id: 'a7-actions',
    section: 'admission-identity',
    shows: ['API-A7'],
    title: 'Warn warns, Audit says nothing to the client',
    steps: [
      policy('w', validations({ expression: '!has(object.data)', message: 'data' })),
      binding('w', { validationActions: ['Warn', 'Audit'] }),
      post('warned', `${configMaps}?dryRun=All`, configMap('x', { data: { a: '1' } }), {
        until: { at: 'warned.headers.warning', matches: 'data' },
      }),
    ],
    claims: [claim('taken', 'warned.status', { is: 201 })],
  },
  {
    id: 'a7-variables',
    section: 'admission-identity',
    shows: ['API-A7'],
    title: 'variables name parts of expressions, and conditions say whom a policy is about',
    steps: [
      policy('p', {
        variables: [
          { name: 'size', expression: 'has(object.data) ? object.data.size() : 0' },
          { name: 'large', expression: 'variables.size > 1' },
        ],
        matchConditions: [{ name: 'not-spared', expression: "!object.metadata.name.startsWith('spared')" }],
        ...validations(
          { expression: '!variables.large', messageExpression: "'too large: ' + string(variables.size)" },
          { expression: 'namespaceObject.metadata.name == request.namespace' },
          { expression: "request.operation in ['CREATE', 'UPDATE'] && request.userInfo.username != 'bob'" },
        ),
      }),
      binding('p', {}),
      post('large', `${configMaps}?dryRun=All`, configMap('x', { data: { a: '1', b: '2' } }), {
        until: refusedAt('large'),
      }),
      post('small', configMaps, configMap('x', { data: { a: '1' } }), { only: ['status'], because: 'it is taken' }),
      post('spared', configMaps, configMap('spared', { data: { a: '1', b: '2' } }), {
        only: ['status'],
        because: 'it is taken',
      }),
    ],
    claims: [
      claim('the message', 'large.body.message', { contains: 'too large: 2' }),
      claim('taken', 'small.status', { is: 201 }),
      claim('spared', 'spared.status', { is: 201 }),
    ],
  },
  {
    id: 'a7-params',
    section: 'admission-identity',
    shows: ['API-A7'],
    title: 'parameters by name and by selector; what is not found is denied or allowed',
    steps: [
      post(
        'limits',
        configMaps,
        configMap('limits', { data: { most: '1' }, metadata: { labels: { limits: 'yes' } } }),
        {
          setup: true,
        },
      ),
      ...limited('named', { name: 'limits', parameterNotFoundAction: 'Deny' }),
      ...limited('selected', { selector: { matchLabels: { limits: 'yes' } }, parameterNotFoundAction: 'Deny' }),
      ...limited('let', { name: 'none', parameterNotFoundAction: 'Allow' }),
      post('named', `${configMaps}?dryRun=All`, two('named'), { until: refusedAt('named') }),
      post('selected', `${configMaps}?dryRun=All`, two('selected'), { until: refusedAt('selected') }),
      post('let', `${configMaps}?dryRun=All`, two('let'), {
        until: { at: 'let.status', is: 201 },
        only: ['status'],
        because: 'it is taken',
      }),
      ...limited('lost', { name: 'none', parameterNotFoundAction: 'Deny' }),
      post('lost', `${configMaps}?dryRun=All`, two('other'), {
        until: { at: 'lost.body.message', matches: 'no params' },
      }),
    ],
    claims: [
      claim('by name', 'named.body.message', { contains: 'more than 1' }),
      claim('by selector', 'selected.body.message', { contains: 'more than 1' }),
      claim('not found, and allowed', 'let.status', { is: 201 }),
      claim('not found', 'lost.body.message', { contains: 'no params found' }),
    ],
  },
  {
    id: 'a7-failures',
    section: 'admission-identity',
    shows: ['API-A7'],
    title: 'an expression that fails refuses, or is passed over',
    steps: [
      policy('fail', {
        matchConditions: [{ name: 'm', expression: "object.metadata.name == 'fail'" }],
        ...validations({ expression: "object.data.none == 'x'" }),
      }),
      binding('fail', {}),
      policy('ignore', {
        failurePolicy: 'Ignore',
        matchConditions: [{ name: 'm', expression: "object.metadata.name == 'ignore'" }],
        ...validations({ expression: "object.data.none == 'x'" }),
      }),
      binding('ignore', {}),
      policy('condition', {
        matchConditions: [{ name: 'm', expression: "object.metadata.name == 'condition' && object.data.none == 'x'" }],
        ...validations({ expression: 'true' }),
      }),
      binding('condition', {}),
      post('fail', `${configMaps}?dryRun=All`, configMap('fail', { data: { a: '1' } }), { until: refusedAt('fail') }),
      post('ignore', `${configMaps}?dryRun=All`, configMap('ignore', { data: { a: '1' } }), {
        only: ['status'],
        because: 'it is taken',
      }),
      post('condition', `${configMaps}?dryRun=All`, configMap('condition', { data: { a: '1' } }), {
        until: refusedAt('condition'),
      }),
    ],
    claims: [claim('refused', 'fail.status', { is: 422 }), claim('passed over', 'ignore.status', { is: 201 })],
  },
  {
    id: 'a7-cost',
    section: 'admission-identity',
    shows: ['API-A7'],
    title: 'an expression that costs too much is stopped',
    steps: [
      policy(
        'p',
        validations({
          expression:
            "object.data.all(a, object.data.all(b, object.data.all(c, object.data.all(d, object.data.all(e, object.data[a] + object.data[b] + object.data[c] + object.data[d] + object.data[e] != 'x')))))",
        }),
      ),
      binding('p', {}),
      post(
        'costly',
        `${configMaps}?dryRun=All`,
        configMap('x', {
          data: Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`k${index}`, 'v'.repeat(50)])),
        }),
        { until: refusedAt('costly') },
      ),
    ],
    claims: [claim('refused', 'costly.status', { is: 422 })],
  },
  {
    id: 'a7-mutating',
    section: 'admission-identity',
    shows: ['API-A7'],
    title: 'a mutating policy applies a configuration or a JSON patch',
    steps: [
      policy(
        'apply',
        {
          reinvocationPolicy: 'Never',
          mutations: [
            {
              patchType: 'ApplyConfiguration',
              applyConfiguration: {
                expression: "Object{metadata: Object.metadata{labels: {'applied': 'yes'}}, data: {'by': 'policy'}}",
              },
            },
          ],
        },
        mutatingKinds,
      ),
      binding('apply', {}, mutatingBinding),
      policy(
        'patch',
        {
          reinvocationPolicy: 'Never',
          mutations: [
            {
              patchType: 'JSONPatch',
              jsonPatch: {
                expression:
                  "has(object.data) ? [JSONPatch{op: 'add', path: '/data/' + jsonpatch.escapeKey('a/b'), value: 'x'}].filter(p, false) + [JSONPatch{op: 'add', path: '/data/patched', value: object.metadata.name}] : [JSONPatch{op: 'add', path: '/data', value: {'patched': 'new'}}]",
              },
            },
          ],
        },
        mutatingKinds,
      ),
      binding('patch', {}, mutatingBinding),
      // With data from the start: which policy comes first changes from one server to the next.
      post('create', `${configMaps}?dryRun=All`, configMap('x', { data: { a: '1' } }), {
        until: { at: 'create.body.data', contains: { by: 'policy', patched: 'x' } },
      }),
    ],
    claims: [claim('applied', 'create.body.metadata.labels.applied', { is: 'yes' })],
  },
  {
    id: 'a7-mutating-failures',
    section: 'admission-identity',
    shows: ['API-A7'],
    title: 'a mutating policy that fails refuses, or is passed over',
    steps: [
      policy(
        'fail',
        {
          reinvocationPolicy: 'Never',
          matchConditions: [{ name: 'm', expression: "object.metadata.name == 'fail'" }],
          mutations: [
            { patchType: 'JSONPatch', jsonPatch: { expression: "[JSONPatch{op: 'remove', path: '/data/none'}]" } },
          ],
        },
        mutatingKinds,
      ),
      binding('fail', {}, mutatingBinding),
      policy(
        'ignore',
        {
          reinvocationPolicy: 'Never',
          failurePolicy: 'Ignore',
          matchConditions: [{ name: 'm', expression: "object.metadata.name == 'ignore'" }],
          mutations: [
            {
              patchType: 'JSONPatch',
              jsonPatch: { expression: "[JSONPatch{op: 'add', path: '/data/x', value: object.data.none}]" },
            },
          ],
        },
        mutatingKinds,
      ),
      binding('ignore', {}, mutatingBinding),
      policy(
        'error',
        {
          reinvocationPolicy: 'Never',
          matchConditions: [{ name: 'm', expression: "object.metadata.name == 'error'" }],
          mutations: [
            {
              patchType: 'JSONPatch',
              jsonPatch: { expression: "[JSONPatch{op: 'add', path: '/data/x', value: object.data.none}]" },
            },
          ],
        },
        mutatingKinds,
      ),
      binding('error', {}, mutatingBinding),
      post('fail', `${configMaps}?dryRun=All`, configMap('fail', { data: { a: 'b' } }), {
        until: { at: 'fail.body.status', is: 'Failure' },
      }),
      post('ignore', `${configMaps}?dryRun=All`, configMap('ignore', { data: { a: 'b' } }), {
        only: ['status'],
        because: 'it is taken',
      }),
      post('error', `${configMaps}?dryRun=All`, configMap('error', { data: { a: 'b' } }), {
        until: { at: 'error.body.status', is: 'Failure' },
      }),
      remove('gone', `${configMaps}/none`, { only: ['status'], because: 'nothing more to do' }),
    ],
    claims: [claim('passed over', 'ignore.status', { is: 201 })],
  },
];
