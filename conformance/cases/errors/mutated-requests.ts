// What mutated requests have shown: each of these was answered differently once.
import type { Case, Json, Step } from '../../src/case.ts';
import {
  apply,
  claim,
  configMap,
  configMaps,
  get,
  jsonPatch,
  mergePatch,
  post,
  remove,
  strategicPatch,
} from '../../src/steps.ts';

const yaml = { send: { 'content-type': 'application/yaml' } };
const tried = `${configMaps}?dryRun=All`;
const head = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n';

/** Whether it is read, and what as. */
const texts: readonly (readonly [step: string, text: string, taken?: true])[] = [
  ['backquote', `${head}\` a: b\n`],
  ['at', `${head}@a: b\n`],
  ['percent', `${head}data: {a: %b}\n`],
  ['tab-in-block', `${head}data:\n  k: |\n    \tv\n`],
  ['tab-in-plain', `${head}data:\n  k: a\n\tb\n`],
  ['tab-behind', `${head}data:\t{a: b}\n`, true],
  ['two-values', `${head}  labels: &l a:\n`],
  ['value-first', ': a b'],
  ['no-key', 'kind: ConfigMap\n|\nmetadata: {name: y}\n'],
  ['less-indent', `${head}data:\n  k: |\n    n\n : >-\n    f\n`],
  ['flow-ends', 'kind: ConfigMap\nmetadata: {name: a"q"\n  ? n\n  :y}\n'],
  ['flow-key', '{"kind":"ConfigMap",:["a"]}'],
  ['flow-entry', '{"kind":"ConfigMap"}-'],
  ['flow-text', '{"kind":"ConfigMap"} foo'],
  ['folded-quote', `${head}data:\n  m: "a\nb\n  c"\n`, true],
  ['escape-slash', String.raw`{"kind":"ConfigMap","metadata":{"name":"a\/b"}}`],
  ['escape-half', String.raw`{"kind":"ConfigMap","metadata":{"name":"\ud83d\ude00"}}`],
  ['escape-unknown', `${head}data: {a: "\\q"}\n`],
  ['long-key', `${head}data:\n  ${'a'.repeat(1100)}: b\n`],
  ['tag', `${head}data: {a: !!int b}\n`],
  ['tag-own', `${head}data: {a: !own 1}\n`, true],
  ['tag-handle', `${head}data: {a: !x!y 1}\n`],
  ['tag-number', `${head}data: {a: !!str 1}\n`, true],
  ['binary', `${head}data: {a: !!binary aGk=}\n`, true],
  ['binary-bad', `${head}data: {a: !!binary "*"}\n`],
  ['null-key', `${head}data:\n  ? \n  : a\n`],
  ['list-key', `${head}data:\n  ? [a]\n  : b\n`],
  ['merge-list', `${head}data: {<<: [{a: b}, {a: c}]}\n`, true],
  ['merge-text', `${head}data: {<<: a}\n`],
  ['itself', `${head}data: &a {b: *a}\n`],
  ['nan', `${head}data: {a: .nan}\n`],
  ['directive', `%YAML 1.1\n---\n${head}`, true],
  ['directive-new', `%YAML 1.2\n---\n${head}`],
  ['directive-unknown', `%FOO\n---\n${head}`],
  ['documents', `---\n${head}---\n}`, true],
  ['ends', `${head}...\nx`, true],
  ['control', `${head}data: {a: "\u0001"}\n`],
  ['mark', `\ufeff${head}`, true],
  ['numbers', `${head}data: {1: "a", 1.5: "b", true: "c", 0x10: "d"}\n`, true],
  ['twice', `${head}data: {a: "1", a: "2"}\n`, true],
  ['capitals', 'apiVersiOn: t1\nkind: ConfigMap\n'],
  ['nothing', ''],
];

const quota = (hard: string): { text: string } => ({
  text: `{"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"q"},"spec":{"hard":{"pods":${hard}}}}`,
});
const quotas = '/api/v1/namespaces/{{ns}}/resourcequotas?dryRun=All';
const service = (port: string): { text: string } => ({
  text: `{"apiVersion":"v1","kind":"Service","metadata":{"name":"s"},"spec":{"ports":[{"port":80,"targetPort":${port}}]}}`,
});
const services = '/api/v1/namespaces/{{ns}}/services?dryRun=All';
const configuration = (webhook: { readonly [key: string]: Json }): Json => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: '{{id}}' },
  webhooks: [
    {
      name: 'a.b.c',
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      clientConfig: { url: 'https://127.0.0.1:1/x' },
      ...webhook,
    },
  ],
});
const configurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations?dryRun=All';

const bodies: readonly Step[] = [
  post('null', tried, { text: 'null' }),
  post('null-yaml', tried, { text: 'null' }, yaml),
  post('capital-kind', tried, { text: '{"apiVersion":"v1","kinD":"Config","metadata":{"name":"x"}}' }),
  post('bytes', tried, configMap('x', { binaryData: { a: [null, 65] } })),
  post('sign', quotas, quota('"-"')),
  post('unit', quotas, quota('"Gi"')),
  post('two-signs', quotas, quota('"--1"')),
  post('largest', quotas, quota('9223372036854775807')),
  post('port', services, service('99999999999')),
  post('port-fraction', services, service('1.5')),
  post('failure-policy', configurations, configuration({ failurePolicy: '' })),
  post('match-policy', configurations, configuration({ matchPolicy: '' })),
  remove('options', `${configMaps}/none`, { body: { kinD: 'Options', apiVersion: 'v1' } }),
];

const token = (json: string): string => Buffer.from(json).toString('base64url');
const queries: readonly Step[] = [
  get('label-end', `${configMaps}?labelSelector=a%3D%3D%001`),
  get('label-gap', `${configMaps}?labelSelector=e+in%00(f,g)`),
  get('token-capitals', `${configMaps}?limit=1&continue=${token('{"V":"meta.k8s.io/v1","Rv":1,"starT":"a"}')}`, {
    only: ['status', 'body.reason'],
    because: 'the revision of the new token is of this moment',
  }),
  get('token-lines', `${configMaps}?limit=1&continue=%0d%0a${token('{"v":"meta.k8s.io/v1","rv":0,"start":"a"}')}`),
  get('hash', '/openapi/v3/api/v1?hash=', { only: ['status'], because: 'the document is compared elsewhere' }),
  get('lines', '/api/v1/namespaces/{{ns}}/pods/none/log?tailLines='),
  get('lines-many', `/api/v1/namespaces/{{ns}}/pods/none/log?limitBytes=${'9'.repeat(30)}`),
];

const deployments = '/apis/apps/v1/namespaces/{{ns}}/deployments';
const template: Json = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };

/** None of them is JSON. */
const broken: readonly (readonly [step: string, text: string])[] = [
  ['key', '{bad'],
  ['quotes', "{'a':1}"],
  ['comma', '{"a":1,}'],
  ['colon', '{"a" 1}'],
  ['list', '[1,]'],
  ['word', '{"a":tru}'],
  ['half-word', 'nul'],
  ['number', '{"a":01}'],
  ['half-number', '{"a":1.'],
  ['escape', String.raw`{"a":"\x"}`],
  ['half-escape', String.raw`{"a":"\u12`],
  ['control', '{"a":"\u0001"}'],
  ['behind', '{"a":1}}'],
  ['open', '{"a":'],
  ['nothing', ''],
];

const jobsOf = (timeZone: string): Json => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'x' },
  spec: {
    schedule: '@daily',
    timeZone,
    jobTemplate: {
      spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: ' i ' }] } } },
    },
  },
});
const cronJobs = '/apis/batch/v1/namespaces/{{ns}}/cronjobs?dryRun=All';
const zones: readonly (readonly [step: string, zone: string, taken?: true])[] = [
  ['zone', 'Europe/Berlin', true],
  ['other-name', 'US/Pacific', true],
  ['capital', 'Europe/BeRlin'],
  ['small', 'US/pacific'],
];

export const mutatedRequests: readonly Case[] = [
  {
    id: 'p1-broken-patches',
    section: 'errors',
    shows: ['API-P1', 'API-P2', 'API-P4'],
    title: 'patches that are not JSON are refused in the words of the decoder',
    steps: [
      post('made', configMaps, configMap('x'), { setup: true }),
      ...broken.flatMap(([step, text]) => [
        jsonPatch(`json-${step}`, `${configMaps}/x`, { text }),
        mergePatch(`merge-${step}`, `${configMaps}/x`, { text }),
        strategicPatch(`strategic-${step}`, `${configMaps}/x`, { text }),
      ]),
    ],
    claims: broken.map(([step]) => claim(step, `strategic-${step}.status`, { is: 400 })),
  },
  {
    id: 'c16-mutated-templates',
    section: 'errors',
    shows: ['API-C16'],
    title: 'blanks around images are taken in templates, and time zones by their capitals',
    steps: [
      ...zones.map(([step, zone]) => post(step, cronJobs, jobsOf(zone))),
      post('pod', '/api/v1/namespaces/{{ns}}/pods?dryRun=All', {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'x' },
        spec: { containers: [{ name: 'c', image: ' i' }], initContainers: [{ name: 'd', image: 'i ' }] },
      }),
    ],
    claims: [
      ...zones.map(([step, , taken]) => claim(step, `${step}.status`, { is: taken === true ? 201 : 422 })),
      claim('a pod', 'pod.status', { is: 422 }),
    ],
  },
  {
    id: 't2-odd-yaml',
    section: 'errors',
    shows: ['API-T2'],
    title: 'YAML is read as the reader of the server does, and refused in its words',
    steps: texts.map(([step, text]) => post(step, tried, { text }, yaml)),
    claims: texts
      .filter(([, , taken]) => taken === true)
      .map(([step]) => claim(`${step} is taken`, `${step}.status`, { is: 201 })),
  },
  {
    id: 's1-odd-yaml',
    section: 'errors',
    shows: ['API-S1'],
    title: 'an apply reads YAML alike, JSON among it',
    steps: [
      apply('slash', `${configMaps}/x?fieldManager=m`, {
        text: String.raw`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"\/"}}`,
      }),
      apply('tab', `${configMaps}/x?fieldManager=m`, { text: 'apiVersion: v1\n\tkind: ConfigMap\n' }),
      apply('tab-json', `${configMaps}/x?fieldManager=m&dryRun=All`, {
        text: '{\t"apiVersion": "v1",\n\t"kind": "ConfigMap", "metadata": {"name": "x"}}',
      }),
      apply('twice', `${configMaps}/x?fieldManager=m&fieldValidation=Strict`, {
        text: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"data":{"a":"b",\n"a":"c"}}',
      }),
    ],
    claims: [claim('tabs in JSON', 'tab-json.status', { is: 201 })],
  },
  {
    id: 'e1-mutated-bodies',
    section: 'errors',
    shows: ['API-E1'],
    title: 'bodies as Go takes them: null, capitals, bytes and amounts without digits',
    steps: bodies,
    claims: [claim('null is an object', 'null.status', { is: 422 }), claim('bytes', 'bytes.status', { is: 201 })],
  },
  {
    id: 'e1-mutated-queries',
    section: 'errors',
    shows: ['API-E1', 'API-L2', 'API-L5'],
    title: 'the end of a text within a selector, tokens in capitals, numbers that are none',
    steps: queries,
    claims: [claim('a text that ends', 'label-end.status', { is: 200 })],
  },
  {
    id: 'p4-unknown-lists',
    section: 'errors',
    shows: ['API-P4'],
    title: 'a directive for a list nobody knows is 500',
    steps: [
      post(
        'create',
        deployments,
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name: 'x' },
          spec: { selector: { matchLabels: { a: 'b' } }, template },
        },
        { setup: true },
      ),
      strategicPatch('order', `${deployments}/x`, {
        spec: { template: { spec: { '$setElementOrder/nopes': ['a'] } } },
      }),
      strategicPatch('order-in-map', `${deployments}/x`, {
        spec: { template: { metadata: { labels: { '$setElementOrder/a': ['a'] } } } },
      }),
    ],
    claims: [claim('500', 'order.status', { is: 500 })],
  },
];
