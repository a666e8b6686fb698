import { get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { MetricsRegistry } from '../telemetry/index.ts';
import { openEndpoints } from './observability.ts';

const loopback = '127.0.0.1:0';

async function open(
  addresses: { metricsAddress?: string; probeAddress?: string },
  readiness: () => string | undefined = () => undefined,
) {
  const metrics = new MetricsRegistry();
  metrics.counter('things_total', 'Things.').inc();
  const endpoints = await openEndpoints({ metricsAddress: '0', probeAddress: '0', ...addresses, metrics, readiness });
  const close = async (): Promise<void> => {
    for (const endpoint of endpoints) await endpoint.close();
  };
  return { addresses: endpoints.map(({ address }) => address), [Symbol.asyncDispose]: close };
}

describe('metrics and probes', () => {
  test('metrics are served as text; "0" serves nothing', async () => {
    await using served = await open({ metricsAddress: loopback });
    expect(served.addresses).toHaveLength(1);
    const answer = await fetch(`http://${served.addresses[0]}/metrics`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    expect(await answer.text()).toContain('things_total 1');
    expect((await fetch(`http://${served.addresses[0]}/other`)).status).toBe(404);
  });

  test('HZ-3: readiness follows its check, liveness does not', async () => {
    let reason: string | undefined = 'caches are not synced';
    await using served = await open({ probeAddress: loopback }, () => reason);
    const status = async (path: string) => (await fetch(`http://${served.addresses[0]}${path}`)).status;
    expect([await status('/readyz'), await status('/healthz')]).toEqual([500, 200]);
    reason = undefined;
    expect([await status('/readyz'), await status('/readyz/caches')]).toEqual([200, 200]);
  });

  test('a port in use is reported with its address, and nothing stays open', async () => {
    await using first = await open({ metricsAddress: loopback });
    const taken = first.addresses[0] ?? '';
    await expect(open({ metricsAddress: loopback, probeAddress: taken })).rejects.toMatchObject({
      code: 'MANAGER_PORT_IN_USE',
    });
    await expect(open({ probeAddress: taken })).rejects.toThrow(`probes cannot listen on ${taken}`);
    await expect(open({ metricsAddress: taken })).rejects.toThrow(`metrics cannot listen on ${taken}`);
  });

  test.each(['//', '/constructor', '/__proto__', '/%zz', '/readyz/toString'])(
    'a strange path is answered: %s',
    async (path) => {
      await using served = await open({ metricsAddress: loopback, probeAddress: loopback });
      for (const address of served.addresses) {
        const [host, port] = address.split(':');
        const status = await new Promise((resolve, reject) => {
          get({ host, port, path }, ({ statusCode }) => resolve(statusCode)).on('error', reject);
        });
        expect(status).toBe(404);
      }
    },
  );

  const dial = (address: string): { socket: Socket; closed: Promise<string> } => {
    const socket = connect(Number(address.split(':')[1]), '127.0.0.1');
    const closed = new Promise<string>((resolve) => socket.on('close', () => resolve('closed')));
    socket.on('error', () => undefined).resume();
    return { socket, closed };
  };

  test('C-08 a body is not read: its connection ends with the answer', async () => {
    await using served = await open({ metricsAddress: loopback });
    const [address = ''] = served.addresses;
    for (const length of ['Content-Length: 9999999', 'Transfer-Encoding: chunked']) {
      const { socket, closed } = dial(address);
      let heard = '';
      socket.on('data', (data) => (heard += String(data)));
      // The body never comes: who reads it would wait.
      socket.write(`GET /metrics HTTP/1.1\r\nHost: x\r\n${length}\r\n\r\n`);
      expect(await closed).toBe('closed');
      expect(heard).toMatch(/^HTTP\/1.1 200 [^]*things_total 1/);
    }
    expect((await fetch(`http://${address}/metrics`)).status).toBe(200);
  });

  test('C-08 headers without end are refused, and connections are counted', async () => {
    await using served = await open({ metricsAddress: loopback });
    const [address = ''] = served.addresses;
    const { socket, closed } = dial(address);
    socket.write(`GET /metrics HTTP/1.1\r\nHost: x\r\nA: ${'b'.repeat(1_100_000)}`);
    expect(await closed).toBe('closed');
    // More than a scraper, probes and people need are turned away, and do not stay.
    const many = Array.from({ length: 300 }, () => dial(address));
    await expect.poll(() => many.filter((one) => one.socket.destroyed).length).toBe(100);
    for (const one of many) one.socket.destroy();
    await expect.poll(async () => (await fetch(`http://${address}/metrics`).catch(() => undefined))?.status).toBe(200);
  });

  test('a malformed address is refused with examples', async () => {
    await expect(open({ metricsAddress: 'nonsense' })).rejects.toThrow(/:8080/);
  });
});
