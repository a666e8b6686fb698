import { describe, expect, test } from 'vitest';
import type { Cause } from '../api/index.ts';
import { type VirtualClock, virtualRuntime } from '../internal/index.ts';
import type { Next, Work, WorkQueue } from './work.ts';
import { workQueue } from './work-queue.ts';

const shop = { namespace: 'default', name: 'shop' };
const bar = { namespace: 'default', name: 'bar' };
const update: Cause = { source: 'primary', change: 'update', kind: 'WebApp.example.com', ref: shop };
const forget: Next = { type: 'forget' };

function setup(): { queue: WorkQueue; clock: VirtualClock } {
  const runtime = virtualRuntime();
  return { queue: workQueue({ name: 'webapp', runtime, jitter: 0 }), clock: runtime.clock };
}

/** Takes what is ready now; fails the test if nothing is. */
async function taken(queue: WorkQueue): Promise<Work> {
  if (queue.depth === 0) throw new Error('nothing is ready');
  const work = await queue.take();
  if (work === undefined) throw new Error('the queue is shut down');
  return work;
}

describe('a key that is held', () => {
  test('RC-18: is not handed out before its time, whatever happens to it, and then with all its causes', async () => {
    const { queue, clock } = setup();
    queue.add(shop, update, { priority: -100 });
    queue.done(await taken(queue), forget, { hold: 1000 });
    const works: (Work | undefined)[] = [];
    void queue.take().then((work) => works.push(work));
    queue.add(shop, update, { priority: -100 });
    queue.add(shop, { ...update, change: 'delete' }, { priority: 5 });
    queue.addAfter(shop, 10, { source: 'timer', change: 'timer', reason: 'poll' });
    await clock.advance(999);
    expect(works).toEqual([]);
    await clock.advance(1);
    expect(works).toMatchObject([{ key: 'default/shop', priority: 5 }]);
    expect(works[0]?.causes).toHaveLength(3);
  });

  test('RC-18: is held for a millisecond, too', async () => {
    const { queue, clock } = setup();
    queue.add(shop, update);
    queue.done(await taken(queue), forget, { hold: 1 });
    queue.add(shop, update);
    const works: (Work | undefined)[] = [];
    void queue.take().then((work) => works.push(work));
    await clock.settle();
    expect(works).toEqual([]);
    await clock.advance(1);
    expect(works).toHaveLength(1);
  });

  test('RC-18: holds up no other key, and is forgotten where nothing happened to it', async () => {
    const { queue, clock } = setup();
    queue.add(shop, update);
    queue.done(await taken(queue), forget, { hold: 1000 });
    queue.add(bar, update);
    expect((await taken(queue)).key).toBe('default/bar');
    await clock.advance(1000);
    expect([queue.depth, clock.pending]).toEqual([0, 0]);
    queue.add(shop, update);
    expect((await taken(queue)).key).toBe('default/shop');
  });
});
