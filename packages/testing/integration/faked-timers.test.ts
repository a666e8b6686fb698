// A test of a user that fakes its timers decides about time. It does not decide about turns of the event loop, and a start waits for some.
import { connect } from 'kilter';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { afterEach, expect, test, vi } from 'vitest';
import { apiServer } from '../src/index.ts';
import { cluster } from '../src/cluster/index.ts';
import { Thing, thing, thingOperator, things } from './thing.test-support.ts';

afterEach(() => void vi.useRealTimers());

test('an operator starts, works and stops while timers are faked', async () => {
  vi.useFakeTimers();
  const env = await cluster({ operator: thingOperator(things) });
  await env.client.create(thing('a'));
  expect(await env.client.find(Thing, 'a')).toBeDefined();
  await env[Symbol.asyncDispose]();
});

test('connect() reads a kubeconfig while timers are faked', async () => {
  const server = apiServer();
  const { kubeconfig } = await server.listen();
  const path = join(tmpdir(), `faked-timers-${process.pid}`);
  await writeFile(path, kubeconfig);
  vi.useFakeTimers();
  const client = await connect({ kubeconfig: path });
  expect((await client.version()).gitVersion).toMatch(/^v1\./);
  vi.useRealTimers();
  await client[Symbol.asyncDispose]();
  await server.close();
});
