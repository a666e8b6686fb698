import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Condition } from '../api/index.ts';
import { checkStatusPatch, editedStatus, isObserved, mergeConditions, statusDifference } from './status.ts';

const old: Condition = {
  type: 'Ready',
  status: 'False',
  reason: 'Starting',
  message: '',
  lastTransitionTime: '2020-01-01T00:00:00Z',
  observedGeneration: 1,
};
const stamp = { generation: 2, now: 1_700_000_000_000 };
const now = '2023-11-14T22:13:20Z';

describe('ST-2: conditions are keyed by type', () => {
  test.each([
    ['a new status moves the transition time', { status: true }, { status: 'True', lastTransitionTime: now }],
    [
      'the same status keeps it, whatever the reason',
      { status: false, reason: 'Other' },
      { status: 'False', reason: 'Other', lastTransitionTime: old.lastTransitionTime },
    ],
    ['a status can be given as text', { status: 'Unknown' as const }, { status: 'Unknown', lastTransitionTime: now }],
  ])('%s', (_, patch, expected) => {
    const [merged] = mergeConditions([old], [{ type: 'Ready', reason: 'Rollout', ...patch }], stamp);
    expect(merged).toMatchObject({ observedGeneration: 2, ...expected });
  });
  test('types that are not mentioned stay, in their place', () => {
    const other = { ...old, type: 'Other' };
    const merged = mergeConditions([old, other], [{ type: 'New', status: true, reason: 'X' }], stamp);
    expect(merged.map(({ type }) => type)).toEqual(['Ready', 'Other', 'New']);
    expect(merged.slice(0, 2)).toEqual([old, other]);
  });
});

test('ST-8: a message that is longer than the API allows is cut, not refused; no character is split', () => {
  const messageOf = (message: string): string =>
    mergeConditions([], [{ type: 'Ready', status: false, reason: 'Failed', message }], stamp)[0]?.message ?? '';
  expect(messageOf('x'.repeat(32_768))).toBe('x'.repeat(32_768));
  expect(messageOf('x'.repeat(32_769))).toBe(`${'x'.repeat(32_767)}…`);
  expect(messageOf(`${'x'.repeat(32_766)}😀😀`).isWellFormed()).toBe(true);
});

describe('ST-1: the generation a run was given is stamped', () => {
  test('on the status and its conditions', () => {
    expect(editedStatus({}, { set: { ready: 1 } }, stamp)).toEqual({ ready: 1, observedGeneration: 2 });
  });
  test('isObserved compares it with the object', () => {
    const object = (generation: number, observedGeneration?: number) =>
      ({ apiVersion: 'v1', kind: 'X', metadata: { name: 'x', generation }, status: { observedGeneration } }) as never;
    expect([isObserved(object(2, 2)), isObserved(object(2, 1)), isObserved(object(2))]).toEqual([true, false, false]);
  });
});

describe('ST-3: nothing is sent when nothing changed', () => {
  test('an edit that repeats what is there gives no difference, conditions included', () => {
    const current = editedStatus(
      {},
      { set: { a: 1, conditions: [{ type: 'Ready', status: true, reason: 'X' }] } },
      stamp,
    );
    const later = { ...stamp, now: stamp.now + 60_000 };
    const again = editedStatus(
      current,
      { set: { a: 1, conditions: [{ type: 'Ready', status: true, reason: 'X' }] } },
      later,
    );
    expect(statusDifference(current, again)).toBeUndefined();
  });
  test('an undefined field is not mentioned; a removed one becomes null', () => {
    expect(
      statusDifference(
        { a: 1 },
        editedStatus({ a: 1 }, { set: { a: undefined } }, { ...stamp, generation: undefined }),
      ),
    ).toBeUndefined();
    expect(statusDifference({ a: 1, b: 2 }, { b: 3 })).toEqual({ a: null, b: 3 });
  });
  test('nested objects send only what changed, lists go whole', () => {
    expect(statusDifference({ n: { a: 1, b: 2 }, l: [1, 2] }, { n: { a: 1, b: 3 }, l: [1] })).toEqual({
      n: { b: 3 },
      l: [1],
    });
  });
  test('applying the difference as a merge patch gives the edited status', () => {
    const value = fc.dictionary(
      fc.string({ minLength: 1 }).filter((k) => k !== '__proto__'),
      fc.oneof(fc.integer(), fc.array(fc.integer()), fc.dictionary(fc.constantFrom('x', 'y'), fc.integer())),
    );
    const merge = (target: unknown, patch: unknown): unknown => {
      if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
      const out: Record<string, unknown> = { ...(typeof target === 'object' && !Array.isArray(target) ? target : {}) };
      for (const [key, part] of Object.entries(patch)) {
        if (part === null) delete out[key];
        else out[key] = merge(out[key], part);
      }
      return out;
    };
    fc.assert(
      fc.property(value, value, (from, to) => {
        expect(merge(from, statusDifference(from, to) ?? {})).toEqual(to);
      }),
    );
  });
});

test('ST-4: what only an error set is taken out again', () => {
  const current = { a: 1, message: 'broken', conditions: [old, { ...old, type: 'Failed' }] };
  const edited = editedStatus(
    current,
    { set: {}, removeFields: ['message'], removeConditions: ['Failed'] },
    { ...stamp, generation: undefined },
  );
  expect(edited).toEqual({ a: 1, conditions: [old] });
});

test('null takes a field away, and conditions are only there where there were some or are some now', () => {
  const bare = { ...stamp, generation: undefined };
  expect(editedStatus({ a: 1, b: 2 }, { set: { a: null, b: undefined, c: 3 } }, bare)).toEqual({ b: 2, c: 3 });
  expect(editedStatus({ conditions: [old] }, { set: {}, removeConditions: ['Ready'] }, bare)).toEqual({
    conditions: [],
  });
  const condition = { type: 'Ready', status: true, reason: 'X', message: 'why' };
  expect(editedStatus({}, { set: { conditions: [condition] } }, bare)).toEqual({
    conditions: [{ ...condition, status: 'True', lastTransitionTime: now }],
  });
});

test('a field named like something that objects inherit is a field', () => {
  expect(statusDifference({}, { valueOf: 1 })).toEqual({ valueOf: 1 });
  expect(statusDifference({ valueOf: 1 }, {})).toEqual({ valueOf: null });
});

test.each([
  ['a promise', Promise.resolve({}), 'it is a promise'],
  ['a list', [], 'it is not an object of status fields'],
  ['nothing', undefined, 'it is not an object of status fields'],
  ['null', null, 'it is not an object of status fields'],
  ['a Map', new Map([['size', 1]]), 'it is not an object of status fields'],
  ['an error, as `onError` gets it', new Error('broken'), 'it is not an object of status fields'],
  ['conditions that are one', { conditions: { type: 'Ready' } }, 'conditions is not a list'],
  ['a condition without a type', { conditions: [{ status: true }] }, 'a condition has a type'],
  ['a condition that is a text', { conditions: ['Ready'] }, 'a condition has a type'],
  ['a condition that is missing', { conditions: [undefined] }, 'a condition has a type'],
  [
    'a condition without a status',
    { conditions: [{ type: 'Ready', reason: 'X' }] },
    "a status (true, false or 'Unknown')",
  ],
  ['a condition with another status', { conditions: [{ type: 'Ready', status: 'yes', reason: 'X' }] }, 'a status ('],
  [
    'ST-2: a type of condition twice',
    {
      conditions: [
        { type: 'Ready', status: true, reason: 'A' },
        { type: 'Synced', status: true, reason: 'A' },
        { type: 'Ready', status: false, reason: 'B' },
      ],
    },
    "two conditions have the type 'Ready' (RECONCILE_STATUS_INVALID: give each type once",
  ],
  [
    'a condition without a reason',
    { conditions: [{ type: 'Ready', status: true }] },
    "conditions[0] is { type: 'Ready', status: true }: a condition has",
  ],
])('%s is not a status patch', (_, patch, why) => {
  expect(() => checkStatusPatch(patch)).toThrow(
    expect.objectContaining({
      code: 'RECONCILE_STATUS_INVALID',
      message: expect.stringContaining(why) as string,
    }),
  );
});

test('fields are fields, whatever class or no class they are of', () => {
  const odd = [
    Object.create(null) as object,
    new (class Status {
      size = 1;
    })(),
  ];
  for (const patch of odd) expect(() => checkStatusPatch(patch)).not.toThrow();
});

test.each([[{}], [{ a: 1 }], [{ conditions: [] }], [{ conditions: [{ type: 'Ready', status: true, reason: 'X' }] }]])(
  '%j is one',
  (patch) => {
    expect(() => checkStatusPatch(patch)).not.toThrow();
  },
);
