import { readdirSync, readFileSync } from 'node:fs';

/** What the operating system tells about this process. Undefined where it does not. */
export interface ProcessReadings {
  /** CPU time used, in seconds. */
  cpu(): number;
  /** Since 1970, in seconds. */
  readonly startedAt: number;
  residentBytes(): number;
  virtualBytes(): number | undefined;
  openFiles(): number | undefined;
  readonly mostFiles: number | undefined;
}

function fromProc<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    // No /proc: another system than Linux.
    return undefined;
  }
}

const found = (text: string, pattern: RegExp): number | undefined => {
  const [, digits] = pattern.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits);
};

/** `now`: milliseconds since 1970. */
export function processReadings(now: number): ProcessReadings {
  return {
    cpu: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
    startedAt: now / 1000 - process.uptime(),
    residentBytes: () => process.memoryUsage.rss(),
    virtualBytes: () => {
      const kilobytes = fromProc(() => found(readFileSync('/proc/self/status', 'utf8'), /^VmSize:\s+(\d+) kB$/m));
      return kilobytes === undefined ? undefined : kilobytes * 1024;
    },
    openFiles: () => fromProc(() => readdirSync('/proc/self/fd').length),
    mostFiles: fromProc(() => found(readFileSync('/proc/self/limits', 'utf8'), /^Max open files\s+(\d+)/m)),
  };
}
