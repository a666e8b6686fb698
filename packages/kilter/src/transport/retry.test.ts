import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextStep, type Outcome, type Progress, retryAfterOf, type Step } from './retry.ts';

const progress: Progress = { method: 'GET', retries: 0, renewed: false, left: 30_000, chance: 0 };
const answer = (status: number, retryAfter?: number): Outcome => ({ type: 'answer', status, retryAfter });
const giveUp: Step = { type: 'give up' };

describe('what follows an attempt', () => {
  test.each<[string, Partial<Progress>, Outcome, Step]>([
    ['429 with a time: waits as long', {}, answer(429, 7000), { type: 'wait', ms: 7000 }],
    ['429 without one: the answer goes to the caller', {}, answer(429), giveUp],
    ['503 with a time, for a write too', { method: 'POST' }, answer(503, 1000), { type: 'wait', ms: 1000 }],
    ['500 without one', {}, answer(500), giveUp],
    ['a time with any other status is ignored', {}, answer(409, 1000), giveUp],
    ['the tenth retry', { retries: 9 }, answer(429, 1000), { type: 'wait', ms: 1000 }],
    ['no eleventh', { retries: 10 }, answer(429, 1000), giveUp],
    ['a wait beyond the deadline is not begun', { left: 6000 }, answer(429, 7000), giveUp],
    ['401: credentials are read again', {}, answer(401), { type: 'renew' }],
    ['401: once', { renewed: true }, answer(401), giveUp],
    ['401 of a write was not carried out either', { method: 'POST' }, answer(401), { type: 'renew' }],
    ['a lost GET: after a second', {}, { type: 'lost' }, { type: 'wait', ms: 1000 }],
    ['a lost GET: counted among the ten', { retries: 10 }, { type: 'lost' }, giveUp],
    ['a lost POST', { method: 'POST' }, { type: 'lost' }, giveUp],
    ['a lost PUT', { method: 'PUT' }, { type: 'lost' }, giveUp],
    ['a lost PATCH', { method: 'PATCH' }, { type: 'lost' }, giveUp],
    ['a lost DELETE', { method: 'DELETE' }, { type: 'lost' }, giveUp],
    ['not taken: at once', {}, { type: 'not taken' }, { type: 'wait', ms: 0 }],
    ['not taken: a write too', { method: 'POST' }, { type: 'not taken' }, { type: 'wait', ms: 0 }],
    ['not taken again: soon', { retries: 1 }, { type: 'not taken' }, { type: 'wait', ms: 100 }],
    ['not taken at all: every second', { retries: 9 }, { type: 'not taken' }, { type: 'wait', ms: 1000 }],
    ['not taken: counted among the ten', { retries: 10 }, { type: 'not taken' }, giveUp],
    ['never sent', {}, { type: 'failed' }, giveUp],
  ])('%s', (...[, some, outcome, expected]) => {
    expect(nextStep({ ...progress, ...some }, outcome)).toEqual(expected);
  });

  test('TR-6: many who were told the same time do not come back together', () => {
    const waitsOf = (asked: number): number[] =>
      [0, 0.25, 0.5, 0.75, 0.999].map((chance) => {
        const step = nextStep({ ...progress, chance }, answer(429, asked));
        return step.type === 'wait' ? step.ms : Number.NaN;
      });
    const ms = waitsOf(7000);
    expect(new Set(ms).size).toBe(ms.length);
    expect(ms.at(-1)).toBeGreaterThan(7600);
    // Nor those who may come back at once.
    expect(waitsOf(0)).toEqual([0, 25, 50, 75, 99.9]);
  });

  test('TR-6: chance only lengthens a wait, by a tenth at most or 100 ms', () => {
    const seconds = fc.integer({ min: 0, max: 600 });
    fc.assert(
      fc.property(seconds, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (asked, chance) => {
        const step = nextStep({ ...progress, chance, left: Infinity }, answer(429, asked * 1000));
        const ms = step.type === 'wait' ? step.ms : Number.NaN;
        expect(ms).toBeGreaterThanOrEqual(asked * 1000);
        expect(ms).toBeLessThanOrEqual(asked * 1000 + Math.max(asked * 100, 100));
      }),
    );
  });
});

describe('Retry-After', () => {
  const now = Date.UTC(2026, 0, 1, 0, 0, 0);
  test.each([
    ['7', 7000],
    [' 0 ', 0],
    ['Thu, 01 Jan 2026 00:00:09 GMT', 9000],
    ['Wed, 31 Dec 2025 23:59:59 GMT', 0],
    ['', undefined],
    ['soon', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['99999999999', undefined],
    ['Thu, 01 Foo 2026 00:00:09 GMT', undefined],
  ])('%j', (header, expected) => {
    expect(retryAfterOf(header, now)).toBe(expected);
  });

  test('no header', () => {
    expect(retryAfterOf(undefined, now)).toBeUndefined();
  });
});
