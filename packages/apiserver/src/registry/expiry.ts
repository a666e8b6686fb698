import type { Core } from './core.ts';

const hourMs = 3_600_000;

export interface Expiry {
  /** The store was replaced: each object it holds has its hour before it. */
  restart(): void;
  stop(): void;
}

/** Takes the objects of a bucket away an hour after they were last written, as the real server does with Events. */
export function expireObjects(core: Core, bucket: string): Expiry {
  const { storage, clock } = core;
  /** When each object goes: in the order of its keys, the soonest first. */
  const due = new Map<string, number>();
  let timer: { cancel(): void } | undefined;
  const arm = (): void => {
    const [soonest] = due.values();
    if (timer !== undefined || soonest === undefined) return;
    timer = clock.timer(Math.max(0, soonest - clock.now()), sweep);
  };
  const sweep = (): void => {
    timer = undefined;
    for (const [key, at] of [...due]) {
      if (at > clock.now()) break;
      due.delete(key);
      storage.remove(bucket, key);
    }
    arm();
  };
  const unsubscribe = storage.subscribe((change) => {
    if (change.bucket !== bucket) return;
    due.delete(change.key);
    if (change.type !== 'DELETED') due.set(change.key, clock.now() + hourMs);
    arm();
  });
  const restart = (): void => {
    timer?.cancel();
    timer = undefined;
    due.clear();
    for (const { key } of storage.list(bucket)) due.set(key, clock.now() + hourMs);
    arm();
  };
  const stop = (): void => {
    unsubscribe();
    timer?.cancel();
  };
  return { restart, stop };
}
