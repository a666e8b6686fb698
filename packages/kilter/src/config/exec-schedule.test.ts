import { describe, expect, test } from 'vitest';
import type { ExecCredential } from './exec-credential.ts';
import { answered, decide, failed, type Moment, type PluginState, refused, unused } from './exec-schedule.ts';

const start = 1_700_000_000_000;
const at = (ms: number, jumped = 0): Moment => ({ wall: start + ms + jumped, monotonic: ms });
const credential = (seconds: number | undefined, header = 'Bearer a'): ExecCredential => ({
  authorization: header,
  pair: undefined,
  expiresAt: seconds === undefined ? undefined : start + seconds * 1000,
});
const held = (seconds: number | undefined): PluginState => answered(unused, credential(seconds), at(0));

describe('when a plugin is run', () => {
  const hour = held(3600);
  const short = held(100);
  const dead = held(-10);
  const error = new Error('x');
  test.each<[string, PluginState, Moment, ReturnType<typeof decide>]>([
    ['never run', unused, at(0), 'run'],
    ['no end named', held(undefined), at(1e12), 'use'],
    ['long before the end', hour, at(3_539_999), 'use'],
    ['a minute before the end', hour, at(3_540_000), 'run'],
    ['a short life: a tenth before the end', short, at(89_999), 'use'],
    ['a short life, over', short, at(90_000), 'run'],
    ['the wall clock set forward', hour, at(2000, 3_600_000), 'run'],
    ['the wall clock set back keeps nothing alive', hour, at(3_540_000, -3_600_000), 'run'],
    ['ended at once, same moment: used, the server decides', dead, at(0), 'use'],
    ['ended at once, within the pause', dead, at(999), 'use'],
    ['ended at once, after the pause', dead, at(1000), 'run'],
    ['refused, long after its run', refused(hour, 'Bearer a'), at(600_000), 'run'],
    ['refused within a second of its run', refused(hour, 'Bearer a'), at(999), 'use'],
    ['another header was refused', refused(hour, 'Bearer old'), at(600_000), 'use'],
    ['some header was refused', refused(hour, undefined), at(600_000), 'run'],
    ['failed, same moment', failed(unused, error, at(0)), at(0), 'fail'],
    ['failed, a second later', failed(unused, error, at(0)), at(1000), 'run'],
    [
      'failed while about to end: kept, and tried again later',
      failed(hour, error, at(3_545_000)),
      at(3_545_999),
      'use',
    ],
    ['failed while about to end, a second later', failed(hour, error, at(3_545_000)), at(3_546_000), 'run'],
    ['failed after the end: nothing to use', failed(hour, error, at(3_600_000)), at(3_600_000), 'fail'],
    [
      'failed after a 401: the refused one is not used',
      failed(refused(hour, undefined), error, at(9000)),
      at(9000),
      'fail',
    ],
  ])('%s', (_, state, now, expected) => {
    expect(decide(state, now)).toBe(expected);
  });
});

/** The moments of the first runs of a plugin that is asked every 100 ms. */
function runs(
  step: (state: PluginState, now: Moment) => PluginState,
  ask = (state: PluginState): PluginState => state,
): number[] {
  const moments: number[] = [];
  let state = unused;
  for (let ms = 0; ms <= 130_000; ms += 100) {
    if (decide(state, at(ms)) === 'run') {
      moments.push(ms);
      state = step(state, at(ms));
    }
    state = ask(state);
  }
  return moments;
}

describe('a plugin that helps nobody is run more and more rarely, and never stops being run', () => {
  const rarely = [0, 1000, 3000, 7000, 15_000, 31_000, 61_000, 91_000, 121_000];
  test('its credentials end at once', () => {
    expect(runs((state, now) => answered(state, { ...credential(0), expiresAt: now.wall }, now))).toEqual(rarely);
  });

  test('it fails', () => {
    expect(runs((state, now) => failed(state, new Error('x'), now))).toEqual(rarely);
  });

  test('every one of its credentials is refused', () => {
    const step = (state: PluginState, now: Moment): PluginState => answered(state, credential(undefined), now);
    expect(runs(step, (state) => refused(state, 'Bearer a'))).toEqual([0, ...rarely.map((ms) => ms + 1000)]);
  });

  test('short lives are not a fault: each is renewed in its time', () => {
    const step = (state: PluginState, now: Moment): PluginState =>
      answered(state, { ...credential(0), expiresAt: now.wall + 10_000 }, now);
    expect(runs(step).slice(0, 4)).toEqual([0, 9000, 18_000, 27_000]);
  });

  test('a good answer ends it', () => {
    const bad = failed(failed(failed(unused, 1, at(0)), 1, at(0)), 1, at(0));
    expect(bad.fruitless).toBe(3);
    expect(answered(bad, credential(3600), at(0)).fruitless).toBe(0);
  });
});
