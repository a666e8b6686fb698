import type { Buffer } from 'node:buffer';
import type { JsonObject } from 'kilter/api';
import { expect, test } from 'vitest';
import { builtinResources } from '../kinds/index.ts';
import { decodeMessage, messageOf, openEnvelope, type Message } from '../protobuf/index.ts';
import { discover } from './discover.ts';
import { messagesV2, messagesV3 } from './openapi-messages.ts';
import { openApiProtobuf } from './openapi-protobuf.ts';

const resources = builtinResources();
const accept = (dialect: string): string => `application/com.github.proto-openapi.spec.${dialect}@v1.0+protobuf`;

interface Named {
  readonly name: string;
  readonly value: JsonObject;
}

const namesOf = (list: readonly Named[]): string[] => list.map(({ name }) => name);
const valueOf = (list: readonly Named[], name: string): JsonObject =>
  list.find((one) => one.name === name)?.value ?? {};

test('API-O3: OpenAPI 2 is protobuf for those who ask for nothing else', () => {
  const plain = JSON.parse(discover(resources, '/openapi/v2')?.body as string) as Record<string, JsonObject>;
  const packed = discover(resources, '/openapi/v2', { accept: accept('v2') });
  expect(packed?.headers).toMatchObject({
    'content-type': 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
    vary: 'Accept-Encoding, Accept',
  });
  const document = decodeMessage(messagesV2.get('openapi.Document'), packed?.body as Buffer) as {
    swagger: string;
    paths: { path: Named[] };
    definitions: { list: Named[] };
  };
  expect(document.swagger).toBe('2.0');
  expect(namesOf(document.paths.path)).toEqual(Object.keys(plain['paths'] ?? {}));
  expect(namesOf(document.definitions.list)).toEqual(Object.keys(plain['definitions'] ?? {}));
  const configMap = valueOf(document.definitions.list, 'io.k8s.api.core.v1.ConfigMap');
  expect(configMap).toMatchObject({
    type: { list: ['object'] },
    extension: [
      {
        name: 'x-kubernetes-group-version-kind',
        value: { yaml: '[{"group":"","version":"v1","kind":"ConfigMap"}]\n' },
      },
    ],
  });
  const item = valueOf(document.paths.path, '/api/v1/namespaces/{namespace}/configmaps/{name}');
  expect(item['parameters']).toContainEqual({
    parameter: { other: { path: { name: 'name', in: 'path', required: true, type: 'string' } } },
  });
  expect(item['patch']).toMatchObject({ operationId: 'patchCoreV1NamespacedConfigMap' });
});

test('API-O3: OpenAPI 3 too, by group and version', () => {
  const packed = discover(resources, '/openapi/v3/apis/apps/v1', { accept: accept('v3') });
  expect(packed?.headers['content-type']).toBe('application/com.github.proto-openapi.spec.v3.v1.0+protobuf');
  const document = decodeMessage(messagesV3.get('openapi.Document'), packed?.body as Buffer) as {
    components: { schemas: { list: Named[] } };
  };
  const spec = valueOf(document.components.schemas.list, 'io.k8s.api.apps.v1.DeploymentSpec')['schema'] as unknown as {
    properties: { list: Named[] };
  };
  expect(valueOf(spec.properties.list, 'replicas')).toEqual({ schema: { type: 'integer', format: 'int32' } });
  expect(valueOf(spec.properties.list, 'selector')['schema']).toMatchObject({
    allOf: [{ reference: { $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector' } }],
  });
});

test('API-O3: whoever takes JSON first gets it; what nobody serves is 406', () => {
  const type = (wanted: string): string | undefined =>
    discover(resources, '/openapi/v2', { accept: wanted })?.headers['content-type'];
  expect(type(`application/json,${accept('v2')}`)).toBe('application/json');
  expect(type(`${accept('v2')},application/json`)).toMatch(/protobuf$/);
  expect(discover(resources, '/openapi/v2', { accept: accept('v3') })?.status).toBe(406);
});

test('keywords of both dialects', () => {
  const keywords = {
    type: 'array',
    items: { type: 'string', pattern: 'a' },
    enum: ['a', 1],
    default: 'x',
    additionalProperties: false,
    anyOf: [{ required: ['a'] }],
    not: { type: 'string' },
    maximum: 1.5,
    uniqueItems: false,
    'x-kubernetes-validations': [{ rule: 'true' }],
  };
  const document = { openapi: '3.0.0', info: {}, paths: {}, components: { schemas: { a: keywords } } };
  const read = decodeMessage(
    messagesV3.get('openapi.Document'),
    openApiProtobuf({ text: JSON.stringify(document), hash: '' }, 'v3'),
  );
  expect(read).toMatchObject({
    components: {
      schemas: {
        list: [
          {
            name: 'a',
            value: {
              schema: {
                type: 'array',
                items: { list: [{ schema: { type: 'string', pattern: 'a' } }] },
                enum: [{ yaml: '"a"\n' }, { yaml: '1\n' }],
                default: { string: 'x' },
                additionalProperties: { boolean: false },
                anyOf: [{ schema: { required: ['a'] } }],
                not: { type: 'string' },
                maximum: 1.5,
                extension: [{ name: 'x-kubernetes-validations', value: { yaml: '[{"rule":"true"}]\n' } }],
              },
            },
          },
        ],
      },
    },
  });
});

test('API-B2: aggregated discovery is protobuf where that is asked for first', () => {
  const parameters = ';g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  const found = discover(resources, '/apis', {
    accept: `application/vnd.kubernetes.protobuf${parameters},application/json`,
  });
  expect(found?.headers['content-type']).toBe(`application/vnd.kubernetes.protobuf${parameters}`);
  const { apiVersion, kind, raw } = openEnvelope(found?.body as Buffer);
  expect([apiVersion, kind]).toEqual(['apidiscovery.k8s.io/v2', 'APIGroupDiscoveryList']);
  const { items } = decodeMessage(messageOf(apiVersion, kind) as Message, raw) as { items: { metadata: JsonObject }[] };
  expect(items.map(({ metadata }) => metadata['name'])).toContain('apps');
});
