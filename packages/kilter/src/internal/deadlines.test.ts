import { describe, expect, test } from 'vitest';
import type { Clock, Timer } from './clock.ts';
import { Deadlines, type Due } from './deadlines.ts';
import { virtualClock } from './virtual-clock.ts';

function due(clock: Pick<Clock, 'monotonic'>, ms: number, expired: number[]): Due {
  return { place: -1, due: clock.monotonic() + ms, expire: () => expired.push(clock.monotonic()) };
}

/** A clock whose timers say whether they keep the program running, and which counts them. */
function holdingClock(): { clock: ReturnType<typeof virtualClock>; timers: boolean[] } {
  const clock = virtualClock();
  const timers: boolean[] = [];
  const timer = (ms: number, callback: () => void): Timer => {
    const index = timers.push(true) - 1;
    return { ...clock.timer(ms, callback), hold: (program) => void (timers[index] = program) };
  };
  return { clock: Object.assign(Object.create(clock) as typeof clock, { timer }), timers };
}

describe('deadlines', () => {
  test('TR-5: each passes at its own time, in whatever order they were set', async () => {
    const clock = virtualClock();
    const deadlines = new Deadlines(clock);
    const expired: number[] = [];
    for (const ms of [300, 100, 200, 100]) deadlines.add(due(clock, ms, expired));
    await clock.advance(1000);
    expect(expired).toEqual([100, 100, 200, 300]);
    expect(clock.pending).toBe(0);
  });

  test('one that was lifted does not pass, and does not delay or hasten the others', async () => {
    const clock = virtualClock();
    const deadlines = new Deadlines(clock);
    const expired: number[] = [];
    const lifted = due(clock, 100, expired);
    deadlines.add(lifted);
    deadlines.add(due(clock, 250, expired));
    deadlines.delete(lifted);
    await clock.advance(1000);
    expect(expired).toEqual([250]);
  });

  test('without any of them no timer is left', () => {
    const clock = virtualClock();
    const deadlines = new Deadlines(clock);
    const one = due(clock, 100, []);
    deadlines.add(one);
    deadlines.delete(one);
    deadlines.delete(one);
    expect(clock.pending).toBe(0);
  });

  test('one after the other they share a timer, which holds the program only while one of them is pending', async () => {
    const { clock, timers } = holdingClock();
    const deadlines = new Deadlines(clock);
    const expired: number[] = [];
    for (let n = 0; n < 100; n += 1) {
      const one = due(clock, 30_000, expired);
      deadlines.add(one);
      expect(timers).toEqual([true]);
      await clock.advance(1);
      deadlines.delete(one);
      expect(timers).toEqual([false]);
    }
    deadlines.add(due(clock, 30_000, expired));
    await clock.advance(40_000);
    expect(expired).toEqual([30_100]);
  });

  test('one that is set while others pass is kept', async () => {
    const clock = virtualClock();
    const deadlines = new Deadlines(clock);
    const expired: number[] = [];
    deadlines.add({
      place: -1,
      due: 100,
      expire: () => deadlines.add(due(clock, 50, expired)),
    });
    deadlines.add(due(clock, 400, expired));
    await clock.advance(1000);
    expect(expired).toEqual([150, 400]);
  });
});
