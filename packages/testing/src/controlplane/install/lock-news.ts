import { formatTime } from 'kilter/api';
import type { Clock } from 'kilter/runtime';
import type { InstallEvent } from './events.ts';
import type { LockEvent } from './lock.ts';

/** Says who has the lock, what they do, and how to end that. */
export function lockNews(clock: Clock, tell: (event: InstallEvent) => void): (event: LockEvent) => void {
  const started = clock.monotonic();
  return (event) => {
    if (event.type === 'taken-over') {
      const whose = event.owner === undefined ? 'an unreadable lock' : `the lock of process ${event.owner.pid}`;
      tell({ type: 'note', text: `took over ${whose}, which is gone, and continues its work` });
      return;
    }
    const { pid, host, started: since, doing } = event.owner;
    const who = `process ${pid} on ${host}, since ${formatTime(since)}`;
    const how = event.silent
      ? `it shows no sign of life: if it is not an installation, remove ${event.file}`
      : `\`kill ${pid}\` ends it`;
    const text = `waits for another installation (${who}; ${how}): it ${doing}`;
    tell({ type: 'waiting', elapsed: clock.monotonic() - started, text, owner: doing });
  };
}
