import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../api/index.ts';
import { apiErrorOf, hasCode, isExpired, isForbidden } from '../errors/index.ts';
import { type VirtualClock, virtualRuntime } from '../internal/index.ts';
import { jsonLogger, MetricsRegistry } from '../telemetry/index.ts';
import { type ExchangeResponse, inMemory, type InMemoryRequest, transport } from '../transport/index.ts';
import { type Change, type Client, createClient } from './index.ts';
import { failure, Node, WebApp } from './scripted-client.test-support.ts';

const never = new Promise<never>(() => undefined);
const line = (type: string, object: unknown): string => `${JSON.stringify({ type, object })}\n`;
const node = (name: string, resourceVersion: string): object => ({ metadata: { name, resourceVersion } });

interface World {
  readonly client: Client;
  readonly clock: VirtualClock;
  readonly seen: InMemoryRequest[];
  readonly logged: string[];
  readonly metrics: () => string;
}

/** A client of a server whose watch sends these lines and then closes, or stays silent. */
function world(lines: readonly string[], then: 'closes' | 'stays' = 'closes', status = 200): World {
  const runtime = virtualRuntime();
  const metrics = new MetricsRegistry();
  const seen: InMemoryRequest[] = [];
  const logged: string[] = [];
  const logger = jsonLogger({ write: (text) => logged.push(text), now: () => 0 });
  const body = async function* (): AsyncGenerator<Uint8Array> {
    for (const text of lines) yield new TextEncoder().encode(text);
    if (then === 'stays') await never;
  };
  const connection = inMemory((request): Promise<ExchangeResponse> => {
    seen.push(request);
    return Promise.resolve({ status, headers: { 'content-type': 'application/json' }, body: body() });
  });
  const wire = transport(connection, { runtime, logger, metrics, userAgent: 'test/1' });
  return {
    client: createClient(wire, { logger, metrics, clock: runtime.clock }),
    clock: runtime.clock,
    seen,
    logged,
    metrics: () => metrics.text(),
  };
}

async function collect<T extends KubeObject>(
  changes: AsyncIterable<Change<T>>,
  into: Change<T>[] = [],
): Promise<Change<T>[]> {
  for await (const change of changes) into.push(change);
  return into;
}

describe('a watch', () => {
  test('asks for its namespace and resumes at the given version', async () => {
    const { client, seen } = world([]);
    await collect(
      client.watch(WebApp, { namespace: 'x', resourceVersion: '7', timeoutSeconds: 300, labels: { a: 'b' } }),
    );
    expect(seen[0]?.path).toBe(
      '/apis/example.com/v1/namespaces/x/webapps?watch=true&allowWatchBookmarks=true&resourceVersion=7&timeoutSeconds=300&labelSelector=a%3Db',
    );
  });

  test('gives changes with apiVersion and kind, bookmarks by their version, and ends when the server closes', async () => {
    const end = { metadata: { resourceVersion: '9', annotations: { 'k8s.io/initial-events-end': 'true' } } };
    const { client } = world([
      line('ADDED', node('a', '1')),
      line('BOOKMARK', end),
      line('MODIFIED', node('a', '10')),
      line('BOOKMARK', { metadata: { resourceVersion: '11' } }),
      line('DELETED', node('a', '12')),
    ]);
    const names = { apiVersion: 'v1', kind: 'Node' };
    expect(await collect(client.watch(Node, { sendInitialEvents: true }))).toEqual([
      { type: 'ADDED', object: { ...names, ...node('a', '1') } },
      { type: 'BOOKMARK', resourceVersion: '9', initialEventsEnd: true },
      { type: 'MODIFIED', object: { ...names, ...node('a', '10') } },
      { type: 'BOOKMARK', resourceVersion: '11', initialEventsEnd: false },
      { type: 'DELETED', object: { ...names, ...node('a', '12') } },
    ]);
  });

  test.each(['Expired', 'Gone'])('an ERROR event is thrown as what it is: 410 %s', async (reason) => {
    const status = { kind: 'Status', code: 410, reason, message: 'too old resource version: 1 (5)' };
    const { client } = world([line('ADDED', node('a', '1')), line('ERROR', status), line('ADDED', node('b', '2'))]);
    const changes: Change<Node>[] = [];
    const error = await failure(collect(client.watch(Node), changes));
    expect(isExpired(error)).toBe(true);
    expect(apiErrorOf(error)).toMatchObject({ method: 'GET', path: '/api/v1/nodes' });
    expect(changes).toHaveLength(1);
  });

  test('an ERROR event without a Status is an error all the same', async () => {
    const { client } = world([line('ERROR', null)]);
    expect(apiErrorOf(await failure(collect(client.watch(Node))))?.status.code).toBe(500);
  });

  test('a refusal is thrown', async () => {
    const { client } = world([JSON.stringify({ kind: 'Status', code: 403, reason: 'Forbidden' })], 'closes', 403);
    expect(isForbidden(await failure(collect(client.watch(Node))))).toBe(true);
  });

  test('a web page instead of a watch is reported as one', async () => {
    const { client } = world(['<html>\n<body>Please log in</body>\n</html>\n']);
    const error = await failure(collect(client.watch(Node)));
    expect(String(error)).toContain(
      'the answer is a web page, not a stream (TRANSPORT_STREAM_MALFORMED: check the server',
    );
    expect(String(error)).not.toContain('log in<');
  });

  test.each([
    ['no JSON', 'garbage\n'],
    ['half a line', '{"type":"ADDED","object":{"metadata"'],
    ['a NUL', '{"type":"ADDED","object":{"metadata":{"name":"\u0000"}}}\n'],
  ])(
    'TR-10: a line that is %s is thrown after the good ones and counted, and its text is not shown',
    async (_, bad) => {
      const { client, logged, metrics } = world([line('ADDED', node('a', '1')), bad]);
      const changes: Change<Node>[] = [];
      const error = await failure(collect(client.watch(Node), changes));
      expect(hasCode(error, 'TRANSPORT_STREAM_MALFORMED')).toBe(true);
      expect(String(error)).not.toContain('garbage');
      expect(changes).toHaveLength(1);
      expect(metrics()).toContain('kilter_stream_errors_total{reason="TRANSPORT_STREAM_MALFORMED"} 1');
      // Who is thrown it says so; of what breaks the framing itself, the transport does.
      expect(logged.length).toBeLessThan(2);
    },
  );

  test.each([
    ['of an unknown type', line('SURPRISE', node('a', '1'))],
    ['without an object', '{"type":"ADDED"}\n'],
    ['that is empty', '{}\n'],
    ['that is not an object', '7\n'],
  ])('a line %s affects itself alone: counted, logged, and the watch goes on', async (_, odd) => {
    const { client, logged, metrics } = world([odd, line('ADDED', node('b', '2'))]);
    expect(await collect(client.watch(Node))).toHaveLength(1);
    expect(metrics()).toContain('kilter_watch_lines_skipped_total{kind="Node"} 1');
    expect(logged).toEqual([expect.stringContaining('CLIENT_CHANGE_UNUSABLE')]);
  });

  test('what is passed over all the time is counted each time and logged at most once a minute', async () => {
    const { client, clock, logged, metrics } = world(['{}\n', '{}\n', '{}\n']);
    await collect(client.watch(Node));
    expect(logged).toHaveLength(1);
    await clock.advance(60_000);
    await collect(client.watch(Node));
    expect(logged).toHaveLength(2);
    expect(logged[1]).toContain('"suppressed":2');
    expect(metrics()).toContain('kilter_watch_lines_skipped_total{kind="Node"} 6');
  });

  test('a key `__proto__` is a key', async () => {
    const { client } = world(['{"type":"ADDED","object":{"metadata":{"name":"a"},"__proto__":{"polluted":1}}}\n']);
    const [change] = await collect(client.watch(Node));
    expect(JSON.stringify(change)).toContain('"__proto__":{"polluted":1}');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('the end of a watch', () => {
  test('TR-12: an abort ends it at once with its reason, and nothing is left', async () => {
    const { client, clock, seen } = world([line('ADDED', node('a', '1'))], 'stays');
    const controller = new AbortController();
    const done = failure(collect(client.watch(Node, { signal: controller.signal })));
    await clock.settle();
    controller.abort(new Error('enough'));
    expect(await done).toEqual(new Error('enough'));
    expect(seen[0]?.signal.aborted).toBe(true);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  test('TR-12: leaving it while a change is awaited ends it', async () => {
    const { client, clock, seen } = world([], 'stays');
    const { signal } = new AbortController();
    const changes = client.watch(Node, { signal });
    const next = changes.next();
    await clock.settle();
    await changes.return?.();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(await next).toEqual({ done: true, value: undefined });
    expect(await changes.next()).toEqual({ done: true, value: undefined });
    expect(seen[0]?.signal.aborted).toBe(true);
    expect(clock.pending).toBe(0);
  });

  test('leaving the loop ends it', async () => {
    const { client, seen } = world([line('ADDED', node('a', '1'))], 'stays');
    for await (const change of client.watch(Node)) {
      expect(change.type).toBe('ADDED');
      break;
    }
    expect(seen[0]?.signal.aborted).toBe(true);
  });

  test('one that nobody reads opens nothing', async () => {
    const { client, clock, seen } = world([]);
    client.watch(Node);
    await clock.settle();
    expect(seen).toEqual([]);
  });

  test('one whose signal is aborted already opens nothing', async () => {
    const { client, seen } = world([]);
    const error = await failure(collect(client.watch(Node, { signal: AbortSignal.abort(new Error('enough')) })));
    expect(error).toEqual(new Error('enough'));
    expect(seen).toEqual([]);
  });
});
