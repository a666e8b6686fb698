import { hostname } from 'node:os';
import { expect, test, vi } from 'vitest';
import { virtualRuntime } from '../internal/index.ts';
import { silentLogger } from '../telemetry/index.ts';
import type { Connection } from '../transport/index.ts';
import { candidateOf } from './candidate.ts';
import { startManager } from './manager.ts';
import { resolveOperatorOptions } from './options.ts';

function own() {
  const state = { closed: false };
  const connection = {
    namespace: 'here',
    host: 'nowhere',
    exchange: () => Promise.reject(new Error('not there')),
    close: async () => {
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
      state.closed = true;
    },
  } as unknown as Connection;
  return { connection, state };
}
const environment = (connection: Connection) => ({
  connection,
  own: connection,
  runtime: virtualRuntime(),
  logger: silentLogger,
  signal: undefined,
  serve: false,
});

test('a manager closes the connection it opened, before it is done', async () => {
  const { connection, state } = own();
  const manager = await startManager(resolveOperatorOptions({ name: 'op' }), environment(connection));
  await manager.ready;
  expect(state.closed).toBe(false);
  await manager.stop();
  expect(state.closed).toBe(true);
});

test('also where the start fails', async () => {
  const { connection, state } = own();
  const broken = {
    ...environment(connection),
    runtime: {
      ...virtualRuntime(),
      uuid: () => {
        throw new Error('no chance');
      },
    },
  };
  await expect(startManager(resolveOperatorOptions({ name: 'op' }), broken)).rejects.toThrow('no chance');
  expect(state.closed).toBe(true);
});

test('a candidate is this host and this start, in the namespace of the connection, unless told otherwise', async () => {
  vi.stubEnv('POD_NAMESPACE', undefined);
  const runtime = { ...virtualRuntime(), uuid: () => 'id' };
  const given = { runtime, contextNamespace: 'here' };
  const candidate = (leaderElection: object | boolean) =>
    candidateOf(resolveOperatorOptions({ name: 'op', leaderElection }), given);
  expect(await candidate(false)).toEqual({
    identity: `${hostname()}_id`,
    namespace: 'here',
    election: undefined,
    writeLimit: undefined,
  });
  expect(await candidate({ identity: 'me', namespace: 'there', leaseDuration: '20s' })).toMatchObject({
    identity: 'me',
    namespace: 'there',
    writeLimit: 10_000,
  });
  vi.unstubAllEnvs();
});
