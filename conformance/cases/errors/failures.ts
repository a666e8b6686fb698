// 429 and the 5xx, and what a success looks like.
import type { Case } from '../../src/case.ts';
import {
  apply,
  claim,
  configMap,
  configMaps,
  define,
  get,
  mergePatch,
  post,
  remove,
  thing,
  things,
  thingsPath,
} from '../../src/steps.ts';

const section = 'errors';
const core = '/api/v1/namespaces/{{ns}}';
const budgets = '/apis/policy/v1/namespaces/{{ns}}/poddisruptionbudgets';
const cannotEvict = "Cannot evict pod as it would violate the pod's disruption budget.";
const admission = 'admissionregistration.k8s.io/v1';

export const failures: readonly Case[] = [
  {
    id: 'e10-eviction',
    section,
    shows: ['API-E10', 'API-R2'],
    title: 'an eviction that a budget forbids is 429 with a cause and no Retry-After',
    steps: [
      post(
        'pod',
        `${core}/pods`,
        {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'p', labels: { app: 'a' } },
          spec: { containers: [{ name: 'c', image: 'example.com/c:1' }] },
        },
        { setup: true },
      ),
      mergePatch(
        'ready',
        `${core}/pods/p/status`,
        { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } },
        { setup: true },
      ),
      post(
        'budget',
        budgets,
        {
          apiVersion: 'policy/v1',
          kind: 'PodDisruptionBudget',
          metadata: { name: 'b' },
          spec: { minAvailable: 1, selector: { matchLabels: { app: 'a' } } },
        },
        { setup: true },
      ),
      // As the disruption controller would, which does not run beside the API.
      mergePatch(
        'counted',
        `${budgets}/b/status`,
        {
          status: {
            observedGeneration: 1,
            disruptionsAllowed: 0,
            currentHealthy: 1,
            desiredHealthy: 1,
            expectedPods: 1,
          },
        },
        { setup: true },
      ),
      post('evict', `${core}/pods/p/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } }),
      get('after', `${core}/pods/p`, { setup: true }),
    ],
    claims: [
      claim('429', 'evict.status', { is: 429 }),
      claim('HTTP code = code', 'evict.body.code', { is: 429 }),
      claim('TooManyRequests', 'evict.body.reason', { is: 'TooManyRequests' }),
      claim('the message', 'evict.body.message', { is: cannotEvict }),
      claim('the cause', 'evict.body.details.causes.0.reason', { is: 'DisruptionBudget' }),
      claim('no Retry-After', 'evict.headers.retry-after', { present: false }),
      claim('the pod stays', 'after.status', { is: 200 }),
    ],
  },
  {
    id: 'e11-webhook-fails',
    section,
    shows: ['API-E11', 'API-A3'],
    title: 'a webhook that cannot be called is 500 InternalError',
    hooks: { broken: { status: 500, respond: { text: 'out of order' } } },
    steps: [
      post(
        'webhook',
        `/apis/${admission}/validatingwebhookconfigurations`,
        {
          apiVersion: admission,
          kind: 'ValidatingWebhookConfiguration',
          metadata: { name: '{{id}}' },
          webhooks: [
            {
              name: 'broken.example.com',
              clientConfig: { url: '{{hooks}}/broken', caBundle: '{{hooksCA}}' },
              sideEffects: 'None',
              admissionReviewVersions: ['v1'],
              namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': '{{ns}}' } },
              rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] }],
            },
          ],
        },
        { setup: true },
      ),
      post('create', `${configMaps}?dryRun=All`, configMap('x'), { until: { at: 'create.status', is: 500 } }),
    ],
    claims: [
      claim('500', 'create.status', { is: 500 }),
      claim('HTTP code = code', 'create.body.code', { is: 500 }),
      claim('InternalError', 'create.body.reason', { is: 'InternalError' }),
      claim('the message', 'create.body.message', {
        matches: '^Internal error occurred: failed calling webhook "broken\\.example\\.com": failed to call webhook: ',
      }),
    ],
  },
  {
    id: 'e11-apply-typing',
    section,
    shows: ['API-E11', 'API-S6'],
    title: 'a typing error of an apply is 500 without reason',
    steps: [
      ...define(
        'crd',
        things({
          type: 'object',
          properties: {
            n: { type: 'integer' },
            tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
          },
        }),
      ),
      apply('undeclared', `${thingsPath}/s?fieldManager=m`, thing('s', { spec: { nope: 1 } })),
      apply('wrong-type', `${thingsPath}/s?fieldManager=m`, thing('s', { spec: { n: 'one' } })),
      apply('duplicate', `${thingsPath}/s?fieldManager=m`, thing('s', { spec: { tags: ['a', 'a'] } })),
      apply('built-in', `${configMaps}/s?fieldManager=m`, configMap('s', { nope: 1 })),
    ],
    claims: [
      ...['undeclared', 'wrong-type', 'duplicate', 'built-in'].flatMap((step) => [
        claim(`500: ${step}`, `${step}.status`, { is: 500 }),
        claim(`HTTP code = code: ${step}`, `${step}.body.code`, { is: 500 }),
        claim(`no reason: ${step}`, `${step}.body.reason`, { present: false }),
      ]),
      claim('the message', 'undeclared.body.message', {
        matches:
          '^failed to create typed patch object \\(.*/s; .*\\.example\\.com/v1, Kind=Thing\\): \\.spec\\.nope: field not declared in schema$',
      }),
    ],
  },
  {
    id: 'e13-too-large-version',
    section,
    shows: ['API-E13', 'API-L7', 'API-L8'],
    title: 'a list or get of a version to come is 504 after 3 s, to be tried again after one more',
    steps: [
      post('create', configMaps, configMap('x'), { setup: true }),
      {
        do: 'together',
        name: 'late',
        requests: [
          get('list', `${configMaps}?resourceVersion=99999999`, { headers: ['retry-after'] }),
          get('not-older', `${configMaps}?resourceVersion=99999999&resourceVersionMatch=NotOlderThan`, {
            headers: ['retry-after'],
          }),
          get('get', `${configMaps}/x?resourceVersion=99999999`, { headers: ['retry-after'] }),
        ],
      },
    ],
    claims: [0, 1, 2].flatMap((index) => {
      const at = (place: string): string => `late.answers.${index}.${place}`;
      return [
        claim('504', at('status'), { is: 504 }),
        claim('HTTP code = code', at('body.code'), { is: 504 }),
        claim('Timeout', at('body.reason'), { is: 'Timeout' }),
        claim('the message', at('body.message'), {
          matches: '^Timeout: Too large resource version: 99999999, current: \\d+$',
        }),
        claim('the cause', at('body.details.causes.0.reason'), { is: 'ResourceVersionTooLarge' }),
        claim('retryAfterSeconds', at('body.details.retryAfterSeconds'), { is: 1 }),
        claim('the header', at('headers.retry-after'), { is: '1' }),
        claim('after 3 s', at('headers.date'), { secondsAfter: { time: 'create.headers.date', seconds: 3 } }),
      ];
    }),
  },
  {
    id: 'e14-success',
    section,
    shows: ['API-E14', 'API-X1'],
    title: 'a delete is a Status too: Success, with what was deleted',
    steps: [
      ...define('crd', things({ type: 'object' })),
      post('map', configMaps, configMap('x')),
      remove('built-in', `${configMaps}/x`),
      post('lease', '/apis/coordination.k8s.io/v1/namespaces/{{ns}}/leases', {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: 'l' },
      }),
      remove('grouped', '/apis/coordination.k8s.io/v1/namespaces/{{ns}}/leases/l'),
      post('thing', thingsPath, thing('x')),
      remove('custom', `${thingsPath}/x`),
    ],
    claims: [
      ...['built-in', 'grouped', 'custom'].flatMap((step) => [
        claim(`200: ${step}`, `${step}.status`, { is: 200 }),
        claim(`Success: ${step}`, `${step}.body.status`, { is: 'Success' }),
        claim(`no code: ${step}`, `${step}.body.code`, { present: false }),
      ]),
      claim('name', 'built-in.body.details.name', { is: 'x' }),
      claim('kind = resource', 'built-in.body.details.kind', { is: 'configmaps' }),
      claim('no group of the core', 'built-in.body.details.group', { present: false }),
      claim('uid', 'built-in.body.details.uid', { sameAs: 'map.body.metadata.uid' }),
      claim('group', 'grouped.body.details.group', { is: 'coordination.k8s.io' }),
      claim('kind = resource with a group', 'grouped.body.details.kind', { is: 'leases' }),
      claim('uid with a group', 'grouped.body.details.uid', { sameAs: 'lease.body.metadata.uid' }),
      claim('kind = resource of a CR', 'custom.body.details.kind', { is: 'things' }),
      claim('uid of a CR', 'custom.body.details.uid', { sameAs: 'thing.body.metadata.uid' }),
    ],
  },
];
