import type { Cause, MergedCause, NamedRef } from '../api/index.ts';

/**
 * A key with the number that whoever keeps its objects has given it: nobody has to look for it. A number is small,
 * belongs to one key at
 * a time, and may go to another when the object is gone.
 */
export interface NumberedKey {
  readonly key: string;
  /** Below zero where it has none. */
  readonly number: number;
}

/** A key handed to a worker; every one needs exactly one `done`. */
export interface Work extends NumberedKey {
  readonly ref: NamedRef;
  readonly causes: readonly MergedCause[];
  /** Further distinct causes that were only counted. */
  readonly moreCauses: number;
  readonly priority: number;
  /** How long it was ready before it was taken, in milliseconds. */
  readonly waited: number;
  /** Consecutive counted failures before this run. */
  readonly failures: number;
}

/** Work from take to done, as the queue sees it. */
export interface HeldWork extends Work {
  /** When it was taken, on the monotonic clock. */
  readonly takenAt: number;
  /** Of its key. */
  readonly slot: number;
  /** Where it stands among the work in progress; `none` once it is done. Only the queue writes it. */
  place: number;
}

/** What a run leaves behind for its key. */
export type Next =
  /** Success, terminal error, object gone: the failure counter is cleared; a pending timer stays. */
  | { readonly type: 'forget' }
  /** As `forget`, and nothing is kept of the key, its timer included: the object is gone. */
  | { readonly type: 'drop' }
  /** requeueAfter: counter cleared, runs again after `ms`. */
  | { readonly type: 'after'; readonly ms: number; readonly reason: string }
  /** waitFor: counter unchanged, runs again after `ms`. */
  | { readonly type: 'wait'; readonly ms: number; readonly reason: string }
  /** requeue: counts unless a retry is pending, the first in a row runs at once, then after d(n-1). */
  | { readonly type: 'requeue'; readonly reason: string }
  /** A failure: counts, runs again after d(n), at least `atLeast` and, unless that is more, at most `atMost` ms. */
  | {
      readonly type: 'retry';
      readonly reason: string;
      readonly atLeast?: number | undefined;
      readonly atMost?: number | undefined;
    };

export interface DoneOptions {
  /** The key is not handed out again for so many milliseconds, whatever happens to it. Default: 0. */
  readonly hold?: number | undefined;
}

export interface AddOptions {
  /** Default: 0; initial lists and resyncs use -100. */
  readonly priority?: number | undefined;
}

/** Keys to reconcile: de-duplicated, delayed, rate-limited, with their causes. Knows references, not objects. */
export interface WorkQueue {
  /** Takes a reference, or its key where that is at hand, best with its number. False after shutdown. */
  add(target: NamedRef | NumberedKey | string, cause: Cause, options?: AddOptions): boolean;
  /** Of several delays for a key the earliest is kept; a delay <= 0 adds at once. */
  addAfter(ref: NamedRef, ms: number, cause: Cause): boolean;
  /** The next key, as soon as there is one; undefined after shutdown. */
  take(): Promise<Work | undefined>;
  /** A key that can run at once; undefined where there is none, others wait for one, or after shutdown. */
  takeReady(): Work | undefined;
  done(work: Work, next: Next, options?: DoneOptions): void;
  /** Refuses adds, releases waiting takers; keys in progress can still be finished. */
  shutdown(): void;
  /** Resolves when no key is in progress. */
  drained(): Promise<void>;
  /** Keys that are ready to run. */
  readonly depth: number;
  readonly processing: number;
}
