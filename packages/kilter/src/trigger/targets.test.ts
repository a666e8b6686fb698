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

  test.each<[string, unknown, TargetPlace]>([
    ['an empty name', '', here],
    ['a key instead of a name', 'default/shop', here],
    ['a number', 7, here],
    ['an object', { metadata: {} }, here],
    ['a bare name where no namespace is at hand', 'shop', { scope: 'Namespaced', namespace: undefined }],
  ])('%s is refused with a code', (_, target, place) => {
    expect(() => targetRef(target as Ref, place)).toThrow(expect.objectContaining({ code: 'TRIGGER_TARGET_INVALID' }));
  });
});
