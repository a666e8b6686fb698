import { type Cause, keyOfRef, type NamedRef, refOfKey } from '../api/index.ts';
import { KilterError } from '../errors/index.ts';
import { backoffDelay, type Clock, type Timer } from '../internal/index.ts';
import { afterRun, isDelayed, type RunEnd } from './after-run.ts';
import { addCause, dueTime, earlier, type Entry, isIdle, newEntry } from './entry.ts';
import { MovableHeap } from './movable-heap.ts';
import { resolveQueueOptions, type ResolvedQueueOptions, type WorkQueueOptions } from './options.ts';
import { type QueueMeter, queueMeter } from './queue-metrics.ts';
import { ReadyKeys } from './ready-keys.ts';
import { TakenWork } from './taken-work.ts';
import type { AddOptions, DoneOptions, Next, Work, WorkQueue } from './work.ts';

// A timer that is lost (a runtime's fault, a suspended machine) must not lose a key: it is looked for this long after it was due.
const patience = 10_000;

type Taker = (work: Work | undefined) => void;

class KeyQueue implements WorkQueue {
  readonly #options: ResolvedQueueOptions;
  readonly #clock: Clock;
  readonly #meter: QueueMeter;
  /** Times of causes count from here: a small number lies in its entry, a large one would be an object of its own. */
  readonly #origin: number;
  /** One entry per key; none is idle between two calls. */
  #entries = new Map<string, Entry>();
  /** Exactly the entries that are dirty, not in progress and not held. */
  readonly #ready: ReadyKeys;
  /** Exactly the entries with a finite due time, earliest first. */
  readonly #times = new MovableHeap<Entry>((a, b) => dueTime(a) - dueTime(b));
  /** Set exactly while `#times` has entries, for its first one. */
  #alarm: { readonly at: number; readonly timer: Timer } | undefined;
  /** Set while `#times` has entries, for a time at most `patience` after the first one: finds what the alarm has missed. */
  #net: { readonly at: number; readonly timer: Timer } | undefined;
  /** In order of asking. While any waits, ready keys are about to be handed over. */
  #takers: Taker[] = [];
  /** A hand-over is due in this turn of the event loop. */
  #handing = false;
  /** How many entries are dirty, those in progress included. */
  #dirty = 0;
  /** How many entries are in progress. */
  #processing = 0;
  #closed = false;
  readonly #delay = (n: number): number => {
    const { backoff, jitter, runtime } = this.#options;
    return backoffDelay(backoff, n) * (1 - jitter * runtime.random());
  };
  /** Empty unless keys are in progress. */
  #drainWaiters: (() => void)[] = [];

  constructor(options: ResolvedQueueOptions) {
    this.#options = options;
    this.#clock = options.runtime.clock;
    this.#origin = this.#clock.now();
    this.#ready = new ReadyKeys(options.ageing);
    this.#meter = queueMeter(options.metrics, options.name, {
      priorities: () => this.#wanted(),
      running: () => this.#running(),
      oldestReady: () => this.#clock.monotonic() - (this.#ready.oldest() ?? this.#clock.monotonic()),
    });
  }

  get depth(): number {
    return this.#dirty;
  }

  get processing(): number {
    return this.#processing;
  }

  add(target: NamedRef | string, cause: Cause, { priority = 0 }: AddOptions = {}): boolean {
    if (this.#closed) return false;
    this.#want(this.#entryOf(target), cause, priority);
    this.#collectDue();
    return true;
  }

  addAfter(ref: NamedRef, ms: number, cause: Cause): boolean {
    if (!(ms > 0)) return this.add(ref, cause);
    if (this.#closed) return false;
    const entry = this.#entryOf(ref);
    entry.timer = earlier(entry.timer, { at: this.#clock.monotonic() + ms, cause, priority: 0 });
    this.#meter.delayed();
    this.#schedule(entry);
    this.#collectDue();
    return true;
  }

  take(): Promise<Work | undefined> {
    if (this.#closed) return Promise.resolve(undefined);
    const work = this.takeReady();
    if (work !== undefined) return Promise.resolve(work);
    return new Promise((resolve) => this.#takers.push(resolve));
  }

  takeReady(): Work | undefined {
    if (this.#closed) return undefined;
    this.#collectDue();
    return this.#takers.length === 0 ? this.#next() : undefined;
  }

  done(work: Work, next: Next, { hold = 0 }: DoneOptions = {}): void {
    const entry = this.#entries.get(work.key);
    const taken = entry?.work;
    if (entry === undefined || taken === undefined || taken !== work) {
      const message = `queue ${this.#options.name}: ${work.key} is not in progress`;
      throw new KilterError('QUEUE_WORK_NOT_HELD', message);
    }
    entry.work = undefined;
    this.#processing -= 1;
    const now = this.#clock.monotonic();
    this.#meter.finished(now - taken.takenAt);
    entry.heldUntil = hold > 0 ? now + hold : 0;
    if (this.#closed) this.#forget(entry);
    else this.#settle(entry, next, { now, priority: work.priority, delay: this.#delay });
    if (this.#processing === 0) for (const resolve of this.#drainWaiters.splice(0)) resolve();
  }

  shutdown(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#cancelTimers();
    this.#times.clear();
    this.#ready.clear();
    this.#dirty = 0;
    for (const [key, entry] of this.#entries) {
      if (entry.work === undefined) this.#entries.delete(key);
      else entry.dirty = false;
    }
    for (const resolve of this.#takers.splice(0)) resolve(undefined);
  }

  drained(): Promise<void> {
    if (this.#processing === 0) return Promise.resolve();
    return new Promise((resolve) => this.#drainWaiters.push(resolve));
  }

  #settle(entry: Entry, next: Next, end: RunEnd): void {
    const { failures, retry, timer } = afterRun(entry, next, end);
    if (isDelayed(next, entry.failures)) this.#meter.delayed();
    entry.failures = failures;
    entry.retry = retry;
    entry.timer = timer;
    if (entry.dirty) this.#makeReady(entry);
    this.#schedule(entry);
    this.#collectDue();
    if (isIdle(entry)) this.#forget(entry);
  }

  /**
   * A Map that is filled and emptied all the time leaves a trail of tables, of which each holds the next: what was in them would
   * stay until the whole heap is collected. So the last key goes with its Map.
   */
  #forget({ key }: Entry): void {
    if (this.#entries.size === 1 && this.#entries.has(key)) this.#entries = new Map();
    else this.#entries.delete(key);
  }

  #entryOf(target: NamedRef | string): Entry {
    const key = typeof target === 'string' ? target : keyOfRef(target);
    const found = this.#entries.get(key);
    if (found !== undefined) return found;
    const lane = this.#laneOf(typeof target === 'string' ? refOfKey(target) : target);
    const entry = newEntry(key, this.#ready.laneName(lane));
    this.#entries.set(key, entry);
    return entry;
  }

  #laneOf(ref: NamedRef): string {
    const { fairness, logger, name } = this.#options;
    if (fairness === 'off') return '';
    try {
      if (fairness !== 'namespace') return fairness(ref);
    } catch (error) {
      // Losing the key would be worse than an unfair turn.
      logger.error(
        { err: error, queue: name, key: keyOfRef(ref) },
        'the fairness function threw; the namespace is used',
      );
    }
    return ref.namespace ?? '';
  }

  #want(entry: Entry, cause: Cause, priority: number): void {
    addCause(entry, cause, Math.round(this.#clock.now() - this.#origin));
    if (entry.dirty) {
      if (priority > entry.priority) this.#raise(entry, priority);
      return;
    }
    entry.dirty = true;
    entry.priority = priority;
    this.#dirty += 1;
    this.#meter.added();
    if (entry.work === undefined) this.#makeReady(entry);
  }

  #raise(entry: Entry, priority: number): void {
    if (entry.work === undefined && entry.heldUntil === 0) this.#ready.raise(entry, priority);
    else entry.priority = priority;
  }

  #makeReady(entry: Entry): void {
    if (entry.heldUntil > 0) return;
    this.#ready.add(entry, this.#clock.monotonic());
    this.#handOver();
  }

  /** At the end of the turn, so that all that is added in one turn is ordered and merged before a key starts. */
  #handOver(): void {
    if (this.#handing || this.#takers.length === 0) return;
    this.#handing = true;
    queueMicrotask(() => {
      this.#handing = false;
      while (this.#takers.length > 0) {
        const work = this.#next();
        if (work === undefined) return;
        this.#takers.shift()?.(work);
      }
    });
  }

  #next(): Work | undefined {
    const now = this.#clock.monotonic();
    const entry = this.#ready.next(now);
    if (entry === undefined) return undefined;
    const work = new TakenWork(entry, { at: now, origin: this.#origin });
    entry.cause = undefined;
    entry.causes = undefined;
    entry.dirty = false;
    entry.work = work;
    this.#dirty -= 1;
    this.#processing += 1;
    this.#meter.taken(now - entry.readySince);
    this.#schedule(entry);
    return work;
  }

  #schedule(entry: Entry): void {
    if (dueTime(entry) < Infinity) this.#times.place(entry);
    else this.#times.remove(entry);
  }

  /** Run on every call, so that a late alarm (a blocked loop) delays nothing any longer than the block. */
  #collectDue(): void {
    if (this.#times.size === 0 && this.#alarm === undefined && this.#net === undefined) return;
    const now = this.#clock.monotonic();
    for (let entry = this.#times.peek(); entry !== undefined && dueTime(entry) <= now; entry = this.#times.peek()) {
      this.#fire(entry, now);
    }
    this.#setAlarm(now);
  }

  #fire(entry: Entry, now: number): void {
    const { timer, retry } = entry;
    if (timer !== undefined && timer.at <= now) {
      entry.timer = undefined;
      this.#want(entry, timer.cause, timer.priority);
    }
    if (retry !== undefined && retry.at <= now && entry.work === undefined) {
      entry.retry = undefined;
      this.#want(entry, retry.cause, retry.priority);
    }
    if (entry.heldUntil > 0 && entry.heldUntil <= now && entry.work === undefined) {
      entry.heldUntil = 0;
      if (entry.dirty) this.#makeReady(entry);
    }
    this.#schedule(entry);
    if (isIdle(entry)) this.#forget(entry);
  }

  #setAlarm(now: number): void {
    const first = this.#times.peek();
    if (first === undefined) return this.#cancelTimers();
    const at = dueTime(first);
    this.#spreadNet(at + patience, now);
    if (at === this.#alarm?.at) return;
    this.#alarm?.timer.cancel();
    const timer = this.#clock.timer(at - now, () => {
      this.#alarm = undefined;
      this.#collectDue();
    });
    this.#alarm = { at, timer };
  }

  /** One that is early enough stays: it is set again once it has fired, not at every change of the alarm. */
  #spreadNet(at: number, now: number): void {
    if (this.#net !== undefined && this.#net.at <= at) return;
    this.#net?.timer.cancel();
    const timer = this.#clock.timer(at - now, () => {
      this.#net = undefined;
      // What is due now has no alarm any more, or one that did not ring.
      this.#alarm?.timer.cancel();
      this.#alarm = undefined;
      this.#collectDue();
    });
    this.#net = { at, timer };
  }

  #cancelTimers(): void {
    this.#alarm?.timer.cancel();
    this.#net?.timer.cancel();
    this.#alarm = undefined;
    this.#net = undefined;
  }

  *#wanted(): Generator<number> {
    for (const entry of this.#entries.values()) if (entry.dirty) yield entry.priority;
  }

  #running(): number[] {
    const now = this.#clock.monotonic();
    return [...this.#entries.values()].flatMap(({ work }) => (work === undefined ? [] : [now - work.takenAt]));
  }
}

/** The queue of one controller. */
export function workQueue(options: WorkQueueOptions): WorkQueue {
  return new KeyQueue(resolveQueueOptions(options));
}
