import type { KubeObject } from '../api/index.ts';
import type { Clock } from '../internal/index.ts';
import { inSlices } from './in-slices.ts';
import { backlogPriority } from './listen.ts';
import type { PrimaryStore } from './primaries.ts';
import { reportOf, type TriggerContext } from './report.ts';

export interface EveryTrigger<T extends KubeObject> extends TriggerContext {
  readonly primaries: PrimaryStore<T>;
  /** In milliseconds. */
  readonly period: number;
}

/** Wakes every object of the controller once in a period. Returns how to stop. */
export function connectEvery<T extends KubeObject>(options: EveryTrigger<T>): () => void {
  const { primaries, clock, period, queue, gate } = options;
  const report = reportOf(options, 'timer');
  const cause = { source: 'timer', change: 'timer', reason: `every ${period / 1000}s` } as const;
  const wakeAll = (): void =>
    inSlices(clock, primaries.refs(), (ref) => {
      // As a resync: nothing changed, and what did change must not stand behind all objects there are.
      if (queue.add(ref, cause, { priority: backlogPriority })) report.woke('timer');
    });
  return gate.attach(() => {
    const wait = (): ReturnType<Clock['timer']> =>
      clock.timer(period, () => {
        timer = wait();
        wakeAll();
      });
    /** The one pending timer. */
    let timer = wait();
    return () => timer.cancel();
  });
}
