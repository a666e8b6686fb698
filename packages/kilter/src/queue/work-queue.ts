import { type Cause, keyOfRef, type NamedRef, refOfKey } from '../api/index.ts';
import { KilterError } from '../errors/index.ts';
import { backoffDelay, type Clock, type Timer } from '../internal/index.ts';
import { afterRun, isDelayed, type RunEnd } from './after-run.ts';
import { dueTime, earlier, laterOrNone, nothingLater } from './due.ts';
import { MovableHeap } from './movable-heap.ts';
import { resolveQueueOptions, type ResolvedQueueOptions, type WorkQueueOptions } from './options.ts';
import { type QueueMeter, queueMeter } from './queue-metrics.ts';
import { ReadyKeys } from './ready-keys.ts';
import { none } from './slot-chain.ts';
import { Slots, state } from './slots.ts';
import { TakenWork } from './taken-work.ts';
import { UserDecisions } from './user-decisions.ts';
import { WallTime } from './wall-time.ts';
import type { AddOptions, DoneOptions, HeldWork, Next, NumberedKey, Work, WorkQueue } from './work.ts';

// A timer that is lost (a runtime's fault, a suspended machine) must not lose a key: it is looked for this long after it was due.
const patience = 10_000;

type Taker = (work: Work | undefined) => void;

const readyKeys = (slots: Slots, { ageing }: ResolvedQueueOptions): ReadyKeys => new ReadyKeys(slots, ageing);

class KeyQueue implements WorkQueue {
  readonly #options: ResolvedQueueOptions;
  readonly #clock: Clock;
  readonly #meter: QueueMeter;
  readonly #decisions: UserDecisions;
  readonly #wallTime: WallTime;
  /** What is known of each key. */
  #slots = new Slots();
  /** Exactly the slots that are dirty, not in progress and not held. */
  #ready: ReadyKeys;
  /** Exactly the slots with a finite due time, earliest first. */
  readonly #times = new MovableHeap<number>(
    (a, b) => this.#dueTime(a) - this.#dueTime(b),
    (slot) => this.#slots.timePlaces[slot] as number,
    (slot, place) => (this.#slots.timePlaces[slot] = place),
  );
  /** From take to done; `#works[work.place] === work` for each of them. */
  readonly #works: HeldWork[] = [];
  /** Set while `#times` has entries, for its first one; only beside a net. */
  #alarm: { readonly at: number; readonly timer: Timer } | undefined;
  /** Set while `#times` has entries, for a time at most `patience` after the first one: finds what the alarm has missed. */
  #net: { readonly at: number; readonly timer: Timer } | undefined;
  /** In order of asking. While any waits, ready keys are about to be handed over. */
  #takers: Taker[] = [];
  /** A hand-over is due in this turn of the event loop. */
  #handing = false;
  /** How many keys are dirty, those in progress included. */
  #dirty = 0;
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
    this.#decisions = new UserDecisions(options);
    this.#wallTime = new WallTime(this.#clock);
    this.#ready = readyKeys(this.#slots, options);
    this.#meter = queueMeter(options.metrics, options.name, {
      priorities: () => this.#wanted(),
      running: () => this.#running(),
      oldestReady: () => this.#oldestReady(),
    });
  }

  #oldestReady(): number {
    const oldest = this.#ready.oldest();
    return oldest === undefined ? 0 : this.#clock.monotonic() - oldest;
  }

  /** The same for every key, unless somebody decides for each. */
  #delayOf({ ref }: Work): (n: number) => number {
    if (this.#options.retryDelay === undefined) return this.#delay;
    return (n) => this.#decisions.retryDelay(n, ref) ?? this.#delay(n);
  }

  get depth(): number {
    return this.#dirty;
  }

  get processing(): number {
    return this.#works.length;
  }

  add(target: NamedRef | NumberedKey | string, cause: Cause, options?: AddOptions): boolean {
    if (this.#closed) return false;
    this.#want(this.#slotOf(target), cause, options?.priority ?? 0);
    this.#collectDue();
    return true;
  }

  addAfter(ref: NamedRef, ms: number, cause: Cause): boolean {
    if (!(ms > 0)) return this.add(ref, cause);
    if (this.#closed) return false;
    const slot = this.#slotOf(ref);
    const later = this.#slots.later[slot] ?? nothingLater;
    const timer = earlier(later.timer, { at: this.#clock.monotonic() + ms, cause, priority: 0 });
    this.#slots.later[slot] = { ...later, timer };
    this.#meter.delayed();
    this.#schedule(slot);
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

  done(work: Work, next: Next, options?: DoneOptions): void {
    const held = work as HeldWork;
    if (this.#works[held.place] !== work) {
      const message = `queue ${this.#options.name}: ${work.key} is not in progress`;
      throw new KilterError('QUEUE_WORK_NOT_HELD', message);
    }
    this.#letGo(held);
    // Nothing is to be due too early; for a duration whoever ran the key has asked.
    const now = isPlainEnd(next) && options?.hold === undefined ? this.#clock.recent() : this.#clock.monotonic();
    this.#meter.finished(now - held.takenAt);
    const end = { now, priority: work.priority, delay: this.#delayOf(work), hold: options?.hold ?? 0 };
    if (!this.#closed) this.#settle(held, next, end);
    if (this.#works.length === 0 && this.#drainWaiters.length > 0) {
      for (const resolve of this.#drainWaiters.splice(0)) resolve();
    }
  }

  shutdown(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#cancelTimers();
    this.#slots = new Slots();
    this.#ready = readyKeys(this.#slots, this.#options);
    this.#dirty = 0;
    for (const resolve of this.#takers.splice(0)) resolve(undefined);
  }

  drained(): Promise<void> {
    if (this.#works.length === 0) return Promise.resolve();
    return new Promise((resolve) => this.#drainWaiters.push(resolve));
  }

  #letGo(work: HeldWork): void {
    const last = this.#works.pop() as HeldWork;
    if (last !== work) {
      this.#works[work.place] = last;
      last.place = work.place;
    }
    work.place = none;
  }

  #settle({ slot }: HeldWork, next: Next, end: RunEnd & { readonly hold: number }): void {
    const { states, later } = this.#slots;
    states[slot] = (states[slot] as number) & ~state.running;
    const before = later[slot];
    const { hold } = end;
    // Nearly every run: nothing was pending, nothing follows.
    if (before !== undefined || hold > 0 || !isPlainEnd(next)) {
      const kept = before ?? nothingLater;
      if (isDelayed(next, kept.failures)) this.#meter.delayed();
      later[slot] = laterOrNone({ ...afterRun(kept, next, end), heldUntil: hold > 0 ? end.now + hold : 0 });
      this.#schedule(slot);
    }
    if (((states[slot] as number) & state.dirty) !== 0) this.#makeReady(slot, end.now);
    this.#collectDue();
    if (!this.#isIdle(slot)) return;
    if (next.type === 'drop') this.#forget(slot);
    else this.#slots.rest(slot);
  }

  /** Nothing would be lost by forgetting it. One that rests already is not asked about again. */
  #isIdle(slot: number): boolean {
    return this.#slots.states[slot] === 0 && this.#slots.later[slot] === undefined;
  }

  #forget(slot: number): void {
    this.#ready.leave(slot);
    this.#slots.free(slot);
  }

  readonly #evicted = (slot: number): void => this.#ready.leave(slot);

  #slotOf(target: NamedRef | NumberedKey | string): number {
    if (typeof target === 'string') return this.#awake(this.#slots.find(target), target);
    if (!('key' in target)) return this.#slotOf(keyOfRef(target));
    const { key, number } = target;
    if (number < 0) return this.#slotOf(key);
    const found = this.#slots.findNumbered(key, number);
    const slot = this.#awake(found, key);
    if (found < 0) this.#slots.know(slot, number);
    return slot;
  }

  /** The slot that was found for a key, or a new one. */
  #awake(found: number, key: string): number {
    if (found < 0) {
      const slot = this.#slots.allocate(key, this.#evicted);
      this.#ready.join(slot, this.#decisions.laneOf(refOfKey(key)));
      return slot;
    }
    if (((this.#slots.states[found] as number) & state.idle) !== 0) {
      this.#slots.wake(found);
      // Whoever decides for each key may decide otherwise today.
      if (typeof this.#options.fairness === 'function') this.#ready.join(found, this.#decisions.laneOf(refOfKey(key)));
    }
    return found;
  }

  #want(slot: number, cause: Cause, priority: number): void {
    const { states, priorities } = this.#slots;
    const now = this.#clock.recent();
    this.#slots.addCause(slot, cause, now);
    const bits = states[slot] as number;
    if ((bits & state.dirty) !== 0) {
      if (priority > (priorities[slot] as number)) this.#raise(slot, priority);
      return;
    }
    states[slot] = bits | state.dirty;
    priorities[slot] = priority;
    this.#dirty += 1;
    this.#meter.added();
    if ((bits & state.running) === 0) this.#makeReady(slot, now);
  }

  #raise(slot: number, priority: number): void {
    if (this.#slots.stands[slot] === undefined) this.#slots.priorities[slot] = priority;
    else this.#ready.raise(slot, priority);
  }

  #makeReady(slot: number, now: number): void {
    if ((this.#slots.later[slot]?.heldUntil ?? 0) > 0) return;
    this.#ready.add(slot, now);
    this.#handOver();
  }

  /** At the end of the turn, so that all that is added in one turn is ordered and merged before a key starts. */
  #handOver(): void {
    if (this.#handing || this.#takers.length === 0) return;
    this.#handing = true;
    queueMicrotask(() => {
      this.#handing = false;
      // For all that are handed over now: what was asked for before this turn's work would count that work as theirs.
      this.#clock.monotonic();
      while (this.#takers.length > 0) {
        const work = this.#next();
        if (work === undefined) return;
        this.#takers.shift()?.(work);
      }
    });
  }

  #next(): Work | undefined {
    const now = this.#clock.recent();
    const slot = this.#ready.next(now);
    if (slot < 0) return undefined;
    const slots = this.#slots;
    const work = new TakenWork(slots, slot, { at: now, origin: this.#wallTime.origin(now) });
    work.place = this.#works.push(work) - 1;
    slots.causes[slot] = undefined;
    slots.states[slot] = state.running;
    this.#dirty -= 1;
    this.#meter.taken(work.waited);
    this.#schedule(slot);
    return work;
  }

  #dueTime(slot: number): number {
    return dueTime(this.#slots.later[slot], ((this.#slots.states[slot] as number) & state.running) !== 0);
  }

  #schedule(slot: number): void {
    if (this.#dueTime(slot) < Infinity) this.#times.place(slot);
    else if ((this.#slots.timePlaces[slot] as number) >= 0) this.#times.remove(slot);
  }

  /** Run on every call, so that a late alarm (a blocked loop) delays nothing any longer than the block. */
  #collectDue(): void {
    if (this.#times.size === 0 && this.#net === undefined) return;
    const now = this.#clock.monotonic();
    for (let slot = this.#times.peek(); slot !== undefined && this.#dueTime(slot) <= now; slot = this.#times.peek()) {
      this.#fire(slot, now);
    }
    this.#setAlarm(now);
  }

  #fire(slot: number, now: number): void {
    const { later, states } = this.#slots;
    const { timer, retry, failures, heldUntil } = later[slot] ?? nothingLater;
    const running = ((states[slot] as number) & state.running) !== 0;
    const rings = timer !== undefined && timer.at <= now;
    const retries = retry !== undefined && retry.at <= now && !running;
    const isFree = heldUntil > 0 && heldUntil <= now && !running;
    later[slot] = laterOrNone({
      timer: rings ? undefined : timer,
      retry: retries ? undefined : retry,
      failures,
      heldUntil: isFree ? 0 : heldUntil,
    });
    const wasDirty = ((states[slot] as number) & state.dirty) !== 0;
    if (rings) this.#want(slot, timer.cause, timer.priority);
    if (retries) this.#want(slot, retry.cause, retry.priority);
    if (isFree && wasDirty) this.#makeReady(slot, now);
    this.#schedule(slot);
    if (this.#isIdle(slot)) this.#slots.rest(slot);
  }

  #setAlarm(now: number): void {
    const first = this.#times.peek();
    if (first === undefined) return this.#cancelTimers();
    const at = this.#dueTime(first);
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
    const { states, priorities, used } = this.#slots;
    for (let slot = 0; slot < used; slot += 1) {
      if (((states[slot] as number) & state.dirty) !== 0) yield priorities[slot] as number;
    }
  }

  #running(): number[] {
    const now = this.#clock.monotonic();
    return this.#works.map(({ takenAt }) => now - takenAt);
  }
}

/** Success without anything to do later, or the end of the object. */
function isPlainEnd({ type }: Next): boolean {
  return type === 'forget' || type === 'drop';
}

/** The queue of one controller. */
export function workQueue(options: WorkQueueOptions): WorkQueue {
  return new KeyQueue(resolveQueueOptions(options));
}
