import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { hasCode, isForbidden } from '../errors/index.ts';
import { virtualRuntime } from '../internal/index.ts';
import { jsonLogger } from '../telemetry/index.ts';
import { type Connection, inMemory, transport } from './index.ts';
import {
  type Answer,
  bytes,
  collect,
  get,
  never,
  ok,
  post,
  refusal,
  reset,
  watchOutcome,
  world,
} from './scripted-server.test-support.ts';

describe('streams', () => {
  test('TR-10: lines come whole, in order, until the server closes', async () => {
    const whole = bytes('{"a":"ü"}\n{"b":"𝄞"}\n{"c":3}\n');
    const { transport, clock, metric } = world([
      () => ok(whole.subarray(0, 7), whole.subarray(7, 19), whole.subarray(19)),
    ]);
    expect(await collect(await transport.stream(get))).toEqual(['{"a":"ü"}', '{"b":"𝄞"}', '{"c":3}']);
    expect(clock.pending).toBe(0);
    expect(metric('kilter_stream_errors_total{')).toBeUndefined();
  });

  test.each([
    ['breaks off inside a line', ['{"a":1}\n{"b":'], 'TRANSPORT_STREAM_MALFORMED'],
    ['holds a NUL', ['{"a":1}\n{"b":"\0"}\n{"c":3}\n'], 'TRANSPORT_STREAM_MALFORMED'],
    ['has a line beyond 4 MiB', [`{"a":1}\n${'x'.repeat(4 * 1024 * 1024 + 1)}`], 'TRANSPORT_LINE_TOO_LONG'],
    ['is reset', ['{"a":1}\n', reset()], 'TRANSPORT_CONNECTION_LOST'],
  ] as const)(
    'TR-10: one that %s is an error after its good lines, counted, logged once a minute',
    async (_, parts, code) => {
      const { transport, clock, metric, logged } = world([() => ok(...parts)]);
      const lines: string[] = [];
      const outcome = watchOutcome(collect(await transport.stream(get), lines));
      await expect(collect(await transport.stream(get))).rejects.toMatchObject({ code });
      expect(lines).toEqual(['{"a":1}']);
      expect(hasCode(outcome.error, code)).toBe(true);
      expect(metric(`kilter_stream_errors_total{reason="${code}"}`)).toMatch(/ 2$/);
      const broken = (): string[] => logged.filter((line) => line.includes('stream broke'));
      expect(broken()).toHaveLength(1);
      await clock.advance(59_999);
      await expect(collect(await transport.stream(get))).rejects.toMatchObject({ code });
      expect(broken()).toHaveLength(1);
      await clock.advance(1);
      await expect(collect(await transport.stream(get))).rejects.toMatchObject({ code });
      expect(broken()[1]).toContain('"suppressed":2');
    },
  );

  test('a refusal to open one is thrown', async () => {
    const { transport } = world([() => refusal(403, {}, 'Forbidden')]);
    const outcome = watchOutcome(transport.stream(get));
    await transport.stream(get).catch(() => undefined);
    expect(isForbidden(outcome.error)).toBe(true);
  });
});

describe('aborting', () => {
  /** A stream that says when it is left. */
  function silent(): { answer: Answer; left: () => boolean } {
    let returned = false;
    const body: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({
        next: () => never,
        return: () => {
          returned = true;
          return Promise.resolve({ done: true, value: undefined });
        },
      }),
    };
    return { answer: () => ({ status: 200, headers: {}, body }), left: () => returned };
  }

  test('TR-12: ends a stream at once and leaves nothing open', async () => {
    const { answer, left } = silent();
    const { transport, clock, seen } = world([answer]);
    const controller = new AbortController();
    const outcome = watchOutcome(collect(await transport.stream({ ...get, signal: controller.signal })));
    await clock.settle();
    expect(outcome.settled).toBe(false);
    controller.abort(new Error('enough'));
    await clock.settle();
    expect(outcome.error).toEqual(new Error('enough'));
    expect(left()).toBe(true);
    expect(seen[0]?.request.signal.aborted).toBe(true);
    expect(clock.pending).toBe(0);
  });

  test('TR-12: leaving a stream early does the same, while a line is awaited too', async () => {
    const { answer, left } = silent();
    const { transport, clock, seen, metric } = world([answer]);
    const lines = (await transport.stream(get))[Symbol.asyncIterator]();
    const next = watchOutcome(lines.next());
    await lines.return?.();
    await clock.settle();
    expect(next.value).toEqual({ done: true, value: undefined });
    expect(left()).toBe(true);
    expect(seen[0]?.request.signal.aborted).toBe(true);
    expect(metric('kilter_stream_errors_total{')).toBeUndefined();
  });

  test('TR-12: a connection that does not notice holds nobody', async () => {
    const runtime = virtualRuntime();
    const deaf: Connection = {
      namespace: 'default',
      host: 'deaf',
      exchange: () =>
        Promise.resolve({
          status: 200,
          headers: {},
          body: { [Symbol.asyncIterator]: () => ({ next: () => never, return: () => never }) },
        }),
      close: () => Promise.resolve(),
    };
    const logger = jsonLogger({ write: () => undefined, now: () => 0 });
    const lines = (await transport(deaf, { runtime, logger, userAgent: 'x' }).stream(get))[Symbol.asyncIterator]();
    const next = watchOutcome(lines.next());
    await lines.return?.();
    await runtime.clock.settle();
    expect(next.value).toEqual({ done: true, value: undefined });
    expect(runtime.clock.pending).toBe(0);
  });

  test('TR-12: a stream that was never read can be left', async () => {
    const { answer, left } = silent();
    const { transport, clock, seen } = world([answer]);
    await (await transport.stream(get))[Symbol.asyncIterator]().return?.();
    await clock.settle();
    expect(seen[0]?.request.signal.aborted).toBe(true);
    expect(left()).toBe(true);
  });

  test.each<[string, Answer]>([
    ['while the answer is awaited', () => never],
    ['while the body is read', silent().answer],
    ['while it waits to try again', () => refusal(429, { 'retry-after': '20' })],
  ])('TR-12: a request is aborted %s', async (_, answer) => {
    const { transport, clock, seen } = world([answer]);
    const controller = new AbortController();
    const outcome = watchOutcome(transport.send({ ...get, signal: controller.signal }));
    await clock.advance(10);
    controller.abort(new Error('enough'));
    await clock.settle();
    expect(outcome.error).toEqual(new Error('enough'));
    expect(clock.pending).toBe(0);
    await clock.advance(60_000);
    expect(seen).toHaveLength(1);
  });

  test('TR-12: an answer that comes after the abort is let go', async () => {
    const { answer, left } = silent();
    let release = (): void => undefined;
    const late: Answer = async (request) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return answer(request);
    };
    const { transport, clock } = world([late]);
    const controller = new AbortController();
    const outcome = watchOutcome(transport.send({ ...get, signal: controller.signal }));
    await clock.settle();
    controller.abort(new Error('enough'));
    await clock.settle();
    release();
    await clock.settle();
    expect(outcome.error).toEqual(new Error('enough'));
    expect(left()).toBe(true);
  });

  test('a signal that is aborted already sends nothing', async () => {
    const { transport, seen } = world([() => ok('{}')]);
    await expect(transport.send({ ...get, signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
    expect(seen).toHaveLength(0);
  });

  test('an ended request keeps no listener on a signal that lives on', async () => {
    const { signal } = new AbortController();
    const { transport } = world([() => ok('{"a":1}\n')]);
    await transport.send({ ...get, signal });
    await collect(await transport.stream({ ...get, signal }));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('a connection in memory', () => {
  test('once closed it is closed, and what is open ends', async () => {
    const runtime = virtualRuntime();
    const connection = inMemory(() => never, { namespace: 'shop', host: 'here' });
    const logger = jsonLogger({ write: () => undefined, now: () => 0 });
    const over = transport(connection, { runtime, logger, userAgent: 'x' });
    expect([over.namespace, over.host]).toEqual(['shop', 'here']);
    const read = watchOutcome(over.send(get));
    const write = watchOutcome(over.send(post));
    await runtime.clock.settle();
    await connection.close();
    await runtime.clock.settle();
    expect(hasCode(read.error, 'TRANSPORT_CLOSED')).toBe(true);
    expect(hasCode(write.error, 'TRANSPORT_OUTCOME_UNKNOWN')).toBe(true);
    await expect(over.send(get)).rejects.toMatchObject({ code: 'TRANSPORT_CLOSED' });
    expect(runtime.clock.pending).toBe(0);
  });
});
