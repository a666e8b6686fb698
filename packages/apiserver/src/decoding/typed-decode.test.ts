import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { builtinSchema } from '../kinds/builtin.ts';
import { decodeTyped } from './typed-decode.ts';

const core = 'io.k8s.api.core.v1';
const decode = (kind: string, value: JsonObject) =>
  decodeTyped(value, builtinSchema(`${core}.${kind}`), { name: kind });

describe('what fits', () => {
  test('null is absent, empty lists and maps are left out, empty structs stay', () => {
    const pod = {
      metadata: { labels: {}, annotations: null, finalizers: [] },
      spec: {
        containers: [{ name: 'c', args: [], resources: {} }],
        volumes: [{ name: 'v', emptyDir: {} }],
        nodeName: null,
      },
    };
    expect(decode('Pod', pod).value).toEqual({
      metadata: {},
      spec: { containers: [{ name: 'c', resources: {} }], volumes: [{ name: 'v', emptyDir: {} }] },
    });
  });

  test('an empty list of managedFields is a wish, and stays', () => {
    expect(decode('ConfigMap', { metadata: { managedFields: [] } }).value).toEqual({ metadata: { managedFields: [] } });
  });

  test('quantities are text, ports are numbers or text, free data is as it was', () => {
    const containers = [
      { name: 'c', resources: { limits: { cpu: 2, memory: '1Gi' } }, livenessProbe: { httpGet: { port: 'http' } } },
    ];
    const { value, problem } = decode('Pod', { spec: { containers } });
    expect(problem).toBeUndefined();
    expect(value).toEqual({
      spec: {
        containers: [
          {
            name: 'c',
            resources: { limits: { cpu: '2', memory: '1Gi' } },
            livenessProbe: { httpGet: { port: 'http' } },
          },
        ],
      },
    });
  });

  test('keys named as parts of every object are data', () => {
    const data = JSON.parse('{"__proto__":"a","constructor":"b"}') as JsonObject;
    expect(decode('ConfigMap', { data }).value).toEqual({ data });
  });
});

test('fields the type does not have are dropped and named, with their positions, as they came', () => {
  const pod = { nope: 1, spec: { containers: [{ name: 'a' }, { name: 'b', bad: { x: 1 } }] }, metadata: { odd: 1 } };
  const { value, unknown } = decode('Pod', pod);
  expect(unknown).toEqual(['nope', 'spec.containers[1].bad', 'metadata.odd']);
  expect(value).toEqual({ metadata: {}, spec: { containers: [{ name: 'a' }, { name: 'b' }] } });
});

test.each([
  ['ConfigMap', { data: { a: 5 } }, 'json: cannot unmarshal number into Go struct field ConfigMap.data of type string'],
  [
    'ConfigMap',
    { data: ['a'] },
    'json: cannot unmarshal array into Go struct field ConfigMap.data of type map[string]string',
  ],
  ['Pod', { spec: 'x' }, 'json: cannot unmarshal string into Go struct field Pod.spec of type v1.PodSpec'],
  [
    'Pod',
    { spec: { containers: [{ image: true }] } },
    'json: cannot unmarshal bool into Go struct field Container.spec.containers.image of type string',
  ],
  [
    'Pod',
    { spec: { hostNetwork: 'yes' } },
    'json: cannot unmarshal string into Go struct field PodSpec.spec.hostNetwork of type bool',
  ],
  [
    'Pod',
    { spec: { priority: 1.5 } },
    'json: cannot unmarshal number 1.5 into Go struct field PodSpec.spec.priority of type int32',
  ],
  ['Secret', { data: { a: '!!' } }, 'illegal base64 data at input byte 0'],
  ['Secret', { data: { a: 'YWI' } }, 'illegal base64 data at input byte 0'],
])('a %s with %j does not fit', (kind, value, problem) => {
  expect(decode(kind, value).problem).toBe(problem);
});
