import { describe, expect, test } from 'vitest';
import { ownEntryOf, project } from './owned-fields.ts';

const fields = {
  'f:metadata': { 'f:labels': { 'f:app': {} }, 'f:finalizers': { 'v:"a/b"': {} } },
  'f:spec': { 'f:replicas': {}, 'f:containers': { 'k:{"name":"app"}': { '.': {}, 'f:image': {} } }, 'f:args': {} },
};
const object = () => ({
  metadata: { labels: { app: 'x', other: 'y' }, finalizers: ['z/z', 'a/b'] },
  spec: {
    replicas: 2,
    containers: [
      { name: 'side', image: 's' },
      { name: 'app', image: 'i', tty: true },
    ],
    args: [1, 2],
  },
  status: { ready: 1 },
});

describe('AP-3: the owned fields decide whether anybody moved what was applied', () => {
  const before = JSON.stringify(project(object(), fields));
  test.each([
    ['the status', (o: ReturnType<typeof object>) => (o.status.ready = 2), false],
    ['a label of another manager', (o: ReturnType<typeof object>) => (o.metadata.labels.other = 'z'), false],
    [
      'a field of an item that is not owned',
      (o: ReturnType<typeof object>) => (o.spec.containers[1]!.tty = false),
      false,
    ],
    ['the order of items', (o: ReturnType<typeof object>) => o.spec.containers.reverse(), false],
    ['an owned scalar', (o: ReturnType<typeof object>) => (o.spec.replicas = 3), true],
    ['an owned field of an item', (o: ReturnType<typeof object>) => (o.spec.containers[1]!.image = 'j'), true],
    ['an owned item taken away', (o: ReturnType<typeof object>) => o.spec.containers.pop(), true],
    ['an owned atomic list', (o: ReturnType<typeof object>) => o.spec.args.push(3), true],
    ['an owned set item taken away', (o: ReturnType<typeof object>) => o.metadata.finalizers.pop(), true],
    [
      'an owned label taken away',
      (o: ReturnType<typeof object>) => delete (o.metadata.labels as { app?: string }).app,
      true,
    ],
  ])('%s', (_, change, moved) => {
    const changed = object();
    change(changed);
    expect(JSON.stringify(project(changed, fields)) !== before).toBe(moved);
  });
});

test.each([
  ['an item by its place', { 'i:1': {} }, ['a', 'b'], ['b']],
  ['a place in what is not a list', { 'i:0': {} }, { 0: 'a' }, [undefined]],
  ['a member of a set', { 'v:"b"': {} }, ['a', 'b'], ['b']],
  ['a member that is gone', { 'v:"c"': {} }, ['a', 'b'], [undefined]],
  ['a member of what is not a set', { 'v:"c"': {} }, 'c', [undefined]],
  ['an item by its key', { 'k:{"n":"a"}': {} }, [{ n: 'b' }, { n: 'a', v: 1 }], [{ n: 'a', v: 1 }]],
  ['a key in what is not a list', { 'k:{"n":"a"}': {} }, { n: 'a' }, [undefined]],
  ['the whole', { '.': {} }, { a: 1 }, { a: 1 }],
  ['a field that objects inherit', { 'f:valueOf': {} }, {}, [undefined]],
])('%s is seen', (_, owned, value, seen) => {
  expect(project(value, owned)).toEqual(seen);
});

test('only the own Apply entry of the object itself counts', () => {
  const entry = (manager: string, operation: 'Apply' | 'Update', subresource?: string) => ({
    manager,
    operation,
    apiVersion: 'v1',
    fieldsType: 'FieldsV1' as const,
    fieldsV1: { [`f:${manager}${operation}${subresource}`]: {} },
    subresource,
  });
  const managedFields = [
    entry('me', 'Update'),
    entry('me', 'Apply', 'status'),
    entry('other', 'Apply'),
    entry('me', 'Apply'),
  ];
  const found = ownEntryOf(managedFields, 'me');
  expect(found).toEqual({ 'f:meApplyundefined': {} });
});
