import { expect, test } from 'vitest';
import { parseGo } from './go-source.ts';
import { printMessageOutput, servedMessages } from './message-output.ts';
import { formatMessages, messagesIn, readMessages } from './messages.ts';
import { parseProto } from './proto-source.ts';

const proto = `syntax = "proto2";

package k8s.io.api.core.v1;

message Thing {
  // A comment = 9;
  optional string name = 1;

  repeated .k8s.io.api.core.v1.Part parts = 3;

  map<string, bytes> data = 2;
}

message Empty {
}
`;

test('a published file is read as messages of fields', () => {
  const { name, messages } = parseProto(proto);
  expect(name).toBe('k8s.io.api.core.v1');
  expect(messages.get('Thing')).toEqual([
    { number: 1, name: 'name', label: 'optional', type: 'string' },
    { number: 3, name: 'parts', label: 'repeated', type: '.k8s.io.api.core.v1.Part' },
    { number: 2, name: 'data', label: 'map', type: 'bytes' },
  ]);
  expect(messages.get('Empty')).toEqual([]);
});

test('a line that is neither a comment nor a field is an error', () => {
  expect(() => parseProto(proto.replace('optional string', 'oneof'))).toThrow(
    'k8s.io.api.core.v1.Thing: cannot read "oneof name = 1;"',
  );
});

test('the number and the name of a Go field are read beside its JSON name', () => {
  const { structs } = parseGo(
    'type Pod struct {\n\tmetav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1,opt,name=metadata"`\n\tUID types.UID `json:"uid" protobuf:"bytes,5,opt,name=uid"`\n\tKind string `json:"kind"`\n}\n',
  );
  expect(structs.get('Pod')?.map(({ goName, name, number }) => [goName, name, number])).toEqual([
    ['ObjectMeta', 'metadata', 1],
    ['UID', 'uid', 5],
    ['Kind', 'kind', undefined],
  ]);
});

test('messages in fields are named with their package', () => {
  expect(messagesIn('name=1!s =2!VolumeSource:VolumeSource time=3?meta/v1.Time', 'core/v1')).toEqual([
    'core/v1.VolumeSource',
    'meta/v1.Time',
  ]);
});

test('API-B3: the facts hold every message of the published files, the output those of versions that are on by default', () => {
  const facts = readMessages();
  expect(Object.values(facts).reduce((sum, messages) => sum + Object.keys(messages).length, 0)).toBe(1198);
  const served = servedMessages(facts);
  expect(served['core/v1']?.['ConfigMap']).toBe(
    'metadata=1!meta/v1.ObjectMeta:ObjectMeta data=2%s binaryData=3%y immutable=4?b',
  );
  expect(served['resource/v1beta1']).toBeUndefined();
  expect(formatMessages(JSON.parse(printMessageOutput()) as typeof facts)).toBe(printMessageOutput());
});
