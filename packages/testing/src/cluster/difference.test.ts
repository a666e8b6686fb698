import { expect, test } from 'vitest';
import { difference } from './difference.ts';

test.each([
  ['a part of the object', { spec: { replicas: 3 } }, { spec: { replicas: 3, image: 'x' } }, []],
  ['a wrong value', { spec: { replicas: 3 } }, { spec: { replicas: 2 } }, ['.spec.replicas: expected 3, found 2']],
  ['a missing branch', { spec: { a: { b: 1 } } }, { spec: {} }, ['.spec.a: expected {"b":1}, found nothing']],
  ['lists item by item', { l: [{ a: 1 }] }, { l: [{ a: 2, b: 3 }] }, ['.l[0].a: expected 1, found 2']],
  ['lists of another length', { l: [1] }, { l: [1, 2] }, ['.l: expected [1], found [1,2]']],
  ['null', { a: null }, { a: null }, []],
  ['what objects inherit is not a field', { valueOf: 1 }, {}, ['.valueOf: expected 1, found nothing']],
  ['an undefined expectation', { a: undefined }, {}, []],
])('%s', (_, pattern, actual, lines) => {
  expect(difference(pattern, actual)).toEqual(lines);
});
