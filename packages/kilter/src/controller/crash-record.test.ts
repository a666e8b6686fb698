import { describe, expect, test } from 'vitest';
import { type CrashRecord, formatRecord, mostNames, nextReign, parseRecord, youth } from './crash-record.ts';

const record = (more: Partial<CrashRecord> = {}): CrashRecord => ({
  holder: 'one',
  began: 1_000_000,
  stopped: false,
  youngEnds: 0,
  running: [],
  strikes: [],
  ...more,
});
const run = { id: 'thing/default/a', generation: 2 };
const next = (before: CrashRecord | undefined, after = 1000) =>
  nextReign(before, { holder: 'two', now: (before?.began ?? 0) + after });

describe('B-30: the reign after another', () => {
  test.each<[string, CrashRecord | undefined, number, Partial<CrashRecord>]>([
    ['there was none', undefined, 0, { youngEnds: 0, strikes: [] }],
    [
      'stopped in order: nothing is held against what ran',
      record({ stopped: true, running: [run] }),
      1,
      { youngEnds: 0, strikes: [] },
    ],
    ['ended young', record(), youth - 1, { youngEnds: 1 }],
    ['ended young again', record({ youngEnds: 3 }), 1, { youngEnds: 4 }],
    ['ended old', record({ youngEnds: 3 }), youth, { youngEnds: 0 }],
    ['ended before it began, by another clock', record(), -5000, { youngEnds: 1 }],
    ['what ran gets a strike', record({ running: [run] }), 1, { strikes: [{ ...run, count: 1 }] }],
    [
      'and another one',
      record({ running: [run], strikes: [{ ...run, count: 2 }] }),
      1,
      { strikes: [{ ...run, count: 3 }] },
    ],
    [
      'a new generation is a new case',
      record({ running: [{ ...run, generation: 3 }], strikes: [{ ...run, count: 2 }] }),
      1,
      { strikes: [{ id: run.id, generation: 3, count: 1 }] },
    ],
    [
      'what did not run keeps its strikes',
      record({ strikes: [{ ...run, count: 2 }] }),
      1,
      { strikes: [{ ...run, count: 2 }] },
    ],
    [
      'a stop keeps strikes too',
      record({ stopped: true, strikes: [{ ...run, count: 2 }] }),
      1,
      { strikes: [{ ...run, count: 2 }] },
    ],
  ])('%s', (_, before, after, expected) => {
    expect(next(before, after)).toMatchObject({ holder: 'two', stopped: false, running: [], ...expected });
  });

  test('what is remembered is bounded: the oldest goes', () => {
    const many = Array.from({ length: mostNames }, (_, i) => ({ id: `thing/default/t${i}`, generation: 1, count: 1 }));
    const { strikes } = next(record({ running: [run], strikes: many }));
    expect(strikes).toHaveLength(mostNames);
    expect([strikes[0]?.id, strikes.at(-1)?.id]).toEqual(['thing/default/t1', run.id]);
  });
});

describe('as text', () => {
  test('comes back as it was, whatever objects are called', () => {
    const names = ['__proto__', 'constructor', 'a/b'].map((id) => ({ id, generation: undefined }));
    const whole = record({ running: names, strikes: names.map((name) => ({ ...name, count: 1 })), youngEnds: 2 });
    expect(parseRecord(formatRecord(whole))).toEqual(whole);
  });

  test.each([
    undefined,
    '',
    'x',
    '[]',
    '{}',
    'null',
    '{"holder":1}',
    '{"holder":"a","stopped":false,"began":"x","youngEnds":0,"running":[],"strikes":[]}',
    '{"holder":"a","stopped":false,"began":1,"youngEnds":0,"running":{},"strikes":[]}',
  ])('%s says nothing', (text) => {
    expect(parseRecord(text)).toBeUndefined();
  });

  test('what is not an entry is left out', () => {
    const text = JSON.stringify({ ...record(), running: [1, ['a'], ['b', 3]], strikes: [['a', 1], ['b', 1, 2], [3]] });
    expect(parseRecord(text)).toMatchObject({
      running: [
        { id: 'a', generation: undefined },
        { id: 'b', generation: 3 },
      ],
      strikes: [{ id: 'b', generation: 1, count: 2 }],
    });
  });
});
