import { describe, expect, test } from 'vitest';
import { matchesAll, parseLabels, SelectorError } from './label-selector.ts';

describe('API-L2: label selectors', () => {
  test.each([
    ['a in ()', { a: '' }, true],
    ['a in ()', { a: 'x' }, false],
    ['a notin ()', {}, true],
    ['a in (,x)', { a: '' }, true],
    ['a in (in, notin)', { a: 'in' }, true],
    ['in', { in: 'x' }, true],
    ['!a', {}, true],
    ['!a', { a: '' }, false],
    ['a!=x', {}, true],
    ['a==,b=', { a: '', b: '' }, true],
    ['n>5', { n: '6' }, true],
    ['n>5', { n: 'six' }, false],
    ['n<9223372036854775807', { n: '+7' }, true],
    ['toString', {}, false],
  ])('%s of %j is %j', (selector, labels, matches) => {
    expect(matchesAll(parseLabels(selector), labels)).toBe(matches);
  });

  test.each([
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['a in (x y)', "unable to parse requirement: found 'y', expected: ',' or ')'"],
    ['a in (=)', "unable to parse requirement: found '=', expected: ',', ')' or identifier"],
    ['a in (x,=)', "unable to parse requirement: found '=', expected: ',', or identifier"],
    ['!', "unable to parse requirement: found '', expected: identifier"],
    ['!a=b', "found '=', expected: ',' or 'end of string'"],
    [
      'n>99999999999999999999',
      `unable to parse requirement: values[0]: Invalid value: "99999999999999999999": for 'Gt', 'Lt' operators, the value must be an integer`,
    ],
  ])('%s is refused: %s', (selector, why) => {
    expect(() => parseLabels(selector)).toThrow(new SelectorError(why));
  });
});
