import { describe, expect, test } from 'vitest';
import { masked } from './masks.ts';
import { commandOf, wordsOf } from './scenario.ts';
import { scenarios } from './scenarios.ts';
import { judge, readDifferences, readGoldens, surprises } from './verdict.ts';

test('a command line is split as a shell does: quotes hold words together', () => {
  expect(wordsOf(`patch x -p '{"a": "b c"}' --l=k="v w" plain`)).toEqual([
    'patch',
    'x',
    '-p',
    '{"a": "b c"}',
    '--l=k=v w',
    'plain',
  ]);
});

describe('masks', () => {
  test.each([
    ['web-7d4b9c5f6d-x2k4p 1/1 Running 0 12s', 'web-<hash>-<id> 1/1 Running 0 <age>'],
    ['created 2026-01-02T03:04:05Z rv: "1"', 'created <time> rv: "1"'],
    ['resourceVersion: "123"', 'resourceVersion: "<rv>"'],
    ['NAME   AGE\nbox    3m2s\n', 'NAME  AGE\nbox  <age>\n'],
    ['80:31234/TCP on 10.0.0.7 of box', '80:<port>/TCP on <ip> of <node>'],
    ['Normal line\nEvents:\n  Type  Reason\n  a  b\n', 'Normal line\nEvents: <masked>\n'],
    ['front-end 2 of 3', 'front-end 2 of 3'],
  ])('%j', (text, wanted) => {
    expect(masked(text, ['box']).replace(/^NAME/, 'NAME')).toBe(wanted.replaceAll('box', '<node>'));
  });
});

test('every command has a golden, in its order, and every known difference is one of them', () => {
  const goldens = readGoldens().scenarios;
  for (const { id, commands } of scenarios) {
    const compared = commands.map(commandOf).filter(({ setUp }) => setUp !== true);
    expect(goldens[id]?.map(({ run }) => run)).toEqual(compared.map(({ run }) => run));
  }
  for (const { scenario, command } of readDifferences())
    expect(goldens[scenario]?.map(({ run }) => run)).toContain(command);
});

test('a difference nobody knows of, and a known one that is gone, are both surprises', () => {
  const golden = [
    { run: 'a', code: 0, out: 'x\n', err: '' },
    { run: 'b', code: 0, out: 'y\n', err: '' },
  ];
  const verdicts = judge('s', golden, [
    { run: 'a', code: 0, out: 'z\n', err: '' },
    { run: 'b', code: 1, out: '', err: 'no' },
  ]);
  expect(verdicts.map(({ is }) => is)).toEqual(['differs', 'fails']);
  expect(surprises(verdicts, [{ scenario: 's', command: 'a', reason: 'r' }])).toHaveLength(1);
  expect(surprises(judge('s', golden, golden), [{ scenario: 's', command: 'a', reason: 'r' }])).toEqual([
    's: kubectl a: is equal now; take it off the list',
  ]);
  expect(() => judge('s', undefined, golden)).toThrow('has no golden');
});
