import { describe, expect, test } from 'vitest';
import { quantityForm } from './quantity-form.ts';

describe('API-S7: quantities are stored in one form', () => {
  const rows: [sent: string, stored: string][] = [
    ['0', '0'],
    ['0Gi', '0'],
    ['1000m', '1'],
    ['1500m', '1500m'],
    ['0.5', '500m'],
    ['1.5', '1500m'],
    ['100000', '100k'],
    ['1e3', '1e3'],
    ['1000e3', '1e6'],
    ['1024Ki', '1Mi'],
    ['9Ki', '9Ki'],
    ['1.5Gi', '1536Mi'],
    ['0.5Ki', '512'],
    ['-1000m', '-1'],
    ['1n', '1m'],
    ['1.0001', '1001m'],
  ];
  test.each(rows)('%s becomes %s', (sent, stored) => {
    expect(quantityForm(sent, { resource: true })).toEqual({ text: stored });
  });

  test('what is not a resource keeps its billionths', () => {
    expect(quantityForm('1n', { resource: false })).toEqual({ text: '1n' });
  });

  test.each(['-', '+', '.', 'Gi', '-E'])('without digits it is nothing: %s', (sent) => {
    expect(quantityForm(sent, { resource: true })).toEqual({ text: '0' });
  });

  test('what follows the number is a unit', () => {
    expect(quantityForm('--1', { resource: true })).toEqual({ problem: "unable to parse quantity's suffix" });
  });

  test.each(['', 'x', '1 Gi', '1.2.3'])('%j is not a quantity', (sent) => {
    expect(quantityForm(sent, { resource: false })).toEqual({ problem: expect.stringContaining('must match') });
  });

  test('a suffix nobody knows', () => {
    expect(quantityForm('1mm', { resource: false })).toEqual({ problem: "unable to parse quantity's suffix" });
  });
});
