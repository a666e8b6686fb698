import { type Clock, quiescence, type Runtime, sleepOn, type Timer } from './clock.ts';
import { Heap } from './heap.ts';

/** A clock that stands still until it is told to move. */
export interface VirtualClock extends Clock {
  /** Moves time forward by `ms`, firing due timers in order and letting all code settle in between. */
  advance(ms: number): Promise<void>;
  /** Lets all code settle without moving time. */
  settle(): Promise<void>;
  /** Moves only the wall clock: an NTP step, not time passing. */
  jump(ms: number): void;
  /** How many timers are pending: zero if nothing was left behind. */
  readonly pending: number;
}

interface Entry {
  readonly due: number;
  /** Breaks ties: timers due together fire in the order they were set. */
  readonly order: number;
  readonly callback: () => void;
  cancelled: boolean;
}

// Turns are counted and not measured, so that a test runs the same way each time. Some milliseconds of real work.
const piecesInTurn = 64;

const earliest = (a: Entry, b: Entry): number => a.due - b.due || a.order - b.order;

// The start the simulator contract fixes, so that traces of tests and simulations can be compared.
const start = 1_700_000_000_000;

/** Time that passes only when it is told to: `await clock.advance(ms)`. */
export function virtualClock(): VirtualClock {
  const timers = new Heap<Entry>(earliest);
  let elapsed = 0;
  let jumped = 0;
  let order = 0;
  let pending = 0;
  /** Pieces of work since the last pause. */
  let pieces = 0;
  /** Set while something waits for the next turn: code is not at rest then. */
  let paused: Promise<void> | undefined;

  const pause = (): Promise<void> | undefined => {
    if (paused !== undefined) return paused;
    pieces += 1;
    if (pieces < piecesInTurn) return undefined;
    paused = quiescence().then(() => {
      paused = undefined;
      pieces = 0;
    });
    return paused;
  };
  const settle = async (): Promise<void> => {
    do await quiescence();
    while (paused !== undefined);
  };
  const timer = (ms: number, callback: () => void): Timer => {
    const entry: Entry = { due: elapsed + Math.max(0, ms), order: (order += 1), callback, cancelled: false };
    timers.push(entry);
    pending += 1;
    return {
      cancel: () => {
        if (entry.cancelled) return;
        entry.cancelled = true;
        pending -= 1;
      },
    };
  };
  const nextDue = (until: number): Entry | undefined => {
    for (let next = timers.peek(); next !== undefined && next.due <= until; next = timers.peek()) {
      timers.pop();
      if (!next.cancelled) return next;
    }
    return undefined;
  };
  const advance = async (ms: number): Promise<void> => {
    const until = elapsed + ms;
    await settle();
    for (let next = nextDue(until); next !== undefined; next = nextDue(until)) {
      elapsed = Math.max(elapsed, next.due);
      next.cancelled = true;
      pending -= 1;
      next.callback();
      await settle();
    }
    elapsed = until;
  };
  const clock: VirtualClock = {
    now: () => start + jumped + elapsed,
    monotonic: () => elapsed,
    recent: () => elapsed,
    timer,
    sleep: (ms, signal) => sleepOn(clock, ms, signal),
    advance,
    pause,
    settle,
    jump: (ms) => {
      jumped += ms;
    },
    get pending() {
      return pending;
    },
  };
  return clock;
}

/** A small generator that is random enough for jitter (mulberry32); seeded, so that a test can be repeated. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Time and randomness under a test's control. */
export function virtualRuntime(seed = 1): Runtime & { readonly clock: VirtualClock } {
  const random = seededRandom(seed);
  const hex = (digits: number): string =>
    Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('');
  return {
    clock: virtualClock(),
    random,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`,
  };
}
