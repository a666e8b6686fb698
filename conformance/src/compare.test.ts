import { describe, expect, test } from 'vitest';
import { differences } from './compare.ts';

describe('two answers', () => {
  test.each([
    ['the same', { a: [1, { b: null }] }, { a: [1, { b: null }] }, []],
    ['another value', { a: { b: 1 } }, { a: { b: 2 } }, ['a.b']],
    ['one key more', { a: 1 }, { a: 1, b: null }, ['b']],
    ['one key less', { a: 1, b: 2 }, { a: 1 }, ['b']],
    ['a longer list', { a: [1] }, { a: [1, 2] }, ['a.1']],
    ['another order', { a: [1, 2] }, { a: [2, 1] }, ['a.0', 'a.1']],
    ['another type', { a: '1' }, { a: 1 }, ['a']],
    ['a list for an object', { a: [] }, { a: {} }, ['a']],
    ['null for nothing', { a: null }, {}, ['a']],
  ])('%s', (_, expected, actual, places) => {
    expect(differences(expected, actual).map(({ at }) => at)).toEqual(places);
  });
});
