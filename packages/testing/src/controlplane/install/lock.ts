import { closeSync, fstatSync, openSync, readFileSync, renameSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import type { Clock } from 'kilter/runtime';
import { writing } from './writing.ts';
import { isAlive, judgeOwner, type Owner, processIdentity, readOwner, writeOwner } from './lock-owner.ts';

/** The right to change a cache folder; one process has it at a time. */
export interface Lock extends Disposable {
  /** Tells those who wait what continues; also the sign of life. */
  say(doing: string): void;
}

export type LockEvent =
  | { readonly type: 'waiting'; readonly owner: Owner; readonly silent: boolean; readonly file: string }
  | { readonly type: 'taken-over'; readonly owner: Owner | undefined; readonly file: string };

export interface LockOptions {
  readonly file: string;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  readonly onEvent: (event: LockEvent) => void;
}

const lookEvery = 1000;
// Between creating the file and writing it lie microseconds: who is unreadable for so long was ended in between.
const unreadableFor = 10_000;

/** Waits for whoever has the lock, as long as that takes: the owner's progress is passed on, and the signal ends it. */
export async function acquireLock(options: LockOptions): Promise<Lock> {
  for (;;) {
    options.signal?.throwIfAborted();
    const lock = writing(dirname(options.file), () => tryCreate(options));
    if (lock !== undefined) return lock;
    if (!writing(dirname(options.file), () => takenOver(options))) await options.clock.sleep(lookEvery, options.signal);
  }
}

function tryCreate({ file, clock }: LockOptions): Lock | undefined {
  const descriptor = unlessCode('EEXIST', () => openSync(file, 'wx', 0o644));
  if (descriptor === undefined) return undefined;
  const started = clock.now();
  const write = (doing: string): void => {
    const owner = { pid: process.pid, host: hostname(), started, identity: processIdentity(process.pid), doing };
    // Into the open file, not to its name: after a takeover the name is somebody else's.
    writeSync(descriptor, writeOwner({ ...owner, seen: clock.now() }), 0);
  };
  const release = (): void => {
    const own = fstatSync(descriptor).ino;
    const current = unlessCode('ENOENT', () => statSync(file))?.ino;
    closeSync(descriptor);
    if (own === current) unlinkSync(file);
  };
  try {
    write('starts');
  } catch (error) {
    // Nobody could read who has it: the next one would wait in vain.
    release();
    throw error;
  }
  const say = (doing: string): void => {
    try {
      write(doing);
    } catch {
      // The disk is full, or gone: the build meets the same and says so. Whoever waits goes by the process.
    }
  };
  return { say, [Symbol.dispose]: release };
}

/** Whether the way is free now: the lock went away, or its owner is gone and was put aside. */
function takenOver({ file, clock, onEvent }: LockOptions): boolean {
  const text = unlessCode('ENOENT', () => readFileSync(file, 'utf8'));
  if (text === undefined) return true;
  const owner = readOwner(text);
  if (owner === undefined) {
    const age = clock.now() - (unlessCode('ENOENT', () => statSync(file))?.mtimeMs ?? 0);
    if (age < unreadableFor) return false;
  } else {
    const verdict = judgeOwner(owner, { host: hostname(), now: clock.now(), isAlive });
    if (verdict !== 'stale') {
      onEvent({ type: 'waiting', owner, silent: verdict === 'silent', file });
      return false;
    }
  }
  if (putAside(file, text)) onEvent({ type: 'taken-over', owner, file });
  return true;
}

/** Two may see the same stale lock: renaming gives it to one of them, and shows if it has become a fresh one. */
function putAside(file: string, stale: string): boolean {
  const aside = `${file}.stale-${process.pid}`;
  if (unlessCode('ENOENT', () => (renameSync(file, aside), true)) === undefined) return false;
  const same = readFileSync(aside, 'utf8') === stale;
  if (same) unlinkSync(aside);
  else renameSync(aside, file);
  return same;
}

function unlessCode<T>(code: string, act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === code) return undefined;
    throw error;
  }
}
