import { describe, expect, test } from 'vitest';
import { alphabetical, encodeJson, structural } from './encode.ts';

describe('the order of keys', () => {
  test('API-N4: custom resources alphabetically, at every depth', () => {
    const object = {
      kind: 'K',
      spec: { b: 1, a: [{ d: 1, c: 2 }] },
      apiVersion: 'v1',
      metadata: { name: 'n', labels: {} },
    };
    expect(JSON.stringify(alphabetical(object))).toBe(
      '{"apiVersion":"v1","kind":"K","metadata":{"labels":{},"name":"n"},"spec":{"a":[{"c":2,"d":1}],"b":1}}',
    );
  });

  test('data named __proto__ stays data', () => {
    const object = JSON.parse('{"b":1,"__proto__":{"x":1}}') as Record<string, number>;
    expect(JSON.stringify(alphabetical(object))).toBe('{"__proto__":{"x":1},"b":1}');
  });

  test('built-in kinds with kind, version and metadata first, in the order of their structs', () => {
    const entry = {
      fieldsV1: {},
      manager: 'm',
      apiVersion: 'v1',
      time: 't',
      operation: 'Update',
      fieldsType: 'FieldsV1',
    };
    const metadata = { managedFields: [entry], labels: {}, uid: 'u', name: 'n', namespace: 'd', resourceVersion: '1' };
    const text = JSON.stringify(structural({ data: {}, metadata, apiVersion: 'v1', kind: 'ConfigMap' }));
    expect(text).toBe(
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"n","namespace":"d","uid":"u","resourceVersion":"1","labels":{},' +
        '"managedFields":[{"manager":"m","operation":"Update","apiVersion":"v1","time":"t","fieldsType":"FieldsV1","fieldsV1":{}}]},"data":{}}',
    );
    const list = structural({ items: [{ data: {}, metadata: { uid: 'u', name: 'n' } }], kind: 'ConfigMapList' });
    expect(JSON.stringify(list)).toBe(
      '{"kind":"ConfigMapList","items":[{"metadata":{"name":"n","uid":"u"},"data":{}}]}',
    );
  });
});

test('one line with its end for programs, indented for people', () => {
  expect(encodeJson({ a: [1] }, false)).toBe('{"a":[1]}\n');
  expect(encodeJson({ a: [1] }, true)).toBe('{\n  "a": [\n    1\n  ]\n}');
});
