import { describe, expect, test } from 'vitest';
import { fieldsFault, labelsFault } from './selector-fault.ts';

describe('what is wrong with a label selector', () => {
  test.each([
    '',
    'a=b,c in (d,e),!f',
    {},
    { a: 'b', 'example.com/c': ['d', 'e'] },
    { a: '' },
    Object.assign(Object.create(null) as object, { a: 'b' }),
    Object.freeze({ a: Object.freeze(['b']) }),
  ])('nothing: %j', (labels) => expect(labelsFault(labels)).toBeUndefined());

  test.each<[unknown, string]>([
    ['a in', "'a in' is not a label selector"],
    [null, 'null is not a label selector'],
    [5, '5 is not a label selector'],
    [['a'], "[ 'a' ] is not a label selector"],
    [new Map([['a', 'b']]), "Map(1) { 'a' => 'b' } is not a label selector"],
    [{ a: undefined }, 'undefined cannot be a value of the label "a"'],
    [{ a: null }, 'null cannot be a value of the label "a"'],
    [{ a: 5 }, '5 cannot be a value of the label "a"'],
    [{ a: 'b,c' }, '\'b,c\' cannot be a value of the label "a"'],
    [{ a: [] }, '[] cannot be a value of the label "a"'],
    [{ a: [undefined] }, '[ undefined ] cannot be a value of the label "a"'],
    [{ a: { b: 'c' } }, '{ b: \'c\' } cannot be a value of the label "a"'],
    [{ 'a=b': 'c' }, '\'c\' cannot be a value of the label "a=b"'],
  ])('%j', (labels, fault) => expect(labelsFault(labels)).toBe(fault));
});

describe('what is wrong with a field selector', () => {
  test.each([{}, { 'metadata.name': 'a,b=c' }])('nothing: %j', (fields) => expect(fieldsFault(fields)).toBeUndefined());

  test.each<[unknown, string]>([
    [null, 'null is not a field selector'],
    [['a'], "[ 'a' ] is not a field selector"],
    [{ a: undefined }, '"a" cannot be compared with undefined'],
    [{ a: ['b'] }, '"a" cannot be compared with [ \'b\' ]'],
    [{ 'a,b': 'c' }, '"a,b" cannot be compared with \'c\''],
  ])('%j', (fields, fault) => expect(fieldsFault(fields)).toBe(fault));
});
