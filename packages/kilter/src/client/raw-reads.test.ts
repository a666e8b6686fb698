import { describe, expect, test, vi } from 'vitest';
import { Scanner } from '../bytes/index.ts';
import { hasCode, isExpired } from '../errors/index.ts';
import { virtualRuntime } from '../internal/index.ts';
import { MetricsRegistry, silentLogger } from '../telemetry/index.ts';
import { type ExchangeResponse, inMemory, transport } from '../transport/index.ts';
import { createClient } from './create-client.ts';
import { type RawChange, type RawIntake, type RawPage, rawReads } from './raw-reads.ts';
import { failure, Node } from './scripted-client.test-support.ts';

/** Takes names in, and says how: from bytes, or parsed. */
const intake: RawIntake<string> = {
  take: (source, start) => {
    const scanner = new Scanner();
    scanner.source = source;
    scanner.at = start;
    scanner.skip(0);
    const value = JSON.parse(source.toString('utf8', start, scanner.at)) as { metadata?: { name?: string } };
    return { received: `bytes:${value?.metadata?.name}`, end: scanner.at };
  },
  takeValue: (value) => `value:${(value as { metadata: { name: string } }).metadata.name}`,
};

interface Server {
  watch(): Promise<{ batches: readonly RawChange<string>[][]; error: unknown }>;
  listPage(): Promise<RawPage<string>>;
  readonly metrics: MetricsRegistry;
}

function serving(chunks: readonly (string | Uint8Array)[]): Server {
  const runtime = virtualRuntime();
  const metrics = new MetricsRegistry();
  const body = async function* (): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) yield Buffer.from(chunk as string);
  };
  const connection = inMemory((): Promise<ExchangeResponse> =>
    Promise.resolve({ status: 200, headers: { 'content-type': 'application/json' }, body: body() }),
  );
  const wire = transport(connection, { runtime, logger: silentLogger, metrics, userAgent: 'test/1' });
  const reads = createClient(wire, { clock: runtime.clock, metrics })[rawReads];
  return {
    metrics,
    listPage: () => reads.listPage(Node, {}, intake),
    watch: async () => {
      const batches: RawChange<string>[][] = [];
      const reading = async (): Promise<void> => {
        for await (const batch of reads.watch(Node, {}, intake)) batches.push([...batch]);
      };
      return { error: await failure(reading()), batches };
    },
  };
}

const line = (type: string, object: unknown): string => `${JSON.stringify({ type, object })}\n`;
const node = (name: string): object => ({ metadata: { name } });

describe('a watch for a cache', () => {
  test('hands over bytes, one batch for what came together', async () => {
    const whole = line('ADDED', node('a')) + line('MODIFIED', node('b')) + line('DELETED', node('c'));
    const { batches, error } = await serving([whole.slice(0, -10), whole.slice(-10)]).watch();
    expect(error).toBeUndefined();
    expect(batches).toEqual([
      [
        { type: 'ADDED', received: 'bytes:a' },
        { type: 'MODIFIED', received: 'bytes:b' },
      ],
      [{ type: 'DELETED', received: 'bytes:c' }],
    ]);
  });

  test.each([
    ['{"object":{"metadata":{"name":"a"}},"type":"ADDED"}\n', 'value:a'],
    ['{"type":"ADDED","object":{"metadata":{"name":"a"}},"more":1}\n', 'value:a'],
    ['{ "type" : "ADDED" , "object" : {"metadata":{"name":"a"}} }\r\n', 'value:a'],
    ['{"type":"ADDED","object":{"metadata":{"name":"a"}},"object":{"metadata":{"name":"b"}}}\n', 'value:b'],
  ])('parses a line of another form: %j', async (text, received) => {
    expect((await serving([text]).watch()).batches).toEqual([[{ type: 'ADDED', received }]]);
  });

  test('RF-14: tells bookmarks, and passes over what is JSON and not a change', async () => {
    const end = { metadata: { resourceVersion: '9', annotations: { 'k8s.io/initial-events-end': 'true' } } };
    const server = serving([line('BOOKMARK', end) + line('STRANGE', node('x')) + '7\n']);
    expect((await server.watch()).batches).toEqual([
      [{ type: 'BOOKMARK', resourceVersion: '9', initialEventsEnd: true }],
    ]);
    expect(server.metrics.text()).toContain('kilter_watch_lines_skipped_total{kind="Node"} 2');
  });

  test('RF-7: changes before an error of the stream are told first, and none behind it', async () => {
    const expired = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' };
    const text = line('ADDED', node('a')) + line('ERROR', expired) + line('ADDED', node('b'));
    const { batches, error } = await serving([text]).watch();
    expect(batches).toEqual([[{ type: 'ADDED', received: 'bytes:a' }]]);
    expect(isExpired(error)).toBe(true);
  });

  test.each([
    '{"type":"ADDED","object":{"metadata":{"name":"b"}\n',
    '{"type":"ADDED","object":{"metadata":{"name":"b"}}}}\n',
    '{"type":"ADDED","object":nul}\n',
    Buffer.from([...Buffer.from('{"type":"ADDED","object":{"metadata":{"name":"'), 0xff, ...Buffer.from('"}}}\n')]),
    '{"type":"ADDED","object":{"metadata":{"name":"b"},\n"more":1}}\n',
  ])('TR-10: a broken line ends the stream behind the good ones and is counted: %j', async (bad) => {
    const server = serving([line('ADDED', node('a')), bad]);
    const { batches, error } = await server.watch();
    expect(batches).toEqual([[{ type: 'ADDED', received: 'bytes:a' }]]);
    expect(hasCode(error, 'TRANSPORT_STREAM_MALFORMED')).toBe(true);
    expect(server.metrics.text()).toContain('kilter_stream_errors_total{reason="TRANSPORT_STREAM_MALFORMED"} 1');
  });
});

describe('a list for a cache', () => {
  test.each([
    [
      '{"kind":"NodeList","metadata":{"resourceVersion":"7","continue":"next"},"items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b"}}]}',
      { items: ['bytes:a', 'bytes:b'], resourceVersion: '7', continue: 'next' },
    ],
    [
      ' { "items" : [ {"metadata":{"name":"a"}} ] , "metadata" : { "continue" : "" } } ',
      { items: ['bytes:a'], resourceVersion: '', continue: undefined },
    ],
    ['{"metadata":{"resourceVersion":"7"},"items":null}', { items: [], resourceVersion: '7', continue: undefined }],
    ['{"metadata":{"resourceVersion":"7"},"items":[]}', { items: [], resourceVersion: '7', continue: undefined }],
    ['{"metadata":[]}', { items: [], resourceVersion: '', continue: undefined }],
    ['{}', { items: [], resourceVersion: '', continue: undefined }],
  ])('takes items in from bytes, wherever they stand: %s', async (text, page) => {
    expect(await serving([text]).listPage()).toEqual(page);
  });

  test.each([
    '',
    'null',
    '[]',
    '{"items":[{}',
    '{"items":[{}]}}',
    '{"items":[{} {}]}',
    '<html>',
    '{"items":{}}',
    '{"items":7}',
  ])('refuses what is not a list: %j', async (text) => {
    const error = await failure(serving([text]).listPage());
    expect(hasCode(error, 'CLIENT_UNEXPECTED_ANSWER')).toBe(true);
    expect(String(error)).toContain('GET /api/v1/nodes');
  });
});

test('J-09: a list of 10,000 objects is taken in item by item, with turns of the event loop in between', async () => {
  const items = Array.from({ length: 10_000 }, (_, n) => node(`n${n}`));
  const server = serving([JSON.stringify({ metadata: { resourceVersion: '7' }, items })]);
  let turns = 0;
  let over = false;
  const count = (): void => {
    turns += 1;
    if (!over) setImmediate(count);
  };
  setImmediate(count);
  const parse = vi.spyOn(JSON, 'parse');
  const page = await server.listPage();
  over = true;
  const longest = Math.max(...parse.mock.calls.map(([text]) => text.length));
  parse.mockRestore();
  expect([page.items.length, page.items[9999]]).toEqual([10_000, 'bytes:n9999']);
  expect(longest).toBeLessThan(100);
  // The virtual clock counts 64 pieces as a turn.
  expect(turns).toBeGreaterThan(100);
});
