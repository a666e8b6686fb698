import { describe, expect, test } from 'vitest';
import { foldAncientChanges } from './ancient-changes.ts';
import { FieldSet } from './field-set.ts';
import { encodeFields } from './fields-v1.ts';
import { identityOf, type ManagerEntry, type Managers } from './managers.ts';

const two = (n: number): string => String(n).padStart(2, '0');
const update = (n: number, more: Partial<ManagerEntry> = {}): ManagerEntry => ({
  manager: `u${two(n)}`,
  operation: 'Update',
  apiVersion: 'v1',
  subresource: undefined,
  time: `2030-01-01T00:00:${two(n)}Z`,
  fields: FieldSet.of([['f:data', `f:k${n}`]]),
  ...more,
});
const managersOf = (entries: readonly ManagerEntry[]): Managers =>
  new Map(entries.map((entry) => [identityOf(entry), entry]));
const updates = (count: number): ManagerEntry[] => Array.from({ length: count }, (_, n) => update(n));
const summary = (managers: Managers): unknown[] =>
  [...managers.values()]
    .toSorted((left, right) => ((left.time ?? '') < (right.time ?? '') ? -1 : 1))
    .map(({ manager, time, fields }) => [manager, time?.slice(-3, -1), encodeFields(fields)]);

describe('API-S4: above ten entries of updates', () => {
  test('ten entries stay as they are, however many appliers there are', () => {
    const appliers = updates(5).map((entry): ManagerEntry => ({ ...entry, operation: 'Apply' }));
    const managers = managersOf([...updates(10), ...appliers]);
    expect(foldAncientChanges(managers)).toEqual(managers);
  });

  test('the oldest two become ancient-changes, with the time of the younger', () => {
    const folded = foldAncientChanges(managersOf(updates(11)));
    expect(folded.size).toBe(10);
    expect(summary(folded)[0]).toEqual(['ancient-changes', '01', { 'f:data': { 'f:k0': {}, 'f:k1': {} } }]);
    expect(summary(folded)[1]).toEqual(['u02', '02', { 'f:data': { 'f:k2': {} } }]);
  });

  test('ancient-changes goes on taking the oldest', () => {
    const once = foldAncientChanges(managersOf(updates(11)));
    const twice = foldAncientChanges(new Map([...once, ...managersOf([update(11)])]));
    expect(twice.size).toBe(10);
    expect(summary(twice)[0]).toEqual(['ancient-changes', '02', { 'f:data': { 'f:k0': {}, 'f:k1': {}, 'f:k2': {} } }]);
  });

  test('each version has its own, without a subresource', () => {
    const entries = Array.from({ length: 14 }, (_, n) =>
      update(n, { apiVersion: n % 2 === 0 ? 'v1' : 'v2', subresource: n < 4 ? 'status' : undefined }),
    );
    const folded = foldAncientChanges(managersOf(entries));
    expect(folded.size).toBe(10);
    const ancient = [...folded.values()].filter(({ manager }) => manager === 'ancient-changes');
    expect(
      ancient.map(({ apiVersion, subresource, fields }) => [apiVersion, subresource, encodeFields(fields)]),
    ).toEqual([
      ['v1', undefined, { 'f:data': { 'f:k0': {}, 'f:k2': {}, 'f:k4': {} } }],
      ['v2', undefined, { 'f:data': { 'f:k1': {}, 'f:k3': {}, 'f:k5': {} } }],
    ]);
  });
});
