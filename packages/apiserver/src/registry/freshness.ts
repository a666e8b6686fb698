import type { Call } from '../calls/index.ts';
import type { Served } from '../kinds/index.ts';
import { tooLargeVersion } from '../status/index.ts';
import type { Core } from './core.ts';

/** How long the real server waits for its cache to reach a version. */
const patienceMs = 3000;

/** Who waits, and the revision it reads at if that is not the newest. */
export interface Reader {
  readonly signal: AbortSignal;
  readonly view?: number | undefined;
}

/** The revision a call reads at: an older one where it was asked for, as far as the past of its kind is known. */
export function readerOf({ storage }: Core, { bucket }: Served, { behind, signal }: Call): Reader {
  if (behind === undefined) return { signal };
  return { signal, view: Math.min(storage.revision, Math.max(storage.revision - behind, storage.oldest(bucket))) };
}

/**
 * Resolves once the store has reached a revision; refuses after three seconds, since it may never come. Who reads at an older
 * `view` does not get there by waiting.
 */
export async function reached(core: Core, revision: number, { signal, view }: Reader): Promise<void> {
  const { storage, clock } = core;
  if ((view ?? storage.revision) >= revision) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      timer.cancel();
      unsubscribe();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = clock.timer(patienceMs, done);
    const unsubscribe = storage.subscribe(() => {
      if (view === undefined && storage.revision >= revision) done();
    });
    signal.addEventListener('abort', done, { once: true });
  });
  const now = view ?? storage.revision;
  if (now < revision) throw tooLargeVersion(String(revision), now);
}
