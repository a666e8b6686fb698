import { describe, expect, test } from 'vitest';
import type { KubeObject, ObjectMeta } from '../api/index.ts';
import {
  annotationsChanged,
  anyOf,
  changedBeyondStatus,
  finalizersChanged,
  generationChanged,
  labelsChanged,
  matching,
  type Predicate,
  resourceVersionChanged,
  type Versions,
} from './predicate.ts';

const object = (metadata: Partial<ObjectMeta> = {}, more: object = {}): KubeObject => ({
  apiVersion: 'example.com/v1',
  kind: 'WebApp',
  metadata: { name: 'shop', namespace: 'default', generation: 1, resourceVersion: '1', ...metadata },
  ...more,
});
const from = (before: Partial<ObjectMeta>, after: Partial<ObjectMeta>): Versions => ({
  before: object(before),
  after: object(after),
});

describe('predicates on what changed', () => {
  const all: readonly [string, Predicate][] = [
    ['PH-2: generationChanged', generationChanged],
    ['labelsChanged', labelsChanged],
    ['annotationsChanged', annotationsChanged],
    ['finalizersChanged', finalizersChanged],
    ['resourceVersionChanged', resourceVersionChanged],
  ];
  test.each(all)('%s passes adds and deletes and stops an update that changes nothing', (_, predicate) => {
    expect(predicate({ after: object() })).toBe(true);
    expect(predicate({ before: object() })).toBe(true);
    expect(predicate({ before: object(), after: object() })).toBe(false);
  });

  test.each<[string, Versions, boolean]>([
    ['a new generation', from({ generation: 1 }, { generation: 2 }), true],
    [
      'the beginning of a deletion, which bumps it',
      from({ generation: 1 }, { generation: 2, deletionTimestamp: 't' }),
      true,
    ],
    ['a status write', from({ resourceVersion: '1' }, { resourceVersion: '2' }), false],
    [
      'an object without a generation',
      from({ generation: undefined }, { generation: undefined, labels: { a: 'b' } }),
      true,
    ],
  ])('PH-2: generationChanged on %s', (_, change, expected) => {
    expect(generationChanged(change)).toBe(expected);
  });

  test.each<[string, Predicate, Versions & { passes: boolean }]>([
    ['labels that differ', labelsChanged, { ...from({ labels: { a: '1' } }, { labels: { a: '2' } }), passes: true }],
    [
      'labels in another order',
      labelsChanged,
      { ...from({ labels: { a: '1', b: '2' } }, { labels: { b: '2', a: '1' } }), passes: false },
    ],
    ['no labels and empty labels', labelsChanged, { ...from({}, { labels: {} }), passes: false }],
    ['labels while annotations differ', labelsChanged, { ...from({}, { annotations: { a: '1' } }), passes: false }],
    ['annotations that differ', annotationsChanged, { ...from({}, { annotations: { a: '1' } }), passes: true }],
    ['a finalizer that appears', finalizersChanged, { ...from({}, { finalizers: ['a/b'] }), passes: true }],
    ['a new version', resourceVersionChanged, { ...from({}, { resourceVersion: '2' }), passes: true }],
  ])('%s', (_, predicate, { passes, ...change }) => {
    expect(predicate(change)).toBe(passes);
  });

  test('anyOf passes if one of its predicates does', () => {
    const either = anyOf(generationChanged, labelsChanged);
    expect(either(from({}, { labels: { a: 'b' } }))).toBe(true);
    expect(either(from({}, { annotations: { a: 'b' } }))).toBe(false);
  });

  test('PH-3: a predicate on the state passes if the old or the new object matches', () => {
    const isLabelled = matching((one: KubeObject) => one.metadata.labels?.tier === 'web');
    const inside = { labels: { tier: 'web' } };
    expect(isLabelled(from({}, inside))).toBe(true);
    expect(isLabelled(from(inside, {}))).toBe(true);
    expect(isLabelled({ before: object(inside) })).toBe(true);
    expect(isLabelled(from({}, {}))).toBe(false);
  });
});

describe('PH-9: updates of nothing but the status', () => {
  const written: Partial<ObjectMeta> = {
    resourceVersion: '2',
    managedFields: [
      {
        manager: 'm',
        operation: 'Update',
        apiVersion: 'v1',
        fieldsType: 'FieldsV1',
        fieldsV1: {},
        subresource: 'status',
      },
    ],
  };
  const before = object({ labels: { a: 'b' } }, { spec: { replicas: 1 }, status: { ready: 0 } });
  const after = (metadata: Partial<ObjectMeta> = {}, more: object = {}): KubeObject =>
    object({ labels: { a: 'b' }, ...written, ...metadata }, { spec: { replicas: 1 }, status: { ready: 1 }, ...more });

  test.each<[string, KubeObject, boolean]>([
    ['status, managed fields and version', after(), false],
    ['labels too', after({ labels: {} }), true],
    ['annotations too', after({ annotations: { a: 'b' } }), true],
    ['finalizers too', after({ finalizers: ['a/b'] }), true],
    ['owners too', after({ ownerReferences: [{ apiVersion: 'v1', kind: 'K', name: 'n', uid: 'u' }] }), true],
    ['the spec too', after({ generation: 2 }, { spec: { replicas: 2 } }), true],
    ['another field of the object too', after({}, { data: {} }), true],
    ['the deletion mark too', after({ deletionTimestamp: 't' }), true],
    ['nothing: a resync', before, true],
  ])('PH-9: an update that changes %s', (_, changed, passes) => {
    expect(changedBeyondStatus({ before, after: changed })).toBe(passes);
  });

  test('PH-9: adds and deletes pass', () => {
    expect([changedBeyondStatus({ before }), changedBeyondStatus({ after: before })]).toEqual([true, true]);
  });
});

describe('PH-6: an async test has not answered', () => {
  const later = (async () => Promise.reject(new Error('unheard'))) as never;
  const change = { before: object({}), after: object({}) };
  const refused = expect.objectContaining({ code: 'TRIGGER_PREDICATE_INVALID' });
  test.each([
    ['anyOf', anyOf(() => false, later)],
    ['matching', matching(later)],
  ])('inside %s it is refused, and its rejection ends no process', (_, predicate) => {
    expect(() => predicate(change)).toThrow(refused);
  });
});
