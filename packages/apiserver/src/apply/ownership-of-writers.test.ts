import { describe, expect, test } from 'vitest';
import { owner, Stored } from './ownership.test-support.ts';

// Every sequence here was played against kube-apiserver 1.36.3, with the same managedFields, times included.

describe('appliers', () => {
  test('API-S5: a dropped field stays while another manager shares it, and goes when nobody else owns it', () => {
    const stored = new Stored();
    stored.apply('m1', { spec: { replicas: 3, image: 'i', tls: { secret: 's' } } });
    stored.apply('m2', { spec: { replicas: 3 } });
    stored.apply('m1', { spec: { image: 'i' } });
    expect(stored.fields).toEqual({ spec: { replicas: 3, image: 'i' } });
    expect(stored.metadata['managedFields']).toEqual([
      // Changed nothing in the object, so it never got a time.
      owner('m2', { 'f:spec': { 'f:replicas': {} } }, {}),
      owner('m1', { 'f:spec': { 'f:image': {} } }, { second: 3 }),
    ]);
  });

  test('API-S5: force takes what differs, and shares what is equal', () => {
    const stored = new Stored();
    stored.apply('m1', { metadata: { labels: { a: '1', b: '2' } }, spec: { replicas: 3, image: 'i' } });
    stored.apply('m2', { metadata: { labels: { b: '3' } }, spec: { replicas: 5, image: 'i' } }, { force: true });
    expect(stored.fields).toEqual({ spec: { replicas: 5, image: 'i' } });
    expect(stored.metadata['labels']).toEqual({ a: '1', b: '3' });
    expect(stored.metadata['managedFields']).toEqual([
      owner('m1', { 'f:metadata': { 'f:labels': { 'f:a': {} } }, 'f:spec': { 'f:image': {} } }, { second: 1 }),
      owner(
        'm2',
        { 'f:metadata': { 'f:labels': { 'f:b': {} } }, 'f:spec': { 'f:image': {}, 'f:replicas': {} } },
        { second: 2 },
      ),
    ]);
  });

  test('API-S5: without force one conflict, and several, are named by manager and field', () => {
    const stored = new Stored();
    stored.apply('m1', { spec: { replicas: 3, args: ['a'] } });
    const before = stored.live;
    expect(() => stored.apply('m2', { spec: { replicas: 5, image: 'i' } })).toThrow(
      expect.objectContaining({
        kind: 'conflict',
        message: 'Apply failed with 1 conflict: conflict with "m1": .spec.replicas',
        causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "m1"', field: '.spec.replicas' }],
      }),
    );
    expect(() => stored.apply('m2', { spec: { replicas: 5, args: ['b'] } })).toThrow(
      expect.objectContaining({
        message: 'Apply failed with 2 conflicts: conflicts with "m1":\n- .spec.args\n- .spec.replicas',
        causes: [
          { reason: 'FieldManagerConflict', message: 'conflict with "m1"', field: '.spec.args' },
          { reason: 'FieldManagerConflict', message: 'conflict with "m1"', field: '.spec.replicas' },
        ],
      }),
    );
    expect(stored.live).toBe(before);
  });

  test('API-S7: an apply that changes nothing keeps the time, one that changes a value moves it', () => {
    const stored = new Stored();
    const entry = owner(
      'm1',
      { 'f:spec': { 'f:env': { 'k:{"name":"A"}': { '.': {}, 'f:name': {}, 'f:value': {} } } } },
      {},
    );
    stored.apply('m1', { spec: { env: [{ name: 'A', value: '1' }] } });
    stored.apply('m1', { spec: { env: [{ name: 'A', value: '1' }] } });
    expect(stored.metadata['managedFields']).toEqual([{ ...entry, time: '2030-01-01T00:00:01Z' }]);
    stored.apply('m1', { spec: { env: [{ name: 'A', value: '2' }] } });
    expect(stored.metadata['managedFields']).toEqual([{ ...entry, time: '2030-01-01T00:00:03Z' }]);
  });
});

describe('updates beside applies', () => {
  test('API-S4, API-S5: what an update wrote an apply of the same value shares, and dropping it leaves it', () => {
    const stored = new Stored();
    stored.update('kubectl-create', { metadata: { labels: { a: '1' } }, spec: { replicas: 3, tls: { secret: 's' } } });
    stored.apply('m1', { spec: { replicas: 3, tls: { mode: 'm' } } });
    const update = owner(
      'kubectl-create',
      {
        'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } },
        'f:spec': { '.': {}, 'f:replicas': {}, 'f:tls': { '.': {}, 'f:secret': {} } },
      },
      { operation: 'Update', second: 1 },
    );
    expect(stored.metadata['managedFields']).toEqual([
      owner('m1', { 'f:spec': { 'f:replicas': {}, 'f:tls': { 'f:mode': {} } } }, { second: 2 }),
      update,
    ]);

    stored.apply('m1', {});
    expect(stored.fields).toEqual({ spec: { replicas: 3, tls: { secret: 's' } } });
    expect(stored.metadata['managedFields']).toEqual([update]);
  });

  test('API-S4, API-S5: an apply over another value of an update conflicts; the next update takes silently', () => {
    const stored = new Stored();
    stored.update('kubectl-client-side-apply', { spec: { replicas: 3, image: 'i:1' } });
    expect(() => stored.apply('m1', { spec: { replicas: 5 } })).toThrow(
      'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using example.com/v1: .spec.replicas',
    );
    stored.apply('m1', { spec: { replicas: 5 } }, { force: true });
    stored.update('kubectl-edit', { spec: { replicas: 7, image: 'i:1', args: ['a'] } });
    expect(stored.metadata['managedFields']).toEqual([
      owner('kubectl-client-side-apply', { 'f:spec': { '.': {}, 'f:image': {} } }, { operation: 'Update', second: 1 }),
      owner('kubectl-edit', { 'f:spec': { 'f:args': {}, 'f:replicas': {} } }, { operation: 'Update', second: 4 }),
    ]);
  });

  test('API-S4: an update that removes a field takes it from its owner and owns nothing for it', () => {
    const stored = new Stored();
    stored.apply('m1', { spec: { replicas: 3, env: [{ name: 'A', value: '1' }] } });
    stored.update('u', { spec: { replicas: 3 } });
    expect(stored.metadata['managedFields']).toEqual([owner('m1', { 'f:spec': { 'f:replicas': {} } }, { second: 1 })]);
  });

  test('API-S4, API-S9: an object that lost its managedFields stays untracked until somebody applies', () => {
    const stored = new Stored();
    stored.update('u', { spec: { replicas: 3, image: 'i' } });
    stored.update('u', { metadata: { managedFields: [{}] }, spec: { replicas: 3, image: 'i' } });
    expect(stored.metadata['managedFields'] ?? []).toEqual([]);
    stored.update('u', { spec: { replicas: 4, image: 'i' } });
    expect(stored.metadata['managedFields'] ?? []).toEqual([]);
    expect(() => stored.apply('m1', { spec: { replicas: 5 } })).toThrow(
      'Apply failed with 1 conflict: conflict with "before-first-apply" using example.com/v1: .spec.replicas',
    );
    stored.apply('m1', { spec: { replicas: 4 } });
    expect(stored.metadata['managedFields']).toEqual([
      owner('m1', { 'f:spec': { 'f:replicas': {} } }, {}),
      owner(
        'before-first-apply',
        { 'f:spec': { '.': {}, 'f:image': {}, 'f:replicas': {} } },
        { operation: 'Update', second: 5 },
      ),
    ]);
  });
});

describe('the status subresource', () => {
  test('API-S8: each endpoint owns its own half, in entries of its own', () => {
    const stored = new Stored();
    stored.apply('m1', { spec: { replicas: 3 }, status: { ready: 9 } });
    expect(stored.fields).toEqual({ spec: { replicas: 3 } });
    stored.apply(
      'm1',
      { spec: { replicas: 9 }, status: { ready: 1, conditions: [{ type: 'Ready', status: 'True' }] } },
      { subresource: 'status' },
    );
    stored.update('ctrl', { spec: { replicas: 9 }, status: { ready: 2 } }, { subresource: 'status' });
    expect(stored.fields).toEqual({ spec: { replicas: 3 }, status: { ready: 2 } });
    expect(stored.metadata['managedFields']).toEqual([
      owner('m1', { 'f:spec': { 'f:replicas': {} } }, { second: 1 }),
      owner('ctrl', { 'f:status': { 'f:ready': {} } }, { operation: 'Update', second: 3, subresource: 'status' }),
    ]);
    expect(() => stored.apply('m2', { status: { ready: 3 } }, { subresource: 'status' })).toThrow(
      'Apply failed with 1 conflict: conflict with "ctrl" with subresource "status" using example.com/v1: .status.ready',
    );
    stored.apply('m1', { spec: { replicas: 4 } });
    expect(stored.fields).toEqual({ spec: { replicas: 4 }, status: { ready: 2 } });
  });
});
