// Controllers and watches that come while an operator runs, over parts that only write down what is asked of them.
import { describe, expect, test } from 'vitest';
import type { Controller, ControllerRunner, WatchedSpec } from '../controller/index.ts';
import { AddedControllers } from './added-controllers.ts';
import type { RunnerGroup } from './runner-group.ts';
import { settle } from './lifecycle.test-support.ts';

const named = (name: string) => ({ name }) as Controller;
const watched = {
  kind: { names: { kind: 'Secret' } },
  map: () => undefined,
  options: {},
} as unknown as WatchedSpec;

function setUp({ review = false }: { review?: boolean } = {}) {
  const log: string[] = [];
  const ready = Promise.withResolvers<void>();
  const synced = Promise.withResolvers<void>();
  const reviewed = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const stop = new AbortController();
  const runnerOf = ({ name }: Controller) =>
    ({
      name,
      informers: [`informers of ${name}`],
      connect: () => void log.push(`connect ${name}`),
      watch: () => {
        log.push(`watch of ${name}`);
        return {
          informers: [`watched by ${name}`],
          release: () => (log.push(`release the watch of ${name}`), released.promise),
        };
      },
      release: () => (log.push(`release ${name}`), released.promise),
    }) as unknown as ControllerRunner;
  const added = new AddedControllers({
    runners: new Map([['first', runnerOf(named('first'))]]),
    runnerOf,
    check: ({ name }) => {
      if (name === 'wrong') throw new Error('not allowed');
    },
    groupOf: ({ name }) =>
      ({
        join: (runner: ControllerRunner) => void log.push(`${runner.name} joins the group of ${name}`),
      }) as RunnerGroup,
    cache: {
      synchronized: (informers: readonly unknown[]) => (log.push(`sync ${String(informers)}`), synced.promise),
    } as never,
    ready: () => ready.promise,
    stop: stop.signal,
    review: review ? ({ name }) => (log.push(`review ${name}`), reviewed.promise) : undefined,
  });
  /** What has become of it once all code has come to rest. */
  const begin = (work: Promise<void>) => {
    const state = { ended: 'waits' };
    work.then(
      () => (state.ended = 'done'),
      (error: Error & { code?: string }) => (state.ended = error.code ?? error.message),
    );
    return state;
  };
  return { added, begin, log, ready, synced, reviewed, released, stop };
}

describe('MG-6: a controller that is added', () => {
  test('is connected once the operator is ready, and joins its group once what it watches is synced', async () => {
    const { added, begin, log, ready, synced } = setUp();
    const state = begin(added.add(named('late')));
    await settle();
    expect([log, state.ended]).toEqual([[], 'waits']);
    ready.resolve();
    await settle();
    expect([log, state.ended]).toEqual([['connect late', 'sync informers of late'], 'waits']);
    synced.resolve();
    await settle();
    expect([log.at(-1), state.ended]).toEqual(['late joins the group of late', 'done']);
  });

  test('is reviewed as well, and waits for that', async () => {
    const { added, begin, log, ready, synced, reviewed } = setUp({ review: true });
    const state = begin(added.add(named('late')));
    ready.resolve();
    synced.resolve();
    await settle();
    expect([log.at(-1), state.ended]).toEqual(['review late', 'waits']);
    reviewed.resolve();
    await settle();
    expect(state.ended).toBe('done');
  });

  test('and fails is released before it is told, and its name is free again', async () => {
    const { added, begin, log, ready, reviewed, released } = setUp({ review: true });
    const state = begin(added.add(named('late')));
    ready.resolve();
    reviewed.reject(new Error('forbidden'));
    await settle();
    expect([log.at(-1), state.ended]).toEqual(['release late', 'waits']);
    released.resolve();
    await settle();
    expect(state.ended).toBe('forbidden');
    const again = begin(added.add(named('late')));
    await settle();
    expect(again.ended).toBe('forbidden');
  });

  test('is refused where its name is taken, also by one that is on its way, or where the options forbid it', async () => {
    const { added, begin, log } = setUp();
    const states = ['first', 'late', 'late', 'wrong'].map((name) => begin(added.add(named(name))));
    await settle();
    const taken = 'MANAGER_DUPLICATE_CONTROLLER';
    expect(states.map(({ ended }) => ended)).toEqual([taken, 'waits', taken, 'not allowed']);
    expect(log).toEqual([]);
  });

  test.each(['before it is ready', 'before it is synced'])('is refused as stopped by a stop %s', async (when) => {
    const { added, begin, log, ready, released, stop } = setUp();
    released.resolve();
    const state = begin(added.add(named('late')));
    if (when === 'before it is synced') ready.resolve();
    await settle();
    stop.abort(new Error('stop'));
    await settle();
    expect([log.at(-1), state.ended]).toEqual(['release late', 'MANAGER_STOPPED']);
    const later = begin(added.add(named('later')));
    await settle();
    expect([log.at(-1), later.ended]).toEqual(['release late', 'MANAGER_STOPPED']);
  });
});

describe('MG-6: a watch that is added', () => {
  test('begins once the operator is ready, and is there once it is synced', async () => {
    const { added, begin, log, ready, synced } = setUp();
    const state = begin(added.watch(named('first'), watched));
    await settle();
    expect([log, state.ended]).toEqual([[], 'waits']);
    ready.resolve();
    await settle();
    expect([log, state.ended]).toEqual([['watch of first', 'sync watched by first'], 'waits']);
    synced.resolve();
    await settle();
    expect(state.ended).toBe('done');
  });

  test('also of a controller that was added', async () => {
    const { added, begin, log, ready, synced } = setUp();
    ready.resolve();
    synced.resolve();
    await added.add(named('late'));
    const state = begin(added.watch(named('late'), watched));
    await settle();
    expect([log.at(-1), state.ended]).toEqual(['sync watched by late', 'done']);
  });

  test('is refused of a controller nobody knows, and after the stop has begun', async () => {
    const { added, begin, stop } = setUp();
    const unknown = begin(added.watch(named('other'), watched));
    const waiting = begin(added.watch(named('first'), watched));
    await settle();
    expect([unknown.ended, waiting.ended]).toEqual(['MANAGER_CONTROLLER_UNKNOWN', 'waits']);
    stop.abort(new Error('the end'));
    const late = begin(added.watch(named('first'), watched));
    await settle();
    expect([waiting.ended, late.ended]).toEqual(['MANAGER_STOPPED', 'MANAGER_STOPPED']);
  });

  test('and fails is taken back before that is told', async () => {
    const { added, begin, log, ready, synced, released } = setUp();
    const state = begin(added.watch(named('first'), watched));
    ready.resolve();
    synced.reject(new Error('not served'));
    await settle();
    expect([log.at(-1), state.ended]).toEqual(['release the watch of first', 'waits']);
    released.resolve();
    await settle();
    expect(state.ended).toBe('not served');
  });

  test('and is waited for as the stop begins is taken back', async () => {
    const { added, begin, log, ready, released, stop } = setUp();
    released.resolve();
    const state = begin(added.watch(named('first'), watched));
    ready.resolve();
    await settle();
    stop.abort(new Error('the end'));
    await settle();
    expect([log.at(-1), state.ended]).toEqual(['release the watch of first', 'MANAGER_STOPPED']);
  });

  test.each<[string, unknown, string]>([
    ['no watch', undefined, 'manager.watch takes an object of options, not undefined'],
    ['no kind', { map: watched.map }, 'watches takes a kind, not undefined'],
    ['no mapper', { kind: watched.kind }, 'watches takes a function, not undefined'],
    [
      'a misspelled option',
      { ...watched, option: {} },
      "manager.watch has no option 'option'; it has kind, map, options",
    ],
    ['a misspelled selector', { ...watched, options: { lables: {} } }, "watches(Secret) has no option 'lables'"],
    ['something that is not a selector', { ...watched, options: { labels: '=!' } }, "'=!' is not a label selector"],
  ])('RC-23: %s is refused as where the controller is declared', async (_, given, message) => {
    const { added, log } = setUp();
    await expect(added.watch(named('first'), given as WatchedSpec)).rejects.toMatchObject({
      code: 'CONTROLLER_OPTION_INVALID',
      message: expect.stringContaining(message) as string,
    });
    expect(log).toEqual([]);
  });

  test('RC-23: nothing in place of the controller is refused', async () => {
    const { added } = setUp();
    await expect(added.watch(undefined as never, watched)).rejects.toMatchObject({
      code: 'MANAGER_CONTROLLER_UNKNOWN',
    });
  });
});
