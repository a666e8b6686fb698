import { existsSync, readFileSync } from 'node:fs';
import { systemRuntime } from 'kilter/runtime';

/** Whether a process runs. One that has ended and waits for its parent to notice does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !/^\d+ \(.*\) [ZX]/s.test(readFileSync(stat, 'utf8'));
}

/** Looks until it is so; false when that takes longer than ten seconds. */
export async function soon(look: () => boolean): Promise<boolean> {
  for (let looks = 0; looks < 200; looks += 1) {
    if (look()) return true;
    await systemRuntime.clock.sleep(50);
  }
  return look();
}
