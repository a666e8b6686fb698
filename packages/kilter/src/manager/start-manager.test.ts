import { hostname } from 'node:os';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { controller } from '../controller/index.ts';
import { customResource } from '../crd/index.ts';
import { virtualRuntime } from '../internal/index.ts';
import { MetricsRegistry, silentLogger } from '../telemetry/index.ts';
import type { Connection } from '../transport/index.ts';
import { candidateOf, electionOf } from './candidate.ts';
import { startManager } from './start-manager.ts';
import { resolveOperatorOptions } from './resolve-options.ts';

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
  accessReview: false,
});

test('a manager closes the connection it opened, before it is done', async () => {
  const { connection, state } = own();
  const manager = await startManager(resolveOperatorOptions({ name: 'op' }), environment(connection));
  await manager.ready;
  expect(state.closed).toBe(false);
  await manager.stop();
  expect(state.closed).toBe(true);
});

test('CRD-E19: an operator tells at its start what the definitions of its kinds should know about', async () => {
  const Scale = customResource({
    group: 'example.com',
    version: 'v1',
    kind: 'Scale',
    spec: z.object({ weight: z.number() }),
  });
  const told: unknown[] = [];
  const logger = { ...silentLogger, warn: (fields: unknown) => void told.push(fields) };
  const controllers = [controller(Scale).reconcile(() => Promise.resolve())];
  const { connection } = own();
  const options = resolveOperatorOptions({ name: 'op', controllers });
  const manager = await startManager(options, { ...environment(connection), logger });
  expect(told[0]).toEqual({ code: 'CRD_SCHEMA_FLOAT', path: 'spec.weight' });
  await manager.stop();
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

test('a failure that nobody waits for is not an unhandled rejection', async () => {
  const stray: unknown[] = [];
  const note = (reason: unknown): void => void stray.push(reason);
  process.on('unhandledRejection', note);
  const { connection } = own();
  connection.close = () => Promise.reject(new Error('cannot close'));
  const stop = new AbortController();
  const manager = await startManager(resolveOperatorOptions({ name: 'op' }), {
    ...environment(connection),
    signal: stop.signal,
  });
  await manager.ready;
  stop.abort();
  for (let turn = 0; turn < 3; turn += 1) await new Promise((done) => setImmediate(done));
  process.off('unhandledRejection', note);
  expect(stray).toEqual([]);
  await expect(manager.done).rejects.toThrow('cannot close');
});

test.each([
  ['10s', 5000],
  ['2s', 1000],
  ['1s', 1000],
] as const)(
  'G-1: with a renew deadline of %s a request for the Lease has %d ms, over its own connections',
  async (renewDeadline, ms) => {
    const asked: unknown[] = [];
    const wire = {
      send: (request: object) => (asked.push(request), new Promise(() => undefined)),
      namespace: 'here',
      host: 'nowhere',
    };
    const runtime = virtualRuntime();
    const leaderElection = { identity: 'me', namespace: 'there', renewDeadline, retryPeriod: '500ms' } as const;
    const candidate = await candidateOf(resolveOperatorOptions({ name: 'op', leaderElection }), {
      runtime,
      contextNamespace: 'here',
    });
    const parts = { runtime, logger: silentLogger, metrics: new MetricsRegistry(), recorder: {} as never };
    const election = electionOf(candidate, { ...parts, wire: wire as never, manager: 'op', reached: () => undefined });
    const stop = new AbortController();
    election?.campaign(stop.signal).catch(() => undefined);
    await runtime.clock.advance(0);
    expect(asked).toMatchObject([{ session: 'lease', deadline: ms }]);
    stop.abort(new Error('enough'));
    await runtime.clock.advance(60_000);
  },
);
