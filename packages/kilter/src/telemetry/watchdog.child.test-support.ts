// Run as its own program: a loop that never waits, or waits in time, under a watchdog.
import { existsSync } from 'node:fs';
import { close, open } from 'node:inspector';
import { systemClock } from '../internal/index.ts';
import { silentLogger } from './logger.ts';
import { watchLoop } from './watchdog.ts';

// A stall that is to end looks for a file: nothing else reaches a loop that never waits.
const [what = 'loop', limit = '1500', sign = ''] = process.argv.slice(2);
const watchdog = watchLoop({ limit: Number(limit), running: () => ['thing/default/a'], logger: silentLogger });
const busy = (ms: number): void => {
  const end = systemClock.monotonic() + ms;
  while (systemClock.monotonic() < end);
};
function untilSign(): void {
  while (!existsSync(sign));
}
const ways: Record<string, () => void> = {
  loop: function neverWaits() {
    for (;;);
  },
  unread: () => {
    for (;;);
  },
  // J-06: an expression that takes exponential time.
  expression: function matches() {
    /^(a+)+$/.test(`${'a'.repeat(60)}!`);
  },
  long: untilSign,
  // Busy while it is stopped: a heart that has just beaten would hide how the time is counted.
  // And a little after it: the watchdog must have looked.
  stopped: () => {
    untilSign();
    busy(Number(limit) * 0.1);
  },
  debugged: () => {
    open(0, '127.0.0.1');
    // Once the watchdog has been told of it.
    systemClock.timer(Number(limit) * 0.2, () => {
      busy(Number(limit) * 1.5);
      close();
    });
  },
};
// A moment later: the thread has to be there first.
systemClock.timer(1000, () => {
  process.stdout.write('begins\n');
  ways[what]?.();
  systemClock.timer(3000, () => void watchdog.stop().then(() => process.stdout.write('ended\n')));
});
