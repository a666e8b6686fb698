import type { Clock } from '../internal/index.ts';

export interface SlicesOptions {
  readonly clock: Pick<Clock, 'pause'>;
  /** Asked after each pause: what is left is not worth doing any more. */
  over(): boolean;
}

/**
 * Does work piece by piece, as `yield` cuts it, and gives the event loop its turn in between. What fits into this turn is
 * done when it returns, with undefined; else with what resolves when all is done.
 */
export function inSlices(work: Iterator<undefined>, options: SlicesOptions): Promise<void> | undefined {
  const pause = untilPause(work, options);
  return pause === undefined ? undefined : finish(work, pause, options);
}

async function finish(work: Iterator<undefined>, first: Promise<void>, options: SlicesOptions): Promise<void> {
  for (let pause: Promise<void> | undefined = first; pause !== undefined; pause = untilPause(work, options)) {
    await pause;
    if (options.over()) return;
  }
}

function untilPause(work: Iterator<undefined>, { clock }: SlicesOptions): Promise<void> | undefined {
  while (work.next().done !== true) {
    const pause = clock.pause();
    if (pause !== undefined) return pause;
  }
  return undefined;
}
