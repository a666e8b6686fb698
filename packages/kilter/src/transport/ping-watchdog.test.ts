import { describe, expect, test } from 'vitest';
import { virtualClock, type VirtualClock } from '../internal/index.ts';
import { defaultPingTimes, type Look, step, type Watchdog } from './ping-watchdog.ts';
import { SessionWatchdog } from './session-watchdog.ts';

const times = { idle: 30_000, answer: 15_000 };
const trusting: Watchdog = { type: 'trusting', readAt: 0, bytes: 100, wake: 30_000 };
const asking: Watchdog = { type: 'asking', readAt: 0, bytes: 100, wake: 45_000 };

describe('one attempt', () => {
  test.each<[string, Watchdog, Look, 'none' | 'ping' | 'lost', Partial<Watchdog>]>([
    ['is too early', trusting, { now: 29_999, bytes: 100, readAt: 0 }, 'none', { type: 'trusting', wake: 30_000 }],
    ['finds silence', trusting, { now: 30_000, bytes: 100, readAt: 0 }, 'ping', { type: 'asking', wake: 45_000 }],
    [
      'finds bytes seen at 20 s',
      trusting,
      { now: 30_000, bytes: 101, readAt: 20_000 },
      'none',
      { type: 'trusting', wake: 50_000 },
    ],
    [
      'finds bytes nobody saw',
      trusting,
      { now: 30_000, bytes: 101, readAt: 0 },
      'none',
      { type: 'trusting', wake: 60_000 },
    ],
    [
      'finds bytes too old',
      trusting,
      { now: 70_000, bytes: 101, readAt: 20_000 },
      'ping',
      { type: 'asking', wake: 85_000 },
    ],
    [
      'is asked for by one who waited in vain',
      trusting,
      { now: 6000, bytes: 100, readAt: 0, suspect: true },
      'ping',
      { type: 'asking', wake: 21_000 },
    ],
    [
      'does not ask twice',
      asking,
      { now: 31_000, bytes: 100, readAt: 0, suspect: true },
      'none',
      { type: 'asking', wake: 45_000 },
    ],
    ['finds no answer', asking, { now: 45_000, bytes: 100, readAt: 0 }, 'lost', { type: 'asking' }],
    [
      'finds an answer',
      asking,
      { now: 45_000, bytes: 117, readAt: 30_010 },
      'none',
      { type: 'trusting', wake: 60_010 },
    ],
    [
      'comes after this program stood still',
      asking,
      { now: 46_001, bytes: 100, readAt: 0 },
      'ping',
      { type: 'asking', wake: 61_001 },
    ],
  ])('%s', (_, before, look, act, after) => {
    const verdict = step(before, look, times);
    expect(verdict.act).toBe(act);
    expect(verdict.state).toMatchObject(after);
  });
});

describe('a session', () => {
  interface Watched {
    readonly clock: VirtualClock;
    readonly watchdog: SessionWatchdog;
    readonly events: string[];
    bytes: number;
    needed: boolean;
  }
  function watched(answers: boolean): Watched {
    const clock = virtualClock();
    const events: string[] = [];
    const world: { bytes: number; needed: boolean } = { bytes: 0, needed: true };
    const watchdog = new SessionWatchdog({
      clock,
      times: defaultPingTimes,
      bytes: () => world.bytes,
      needed: () => world.needed,
      ping: () => {
        events.push(`ping ${clock.monotonic()}`);
        if (answers) world.bytes += 17;
        if (answers) watchdog.heard();
      },
      lost: () => events.push(`lost ${clock.monotonic()}`),
    });
    return Object.assign(world, { clock, watchdog, events });
  }

  test('TR-2: gets a PING after 30 s of silence and is given up 15 s later', async () => {
    const { clock, watchdog, events } = watched(false);
    watchdog.start();
    await clock.advance(29_999);
    expect(events).toEqual([]);
    await clock.advance(1);
    expect(events).toEqual(['ping 30000']);
    await clock.advance(14_999);
    expect(events).toHaveLength(1);
    await clock.advance(1);
    expect(events).toEqual(['ping 30000', 'lost 45000']);
    expect(clock.pending).toBe(0);
  });

  test('TR-2: is asked again and again as long as it answers', async () => {
    const { clock, watchdog, events } = watched(true);
    watchdog.start();
    await clock.advance(100_000);
    expect(events).toEqual(['ping 30000', 'ping 60000', 'ping 90000']);
  });

  test('TR-2: is not asked while bytes come, whatever they are', async () => {
    const world = watched(false);
    world.watchdog.start();
    for (let n = 0; n < 10; n += 1) {
      await world.clock.advance(20_000);
      world.bytes += 1;
      world.watchdog.heard();
    }
    expect(world.events).toEqual([]);
  });

  test('holds no timer while nobody waits for it, and is asked at once when somebody does after long silence', async () => {
    const { clock, watchdog, events } = watched(false);
    watchdog.start();
    watchdog.stop();
    expect(clock.pending).toBe(0);
    await clock.advance(40_000);
    watchdog.start();
    await clock.advance(0);
    expect(events).toEqual(['ping 40000']);
    await clock.advance(15_000);
    expect(events).toEqual(['ping 40000', 'lost 55000']);
  });
});
