import { describe, expect, test } from 'vitest';
import type { NamedRef } from '../api/index.ts';
import { quiescence, systemClock } from '../internal/index.ts';
import { connectSource } from './source.ts';
import { broken, setup } from './trigger.test-support.ts';

describe('sources outside the cluster', () => {
  const external = () => {
    const wanted: ((event: IteratorResult<string>) => void)[] = [];
    let pulled = 0;
    const source = async function* (): AsyncGenerator<string> {
      for (;;) {
        pulled += 1;
        const next = await new Promise<IteratorResult<string>>((resolve) => wanted.push(resolve));
        if (next.done === true) return;
        yield next.value;
      }
    };
    const push = async (value: string, settle: () => Promise<void>): Promise<void> => {
      wanted.shift()?.({ done: false, value });
      await settle();
    };
    return { source, push, pulled: () => pulled, end: () => wanted.shift()?.({ done: true, value: undefined }) };
  };
  const ref = (event: string): NamedRef => ({ namespace: 'default', name: event });

  test('PH-8: events before the start are kept up to 1024, then the source is held; at the start all are delivered', async () => {
    const { context, primaries, view, clock, queue } = setup();
    const { source, push, pulled } = external();
    const start = Promise.withResolvers<void>();
    const disconnect = connectSource({ ...context, source, map: ref, primaries, view, started: start.promise });
    const settle = (): Promise<void> => clock.settle();
    await settle();
    for (let i = 0; i < 1100; i += 1) await push(`k${i}`, settle);
    expect(queue.depth).toBe(0);
    expect(pulled()).toBe(1025);
    start.resolve();
    await settle();
    expect(queue.depth).toBe(1025);
    await push('later', settle);
    expect(queue.depth).toBe(1026);
    disconnect();
  });

  test('PH-8: the end of a source is quiet', async () => {
    const { context, primaries, view, clock, queue, lines, metrics } = setup();
    const { source, push, end } = external();
    connectSource({ ...context, source, map: ref, primaries, view, started: Promise.resolve() });
    const settle = (): Promise<void> => clock.settle();
    await settle();
    await push('a', settle);
    end();
    await settle();
    const woken = 'kilter_triggers_total{change="external",controller="webapp",source="external"} 1';
    expect(metrics.text()).toContain(woken);
    expect((await queue.take())?.causes).toMatchObject([{ source: 'external', change: 'external' }]);
    expect(lines).toEqual([]);
  });

  test.each<[string, () => unknown]>([
    ['answers without a promise', () => ({ done: true, value: undefined })],
    [
      'throws',
      () => {
        throw new Error('closed twice');
      },
    ],
    ['rejects', () => Promise.reject(new Error('closed twice'))],
  ])('PH-8: an iterator whose return %s ends as quietly', async (_, close) => {
    const { context, primaries, view, clock, lines } = setup();
    let asked = 0;
    const iterator = { next: async () => ({ done: true as const, value: undefined }), return: close as never };
    const source = (): AsyncIterable<string> => ({ [Symbol.asyncIterator]: () => ((asked += 1), iterator) });
    connectSource({ ...context, source, map: ref, primaries, view, started: Promise.resolve() });
    await clock.advance(120_000);
    expect([asked, lines]).toEqual([1, []]);
  });

  /** Fails as often as told before it has events. */
  const failing = (failures: number, clock: { monotonic(): number }) => {
    const asked: number[] = [];
    const source = async function* (): AsyncGenerator<string> {
      asked.push(clock.monotonic());
      if (asked.length <= failures) throw new Error('gone');
      yield 'a';
    };
    return { source, asked };
  };

  test('PH-8: a source that throws is told with a code, counted, and asked again with growing delays', async () => {
    const { context, primaries, view, clock, lines, woken, metrics } = setup();
    const { source, asked } = failing(3, clock);
    connectSource({ ...context, source, map: ref, primaries, view, started: Promise.resolve() });
    await clock.advance(60_000);
    expect(asked).toEqual([0, 1000, 3000, 7000]);
    expect(await woken()).toEqual(['default/a']);
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatchObject({ err: { code: 'TRIGGER_SOURCE_FAILED', cause: { message: 'gone' } } });
    expect(lines[0]).toMatchObject({
      err: { message: expect.stringContaining('with an error: gone; it is restarted') },
    });
    expect(metrics.text()).toContain('kilter_trigger_errors_total{controller="webapp",source="external"} 3');
    expect(clock.pending).toBe(0);
  });

  test.each<[string, unknown, string]>([
    ['a list', ['a'], "[ 'a' ] is not an async iterable"],
    ['nothing', undefined, 'undefined is not an async iterable'],
    ['a promise', Promise.resolve(['a']), "Promise { [ 'a' ] } is not an async iterable"],
  ])('PH-8: a source that gives %s is told as such', async (_, given, text) => {
    const { context, primaries, view, clock, lines } = setup();
    const source = (): never => given as never;
    const stop = connectSource({ ...context, source, map: ref, primaries, view, started: Promise.resolve() });
    await clock.settle();
    expect(JSON.stringify(lines[0])).toContain(text);
    stop();
  });

  test('PH-8: a source may answer without a promise, as `for await` lets it', async () => {
    const { context, primaries, view, clock, lines, woken } = setup();
    const left = [{ value: 'a' }, { done: true }];
    const source = () => ({ [Symbol.asyncIterator]: () => ({ next: () => left.shift() }) }) as never;
    connectSource({ ...context, source, map: ref, primaries, view, started: Promise.resolve() });
    await clock.settle();
    expect([await woken(), lines]).toEqual([['default/a'], []]);
  });

  test('PH-8: the delay grows to a minute, and an event begins it anew', async () => {
    const { context, primaries, view, clock } = setup();
    const asked: number[] = [];
    const source = async function* (): AsyncGenerator<string> {
      asked.push(clock.monotonic());
      if (asked.length === 9) yield 'a';
      throw new Error('gone');
    };
    const disconnect = connectSource({ ...context, source, map: ref, primaries, view, started: Promise.resolve() });
    await clock.advance(245_000);
    const gaps = asked.slice(1).map((at, i) => at - (asked[i] ?? 0));
    expect(gaps).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 1000, 2000, 4000, 8000, 16_000]);
    disconnect();
    await clock.settle();
    expect(clock.pending).toBe(0);
    await clock.advance(600_000);
    expect(asked).toHaveLength(14);
  });

  test('a source that never waits leaves the event loop its turn', async () => {
    const { context, primaries, view, queue } = setup();
    let given = 0;
    const source = async function* (): AsyncGenerator<string> {
      for (; given < 1000; given += 1) yield `k${given}`;
    };
    const clock = { ...systemClock, pause: () => (given % 10 === 9 ? quiescence() : undefined) };
    const started = Promise.resolve();
    const disconnect = connectSource({ ...context, clock, source, map: ref, primaries, view, started });
    await quiescence();
    expect(given).toBeLessThan(50);
    while (queue.depth < 100) await quiescence();
    disconnect();
    await quiescence();
    expect(queue.depth).toBeLessThan(1000);
  });

  test('a mapper that throws is told and the source goes on', async () => {
    const { context, primaries, view, clock, lines, woken } = setup();
    const { source, push } = external();
    const map = (event: string): NamedRef => (event === 'bad' ? broken() : ref(event));
    connectSource({ ...context, source, map, primaries, view, started: Promise.resolve() });
    const settle = (): Promise<void> => clock.settle();
    await settle();
    await push('bad', settle);
    await push('good', settle);
    expect(lines).toMatchObject([{ source: 'external', err: { message: 'broken' } }]);
    expect(await woken()).toEqual(['default/good']);
  });

  test('PH-6: a mapper that throws for every event is told once a minute, with how many there were since', async () => {
    const { context, primaries, view, clock, lines, metrics } = setup();
    const { source, push } = external();
    connectSource({ ...context, source, map: broken, primaries, view, started: Promise.resolve() });
    const settle = (): Promise<void> => clock.settle();
    await settle();
    for (let i = 0; i < 50; i += 1) await push('bad', settle);
    expect(lines).toHaveLength(1);
    await clock.advance(60_000);
    await push('bad', settle);
    expect(lines).toMatchObject([{ err: { message: 'broken' } }, { suppressed: 49 }]);
    expect(metrics.text()).toContain('kilter_trigger_errors_total{controller="webapp",source="external"} 51');
  });

  test('disconnecting ends a source that waits', async () => {
    const { context, primaries, view, clock, lines, queue } = setup();
    const signals: AbortSignal[] = [];
    const source = (signal: AbortSignal): AsyncIterable<string> => {
      signals.push(signal);
      return { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }) };
    };
    const disconnect = connectSource({ ...context, source, map: ref, primaries, view, started: Promise.resolve() });
    await clock.settle();
    disconnect();
    await clock.settle();
    expect(signals.map((signal) => signal.aborted)).toEqual([true]);
    expect([lines, queue.depth]).toEqual([[], 0]);
  });

  test('a source is told that nobody listens any more when it is disconnected, and when it failed', async () => {
    const { context, primaries, view, clock } = setup();
    let returned = 0;
    const source = (): AsyncIterable<string> => ({
      [Symbol.asyncIterator]: () => ({
        next: async () => (returned === 0 ? broken() : new Promise<never>(() => undefined)),
        return: async () => {
          returned += 1;
          throw new Error('it is gone already');
        },
      }),
    });
    const disconnect = connectSource({ ...context, source, map: ref, primaries, view, started: Promise.resolve() });
    await clock.settle();
    expect(returned).toBe(1);
    await clock.advance(1000);
    disconnect();
    await clock.settle();
    expect(returned).toBe(2);
  });

  test('a controller that does not start ends its sources', async () => {
    const { context, primaries, view, clock, queue } = setup();
    const signals: AbortSignal[] = [];
    const source = async function* (signal: AbortSignal): AsyncGenerator<string> {
      signals.push(signal);
      yield 'a';
      await new Promise<never>(() => undefined);
    };
    connectSource({ ...context, source, map: ref, primaries, view, started: Promise.reject(new Error('no start')) });
    await clock.settle();
    expect(signals.map((signal) => signal.aborted)).toEqual([true]);
    expect(queue.depth).toBe(0);
  });
});
