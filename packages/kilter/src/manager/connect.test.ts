import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ConfigMap, Pod } from '../k8s/core/v1.ts';
import type { Connection } from '../transport/index.ts';
import { type Logger, silentLogger } from '../telemetry/index.ts';
import { connect, connectTo } from './connect.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kilter-connect-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('the logger gets what the connection reports, too: a token file that cannot be read is not ignored silently', async () => {
  const kubeconfig = join(folder, 'config');
  // Nobody listens there: credentials are read before anything is dialled.
  const config = {
    'current-context': 'x',
    clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
    users: [{ name: 'u', user: { token: 'hidden-in-here', tokenFile: 'missing' } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
  };
  await writeFile(kubeconfig, JSON.stringify(config));
  const told: string[] = [];
  const logger: Logger = { ...silentLogger, warn: (what: unknown) => void told.push(String(what)) };
  await using client = await connect({ kubeconfig, logger });
  await client.get(Pod, 'a').catch(() => undefined);
  expect(told.join()).toMatch(/the token is used as it was: .*missing/);
  expect(told.join()).not.toContain('hidden-in-here');
});

test('TR-17: without a logger, a person still sees that requests are anonymous', async () => {
  const kubeconfig = join(folder, 'nobody');
  const config = {
    'current-context': 'x',
    clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
    users: [{ name: 'u', user: {} }],
    contexts: [
      { name: 'x', context: { cluster: 'c', user: 'u' } },
      { name: 'y', context: { cluster: 'c' } },
    ],
  };
  await writeFile(kubeconfig, JSON.stringify(config));
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  await using empty = await connect({ kubeconfig });
  await using absent = await connect({ kubeconfig, context: 'y' });
  expect([empty, absent]).toHaveLength(2);
  const told = warned.mock.calls.map(([message]) => String(message));
  warned.mockRestore();
  expect(told).toEqual([
    expect.stringMatching(/users\[0\].*anonymous/),
    expect.stringMatching(/contexts\[1\].*anonymous/),
  ]);
  const heard: string[] = [];
  const logger: Logger = { ...silentLogger, warn: (what: unknown) => void heard.push(String(what)) };
  await using other = await connect({ kubeconfig, logger });
  expect([other, heard.join()]).toEqual([other, expect.stringContaining('anonymous')]);
});

test('a logger may be plain, and one that throws harms no request', async () => {
  const kubeconfig = join(folder, 'plain');
  const config = {
    'current-context': 'x',
    clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
    contexts: [{ name: 'x', context: { cluster: 'c' } }],
  };
  await writeFile(kubeconfig, JSON.stringify(config));
  const heard: string[] = [];
  const hear = (text: unknown): void => void heard.push(String(text));
  await using plain = await connect({ kubeconfig, logger: { debug: hear, info: hear, warn: hear, error: hear } });
  expect([plain, heard.join()]).toEqual([plain, expect.stringContaining('anonymous')]);
  const fail = (): never => {
    throw new Error('disk full');
  };
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  await using other = await connect({ kubeconfig, logger: { debug: fail, info: fail, warn: fail, error: fail } });
  const told = warned.mock.calls.map(([message]) => String(message));
  warned.mockRestore();
  expect([other, told]).toEqual([other, [expect.stringContaining('the logger threw "disk full"')]]);
  await expect(connect({ kubeconfig, logger: {} as never })).rejects.toThrow('logger has no method debug: give pino()');
});

test('an option that does not exist is refused: it would lead to the cluster kubectl talks to', async () => {
  const misspelled = { kubeconfg: join(folder, 'other') } as object;
  await expect(connect(misspelled)).rejects.toMatchObject({
    code: 'MANAGER_OPTION_INVALID',
    summary: "connect has no option 'kubeconfg'; it has foreign, kubeconfig, context, namespace, logger",
  });
  await expect(connect({ foreign: { text: '', alow: [] } as never })).rejects.toThrow(
    "foreign has no option 'alow'; it has text, allow",
  );
  await expect(connect('config' as never)).rejects.toThrow("connect takes an object of options, not 'config'");
});

test.each([
  [{}, 'kilter'],
  [{ manager: 'shop' }, 'shop'],
])(
  'a client over a connection at hand writes under a name and closes the connection with itself: %j',
  async (options, name) => {
    const asked: string[] = [];
    let closed = 0;
    const connection = {
      namespace: 'here',
      exchange: (request: object) => (asked.push(JSON.stringify(request)), Promise.reject(new Error('not there'))),
      close: async () => void (closed += 1),
    } as unknown as Connection;
    {
      await using client = connectTo(connection, options);
      await client.create(ConfigMap.build({ name: 'a' })).catch(() => undefined);
      expect(closed).toBe(0);
    }
    expect(closed).toBe(1);
    expect(asked[0]).toContain(`/api/v1/namespaces/here/configmaps?fieldManager=${name}"`);
    expect(asked[0]).toContain(`${name}/kilter`);
    expect(() => connectTo(connection, { manger: 'x' } as object)).toThrow(
      "connectTo has no option 'manger'; it has runtime, logger, manager",
    );
  },
);
