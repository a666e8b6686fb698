import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { condition, customResource, listMap, rule } from './index.ts';

class WebApp extends customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'WebApp',
  scope: 'Namespaced',
  shortNames: ['wa'],
  spec: z
    .object({
      image: z.string().min(1).describe('Container image to run.'),
      replicas: z.int().min(0).max(100).default(1),
      port: z.int().min(1).max(65535).default(80),
      env: z
        .array(z.object({ name: z.string(), value: z.string() }))
        .meta(listMap('name'))
        .default([]),
      tlsSecret: z.string().optional(),
    })
    .meta(rule('!self.image.endsWith(":latest")', 'pin the image tag')),
  status: z.object({ availableReplicas: z.int().optional(), node: z.string().optional() }),
  columns: [
    { name: 'Image', path: '.spec.image' },
    { name: 'Ready', path: condition('Ready') },
  ],
  scale: { spec: '.spec.replicas', status: '.status.availableReplicas' },
}) {}

const written = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'webapps.example.com' },
  spec: {
    group: 'example.com',
    names: { kind: 'WebApp', listKind: 'WebAppList', plural: 'webapps', singular: 'webapp', shortNames: ['wa'] },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: {
              apiVersion: { type: 'string' },
              kind: { type: 'string' },
              metadata: { type: 'object' },
              spec: {
                type: 'object',
                required: ['image'],
                properties: {
                  image: { description: 'Container image to run.', type: 'string', minLength: 1 },
                  replicas: { type: 'integer', format: 'int64', minimum: 0, maximum: 100, default: 1 },
                  port: { type: 'integer', format: 'int64', minimum: 1, maximum: 65535, default: 80 },
                  env: {
                    type: 'array',
                    default: [],
                    items: {
                      type: 'object',
                      required: ['name', 'value'],
                      properties: { name: { type: 'string' }, value: { type: 'string' } },
                    },
                    'x-kubernetes-list-map-keys': ['name'],
                    'x-kubernetes-list-type': 'map',
                  },
                  tlsSecret: { type: 'string' },
                },
                'x-kubernetes-validations': [{ rule: '!self.image.endsWith(":latest")', message: 'pin the image tag' }],
              },
              status: {
                type: 'object',
                properties: {
                  availableReplicas: { type: 'integer', format: 'int64' },
                  node: { type: 'string' },
                  observedGeneration: {
                    description: 'The generation that was last handled.',
                    type: 'integer',
                    format: 'int64',
                  },
                  conditions: {
                    description: 'Conditions of the object, by type.',
                    type: 'array',
                    items: {
                      type: 'object',
                      required: ['lastTransitionTime', 'message', 'reason', 'status', 'type'],
                      properties: {
                        lastTransitionTime: {
                          description: 'When the status last changed.',
                          type: 'string',
                          format: 'date-time',
                        },
                        message: { description: 'The reason, for people.', type: 'string', maxLength: 32768 },
                        observedGeneration: {
                          description: 'The generation that this condition describes.',
                          type: 'integer',
                          format: 'int64',
                          minimum: 0,
                        },
                        reason: {
                          description: 'The reason as one CamelCase word.',
                          type: 'string',
                          minLength: 1,
                          maxLength: 1024,
                          pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
                        },
                        status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
                        type: {
                          type: 'string',
                          maxLength: 316,
                          pattern:
                            '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
                        },
                      },
                    },
                    'x-kubernetes-list-map-keys': ['type'],
                    'x-kubernetes-list-type': 'map',
                  },
                },
              },
            },
          },
        },
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.availableReplicas' },
        },
        additionalPrinterColumns: [
          { name: 'Image', type: 'string', jsonPath: '.spec.image' },
          { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
          { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ],
      },
    ],
  },
};

describe('CRD-N10: the manifest is deterministic', () => {
  test('it is what is written here, to the byte: keys in one order, required sorted', () => {
    expect(JSON.stringify(WebApp.manifest(), null, 2)).toBe(JSON.stringify(written, null, 2));
  });

  test('two calls give equal, separate objects', () => {
    const first = WebApp.manifest();
    first.metadata.name = 'changed';
    first.spec.versions.pop();
    expect(JSON.stringify(WebApp.manifest())).toBe(JSON.stringify(written));
  });

  test('required is sorted, whatever the order of the fields; the order of the fields stays', () => {
    const spec = z.object({ b: z.string(), a: z.string(), c: z.string().optional() });
    const { versions } = customResource({ group: 'example.com', version: 'v1', kind: 'Order', spec }).manifest().spec;
    const schema = versions[0]?.schema?.openAPIV3Schema?.properties?.['spec'];
    expect(schema?.required).toEqual(['a', 'b']);
    expect(Object.keys(schema?.properties ?? {})).toEqual(['b', 'a', 'c']);
  });

  test('it is made from the input form: a defaulted field is not required', () => {
    expect(written.spec.versions[0]?.schema.openAPIV3Schema.properties.spec.required).not.toContain('replicas');
    expect(WebApp.manifest().spec.versions[0]?.schema?.openAPIV3Schema?.properties?.['spec']?.required).toEqual([
      'image',
    ]);
  });
});

test('CRD-N9: the root holds type, description, properties, required and rules; metadata is a bare object', () => {
  const spec = z.looseObject({ a: z.string() }).meta({ title: 't' });
  const thing = customResource({
    group: 'example.com',
    version: 'v1',
    kind: 'Rooted',
    description: 'd',
    spec,
    rules: [rule('size(self.metadata.name) <= 52', 'a shorter name')],
  });
  const root = thing.manifest().spec.versions[0]?.schema?.openAPIV3Schema;
  expect(Object.keys(root ?? {})).toEqual([
    'description',
    'type',
    'required',
    'properties',
    'x-kubernetes-validations',
  ]);
  expect(root?.properties?.['metadata']).toEqual({ type: 'object' });
  expect(root?.['x-kubernetes-validations']).toEqual([
    { rule: 'size(self.metadata.name) <= 52', message: 'a shorter name' },
  ]);
});

describe('CRD-N6: spec is required unless it is optional or defaulted', () => {
  const spec = z.object({ a: z.string() });
  const requiredOf = (schema: typeof spec | z.ZodOptional<typeof spec> | z.ZodDefault<typeof spec>): unknown =>
    customResource({ group: 'example.com', version: 'v1', kind: 'Specced', spec: schema }).manifest().spec.versions[0]
      ?.schema?.openAPIV3Schema?.required;
  test('plain', () => expect(requiredOf(spec)).toEqual(['spec']));
  test('optional', () => expect(requiredOf(spec.optional())).toBeUndefined());
  test('defaulted', () => expect(requiredOf(spec.default({ a: 'x' }))).toBeUndefined());
});

describe('CRD-N11: size', () => {
  const wordy = z.object(
    Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f${i}`, z.string().describe('é'.repeat(500))])),
  );
  const define = (descriptions?: number | 'none') =>
    customResource({ group: 'example.com', version: 'v1', kind: 'Wordy', spec: wordy, descriptions });

  test('a manifest that kubectl apply cannot annotate warns', () => {
    expect(define().warnings.map(({ code }) => code)).toEqual(['CRD_MANIFEST_LARGE']);
  });

  test('of 262144 bytes it does not, of one more it does', () => {
    const of = (length: number) =>
      customResource({
        group: 'example.com',
        version: 'v1',
        kind: 'Wordy',
        spec: z.object({ a: z.string().describe('x'.repeat(length)) }),
      });
    const rest = JSON.stringify(of(1).manifest()).length - 1;
    expect(of(262_144 - rest).warnings).toEqual([]);
    expect(of(262_145 - rest).warnings.map(({ code }) => code)).toEqual(['CRD_MANIFEST_LARGE']);
  });

  test('descriptions can be shortened or left out', () => {
    const descriptionIn = (thing: ReturnType<typeof define>): string | undefined =>
      thing.manifest().spec.versions[0]?.schema?.openAPIV3Schema?.properties?.['spec']?.properties?.['f0']?.description;
    expect(define(10).warnings).toEqual([]);
    expect(descriptionIn(define(10))).toBe(`${'é'.repeat(9)}…`);
    expect(descriptionIn(define('none'))).toBeUndefined();
    expect(descriptionIn(define(500))).toBe('é'.repeat(500));
  });
});

test('a manifest refuses an option it does not have', () => {
  expect(() => WebApp.manifest({ conversio: {} } as object)).toThrow(
    "manifest() has no option 'conversio'; it has conversion",
  );
});
