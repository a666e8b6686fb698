import { describe, expect, test } from 'vitest';
import { owner, Stored } from './ownership.test-support.ts';

// Every sequence here was played against kube-apiserver 1.36.3, with the same managedFields, times included.

describe('lists of maps', () => {
  test('API-S3, API-S6: two managers own different items of one list', () => {
    const stored = new Stored();
    stored.apply('m1', { spec: { env: [{ name: 'A', value: '1' }] } });
    stored.apply('m2', { spec: { env: [{ name: 'B', value: '2' }] } });
    expect(stored.spec).toEqual({
      env: [
        { name: 'A', value: '1' },
        { name: 'B', value: '2' },
      ],
    });
    expect(stored.metadata['managedFields']).toEqual([
      owner(
        'm1',
        { 'f:spec': { 'f:env': { 'k:{"name":"A"}': { '.': {}, 'f:name': {}, 'f:value': {} } } } },
        { second: 1 },
      ),
      owner(
        'm2',
        { 'f:spec': { 'f:env': { 'k:{"name":"B"}': { '.': {}, 'f:name': {}, 'f:value': {} } } } },
        { second: 2 },
      ),
    ]);

    stored.apply('m1', { spec: { env: [] } });
    expect(stored.spec).toEqual({ env: [{ name: 'B', value: '2' }] });
    expect(stored.metadata['managedFields']).toEqual([
      owner(
        'm2',
        { 'f:spec': { 'f:env': { 'k:{"name":"B"}': { '.': {}, 'f:name': {}, 'f:value': {} } } } },
        { second: 2 },
      ),
    ]);
  });

  test('API-S6: two managers own different fields of one item, which goes with its last owner', () => {
    const stored = new Stored();
    stored.apply('m1', { spec: { env: [{ name: 'A', value: '1' }] } });
    stored.apply('m2', { spec: { env: [{ name: 'A', from: { secret: 's' } }] } });
    expect(stored.spec).toEqual({ env: [{ name: 'A', value: '1', from: { secret: 's' } }] });
    expect(stored.metadata['managedFields']).toEqual([
      owner(
        'm1',
        { 'f:spec': { 'f:env': { 'k:{"name":"A"}': { '.': {}, 'f:name': {}, 'f:value': {} } } } },
        { second: 1 },
      ),
      owner(
        'm2',
        {
          'f:spec': { 'f:env': { 'k:{"name":"A"}': { '.': {}, 'f:from': { 'f:secret': {} }, 'f:name': {} } } },
        },
        { second: 2 },
      ),
    ]);

    stored.apply('m1', { spec: { image: 'i' } });
    expect(stored.spec).toEqual({ image: 'i', env: [{ name: 'A', from: { secret: 's' } }] });
    stored.apply('m2', {});
    expect(stored.spec).toEqual({ image: 'i' });
    expect(stored.metadata['managedFields']).toEqual([owner('m1', { 'f:spec': { 'f:image': {} } }, { second: 3 })]);
  });

  test('API-S7: applied items stand in applied order, items only the object has keep their place before them', () => {
    const stored = new Stored();
    stored.update('u', { spec: { env: ['a', 'b', 'c', 'd'].map((name) => ({ name })) } });
    stored.apply('m1', { spec: { env: ['x', 'd', 'y', 'b'].map((name) => ({ name })) } });
    expect(stored.spec).toEqual({ env: ['a', 'c', 'x', 'd', 'y', 'b'].map((name) => ({ name })) });
    const item = { '.': {}, 'f:name': {} };
    expect(stored.metadata['managedFields']).toEqual([
      owner(
        'm1',
        {
          'f:spec': {
            'f:env': { 'k:{"name":"b"}': item, 'k:{"name":"d"}': item, 'k:{"name":"x"}': item, 'k:{"name":"y"}': item },
          },
        },
        { second: 2 },
      ),
      owner(
        'u',
        {
          'f:spec': {
            '.': {},
            'f:env': {
              '.': {},
              'k:{"name":"a"}': item,
              'k:{"name":"b"}': item,
              'k:{"name":"c"}': item,
              'k:{"name":"d"}': item,
            },
          },
        },
        { operation: 'Update', second: 1 },
      ),
    ]);
  });
});

describe('sets and atomic lists', () => {
  test('API-S6: each manager owns its own items of a set, and an item both name is shared', () => {
    const stored = new Stored();
    stored.apply('m1', { metadata: { finalizers: ['x/a'] }, spec: { hosts: ['a', 'b'] } });
    stored.apply('m2', { metadata: { finalizers: ['x/b'] }, spec: { hosts: ['c', 'b'] } });
    expect(stored.spec).toEqual({ hosts: ['a', 'c', 'b'] });
    stored.apply('m1', { spec: { hosts: ['a'] } });
    expect(stored.spec).toEqual({ hosts: ['a', 'c', 'b'] });
    expect(stored.metadata['finalizers']).toEqual(['x/b']);
    expect(stored.metadata['managedFields']).toEqual([
      owner(
        'm2',
        {
          'f:metadata': { 'f:finalizers': { 'v:"x/b"': {} } },
          'f:spec': { 'f:hosts': { 'v:"b"': {}, 'v:"c"': {} } },
        },
        { second: 2 },
      ),
      owner('m1', { 'f:spec': { 'f:hosts': { 'v:"a"': {} } } }, { second: 3 }),
    ]);
  });

  test('API-S5, API-S6: an atomic list has one owner: others fail, or take it whole by force', () => {
    const stored = new Stored();
    stored.apply('m1', { spec: { args: ['a', 'b'], image: 'i' } });
    expect(() => stored.apply('m2', { spec: { args: ['a', 'b', 'c'] } })).toThrow(
      'Apply failed with 1 conflict: conflict with "m1": .spec.args',
    );
    stored.apply('m2', { spec: { args: ['c'] } }, { force: true });
    expect(stored.spec).toEqual({ args: ['c'], image: 'i' });
    expect(stored.metadata['managedFields']).toEqual([
      owner('m1', { 'f:spec': { 'f:image': {} } }, { second: 1 }),
      owner('m2', { 'f:spec': { 'f:args': {} } }, { second: 3 }),
    ]);
  });
});

describe('maps', () => {
  test('API-S6: an entry of a nested map goes when the last owner of anything in it drops it', () => {
    const stored = new Stored();
    stored.apply('m1', { spec: { settings: { db: { host: 'h' }, web: { port: '1' } } } });
    stored.apply('m2', { spec: { settings: { db: { user: 'u' } } } });
    stored.apply('m1', { spec: { settings: { web: { port: '1' } } } });
    expect(stored.spec).toEqual({ settings: { db: { user: 'u' }, web: { port: '1' } } });
    expect(stored.metadata['managedFields']).toEqual([
      owner('m2', { 'f:spec': { 'f:settings': { 'f:db': { '.': {}, 'f:user': {} } } } }, { second: 2 }),
      owner('m1', { 'f:spec': { 'f:settings': { 'f:web': { '.': {}, 'f:port': {} } } } }, { second: 3 }),
    ]);

    stored.apply('m2', {});
    expect(stored.spec).toEqual({ settings: { web: { port: '1' } } });
    expect(stored.metadata['managedFields']).toEqual([
      owner('m1', { 'f:spec': { 'f:settings': { 'f:web': { '.': {}, 'f:port': {} } } } }, { second: 3 }),
    ]);
  });

  test('API-S6: an atomic map is one field', () => {
    const stored = new Stored();
    stored.apply('m1', { spec: { selector: { app: 'a' } } });
    expect(() => stored.apply('m2', { spec: { selector: { tier: 't' } } })).toThrow(
      'Apply failed with 1 conflict: conflict with "m1": .spec.selector',
    );
    stored.apply('m1', { spec: { selector: { tier: 't' } } });
    expect(stored.spec).toEqual({ selector: { tier: 't' } });
    expect(stored.metadata['managedFields']).toEqual([owner('m1', { 'f:spec': { 'f:selector': {} } }, { second: 3 })]);
  });

  test('API-S6: where unknown fields are preserved, maps are granular and lists atomic', () => {
    const stored = new Stored();
    stored.apply('m1', { spec: { free: { a: { x: 1 }, list: [{ name: 'n' }] } } });
    stored.apply('m2', { spec: { free: { a: { y: 2 } } } });
    expect(stored.spec).toEqual({ free: { a: { x: 1, y: 2 }, list: [{ name: 'n' }] } });
    expect(() => stored.apply('m2', { spec: { free: { list: [{ name: 'o' }] } } })).toThrow(
      'Apply failed with 1 conflict: conflict with "m1": .spec.free.list',
    );
    expect(stored.metadata['managedFields']).toEqual([
      owner('m1', { 'f:spec': { 'f:free': { 'f:a': { '.': {}, 'f:x': {} }, 'f:list': {} } } }, { second: 1 }),
      owner('m2', { 'f:spec': { 'f:free': { 'f:a': { '.': {}, 'f:y': {} } } } }, { second: 2 }),
    ]);
  });
});
