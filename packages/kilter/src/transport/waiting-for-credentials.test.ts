import { expect, test } from 'vitest';
import { systemRuntime } from '../internal/index.ts';
import { silentLogger } from '../telemetry/index.ts';
import { httpsConnection, transport } from './index.ts';

/** A kubeconfig whose plugin never answers. */
const config = {
  server: 'https://127.0.0.1:1',
  namespace: 'default',
  exec: {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: process.execPath,
    args: ['--eval', 'setTimeout(() => undefined, 120_000)'],
    env: {},
    interactiveMode: 'Never' as const,
  },
};

const children = (): number => process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length;

test('TR-5: a request that waits for an exec plugin says so, and closing the connection ends the plugin', async () => {
  const before = children();
  const connection = httpsConnection(config, { runtime: systemRuntime });
  const api = transport(connection, { runtime: systemRuntime, logger: silentLogger, userAgent: 'test' });
  const sent = api.send({ method: 'GET', path: '/api', deadline: 300 });
  await expect(sent).rejects.toMatchObject({
    code: 'TRANSPORT_DEADLINE',
    message: expect.stringContaining(`it waited for the exec plugin ${process.execPath} of the kubeconfig`) as string,
  });
  expect(children()).toBe(before + 1);
  await connection.close();
  await expect.poll(children, { timeout: 20_000 }).toBe(before);
});
