import { Buffer } from 'node:buffer';
import { expect, test } from 'vitest';
import { decodeMessage, encodeMessage, type Message, messageOf, openEnvelope, ProtobufProblem } from './index.ts';

const configMap = messageOf('v1', 'ConfigMap') as Message;

// The words are those of the decoders that Kubernetes generates.
test.each([
  ['ff', 'unexpected EOF'],
  ['ffffffffffffffffffffff', 'proto: integer overflow'],
  ['0a05', 'unexpected EOF'],
  ['0affffffffffffffffff01', 'proto: negative length found during unmarshaling'],
  ['0affffffffffffffff7f', 'proto: negative length found during unmarshaling'],
  ['0c', 'proto: ConfigMap: wiretype end group for non-group'],
  ['00', 'proto: ConfigMap: illegal tag 0 (wire type 0)'],
  ['8080808040', 'proto: ConfigMap: illegal tag -2147483648 (wire type 17179869184)'],
  ['0801', 'proto: wrong wireType = 0 for field ObjectMeta'],
  ['0a0208 01'.replace(' ', ''), 'proto: wrong wireType = 0 for field Name'],
  ['2201', 'proto: wrong wireType = 2 for field Immutable'],
  ['12020a05', 'unexpected EOF'],
  ['7b7a01', 'unexpected EOF'],
  ['7f', 'proto: illegal wireType 7'],
  ['7e', 'proto: illegal wireType 6'],
  ['7bfc01', undefined],
  ['7aff01', 'unexpected EOF'],
  ['79', 'unexpected EOF'],
])('%s: %s', (hex, problem) => {
  const decode = (): unknown => decodeMessage(configMap, Buffer.from(hex, 'hex'));
  if (problem === undefined) expect(decode()).toEqual({});
  else expect(decode).toThrow(new ProtobufProblem(problem));
});

test.each([
  ['', 'empty data'],
  ['6b387300', 'empty body'],
  ['6b3873', 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]'],
  ['6b387300ffffff', 'unexpected EOF'],
])('the envelope %s: %s', (hex, problem) => {
  expect(() => openEnvelope(Buffer.from(hex, 'hex'))).toThrow(new ProtobufProblem(problem));
});

test('messages that hold themselves are read to a bound', () => {
  const message = messageOf('apiextensions.k8s.io/v1', 'JSONSchemaProps') as Message;
  let schema: object = {};
  for (let depth = 0; depth < 900; depth += 1) schema = { not: schema };
  const bytes = encodeMessage(message, schema);
  expect(decodeMessage(message, bytes)).toHaveProperty('not');
  let deep: Uint8Array = Buffer.alloc(0);
  for (let depth = 0; depth < 1100; depth += 1) {
    const length = deep.length < 128 ? [deep.length] : [(deep.length & 127) | 128, deep.length >> 7];
    deep = Buffer.concat([Uint8Array.of(0xe2, 0x01, ...length), deep]);
  }
  expect(() => decodeMessage(message, deep)).toThrow(/^exceeded max depth/);
});

test('what should be JSON and is not is refused', () => {
  const revision = messageOf('apps/v1', 'ControllerRevision') as Message;
  expect(() => decodeMessage(revision, Buffer.from('12030a017b', 'hex'))).toThrow(/^a message holds what is not JSON/);
});
