import { describe, expect, test } from 'vitest';
import {
  compareElements,
  elementText,
  fieldElement,
  keyElement,
  parseElement,
  type PathElement,
  pathText,
  valueElement,
} from './path-element.ts';

describe('API-S3: elements have one canonical form', () => {
  test.each<[string, PathElement, string]>([
    ['a field', fieldElement('name'), 'f:name'],
    ['a field with a colon and dots', fieldElement('a.b/c:d'), 'f:a.b/c:d'],
    ['a key', keyElement([['name', 'A']]), 'k:{"name":"A"}'],
    [
      'several keys, sorted',
      keyElement([
        ['protocol', 'TCP'],
        ['port', 80],
      ]),
      'k:{"port":80,"protocol":"TCP"}',
    ],
    ['a value', valueElement('x'), 'v:"x"'],
    ['a number', valueElement(1.5), 'v:1.5'],
    ['a boolean', valueElement(true), 'v:true'],
    ['an integer beyond 2^53', valueElement(9223372036854775807n), 'v:9223372036854775807'],
    ['characters of HTML', valueElement('a&<b>'), String.raw`v:"a\u0026\u003cb\u003e"`],
    ['quotes, backslashes and control characters', valueElement('"\\b\b\n'), String.raw`v:"\"\\b\u0008\n"`],
  ])('%s', (_, element, text) => {
    expect(element).toBe(text);
    expect(parseElement(element)).toBe(element);
  });

  test.each([
    ['keys in another order', 'k:{"b":1,"a":2}', 'k:{"a":2,"b":1}'],
    ['blanks', 'k:{ "name" : "A" }', 'k:{"name":"A"}'],
    ['another escape', 'v:"\\u0061&"', String.raw`v:"a\u0026"`],
    ['another number', 'v:1.0', 'v:1'],
    ['a padded index', 'i:007', 'i:7'],
    ['a large integer', 'v:9223372036854775807', 'v:9223372036854775807'],
  ])('what a client wrote with %s is read as the same element', (_, text, canonical) => {
    expect(parseElement(text)).toBe(canonical);
  });

  test.each(['', 'f', 'x:a', 'k:{', 'k:[]', 'v:', 'i:a', 'i:', 'name'])('%j is not an element', (text) => {
    expect(parseElement(text)).toBeUndefined();
  });
});

test('API-S5: a path is written as messages show it', () => {
  expect(
    pathText([
      'f:spec',
      'f:ports',
      keyElement([
        ['port', 80],
        ['protocol', 'TCP'],
      ]),
      'f:a.b',
    ]),
  ).toBe('.spec.ports[port=80,protocol="TCP"].a.b');
  expect(elementText(valueElement('a"b\u0001\u00e9'))).toBe('[="a\\"b\\x01\u00e9"]');
  expect(elementText('i:3')).toBe('[3]');
});

test('API-S3: elements are ordered by kind, then fields by name, keys field by field, values by type and size', () => {
  const ordered: PathElement[] = [
    'f:a',
    'f:b',
    'f:\u{fffd}',
    'f:\u{10000}',
    'k:{"name":"a"}',
    'k:{"name":"a","port":1}',
    'k:{"name":"b"}',
    'k:{"port":9}',
    'k:{"port":10}',
    'v:9',
    'v:9.5',
    'v:10',
    'v:9223372036854775806',
    'v:9223372036854775807',
    'v:"10"',
    'v:"9"',
    'v:false',
    'v:true',
    'i:2',
    'i:10',
  ];
  expect(ordered.toReversed().toSorted(compareElements)).toEqual(ordered);
});
test('keys that are no plain values are shown as the server shows them', () => {
  expect(elementText('k:{"name":{"a":1,"b":["x"]}}')).toBe('[name=a=1b=["x"]]');
  expect(elementText('k:{"name":"c","port":80}')).toBe('[name="c",port=80]');
});
