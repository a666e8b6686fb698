import { describe, expect, test } from 'vitest';
import type { ResourceDefinition } from '../kinds/index.ts';
import { blockedConditions, remainingOf } from './namespace-decision.ts';
import { type Item, itemOf } from './owner-graph.ts';

function item(name: string, kind: 'Pod' | 'ConfigMap', metadata: object = {}): Item {
  const resource = { group: '', kind, plural: `${kind.toLowerCase()}s`, namespaced: true } as ResourceDefinition;
  return itemOf(resource, { metadata: { name, uid: name, ...metadata } });
}

const deleting = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['example.com/x'] };
const names = (items: readonly Item[]): string[] => items.map(({ name }) => name);

describe('API-X7: what is left in a namespace', () => {
  test('pods go before everything else, and altogether', () => {
    const config = item('c', 'ConfigMap');
    expect(names(remainingOf([config, item('p', 'Pod')]).toDelete)).toEqual(['p']);
    expect(names(remainingOf([config, item('p', 'Pod', deleting)]).toDelete)).toEqual([]);
    expect(names(remainingOf([config]).toDelete)).toEqual(['c']);
  });

  test('it is empty when nothing is left, be it marked or not', () => {
    expect(remainingOf([]).empty).toBe(true);
    expect(remainingOf([item('c', 'ConfigMap', deleting)])).toEqual({ toDelete: [], empty: false });
  });
});

describe('API-X7: what a blocked namespace says', () => {
  const blocked = [item('c', 'ConfigMap', deleting), item('d', 'ConfigMap', deleting)];

  test('which resources and finalizers remain', () => {
    const conditions = blockedConditions(blocked, [], '2026-01-01T00:00:05Z');
    expect(conditions.map(({ type, status }) => [type, status])).toEqual([
      ['NamespaceDeletionDiscoveryFailure', 'False'],
      ['NamespaceDeletionGroupVersionParsingFailure', 'False'],
      ['NamespaceDeletionContentFailure', 'False'],
      ['NamespaceContentRemaining', 'True'],
      ['NamespaceFinalizersRemaining', 'True'],
    ]);
    expect(conditions[3]?.['message']).toBe('Some resources are remaining: configmaps. has 2 resource instances');
    expect(conditions[4]?.['message']).toBe(
      'Some content in the namespace has finalizers remaining: example.com/x in 2 resource instances',
    );
  });

  test('a transition time changes with the status alone', () => {
    const first = blockedConditions(blocked, [], '2026-01-01T00:00:05Z');
    expect(blockedConditions(blocked, first, '2026-01-01T00:00:09Z')).toEqual(first);
    const fewer = blockedConditions(blocked.slice(1), first, '2026-01-01T00:00:09Z');
    expect(fewer[3]).toMatchObject({ status: 'True', lastTransitionTime: '2026-01-01T00:00:05Z' });
  });
});
