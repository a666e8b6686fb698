import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Connection, connectTo, httpsConnection, loadConfig } from './runtime.ts';

test('a harness opens a connection of its own: where a kubeconfig says, by a context it names, in its own namespace', async () => {
  await using stack = new AsyncDisposableStack();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ major: '1', minor: '36', gitVersion: 'v1.36.3' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stack.defer(() => void server.close());
  const folder = mkdtempSync(join(tmpdir(), 'kilter-runtime-'));
  stack.defer(() => rmSync(folder, { recursive: true }));
  const kubeconfig = join(folder, 'config');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = {
    'current-context': 'elsewhere',
    clusters: [{ name: 'c', cluster: { server: address } }],
    contexts: [{ name: 'here', context: { cluster: 'c' } }],
  };
  writeFileSync(kubeconfig, JSON.stringify(config));
  const connection: Connection = httpsConnection(
    await loadConfig({ kubeconfig, context: 'here', namespace: 'my-own' }),
  );
  stack.defer(() => connection.close());
  expect(connection.namespace).toBe('my-own');
  expect(await connectTo(connection).version()).toMatchObject({ gitVersion: 'v1.36.3' });
  expect(asked).toEqual(['GET /version']);
  await expect(loadConfig({ kubeconfig })).rejects.toMatchObject({ code: 'CONFIG_NAME_UNKNOWN' });
});
