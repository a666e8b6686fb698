import { describe, expect, test } from 'vitest';
import { closingLine } from './summary.ts';
import type { TestResult } from './test-results.ts';

const result = (state: TestResult['state'], title = 'x'): TestResult => ({ title, file: 'x', state });

describe('the closing line', () => {
  test('counts what passed, failed and was left out', () => {
    expect(closingLine([result('passed'), result('passed'), result('failed')])).toBe('2 passed, 1 failed, 0 skipped');
  });
  test('says why something was left out, once for each reason', () => {
    const real = 'on a real server (skipped: no control plane (npm run kube:install)) > a case';
    const results = [result('skipped', real), result('skipped', real), result('pending', 'y'), result('passed')];
    expect(closingLine(results)).toBe(
      '1 passed, 0 failed, 3 skipped (2: no control plane (npm run kube:install); 1: no reason given)',
    );
  });
});
