import type { Clock } from '../internal/index.ts';

// Adding a key takes about a microsecond; asking for the time each time would double that.
const between = 64;

/**
 * Does something for each: at once as far as this turn of the event loop goes, then in slices. One change, or one timer, may
 * concern a hundred thousand keys, and timers and sockets are not to wait for the last of them.
 */
export function inSlices<T>(clock: Pick<Clock, 'pause'>, items: Iterable<T>, each: (item: T) => void): void {
  const rest = items[Symbol.iterator]();
  let done = 0;
  const go = (): void => {
    for (let next = rest.next(); next.done !== true; next = rest.next()) {
      each(next.value);
      done += 1;
      const pause = done % between === 0 ? clock.pause() : undefined;
      if (pause === undefined) continue;
      void pause.then(go);
      return;
    }
  };
  go();
}
