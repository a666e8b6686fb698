import type { Clock } from '../internal/index.ts';

/** How the time of one stop is spent: everything in it fits under the one deadline. */
export interface StopTimes {
  /** Milliseconds until running work is aborted. */
  grace(): number;
  /** Milliseconds until the end. */
  left(): number;
}

/** After an abort, what still runs gets this long to notice it before it is named as stuck, in milliseconds. */
export const lastMoment = 1000;

// For what follows running work: the last moment, hooks, the release of the Lease, pending Events.
const longestRest = 5000;

/** The rest is a sixth of a short stop: its work gets most of it all the same. */
export function stopTimes(clock: Pick<Clock, 'monotonic'>, gracefulStop: number): StopTimes {
  const deadline = clock.monotonic() + gracefulStop;
  const rest = Math.min(longestRest, gracefulStop / 6);
  const until = (at: number): number => Math.max(0, at - clock.monotonic());
  return { grace: () => until(deadline - rest), left: () => until(deadline) };
}
