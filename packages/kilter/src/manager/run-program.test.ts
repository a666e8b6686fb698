import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Logger, silentLogger } from '../telemetry/index.ts';
import type { Connection } from '../transport/index.ts';
import { operator } from './operator.ts';
import { runProgram } from './run.ts';

/** Nobody listens there: an operator without controllers asks for nothing. */
async function kubeconfig(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kilter-run-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const config = {
    'current-context': 'x',
    clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
    users: [{ name: 'u', user: { token: 't' } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
  };
  const file = join(folder, 'config');
  await writeFile(file, JSON.stringify(config));
  return file;
}

/** A logger that tells when a line comes. */
function listening() {
  const lines: { fields: object; text: string }[] = [];
  const waiting = new Map<string, () => void>();
  const hear = (...args: unknown[]): void => {
    const [fields, text] = typeof args[0] === 'string' ? [{}, args[0]] : [args[0] as object, String(args[1])];
    lines.push({ fields, text });
    waiting.get(text)?.();
  };
  const logger: Logger = { ...silentLogger, info: hear, error: hear, child: () => logger };
  const heard = (text: string): Promise<void> => new Promise((resolve) => waiting.set(text, resolve));
  return { logger, lines, heard };
}

test('MG-17, MG-18: a program runs until it is stopped by a signal, and then resolves', async () => {
  const { logger, lines, heard } = listening();
  const synced = heard('caches are synced');
  const exits: number[] = [];
  const program = { out: () => undefined, error: () => undefined, exit: (code: number) => exits.push(code) as never };
  const options = { name: 'op', logger, metricsAddress: '127.0.0.1:0', probeAddress: '0' };
  let over = false;
  const running = runProgram(options, { args: ['--kubeconfig', await kubeconfig()] }, program).then(
    () => (over = true),
  );
  await synced;
  for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
  expect(over).toBe(false);
  process.emit('SIGTERM', 'SIGTERM');
  await running;
  expect(exits).toEqual([]);
  expect(lines.map(({ text }) => text)).toEqual(['caches are synced', 'stopping', 'stopped']);
  expect(lines[1]?.fields).toEqual({ reason: 'stopped by SIGTERM' });
});

test('MG-17: an operator runs with the arguments it is given', async () => {
  const { logger, lines, heard } = listening();
  const synced = heard('caches are synced');
  const own = operator({ name: 'op', logger, metricsAddress: '127.0.0.1:0', probeAddress: '0' });
  const running = own.run({ args: ['--kubeconfig', await kubeconfig()] });
  await synced;
  process.emit('SIGTERM', 'SIGTERM');
  await running;
  expect(lines.map(({ text }) => text)).toEqual(['caches are synced', 'stopping', 'stopped']);
});

test('MG-18: a program serves: a port in use is its end, reported once, and the last line has the code and the exit code 1', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen({ port: 0, host: '127.0.0.1' }, resolve));
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as { port: number };
  const { logger, lines } = listening();
  const exits: number[] = [];
  const program = { out: () => undefined, error: () => undefined, exit: (code: number) => exits.push(code) as never };
  const options = { name: 'op', logger, metricsAddress: `127.0.0.1:${port}`, probeAddress: '0' };
  await runProgram(options, { args: ['--kubeconfig', await kubeconfig()] }, program);
  expect(exits).toEqual([1]);
  expect(lines.at(-1)).toEqual({
    fields: { code: 'MANAGER_PORT_IN_USE', exitCode: 1 },
    text: 'the operator has ended with a failure',
  });
  expect(lines.filter((line) => JSON.stringify(line).includes('--metrics-bind-address'))).toMatchObject([
    { text: 'the operator is stopping because of a failure' },
  ]);
});

/** A connection that counts how often it was closed. */
function connection() {
  const state = { closed: 0 };
  const given = {
    namespace: 'default',
    host: 'nowhere',
    exchange: () => Promise.reject(new Error('not there')),
    close: async () => {
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
      state.closed += 1;
    },
  } as unknown as Connection;
  return { given, state };
}

test('a connection that was given stays open; without election an operator always leads', async () => {
  const { given, state } = connection();
  const stop = new AbortController();
  const manager = await operator({ name: 'op', logger: silentLogger }).start({
    connection: given,
    signal: stop.signal,
  });
  await manager.ready;
  expect(manager.leading).toBe(true);
  expect(manager.metrics()).toContain('process_start_time_seconds');
  stop.abort(new Error('enough'));
  await manager.done;
  expect(state.closed).toBe(0);
});

test('an operator that is started and not asked to serve does not listen', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen({ port: 0, host: '127.0.0.1' }, resolve));
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as { port: number };
  const options = { name: 'op', logger: silentLogger, metricsAddress: `127.0.0.1:${port}`, probeAddress: '0' };
  const { given } = connection();
  await using manager = await operator(options).start({ connection: given });
  await manager.ready;
  const serving = await operator(options).start({ connection: given, serve: true });
  await expect(serving.done).rejects.toMatchObject({ code: 'MANAGER_PORT_IN_USE' });
});
