import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { hasCode, isBadRequest } from '../errors/index.ts';
import { type VirtualClock, virtualRuntime } from '../internal/index.ts';
import { silentLogger } from '../telemetry/index.ts';
import { inMemory, type InMemoryRequest, transport } from '../transport/index.ts';
import { type Client, createClient } from './index.ts';
import { failure } from './scripted-client.test-support.ts';

const never = new Promise<never>(() => undefined);

/** A client of a server whose log sends these chunks and then closes, breaks or stays silent. */
function world(
  chunks: readonly (string | Uint8Array)[],
  then: 'closes' | 'breaks' | 'stays' = 'closes',
  status = 200,
): { client: Client; clock: VirtualClock; seen: InMemoryRequest[] } {
  const runtime = virtualRuntime();
  const seen: InMemoryRequest[] = [];
  const body = async function* (): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) yield typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
    if (then === 'breaks') throw new Error('reset');
    if (then === 'stays') await never;
  };
  const connection = inMemory((request) => {
    seen.push(request);
    const type = status === 200 ? 'text/plain' : 'application/json';
    return Promise.resolve({ status, headers: { 'content-type': type }, body: body() });
  });
  const wire = transport(connection, { runtime, logger: silentLogger, userAgent: 'test/1' });
  return { client: createClient(wire), clock: runtime.clock, seen };
}

async function collect(lines: AsyncIterable<string>, into: string[] = []): Promise<string[]> {
  for await (const line of lines) into.push(line);
  return into;
}

describe('the request of a log', () => {
  test.each<[Parameters<Client['logs']>, string]>([
    [['web'], '/api/v1/namespaces/default/pods/web/log'],
    [[{ name: 'web', namespace: 'x' }, { container: 'app' }], '/api/v1/namespaces/x/pods/web/log?container=app'],
    [
      ['web', { follow: true, previous: true, timestamps: true, tailLines: 0 }],
      '/api/v1/namespaces/default/pods/web/log?follow=true&previous=true&tailLines=0&timestamps=true',
    ],
    [
      ['web', { sinceSeconds: 60, limitBytes: 10 }],
      '/api/v1/namespaces/default/pods/web/log?sinceSeconds=60&limitBytes=10',
    ],
    [
      ['web', { sinceTime: '2026-01-01T00:00:00Z' }],
      '/api/v1/namespaces/default/pods/web/log?sinceTime=2026-01-01T00%3A00%3A00Z',
    ],
  ])('%j', async (given, expected) => {
    const { client, seen } = world([]);
    expect(await collect(client.logs(...given))).toEqual([]);
    expect(seen[0]).toMatchObject({ method: 'GET', path: expected });
    // Text is what comes; only a refusal is JSON.
    expect(seen[0]?.headers.accept).toBe('application/json, */*');
  });

  test.each<Parameters<Client['logs']>[1]>([
    { sinceSeconds: 60, sinceTime: '2026-01-01T00:00:00Z' },
    { sinceTime: 'yesterday' },
    { tailLines: -1 },
    { limitBytes: 0.5 },
    { maxLineBytes: 1 },
  ])('%j cannot be meant', (options) => {
    const { client, seen } = world([]);
    let error: unknown;
    try {
      client.logs('web', options);
    } catch (thrown) {
      error = thrown;
    }
    expect(hasCode(error, 'CLIENT_OPTION_INVALID')).toBe(true);
    expect(seen).toEqual([]);
  });
});

describe('the lines of a log', () => {
  test('come one by one, whatever the chunks, and end with the log', async () => {
    const smile = new TextEncoder().encode('smile 😀\n');
    const { client } = world(['first\nsec', 'ond\n', smile.subarray(0, 8), smile.subarray(8), '\nlast']);
    expect(await collect(client.logs('web'))).toEqual(['first', 'second', 'smile 😀', '', 'last']);
  });

  test('that are longer than memory is meant for come in pieces', async () => {
    const { client } = world(['abcdefgh', 'ij\nk\n']);
    expect(await collect(client.logs('web', { maxLineBytes: 4 }))).toEqual(['abcd', 'efgh', 'ij', 'k']);
  });

  test('before a break are there, and the break is an error', async () => {
    const { client } = world(['a\nb'], 'breaks');
    const lines: string[] = [];
    const error = await failure(collect(client.logs('web'), lines));
    expect(hasCode(error, 'TRANSPORT_CONNECTION_LOST')).toBe(true);
    expect(lines).toEqual(['a']);
  });

  test('of a container that has none yet: the refusal is thrown', async () => {
    const status = { kind: 'Status', code: 400, reason: 'BadRequest', message: 'container is waiting to start' };
    const { client } = world([JSON.stringify(status)], 'closes', 400);
    expect(isBadRequest(await failure(collect(client.logs('web'))))).toBe(true);
  });
});

describe('the end of a log', () => {
  test('TR-12: leaving it while a line is awaited ends the request at once', async () => {
    const { client, clock, seen } = world(['a\n'], 'stays');
    const { signal } = new AbortController();
    const lines = client.logs('web', { follow: true, signal });
    expect(await lines.next()).toEqual({ done: false, value: 'a' });
    const next = lines.next();
    await clock.settle();
    await lines.return?.();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(await next).toEqual({ done: true, value: undefined });
    expect(await lines.next()).toEqual({ done: true, value: undefined });
    expect(seen[0]?.signal.aborted).toBe(true);
    expect(clock.pending).toBe(0);
  });

  test('TR-12: an abort ends it at once with its reason, and nothing is left', async () => {
    const { client, clock, seen } = world(['a\n'], 'stays');
    const controller = new AbortController();
    const done = failure(collect(client.logs('web', { signal: controller.signal })));
    await clock.settle();
    controller.abort(new Error('enough'));
    expect(await done).toEqual(new Error('enough'));
    expect(seen[0]?.signal.aborted).toBe(true);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  test('leaving the loop ends it; one that nobody reads opens nothing', async () => {
    const { client, clock, seen } = world(['a\nb\n'], 'stays');
    client.logs('web');
    await clock.settle();
    expect(seen).toEqual([]);
    for await (const line of client.logs('web')) {
      expect(line).toBe('a');
      break;
    }
    expect(seen[0]?.signal.aborted).toBe(true);
  });

  test('one whose signal is aborted already opens nothing', async () => {
    const { client, seen } = world([]);
    const error = await failure(collect(client.logs('web', { signal: AbortSignal.abort(new Error('enough')) })));
    expect(error).toEqual(new Error('enough'));
    expect(seen).toEqual([]);
  });
});
