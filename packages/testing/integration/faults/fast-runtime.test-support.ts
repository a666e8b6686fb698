// Real sockets need real time, and defaults are long: a clock on which a second of the operator takes some milliseconds.
import { type Clock, type Runtime, systemRuntime } from 'kilter/runtime';

type Timer = ReturnType<Clock['timer']>;

export interface FastRuntime extends Runtime {
  /** So much time is gone at once: every timer comes nearer by it. For minutes in which nothing happens but that they pass. */
  skip(ms: number): void;
}

/** Time that passes `speed` times as fast as that of the machine. */
export function fastRuntime(speed = 20): FastRuntime {
  const { clock } = systemRuntime;
  const start = clock.now();
  let skipped = 0;
  /** Those that have neither fired nor been cancelled; each starts again with what is left of it. */
  const pending = new Set<() => void>();
  const monotonic = (): number => clock.monotonic() * speed + skipped;
  const timer = (ms: number, callback: () => void): Timer => {
    const due = monotonic() + ms;
    let real: Timer | undefined;
    const rearm = (): void => {
      real?.cancel();
      real = clock.timer(Math.max(0, due - monotonic()) / speed, () => {
        pending.delete(rearm);
        callback();
      });
    };
    pending.add(rearm);
    rearm();
    return {
      cancel: () => {
        pending.delete(rearm);
        real?.cancel();
      },
    };
  };
  const sleep: Clock['sleep'] = (ms, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const stop = (): void => {
        waiting.cancel();
        reject(signal?.reason as Error);
      };
      const waiting = timer(ms, () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      });
      signal?.addEventListener('abort', stop, { once: true });
    });
  const now = (): number => start + (clock.now() - start) * speed + skipped;
  const fast: Clock = { now, monotonic, recent: monotonic, timer, sleep, pause: () => clock.pause() };
  return {
    clock: fast,
    random: () => systemRuntime.random(),
    uuid: () => systemRuntime.uuid(),
    skip: (ms) => {
      skipped += ms;
      for (const rearm of [...pending]) rearm();
    },
  };
}
