import { describe, expect, test } from 'vitest';
import type { NamedRef, Ref } from '../api/index.ts';
import { eachTarget, type TargetPlace, targetRef, type Targets } from './targets.ts';

const here: TargetPlace = { scope: 'Namespaced', namespace: 'default' };

describe('PH-11: what a mapper may answer', () => {
  test.each<[string, Targets, readonly NamedRef[]]>([
    ['a name, in the namespace of the object', 'shop', [{ namespace: 'default', name: 'shop' }]],
    ['a namespace and name', { namespace: 'other', name: 'shop' }, [{ namespace: 'other', name: 'shop' }]],
    ['a reference without namespace', { name: 'shop' }, [{ namespace: 'default', name: 'shop' }]],
    [
      'a list of those',
      ['a', { namespace: 'x', name: 'b' }],
      [
        { namespace: 'default', name: 'a' },
        { namespace: 'x', name: 'b' },
      ],
    ],
    ['nothing', undefined, []],
    ['null', null, []],
    ['an empty list', [], []],
  ])('PH-11: %s', (_, targets, refs) => {
    expect(eachTarget(targets).map((target) => targetRef(target, here))).toEqual(refs);
  });

  test('a cluster-scoped kind has no namespace, whatever is at hand', () => {
    const place: TargetPlace = { scope: 'Cluster', namespace: 'default' };
    expect(targetRef('shop', place)).toEqual({ name: 'shop' });
    expect(targetRef({ namespace: 'x', name: 'shop' }, place)).toEqual({ name: 'shop' });
  });

  const nowhere: TargetPlace = { scope: 'Namespaced', namespace: undefined };
  test.each<[string, unknown, string, TargetPlace?]>([
    ['a promise', Promise.resolve('shop'), "Promise { 'shop' } is not a reference: a mapper must not be async"],
    ['a number', 7, '7 is not a reference: it has no name'],
    ['an object', { metadata: {} }, '{ metadata: {} } is not a reference: it has no name'],
    ['an empty name', '', "'' is not a reference: a name must not be empty"],
    ['a key instead of a name', 'default/shop', "'default/shop' is not a reference: a name must not be empty"],
    [
      'a namespace that is not a text',
      { namespace: 7, name: 'a' },
      "{ namespace: 7, name: 'a' } is not a reference: its",
    ],
    [
      'an empty namespace',
      { namespace: '', name: 'a' },
      "{ namespace: '', name: 'a' } is not a reference: it has no namespace",
    ],
    ['a bare name where no namespace is at hand', 'shop', "'shop' is not a reference: it has no namespace", nowhere],
  ])('%s is refused with a code', (_, target, message, place = here) => {
    const refused = { code: 'TRIGGER_TARGET_INVALID', message: expect.stringContaining(message) };
    expect(() => targetRef(target as Ref, place)).toThrow(expect.objectContaining(refused));
  });
});
