import { expect, test } from 'vitest';
import { builtinResources, plainlyServed } from '../kinds/index.ts';
import { SharedObjects } from './shared-objects.ts';

const served = plainlyServed(builtinResources()[0] as ReturnType<typeof builtinResources>[number]);

const held = (name: string, size = 10) => ({ served, object: { name }, size });

const shown = (shared: SharedObjects, revisions: readonly number[]): unknown[] =>
  revisions.map((revision) => shared.get(revision, served)?.['name']);

test('above the limit the oldest go first, and one that is put in again counts as new', () => {
  const shared = new SharedObjects(30);
  for (const revision of [1, 2, 3]) shared.put(revision, held(`r${revision}`));
  shared.put(1, held('again'));
  shared.put(4, held('r4'));
  expect(shown(shared, [1, 2, 3, 4])).toEqual(['again', undefined, 'r3', 'r4']);
  shared.put(5, held('r5', 20));
  expect(shown(shared, [1, 3, 4, 5])).toEqual([undefined, undefined, 'r4', 'r5']);
});

test('an entry larger than the limit is not kept, and those after it are', () => {
  const shared = new SharedObjects(30);
  shared.put(1, held('r1'));
  shared.put(2, held('huge', 31));
  expect(shown(shared, [1, 2])).toEqual([undefined, undefined]);
  for (const revision of [3, 4, 5, 6]) shared.put(revision, held(`r${revision}`));
  expect(shown(shared, [3, 4, 5, 6])).toEqual([undefined, 'r4', 'r5', 'r6']);
});

test('what was dropped or cleared leaves its room to others', () => {
  const shared = new SharedObjects(30);
  for (const revision of [1, 2, 3]) shared.put(revision, held(`r${revision}`));
  shared.drop(2);
  shared.put(4, held('r4'));
  expect(shown(shared, [1, 2, 3, 4])).toEqual(['r1', undefined, 'r3', 'r4']);
  shared.clear();
  for (const revision of [1, 2, 3, 4]) shared.put(revision, held(`n${revision}`));
  expect(shown(shared, [1, 2, 3, 4])).toEqual([undefined, 'n2', 'n3', 'n4']);
});
