import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { builtinResources, type ResourceDefinition } from '../kinds/index.ts';
import { discover, revalidated } from './discover.ts';

const webapp: ResourceDefinition = {
  group: 'example.com',
  version: 'v1',
  kind: 'WebApp',
  plural: 'webapps',
  singular: 'webapp',
  listKind: 'WebAppList',
  namespaced: true,
  shortNames: ['wa'],
  categories: ['all'],
  verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'],
  custom: true,
  schema: {
    type: 'object',
    description: 'A web application.',
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: {
        type: 'object',
        description: 'What is wanted.',
        required: ['image'],
        properties: {
          image: { type: 'string', minLength: 1, description: 'Container image to run.' },
          replicas: { type: 'integer', minimum: 0, default: 1 },
          port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
          env: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
            items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
          },
        },
        'x-kubernetes-validations': [{ rule: 'self.replicas < 9' }],
      },
    },
  },
  hasStatus: true,
  scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  columns: [],
  selectableFields: [],
  strategy: { generation: true, createOnUpdate: false, unconditionalUpdate: false, nameRule: 'subdomain' },
};
const older = { ...webapp, version: 'v1beta1', hasStatus: false, scale: undefined };
const resources = [...builtinResources(), older, webapp];

function answer(path: string, accept?: string): { headers: Readonly<Record<string, string>>; body: JsonObject } {
  const found = discover(resources, path, { accept });
  expect({ path, status: found?.status }).toEqual({ path, status: 200 });
  return { headers: found?.headers ?? {}, body: JSON.parse((found?.body ?? '{}') as string) as JsonObject };
}

const get = (path: string, accept?: string): JsonObject => answer(path, accept).body;

describe('API-D1: discovery in lists', () => {
  test('/api has the core version, /apis the groups', () => {
    expect(get('/api')).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
    const { kind, groups } = get('/apis') as { kind: string; groups: { name: string }[] };
    expect(kind).toBe('APIGroupList');
    expect(groups.map(({ name }) => name)).toContain('apps');
    expect(groups.map(({ name }) => name)).not.toContain('');
  });

  test('a group names its versions, the preferred first', () => {
    expect(get('/apis/example.com')).toEqual({
      kind: 'APIGroup',
      apiVersion: 'v1',
      name: 'example.com',
      versions: [
        { groupVersion: 'example.com/v1', version: 'v1' },
        { groupVersion: 'example.com/v1beta1', version: 'v1beta1' },
      ],
      preferredVersion: { groupVersion: 'example.com/v1', version: 'v1' },
    });
  });

  test('a version lists its resources and subresources', () => {
    expect(get('/apis/example.com/v1')).toEqual({
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: 'example.com/v1',
      resources: [
        {
          name: 'webapps',
          singularName: 'webapp',
          namespaced: true,
          kind: 'WebApp',
          verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
          shortNames: ['wa'],
          categories: ['all'],
          storageVersionHash: expect.stringMatching(/^[\w+/]{11}=$/),
        },
        {
          name: 'webapps/status',
          singularName: '',
          namespaced: true,
          kind: 'WebApp',
          verbs: ['get', 'patch', 'update'],
        },
        {
          name: 'webapps/scale',
          singularName: '',
          namespaced: true,
          group: 'autoscaling',
          version: 'v1',
          kind: 'Scale',
          verbs: ['get', 'patch', 'update'],
        },
      ],
    });
    const core = get('/api/v1') as { groupVersion: string; resources: { name: string; shortNames?: string[] }[] };
    expect(core.groupVersion).toBe('v1');
    expect(core.resources.find(({ name }) => name === 'configmaps')?.shortNames).toEqual(['cm']);
    expect(get('/apis/example.com/v1beta1')).toMatchObject({ resources: [{ name: 'webapps' }] });
  });

  test.each(['/apis/nope', '/apis/apps/v9', '/api/v9', '/healthz', '/apis/apps/v1/deployments', '/openapi/v4'])(
    '%s is not discovery: its answer is left to others',
    (path) => {
      expect(discover(resources, path)).toBeUndefined();
    },
  );
});

test('API-D3: the verbs of a custom resource have an order of their own', () => {
  const { resources: listed } = get('/apis/example.com/v1') as { resources: { verbs: string[] }[] };
  const order = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
  expect(listed[0]?.verbs).toEqual(order);
});

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

describe('API-D2: aggregated discovery', () => {
  test('/api and /apis answer in one list, with headers that let a client keep it', () => {
    const { headers, body } = answer('/apis', `${aggregated},application/json`);
    expect(headers).toMatchObject({ 'content-type': aggregated, vary: 'Accept', 'cache-control': 'public' });
    expect(body).toMatchObject({ kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2' });
    const items = body['items'] as { metadata: JsonObject; versions: JsonObject[] }[];
    const group = items.find(({ metadata }) => metadata['name'] === 'example.com');
    expect(group?.versions.map(({ version }) => version)).toEqual(['v1', 'v1beta1']);
    expect(group?.versions[0]).toEqual({
      version: 'v1',
      freshness: 'Current',
      resources: [
        {
          resource: 'webapps',
          responseKind: { group: 'example.com', version: 'v1', kind: 'WebApp' },
          scope: 'Namespaced',
          singularResource: 'webapp',
          verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
          shortNames: ['wa'],
          categories: ['all'],
          subresources: [
            {
              subresource: 'status',
              responseKind: { group: 'example.com', version: 'v1', kind: 'WebApp' },
              verbs: ['get', 'patch', 'update'],
            },
            {
              subresource: 'scale',
              responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
              verbs: ['get', 'patch', 'update'],
            },
          ],
        },
      ],
    });
    const core = get('/api', aggregated)['items'] as { versions: JsonObject[] }[];
    expect(core).toHaveLength(1);
    expect(core[0]?.versions[0]).toMatchObject({ version: 'v1' });
  });

  test('a client that has the content gets 304', () => {
    const first = discover(resources, '/apis', { accept: aggregated });
    const etag = first?.headers['etag'];
    expect(etag).toMatch(/^"[0-9A-F]+"$/);
    expect(first && revalidated(first, etag)).toMatchObject({
      status: 304,
      body: '',
      headers: { etag, vary: 'Accept' },
    });
    expect(first && revalidated(first, etag).headers).not.toHaveProperty('content-type');
    expect(first && revalidated(first, '"other"')).toBe(first);
    const changed = discover(resources.slice(0, -1), '/apis', { accept: aggregated });
    expect(changed && revalidated(changed, etag)).toMatchObject({ status: 200 });
  });

  test('the first form of the Accept header that is served wins', () => {
    expect(get('/apis', `application/json,${aggregated}`)['kind']).toBe('APIGroupList');
    const beta = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';
    expect(get('/apis', `${beta},${aggregated}`)['kind']).toBe('APIGroupDiscoveryList');
    expect(get('/apis', '*/*')['kind']).toBe('APIGroupList');
    // What cannot be served at all is refused where the form of plain lists is negotiated.
    expect(get('/apis', beta)['kind']).toBe('APIGroupList');
  });
});

interface Operation {
  readonly parameters: readonly { name: string; in: string }[];
  readonly requestBody?: { readonly content: JsonObject };
  readonly 'x-kubernetes-group-version-kind': JsonObject;
}

interface Document {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, JsonObject> };
}

const document = (path: string): Document => get(`/openapi/v3/${path}`) as unknown as Document;

describe('API-O1: the OpenAPI v3 index and its documents', () => {
  test('every group and version has a document under the address the index gives', () => {
    const { paths } = get('/openapi/v3') as { paths: Record<string, { serverRelativeURL: string }> };
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['api/v1', 'apis/apps/v1', 'apis/example.com/v1']));
    for (const [path, { serverRelativeURL }] of Object.entries(paths)) {
      const { headers, body } = answer(serverRelativeURL);
      const hash = new URL(serverRelativeURL, 'http://x').searchParams.get('hash');
      expect(body['openapi']).toBe('3.0.0');
      expect(serverRelativeURL).toBe(`/openapi/v3/${path}?hash=${hash}`);
      expect(headers).toMatchObject({ 'cache-control': 'public, immutable', etag: `"${hash}"` });
    }
  });

  test('without a hash it is not to be cached, with a stale one it has moved', () => {
    const { headers } = answer('/openapi/v3/apis/apps/v1');
    expect(headers).not.toHaveProperty('cache-control');
    expect(discover(resources, '/openapi/v3/apis/apps/v1?hash=OLD')).toEqual({
      status: 301,
      headers: {
        'content-type': 'application/json',
        location: `/openapi/v3/apis/apps/v1?hash=${headers['etag']?.slice(1, -1)}`,
      },
      body: '',
    });
  });

  test('a definition that changes changes the hash of its document alone', () => {
    const index = (served: readonly ResourceDefinition[]): Record<string, JsonObject> =>
      (JSON.parse((discover(served, '/openapi/v3')?.body ?? '') as string) as { paths: Record<string, JsonObject> })
        .paths;
    const before = index(resources);
    const wider = { ...webapp, schema: { type: 'object', properties: { spec: { type: 'string' } } } } as const;
    const after = index([...resources.slice(0, -1), wider]);
    expect(after['apis/example.com/v1']).not.toEqual(before['apis/example.com/v1']);
    expect(after['apis/example.com/v1beta1']).toEqual(before['apis/example.com/v1beta1']);
    expect(after['apis/apps/v1']).toEqual(before['apis/apps/v1']);
  });
});

const item = (root: string, plural: string): string => `${root}/namespaces/{namespace}/${plural}/{name}`;

describe('API-O2: what kubectl reads in a document', () => {
  const deployments = document('apis/apps/v1').paths[item('/apis/apps/v1', 'deployments')]?.['patch'];
  const webapps = document('apis/example.com/v1').paths[item('/apis/example.com/v1', 'webapps')]?.['patch'];

  test('fieldValidation is a parameter of the PATCH operation that names the kind', () => {
    for (const operation of [deployments, webapps]) {
      const validation = operation?.parameters.find(({ name }) => name === 'fieldValidation');
      expect(validation).toMatchObject({ in: 'query' });
    }
    expect(deployments?.['x-kubernetes-group-version-kind']).toEqual({
      group: 'apps',
      version: 'v1',
      kind: 'Deployment',
    });
    expect(webapps?.['x-kubernetes-group-version-kind']).toEqual({
      group: 'example.com',
      version: 'v1',
      kind: 'WebApp',
    });
  });

  test('strategic merge is among the patch bodies of built-in kinds alone', () => {
    const strategic = 'application/strategic-merge-patch+json';
    expect(Object.keys(deployments?.requestBody?.content ?? {})).toContain(strategic);
    expect(Object.keys(webapps?.requestBody?.content ?? {})).not.toContain(strategic);
    expect(Object.keys(webapps?.requestBody?.content ?? {})).toContain('application/merge-patch+json');
  });

  test('a built-in kind is a component with its kind, merge keys and references', () => {
    const { schemas } = document('apis/apps/v1').components;
    expect(schemas['io.k8s.api.apps.v1.Deployment']).toMatchObject({
      'x-kubernetes-group-version-kind': [{ group: 'apps', version: 'v1', kind: 'Deployment' }],
      properties: {
        spec: { default: {}, allOf: [{ $ref: '#/components/schemas/io.k8s.api.apps.v1.DeploymentSpec' }] },
      },
    });
    expect(schemas['io.k8s.api.core.v1.PodSpec']).toMatchObject({
      properties: { containers: { 'x-kubernetes-patch-merge-key': 'name', 'x-kubernetes-patch-strategy': 'merge' } },
    });
    expect(schemas['io.k8s.apimachinery.pkg.util.intstr.IntOrString']).toEqual({
      format: 'int-or-string',
      oneOf: [{ type: 'integer' }, { type: 'string' }],
    });
    // What only the server itself needs to know is not published.
    expect(JSON.stringify(schemas)).not.toContain('zeroFields');
  });

  test('a custom resource keeps its descriptions and extensions and refers to ObjectMeta', () => {
    const { schemas } = document('apis/example.com/v1').components;
    expect(schemas['com.example.v1.WebApp']).toMatchObject({
      'x-kubernetes-group-version-kind': [{ group: 'example.com', version: 'v1', kind: 'WebApp' }],
      description: 'A web application.',
      required: ['spec'],
      properties: {
        apiVersion: { type: 'string' },
        metadata: { allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }] },
        spec: {
          properties: {
            image: { description: 'Container image to run.', minLength: 1 },
            port: { 'x-kubernetes-int-or-string': true },
            env: { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
          },
          'x-kubernetes-validations': [{ rule: 'self.replicas < 9' }],
        },
      },
    });
    expect(schemas['io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta']).toHaveProperty('properties.labels');
  });

  test('every reference of every document leads to a component', () => {
    const { paths } = get('/openapi/v3') as { paths: Record<string, JsonObject> };
    for (const path of Object.keys(paths)) {
      const text = JSON.stringify(get(`/openapi/v3/${path}`));
      const { schemas } = document(path).components;
      for (const [, name = ''] of text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
        expect(schemas).toHaveProperty([name]);
      }
    }
  });
});

describe('/openapi/v2', () => {
  const { headers, body } = answer('/openapi/v2');
  const definitions = body['definitions'] as Record<string, JsonObject>;

  test('is one document of all groups with an ETag, its references complete', () => {
    expect(headers['etag']).toMatch(/^"[0-9A-F]+"$/);
    expect(body['swagger']).toBe('2.0');
    expect(Object.keys(definitions)).toEqual(
      expect.arrayContaining(['io.k8s.api.apps.v1.Deployment', 'com.example.v1.WebApp']),
    );
    for (const [, name = ''] of JSON.stringify(body).matchAll(/"\$ref":"#\/definitions\/([^"]+)"/g)) {
      expect(definitions).toHaveProperty([name]);
    }
  });

  test('has no keyword that OpenAPI 2 does not know', () => {
    const words = Object.values(definitions).flatMap((definition) => Object.keys(definition));
    expect(new Set(words)).not.toContain('oneOf');
    expect(JSON.stringify(body['paths'])).not.toContain('requestBody');
    expect(definitions['io.k8s.apimachinery.pkg.api.resource.Quantity']).toEqual({ type: 'string' });
  });
});
