import { describe, expect, test } from 'vitest';
import {
  addQuantities,
  compareQuantities,
  negated,
  quantityOf,
  quantityParts,
  quantityText,
  thousandths,
} from './quantity.ts';

test.each([
  ['600m', '500m', '1100m'],
  ['500m', '500m', '1'],
  ['0', '1Gi', '1Gi'],
  ['512Mi', '512Mi', '1Gi'],
  ['1Gi', '1', '1073741825'],
  ['1', '1Gi', '1073741825'],
  ['1500Mi', '2Gi', '3548Mi'],
  ['1e3', '1k', '2e3'],
  ['100n', '1', '1000000100n'],
])('%s and %s are %s: written as the first part is, unless that is nothing', (a, b, sum) => {
  expect(quantityText(addQuantities(quantityOf(a), quantityOf(b)))).toBe(sum);
});

describe('quantities are compared by what they are', () => {
  test.each([
    ['1000m', '1', 0],
    ['1Ki', '1k', 1],
    ['999m', '1', -1],
    ['-1', '0', -1],
  ])('%s and %s: %i', (a, b, order) => {
    expect(compareQuantities(quantityOf(a), quantityOf(b))).toBe(order);
    expect(compareQuantities(negated(quantityOf(b)), negated(quantityOf(a)))).toBe(order);
  });
});

test.each([
  ['1', 1000n],
  ['1u', 1n],
  ['1500u', 2n],
  ['-1500u', -1n],
])('%s has %i thousandths, rounded up', (text, expected) => {
  expect(thousandths(quantityOf(text))).toBe(expected);
});

describe('powers that nobody counts', () => {
  test.each([`1e${'3'.repeat(30)}`, '1e99999999999999999999'])('beyond 64 bits are not quantities: %s', (text) => {
    expect(quantityParts(text)).toEqual({ problem: "unable to parse quantity's suffix" });
  });

  test.each([
    ['1e999999999', 1],
    ['1e-999999999', -1],
  ])('%s takes no more time than others', (text, order) => {
    expect(compareQuantities(quantityOf(text), quantityOf('1'))).toBe(order);
  });
});
