import type { Storage } from '../storage/index.ts';
import { type Signal, type WatchClock, Watcher, type WatchRequest } from './watcher.ts';

export interface WatchHubOptions {
  readonly storage: Storage;
  readonly clock: WatchClock;
  /** How many changes a watcher may be behind before its stream is closed. Default 10,000; history holds more. */
  readonly maxBehind?: number | undefined;
}

/** A watch cannot resume where it asked to: what followed is no longer known. */
export interface Expired {
  readonly type: 'EXPIRED';
  readonly requested: number;
  /** The oldest revision it could have resumed after. */
  readonly oldest: number;
}

interface AnyWatcher {
  readonly bucket: string;
  notice(): void;
  finish(): void;
  close(): void;
}

/** All open watches: tells each of changes in its bucket, and ends them. */
export class WatchHub {
  readonly #storage: Storage;
  readonly #clock: WatchClock;
  readonly #maxBehind: number;
  /** Open watchers only: one that ended has left. */
  readonly #watchers = new Set<AnyWatcher>();
  readonly #unsubscribe: () => void;

  constructor({ storage, clock, maxBehind = 10_000 }: WatchHubOptions) {
    this.#storage = storage;
    this.#clock = clock;
    this.#maxBehind = maxBehind;
    this.#unsubscribe = storage.subscribe(({ bucket }) => {
      for (const watcher of [...this.#watchers]) if (watcher.bucket === bucket) watcher.notice();
    });
  }

  /** How many watches are open. */
  get size(): number {
    return this.#watchers.size;
  }

  open<T>(request: WatchRequest<T>): AsyncIterable<Signal<T>> | Expired {
    const position = this.#positionFor(request);
    if (position === undefined) {
      return { type: 'EXPIRED', requested: Number(request.from), oldest: this.#storage.oldest(request.bucket) };
    }
    const context = {
      storage: this.#storage,
      clock: this.#clock,
      maxBehind: this.#maxBehind,
      ended: (ended: object) => this.#watchers.delete(ended as AnyWatcher),
    };
    const watcher = new Watcher(request, context, position);
    if (!request.signal.aborted) this.#watchers.add(watcher);
    return watcher;
  }

  /** Ends the watches of one bucket, or all, as a restarting server does. */
  break(bucket?: string): void {
    for (const watcher of [...this.#watchers]) {
      if (bucket === undefined || watcher.bucket === bucket) watcher.close();
    }
  }

  /** Ends the watches of a bucket that goes away, each after the changes it has not read yet. */
  finish(bucket: string): void {
    for (const watcher of [...this.#watchers]) if (watcher.bucket === bucket) watcher.finish();
  }

  close(): void {
    this.break();
    this.#unsubscribe();
  }

  #positionFor({ bucket, from, view }: Pick<WatchRequest<unknown>, 'bucket' | 'from' | 'view'>): number | undefined {
    const after = from === 'initial' ? view : from;
    return after === undefined ? this.#storage.end(bucket) : this.#storage.positionAfter(bucket, after);
  }
}
