import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseInstant } from './rfc3339.ts';

test('any time is read as JavaScript reads it', () => {
  const years = { min: new Date('1900-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true };
  fc.assert(
    fc.property(fc.date(years), (date) => {
      expect(parseInstant(date.toISOString())).toBe(date.getTime());
    }),
  );
});

test.each([
  ['2026-01-01T00:00:00Z', Date.UTC(2026, 0, 1)],
  ['2026-01-01T02:00:00+02:00', Date.UTC(2026, 0, 1)],
  ['2025-12-31T21:30:00-02:30', Date.UTC(2026, 0, 1)],
  ['2026-01-01t00:00:00.250z', Date.UTC(2026, 0, 1) + 250],
])('%s', (text, expected) => {
  expect(parseInstant(text)).toBe(expected);
});

test.each([
  '',
  'soon',
  '2026-01-01',
  '2026-13-01T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '1767225600',
  '2026-01-01T00:00:00',
])('%j is not a time', (text) => {
  expect(parseInstant(text)).toBeUndefined();
});
