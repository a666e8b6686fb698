import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import type { Schema } from '../values/index.ts';
import { trackUpdate } from './track-update.ts';
import { withZeroStructs } from './zero-structs.ts';

const text: Schema = { type: 'string' };
const labels: Schema = { type: 'object', additionalProperties: text };
const struct = (properties: Record<string, Schema>, zeroFields: NonNullable<Schema['zeroFields']> = {}): Schema => ({
  type: 'object',
  zeroFields,
  properties,
});
const container = struct(
  { name: text, image: text, resources: struct({ limits: labels }) },
  { name: '', resources: {} },
);
/** A Deployment in small, with what is in each even if nobody set it. */
const schema: Schema = struct(
  {
    apiVersion: text,
    kind: text,
    metadata: struct({ name: text, labels }),
    spec: struct(
      {
        selector: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { matchLabels: labels } },
        strategy: struct({ type: text }),
        template: struct(
          {
            metadata: struct({ labels }),
            spec: struct(
              {
                containers: {
                  type: 'array',
                  'x-kubernetes-list-type': 'map',
                  'x-kubernetes-list-map-keys': ['name'],
                  items: container,
                },
                securityContext: { type: 'object', properties: { user: text } },
              },
              { containers: null },
            ),
          },
          { metadata: {}, spec: {} },
        ),
      },
      { strategy: {}, template: {} },
    ),
    status: struct({ replicas: { type: 'integer' } }),
  },
  { metadata: {}, spec: {}, status: {} },
);

test('an empty object of a built-in kind holds its structs, and nil where a list is required', () => {
  expect(withZeroStructs({}, schema)).toEqual({
    metadata: {},
    spec: { strategy: {}, template: { metadata: {}, spec: { containers: null } } },
    status: {},
  });
});

test('what is there is kept, and filled inside items', () => {
  expect(withZeroStructs([{ name: 'c', image: 'i' }], { type: 'array', items: container })).toEqual([
    { name: 'c', image: 'i', resources: {} },
  ]);
});

describe('API-S3: the maps a create is recorded to have made', () => {
  const updated: JsonObject = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd', labels: { a: '1' } },
    spec: {
      selector: { matchLabels: { a: '1' } },
      template: {
        metadata: { labels: { a: '1' } },
        spec: { containers: [{ name: 'c', image: 'i' }], securityContext: {} },
      },
    },
  };
  const fieldsV1 = (builtin: boolean): unknown => {
    const write = { schema, manager: 'u', apiVersion: 'apps/v1', now: '2030-01-01T00:00:00Z' };
    const created = trackUpdate({ ...write, updated, builtin });
    const [entry] = (created['metadata'] as JsonObject)['managedFields'] as JsonObject[];
    return entry?.['fieldsV1'];
  };

  test('leave structs out in a built-in kind, where they are always there', () => {
    expect(fieldsV1(true)).toEqual({
      'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } },
      'f:spec': {
        'f:selector': {},
        'f:template': {
          'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } },
          'f:spec': {
            'f:containers': { 'k:{"name":"c"}': { '.': {}, 'f:image': {}, 'f:name': {}, 'f:resources': {} } },
            'f:securityContext': {},
          },
        },
      },
    });
  });

  test('include them in a custom resource', () => {
    expect(fieldsV1(false)).toEqual({
      'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } },
      'f:spec': {
        '.': {},
        'f:selector': {},
        'f:template': {
          '.': {},
          'f:metadata': { '.': {}, 'f:labels': { '.': {}, 'f:a': {} } },
          'f:spec': {
            '.': {},
            'f:containers': { '.': {}, 'k:{"name":"c"}': { '.': {}, 'f:image': {}, 'f:name': {} } },
            'f:securityContext': {},
          },
        },
      },
    });
  });
});
