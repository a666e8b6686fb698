import { readFileSync } from 'node:fs';

/** Who installs, as the lock file says. */
export interface Owner {
  readonly pid: number;
  readonly host: string;
  /** Wall clock. */
  readonly started: number;
  /** Tells this process from a later one with the same number, where the system has a word for it. */
  readonly identity?: string | undefined;
  /** Wall clock of the last sign of life. */
  readonly seen: number;
  /** What it does right now, for those who wait. */
  readonly doing: string;
}

export interface Watcher {
  readonly host: string;
  readonly now: number;
  /** Of a process of this host. */
  readonly isAlive: (owner: Owner) => boolean;
}

/** The owner shows life every few seconds; on another host that is all there is to go by. */
export const lifeless = 120_000;

export type LockVerdict =
  /** The owner works: wait for it. */
  | 'held'
  /** Its process is there but shows no life: stopped, or of another program. */
  | 'silent'
  /** The owner is gone: take over. */
  | 'stale';

export function judgeOwner(owner: Owner, watcher: Watcher): LockVerdict {
  const silent = watcher.now - owner.seen > lifeless;
  if (owner.host !== watcher.host) return silent ? 'stale' : 'held';
  if (!watcher.isAlive(owner)) return 'stale';
  return silent ? 'silent' : 'held';
}

// Written over in place: of one length, so that a reader never finds the end of an older text.
const writtenLength = 1024;

export function writeOwner(owner: Owner): string {
  const short = { ...owner, doing: owner.doing.slice(0, 300), host: owner.host.slice(0, 200) };
  return `${JSON.stringify(short).padEnd(writtenLength - 1)}\n`;
}

/** Undefined for a file that is not completely written, or not ours. */
export function readOwner(text: string): Owner | undefined {
  try {
    const owner = JSON.parse(text) as Partial<Owner> | null;
    const complete =
      typeof owner?.pid === 'number' &&
      typeof owner.host === 'string' &&
      typeof owner.started === 'number' &&
      typeof owner.seen === 'number' &&
      typeof owner.doing === 'string';
    return complete ? (owner as Owner) : undefined;
  } catch {
    return undefined;
  }
}

/** The start of a process in ticks since boot, on Linux; undefined elsewhere. */
export function processIdentity(pid: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything; the start time is the 20th field after it.
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

export function isAlive({ pid, identity }: Owner): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is there, of another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const current = processIdentity(pid);
  return identity === undefined || current === undefined || identity === current;
}
