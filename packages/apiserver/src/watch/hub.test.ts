import { virtualClock } from 'kilter/runtime';
import { describe, expect, test } from 'vitest';
import { Storage } from '../storage/index.ts';
import { untilNextBookmark } from './bookmark-schedule.ts';
import { WatchHub } from './hub.ts';
import type { Signal, WatchRequest } from './watcher.ts';

const seen = (text: string, revision: number) => ({ text, revision });
const bucket = '/pods';
type Seen = { text: string; revision: number };

function stage({ maxBehind, ...limits }: { maxBehind?: number; minEvents?: number; maxEvents?: number } = {}) {
  const clock = virtualClock();
  const storage = new Storage({ now: () => clock.now(), limits });
  const hub = new WatchHub({ storage, clock, maxBehind });
  const aborter = new AbortController();
  const open = (options: Partial<WatchRequest<Seen>> = {}) => {
    const request: WatchRequest<Seen> = {
      bucket,
      prefix: '',
      from: 'initial',
      viewer: { decode: seen, decodePrevious: seen, matches: undefined },
      bookmarks: false,
      timeoutMs: 1_800_000,
      signal: aborter.signal,
      ...options,
    };
    return hub.open(request);
  };
  /** Reads a watch into a list as it goes; `done` turns true at its end. */
  const follow = (options?: Partial<WatchRequest<Seen>>) => {
    const stream = open(options);
    const log = { seen: [] as string[], done: false };
    if ('type' in stream) throw new Error('expired');
    void (async () => {
      for await (const signal of stream) log.seen.push(describeSignal(signal));
      log.done = true;
    })();
    return log;
  };
  return { clock, storage, hub, aborter, open, follow };
}

function describeSignal(signal: Signal<Seen>): string {
  if (signal.type === 'BOOKMARK') return `BOOKMARK ${signal.revision}${signal.initialEventsEnd ? ' end' : ''}`;
  return `${signal.type} ${signal.object.text} ${signal.object.revision}`;
}

const write = (storage: Storage, key: string, text: string): void => void storage.write(bucket, key, text);

describe('where a watch begins', () => {
  test('unset begins with the current set by key, N with what followed it, a future N with silence until it comes', async () => {
    const { storage, clock, follow } = stage();
    write(storage, 'b', 'b1');
    write(storage, 'a', 'a1');
    const all = follow();
    const after2 = follow({ from: 2 });
    const future = follow({ from: 5 });
    await clock.settle();
    write(storage, 'c', 'c1');
    write(storage, 'c', 'c2');
    write(storage, 'c', 'c3');
    storage.remove(bucket, 'a');
    await clock.settle();
    const live = ['ADDED c1 4', 'MODIFIED c2 5', 'MODIFIED c3 6', 'DELETED a1 7'];
    expect(all.seen).toEqual(['ADDED a1 3', 'ADDED b1 2', ...live]);
    expect(after2.seen).toEqual(['ADDED a1 3', ...live]);
    expect(future.seen).toEqual(['MODIFIED c3 6', 'DELETED a1 7']);
  });

  test('only its bucket and prefix are seen', async () => {
    const { storage, clock, follow } = stage();
    const one = follow({ prefix: 'a/' });
    write(storage, 'a/x', '1');
    write(storage, 'ab/x', '2');
    storage.write('/services', 'a/x', '3');
    await clock.settle();
    expect(one.seen).toEqual(['ADDED 1 2']);
  });

  test('a revision older than history is expired, and says how far back one can go', () => {
    const { storage, open } = stage({ minEvents: 2, maxEvents: 2 });
    for (let i = 0; i < 5; i += 1) write(storage, 'a', String(i));
    expect(open({ from: 2 })).toEqual({ type: 'EXPIRED', requested: 2, oldest: 4 });
    expect(open({ from: 4 })).not.toHaveProperty('type');
  });

  test('a compaction expires older revisions, while open watches go on', async () => {
    const { storage, clock, follow, open } = stage();
    const under = follow();
    write(storage, 'a', '1');
    storage.compact();
    write(storage, 'a', '2');
    await clock.settle();
    expect(under.seen).toEqual(['ADDED 1 2', 'MODIFIED 2 3']);
    expect(open({ from: 1 })).toEqual({ type: 'EXPIRED', requested: 1, oldest: 2 });
  });
});

describe('selectors', () => {
  test('API-W7: beginning to match is ADDED, ceasing is DELETED with the last matching content and the new revision', async () => {
    const { storage, clock, follow } = stage();
    const hot = follow({
      viewer: { decode: seen, decodePrevious: seen, matches: ({ text }) => text.includes('hot') },
    });
    for (const text of ['cold', 'hot1', 'hot2', 'cold', 'cold2', 'hot3']) write(storage, 'a', text);
    storage.remove(bucket, 'a');
    write(storage, 'b', 'cold');
    storage.remove(bucket, 'b');
    await clock.settle();
    expect(hot.seen).toEqual(['ADDED hot1 3', 'MODIFIED hot2 4', 'DELETED hot2 5', 'ADDED hot3 7', 'DELETED hot3 8']);
  });

  test('the initial set is filtered too', async () => {
    const { storage, clock, follow } = stage();
    write(storage, 'a', 'hot');
    write(storage, 'b', 'cold');
    const hot = follow({
      viewer: { decode: seen, decodePrevious: seen, matches: ({ text }) => text.includes('hot') },
    });
    await clock.settle();
    expect(hot.seen).toEqual(['ADDED hot 2']);
  });
});

describe('bookmarks', () => {
  test.each([
    [1_800_000, 60_000],
    [61_000, 59_000],
    [62_000, 60_000],
    [30_000, 28_000],
    [2000, 60_000],
    [1000, 60_000],
  ])('with %d ms to go the next comes after %d ms', (untilEnd, next) => {
    expect(untilNextBookmark(untilEnd)).toBe(next);
  });

  test('every 60 s and 2 s before the end, at the revision reached, never unasked', async () => {
    const { storage, clock, follow } = stage();
    const asked = follow({ bookmarks: true, timeoutMs: 100_000, from: 1 });
    const unasked = follow({ timeoutMs: 100_000, from: 1 });
    await clock.advance(59_999);
    expect(asked.seen).toEqual([]);
    storage.write('/services', 'a', '');
    write(storage, 'a', 'a1');
    await clock.advance(1);
    expect(asked.seen).toEqual(['ADDED a1 3', 'BOOKMARK 3']);
    storage.write('/services', 'b', '');
    await clock.advance(37_999);
    expect(asked.seen).toHaveLength(2);
    await clock.advance(1);
    expect(asked.seen.slice(2)).toEqual(['BOOKMARK 4']);
    await clock.advance(2000);
    expect(asked).toMatchObject({ done: true, seen: ['ADDED a1 3', 'BOOKMARK 3', 'BOOKMARK 4'] });
    expect(unasked).toEqual({ done: true, seen: ['ADDED a1 3'] });
    expect(clock.pending).toBe(0);
  });

  test('the initial set ends with an annotated one that carries the snapshot revision', async () => {
    const { storage, clock, follow } = stage();
    write(storage, 'a', 'a1');
    const marked = follow({ bookmarks: true });
    write(storage, 'b', 'b1');
    await clock.settle();
    expect(marked.seen).toEqual(['ADDED a1 2', 'BOOKMARK 2 end', 'ADDED b1 3']);
  });

  test('who waits for a future revision gets none before it comes', async () => {
    const { storage, clock, follow } = stage();
    const future = follow({ bookmarks: true, from: 3 });
    await clock.advance(60_000);
    expect(future.seen).toEqual([]);
    for (const text of ['1', '2', '3']) write(storage, 'a', text);
    await clock.advance(60_000);
    expect(future.seen).toEqual(['MODIFIED 3 4', 'BOOKMARK 4']);
  });
});

describe('ends', () => {
  test('a timeout closes cleanly', async () => {
    const { clock, follow, hub } = stage();
    const short = follow({ timeoutMs: 5000 });
    await clock.advance(4999);
    expect(short.done).toBe(false);
    await clock.advance(1);
    expect(short.done).toBe(true);
    expect([hub.size, clock.pending]).toEqual([0, 0]);
  });

  test('a reader too far behind is closed, and got no gap', async () => {
    const { storage, clock, follow, open } = stage({ maxBehind: 3 });
    const quick = follow({ from: 1 });
    const slow = open({ from: 1 }) as AsyncIterableIterator<Signal<Seen>>;
    write(storage, 'a', '1');
    await clock.settle();
    expect(describeSignal((await slow.next()).value)).toBe('ADDED 1 2');
    for (const text of ['2', '3', '4', '5']) {
      write(storage, 'a', text);
      await clock.settle();
    }
    expect(await slow.next()).toEqual({ done: true, value: undefined });
    expect(quick.seen).toHaveLength(5);
    expect(quick.done).toBe(false);
  });

  test('a reader whose place history forgot is closed', async () => {
    const { storage, open } = stage({ minEvents: 2, maxEvents: 2 });
    const slow = open({ from: 1 }) as AsyncIterableIterator<Signal<Seen>>;
    for (let i = 0; i < 5; i += 1) write(storage, 'a', String(i));
    expect(await slow.next()).toEqual({ done: true, value: undefined });
  });

  test('breaking ends the watches of one bucket, or all', async () => {
    const { clock, follow, hub } = stage();
    const here = follow();
    const there = follow({ bucket: '/services' });
    hub.break(bucket);
    await clock.settle();
    expect([here.done, there.done, hub.size]).toEqual([true, false, 1]);
    hub.break();
    await clock.settle();
    expect([there.done, hub.size]).toEqual([true, 0]);
  });

  test('a bucket that goes away ends its watches after what they have not read', async () => {
    const { storage, clock, follow, open, hub } = stage();
    const here = follow();
    const slow = open() as AsyncIterableIterator<Signal<Seen>>;
    write(storage, 'a', '1');
    storage.remove(bucket, 'a');
    hub.finish(bucket);
    storage.drop(bucket);
    await clock.settle();
    expect(here).toMatchObject({ done: true, seen: ['ADDED 1 2', 'DELETED 1 3'] });
    expect(describeSignal((await slow.next()).value)).toBe('ADDED 1 2');
    expect(describeSignal((await slow.next()).value)).toBe('DELETED 1 3');
    expect((await slow.next()).done).toBe(true);
    expect([hub.size, clock.pending]).toEqual([0, 0]);
  });

  test('an abort, an early return and the close of the hub leave no timer behind', async () => {
    const { clock, follow, open, hub, aborter } = stage();
    const followed = follow({ bookmarks: true });
    const stream = open({ bookmarks: true }) as AsyncIterableIterator<Signal<Seen>>;
    await stream.return?.();
    aborter.abort();
    await clock.settle();
    expect(followed.done).toBe(true);
    expect(clock.pending).toBe(0);
    const late = open({ bookmarks: true }) as AsyncIterableIterator<Signal<Seen>>;
    expect((await late.next()).done).toBe(true);
    hub.close();
    expect([hub.size, clock.pending]).toEqual([0, 0]);
  });
});
