import { describe, expect, test } from 'vitest';
import { accepts, bodyFormatOf, negotiate, patchTypeOf, type Representation } from './media-types.ts';

const json = (as?: Representation['as'], pretty = false): Representation => ({
  format: 'json',
  as,
  contentType: 'application/json',
  pretty,
});
const yaml: Representation = { format: 'yaml', as: undefined, contentType: 'application/yaml', pretty: false };
const protobufType = 'application/vnd.kubernetes.protobuf';
const protobuf = (as?: Representation['as']): Representation => ({
  format: 'protobuf',
  as,
  contentType: protobufType,
  pretty: false,
});
const form = (as: string, version = 'v1'): string => `application/json;as=${as};v=${version};g=meta.k8s.io`;

describe('Accept', () => {
  test.each<[string | undefined, Representation | undefined]>([
    [undefined, json()],
    ['', json()],
    ['*/*', json()],
    ['application/*', json()],
    ['application/json', json()],
    ['application/json;q=0.9', json()],
    ['application/json;pretty=1', json(undefined, true)],
    ['application/yaml', yaml],
    ['text/plain, application/yaml', yaml],
    ['application/yaml, application/json', yaml],
    ['application/json;q=0.1, application/yaml', yaml],
    ['application/yaml;q=0.5, application/json;q=0.9', json()],
    ['*/*, application/yaml', yaml],
    ['application/vnd.kubernetes.protobuf, */*', protobuf()],
    ['application/vnd.kubernetes.protobuf;stream=watch', protobuf()],
    [`${protobufType};as=PartialObjectMetadata;g=meta.k8s.io;v=v1`, protobuf('PartialObjectMetadata')],
    [`${protobufType};as=Table;g=meta.k8s.io;v=v1,application/json`, json()],
    [`${protobufType};as=Table;g=meta.k8s.io;v=v1`, undefined],
    [form('Table'), json('Table')],
    [`${form('Table')},${form('Table', 'v1beta1')},application/json`, json('Table')],
    [`${form('Table', 'v9')},application/json`, json()],
    [form('PartialObjectMetadata'), json('PartialObjectMetadata')],
    [form('PartialObjectMetadataList'), json('PartialObjectMetadataList')],
    [form('Foo'), undefined],
    ['application/json;as=Table;v=v1;g=other', undefined],
    ['application/vnd.kubernetes.protobuf', protobuf()],
    ['text/plain', undefined],
  ])('%s', (accept, negotiated) => {
    expect(negotiate(accept)).toEqual(negotiated);
  });

  test('API-B2: custom resources have no messages, but their metadata has', () => {
    expect(negotiate(`${protobufType},application/json`, { custom: true })).toEqual(json());
    expect(negotiate(protobufType, { custom: true })).toBeUndefined();
    const partial = `${protobufType};as=PartialObjectMetadata;g=meta.k8s.io;v=v1`;
    expect(negotiate(partial, { custom: true })).toEqual(protobuf('PartialObjectMetadata'));
  });

  test('where there are no forms, a range that asks for one is passed over', () => {
    expect(negotiate(form('Table'), { forms: false })).toBeUndefined();
    expect(negotiate(`${form('Table')},application/yaml`, { forms: false })).toEqual(yaml);
  });

  test.each([
    [undefined, true],
    ['*/*', true],
    ['text/html, application/json;as=Foo', true],
    ['application/*', false],
    ['text/html', false],
  ])('a route that writes JSON is open to %s: %s', (accept, open) => {
    expect(accepts(accept, ['application/json'])).toBe(open);
  });
});

describe('Content-Type', () => {
  test.each([
    [undefined, 'json'],
    ['application/json', 'json'],
    ['Application/JSON; charset=utf-8', 'json'],
    ['application/yaml', 'yaml'],
    ['application/vnd.kubernetes.protobuf', 'protobuf'],
    ['text/plain', 'unknown'],
  ])('%s is %s', (type, format) => {
    expect(bodyFormatOf(type)).toBe(format);
  });

  test.each([
    ['application/json-patch+json', 'json'],
    ['application/merge-patch+json; charset=utf-8', 'merge'],
    ['application/strategic-merge-patch+json', 'strategic'],
    ['application/apply-patch+yaml', 'apply'],
    ['application/json', undefined],
    ['application/apply-patch+cbor', undefined],
    [undefined, undefined],
  ])('%s is the patch language %s', (type, language) => {
    expect(patchTypeOf(type)).toBe(language);
  });
});
