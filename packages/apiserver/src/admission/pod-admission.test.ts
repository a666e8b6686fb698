import { describe, expect, test } from 'vitest';
import {
  podPriority,
  type PriorityClass,
  secondDefaultClass,
  withEvictionTolerations,
  withNotReadyTaint,
} from './pod-admission.ts';

const notReady = 'node.kubernetes.io/not-ready';
const unreachable = 'node.kubernetes.io/unreachable';
const keysOf = (tolerations: unknown[]): unknown[] => tolerations.map((one) => (one as { key?: string }).key);

describe('tolerations of failing nodes', () => {
  test.each([
    { given: undefined, keys: [notReady, unreachable] },
    { given: [{ key: 'a', operator: 'Exists' }], keys: ['a', notReady, unreachable] },
    { given: [{ key: notReady, operator: 'Exists', effect: 'NoExecute' }], keys: [notReady, unreachable] },
    { given: [{ key: notReady, operator: 'Exists' }], keys: [notReady, unreachable] },
    { given: [{ key: notReady, operator: 'Exists', effect: 'NoSchedule' }], keys: [notReady, notReady, unreachable] },
    { given: [{ operator: 'Exists' }], keys: [undefined] },
  ])('$given becomes $keys', ({ given, keys }) => {
    expect(keysOf(withEvictionTolerations(given))).toEqual(keys);
  });
});

describe('the priority of a pod', () => {
  const one = (name: string, value: number, more: Partial<PriorityClass> = {}): PriorityClass => ({
    name,
    value,
    preemptionPolicy: 'PreemptLowerPriority',
    globalDefault: false,
    ...more,
  });
  const nothing = { className: '', priority: undefined, preemptionPolicy: undefined };

  test('is 0 without classes', () => {
    expect(podPriority(nothing, [one('a', 7)])).toEqual({
      className: '',
      priority: 0,
      preemptionPolicy: 'PreemptLowerPriority',
    });
  });

  test('is that of the lowest default class', () => {
    const classes = [one('b', 9, { globalDefault: true }), one('a', 7, { globalDefault: true })];
    expect(podPriority(nothing, classes)).toMatchObject({ className: 'a', priority: 7 });
  });

  test('is that of its class', () => {
    const classes = [one('a', 7, { preemptionPolicy: 'Never' })];
    expect(podPriority({ ...nothing, className: 'a', priority: 7 }, classes)).toEqual({
      className: 'a',
      priority: 7,
      preemptionPolicy: 'Never',
    });
  });

  test.each([
    [{ ...nothing, className: 'x' }, 'no PriorityClass with name x was found'],
    [{ ...nothing, priority: 3 }, 'the integer value of priority (3) must not be provided in pod spec; '],
    [{ ...nothing, preemptionPolicy: 'Never' }, 'the string value of PreemptionPolicy (Never) must not be provided'],
  ])('%j is refused', (asked, refused) => {
    expect(podPriority(asked, [])).toEqual({ refused: expect.stringContaining(refused) as string });
  });

  test('only one class is the default', () => {
    const classes = [one('a', 7, { globalDefault: true })];
    expect(secondDefaultClass('b', true, classes)).toContain('PriorityClass a is already marked as default');
    expect(secondDefaultClass('a', false, classes)).toBeUndefined();
    expect(secondDefaultClass('b', true, [])).toBeUndefined();
  });
});

test('a new node is not ready, said once', () => {
  const once = withNotReadyTaint(undefined);
  expect(once).toEqual([{ key: notReady, effect: 'NoSchedule' }]);
  expect(withNotReadyTaint(once)).toEqual(once);
});
