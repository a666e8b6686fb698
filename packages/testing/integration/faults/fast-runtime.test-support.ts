// Real sockets need real time, and defaults are long: a clock on which a second of the operator takes some milliseconds.
import { type Clock, type Runtime, systemRuntime } from 'kilter/runtime';

/** Time that passes `speed` times as fast as that of the machine. */
export function fastRuntime(speed = 20): Runtime {
  const { clock } = systemRuntime;
  const start = clock.now();
  const fast: Clock = {
    now: () => start + (clock.now() - start) * speed,
    monotonic: () => clock.monotonic() * speed,
    timer: (ms, callback) => clock.timer(ms / speed, callback),
    sleep: (ms, signal) => clock.sleep(ms / speed, signal),
    pause: () => clock.pause(),
  };
  return { clock: fast, random: () => systemRuntime.random(), uuid: () => systemRuntime.uuid() };
}
