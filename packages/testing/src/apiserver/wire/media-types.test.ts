import { describe, expect, test } from 'vitest';
import { bodyFormatOf, negotiate, type Negotiated, patchTypeOf, type Representation } from './media-types.ts';

const json = (as?: Representation['as']): Representation => ({ format: 'json', as, contentType: 'application/json' });
const yaml: Representation = { format: 'yaml', as: undefined, contentType: 'application/yaml' };
const form = (as: string, version = 'v1'): string => `application/json;as=${as};v=${version};g=meta.k8s.io`;

describe('Accept', () => {
  test.each<[string | undefined, Negotiated]>([
    [undefined, json()],
    ['', json()],
    ['*/*', json()],
    ['application/*', json()],
    ['application/json', json()],
    ['application/json;q=0.9', json()],
    ['application/yaml', yaml],
    ['text/plain, application/yaml', yaml],
    ['application/yaml, application/json', yaml],
    ['application/vnd.kubernetes.protobuf, */*', json()],
    [form('Table'), json('Table')],
    [`${form('Table')},${form('Table', 'v1beta1')},application/json`, json('Table')],
    [`${form('Table', 'v9')},application/json`, json()],
    [form('PartialObjectMetadata'), json('PartialObjectMetadata')],
    [form('PartialObjectMetadataList'), json('PartialObjectMetadataList')],
    [form('Foo'), 'unsupported'],
    ['application/json;as=Table;v=v1;g=other', 'unsupported'],
    ['application/vnd.kubernetes.protobuf', 'unsupported'],
    ['text/plain', 'unknown'],
  ])('%s', (accept, negotiated) => {
    expect(negotiate(accept)).toEqual(negotiated);
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
