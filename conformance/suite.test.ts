// The suite is the map of what is missing: no statement without a case, no case without a golden, no difference without a reason.
import { describe, expect, test } from 'vitest';
import { cases } from './cases/index.ts';
import { type Case, type Comparison, sections, type Step } from './src/case.ts';
import { readGolden, recordedIds, stepsOf } from './src/goldens.ts';
import { committedCounts, knownDifferences } from './src/known.ts';
import { keysOf } from './src/places.ts';
import { statements, toShow } from './src/statements.ts';

const named = (step: Step): string[] => ('name' in step ? [step.name] : []);
const byId = new Map(cases.map((testCase) => [testCase.id, testCase]));

describe('the cases', () => {
  test('have ids of their own that fit into the names of namespaces', () => {
    expect(byId.size).toBe(cases.length);
    expect(cases.filter(({ id }) => !/^[a-z][a-z0-9-]{2,39}$/.test(id)).map(({ id }) => id)).toEqual([]);
  });

  test('show statements the contract has', () => {
    const defined = new Set(statements().map(({ id }) => id));
    expect(cases.flatMap(({ shows }) => shows).filter((id) => !defined.has(id))).toEqual([]);
  });

  test('show every statement that must hold and is not our own choice', () => {
    const shown = new Set(cases.flatMap(({ shows }) => shows));
    expect(toShow().length).toBeGreaterThan(100);
    expect(toShow().filter((id) => !shown.has(id))).toEqual([]);
  });

  test('claim something, and only about steps they have', () => {
    const wrong = cases.flatMap(({ id, steps, claims }: Case) => {
      const known = new Set(steps.flatMap(named));
      const lost = claims.flatMap(({ at, clause }) => (known.has(keysOf(at)[0] ?? '') ? [] : [`${id}: ${clause}`]));
      return claims.length === 0 ? [`${id} claims nothing`] : lost;
    });
    expect(wrong).toEqual([]);
  });

  test('name each step once', () => {
    const doubled = cases.filter(({ steps }) => {
      const names = steps.flatMap(named);
      return new Set(names).size !== names.length;
    });
    expect(doubled.map(({ id }) => id)).toEqual([]);
  });

  test('say why where less than the whole answer is compared', () => {
    const isNarrow = ({ only, mask, unordered }: Comparison): boolean => (only ?? mask ?? unordered) !== undefined;
    const silent = cases.flatMap(({ id, steps }) =>
      steps
        .flatMap((step): readonly Step[] => (step.do === 'together' ? step.requests : [step]))
        .filter((step) => isNarrow(step as Comparison) && ((step as Comparison).because ?? '').trim() === '')
        .map((step) => `${id}: ${named(step).join('')}`),
    );
    expect(silent).toEqual([]);
  });

  test('compare something', () => {
    const isCompared = (step: Step): boolean =>
      'name' in step && step.do !== 'watch' && !('setup' in step && step.setup);
    expect(cases.filter(({ steps }) => !steps.some(isCompared)).map(({ id }) => id)).toEqual([]);
  });
});

describe('the goldens', () => {
  test('are there for every case, with the steps it has now, and name both versions', () => {
    const wrong = cases.flatMap((testCase) => {
      const golden = readGolden(testCase);
      if (golden === undefined) return [`${testCase.id}: none`];
      if (JSON.stringify(golden.steps) !== JSON.stringify(stepsOf(testCase))) return [`${testCase.id}: other steps`];
      return /^v1\.36\.\d+$/.test(golden.kubernetes) && /^3\.6\.\d+$/.test(golden.etcd)
        ? []
        : [`${testCase.id}: versions`];
    });
    expect(wrong).toEqual([]);
  });

  test('are there for no other', () => {
    expect(recordedIds().filter(({ id, section }) => byId.get(id)?.section !== section)).toEqual([]);
  });
});

describe('the known differences', () => {
  test('are of cases there are, with a reason each', () => {
    const wrong = knownDifferences().filter((entry) => !byId.has(entry.case) || entry.reason.trim() === '');
    expect(wrong).toEqual([]);
  });

  test('are as many per section as counts.json says', () => {
    const differing = new Set(knownDifferences().map((entry) => entry.case));
    const now = sections.map((section) => [
      section,
      cases.filter((testCase) => testCase.section === section && differing.has(testCase.id)).length,
    ]);
    expect(committedCounts()).toEqual(Object.fromEntries(now));
  });
});
