import { systemRuntime, virtualClock } from 'kilter/runtime';
import { expect, test } from 'vitest';
import { type Look, Waiting } from './waiting.ts';

const never = { problem: 'not yet' };

test('it looks again and again until a look finds nothing wrong', async () => {
  const clock = virtualClock();
  let looks = 0;
  const look = (): Promise<Look> => Promise.resolve({ problem: (looks += 1) < 4 ? 'not yet' : undefined });
  expect(await new Waiting({ clock, interval: 10 }).until(look, 1000)).toBeUndefined();
  expect([looks, clock.monotonic()]).toEqual([4, 30]);
});

test('in vain it says what was wrong, how often it looked, and which look was the last to see anything', async () => {
  const clock = virtualClock();
  let looks = 0;
  const look = (): Promise<Look> =>
    Promise.resolve((looks += 1) <= 3 ? { problem: 'small', seen: { size: looks } } : { problem: 'gone' });
  const late = await new Waiting({ clock, interval: 10 }).until(look, 100);
  expect(late).toEqual({ problem: 'gone', looks: 11, seen: { look: 3, object: { size: 3 } } });
});

test('a wait that takes long says once how it is, on a clock that somebody waits for', async () => {
  const told: unknown[] = [];
  const slow = { after: 20, tell: (soFar: unknown) => told.push(soFar) };
  const look = (): Promise<Look> => Promise.resolve({ problem: 'small', seen: 1 });
  await new Waiting({ clock: systemRuntime.clock, interval: 1 }).until(look, 60, slow);
  expect(told).toEqual([{ problem: 'small', looks: expect.any(Number) as number, seen: expect.anything() as unknown }]);
  await new Waiting({ clock: systemRuntime.clock, interval: 1 }).until(look, 10, slow);
  await new Waiting({ clock: virtualClock(), interval: 1 }).until(look, 60, slow);
  expect(told).toHaveLength(1);
});

test('virtual time passes while an answer needs it, and stands still while it does not', async () => {
  const clock = virtualClock();
  const waiting = new Waiting({ clock, interval: 10 });
  expect(await waiting.answered(Promise.resolve('at once'))).toBe('at once');
  await expect(waiting.answered(Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  expect(clock.monotonic()).toBe(0);
  expect(await waiting.answered(clock.sleep(500).then(() => 'late'))).toBe('late');
  expect(clock.monotonic()).toBe(500);
  expect(await new Waiting({ clock: systemRuntime.clock, interval: 10 }).answered(Promise.resolve(1))).toBe(1);
});

test('a look that fails ends the wait', async () => {
  const waiting = new Waiting({ clock: virtualClock(), interval: 10 });
  await expect(waiting.until(() => Promise.reject(new Error('refused')), 1000)).rejects.toThrow('refused');
});

// In system time, as nobody moves it: each of these would wait for an hour.
test.each([
  ['between two looks', () => Promise.resolve(never)],
  ['in the middle of a look', () => new Promise<Look>(() => undefined)],
])('a failure of the server ends the wait at once: %s', async (_, look) => {
  const failure = new AbortController();
  const waiting = new Waiting({ clock: systemRuntime.clock, interval: 3_600_000, failure: failure.signal });
  const wait = waiting.until(look, 3_600_000);
  setImmediate(() => failure.abort(new Error('it died')));
  await expect(wait).rejects.toThrow('it died');
  await expect(waiting.until(look, 3_600_000)).rejects.toThrow('it died');
});

test('a look without an answer does not outlast the wait by much; what was known before is reported', async () => {
  const { clock } = systemRuntime;
  // A minute in some milliseconds.
  const hurried = { ...clock, timer: (ms: number, callback: () => void) => clock.timer(ms / 500, callback) };
  let looks = 0;
  const look = (): Promise<Look> =>
    (looks += 1) === 1 ? Promise.resolve({ problem: 'small', seen: { size: 1 } }) : new Promise(() => undefined);
  const late = await new Waiting({ clock: hurried, interval: 1 }).until(look, 5000);
  expect(late).toEqual({
    problem: 'this attempt got no answer; the attempt before it: small',
    looks: 2,
    seen: { look: 1, object: { size: 1 } },
  });
});

test('work that is waited for ends with the failure, too', async () => {
  const failure = new AbortController();
  const waiting = new Waiting({ clock: systemRuntime.clock, interval: 10, failure: failure.signal });
  const wait = waiting.settled(new Promise(() => undefined));
  failure.abort(new Error('it died'));
  await expect(wait).rejects.toThrow('it died');
  expect(await new Waiting({ clock: systemRuntime.clock, interval: 10 }).settled(Promise.resolve(7))).toBe(7);
});

test('on a virtual clock, waiting for work moves time', async () => {
  const clock = virtualClock();
  await new Waiting({ clock, interval: 10 }).settled(clock.sleep(1000));
  expect(clock.monotonic()).toBe(1000);
});
