// What the status of a policy says about its expressions: a controller holds them against the kinds the policy is about.
import type { Case, Json, Step } from '../../src/case.ts';
import { claim, define, get, mergePatch, post, things } from '../../src/steps.ts';
import { admission } from './manifests.ts';

type Fields = { readonly [key: string]: Json };
const policies = `${admission}/validatingadmissionpolicies`;

const rule = (group: string, resources: readonly string[], version = 'v1'): Fields => ({
  apiGroups: [group],
  apiVersions: [version],
  resources,
  operations: ['CREATE', 'UPDATE'],
});

const policy = (name: string, resourceRules: readonly Fields[], spec: Fields): Step =>
  post(
    name,
    policies,
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: `{{id}}-${name}` },
      spec: { matchConstraints: { resourceRules }, ...spec },
    },
    { setup: true },
  );

const checked = (step: string, name: string, generation = 1): Step =>
  get(step, `${policies}/{{id}}-${name}`, { until: { at: `${step}.body.status.observedGeneration`, is: generation } });

const validations = (...expressions: readonly string[]): Fields => ({
  validations: expressions.map((expression) => ({ expression })),
});

export const typeChecking: readonly Case[] = [
  {
    id: 'a7-type-checking',
    section: 'admission-identity',
    shows: ['API-A7'],
    title: 'the status names fields and types that do not fit the kinds of the rules',
    world: 'controllers',
    steps: [
      policy(
        'wrong',
        [rule('apps', ['deployments', 'replicasets']), rule('', ['configmaps'])],
        validations(
          'object.spec.replicas > 1',
          "object.spec.replicas > '1'",
          'object.spec.nothing == 1',
          "object.metadata.labels.all(k, k != '') && has(object.metadata.namespace)",
        ),
      ),
      checked('wrong-status', 'wrong'),
      policy('right', [rule('apps', ['deployments'])], {
        variables: [{ name: 'count', expression: 'object.spec.replicas' }],
        validations: [{ expression: 'variables.count > 1', messageExpression: "'has ' + string(variables.count)" }],
      }),
      checked('right-status', 'right'),
      policy(
        'wide',
        [rule('*', ['deployments']), rule('apps', ['*', 'deployments/status'])],
        validations('object.x == 1'),
      ),
      checked('wide-status', 'wide'),
      policy('pods', [rule('', ['pods'])], {
        variables: [{ name: 'first', expression: 'object.spec.containers[0]' }],
        validations: [
          {
            expression: "variables.first.resources.limits['cpu'] == '1' && variables.first.imag == ''",
            messageExpression: "'is ' + object.metadata.nam",
          },
          { expression: 'object.spec.containers.all(c, c.ports.all(p, p.containerPort > 1024))' },
          { expression: 'object.metadata.creationTimestamp > object.spec.terminationGracePeriodSeconds' },
        ],
      }),
      checked('pods-status', 'pods'),
      mergePatch('later', `${policies}/{{id}}-right`, { spec: validations('object.spec.x == 1') }, { setup: true }),
      checked('later-status', 'right', 2),
    ],
    claims: [
      claim('nothing is wrong', ['right-status', 'body', 'status', 'typeChecking', 'expressionWarnings'], {
        present: false,
      }),
      claim('a wildcard is not looked at', ['wide-status', 'body', 'status', 'typeChecking', 'expressionWarnings'], {
        present: false,
      }),
    ],
  },
  {
    id: 'a7-type-checking-custom',
    section: 'admission-identity',
    shows: ['API-A7'],
    title: 'custom resources and parameters have types as well',
    world: 'controllers',
    steps: [
      ...define(
        'crd',
        things({
          type: 'object',
          properties: { n: { type: 'integer' }, list: { type: 'array', items: { type: 'string' } } },
        }),
      ),
      // A policy is checked once: where the kind is not known yet, nothing is said about it, and nothing ever will be.
      { do: 'pause', ms: 32_000, because: 'the controller looks for new kinds every 30 s', on: 'real' },
      policy('custom', [rule('{{group}}', ['things'])], {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        ...validations('object.spec.m > 1', 'object.spec.list.all(x, x > 1)', 'params.data.size() > params.nothing'),
      }),
      checked('custom-status', 'custom'),
    ],
    claims: [
      claim('each expression', ['custom-status', 'body', 'status', 'typeChecking', 'expressionWarnings'], {
        length: 3,
      }),
    ],
  },
];
