import { describe, expect, test } from 'vitest';
import { kind, type KubeObject } from '../api/index.ts';
import { cached } from '../cache/index.ts';
import { controller } from '../controller/index.ts';
import { KilterError } from '../errors/index.ts';
import { validating } from '../webhook/index.ts';
import { type OperatorOptions, resolveOperatorOptions } from './options.ts';

const Box = kind<KubeObject>({ group: '', version: 'v1', kind: 'Box', plural: 'boxes', scope: 'Namespaced' });
const box = (name: string, options: object = {}) =>
  controller(Box, { name, ...options }).reconcile(async () => undefined);
const resolve = (options: Partial<OperatorOptions>) => resolveOperatorOptions({ name: 'op', ...options });

function refusal(options: Partial<OperatorOptions>): string {
  try {
    resolve(options);
  } catch (error) {
    if (error instanceof KilterError) return `${error.code} ${error.summary}`;
    throw error;
  }
  return 'accepted';
}

describe('the options of an operator', () => {
  test('have defaults', () => {
    expect(resolve({})).toEqual({
      name: 'op',
      controllers: [],
      webhooks: [],
      webhookServer: {},
      allKinds: [],
      queue: {},
      leaderElection: undefined,
      namespaces: undefined,
      policy: 'strict',
      policyIn: undefined,
      kinds: [],
      verifyEvery: undefined,
      resync: 36_000_000,
      syncTimeout: 120_000,
      waitTimeout: 10_000,
      rateLimit: undefined,
      logger: undefined,
      gracefulStop: 30_000,
      metricsAddress: ':8080',
      probeAddress: ':8081',
      parts: [],
      checks: { healthz: {}, readyz: {} },
    });
  });

  test.each([
    [
      { kinds: [cached(Box, { keep: ['spec'] })] },
      'cache.kinds leaves out fields of Box, which the controller b reconciles',
    ],
    [{ kinds: [cached(Box, { transform: () => undefined })] }, 'leaves out fields of Box'],
    [{ kinds: [cached(Box, { policy: 'adhoc' })] }, 'accepted'],
    [
      { kinds: [cached(Box, { policy: 'lax' as never })] },
      'the policy of Box is "lax", not one of strict, adhoc, extend',
    ],
    [{ policyIn: { shop: 'lax' as never } }, 'cache.policyIn[shop] is "lax"'],
    [{ verifyEvery: '0s' }, 'cache.verifyEvery must be a duration above zero'],
  ] as const)('what is said of kinds is checked at once: %j', (cache, told) => {
    expect(refusal({ cache, controllers: [box('b')] })).toContain(told);
  });

  test('election has its own, also where it is only asked for', () => {
    const defaults = { lease: 'op', leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2000 };
    expect(resolve({ leaderElection: true }).leaderElection).toMatchObject(defaults);
    expect(resolve({ leaderElection: {} }).leaderElection).toMatchObject(defaults);
    expect(resolve({ leaderElection: false }).leaderElection).toBeUndefined();
    const given = {
      lease: 'l',
      namespace: 'n',
      identity: 'i',
      leaseDuration: 3,
      renewDeadline: 2,
      retryPeriod: 1,
      labels: { a: 'b' },
      onStartedLeading: () => undefined,
      onStoppedLeading: () => undefined,
    };
    expect(resolve({ leaderElection: given }).leaderElection).toEqual(given);
  });

  test('a burst is twice the rate, and one at least', () => {
    const burst = (qps: number) => resolve({ rateLimit: { qps } }).rateLimit?.burst;
    expect([burst(0.1), burst(0.5), burst(1), burst(2.5)]).toEqual([1, 1, 2, 5]);
    expect(resolve({ rateLimit: { qps: 0.5, burst: 1 } }).rateLimit).toEqual({ qps: 0.5, burst: 1 });
  });

  test('the shortest times and the longest name are taken', () => {
    expect(refusal({ gracefulStop: 1, cache: { resync: 1 } })).toBe('accepted');
    expect(refusal({ name: 'a'.repeat(253) })).toBe('accepted');
    expect(refusal({ name: 'a' })).toBe('accepted');
    // A controller's own win: what would not fit to the operator's is not used with them.
    const own = box('a', { backoff: { base: '1s', cap: '5s' } });
    expect(refusal({ queue: { backoff: { base: '10s' } }, controllers: [own] })).toBe('accepted');
    expect(refusal({ controllers: [box('a'), box('b')], webhooks: [] })).toBe('accepted');
  });
});

const zero = 'must be a duration above zero, not 0';
test.each<[Partial<OperatorOptions>, string]>([
  [{ gracefulStop: 0 }, `MANAGER_OPTION_INVALID gracefulStop ${zero}`],
  [{ gracefulStop: 'x' as never }, 'MANAGER_OPTION_INVALID gracefulStop must be a duration above zero, not "x"'],
  [{ cache: { resync: 0 } }, `MANAGER_OPTION_INVALID cache.resync ${zero}`],
  [{ cache: { syncTimeout: 0 } }, `MANAGER_OPTION_INVALID cache.syncTimeout ${zero}`],
  [{ cache: { waitTimeout: 0 } }, `MANAGER_OPTION_INVALID cache.waitTimeout ${zero}`],
  [{ leaderElection: { leaseDuration: 0 } }, `MANAGER_OPTION_INVALID leaderElection.leaseDuration ${zero}`],
  [{ leaderElection: { renewDeadline: 0 } }, `MANAGER_OPTION_INVALID leaderElection.renewDeadline ${zero}`],
  [{ leaderElection: { retryPeriod: 0 } }, `MANAGER_OPTION_INVALID leaderElection.retryPeriod ${zero}`],
  [{ rateLimit: { qps: 0 } }, 'MANAGER_OPTION_INVALID rateLimit.qps must be a number above 0, not 0'],
  [
    { rateLimit: { qps: 1, burst: 0 } },
    'MANAGER_OPTION_INVALID rateLimit.burst must be a whole number from 1 on, not 0',
  ],
  [{ name: undefined as never }, 'MANAGER_OPTION_INVALID an operator needs a name: operator({ name, controllers })'],
  [
    { controllers: [controller(Box) as never] },
    'MANAGER_OPTION_INVALID controllers[0] is not a controller: end it with .reconcile(…) or .reconcileKey(…)',
  ],
  [
    { controllers: [box('a'), undefined as never] },
    'MANAGER_OPTION_INVALID controllers[1] is not a controller: end it with .reconcile(…) or .reconcileKey(…)',
  ],
  [{ name: 'Op' }, `MANAGER_OPTION_INVALID name must consist of lower-case letters, digits, '-' and '.', not "Op"`],
  [
    { name: 'a'.repeat(254) },
    `MANAGER_OPTION_INVALID name must consist of lower-case letters, digits, '-' and '.', not "${'a'.repeat(254)}"`,
  ],
  [{ controllers: [box('a'), box('b'), box('a')] }, 'MANAGER_DUPLICATE_CONTROLLER two controllers are named a'],
  [
    { webhooks: [validating(Box, { on: [] }, () => undefined)] },
    'WEBHOOK_OPTION_INVALID validating(Box): on is empty: it would never be asked',
  ],
  [{ queue: { backoff: { base: 0 } } }, 'CONTROLLER_OPTION_INVALID backoff.base must be a duration above zero, not 0'],
  [
    { queue: { backoff: { base: '1m' } }, controllers: [box('a', { backoff: { cap: '1s' } })] },
    'CONTROLLER_OPTION_INVALID backoff.cap (1000 ms) is below backoff.base (60000 ms)',
  ],
])('%# is refused, said in full', (options, message) => {
  expect(refusal(options)).toBe(message);
});
