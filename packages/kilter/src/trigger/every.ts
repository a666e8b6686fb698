import type { KubeObject } from '../api/index.ts';
import type { Clock } from '../internal/index.ts';
import type { PrimaryStore } from './primaries.ts';
import { reportOf, type TriggerContext } from './report.ts';

export interface EveryTrigger<T extends KubeObject> extends TriggerContext {
  readonly primaries: PrimaryStore<T>;
  readonly clock: Clock;
  /** In milliseconds. */
  readonly period: number;
}

/** Wakes every object of the controller once in a period. Returns how to stop. */
export function connectEvery<T extends KubeObject>(options: EveryTrigger<T>): () => void {
  const { primaries, clock, period, queue } = options;
  const report = reportOf(options, 'timer');
  const cause = { source: 'timer', change: 'timer', reason: `every ${period / 1000}s` } as const;
  const wait = (): ReturnType<Clock['timer']> =>
    clock.timer(period, () => {
      timer = wait();
      for (const ref of primaries.refs()) {
        queue.add(ref, cause);
        report.woke('timer');
      }
    });
  /** The one pending timer. */
  let timer = wait();
  return () => timer.cancel();
}
