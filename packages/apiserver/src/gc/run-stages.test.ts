import { virtualClock } from 'kilter/runtime';
import { expect, test } from 'vitest';
import type { Registry, StoredChange } from '../calls/index.ts';
import { runStages } from './run-stages.ts';
import type { Stage } from './stage.ts';

/** The part of a registry the driver sees: time, and that something changed. */
function registry() {
  const clock = virtualClock();
  const listeners = new Set<(change: StoredChange) => void>();
  const onChange: Registry['onChange'] = (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const change = (): void => listeners.forEach((listener) => listener({} as StoredChange));
  return { registry: { clock, onChange } as unknown as Registry, clock, change, listeners };
}

/** A stage that does what is put into its list. */
function listed(): Stage & { readonly work: (() => Promise<void>)[]; closed: boolean } {
  const work: (() => Promise<void>)[] = [];
  return {
    work,
    closed: false,
    next() {
      const [first] = work;
      return (
        first &&
        (async () => {
          work.shift();
          await first();
        })
      );
    },
    close() {
      this.closed = true;
    },
  };
}

const failOnError = {
  onError: (error: unknown) => {
    throw error;
  },
};

test('API-Q2: work that is there at the start and after a change is done at once, one action at a time', async () => {
  const { registry: served, clock, change } = registry();
  const [first, second] = [listed(), listed()];
  const done: string[] = [];
  let under = 0;
  const step = (name: string) => async (): Promise<void> => {
    under += 1;
    expect(under).toBe(1);
    await clock.settle();
    done.push(name);
    under -= 1;
  };
  first.work.push(step('a1'), step('a2'));
  second.work.push(step('b1'));
  const running = runStages(served, [first, second], failOnError);
  await running.idle();
  expect(done).toEqual(['a1', 'b1', 'a2']);
  first.work.push(step('a3'));
  change();
  await running.idle();
  expect(done).toEqual(['a1', 'b1', 'a2', 'a3']);
  running.close();
});

test('an action that fails is reported and tried again, later and later but never more than ten seconds apart', async () => {
  const { registry: served, clock } = registry();
  const times: number[] = [];
  const errors: unknown[] = [];
  const stubborn: Stage = {
    next: () => async () => {
      times.push(clock.monotonic());
      await Promise.resolve();
      throw new Error('no');
    },
    close: () => undefined,
  };
  const running = runStages(served, [stubborn], { onError: (error) => errors.push(error) });
  await running.idle();
  expect(times).toEqual([0]);
  await clock.advance(60_000);
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(gaps.slice(0, 3)).toEqual([100, 200, 400]);
  expect(Math.max(...gaps)).toBe(10_000);
  expect(errors).toHaveLength(times.length);
  running.close();
  await clock.advance(60_000);
  expect(errors).toHaveLength(times.length);
});

test('a stage that fails does not hold up the others', async () => {
  const { registry: served } = registry();
  const [failing, other] = [listed(), listed()];
  const errors: unknown[] = [];
  const done: string[] = [];
  failing.work.push(async () => Promise.reject(new Error('no')));
  other.work.push(async () => void done.push('other'));
  const running = runStages(served, [failing, other], { onError: (error) => errors.push(error) });
  await running.idle();
  expect(done).toEqual(['other']);
  expect(errors).toHaveLength(1);
  running.close();
});

test('work that waits for time is done when its time comes', async () => {
  const { registry: served, clock } = registry();
  const due = clock.now() + 200;
  const done: number[] = [];
  const later: Stage = {
    next: () => (clock.now() >= due && done.length === 0 ? async () => void done.push(clock.now()) : undefined),
    dueAt: () => (done.length === 0 ? due : undefined),
    close: () => undefined,
  };
  const running = runStages(served, [later], failOnError);
  await running.idle();
  await clock.advance(199);
  expect(done).toEqual([]);
  await clock.advance(1);
  expect(done).toEqual([due]);
  expect(clock.pending).toBe(0);
  running.close();
});

test('closing stops everything: no action, no timer, no listener is left', async () => {
  const { registry: served, clock, change, listeners } = registry();
  const stage = { ...listed(), dueAt: () => clock.now() + 1000 };
  const done: string[] = [];
  const running = runStages(served, [stage], failOnError);
  await running.idle();
  running.close();
  stage.work.push(async () => void done.push('late'));
  change();
  await clock.advance(5000);
  expect(done).toEqual([]);
  expect(stage.closed).toBe(true);
  expect(clock.pending).toBe(0);
  expect(listeners.size).toBe(0);
  await running.idle();
});
