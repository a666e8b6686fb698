import { get } from 'node:https';
import { afterEach, describe, expect, test } from 'vitest';
import { virtualClock } from '../internal/index.ts';
import { MetricsRegistry, silentLogger } from '../telemetry/index.ts';
import type { Endpoint } from './endpoints.ts';
import { openEndpoints } from './observability.ts';
import { resolveOperatorOptions } from './resolve-options.ts';

const opened: Endpoint[] = [];
afterEach(async () => {
  for (const endpoint of opened.splice(0)) await endpoint.close();
});

async function probes(checks: Parameters<typeof resolveOperatorOptions>[0]['checks']): Promise<string> {
  const options = resolveOperatorOptions({ name: 'op', checks: checks ?? {} });
  const own = { metricsAddress: '0', probeAddress: '127.0.0.1:0', metrics: new MetricsRegistry() };
  opened.push(...(await openEndpoints({ ...own, readiness: () => undefined, checks: options.checks })));
  return `http://${opened[0]?.address}`;
}

describe('HZ-1: checks of the user', () => {
  test('stand beside those of Kilter; a reason and a throw both fail, and are shown by the single check alone', async () => {
    const at = await probes({
      healthz: { disk: () => 'the disk is full' },
      readyz: { queue: () => Promise.reject(new Error('no queue')), fine: () => undefined },
    });
    const live = await fetch(`${at}/healthz`);
    expect([live.status, await live.text()]).toEqual([
      500,
      '[+]ping ok\n[-]disk failed: reason withheld\nhealthz check failed\n',
    ]);
    const ready = await fetch(`${at}/readyz`);
    expect(await ready.text()).toBe(
      '[+]caches ok\n[-]queue failed: reason withheld\n[+]fine ok\nreadyz check failed\n',
    );
    expect(await (await fetch(`${at}/readyz/queue`)).text()).toBe('no queue\n');
    expect((await fetch(`${at}/healthz?exclude=disk`)).status).toBe(200);
  });

  test('that pass change nothing', async () => {
    const at = await probes({ healthz: { disk: () => undefined } });
    const live = await fetch(`${at}/healthz`);
    expect([live.status, await live.text()]).toEqual([200, 'ok']);
  });

  test.each([
    [{ readyz: { caches: () => undefined } }, `"caches" is one of Kilter's own checks`],
    [{ healthz: { 'a/b': () => undefined } }, '"a/b" cannot be part of a path'],
    [{ healthz: { disk: true as never } }, 'disk is not a function'],
    [{ readyz: (() => undefined) as never }, 'checks.readyz takes functions by name, not [Function'],
  ])('%j is refused', (checks, message) => {
    const resolve = (): unknown => resolveOperatorOptions({ name: 'op', checks });
    expect(resolve).toThrow(expect.objectContaining({ code: 'MANAGER_CHECK_INVALID' }));
    expect(resolve).toThrow(message);
  });
});

describe('an operator is observed', () => {
  const own = { metricsAddress: '0', probeAddress: '0', metrics: new MetricsRegistry(), readiness: () => undefined };
  const runs = { recent: () => [] };
  const anywhere = '127.0.0.1:0';

  test.each([
    ['metrics', { metricsAddress: anywhere }, '/metrics'],
    ['probes', { probeAddress: anywhere }, '/healthz'],
    ['runs', { debugAddress: anywhere, runs }, '/debug/runs'],
  ])('at the address of its %s and nowhere else', async (_, address, path) => {
    opened.push(...(await openEndpoints({ ...own, ...address })));
    expect(opened).toHaveLength(1);
    const answer = await fetch(`http://${opened[0]?.address}${path}`);
    expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
    expect((await fetch(`http://${opened[0]?.address}/else`)).status).toBe(404);
  });

  test('nowhere without an address', async () => {
    expect(await openEndpoints({ ...own, runs })).toEqual([]);
  });

  test('no address stays in use where another one is', async () => {
    const [taken] = await openEndpoints({ ...own, probeAddress: anywhere });
    opened.push(taken as Endpoint);
    const address = taken?.address ?? '';
    const free = await openEndpoints({ ...own, metricsAddress: anywhere });
    const metricsAddress = free[0]?.address ?? '';
    await free[0]?.close();
    await expect(openEndpoints({ ...own, metricsAddress, probeAddress: address })).rejects.toMatchObject({
      code: 'MANAGER_PORT_IN_USE',
    });
    opened.push(...(await openEndpoints({ ...own, metricsAddress })));
    expect(opened[1]?.address).toBe(metricsAddress);
  });

  test('ME-2: metrics are only for callers that are let in; others learn nothing but that', async () => {
    const certificate = async () =>
      (await import('./secure-metrics.ts')).metricsCertificate(
        {},
        {
          clock: virtualClock(),
          logger: silentLogger,
          metrics: own.metrics,
        },
      );
    const refusal = async (header: string | undefined) =>
      header === 'Bearer good' ? undefined : ({ status: 401, body: 'Unauthorized\n' } as const);
    opened.push(
      ...(await openEndpoints({ ...own, metricsAddress: anywhere, secured: { access: { refusal }, certificate } })),
    );
    const ask = (path: string, authorization?: string): Promise<[number | undefined, string]> =>
      new Promise((resolve, reject) => {
        const headers = authorization === undefined ? {} : { authorization };
        const options = { rejectUnauthorized: false, agent: false as const, headers };
        get(`https://${opened[0]?.address}${path}`, options, (response) => {
          let body = '';
          response.setEncoding('utf8').on('data', (text: string) => void (body += text));
          response.on('end', () => resolve([response.statusCode, body]));
        }).on('error', reject);
      });
    expect(await ask('/metrics')).toEqual([401, 'Unauthorized\n']);
    expect(await ask('/else')).toEqual([401, 'Unauthorized\n']);
    expect((await ask('/metrics', 'Bearer good'))[0]).toBe(200);
    expect((await ask('/else', 'Bearer good'))[0]).toBe(404);
  });
});
