import { tooLargeVersion } from '../status/index.ts';
import type { Core } from './core.ts';

/** How long the real server waits for its cache to reach a version. */
const patienceMs = 3000;

/** Resolves once the store has reached a revision; refuses after three seconds, since it may never come. */
export async function reached(core: Core, revision: number, signal: AbortSignal): Promise<void> {
  const { storage, clock } = core;
  if (storage.revision >= revision) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      timer.cancel();
      unsubscribe();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = clock.timer(patienceMs, done);
    const unsubscribe = storage.subscribe(() => {
      if (storage.revision >= revision) done();
    });
    signal.addEventListener('abort', done, { once: true });
  });
  if (storage.revision < revision) throw tooLargeVersion(String(revision), storage.revision);
}
