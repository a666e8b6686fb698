import { describe, expect, test } from 'vitest';
import { closingLines } from './summary.ts';
import type { TestResult } from './test-results.ts';

const result = (state: TestResult['state'], title = 'x'): TestResult => ({ title, file: 'x.test.ts', state });

describe('the closing lines', () => {
  test('name what failed, and end with the counts', () => {
    expect(closingLines([result('passed'), result('passed'), result('failed', 'adds')])).toEqual([
      'failed: x.test.ts > adds',
      '2 passed, 1 failed, 0 skipped',
    ]);
  });
  test('say why something was left out, once for each reason', () => {
    const real = 'on a real server (skipped: no control plane (npm run kube:install)) > a case';
    const results = [result('skipped', real), result('skipped', real), result('pending', 'y'), result('passed')];
    expect(closingLines(results)).toEqual([
      'not run, 2: no control plane (npm run kube:install)',
      'not run, 1: no reason given',
      '1 passed, 0 failed, 3 skipped',
    ]);
  });
});
