// Schemas of resources: version 3, and version 2 for older clients.
import type { At, Case } from '../../src/case.ts';
import { claim, define, get, things } from '../../src/steps.ts';

const form = { only: ['status', 'headers'], because: 'the document is compared where clients read it: o2' };
const json = { send: { accept: 'application/json' } };
const deployment = '/apis/apps/v1/namespaces/{namespace}/deployments/{name}';
const podSpec = ['body', 'components', 'schemas', 'io.k8s.api.core.v1.PodSpec', 'properties'];
const schema = (name: string, ...more: string[]): string[] => ['body', 'components', 'schemas', name, ...more];
const read = 'what kubectl reads of it';

const patchOf = (path: string, ...more: string[]): string[] => ['body', 'paths', path, 'patch', ...more];
const readOfPatch = (path: string): At[] => [
  patchOf(path, 'x-kubernetes-group-version-kind'),
  patchOf(path, 'x-kubernetes-action'),
  patchOf(path, 'parameters', '[name=fieldValidation]', 'in'),
  patchOf(path, 'requestBody', 'content'),
];

const index: readonly Case[] = [
  {
    id: 'o1-index',
    section: 'discovery',
    shows: ['API-O1', 'API-O4'],
    title: 'the index names each document, with its hash',
    steps: [
      get('index', '/openapi/v3', { ...form, headers: ['vary'] }),
      get('kubectl', '/openapi/v3?timeout=32s', { send: { accept: 'application/json, */*' }, ...form }),
      get('slash', '/openapi/v3/', form),
    ],
    claims: [
      claim('one key, paths', 'index.body', { length: 1 }),
      claim('api/v1', 'index.body.paths.api/v1.serverRelativeURL', {
        matches: '^/openapi/v3/api/v1\\?hash=\\w+$',
      }),
      claim('a group', 'index.body.paths.apis/apps/v1.serverRelativeURL', {
        matches: '^/openapi/v3/apis/apps/v1\\?hash=\\w+$',
      }),
      claim('a group with dots', ['index', 'body', 'paths', 'apis/rbac.authorization.k8s.io/v1', 'serverRelativeURL'], {
        matches: '^/openapi/v3/apis/rbac\\.authorization\\.k8s\\.io/v1\\?hash=\\w+$',
      }),
    ],
  },
  {
    id: 'o1-document',
    section: 'discovery',
    shows: ['API-O1'],
    title: 'a document asked for with its hash may be kept for ever',
    steps: [
      get('index', '/openapi/v3', form),
      get('document', '{{index.body.paths.apis/apps/v1.serverRelativeURL|/none}}', {
        ...json,
        only: ['status', 'headers', 'body.openapi', 'body.info'],
        because: form.because,
        headers: ['vary'],
      }),
      get('core', '{{index.body.paths.api/v1.serverRelativeURL|/none}}&timeout=32s', {
        ...json,
        only: ['status', 'headers', 'body.openapi', 'body.info'],
        because: form.because,
        headers: ['vary'],
      }),
      get('unchanged', '{{index.body.paths.apis/apps/v1.serverRelativeURL|/none}}', {
        send: { accept: 'application/json', 'if-none-match': '{{document.headers.etag|none}}' },
        headers: ['vary'],
      }),
    ],
    claims: [
      claim('one OpenAPI 3.0 document', 'document.body.openapi', { matches: '^3\\.0\\.' }),
      claim('public, immutable', 'document.headers.cache-control', { is: 'public, immutable' }),
      claim('ETag H', 'document.headers.etag', { within: 'index.body.paths.apis/apps/v1.serverRelativeURL' }),
      claim('in quotes', 'document.headers.etag', { matches: '^"\\w+"$' }),
      claim('api/v1: ETag H', 'core.headers.etag', { within: 'index.body.paths.api/v1.serverRelativeURL' }),
      claim('api/v1: immutable', 'core.headers.cache-control', { is: 'public, immutable' }),
      claim('304 for whoever has it', 'unchanged.status', { is: 304 }),
    ],
  },
  {
    id: 'o1-hashes',
    section: 'discovery',
    shows: ['API-O1'],
    title: 'without a hash the document is for now; with a stale one the client is sent on',
    steps: [
      get('index', '/openapi/v3', form),
      get('no-hash', '/openapi/v3/apis/apps/v1', { ...json, ...form, headers: ['vary'] }),
      get('stale', '/openapi/v3/apis/apps/v1?hash=0', {
        ...json,
        mask: ['headers.location'],
        because: 'holds the hash',
      }),
      get('unknown', '/openapi/v3/apis/nope.example.com/v1', json),
      get('picky', '/openapi/v3/apis/apps/v1', { send: { accept: 'text/html' } }),
      get('any', '/openapi/v3/apis/apps/v1', { send: { accept: '*/*' }, ...form }),
    ],
    claims: [
      claim('no hash: 200', 'no-hash.status', { is: 200 }),
      claim('no hash: no-cache', 'no-hash.headers.cache-control', { is: 'no-cache, private' }),
      claim('no hash: ETag H', 'no-hash.headers.etag', { within: 'index.body.paths.apis/apps/v1.serverRelativeURL' }),
      claim('stale: 301', 'stale.status', { is: 301 }),
      claim('to the new one', 'stale.headers.location', {
        sameAs: 'index.body.paths.apis/apps/v1.serverRelativeURL',
      }),
      claim('unknown: 404', 'unknown.status', { is: 404 }),
    ],
  },
];

const builtin: readonly Case[] = [
  {
    id: 'o2-patch-operation',
    section: 'discovery',
    shows: ['API-O2'],
    title: 'kubectl finds fieldValidation and strategic merge at the PATCH operation of a built-in kind',
    steps: [get('apps', '/openapi/v3/apis/apps/v1', { ...json, only: readOfPatch(deployment), because: read })],
    claims: [
      claim(
        'whose x-kubernetes-group-version-kind matches',
        ['apps', ...patchOf(deployment, 'x-kubernetes-group-version-kind')],
        {
          is: { group: 'apps', version: 'v1', kind: 'Deployment' },
        },
      ),
      claim(
        'query parameter fieldValidation',
        ['apps', ...patchOf(deployment, 'parameters', '[name=fieldValidation]', 'in')],
        {
          is: 'query',
        },
      ),
      claim(
        'strategic merge among the PATCH bodies',
        ['apps', ...patchOf(deployment, 'requestBody', 'content', 'application/strategic-merge-patch+json')],
        { present: true },
      ),
    ],
  },
  {
    id: 'o2-explain',
    section: 'discovery',
    shows: ['API-O2'],
    title: 'kubectl explain finds the component by its extension, and what stands in it',
    steps: [
      get('apps', '/openapi/v3/apis/apps/v1', {
        ...json,
        only: [
          schema('io.k8s.api.apps.v1.Deployment', 'x-kubernetes-group-version-kind'),
          schema('io.k8s.api.apps.v1.Deployment', 'type'),
          schema('io.k8s.api.apps.v1.Deployment', 'properties', 'spec', 'default'),
          schema('io.k8s.api.apps.v1.Deployment', 'properties', 'spec', 'allOf'),
          schema('io.k8s.api.apps.v1.DeploymentSpec', 'properties', 'replicas', 'type'),
          schema('io.k8s.api.apps.v1.DeploymentSpec', 'properties', 'replicas', 'format'),
          schema('io.k8s.api.apps.v1.DeploymentSpec', 'required'),
          schema('io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions', 'type'),
          ['body', 'paths', deployment, 'delete', 'requestBody'],
        ],
        because: read,
      }),
    ],
    claims: [
      claim(
        'the extension, an array',
        ['apps', ...schema('io.k8s.api.apps.v1.Deployment', 'x-kubernetes-group-version-kind')],
        {
          is: [{ group: 'apps', kind: 'Deployment', version: 'v1' }],
        },
      ),
      claim('a field', ['apps', ...schema('io.k8s.api.apps.v1.DeploymentSpec', 'properties', 'replicas', 'type')], {
        is: 'integer',
      }),
    ],
  },
  {
    id: 'q8-descriptions',
    section: 'discovery',
    shows: ['API-Q8'],
    title: 'kinds and fields are described',
    steps: [
      get('apps', '/openapi/v3/apis/apps/v1', {
        ...json,
        only: [
          schema('io.k8s.api.apps.v1.Deployment', 'description'),
          schema('io.k8s.api.apps.v1.DeploymentSpec', 'properties', 'replicas', 'description'),
        ],
        because: read,
      }),
    ],
    claims: [
      claim(
        'a description',
        ['apps', ...schema('io.k8s.api.apps.v1.DeploymentSpec', 'properties', 'replicas', 'description')],
        {
          matches: '^Number of desired pods',
        },
      ),
    ],
  },
  {
    id: 'o2-patch-hints',
    section: 'discovery',
    shows: ['API-O2'],
    title: 'kubectl apply finds merge keys and strategies of built-in kinds',
    steps: [
      get('core', '/openapi/v3/api/v1', {
        ...json,
        only: ['containers', 'volumes', 'tolerations', 'imagePullSecrets', 'topologySpreadConstraints'].flatMap(
          (field) =>
            ['type', 'items', 'x-kubernetes-patch-strategy', 'x-kubernetes-patch-merge-key'].map((key) => [
              ...podSpec,
              field,
              key,
            ]),
        ),
        because: read,
      }),
    ],
    claims: [
      claim('x-kubernetes-patch-strategy', ['core', ...podSpec, 'containers', 'x-kubernetes-patch-strategy'], {
        is: 'merge',
      }),
      claim('-patch-merge-key', ['core', ...podSpec, 'containers', 'x-kubernetes-patch-merge-key'], { is: 'name' }),
      claim('several strategies', ['core', ...podSpec, 'volumes', 'x-kubernetes-patch-strategy'], {
        is: 'merge,retainKeys',
      }),
      claim('none where the list is replaced', ['core', ...podSpec, 'tolerations', 'x-kubernetes-patch-strategy'], {
        present: false,
      }),
    ],
  },
];

const thingPath = '/apis/{{group}}/v1/namespaces/{namespace}/things/{name}';
// The group reversed: {{group}} is {{ns}}.example.com.
const component = 'com.example.{{ns}}.v1.Thing';
const describedByKubernetes = (...below: readonly string[]): (readonly string[])[] =>
  ['apiVersion', 'kind', 'metadata'].map((name) => schema(component, ...below, 'properties', name, 'description'));
const asRead = `${read}; what every object has is described in words of Kubernetes (API-Q8)`;

const custom: readonly Case[] = [
  {
    id: 'o2-custom-resource',
    section: 'discovery',
    shows: ['API-O2', 'API-O1'],
    title: 'the document of a custom resource',
    steps: [
      ...define(
        'crd',
        things(
          {
            type: 'object',
            description: 'What is wanted.',
            required: ['n'],
            properties: {
              n: { type: 'integer', format: 'int32', minimum: 1, default: 3, description: 'How many.' },
              either: { 'x-kubernetes-int-or-string': true },
              free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
              parts: {
                type: 'array',
                items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
                'x-kubernetes-list-type': 'map',
                'x-kubernetes-list-map-keys': ['name'],
              },
              template: {
                type: 'object',
                'x-kubernetes-embedded-resource': true,
                'x-kubernetes-preserve-unknown-fields': true,
              },
              maybe: { type: 'string', nullable: true },
            },
            'x-kubernetes-map-type': 'atomic',
            'x-kubernetes-validations': [{ rule: 'self.n < 100', message: 'too many' }],
          },
          { version: { subresources: { status: {} } } },
        ),
      ),
      get('document', '/openapi/v3/apis/{{group}}/v1', {
        ...json,
        until: { at: 'document.status', is: 200 },
        only: [
          'status',
          'body.openapi',
          ...readOfPatch(thingPath),
          schema(component),
          schema('com.example.{{ns}}.v1.ThingList', 'x-kubernetes-group-version-kind'),
          schema('com.example.{{ns}}.v1.ThingList', 'properties', 'items'),
        ],
        mask: [
          ...describedByKubernetes(),
          ...describedByKubernetes('properties', 'spec', 'properties', 'template'),
          schema('com.example.{{ns}}.v1.ThingList', 'properties', 'items', 'description'),
        ],
        because: asRead,
      }),
      get('index', '/openapi/v3', { ...form }),
    ],
    claims: [
      claim('named com.example.v1.WebApp', ['document', ...schema(component)], { present: true }),
      claim('the extension, an array', ['document', ...schema(component, 'x-kubernetes-group-version-kind')], {
        is: [{ group: '{{group}}', kind: 'Thing', version: 'v1' }],
      }),
      claim('refers to io.k8s.apimachinery…', ['document', ...schema(component, 'properties', 'metadata', 'allOf')], {
        is: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }],
      }),
      claim('which is there', ['document', ...schema('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta')], {
        present: true,
      }),
      ...(
        [
          ['parts', 'x-kubernetes-list-type', 'map'],
          ['parts', 'x-kubernetes-list-map-keys', ['name']],
          ['either', 'x-kubernetes-int-or-string', true],
          ['free', 'x-kubernetes-preserve-unknown-fields', true],
          ['template', 'x-kubernetes-embedded-resource', true],
        ] as const
      ).map(([field, key, value]) =>
        claim(`keeps ${key}`, ['document', ...schema(component, 'properties', 'spec', 'properties', field, key)], {
          is: value,
        }),
      ),
      claim(
        'keeps x-kubernetes-map-type',
        ['document', ...schema(component, 'properties', 'spec', 'x-kubernetes-map-type')],
        {
          is: 'atomic',
        },
      ),
      claim(
        'keeps x-kubernetes-validations',
        ['document', ...schema(component, 'properties', 'spec', 'x-kubernetes-validations')],
        {
          length: 1,
        },
      ),
      claim(
        'query parameter fieldValidation',
        ['document', ...patchOf(thingPath, 'parameters', '[name=fieldValidation]', 'in')],
        {
          is: 'query',
        },
      ),
      claim(
        'strategic merge is absent',
        ['document', ...patchOf(thingPath, 'requestBody', 'content', 'application/strategic-merge-patch+json')],
        { present: false },
      ),
      claim('the operation names the kind', ['document', ...patchOf(thingPath, 'x-kubernetes-group-version-kind')], {
        is: { group: '{{group}}', version: 'v1', kind: 'Thing' },
      }),
      claim('it is in the index', ['index', 'body', 'paths', 'apis/{{group}}/v1', 'serverRelativeURL'], {
        matches: '^/openapi/v3/apis/.*/v1\\?hash=',
      }),
    ],
  },
  {
    id: 'o2-no-schema',
    section: 'discovery',
    shows: ['API-O2'],
    title: 'where a definition says nothing about fields, its document says so',
    steps: [
      ...define(
        'crd',
        things(
          {},
          {
            version: {
              schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
            },
          },
        ),
      ),
      get('document', '/openapi/v3/apis/{{group}}/v1', {
        ...json,
        until: { at: 'document.status', is: 200 },
        only: [schema(component)],
        mask: describedByKubernetes(),
        because: asRead,
      }),
    ],
    claims: [
      claim(
        'keeps x-kubernetes-preserve-unknown-fields',
        ['document', ...schema(component, 'x-kubernetes-preserve-unknown-fields')],
        {
          is: true,
        },
      ),
    ],
  },
];

const protobuf = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

const older: readonly Case[] = [
  {
    id: 'o3-json',
    section: 'discovery',
    shows: ['API-O3', 'API-O4'],
    title: '/openapi/v2 as JSON',
    // Few definitions come and go there, so that the document stays the same between two requests.
    world: 'workloads',
    steps: [
      get('document', '/openapi/v2?timeout=32s', {
        ...json,
        only: [
          'status',
          'headers',
          'body.swagger',
          'body.info',
          ['body', 'definitions', 'io.k8s.api.apps.v1.Deployment', 'x-kubernetes-group-version-kind'],
          ['body', 'definitions', 'io.k8s.api.apps.v1.DeploymentSpec', 'properties', 'replicas', 'type'],
          ['body', 'definitions', 'io.k8s.api.apps.v1.DeploymentSpec', 'properties', 'replicas', 'format'],
          ['body', 'paths', deployment, 'patch', 'x-kubernetes-group-version-kind'],
          ['body', 'paths', deployment, 'patch', 'consumes'],
        ],
        because: read,
        headers: ['vary'],
      }),
      get('unchanged', '/openapi/v2', {
        send: { accept: 'application/json', 'if-none-match': '{{document.headers.etag|none}}' },
        headers: ['vary'],
      }),
    ],
    claims: [
      claim('as JSON', 'document.headers.content-type', { is: 'application/json' }),
      claim('version 2', 'document.body.swagger', { is: '2.0' }),
      claim('ETag', 'document.headers.etag', { matches: '^"\\w+"$' }),
      claim('304', 'unchanged.status', { is: 304 }),
    ],
  },
  {
    id: 'o4-v2-protobuf',
    section: 'discovery',
    shows: ['API-O4'],
    title: '/openapi/v2 in protobuf, which kubectl 1.27 and 1.28 ask for',
    steps: [
      get('document', '/openapi/v2?timeout=32s', { send: { accept: protobuf }, ...form }),
      get('either', '/openapi/v2', { send: { accept: `application/json, ${protobuf}` }, ...form }),
    ],
    claims: [
      claim('in protobuf', 'document.headers.content-type', {
        is: protobuf.replace('@', '.'),
      }),
      claim('200', 'document.status', { is: 200 }),
    ],
  },
];

export const openapi: readonly Case[] = [...index, ...builtin, ...custom, ...older];
