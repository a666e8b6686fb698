import { describe, expect, test } from 'vitest';
import type { ResourceDefinition } from '../kinds/index.ts';
import { decide, type Surroundings } from './collect-decision.ts';
import { type Item, itemOf, OwnerGraph } from './owner-graph.ts';

const kinds: Record<string, ResourceDefinition> = {
  ConfigMap: {
    group: '',
    version: 'v1',
    kind: 'ConfigMap',
    plural: 'configmaps',
    namespaced: true,
  } as ResourceDefinition,
  Node: { group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false } as ResourceDefinition,
};

interface Thing {
  readonly name: string;
  readonly kind?: 'ConfigMap' | 'Node';
  readonly namespace?: string;
  readonly owners?: readonly { name: string; kind?: string; uid?: string; blocks?: boolean }[];
  readonly deleting?: boolean;
  readonly finalizers?: readonly string[];
}

/** A world of objects whose uid is `uid-<name>`. */
function world(...things: Thing[]): Surroundings & { item(name: string): Item } {
  const graph = new OwnerGraph();
  for (const { name, kind = 'ConfigMap', namespace = 'a', owners = [], deleting = false, finalizers = [] } of things) {
    const resource = kinds[kind];
    if (resource === undefined) throw new Error(kind);
    const metadata = {
      name,
      ...(resource.namespaced && { namespace }),
      uid: `uid-${name}`,
      resourceVersion: '1',
      finalizers: [...finalizers],
      ...(deleting && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
      ownerReferences: owners.map((owner) => ({
        apiVersion: 'v1',
        kind: owner.kind ?? 'ConfigMap',
        name: owner.name,
        uid: owner.uid ?? `uid-${owner.name}`,
        ...(owner.blocks === true && { blockOwnerDeletion: true }),
      })),
    };
    graph.observe({ type: 'ADDED', resource, object: { metadata } });
  }
  return {
    find: (uid) => graph.find(uid),
    dependents: (uid) => graph.dependents(uid),
    wasDeleted: (uid) => graph.wasDeleted(uid),
    findKind: (group, kind) => (group === '' ? kinds[kind] : undefined),
    item: (name) => graph.find(`uid-${name}`) ?? itemOf(kinds['Node'] as ResourceDefinition, {}),
  };
}

const foreground = { deleting: true, finalizers: ['foregroundDeletion'] };

/** What is decided about the thing named `it`, with the target by name. */
function decided(...things: Thing[]): object {
  const around = world(...things);
  const decision = decide(around.item('it'), around);
  return 'target' in decision ? { ...decision, target: decision.target.name } : decision;
}

describe('API-X6: what garbage collection does about an object', () => {
  test('nothing without owners, nothing while an owner lives', () => {
    expect(decided({ name: 'it' })).toEqual({ type: 'rest' });
    expect(decided({ name: 'o' }, { name: 'it', owners: [{ name: 'o' }] })).toEqual({ type: 'rest' });
    const plainlyDeleting = { name: 'o', deleting: true, finalizers: ['example.com/x'] };
    expect(decided(plainlyDeleting, { name: 'it', owners: [{ name: 'o' }] })).toEqual({ type: 'rest' });
  });

  test('all owners gone: it is deleted, in the manner its finalizers say', () => {
    const owners = [{ name: 'gone' }, { name: 'gone2' }];
    expect(decided({ name: 'it', owners })).toEqual({ type: 'delete', target: 'it', propagation: 'Background' });
    expect(decided({ name: 'it', owners, finalizers: ['orphan'] })).toMatchObject({ propagation: 'Orphan' });
    expect(decided({ name: 'it', owners, finalizers: ['foregroundDeletion'] })).toMatchObject({
      propagation: 'Foreground',
    });
  });

  test('owners are known by uid: an object of the same name is another one', () => {
    const owners = [{ name: 'o', uid: 'uid-of-before' }];
    expect(decided({ name: 'o' }, { name: 'it', owners })).toMatchObject({ type: 'delete' });
    expect(decided({ name: 'o' }, { name: 'it', owners: [{ name: 'other', uid: 'uid-o' }] })).toMatchObject({
      type: 'delete',
    });
  });

  test('an owner in another namespace is absent; a cluster-scoped one is not', () => {
    expect(decided({ name: 'o', namespace: 'b' }, { name: 'it', owners: [{ name: 'o' }] })).toMatchObject({
      type: 'delete',
    });
    const node = { name: 'n', kind: 'Node' } as const;
    expect(decided(node, { name: 'it', owners: [{ name: 'n', kind: 'Node' }] })).toEqual({ type: 'rest' });
  });

  test('a cluster-scoped object with a namespaced owner, and an owner of an unknown kind, are left alone', () => {
    expect(decided({ name: 'it', kind: 'Node', owners: [{ name: 'gone' }] })).toEqual({ type: 'rest' });
    expect(decided({ name: 'it', owners: [{ name: 'gone', kind: 'Martian' }] })).toEqual({ type: 'unknownOwner' });
  });

  test('one owner lives beside one gone or going in the foreground: only the reference goes', () => {
    const owners = [{ name: 'alive' }, { name: 'gone' }, { name: 'going' }];
    expect(decided({ name: 'alive' }, { name: 'going', ...foreground }, { name: 'it', owners })).toEqual({
      type: 'dropOwners',
      target: 'it',
      uids: ['uid-gone', 'uid-going'],
    });
  });

  test('foreground: dependents go, those with dependents of their own in the foreground too', () => {
    const owner = { name: 'o', ...foreground };
    const it = { name: 'it', owners: [{ name: 'o', blocks: true }] };
    expect(decided(owner, it)).toMatchObject({ type: 'delete', propagation: 'Background' });
    expect(decided(owner, it, { name: 'leaf', owners: [{ name: 'it' }] })).toMatchObject({
      type: 'delete',
      propagation: 'Foreground',
    });
  });

  test('foreground: the owner waits for dependents that block it, and for no others', () => {
    const it = { name: 'it', ...foreground };
    const blocking = { name: 'd', owners: [{ name: 'it', blocks: true }], deleting: true, finalizers: ['x/y'] };
    expect(decided(it, blocking)).toEqual({ type: 'rest' });
    const free = { name: 'd', owners: [{ name: 'it' }], deleting: true, finalizers: ['x/y'] };
    expect(decided(it, free)).toEqual({ type: 'dropFinalizer', target: 'it', finalizer: 'foregroundDeletion' });
  });

  test('orphan: references go first, one by one, then the owner', () => {
    const it = { name: 'it', deleting: true, finalizers: ['orphan', 'x/y'] };
    expect(decided(it, { name: 'd', owners: [{ name: 'it' }] })).toEqual({
      type: 'dropOwners',
      target: 'd',
      uids: ['uid-it'],
    });
    expect(decided(it)).toEqual({ type: 'dropFinalizer', target: 'it', finalizer: 'orphan' });
  });

  test('a circle of foreground deletions is opened', () => {
    const other = { name: 'o', ...foreground, owners: [{ name: 'it', blocks: true }] };
    expect(decided(other, { name: 'it', owners: [{ name: 'o', blocks: true }] })).toEqual({
      type: 'unblockOwners',
      target: 'it',
    });
    expect(decided(other, { name: 'it', owners: [{ name: 'o' }] })).toMatchObject({
      type: 'delete',
      propagation: 'Foreground',
    });
  });

  test('what is being deleted already waits for its own finalizers', () => {
    expect(decided({ name: 'it', deleting: true, finalizers: ['x/y'], owners: [{ name: 'gone' }] })).toEqual({
      type: 'rest',
    });
  });
});

describe('the graph', () => {
  const object = (name: string, owner?: string) => ({
    metadata: {
      name,
      namespace: 'a',
      uid: name,
      resourceVersion: '1',
      ...(owner !== undefined && {
        ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: owner, uid: owner }],
      }),
    },
  });
  const resource = kinds['ConfigMap'] as ResourceDefinition;

  test('a change concerns the object, its owners before and after, and its dependents', () => {
    const graph = new OwnerGraph();
    expect(graph.observe({ type: 'ADDED', resource, object: object('child', 'first') })).toEqual(['child', 'first']);
    expect(graph.observe({ type: 'ADDED', resource, object: object('first') })).toEqual(['first', 'child']);
    const moved = graph.observe({ type: 'MODIFIED', resource, object: object('child', 'second') });
    expect(moved).toEqual(['child', 'first', 'second']);
    expect(graph.dependents('first')).toEqual([]);
    expect(graph.dependents('second').map(({ name }) => name)).toEqual(['child']);
    graph.observe({ type: 'DELETED', resource, object: object('child', 'second') });
    expect(graph.dependents('second')).toEqual([]);
    expect(graph.find('child')).toBeUndefined();
  });
});

test('API-X6: the memory of deleted objects is bounded, and keeps the youngest', () => {
  const graph = new OwnerGraph();
  const resource = kinds['ConfigMap'];
  if (resource === undefined) throw new Error('no ConfigMap');
  for (let i = 0; i <= 10_000; i += 1) {
    graph.observe({ type: 'DELETED', resource, object: { metadata: { name: 'x', namespace: 'a', uid: `uid-${i}` } } });
  }
  expect([graph.wasDeleted('uid-0'), graph.wasDeleted('uid-1'), graph.wasDeleted('uid-10000')]).toEqual([
    false,
    true,
    true,
  ]);
});
