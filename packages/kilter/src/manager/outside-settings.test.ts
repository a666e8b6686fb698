import { describe, expect, test } from 'vitest';
import { parseFlags, resolveSettings } from '../config/index.ts';
import { silentLogger } from '../telemetry/index.ts';
import { operator } from './operator.ts';
import type { OperatorOptions } from './options.ts';
import { configured, settingsOf } from './outside-settings.ts';

/** What an operator with these options does under these flags. */
function under(flags: readonly string[], options: Partial<OperatorOptions> = {}, env = {}) {
  const all: OperatorOptions = { name: 'op', ...options };
  return configured(all, resolveSettings({ flags: parseFlags(flags), env, code: settingsOf(all) }));
}

describe('what is set from outside', () => {
  test('options of an election that have no flag stay', () => {
    const leaderElection = { identity: 'me', labels: { a: 'b' } };
    expect(under([], { leaderElection }).leaderElection).toMatchObject({ ...leaderElection, lease: 'op' });
    expect(under(['--leader-elect']).leaderElection).toMatchObject({ lease: 'op', identity: undefined });
  });

  test('nothing: the defaults', () => {
    expect(under([])).toMatchObject({
      leaderElection: undefined,
      syncTimeout: 120_000,
      waitTimeout: 10_000,
      rateLimit: undefined,
      gracefulStop: 30_000,
    });
  });

  test('MG-15, RW-6: the sync limit and the wait bound, by code, by variable and by flag', () => {
    const cache = { syncTimeout: '10s', waitTimeout: '1s' } as const;
    expect(under([], { cache })).toMatchObject({ syncTimeout: 10_000, waitTimeout: 1000 });
    const env = { KILTER_CACHE_SYNC_TIMEOUT: '20s', KILTER_CACHE_WAIT_TIMEOUT: '2s' };
    expect(under([], { cache }, env)).toMatchObject({ syncTimeout: 20_000, waitTimeout: 2000 });
    const flags = ['--cache-sync-timeout=5m', '--cache-wait-timeout', '500ms'];
    expect(under(flags, { cache }, env)).toMatchObject({ syncTimeout: 300_000, waitTimeout: 500 });
  });

  test('TR-8: the rate limit, with a burst of twice the rate unless given', () => {
    expect(under([], { rateLimit: { qps: 2.5 } }).rateLimit).toEqual({ qps: 2.5, burst: 5 });
    expect(under(['--kube-api-qps=20', '--kube-api-burst=30']).rateLimit).toEqual({ qps: 20, burst: 30 });
    expect(under(['--kube-api-burst=7'], { rateLimit: { qps: 2 } }).rateLimit).toEqual({ qps: 2, burst: 7 });
    expect(() => under(['--kube-api-burst=7'])).toThrow(
      /rateLimit.qps must be a number above 0.*MANAGER_OPTION_INVALID/,
    );
  });

  test.each([
    [{ qps: 0 }, 'rateLimit.qps'],
    [{ qps: Number.NaN }, 'rateLimit.qps'],
    [{ qps: 5, burst: 0 }, 'rateLimit.burst'],
    [{ qps: 5, burst: 1.5 }, 'rateLimit.burst'],
  ])('TR-8: %j is refused, naming the option', (rateLimit, says) => {
    expect(() => operator({ name: 'op', logger: silentLogger, rateLimit })).toThrow(says);
  });

  test('ME-11: metrics of each request, off unless code, variable or flag ask for them', () => {
    expect(under([]).requestMetrics).toBe(false);
    expect(under([], { requestMetrics: true }).requestMetrics).toBe(true);
    expect(under([], {}, { KILTER_REQUEST_METRICS: 'true' }).requestMetrics).toBe(true);
    expect(under(['--request-metrics=false'], { requestMetrics: true }).requestMetrics).toBe(false);
  });

  test('ME-2: by what files metrics are secured, over what the code says, where they are', () => {
    const code = { certificates: { directory: '/code', key: 'k' } };
    const secured = (flags: string[], secureMetrics?: object | boolean): unknown =>
      under(flags, { ...(secureMetrics !== undefined && { secureMetrics: secureMetrics as never }) }).secureMetrics;
    expect([secured([]), secured([], true), secured([], code)]).toEqual([undefined, {}, code]);
    expect(secured(['--metrics-secure=false'], code)).toBeUndefined();
    expect(secured(['--metrics-secure'])).toEqual({});
    expect(secured(['--metrics-cert-path=/flag', '--metrics-cert-name=c'], code)).toEqual({
      certificates: { directory: '/flag', certificate: 'c', key: 'k' },
    });
  });

  test('CW-2: where webhooks are served and by what files, over what the code says', () => {
    const code = { address: ':1', certificates: { directory: '/code', key: 'k' } };
    expect(under([], { webhookServer: code }).webhookServer).toEqual(code);
    const flags = [
      '--webhook-bind-address=:2',
      '--webhook-cert-path=/flag',
      '--webhook-cert-name=c',
      '--webhook-url=https://a:1',
    ];
    expect(under(flags, { webhookServer: code }).webhookServer).toEqual({
      address: ':2',
      url: 'https://a:1',
      certificates: { directory: '/flag', certificate: 'c', key: 'k' },
    });
    expect(
      under(['--webhook-cert-name=c'], { webhookServer: { certificates: { secret: 's' } } }).webhookServer,
    ).toEqual({
      certificates: { secret: 's' },
    });
    expect(() => under(['--webhook-url=http://a'])).toThrow(/CONFIG_VALUE_INVALID/);
  });

  test.each(['--kube-api-qps=0', '--kube-api-burst=0', '--kube-api-burst=1.5', '--cache-sync-timeout=soon'])(
    '%s is refused',
    (flag) => expect(() => under([flag])).toThrow(/CONFIG_VALUE_INVALID/),
  );

  test('the times of election and stop', () => {
    const flags = [
      '--leader-elect-lease-duration=60s',
      '--leader-elect-renew-deadline=40s',
      '--leader-elect-retry-period=5s',
      '--graceful-shutdown-timeout=10s',
    ];
    const { leaderElection, gracefulStop } = under(flags, { leaderElection: { lease: 'x', retryPeriod: '1s' } });
    expect(leaderElection).toMatchObject({
      lease: 'x',
      leaseDuration: 60_000,
      renewDeadline: 40_000,
      retryPeriod: 5000,
    });
    expect(gracefulStop).toBe(10_000);
  });

  test('the help shows what the code says', () => {
    const options: OperatorOptions = { name: 'op', gracefulStop: 5000, leaderElection: { leaseDuration: '30s' } };
    expect(settingsOf(options)).toMatchObject({ gracefulStop: '5000ms', leaseDuration: '30s', leaderElect: true });
  });
});
