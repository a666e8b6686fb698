import { describe, expect, test } from 'vitest';
import { kind, type KubeObject } from '../api/index.ts';
import { cached } from '../cache/index.ts';
import { controller } from '../controller/index.ts';
import { KilterError } from '../errors/index.ts';
import { validating } from '../webhook/index.ts';
import type { OperatorOptions } from './options.ts';
import { resolveOperatorOptions } from './resolve-options.ts';

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
      watchdog: true,
      metricsAddress: ':8080',
      probeAddress: ':8081',
      parts: [],
      checks: { healthz: {}, readyz: {} },
      metrics: [],
      registries: [],
      requestMetrics: false,
      tracing: true,
      secureMetrics: undefined,
      debugAddress: '0',
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
    [{ policy: 'lax' as never }, 'CACHE_OPTION_INVALID cache.policy is "lax", not one of strict, adhoc, extend'],
    [{ kinds: [Box] as never }, 'CACHE_OPTION_INVALID cache.kinds is [ {'],
    [{ kinds: cached(Box, {}) as never }, 'CACHE_OPTION_INVALID cache.kinds is {'],
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
  [{ gracefulStop: 'x' as never }, "MANAGER_OPTION_INVALID gracefulStop must be a duration above zero, not 'x'"],
  [{ cache: { resync: 0 } }, `MANAGER_OPTION_INVALID cache.resync ${zero}`],
  [{ cache: { syncTimeout: 0 } }, `MANAGER_OPTION_INVALID cache.syncTimeout ${zero}`],
  [{ cache: { waitTimeout: 0 } }, `MANAGER_OPTION_INVALID cache.waitTimeout ${zero}`],
  [{ leaderElection: { leaseDuration: 0 } }, `MANAGER_OPTION_INVALID leaderElection.leaseDuration ${zero}`],
  [{ leaderElection: { renewDeadline: 0 } }, `MANAGER_OPTION_INVALID leaderElection.renewDeadline ${zero}`],
  [{ leaderElection: { retryPeriod: 0 } }, `MANAGER_OPTION_INVALID leaderElection.retryPeriod ${zero}`],
  [
    { webhookServer: { url: 'http://plain' } },
    'WEBHOOK_OPTION_INVALID webhookServer.url is "http://plain"; it takes https://host or https://host:port',
  ],
  [{ rateLimit: { qps: 0 } }, 'MANAGER_OPTION_INVALID rateLimit.qps must be a number above 0, not 0'],
  [
    { rateLimit: { qps: 1, burst: 0 } },
    'MANAGER_OPTION_INVALID rateLimit.burst must be a whole number of at least 1, not 0',
  ],
  [
    { registries: [{ getMetricsAsJSON: async () => [] }, {} as never] },
    'MANAGER_OPTION_INVALID registries[1] is not a registry of prom-client: it has no getMetricsAsJSON()',
  ],
  [
    { registries: [undefined as never] },
    'MANAGER_OPTION_INVALID registries[0] is not a registry of prom-client: it has no getMetricsAsJSON()',
  ],
  [{ name: undefined as never }, 'MANAGER_OPTION_INVALID an operator needs a name: operator({ name, controllers })'],
  [
    { controllers: [controller(Box) as never] },
    'MANAGER_OPTION_INVALID controllers[0] is not a controller: end it with .reconcile(…), .reconcileKey(…) or .compose(…)',
  ],
  [
    { controllers: [box('a'), undefined as never] },
    'MANAGER_OPTION_INVALID controllers[1] is not a controller: end it with .reconcile(…), .reconcileKey(…) or .compose(…)',
  ],
  [{ name: 'Op' }, `MANAGER_OPTION_INVALID name must consist of lower-case letters, digits, '-' and '.', not "Op"`],
  [
    { name: 'a'.repeat(254) },
    `MANAGER_OPTION_INVALID name must consist of lower-case letters, digits, '-' and '.', not "${'a'.repeat(254)}"`,
  ],
  [{ controllers: [box('a'), box('b'), box('a')] }, 'MANAGER_DUPLICATE_CONTROLLER two controllers are named a'],
  [
    { webhooks: [validating(Box, { on: [] }, () => undefined)] },
    'WEBHOOK_OPTION_INVALID validating(Box): on is empty: the webhook would never be called',
  ],
  [{ queue: { backoff: { base: 0 } } }, 'CONTROLLER_OPTION_INVALID backoff.base must be a duration above zero, not 0'],
  [
    { queue: { backoff: { base: '1m' } }, controllers: [box('a', { backoff: { cap: '1s' } })] },
    'CONTROLLER_OPTION_INVALID backoff.cap (1000 ms) is below backoff.base (60000 ms)',
  ],
])('%# is refused, said in full', (options, message) => {
  expect(refusal(options)).toBe(message);
});

test.each<[unknown, string]>([
  [undefined, 'MANAGER_OPTION_INVALID operator() takes an object of options, not undefined'],
  ['shop', "MANAGER_OPTION_INVALID operator() takes an object of options, not 'shop'"],
  [{ name: 'op', controllers: {} }, 'MANAGER_OPTION_INVALID controllers takes a list of controllers, not {}'],
  [
    { name: 'op', namespaces: [] },
    'MANAGER_OPTION_INVALID namespaces must name at least one, not []; leave it out for all',
  ],
  [
    { name: 'op', namespaces: 'shop' },
    "MANAGER_OPTION_INVALID namespaces must name at least one, not 'shop'; leave it out for all",
  ],
  [
    { name: 'op', namespaces: ['a', ''] },
    "MANAGER_OPTION_INVALID namespaces must name at least one, not [ 'a', '' ]; leave it out for all",
  ],
  [
    { name: 'op', leaderElection: 'yes' },
    "MANAGER_OPTION_INVALID leaderElection takes an object of options, not 'yes'",
  ],
])('what only plain JavaScript can say is refused: %j', (options, message) => {
  try {
    resolveOperatorOptions(options as OperatorOptions);
  } catch (error) {
    const [first] = error instanceof KilterError ? error.summary.split('; (2)') : [];
    expect(`${(error as KilterError).code} ${first?.replace(/^\d mistakes: \(1\) /, '')}`).toBe(message);
    return;
  }
  expect.unreachable();
});

describe('mistakes', () => {
  test('an option that is misspelled is not one that is left out', () => {
    expect(refusal({ leaderElect: true } as never)).toMatch(
      /^MANAGER_OPTION_INVALID operator\(\) has no option 'leaderElect'; it has name, controllers, .*leaderElection/,
    );
    expect(refusal({ leaderElection: { leaseDurations: '15s' } as never })).toContain(
      "leaderElection has no option 'leaseDurations'; it has lease, namespace,",
    );
    expect(refusal({ cache: { resyncs: '15s' } as never })).toContain("cache has no option 'resyncs'; it has policy,");
    expect(refusal({ toString: 1 } as never)).toContain("operator() has no option 'toString'");
  });

  test('all are told at once, each with its code where that is another one', () => {
    expect(
      refusal({
        name: 'Op',
        controllers: [box('a'), box('a')],
        gracefulStop: 0,
        namespaces: [],
        leaderElection: { leaseDuration: 0, retryPeriod: -1 },
        cache: { resync: 0, policy: 'lax' as never },
        queue: { backoff: { base: 0 } },
        rateLimit: { qps: 0 },
        parts: [1 as never],
        metricsAddress: 'nowhere',
        debugAddress: ':8082',
      }),
    ).toBe(
      [
        "MANAGER_OPTION_INVALID 13 mistakes: (1) name must consist of lower-case letters, digits, '-' and '.', not \"Op\"",
        '(2) two controllers are named a (MANAGER_DUPLICATE_CONTROLLER: give one of them a name: controller(Kind, { name }))',
        '(3) parts[0] is not a part: make it with part(name, run) (MANAGER_PART_INVALID: declare it with part(name, { on, every, optional, reads, writes }, run), with a unique name)',
        '(4) backoff.base must be a duration above zero, not 0 (CONTROLLER_OPTION_INVALID: correct the option the message names)',
        '(5) leaderElection.leaseDuration must be a duration above zero, not 0',
        '(6) leaderElection.retryPeriod must be a duration above zero, not -1',
        '(7) namespaces must name at least one, not []; leave it out for all',
        '(8) cache.policy is "lax", not one of strict, adhoc, extend (CACHE_OPTION_INVALID: correct the option the message names)',
        '(9) cache.resync must be a duration above zero, not 0',
        '(10) rateLimit.qps must be a number above 0, not 0',
        '(11) gracefulStop must be a duration above zero, not 0',
        '(12) metricsAddress is "nowhere" (CONFIG_VALUE_INVALID: write :8080, 127.0.0.1:8080 or [::1]:8080, or 0 to serve nothing)',
        '(13) debugAddress must be an address of this machine, such as 127.0.0.1:8082, not ":8082"',
      ].join('; '),
    );
  });

  test('what is not ours is thrown on', () => {
    const options = { name: 'op' };
    Object.defineProperty(options, 'gracefulStop', {
      get: () => {
        throw new TypeError('not today');
      },
    });
    expect(() => resolveOperatorOptions(options)).toThrow(TypeError);
  });
});

describe('every option that is documented is known', () => {
  const election =
    'lease namespace identity leaseDuration renewDeadline retryPeriod labels onStartedLeading onStoppedLeading';
  const cache = 'policy policyIn kinds verifyEvery resync syncTimeout waitTimeout';
  const whole =
    'name controllers webhooks webhookServer leaderElection queue namespaces cache logger gracefulStop watchdog rateLimit parts checks metrics registries requestMetrics metricsAddress tracing probeAddress debugAddress secureMetrics';
  const given = (name: string): object => ({ [name]: undefined });
  test.each<[string, (name: string) => Partial<OperatorOptions>, string]>([
    ['operator()', (name) => ({ ...given(name), name: 'op' }), whole],
    ['leaderElection', (name) => ({ leaderElection: given(name) }), election],
    ['cache', (name) => ({ cache: given(name) }), cache],
    ['queue', (name) => ({ queue: given(name) }), 'backoff ageing fairness'],
    ['queue.backoff', (name) => ({ queue: { backoff: given(name) } }), 'base cap jitter delay'],
    ['rateLimit', (name) => ({ rateLimit: { ...given(name), qps: 1 } }), 'qps burst'],
    ['checks', (name) => ({ checks: given(name) }), 'healthz readyz'],
    ['secureMetrics', (name) => ({ secureMetrics: given(name) }), 'certificates'],
    [
      'secureMetrics.certificates',
      (name) => ({ secureMetrics: { certificates: { ...given(name), directory: '/tls' } } }),
      'directory certificate key',
    ],
    ['webhookServer', (name) => ({ webhookServer: given(name) }), 'address service url certificates register'],
    ['webhookServer.service', (name) => ({ webhookServer: { service: given(name) } }), 'name namespace port'],
    [
      'webhookServer.certificates, as files,',
      (name) => ({ webhookServer: { certificates: { ...given(name), directory: '/tls' } } }),
      'directory certificate key',
    ],
    [
      'webhookServer.certificates, as made by the operator,',
      (name) => ({ webhookServer: { certificates: given(name) } }),
      'secret authorityLifetime leafLifetime settle checkEvery',
    ],
  ])('of %s', (what, options, names) => {
    for (const name of names.split(' ')) expect([name, refusal(options(name))]).toEqual([name, 'accepted']);
    expect(refusal(options('nonsense'))).toContain(
      `${what} has no option 'nonsense'; it has ${names.split(' ').join(', ')}`,
    );
  });
});
