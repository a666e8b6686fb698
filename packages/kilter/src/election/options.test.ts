import { describe, expect, test } from 'vitest';
import { virtualRuntime } from '../internal/index.ts';
import { silentLogger } from '../telemetry/index.ts';
import { type ElectionOptions, electionRules, requestTimeout } from './options.ts';

const base: ElectionOptions = {
  client: undefined as unknown as ElectionOptions['client'],
  runtime: virtualRuntime(),
  logger: silentLogger,
  lease: { name: 'webapp-operator', namespace: 'default' },
  identity: 'host_1',
};

describe('the times of an election', () => {
  test('defaults are 15 s, 10 s and 2 s', () => {
    expect(electionRules(base)).toMatchObject({ leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2000 });
  });

  test.each<[string, Partial<ElectionOptions>]>([
    [
      'LE-8: retry + renew reach the lease: 15/14/10, which client-go accepts',
      { renewDeadline: 14_000, retryPeriod: 10_000 },
    ],
    ['LE-8: retry + renew equal the lease', { renewDeadline: 13_000 }],
    ['LE-8: 1.2 x retry reaches renew', { leaseDuration: 30_000, renewDeadline: 12_000, retryPeriod: 10_000 }],
    ['LE-8: no time between tries', { retryPeriod: 0 }],
    ['LE-8: what is not a number', { renewDeadline: Number.NaN }],
    ['LE-9: a lease of less than a second', { leaseDuration: 900, renewDeadline: 300, retryPeriod: 100 }],
    ['LE-9: a lease that is not a whole number of seconds', { leaseDuration: 15_500 }],
    ['an empty identity', { identity: '' }],
    ['a Lease without a name', { lease: { name: '', namespace: 'default' } }],
  ])('refused with a code: %s', (_, options) => {
    expect(() => electionRules({ ...base, ...options })).toThrow(
      expect.objectContaining({ code: 'ELECTION_OPTION_INVALID' }),
    );
  });

  test.each<[string, Partial<ElectionOptions>]>([
    ['LE-8: just inside both rules', { leaseDuration: 15_000, renewDeadline: 12_999, retryPeriod: 2000 }],
    ['LE-9: one second', { leaseDuration: 1000, renewDeadline: 600, retryPeriod: 300 }],
  ])('accepted: %s', (_, options) => {
    expect(electionRules({ ...base, ...options })).toMatchObject(options);
  });

  test('LE-14: a Lease request may take half the renew deadline, at least one second', () => {
    expect(requestTimeout(electionRules(base))).toBe(5000);
    expect(requestTimeout(electionRules({ ...base, leaseDuration: 2000, renewDeadline: 1500, retryPeriod: 300 }))).toBe(
      1000,
    );
  });
});
