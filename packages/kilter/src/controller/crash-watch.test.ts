import { expect, test } from 'vitest';
import { virtualClock } from '../internal/index.ts';
import { silentLogger } from '../telemetry/index.ts';
import { parseRecord, youth } from './crash-record.ts';
import { CrashWatch } from './crash-watch.ts';

/** A store that outlives the processes; each reign is one of them. */
function world() {
  const clock = virtualClock();
  const stored: string[] = [];
  const store = { read: async () => stored.at(-1), write: async (text: string) => void stored.push(text) };
  const reign = async (holder: string): Promise<CrashWatch> => {
    const watch = new CrashWatch({ store, clock, logger: silentLogger, holder });
    await watch.begin();
    return watch;
  };
  return { clock, reign, last: () => parseRecord(stored.at(-1)) };
}

test('B-30: a reign that follows one that was ended young stores what runs before it begins, and that it has ended', async () => {
  const { clock, reign, last } = world();
  const first = await reign('one');
  expect(first.enter('box/n/a', 1)).toBeUndefined();
  const second = await reign('two');
  const [leaveA, leaveB] = await Promise.all([second.enter('box/n/a', 1), second.enter('box/n/b', undefined)]);
  expect(last()).toMatchObject({
    holder: 'two',
    youngEnds: 1,
    running: [
      { id: 'box/n/a', generation: 1 },
      { id: 'box/n/b', generation: undefined },
    ],
  });
  leaveA?.();
  await clock.advance(youth);
  // Whoever runs after the careful time is not announced, and what was is not said to run for ever.
  expect(second.enter('box/n/c', 1)).toBeUndefined();
  await clock.settle();
  expect(last()?.running).toEqual([{ id: 'box/n/b', generation: undefined }]);
  leaveB?.();
  await clock.settle();
  expect(last()?.running).toEqual([]);
});

test('B-30: what ran at each end gets a strike; coming to its end clears it', async () => {
  const { clock, reign, last } = world();
  await reign('one');
  for (const [strikes, holder] of ['two', 'three', 'four'].entries()) {
    const watch = await reign(holder);
    expect(watch.strikesOf('box/n/a', 1)).toBe(strikes);
    expect(watch.strikesOf('box/n/a', 2)).toBe(0);
    await watch.enter('box/n/a', 1);
  }
  const fifth = await reign('five');
  expect(fifth.strikesOf('box/n/a', 1)).toBe(3);
  const leave = await fifth.enter('box/n/a', 1);
  leave?.();
  await clock.settle();
  expect(last()).toMatchObject({ running: [], strikes: [] });
  await fifth.end(1000);
  expect(last()?.stopped).toBe(true);
});

test('B-30: a stop that cannot be recorded is told with what follows from it', async () => {
  const told: unknown[] = [];
  const logger = { ...silentLogger, warn: (...line: unknown[]) => void told.push(line[1]) };
  let away = false;
  const write = () => (away ? Promise.reject(new Error('away')) : Promise.resolve());
  const store = { read: async () => undefined, write };
  const watch = new CrashWatch({ store, clock: virtualClock(), logger, holder: 'one' });
  await watch.begin();
  away = true;
  await watch.end(1000);
  expect(told).toEqual([
    'the stop could not be recorded: the next leader may take it for a crash, and records its runs before they begin',
  ]);
});

test('the store is waited for, for 5 s; a stop gives it up sooner, and leaves no timer behind', async () => {
  const clock = virtualClock();
  let answer: (() => void) | undefined;
  const slow = { read: async () => undefined, write: () => new Promise<void>((resolve) => (answer = resolve)) };
  const told: unknown[] = [];
  const logger = { ...silentLogger, warn: (...line: unknown[]) => void told.push(line[1]) };
  const watch = new CrashWatch({ store: slow, clock, logger, holder: 'one' });
  const begun = watch.begin();
  await clock.settle();
  answer?.();
  await begun;
  expect([told, clock.pending]).toEqual([[], 0]);
  let ended = false;
  const end = watch.end(1000).then(() => (ended = true));
  await clock.advance(999);
  expect(ended).toBe(false);
  await clock.advance(1);
  await end;
  expect([told, clock.pending]).toEqual([[], 0]);
  const late = new CrashWatch({ store: slow, clock, logger, holder: 'two' });
  const given = late.begin();
  await clock.advance(5000);
  await given;
  expect(told).toEqual([expect.stringContaining('the crash record cannot be used')]);
  expect(clock.pending).toBe(0);
});
