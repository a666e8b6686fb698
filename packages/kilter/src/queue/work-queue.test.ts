import { describe, expect, test } from 'vitest';
import type { Cause } from '../api/index.ts';
import { type VirtualClock, virtualRuntime } from '../internal/index.ts';
import type { WorkQueueOptions } from './options.ts';
import type { Next, Work, WorkQueue } from './work.ts';
import { workQueue } from './work-queue.ts';

const shop = { namespace: 'default', name: 'shop' };
const bar = { namespace: 'default', name: 'bar' };
const update: Cause = { source: 'primary', change: 'update', kind: 'WebApp.example.com', ref: shop };
const forget: Next = { type: 'forget' };
const retry: Next = { type: 'retry', reason: 'RECONCILE_FAILED' };

function setup(options: Partial<WorkQueueOptions> = {}): { queue: WorkQueue; clock: VirtualClock } {
  const runtime = virtualRuntime();
  return { queue: workQueue({ name: 'webapp', runtime, jitter: 0, ...options }), clock: runtime.clock };
}

/** Takes what is ready now; fails the test if nothing is. */
async function taken(queue: WorkQueue): Promise<Work> {
  if (queue.depth === 0) throw new Error('nothing is ready');
  const work = await queue.take();
  if (work === undefined) throw new Error('the queue is shut down');
  return work;
}

describe('one entry per key', () => {
  test('WQ-1: adding a queued key again keeps one entry and its position', async () => {
    const { queue } = setup();
    queue.add(shop, update);
    queue.add(bar, update);
    queue.add(shop, update);
    expect(queue.depth).toBe(2);
    expect((await taken(queue)).key).toBe('default/shop');
    expect((await taken(queue)).key).toBe('default/bar');
    expect(queue.depth).toBe(0);
  });

  test('WQ-2: a running key added many times does not start twice and runs once more afterwards', async () => {
    const { queue, clock } = setup();
    queue.add(shop, update);
    const first = await taken(queue);
    const started: (Work | undefined)[] = [];
    void queue.take().then((work) => started.push(work));
    for (let i = 0; i < 5; i += 1) queue.add(shop, update);
    await clock.advance(60_000);
    expect(started).toEqual([]);
    queue.done(first, forget);
    await clock.settle();
    expect(started.map((work) => work?.key)).toEqual(['default/shop']);
    queue.done(started[0] as Work, forget);
    await clock.advance(60_000);
    expect(queue.depth).toBe(0);
  });

  test('WQ-3: done removes the key and, if it is dirty, queues it behind its peers', async () => {
    const { queue } = setup();
    queue.add(shop, update);
    const first = await taken(queue);
    queue.add(shop, update);
    queue.add(bar, update);
    queue.done(first, forget);
    expect((await taken(queue)).key).toBe('default/bar');
    const again = await taken(queue);
    expect(again.key).toBe('default/shop');
    queue.done(again, forget);
    expect(queue.processing).toBe(1);
    expect(queue.depth).toBe(0);
  });

  test('a second done, or one for work never taken, is refused with a code', async () => {
    const { queue } = setup();
    queue.add(shop, update);
    const work = await taken(queue);
    queue.done(work, forget);
    expect(() => queue.done(work, forget)).toThrow(expect.objectContaining({ code: 'QUEUE_WORK_NOT_HELD' }));
    queue.add(shop, update);
    const second = await taken(queue);
    expect(() => queue.done(work, forget)).toThrow(expect.objectContaining({ code: 'QUEUE_WORK_NOT_HELD' }));
    queue.done(second, forget);
    expect(queue.processing).toBe(0);
  });

  test('keys added in one turn are merged and ordered before a waiting worker starts', async () => {
    const { queue, clock } = setup();
    const started: (Work | undefined)[] = [];
    void queue.take().then((work) => started.push(work));
    await clock.settle();
    queue.add(shop, update, { priority: -100 });
    queue.add(bar, update);
    queue.add(bar, update);
    await clock.settle();
    expect(started.map((work) => [work?.key, work?.causes[0]?.count])).toEqual([['default/bar', 2]]);
  });
});

describe('delays', () => {
  test('WQ-5: a delay of zero or less adds at once', async () => {
    const { queue } = setup();
    queue.addAfter(shop, 0, update);
    queue.addAfter(bar, -5, update);
    expect(queue.depth).toBe(2);
    queue.addAfter({ name: 'soon' }, 1, update);
    expect(queue.depth).toBe(2);
  });

  test.each([
    ['the later one first', [5000, 1000]],
    ['the earlier one first', [1000, 5000]],
  ])('WQ-5: of several delays for a key the earliest is kept, %s', async (_, delays) => {
    const { queue, clock } = setup();
    for (const ms of delays) queue.addAfter(shop, ms, update);
    await clock.advance(999);
    expect(queue.depth).toBe(0);
    await clock.advance(1);
    expect(queue.depth).toBe(1);
    queue.done(await taken(queue), forget);
    await clock.advance(60_000);
    expect(queue.depth).toBe(0);
    expect(clock.pending).toBe(0);
  });

  test.each<[string, Next]>([
    ['nothing', forget],
    ['a failure', retry],
    ['a later requeueAfter', { type: 'after', ms: 90_000, reason: 'later' }],
    ['requeue', { type: 'requeue', reason: 'again' }],
  ])('WQ-6: a pending requeueAfter survives an event and a run that ends with %s', async (_, outcome) => {
    const { queue, clock } = setup();
    queue.add(shop, update);
    queue.done(await taken(queue), { type: 'after', ms: 30_000, reason: 'poll the rollout' });
    await clock.advance(10_000);
    queue.add(shop, update);
    queue.done(await taken(queue), outcome);
    await clock.advance(19_000);
    if (queue.depth > 0) queue.done(await taken(queue), forget);
    await clock.advance(999);
    expect(queue.depth).toBe(0);
    await clock.advance(1);
    expect((await taken(queue)).causes).toMatchObject([
      { source: 'timer', change: 'timer', reason: 'poll the rollout' },
    ]);
  });

  test('PQ-7: an add makes the key ready now, and a requeueAfter returned while it is dirty is kept', async () => {
    const { queue, clock } = setup();
    queue.add(shop, update);
    const first = await taken(queue);
    queue.add(shop, update);
    queue.done(first, { type: 'after', ms: 10_000, reason: 'poll' });
    queue.done(await taken(queue), forget);
    await clock.advance(10_000);
    expect((await taken(queue)).causes[0]?.reason).toBe('poll');
  });

  test('PQ-6: with a retry and a delay pending the smaller one decides when the key runs', async () => {
    const { queue, clock } = setup({ backoff: { base: 1000 } });
    queue.add(shop, update);
    queue.done(await taken(queue), retry);
    queue.addAfter(shop, 300, update);
    await clock.advance(299);
    expect(queue.depth).toBe(0);
    await clock.advance(1);
    expect(queue.depth).toBe(1);
  });

  test('a retry that waits for the verdict of a run holds up no other key', async () => {
    const { queue, clock } = setup({ backoff: { base: 1000 } });
    queue.addAfter(bar, 2000, update);
    queue.add(shop, update);
    queue.done(await taken(queue), retry);
    queue.add(shop, update);
    await taken(queue);
    await clock.advance(2000);
    expect((await taken(queue)).key).toBe('default/bar');
  });

  test('a delay beyond 2^31 ms is not early', async () => {
    const { queue, clock } = setup();
    const days = 30 * 86_400_000;
    queue.addAfter(shop, days, update);
    await clock.advance(days - 1);
    expect(queue.depth).toBe(0);
    await clock.advance(1);
    expect(queue.depth).toBe(1);
  });

  test('WQ-10: after a blocked loop due keys are ready on the first turn, before any timer fires', async () => {
    const runtime = virtualRuntime();
    let blocked = 0;
    const clock = { ...runtime.clock, monotonic: () => runtime.clock.monotonic() + blocked };
    const queue = workQueue({ name: 'webapp', runtime: { ...runtime, clock } });
    queue.addAfter(shop, 1000, update);
    blocked = 5000;
    expect((await queue.take())?.key).toBe('default/shop');
  });

  test('times that do not add up exactly in floating point still fire', async () => {
    const { queue, clock } = setup({ backoff: { base: 0.1, factor: 3 }, jitter: 0.3 });
    await clock.advance(0.7);
    for (let i = 0; i < 50; i += 1) {
      queue.add({ name: `key-${i}` }, update);
      queue.done(await taken(queue), retry);
      await clock.advance(0.13);
    }
    await clock.advance(10);
    expect(queue.depth).toBe(50);
  });
});

describe('rate limits', () => {
  test('RL-1: the n-th consecutive failure waits 5 ms doubled n-1 times, at most 1000 s, for any n', async () => {
    const { queue, clock } = setup();
    queue.add(shop, update);
    for (let n = 1; n <= 60; n += 1) {
      const work = await taken(queue);
      expect(work.failures).toBe(n - 1);
      queue.done(work, retry);
      const delay = Math.min(5 * 2 ** (n - 1), 1_000_000);
      await clock.advance(delay - 1);
      expect(queue.depth).toBe(0);
      await clock.advance(1);
      expect(queue.depth).toBe(1);
    }
  });

  test('RL-2: jitter shortens a delay by up to 10 % and keys failing together retry apart', async () => {
    const { queue, clock } = setup({ jitter: 0.1, backoff: { base: 10_000 } });
    const keys = Array.from({ length: 50 }, (_, i) => ({ name: `key-${i}` }));
    for (const ref of keys) queue.add(ref, update);
    for (let i = 0; i < keys.length; i += 1) queue.done(await taken(queue), retry);
    await clock.advance(9000);
    expect(queue.depth).toBe(0);
    const depths = new Set<number>();
    for (let i = 0; i < 100; i += 1) {
      await clock.advance(10);
      depths.add(queue.depth);
    }
    expect(queue.depth).toBe(50);
    expect(depths.size).toBeGreaterThan(20);
  });

  test('RL-3, PQ-8: an event that arrives during a failing run makes the key ready at once, past the backoff', async () => {
    const { queue, clock } = setup({ backoff: { base: 60_000 } });
    queue.add(shop, update);
    const work = await taken(queue);
    queue.add(shop, update);
    queue.done(work, retry);
    expect((await taken(queue)).causes).toMatchObject([{ source: 'primary', count: 1 }]);
    expect(clock.monotonic()).toBe(0);
  });

  test('RL-4: the failures of one key delay no other', async () => {
    const { queue, clock } = setup();
    queue.add(shop, update);
    for (let n = 0; n < 12; n += 1) {
      queue.done(await taken(queue), retry);
      await clock.advance(1_000_000);
    }
    queue.done(await taken(queue), retry);
    queue.add(bar, update);
    queue.done(await taken(queue), retry);
    await clock.advance(5);
    expect((await taken(queue)).key).toBe('default/bar');
  });

  test('RL-5: success clears the counter, so the next failure waits d(1) again', async () => {
    const { queue, clock } = setup({ backoff: { base: 1000 } });
    queue.add(shop, update);
    queue.done(await taken(queue), retry);
    await clock.advance(1000);
    queue.done(await taken(queue), forget);
    queue.add(shop, update);
    const work = await taken(queue);
    expect(work.failures).toBe(0);
    queue.done(work, retry);
    await clock.advance(1000);
    expect(queue.depth).toBe(1);
  });

  test('RL-6: runs that events start while a retry is pending do not move it, however often they fail', async () => {
    const { queue, clock } = setup({ backoff: { base: 10_000 } });
    queue.add(shop, update);
    queue.done(await taken(queue), retry);
    for (let i = 0; i < 9; i += 1) {
      await clock.advance(1000);
      queue.add(shop, update);
      const work = await taken(queue);
      expect(work.failures).toBe(1);
      queue.done(work, retry);
    }
    expect(queue.depth).toBe(0);
    await clock.advance(1000);
    const work = await taken(queue);
    expect(work).toMatchObject({ failures: 1, causes: [{ source: 'retry' }] });
    queue.done(work, retry);
    await clock.advance(19_999);
    expect(queue.depth).toBe(0);
    await clock.advance(1);
    expect(queue.depth).toBe(1);
  });

  test('RL-5, RL-6: requeue under a storm of events waits as long as without it', async () => {
    const { queue, clock } = setup();
    queue.add(shop, update);
    const starts: number[] = [];
    for (let i = 0; i < 2000; i += 1) {
      const work = await taken(queue);
      if (work.causes.some(({ change }) => change === 'retry')) starts.push(clock.monotonic());
      queue.done(work, { type: 'requeue', reason: 'not yet' });
      queue.add(shop, update);
      await clock.advance(1);
    }
    expect(starts.slice(0, 9)).toEqual([1, 6, 16, 36, 76, 156, 316, 636, 1276]);
  });

  test('RL-6: a retry that falls due during a run is left for its verdict, though a timer falls due beside it', async () => {
    const { queue, clock } = setup();
    queue.add(shop, update);
    queue.done(await taken(queue), retry);
    queue.addAfter(shop, 7, { source: 'timer', change: 'timer', reason: 'poll' });
    queue.add(shop, update);
    const work = await taken(queue);
    await clock.advance(10);
    expect(queue.depth).toBe(1);
    queue.done(work, retry);
    const next = await taken(queue);
    expect(next.causes.map(({ change }) => change).toSorted()).toEqual(['retry', 'timer']);
    expect(next.failures).toBe(1);
  });

  test('RL-6: a retry that falls due during a run is given up if that run succeeds', async () => {
    const { queue, clock } = setup({ backoff: { base: 1000 } });
    queue.add(shop, update);
    queue.done(await taken(queue), retry);
    queue.add(shop, update);
    const work = await taken(queue);
    await clock.advance(5000);
    queue.done(work, forget);
    await clock.advance(60_000);
    expect(queue.depth).toBe(0);
    expect(clock.pending).toBe(0);
  });

  test('the first requeue in a row runs at once, the next after d(1)', async () => {
    const { queue, clock } = setup({ backoff: { base: 1000 } });
    queue.add(shop, update);
    queue.done(await taken(queue), { type: 'requeue', reason: 'more to do' });
    queue.done(await taken(queue), { type: 'requeue', reason: 'more to do' });
    expect(queue.depth).toBe(0);
    await clock.advance(1000);
    expect((await taken(queue)).failures).toBe(2);
  });
});

describe('causes', () => {
  test("CS-1: a change of the key's own object may come without its name, and has it all the same; others stay as they came", async () => {
    const { queue, clock } = setup();
    await clock.advance(250);
    queue.add('default/shop', { source: 'primary', change: 'add', kind: 'WebApp.example.com' });
    const at = clock.now();
    const work = await taken(queue);
    expect(work.ref).toEqual(shop);
    expect(work.causes).toEqual([
      { source: 'primary', change: 'add', kind: 'WebApp.example.com', ref: shop, count: 1, firstAt: at, lastAt: at },
    ]);
    queue.done(work, forget);
    queue.add(shop, { source: 'external', change: 'external' });
    expect((await taken(queue)).causes[0]).not.toHaveProperty('ref');
  });

  test('CS-1: an entry carries source, change, reference, version, count, first and last time', async () => {
    const { queue, clock } = setup();
    const at = clock.now();
    queue.add(shop, { ...update, resourceVersion: '7' });
    await clock.advance(250);
    queue.add(shop, { ...update, resourceVersion: '9' });
    queue.add(shop, { source: 'owned', change: 'delete', kind: 'Deployment.apps', ref: bar });
    const { causes, moreCauses } = await taken(queue);
    expect(causes).toEqual([
      { ...update, resourceVersion: '9', count: 2, firstAt: at, lastAt: at + 250 },
      {
        source: 'owned',
        change: 'delete',
        kind: 'Deployment.apps',
        ref: bar,
        count: 1,
        firstAt: at + 250,
        lastAt: at + 250,
      },
    ]);
    expect(moreCauses).toBe(0);
  });

  test('CS-2: up to 16 distinct causes are kept, further ones are counted', async () => {
    const { queue } = setup();
    for (let i = 0; i < 20; i += 1) queue.add(shop, { ...update, ref: { name: `child-${i}` } });
    queue.add(shop, { ...update, ref: { name: 'child-3' } });
    const { causes, moreCauses } = await taken(queue);
    expect(causes.map((cause) => cause.ref?.name)).toEqual(Array.from({ length: 16 }, (_, i) => `child-${i}`));
    expect(causes[3]?.count).toBe(2);
    expect(moreCauses).toBe(4);
  });

  test('CS-3: a run takes the causes of its entry; those that arrive during the run belong to the next one', async () => {
    const { queue } = setup();
    queue.add(shop, update);
    const first = await taken(queue);
    queue.add(shop, { source: 'external', change: 'external', reason: 'webhook' });
    expect(first.causes.map((cause) => cause.source)).toEqual(['primary']);
    for (let i = 0; i < 17; i += 1) queue.add(shop, { ...update, ref: { name: `child-${i}` } });
    queue.done(first, forget);
    const second = await taken(queue);
    expect([second.causes[0]?.source, second.moreCauses]).toEqual(['external', 2]);
    queue.add(shop, update);
    queue.done(second, forget);
    expect((await taken(queue)).moreCauses).toBe(0);
  });
});

describe('the end', () => {
  test('WQ-7: after shutdown adds are refused, waiting takers return, nothing more is handed out', async () => {
    const { queue, clock } = setup();
    const waiting = [queue.take(), queue.take()];
    queue.shutdown();
    expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
    expect(queue.add(shop, update)).toBe(false);
    expect(queue.addAfter(shop, 5, update)).toBe(false);
    expect(await queue.take()).toBeUndefined();
    expect(clock.pending).toBe(0);
  });

  test('WQ-7: queued and delayed keys are not handed out, keys in progress can be awaited', async () => {
    const { queue, clock } = setup();
    queue.add(shop, update);
    const work = await taken(queue);
    queue.add(bar, update);
    queue.addAfter({ name: 'later' }, 1000, update);
    queue.add(shop, update);
    queue.shutdown();
    let drained = false;
    const end = queue.drained().then(() => (drained = true));
    await clock.advance(60_000);
    expect(await queue.take()).toBeUndefined();
    expect(drained).toBe(false);
    queue.done(work, retry);
    await end;
    expect([queue.depth, queue.processing, clock.pending]).toEqual([0, 0, 0]);
  });

  test('PQ-10: a shutdown in the turn in which a key is handed over loses neither the taker nor the key', async () => {
    const { queue } = setup();
    const taker = queue.take();
    queue.add(shop, update);
    queue.shutdown();
    expect(await taker).toBeUndefined();
    await queue.drained();
    expect(queue.processing).toBe(0);
  });

  test('PQ-15: an add tells whether it was accepted', () => {
    const { queue } = setup();
    expect([queue.add(shop, update), queue.addAfter(shop, 9, update)]).toEqual([true, true]);
    queue.shutdown();
    expect([queue.add(shop, update), queue.addAfter(shop, 9, update)]).toEqual([false, false]);
  });

  test('WQ-9: success forgets the failures of a key and keeps its timer; an object that is gone leaves nothing', async () => {
    const { queue, clock } = setup();
    queue.addAfter(shop, 10_000, update);
    queue.add(shop, update);
    queue.done(await taken(queue), retry);
    await clock.advance(5);
    queue.done(await taken(queue), forget);
    await clock.advance(10_000);
    const work = await taken(queue);
    expect(work.failures).toBe(0);
    queue.addAfter(shop, 10_000, update);
    queue.done(work, { type: 'drop' });
    await clock.advance(60_000);
    expect([queue.depth, clock.pending]).toEqual([0, 0]);
  });

  test('WQ-9: an object that is gone and came back during the run is not forgotten', async () => {
    const { queue } = setup();
    queue.add(shop, update);
    const work = await taken(queue);
    queue.add(shop, update);
    queue.done(work, { type: 'drop' });
    expect((await taken(queue)).key).toBe('default/shop');
  });
});
