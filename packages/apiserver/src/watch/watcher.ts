import type { Storage, Stored } from '../storage/index.ts';
import { untilNextBookmark } from './bookmark-schedule.ts';
import { classify, type ObjectSignal, type Viewer } from './classify.ts';

/** Timers for bookmarks and the end of a watch. */
export interface WatchClock {
  now(): number;
  timer(ms: number, callback: () => void): { cancel(): void };
}

export type Signal<T> =
  | ObjectSignal<T>
  | { readonly type: 'BOOKMARK'; readonly revision: number; readonly initialEventsEnd: boolean };

export interface WatchRequest<T> {
  readonly bucket: string;
  /** Only keys that start with this: `namespace/`, or '' for all. */
  readonly prefix: string;
  /** `'initial'`: first the current set as additions. A number: what happens after that revision. */
  readonly from: 'initial' | number;
  /** The revision the current set is of, where that is not the newest; what followed is sent after it. */
  readonly view?: number | undefined;
  readonly viewer: Viewer<T>;
  readonly bookmarks: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface WatcherContext {
  readonly storage: Storage;
  readonly clock: WatchClock;
  /** How many changes of its bucket a watcher may be behind before it is closed. */
  readonly maxBehind: number;
  /** Called once, when the watcher ended; that may be while it is being made. */
  readonly ended: (watcher: object) => void;
}

function initialSet(
  storage: Storage,
  { bucket, prefix, view }: Pick<WatchRequest<unknown>, 'bucket' | 'prefix' | 'view'>,
): Stored[] {
  const past = view === undefined ? undefined : storage.listAt(bucket, prefix, view);
  return past ?? storage.list(bucket, prefix);
}

/**
 * One watch: a cursor into the bucket's history. It buffers nothing of its own beside the initial set, so a slow reader
 * costs no memory; one that falls too far behind is closed rather than fed with gaps.
 */
export class Watcher<T> implements AsyncIterableIterator<Signal<T>, undefined> {
  readonly #request: WatchRequest<T>;
  readonly #context: WatcherContext;
  /** The additions still to be sent, last first. */
  #initial: Stored[];
  /** The bookmark that ends the initial set is owed. */
  #owesInitialEnd: boolean;
  /** A bookmark is owed as soon as everything before it is sent. */
  #owesBookmark = false;
  /** The position of the next change to look at. */
  #position: number;
  /** Changes up to this revision are not sent: they are in the initial set, or the client has seen them. */
  readonly #after: number;
  #closed = false;
  /** What is left to read of a finished watch; never longer than `maxBehind`. */
  readonly #last: Signal<T>[] = [];
  /** Resolves the one pending wait of the reader, if it waits. */
  #wake: (() => void) | undefined;
  readonly #timers = new Set<{ cancel(): void }>();
  readonly #end: number;

  constructor(request: WatchRequest<T>, context: WatcherContext, position: number) {
    const { storage, clock } = context;
    this.#request = request;
    this.#context = context;
    this.#position = position;
    const initial = request.from === 'initial';
    this.#initial = initial ? initialSet(storage, request).reverse() : [];
    this.#owesInitialEnd = initial && request.bookmarks;
    this.#after = request.from === 'initial' ? (request.view ?? storage.revision) : request.from;
    this.#end = clock.now() + request.timeoutMs;
    this.#arm(request.timeoutMs, () => this.close());
    if (request.bookmarks) this.#armBookmark();
    if (request.signal.aborted) this.close();
    else request.signal.addEventListener('abort', this.close, { once: true });
  }

  get bucket(): string {
    return this.#request.bucket;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Signal<T>, undefined>> {
    for (;;) {
      const last = this.#last.shift();
      if (last !== undefined) return { done: false, value: last };
      if (this.#closed) return { done: true, value: undefined };
      const signal = this.#take();
      if (signal !== undefined) return { done: false, value: signal };
      if (this.#closed) continue;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Ends the watch after what it still has to say: its bucket is about to go. */
  finish(): void {
    for (let signal = this.#take(); signal !== undefined; signal = this.#take()) this.#last.push(signal);
    this.close();
  }

  return(): Promise<IteratorResult<Signal<T>, undefined>> {
    this.#last.length = 0;
    this.close();
    return Promise.resolve({ done: true, value: undefined });
  }

  /** Something was written to the bucket. */
  notice(): void {
    const behind = this.#context.storage.end(this.bucket) - this.#position;
    if (behind > this.#context.maxBehind) this.close();
    else this.#awake();
  }

  readonly close = (): void => {
    if (this.#closed) return;
    this.#closed = true;
    this.#initial = [];
    this.#request.signal.removeEventListener('abort', this.close);
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
    this.#context.ended(this);
    this.#awake();
  };

  #awake(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  /** The next signal at hand, or undefined if there is none yet. */
  #take(): Signal<T> | undefined {
    for (let stored = this.#initial.pop(); stored !== undefined; stored = this.#initial.pop()) {
      const { decode, matches } = this.#request.viewer;
      const object = decode(stored.text, stored.revision);
      if (matches === undefined || matches(object)) return { type: 'ADDED', object };
    }
    if (this.#owesInitialEnd) {
      this.#owesInitialEnd = false;
      return { type: 'BOOKMARK', revision: this.#after, initialEventsEnd: true };
    }
    return this.#takeChange() ?? this.#takeBookmark();
  }

  #takeChange(): Signal<T> | undefined {
    const { bucket, prefix, viewer } = this.#request;
    for (;;) {
      const change = this.#context.storage.changeAt(bucket, this.#position);
      if (change === undefined) return undefined;
      if (change === 'passed') {
        this.close();
        return undefined;
      }
      this.#position += 1;
      if (change.revision <= this.#after || !change.key.startsWith(prefix)) continue;
      const signal = classify(change, viewer);
      if (signal !== undefined) return signal;
    }
  }

  /** All changes of the bucket are sent, so whatever the store's revision is, this client is up to it. */
  #takeBookmark(): Signal<T> | undefined {
    if (!this.#owesBookmark || this.#closed) return undefined;
    this.#owesBookmark = false;
    const { revision } = this.#context.storage;
    // Who waits for a future revision has nothing to note yet.
    if (revision < this.#after) return undefined;
    return { type: 'BOOKMARK', revision, initialEventsEnd: false };
  }

  #armBookmark(): void {
    this.#arm(untilNextBookmark(this.#end - this.#context.clock.now()), () => {
      this.#owesBookmark = true;
      this.#awake();
      this.#armBookmark();
    });
  }

  #arm(ms: number, callback: () => void): void {
    const timer = this.#context.clock.timer(ms, () => {
      this.#timers.delete(timer);
      callback();
    });
    this.#timers.add(timer);
  }
}
