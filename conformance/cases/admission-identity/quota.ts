// ResourceQuota and LimitRange.
import type { Case, Json, RequestStep, Step } from '../../src/case.ts';
import { claim, configMap, configMaps, define, get, mergePatch, post, put, remove, things } from '../../src/steps.ts';

type Fields = { readonly [key: string]: Json };

const core = '/api/v1/namespaces/{{ns}}';
const [quotas, pods, ranges, claims, services] = [
  'resourcequotas',
  'pods',
  'limitranges',
  'persistentvolumeclaims',
  'services',
].map((plural) => `${core}/${plural}`) as [string, string, string, string, string];

const quotaOf = (name: string, hard: Fields, spec: Fields = {}): { readonly [key: string]: Json } => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name },
  spec: { hard, ...spec },
});

/** A quota with a status, which only a controller would give it. */
const quota = (name: string, hard: Fields, spec: Fields = {}): Step[] => {
  const object = quotaOf(name, hard, spec);
  const used = Object.fromEntries(Object.keys(hard).map((key) => [key, '0']));
  return [
    post(name, quotas, object, { setup: true }),
    put(`${name}-status`, `${quotas}/${name}/status`, { ...object, status: { hard, used } }, { setup: true }),
  ];
};

const pod = (name: string, resources: Json = {}, more: Fields = {}): Json => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'c', resources }], ...more },
});

const limitRange = (limits: readonly Json[]): Json => ({
  apiVersion: 'v1',
  kind: 'LimitRange',
  metadata: { name: 'l' },
  spec: { limits },
});

const refusal = {
  only: ['status', 'body.message', 'body.reason', 'body.details'],
  because: 'the refusal is the topic',
};
const taken = { only: ['status'], because: 'that it is taken is the topic' };
const usedOnly = { only: ['body.status'], because: 'what is used is the topic' };
const asked = {
  only: ['body.spec.containers.0.resources', 'body.spec.initContainers', 'body.metadata.annotations', 'status'],
  because: 'the rest of a Pod is the topic of others',
};

/** Asks, without storing anything, until the server has seen the quota or the range. */
const untilRefused = (name: string, path: string, object: Json): RequestStep =>
  post(name, `${path}?dryRun=All`, object, { ...refusal, until: { at: `${name}.status`, is: 403 } });

const claimOf = (name: string, storage: string, spec: Fields = {}): Json => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, ...spec },
});

const service = (name: string, ports: number, spec: Fields): Json => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: {
    ports: Array.from({ length: ports }, (_, index) => ({ name: `p${index}`, port: 80 + index })),
    ...spec,
  },
});

const shown = { section: 'admission-identity', shows: ['API-A8'] } as const;

const counting: readonly Case[] = [
  {
    ...shown,
    id: 'a8-quota-counts',
    title: 'a quota counts objects, says what is used, and refuses what would be too much',
    steps: [
      ...quota('q', { 'count/configmaps': '2', secrets: '0', 'count/secrets': '5' }),
      untilRefused('secret', `${core}/secrets`, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } }),
      post('dry', `${configMaps}?dryRun=All`, configMap('probe'), taken),
      post('first', configMaps, configMap('a'), taken),
      post('second', configMaps, configMap('b'), taken),
      post('third', configMaps, configMap('c')),
      post('again', configMaps, configMap('a'), refusal),
      get('used', `${quotas}/q`, { mask: ['body.metadata'], because: 'its status is the topic' }),
      mergePatch('update', `${configMaps}/a`, { data: { a: 'b' } }, taken),
      remove('gone', `${configMaps}/a`, taken),
      get('still-used', `${quotas}/q`, usedOnly),
    ],
    claims: [
      claim('refused', 'third.status', { is: 403 }),
      claim('what is used', ['used', 'body', 'status', 'used', 'count/configmaps'], { is: '2' }),
      claim('only a controller counts less', ['still-used', 'body', 'status', 'used', 'count/configmaps'], { is: '2' }),
    ],
  },
  {
    ...shown,
    id: 'a8-quota-custom',
    title: 'custom resources are counted by plural and group',
    steps: [
      ...define('crd', things({ type: 'object' })),
      ...quota('q', { 'count/things.{{group}}': '1', 'count/deployments.apps': '0' }),
      untilRefused('deployment', '/apis/apps/v1/namespaces/{{ns}}/deployments', {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'd' },
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'c' }] } },
        },
      }),
      ...['one', 'two'].map((name) =>
        post(
          name,
          '/apis/{{group}}/v1/namespaces/{{ns}}/things',
          { apiVersion: '{{group}}/v1', kind: 'Thing', metadata: { name } },
          refusal,
        ),
      ),
      get('used', `${quotas}/q`, usedOnly),
    ],
    claims: [claim('taken', 'one.status', { is: 201 }), claim('refused', 'two.status', { is: 403 })],
  },
  {
    ...shown,
    id: 'a8-quota-services',
    title: 'a quota counts Services, their ports of nodes and their load balancers',
    steps: [
      ...quota('q', { services: '10', 'services.nodeports': '3', 'services.loadbalancers': '1' }),
      untilRefused('four-ports', services, service('a', 4, { type: 'NodePort' })),
      post('balanced', services, service('b', 2, { type: 'LoadBalancer' }), taken),
      post('second', services, service('c', 1, { type: 'LoadBalancer' }), refusal),
      post(
        'without-ports',
        services,
        service('d', 1, { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false }),
        refusal,
      ),
      post('plain', services, service('e', 2, {}), taken),
      mergePatch('changed', `${services}/e`, { spec: { type: 'NodePort' } }, refusal),
      get('used', `${quotas}/q`, usedOnly),
    ],
    claims: [claim('refused', 'changed.status', { is: 403 })],
  },
  {
    ...shown,
    id: 'a8-quota-claims',
    title: 'a quota adds up the storage of claims, for each class as well',
    steps: [
      ...quota('q', {
        'requests.storage': '10Gi',
        'gold.storageclass.storage.k8s.io/requests.storage': '2Gi',
        'gold.storageclass.storage.k8s.io/persistentvolumeclaims': '5',
      }),
      untilRefused('gold', claims, claimOf('a', '3Gi', { storageClassName: 'gold' })),
      post('plain', claims, claimOf('b', '1500Mi'), taken),
      post('of-class', claims, claimOf('c', '2Gi', { storageClassName: 'gold' }), taken),
      get('used', `${quotas}/q`, usedOnly),
    ],
    claims: [claim('refused', 'gold.status', { is: 403 })],
  },
  {
    ...shown,
    id: 'a8-quota-several',
    title: 'of several quotas all have to agree',
    steps: [
      ...quota('a', { 'count/configmaps': '5' }),
      ...quota('b', { 'count/configmaps': '0' }),
      post('create', `${configMaps}?dryRun=All`, configMap('x'), { until: { at: 'create.status', is: 403 } }),
      get('used', `${quotas}/a`, usedOnly),
    ],
    claims: [claim('refused', 'create.status', { is: 403 })],
  },
  {
    ...shown,
    id: 'a8-quota-controller',
    title: 'a controller counts what is there, and what has gone',
    world: 'controllers',
    steps: [
      post('before', `${core}/secrets`, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } }, { setup: true }),
      post('q', quotas, quotaOf('q', { 'count/secrets': '10', pods: '2', 'count/nothing.example.com': '3' }), {
        setup: true,
      }),
      get('counted', `${quotas}/q`, {
        until: { at: ['counted', 'body', 'status', 'used', 'count/secrets'], is: '1' },
        only: ['body.status', 'body.metadata.managedFields'],
        because: 'the status is the topic',
      }),
      remove('removed', `${core}/secrets/s`, taken),
      get('recounted', `${quotas}/q`, {
        until: { at: ['recounted', 'body', 'status', 'used', 'count/secrets'], is: '0' },
        ...usedOnly,
      }),
      mergePatch('more', `${quotas}/q`, { spec: { hard: { pods: '7' } } }, taken),
      get('rebounded', `${quotas}/q`, {
        until: { at: 'rebounded.body.status.hard.pods', is: '7' },
        ...usedOnly,
      }),
    ],
    claims: [
      claim('counted', 'counted.body.status.hard.pods', { is: '2' }),
      claim('gone', ['recounted', 'body', 'status', 'used', 'count/secrets'], { is: '0' }),
    ],
  },
];

const sized = (cpu: string, more: Fields = {}): Json => ({ requests: { cpu }, ...more });

const ofPods: readonly Case[] = [
  {
    ...shown,
    id: 'a8-quota-pods',
    title: 'a quota adds up what Pods ask for, and wants it said',
    steps: [
      ...quota('q', { pods: '3', 'requests.cpu': '1', 'limits.memory': '1Gi', cpu: '2' }),
      untilRefused('silent', pods, pod('a')),
      untilRefused('half-said', pods, pod('a', sized('1m'), { initContainers: [{ name: 'i', image: 'i' }] })),
      post('fits', pods, pod('b', sized('600m', { limits: { memory: '512Mi' } })), taken),
      post('too-much', pods, pod('c', sized('500m', { limits: { memory: '600Mi' } })), refusal),
      get('used', `${quotas}/q`, usedOnly),
    ],
    claims: [claim('refused', 'too-much.status', { is: 403 })],
  },
  {
    ...shown,
    id: 'a8-quota-containers',
    title: 'the neediest container that initializes counts, and each that goes on',
    steps: [
      ...quota('q', { 'requests.ephemeral-storage': '10Gi', 'requests.example.com/gpu': '2' }),
      untilRefused('gpu', pods, pod('a', { limits: { 'example.com/gpu': '3' } })),
      post(
        'taken',
        pods,
        pod(
          'b',
          { requests: { 'ephemeral-storage': '1Gi' } },
          {
            initContainers: [
              {
                name: 'x',
                image: 'x',
                resources: { requests: { 'ephemeral-storage': '2Gi' } },
                restartPolicy: 'Always',
              },
              { name: 'y', image: 'y', resources: { requests: { 'ephemeral-storage': '4Gi' } } },
              { name: 'z', image: 'z', resources: { requests: { 'ephemeral-storage': '1500Mi' } } },
            ],
          },
        ),
        taken,
      ),
      get('used', `${quotas}/q`, usedOnly),
    ],
    claims: [claim('used', ['used', 'body', 'status', 'used', 'requests.ephemeral-storage'], { is: '6Gi' })],
  },
  {
    ...shown,
    id: 'a8-quota-scopes',
    title: 'scopes say which Pods count',
    steps: [
      ...quota('best', { pods: '0' }, { scopes: ['BestEffort'] }),
      untilRefused('best-effort', pods, pod('a')),
      ...quota('ending', { pods: '0' }, { scopes: ['Terminating'] }),
      untilRefused('terminating', pods, pod('c', sized('1m'), { activeDeadlineSeconds: 5 })),
      ...quota(
        'classy',
        { pods: '0' },
        {
          scopeSelector: {
            matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['system-cluster-critical'] }],
          },
        },
      ),
      untilRefused('critical', pods, pod('d', sized('1m'), { priorityClassName: 'system-cluster-critical' })),
      ...quota('far', { pods: '0' }, { scopes: ['CrossNamespacePodAffinity'] }),
      untilRefused(
        'affinity',
        pods,
        pod('e', sized('1m'), {
          affinity: {
            podAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: [
                { labelSelector: { matchLabels: { a: 'b' } }, namespaces: ['other'], topologyKey: 'zone' },
              ],
            },
          },
        }),
      ),
      post('other', pods, pod('b', sized('1m')), taken),
      mergePatch('ends', `${pods}/b`, { spec: { activeDeadlineSeconds: 9 } }, refusal),
    ],
    claims: [
      claim('refused', 'best-effort.status', { is: 403 }),
      claim('taken', 'other.status', { is: 201 }),
      claim('a Pod that changes its scope is counted', 'ends.status', { is: 403 }),
    ],
  },
];

const refusedQuota = (name: string, hard: Fields, spec: Fields = {}): Step =>
  post(name, quotas, quotaOf('q', hard, spec));
const selecting = (...matchExpressions: Json[]): Fields => ({ scopeSelector: { matchExpressions } });

const rules: readonly Case[] = [
  {
    ...shown,
    id: 'a8-quota-refused',
    title: 'what a quota may not say',
    steps: [
      refusedQuota('name', { nope: '1' }),
      refusedQuota('bad-name', { 'a b': '1' }),
      refusedQuota('storage', { storage: '1' }),
      refusedQuota('negative', { pods: '-1' }),
      refusedQuota('fraction', { pods: '1500m' }),
      refusedQuota('foreign-fraction', { 'requests.example.com/gpu': '1500m', 'example.com/gpu': '500m' }),
      refusedQuota('scope', { 'requests.cpu': '1' }, { scopes: ['BestEffort'] }),
      refusedQuota('unknown-scope', { pods: '1' }, { scopes: ['Nope'] }),
      refusedQuota('opposites', { pods: '1' }, { scopes: ['BestEffort', 'NotBestEffort'] }),
      refusedQuota('selected', { secrets: '1' }, selecting({ scopeName: 'PriorityClass', operator: 'Exists' })),
      refusedQuota('no-values', { pods: '1' }, selecting({ scopeName: 'PriorityClass', operator: 'In' })),
      refusedQuota(
        'values',
        { pods: '1' },
        selecting({ scopeName: 'PriorityClass', operator: 'Exists', values: ['a'] }),
      ),
      refusedQuota('operator', { pods: '1' }, selecting({ scopeName: 'PriorityClass', operator: 'Is' })),
      refusedQuota('must-exist', { pods: '1' }, selecting({ scopeName: 'BestEffort', operator: 'DoesNotExist' })),
      post('q', quotas, quotaOf('q', { pods: '1' }, { scopes: ['BestEffort'] }), taken),
      mergePatch('moved', `${quotas}/q`, { spec: { scopes: ['NotBestEffort'] } }),
      mergePatch('status', `${quotas}/q/status`, { status: { used: { nope: '1', pods: '-1' } } }),
    ],
    claims: [claim('422', 'name.status', { is: 422 })],
  },
  {
    ...shown,
    id: 'a8-limit-range-refused',
    title: 'what a LimitRange may not say',
    steps: [
      post('type', ranges, limitRange([{ type: 'Nope', max: { cpu: '1' } }])),
      post('twice', ranges, limitRange([{ type: 'Pod', max: { cpu: '1' } }, { type: 'Pod' }])),
      post('name', ranges, limitRange([{ type: 'Container', max: { nope: '1' } }])),
      post('storage', ranges, limitRange([{ type: 'Container', max: { storage: '1' } }])),
      post('foreign', ranges, limitRange([{ type: 'Container', max: { 'requests.example.com/x': '1' } }])),
      post(
        'defaults-of-pods',
        ranges,
        limitRange([{ type: 'Pod', default: { cpu: '1' }, defaultRequest: { cpu: '1' } }]),
      ),
      post('no-storage', ranges, limitRange([{ type: 'PersistentVolumeClaim', max: { cpu: '1' } }])),
      post('order', ranges, limitRange([{ type: 'Pod', min: { cpu: '2' }, max: { cpu: '1' } }])),
      post(
        'defaults',
        ranges,
        limitRange([
          {
            type: 'Container',
            min: { cpu: '3', memory: '1Mi' },
            max: { cpu: '4', memory: '5Mi' },
            default: { cpu: '5', memory: '0' },
            defaultRequest: { cpu: '6', memory: '0' },
          },
        ]),
      ),
      post('ratio', ranges, limitRange([{ type: 'Container', maxLimitRequestRatio: { cpu: '500m' } }])),
      post(
        'wide',
        ranges,
        limitRange([{ type: 'Pod', min: { cpu: '1' }, max: { cpu: '3' }, maxLimitRequestRatio: { cpu: '5' } }]),
      ),
      post(
        'exact',
        ranges,
        limitRange([
          { type: 'Container', default: { 'example.com/gpu': '2' }, defaultRequest: { 'example.com/gpu': '1' } },
        ]),
      ),
    ],
    claims: [claim('422', 'type.status', { is: 422 })],
  },
];

const bounds: readonly Case[] = [
  {
    ...shown,
    id: 'a8-limit-range',
    title: 'a LimitRange fills in what containers ask for, and refuses what is beyond its bounds',
    steps: [
      post(
        'range',
        ranges,
        limitRange([
          {
            type: 'Container',
            default: { cpu: '500m', memory: '256Mi' },
            defaultRequest: { cpu: '100m' },
            min: { cpu: '50m' },
            max: { cpu: '1' },
            maxLimitRequestRatio: { cpu: '5' },
          },
          { type: 'Pod', max: { memory: '1536Mi' } },
        ]),
      ),
      post('defaulted', `${pods}?dryRun=All`, pod('a'), {
        until: { at: 'defaulted.body.spec.containers.0.resources.requests.cpu', is: '100m' },
        ...asked,
      }),
      post('given', `${pods}?dryRun=All`, pod('b', sized('200m', { limits: { memory: '512Mi' } })), asked),
      post(
        'initial',
        `${pods}?dryRun=All`,
        pod('b', sized('200m'), { initContainers: [{ name: 'i', image: 'i' }] }),
        asked,
      ),
      post('too-little', pods, pod('c', sized('10m')), refusal),
      post('too-much', pods, pod('d', { limits: { cpu: '2', memory: '2Gi' } }), refusal),
      post('ratio', pods, pod('e', sized('100m', { limits: { cpu: '1' } })), refusal),
    ],
    claims: [
      claim('refused', 'too-little.status', { is: 403 }),
      claim('filled in', 'defaulted.body.spec.containers.0.resources.requests.cpu', { is: '100m' }),
    ],
  },
  {
    ...shown,
    id: 'a8-limit-range-pods',
    title: 'a LimitRange wants Pods to say what it bounds, and adds their containers up',
    steps: [
      post(
        'range',
        ranges,
        limitRange([
          { type: 'Pod', min: { memory: '100Mi' }, max: { cpu: '1' }, maxLimitRequestRatio: { memory: '2' } },
        ]),
        { setup: true },
      ),
      untilRefused('silent', pods, pod('a')),
      post(
        'sum',
        pods,
        pod('b', sized('600m', { limits: { cpu: '600m', memory: '200Mi' } }), {
          initContainers: [
            { name: 'i', image: 'i', restartPolicy: 'Always', resources: { limits: { cpu: '500m', memory: '1Mi' } } },
          ],
        }),
        refusal,
      ),
      post('ratio', pods, pod('c', { requests: { memory: '100Mi' }, limits: { cpu: '1', memory: '300Mi' } }), refusal),
      post('fits', pods, pod('d', { requests: { memory: '100Mi' }, limits: { cpu: '1', memory: '200Mi' } }), taken),
    ],
    claims: [claim('refused', 'sum.status', { is: 403 }), claim('taken', 'fits.status', { is: 201 })],
  },
  {
    ...shown,
    id: 'a8-limit-range-claims',
    title: 'a LimitRange bounds what claims ask for',
    steps: [
      post(
        'range',
        ranges,
        limitRange([{ type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '2Gi' } }]),
        { setup: true },
      ),
      untilRefused('too-little', claims, claimOf('a', '500Mi')),
      untilRefused('too-much', claims, claimOf('b', '3Gi')),
      post('fits', claims, claimOf('c', '1Gi'), taken),
    ],
    claims: [claim('refused', 'too-much.status', { is: 403 })],
  },
];

export const quotaCases: readonly Case[] = [...counting, ...ofPods, ...rules, ...bounds];
