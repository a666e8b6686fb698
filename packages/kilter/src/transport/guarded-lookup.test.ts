import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { hasCode } from '../errors/index.ts';
import { httpsConnection } from './https-connection.ts';
import { transport } from './send.ts';
import { silentLogger } from '../telemetry/index.ts';
import { systemRuntime } from '../internal/index.ts';

/** A client of a server on loopback that sends everybody elsewhere. */
async function asked(host: string, guardAddress?: (address: string) => string | undefined) {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.writeHead(302, { location: '/elsewhere' }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const connection = httpsConnection({ server: `http://${host}:${port}`, namespace: 'x', guardAddress });
  const wire = transport(connection, { runtime: systemRuntime, logger: silentLogger, userAgent: 'test/1' });
  const error = await wire.send({ method: 'GET', path: '/version' }).catch((reason: unknown) => reason);
  await connection.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return { error, requests };
}

const noLoopback = (address: string): string | undefined => (address.startsWith('127.') ? 'not here' : undefined);

test.each(['127.0.0.1', 'localhost'])(
  'C-12: %s is refused by the address it stands for, when it is dialed',
  async (host) => {
    const guard = (address: string): string | undefined => (address === '::1' ? 'not here' : noLoopback(address));
    const { error, requests } = await asked(host, guard);
    expect(hasCode(error, 'CONFIG_FOREIGN_REFUSED')).toBe(true);
    expect(requests).toBe(0);
  },
);

test('C-12: redirects are not followed', async () => {
  const { error, requests } = await asked('127.0.0.1');
  expect(error).toBeInstanceOf(Error);
  expect(requests).toBe(1);
});
