import { Buffer } from 'node:buffer';
import { describe, expect, test } from 'vitest';
import { decodeMessage, encodeEnvelope, encodeMessage, messageOf, openEnvelope, watchFrame } from './index.ts';
import type { Message } from './index.ts';

const kind = (apiVersion: string, name: string): Message => {
  const message = messageOf(apiVersion, name);
  if (message === undefined) throw new Error(`no message of ${name}`);
  return message;
};

/** Written by the Go clients of Kubernetes 1.36. */
const written: Readonly<Record<string, string>> = {
  ConfigMap:
    'azhzAAoPCgJ2MRIJQ29uZmlnTWFwElsKNQoBcBIAGgAiACoAMgA4AEIAWgYKAWESATFaBgoBYhIBMmISCg1leGFtcGxlLmNvbS94EgF5EgkKBWVtcHR5EgASCQoBaxIEw6QgMRoKCgNyYXcSAwD/ByAAGgAiAA==',
  Pod: 'azhzAAoJCgJ2MRIDUG9kEp0CChEKAXASABoAIgAqADIAOABCABLyAQoJCgF2EgQSAgoAEqEBCgFjEgduZ2lueDoxKgA6BgoBQRIBMToaCgFOEgAaEwoRCgASDW1ldGFkYXRhLm5hbWVCNAoRCgZtZW1vcnkSBwoFMTI4TWkSDQoDY3B1EgYKBDUwMG0SEAoGbWVtb3J5EgYKBDY0TWlSIQoVEhMKAi9oEgkIARAAGgN3ZWIaACIAEAAYACAAKAAwAGoAcgB6BBAAIACAAQCIAQCQAQCiAQAaACAAMgBCAEoAUgBYAGAAaACCAQCKAQCaAQCyASIKAWsSBkV4aXN0cxoAIglOb0V4ZWN1dGUo//////////9/wgEAGhMKABoAIgAqADIASgBaAHIAiAEAGgAiAA==',
  Lease:
    'azhzAAofChZjb29yZGluYXRpb24uazhzLmlvL3YxEgVMZWFzZRI5ChEKAXASABoAIgAqADIAOABCABIkCgJtZRAPGgwIpbu18AUQiOrcwwIiDAimu7XwBRCI6tzDAigAGgAiAA==',
  Event:
    'azhzAAoLCgJ2MRIFRXZlbnQSiAEKGQoAEglwcm90b2J1Zi0aACIAKgAyADgAQgASGgoJQ29uZmlnTWFwEgAaAXAiACoCdjEyADoAGgRUZXN0IgFtKgQKABIAMggIpbu18AUQADoICKW7tfAFEABAAkoGTm9ybWFsUgwIpbu18AUQiOrcwwJiAkRvcg1leGFtcGxlLmNvbS9jegFpGgAiAA==',
  CustomResourceDefinition:
    'azhzAAozChdhcGlleHRlbnNpb25zLms4cy5pby92MRIYQ3VzdG9tUmVzb3VyY2VEZWZpbml0aW9uEs0CCioKGnBhcnRzLnByb3RvYnVmLmV4YW1wbGUuY29tEgAaACIAKgAyADgAQgASkAIKFHByb3RvYnVmLmV4YW1wbGUuY29tGh0KBXBhcnRzEgRwYXJ0IgRQYXJ0KghQYXJ0TGlzdCIKTmFtZXNwYWNlZDrKAQoCdjEQARgBIr0BCroBCgASACIAKgZvYmplY3QyADoAUABgAHoAkAEA6gGSAQoEc3BlYxKJAQoAEgAiACoGb2JqZWN0MgA6AFAAYAB6AJABAOoBKAoDYW55EiEKABIAIgAqADIAOgBQAGAAegCQAQCoAgCwAgG4AgDAAgDqATcKAW4SMgoAEgAiACoGbnVtYmVyMgA6AEIDCgEyUABZAAAAAAAA+D9gAHoAkAEAqAIAuAIAwAIAqAIAuAIAwAIAqAIAuAIAwAIAOABQABoMEggKABIAIgAqACAAGgAiAA==',
  Scale: 'azhzAAoXCg5hdXRvc2NhbGluZy92MRIFU2NhbGUSHQoRCgFwEgAaACIAKgAyADgAQgASAggDGgQIABIAGgAiAA==',
  DeleteOptions: 'azhzAAoTCgJ2MRINRGVsZXRlT3B0aW9ucxIMIgpGb3JlZ3JvdW5kGgAiAA==',
};

function read(name: string): { object: Record<string, unknown>; bytes: Buffer; message: Message } {
  const bytes = Buffer.from(written[name] ?? '', 'base64');
  const { apiVersion, kind: found, raw } = openEnvelope(bytes);
  const message = kind(apiVersion, found);
  return { object: { apiVersion, kind: found, ...decodeMessage(message, raw) }, bytes, message };
}

describe('what Go wrote', () => {
  test.each(Object.keys(written))('API-B1: %s is read, and written again byte for byte', (name) => {
    const { object, bytes, message } = read(name);
    expect(encodeEnvelope(message, object).toString('hex')).toBe(bytes.toString('hex'));
  });

  test('API-B1: zero values of fields that are always written are left out', () => {
    expect(read('ConfigMap').object).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'p', labels: { a: '1', b: '2' }, annotations: { 'example.com/x': 'y' } },
      data: { empty: '', k: 'ä 1' },
      binaryData: { raw: 'AP8H' },
      immutable: false,
    });
  });

  test('API-B3: times, quantities, int or string, inline structs and integers of 64 bits', () => {
    const { spec } = read('Pod').object as { spec: Record<string, unknown[]> };
    expect(spec['volumes']).toEqual([{ name: 'v', emptyDir: {} }]);
    expect(spec['tolerations']?.[0]).toMatchObject({ tolerationSeconds: 9_223_372_036_854_775_807n });
    expect(spec['containers']?.[0]).toMatchObject({
      resources: { limits: { memory: '128Mi' }, requests: { cpu: '500m', memory: '64Mi' } },
      livenessProbe: { httpGet: { path: '/h', port: 'web' } },
    });
    expect(read('Lease').object).toMatchObject({
      spec: { renewTime: '2020-01-02T03:04:06.678901Z', leaseTransitions: 0 },
    });
    expect(read('Event').object).toMatchObject({ firstTimestamp: '2020-01-02T03:04:05Z', count: 2 });
  });

  test('API-B3: schemas hold JSON, numbers and unions', () => {
    const schema = {
      type: 'object',
      items: [{ type: 'string' }],
      additionalProperties: false,
      default: { b: 1, a: [1.5] },
    };
    const message = kind('apiextensions.k8s.io/v1', 'JSONSchemaProps');
    expect(decodeMessage(message, encodeMessage(message, schema))).toEqual(schema);
    const other = {
      additionalProperties: { type: 'number', maximum: 1.5 },
      items: { type: 'string' },
      dependencies: { a: ['b'] },
    };
    expect(decodeMessage(message, encodeMessage(message, other))).toEqual(other);
  });
});

describe('values', () => {
  const status = kind('v1', 'Status');
  const lease = kind('coordination.k8s.io/v1', 'Lease');

  test.each([0, 1, 127, 128, 16_383, 16_384, 2_147_483_647, -1, -2_147_483_648])('the int32 %d', (code) => {
    const { code: found = 0 } = decodeMessage(status, encodeMessage(status, { code }));
    expect(found).toBe(code);
  });

  test.each([2 ** 28, 2 ** 35, 2 ** 53 - 1, -(2 ** 53) + 1, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n])(
    'the int64 %s',
    (generation) => {
      const given = { metadata: { generation } };
      expect(decodeMessage(lease, encodeMessage(lease, given))).toEqual(given);
    },
  );

  test.each(['', 'a', 'ä', 'x'.repeat(200), `${'y'.repeat(30)}ß`, '\u{1f600}', '\u0000'])('the text %j', (message) => {
    const { message: found = '' } = decodeMessage(status, encodeMessage(status, { message }));
    expect(found).toBe(message);
  });

  test.each([
    '0001-01-01T00:00:01Z',
    '1969-12-31T23:59:59Z',
    '1970-01-01T00:00:00Z',
    '2000-02-29T12:00:00Z',
    '9999-12-31T23:59:59Z',
  ])('the time %s', (creationTimestamp) => {
    const given = { metadata: { creationTimestamp } };
    expect(decodeMessage(lease, encodeMessage(lease, given))).toEqual(given);
  });

  test.each(['1969-12-31T23:59:59.000001Z', '2024-02-29T00:00:00.999999Z'])('the time %s', (renewTime) => {
    const given = { spec: { renewTime } };
    expect(decodeMessage(lease, encodeMessage(lease, given))).toEqual(given);
  });

  test('maps are sorted by the bytes of their keys, and may be named as what every object has', () => {
    const map = JSON.parse('{"z":"1","__proto__":"2","10":"3","9":"4"}') as Record<string, string>;
    const bytes = encodeMessage(kind('v1', 'ConfigMap'), { data: map });
    expect(
      bytes
        .toString('latin1')
        .replaceAll(/[^\w]+/g, ' ')
        .trim(),
    ).toContain('10 3 9 4 __proto__ 2 z 1');
    expect(Object.entries((decodeMessage(kind('v1', 'ConfigMap'), bytes)['data'] ?? {}) as object)).toHaveLength(4);
  });

  test('a field that comes twice is laid over what came first; packed numbers are read', () => {
    const bytes = Buffer.from('0a030a0161' + '0a031a016e' + '1201781203' + '793132', 'hex');
    const list = kind('v1', 'PodSecurityContext');
    expect(decodeMessage(list, Buffer.from('22020102' + '2003', 'hex'))).toEqual({ supplementalGroups: [1, 2, 3] });
    expect(decodeMessage(kind('v1', 'ConfigMap'), bytes.subarray(0, 10))).toEqual({
      metadata: { name: 'a', namespace: 'n' },
    });
  });
});

test('API-B2: a frame of a watch is its length, the type and an envelope', () => {
  const envelope = encodeEnvelope(kind('v1', 'ConfigMap'), { apiVersion: 'v1', kind: 'ConfigMap' });
  const frame = watchFrame('ADDED', envelope);
  expect(frame.readUInt32BE()).toBe(frame.length - 4);
  const event = decodeMessage(kind('v1', 'Status'), Uint8Array.of());
  expect(event).toEqual({});
  expect(frame.subarray(4, 11).toString('latin1')).toBe('\n\u0005ADDED');
  expect(frame.subarray(-envelope.length)).toEqual(envelope);
});
