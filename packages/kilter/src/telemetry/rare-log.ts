import type { Clock } from '../internal/index.ts';

const every = 60_000;

/** Lets a message through at most once a minute per reason (of which there are few), with how many were left out. */
export function rareLog(
  clock: Pick<Clock, 'monotonic'>,
): (reason: string, write: (suppressed: number) => void) => void {
  /** By reason: when it was last written, and how often it came since. */
  const last = new Map<string, { readonly at: number; suppressed: number }>();
  return (reason, write) => {
    const now = clock.monotonic();
    const before = last.get(reason);
    if (before !== undefined && now - before.at < every) {
      before.suppressed += 1;
      return;
    }
    last.set(reason, { at: now, suppressed: 0 });
    write(before?.suppressed ?? 0);
  };
}
