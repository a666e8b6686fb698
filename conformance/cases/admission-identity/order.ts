import type { Case, Json } from '../../src/case.ts';
import { claim, configMap, configMaps, get, mergePatch, post, put, remove } from '../../src/steps.ts';
import { deployment, deployments } from '../create-update/manifests.ts';
import { admission, allow, deny, mutating, patching, probe, validating, webhook } from './manifests.ts';

const mark = (key: string): Json[] => [{ op: 'add', path: `/data/${key}`, value: 'seen' }];
const withData = configMap('x', { data: { start: 'here' } });
const logOf = (hook: string): Case['steps'][number] => ({
  do: 'hook-log',
  name: `asked-${hook}`,
  hook,
  only: ['requests.-1.body.request.object.data'],
  because: 'how often was asked before all webhooks were at work is chance',
});

/** A Deployment with a request that the server warns of. */
const fractional = (name: string, metadata: { [key: string]: Json } = {}): Json =>
  deployment(name, {
    metadata,
    spec: {
      replicas: 0,
      selector: { matchLabels: { app: 'x' } },
      template: {
        metadata: { labels: { app: 'x' } },
        spec: { containers: [{ name: 'c', image: 'c', resources: { requests: { memory: '100m' } } }] },
      },
    },
  });

export const order: readonly Case[] = [
  {
    id: 'a1-mutating-order',
    section: 'admission-identity',
    shows: ['API-A1'],
    title: 'mutating webhooks run one after the other: configurations by name, webhooks in their order',
    hooks: { first: patching(mark('first')), second: patching(mark('second')), third: patching(mark('third')) },
    steps: [
      mutating('b', [webhook('second'), webhook('third')]),
      mutating('a', [webhook('first')]),
      post('probe', `${configMaps}?dryRun=All`, withData, {
        until: { at: 'probe.body.data', contains: { first: 'seen', second: 'seen', third: 'seen' } },
        mask: ['body', 'headers'],
        because: 'only waits until the webhooks are at work',
      }),
      post('create', configMaps, withData),
      logOf('first'),
      logOf('second'),
      logOf('third'),
    ],
    claims: [
      claim('all have their say', 'create.body.data', {
        is: { first: 'seen', second: 'seen', start: 'here', third: 'seen' },
      }),
      claim('the configuration first by name is first', 'asked-first.requests.-1.body.request.object.data', {
        is: { start: 'here' },
      }),
      claim('then the next configuration', 'asked-second.requests.-1.body.request.object.data', {
        is: { first: 'seen', start: 'here' },
      }),
      claim('its webhooks in their order', 'asked-third.requests.-1.body.request.object.data', {
        is: { first: 'seen', second: 'seen', start: 'here' },
      }),
    ],
  },
  {
    id: 'a1-validation-between',
    section: 'admission-identity',
    shows: ['API-A1'],
    title: 'mutating webhooks come before validation, validating ones after it',
    hooks: {
      mends: patching([{ op: 'replace', path: '/metadata/labels/bad', value: 'good' }]),
      refuses: deny(),
    },
    steps: [
      mutating('m', [webhook('mends', { objectSelector: { matchExpressions: [{ key: 'bad', operator: 'Exists' }] } })]),
      post('mended', `${configMaps}?dryRun=All`, configMap('x', { metadata: { labels: { bad: 'not valid!' } } }), {
        until: { at: 'mended.status', is: 201 },
      }),
      validating('v', [webhook('refuses')]),
      probe('refused', { at: 'refused.status', is: 403 }),
      post('invalid', configMaps, configMap('y', { metadata: { labels: { other: 'not valid!' } } })),
    ],
    claims: [
      claim('what a mutating webhook mends is valid', 'mended.body.metadata.labels.bad', { is: 'good' }),
      claim('a validating webhook refuses', 'refused.status', { is: 403 }),
      claim('what is invalid never comes to it', 'invalid.status', { is: 422 }),
    ],
  },
  {
    id: 'a1-warnings-of-the-refused',
    section: 'admission-identity',
    shows: ['API-A1', 'API-T6'],
    title: 'a valid object brings its warnings, even if its name is taken or a validating webhook refuses it',
    hooks: { refuses: deny() },
    steps: [
      validating('v', [
        webhook('refuses', {
          rules: [
            { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] },
            { apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'], operations: ['*'] },
          ],
          matchConditions: [{ name: 'not-taken', expression: "object.metadata.name != 'taken'" }],
        }),
      ]),
      probe('ready', { at: 'ready.status', is: 403 }),
      post('taken', deployments, fractional('taken')),
      post('again', deployments, fractional('taken')),
      put('stale', `${deployments}/taken`, fractional('taken', { resourceVersion: '1', labels: { a: '2' } })),
      post('refused', deployments, fractional('refused')),
      post('dry', `${deployments}?dryRun=All`, fractional('refused')),
      post('invalid', deployments, fractional('Not valid')),
    ],
    claims: [
      claim('of a name that is taken', 'again.headers.warning', { matches: 'fractional byte value' }),
      claim('of what a webhook refuses', 'refused.headers.warning', { matches: 'fractional byte value' }),
    ],
  },
  {
    id: 'a1-policies-before-webhooks',
    section: 'admission-identity',
    shows: ['API-A1'],
    title: 'validating policies speak before validating webhooks, quotas after them',
    hooks: { refuses: deny() },
    steps: [
      post(
        'policy',
        `${admission}/validatingadmissionpolicies`,
        {
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: 'ValidatingAdmissionPolicy',
          metadata: { name: '{{id}}-p' },
          spec: {
            matchConstraints: {
              resourceRules: [
                { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] },
              ],
            },
            validations: [{ expression: '!has(object.data)', message: 'no data' }],
          },
        },
        { setup: true },
      ),
      post(
        'binding',
        `${admission}/validatingadmissionpolicybindings`,
        {
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: 'ValidatingAdmissionPolicyBinding',
          metadata: { name: '{{id}}-b' },
          spec: {
            policyName: '{{id}}-p',
            validationActions: ['Deny'],
            matchResources: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': '{{ns}}' } } },
          },
        },
        { setup: true },
      ),
      post('quota', '/api/v1/namespaces/{{ns}}/resourcequotas', {
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata: { name: 'none' },
        spec: { hard: { 'count/configmaps': '0' } },
      }),
      put('counted', '/api/v1/namespaces/{{ns}}/resourcequotas/none/status', {
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata: { name: 'none' },
        spec: { hard: { 'count/configmaps': '0' } },
        status: { hard: { 'count/configmaps': '0' }, used: { 'count/configmaps': '0' } },
      }),
      post('by-quota', `${configMaps}?dryRun=All`, configMap('x'), {
        until: { at: 'by-quota.body.message', matches: 'exceeded quota' },
      }),
      validating('v', [webhook('refuses')]),
      post('by-webhook', `${configMaps}?dryRun=All`, configMap('x'), {
        until: { at: 'by-webhook.body.message', matches: 'denied the request' },
      }),
      post('by-policy', `${configMaps}?dryRun=All`, configMap('x', { data: { a: 'b' } }), {
        until: { at: 'by-policy.body.message', matches: 'ValidatingAdmissionPolicy' },
      }),
    ],
    claims: [
      claim('a quota refuses what nobody else refused', 'by-quota.body.message', { matches: 'exceeded quota: none' }),
      claim('a webhook speaks before the quota', 'by-webhook.body.message', { contains: 'no way' }),
      claim('a policy speaks before both', 'by-policy.body.message', { contains: 'no data' }),
    ],
  },
  {
    id: 'a1-validating-parallel',
    section: 'admission-identity',
    shows: ['API-A1'],
    title: 'all validating webhooks are asked, also where one has refused',
    hooks: { one: deny({ code: 403, message: 'one says no' }), two: allow() },
    steps: [
      validating('v', [webhook('one'), webhook('two')]),
      probe('refused', { at: 'refused.status', is: 403 }),
      post('create', configMaps, configMap('x')),
      {
        do: 'hook-log',
        name: 'asked-two',
        hook: 'two',
        count: 2,
        only: ['requests.-1.body.request.name'],
        because: 'the rest is the topic of other cases',
      },
    ],
    claims: [
      claim('one refuses', 'create.body.message', { contains: 'one says no' }),
      claim('the other was asked all the same', 'asked-two.requests.-1.body.request.name', { is: 'x' }),
    ],
  },
  {
    id: 'a1-operations',
    section: 'admission-identity',
    shows: ['API-A1'],
    title: 'webhooks are asked on create, update, delete and connect',
    hooks: { sees: allow({ warnings: ['seen'] }) },
    steps: [
      validating('v', [
        webhook('sees', {
          rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps', 'pods/exec'], operations: ['*'] }],
        }),
      ]),
      post('probe', `${configMaps}?dryRun=All`, configMap('probe'), {
        until: { at: 'probe.headers.warning', matches: 'seen' },
        mask: ['body'],
        because: 'only waits until the webhook is at work',
      }),
      post('create', configMaps, configMap('x')),
      mergePatch('update', `${configMaps}/x`, { data: { a: 'b' } }),
      remove('delete', `${configMaps}/x`),
      get('connect', '/api/v1/namespaces/{{ns}}/pods/none/exec?command=true&container=c', {
        mask: ['body', 'status', 'headers'],
        because: 'there is no pod: only that the webhook was asked counts',
      }),
      {
        do: 'hook-log',
        name: 'asked',
        hook: 'sees',
        count: 5,
        mask: ['requests.*.body.request.userInfo.uid'],
        because: 'how users of a token table are numbered is the table’s',
      },
    ],
    claims: [
      claim('create', 'asked.requests.1.body.request.operation', { is: 'CREATE' }),
      claim('update', 'asked.requests.2.body.request.operation', { is: 'UPDATE' }),
      claim('delete', 'asked.requests.3.body.request.operation', { is: 'DELETE' }),
      claim('connect', 'asked.requests.4.body.request.operation', { is: 'CONNECT' }),
    ],
  },
  {
    id: 'a1-connect',
    section: 'admission-identity',
    shows: ['API-A1'],
    title: 'connections have options of their own, and are refused before anybody looks for the pod',
    hooks: { no: deny() },
    steps: [
      validating('v', [
        webhook('no', {
          rules: [
            { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] },
            { apiGroups: [''], apiVersions: ['v1'], resources: ['*/*'], operations: ['CONNECT'] },
          ],
        }),
      ]),
      probe('probe', { at: 'probe.status', is: 403 }),
      ...[
        ['exec', 'pods/none/exec?command=ls&command=-l&stdin=true&tty=false&stdout=1'],
        ['attach', 'pods/none/attach?container=c&stderr=true'],
        ['forward', 'pods/none/portforward?ports=8080,9090'],
        ['pod', 'pods/none:80/proxy/metrics/cadvisor?a=b'],
        ['service', 'services/none/proxy'],
      ].map(([name = '', path]) => get(name, `/api/v1/namespaces/{{ns}}/${path}`)),
      get('log', '/api/v1/namespaces/{{ns}}/pods/none/log', {
        only: ['status', 'body.message'],
        because: 'reading a log is not a connection',
      }),
      {
        do: 'hook-log',
        name: 'asked',
        hook: 'no',
        count: 6,
        mask: ['requests.*.body.request.userInfo.uid', 'requests.*.body.request.userInfo', 'requests.0'],
        because: 'how users of a token table are numbered is the table’s; the first waits until the webhook is at work',
      },
    ],
    claims: [
      claim('refused', 'exec.status', { is: 403 }),
      claim('the options are the object', 'asked.requests.1.body.request.object.command', { is: ['ls', '-l'] }),
      claim('a log is not asked about', 'log.status', { is: 404 }),
    ],
  },
];
