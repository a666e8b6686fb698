// Priority and fairness, and registered services: there, though nothing depends on them here.
import type { Case, Json } from '../../src/case.ts';
import { claim, get, post, remove } from '../../src/steps.ts';

const flow = '/apis/flowcontrol.apiserver.k8s.io/v1';
const services = '/apis/apiregistration.k8s.io/v1/apiservices';
const typed = (kind: string, name: string): { [key: string]: Json } => ({
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind,
  metadata: { name },
});
const level = (name: string): Json => ({
  ...typed('PriorityLevelConfiguration', name),
  spec: { type: 'Limited', limited: { nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' } } },
});
const schema = (name: string, levelName: string, rule: { [key: string]: Json }): Json => ({
  ...typed('FlowSchema', name),
  spec: {
    priorityLevelConfiguration: { name: levelName },
    matchingPrecedence: 700,
    rules: [{ subjects: [{ kind: 'User', user: { name: '{{id}}' } }], ...rule }],
  },
});
const flowOf = ['x-kubernetes-pf-flowschema-uid', 'x-kubernetes-pf-prioritylevel-uid'];
const [schemaHeader = '', levelHeader = ''] = flowOf;
const asUser = { send: { 'impersonate-user': '{{id}}' }, headers: flowOf };
/** What the schemas of a server are beside that of the case is its own affair. */
const elsewhere = { ...asUser, only: ['status', 'body.reason'], because: 'its flow is one of the server’s own' };
const theirs = {
  only: ['status', 'headers', 'body.reason', 'body.gitVersion'],
  because: 'whose flow it is counts, not what is answered',
};
const conditionAt = 'body.status.conditions.0';

const ownStatus = {
  mask: ['body.metadata.managedFields', 'body.metadata.resourceVersion', 'body.status'],
  because: 'controllers write the status, and a server makes its first objects in no order',
};

export const flows: readonly Case[] = [
  {
    id: 'z7-listed',
    section: 'admission-identity',
    shows: ['API-Z7'],
    title: 'flow schemas, priority levels and services are there from the start, and can be written',
    steps: [
      get('schema', `${flow}/flowschemas/exempt`, ownStatus),
      get('catch-all', `${flow}/flowschemas/catch-all`, ownStatus),
      get('level', `${flow}/prioritylevelconfigurations/exempt`, ownStatus),
      get('service', `${services}/v1.apps`, ownStatus),
      get('core', `${services}/v1.`, ownStatus),
      post(
        'created',
        `${flow}/flowschemas`,
        {
          apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
          kind: 'FlowSchema',
          metadata: { name: '{{id}}' },
          spec: {
            priorityLevelConfiguration: { name: 'exempt' },
            matchingPrecedence: 9000,
            rules: [
              {
                subjects: [{ kind: 'User', user: { name: 'nobody' } }],
                nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/nothing'] }],
              },
            ],
          },
        },
        ownStatus,
      ),
      remove('gone', `${flow}/flowschemas/{{id}}`, { only: ['status'], because: 'it only tidies up' }),
    ],
    claims: [
      claim('a flow schema', 'schema.status', { is: 200 }),
      claim('a level', 'level.status', { is: 200 }),
      claim('a service', 'service.body.spec.group', { is: 'apps' }),
      claim('one of its own', 'created.status', { is: 201 }),
    ],
  },
  {
    id: 'z7-told',
    section: 'admission-identity',
    shows: ['API-Z7', 'API-T5'],
    title: 'a request is told its flow schema and priority level, once the level is there',
    steps: [
      post(
        'schema',
        `${flow}/flowschemas`,
        schema('{{id}}-a', '{{id}}', {
          nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/version', '/logs/*'] }],
          resourceRules: [
            { verbs: ['get', 'list'], apiGroups: [''], resources: ['configmaps'], namespaces: ['{{ns}}'] },
          ],
        }),
      ),
      get('dangling', `${flow}/flowschemas/{{id}}-a`, {
        until: { at: `dangling.${conditionAt}.status`, is: 'True' },
      }),
      get('before', '/version', elsewhere),
      post('level', `${flow}/prioritylevelconfigurations`, level('{{id}}')),
      get('found', `${flow}/flowschemas/{{id}}-a`, { until: { at: `found.${conditionAt}.status`, is: 'False' } }),
      get('version', '/version', {
        ...asUser,
        ...theirs,
        until: { at: `version.headers.${schemaHeader}`, is: '{{schema.body.metadata.uid}}' },
      }),
      get('list', '/api/v1/namespaces/{{ns}}/configmaps', { ...asUser, ...theirs }),
      get('below', '/logs/none', { ...asUser, ...theirs }),
      get('log', '/api/v1/namespaces/{{ns}}/pods/none/log', { headers: flowOf }),
      get('other-namespace', '/api/v1/namespaces/default/configmaps', elsewhere),
      get('other-resource', '/api/v1/namespaces/{{ns}}/secrets', elsewhere),
      get('metrics', '/metrics', {
        only: ['status'],
        because: 'the page counts all requests',
        until: { at: 'metrics.text', matches: 'nominal_limit_seats\\{priority_level="{{id}}"\\} [1-9]' },
      }),
      remove('gone', `${flow}/prioritylevelconfigurations/{{id}}`, { only: ['status'], because: 'it only prepares' }),
      get('again', `${flow}/flowschemas/{{id}}-a`, { until: { at: `again.${conditionAt}.status`, is: 'True' } }),
      remove('tidied', `${flow}/flowschemas/{{id}}-a`, { only: ['status'], because: 'it only tidies up' }),
    ],
    claims: [
      claim('no such level', `dangling.${conditionAt}.reason`, { is: 'NotFound' }),
      claim('not told of it', `before.headers.${schemaHeader}`, { differsFrom: 'schema.body.metadata.uid' }),
      claim('the schema', `version.headers.${schemaHeader}`, { sameAs: 'schema.body.metadata.uid' }),
      claim('the level', `version.headers.${levelHeader}`, { sameAs: 'level.body.metadata.uid' }),
      claim('of resources', `list.headers.${schemaHeader}`, { sameAs: 'schema.body.metadata.uid' }),
      claim('of paths below', `below.headers.${schemaHeader}`, { sameAs: 'schema.body.metadata.uid' }),
      claim('in this namespace alone', `other-namespace.headers.${schemaHeader}`, {
        differsFrom: 'schema.body.metadata.uid',
      }),
      claim('of this resource alone', `other-resource.headers.${schemaHeader}`, {
        differsFrom: 'schema.body.metadata.uid',
      }),
      claim('none of what may last', `log.headers.${schemaHeader}`, { present: false }),
      claim('gone', `again.${conditionAt}.reason`, { is: 'NotFound' }),
    ],
  },
];
