import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { citedIn, readPages, statementsOf } from './contracts.ts';
import { heldBy, lost, notRun, ofMoto } from './ledger.ts';
import { type TestResult, workspace } from './test-results.ts';
import { thinRows } from './thin.ts';

const result = (title: string, state: TestResult['state'] = 'passed'): TestResult => ({ title, file: 'x', state });

describe('a title cites', () => {
  test.each([
    ['WQ-1: adding a queued key again', ['WQ-1']],
    ['RC-1, RL-1: a throw', ['RC-1', 'RL-1']],
    ['API-S5 and CRD-N1', ['API-S5', 'CRD-N1']],
    ['B-00a and INV-1', ['B-00a', 'INV-1']],
    ['nothing here, not even UTF-8 or v1', ['UTF-8']],
  ])('%s', (title, ids) => {
    expect(citedIn(title)).toEqual(ids);
  });
});

test('a statement is defined where its ID stands in bold, once', () => {
  expect(statementsOf('- **WQ-1** x WQ-2\n| **API-S5** | **WQ-1** |\n**must** **B-00a**')).toEqual([
    'WQ-1',
    'API-S5',
    'B-00a',
  ]);
});

test('a statement whose tests cannot run here is neither held nor lost', () => {
  const results = [result('API-G8: chosen controllers', 'skipped'), result('WQ-1: x')];
  expect([...notRun(results)]).toEqual(['API-G8']);
  expect([...heldBy(results, new Set())]).toEqual(['WQ-1']);
});

test('what moto shows is held after such a run, and neither held nor lost without one', () => {
  expect([...notRun(ofMoto(undefined))]).toEqual(['ER-64']);
  expect([...heldBy(ofMoto(undefined), new Set())]).toEqual([]);
  const ran = ofMoto([result('over moto > ER-64: it is moto that answers')]);
  expect([...heldBy(ran, new Set())]).toEqual(['ER-64']);
  expect([...notRun(ran)]).toEqual([]);
});

describe('a statement is held', () => {
  const none = new Set<string>();
  test('when a passing test cites it', () => {
    expect([...heldBy([result('WQ-1: x'), result('WQ-2: y', 'skipped')], none)]).toEqual(['WQ-1']);
  });
  test('unless another test that cites it fails', () => {
    expect([...heldBy([result('WQ-1: x'), result('WQ-1: y', 'failed')], none)]).toEqual([]);
  });
  test('unless it is on the thin list', () => {
    expect([...heldBy([result('WQ-1: x')], new Set(['WQ-1']))]).toEqual([]);
  });
  test('but not by a test of the tools, which cites IDs as examples', () => {
    expect([...heldBy([{ ...result('WQ-1: x'), file: 'tools/ledger.test.ts' }], none)]).toEqual([]);
  });
  test('and its loss is noticed', () => {
    expect(lost(['WQ-1', 'WQ-2'], new Set(['WQ-2']))).toEqual(['WQ-1']);
  });
});

describe('the files agree', () => {
  test('no statement is defined twice: an ID means one thing', () => {
    const folder = resolve(workspace, 'docs/contracts');
    const defined = readPages().flatMap(({ name }) =>
      [
        ...readFileSync(resolve(folder, name), 'utf8').matchAll(
          /^(?:- |\| )\*\*([A-Z]+-[A-Z]?[A-Za-z]*\d+[a-z]?)\*\*/gm,
        ),
      ].map((match) => match[1]),
    );
    expect(defined.length).toBeGreaterThan(500);
    expect(defined.filter((one, index) => defined.indexOf(one) !== index)).toEqual([]);
  });

  test('no page holds both sides of a merge', () => {
    for (const { name } of readPages()) {
      const text = readFileSync(resolve(workspace, 'docs/contracts', name), 'utf8');
      expect(text.match(/^(?:<{7}|={7}|>{7})(?: .*)?$/gm), name).toBeNull();
    }
  });

  const known = new Set(readPages().flatMap(({ statements }) => statements));
  test('every page has statements', () => {
    for (const { name, statements } of readPages()) expect(statements.length, name).toBeGreaterThan(30);
  });
  test('the ledger and the thin list name statements that exist, and share none', () => {
    const held = JSON.parse(readFileSync(resolve(workspace, 'tools/ledger.json'), 'utf8')) as string[];
    const thin = thinRows().flatMap(({ statement }) => statement ?? []);
    for (const id of [...held, ...thin]) expect(known.has(id), id).toBe(true);
    expect(held.filter((id) => thin.includes(id))).toEqual([]);
  });
  test('a thin row names a room, a statement or a topic, and what is missing', () => {
    for (const row of thinRows()) {
      expect(row.room).toMatch(/./);
      expect(row.missing).toMatch(/./);
      expect([row.statement, row.topic].filter((part) => part !== undefined)).toHaveLength(1);
    }
  });
});
