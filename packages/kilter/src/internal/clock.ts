import type { monitorEventLoopDelay } from 'node:perf_hooks';
import { crypto, perfHooks } from './node-modules.ts';
import type { Signal } from './abort.ts';

/** A pending timer; cancelling one that fired does nothing. */
export interface Timer {
  cancel(): void;
  /** Whether it keeps the program running, as it does from the start. Absent where the clock has no say in that. */
  hold?(program: boolean): void;
}

/** The only source of time. Everything that waits takes a clock, so that tests and the simulator can control it. */
export interface Clock {
  /** Wall clock, milliseconds since 1970. May jump. */
  now(): number;
  /** Monotonic milliseconds from an arbitrary start. Never goes backwards. */
  monotonic(): number;
  /**
   * The monotonic time as last read by anybody in this turn of the event loop: for what happens many times in a turn
   * and can be a few milliseconds early.
   */
  recent(): number;
  /** Calls back once, never before `ms` have passed. Delays beyond 2^31-1 ms are re-armed, not fired early. */
  timer(ms: number, callback: () => void): Timer;
  /** Rejects with the signal's reason when it aborts. */
  sleep(ms: number, signal?: Signal): Promise<void>;
  /**
   * Called between two pieces of work wherever there may be many. Undefined while this turn of the event loop is short;
   * otherwise a promise to await before continuing, so that timers and I/O get their turn.
   */
  pause(): Promise<void> | undefined;
}

/** Time and randomness: what a run depends on besides its inputs. */
export interface Runtime {
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  random(): number;
  uuid(): string;
}

// setTimeout takes a signed 32-bit delay and fires at once beyond it.
const longestDelay = 2 ** 31 - 1;

function startTimer(ms: number, callback: () => void): Timer {
  let handle: NodeJS.Timeout | undefined;
  let held = true;
  const due = performance.now() + ms;
  const arm = (): void => {
    const left = Math.min(Math.max(0, due - performance.now()), longestDelay);
    // setTimeout may fire up to a millisecond early by this clock; what waits for a deadline must not.
    handle = setTimeout(() => (performance.now() < due ? arm() : callback()), Math.ceil(left));
    if (!held) handle.unref();
  };
  arm();
  return {
    cancel: () => clearTimeout(handle),
    hold: (program) => {
      held = program;
      if (program) handle?.ref();
      else handle?.unref();
    },
  };
}

// A lease renewal, a probe and a watch share the loop with all workers: five milliseconds would be noticed by none of them.
// Half of that is asked for, because a piece of work and the garbage collector come on top; giving the loop back costs a
// few microseconds.
const longestTurn = 2;

// As they are when the program starts: a test that fakes its timers decides about time, not about the turns of the event loop, and a start
// that waits for its next turn would wait for ever.
const { setImmediate: inNextTurn, clearImmediate: notInNextTurn } = globalThis;

/** Since when work has been done in this turn of the event loop, and what resolves in the next one. */
let turn: { readonly since: number; readonly next: Promise<void> } | undefined;

/** What was answered last; means something while there is a turn. */
let asked = 0;

function monotonicTime(): number {
  return (asked = performance.now());
}

// Without a turn nobody would say when it is over.
const recentTime = (): number => (turn === undefined ? monotonicTime() : asked);

/** One turn for the whole process: what several controllers do in it adds up. */
function pauseTurn(): Promise<void> | undefined {
  const now = monotonicTime();
  if (turn !== undefined) return now - turn.since < longestTurn ? undefined : turn.next;
  const { promise: next, resolve } = Promise.withResolvers<void>();
  turn = { since: now, next };
  inNextTurn(() => {
    turn = undefined;
    resolve();
  });
  return undefined;
}

/** `sleep` in terms of `timer`: shared by every clock. */
export function sleepOn(clock: Pick<Clock, 'timer'>, ms: number, signal?: Signal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const abort = (): void => {
      timer.cancel();
      reject(signal?.reason);
    };
    const timer = clock.timer(ms, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    signal?.addEventListener('abort', abort, { once: true });
  });
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: monotonicTime,
  recent: recentTime,
  timer: startTimer,
  sleep: (ms, signal) => sleepOn(systemClock, ms, signal),
  pause: pauseTurn,
};

/** Real time and real randomness. */
export const systemRuntime: Runtime = {
  clock: systemClock,
  random: () => Math.random(),
  uuid: () => crypto().randomUUID(),
};

/** Resolves when timers and I/O have had their turn. */
export function nextTurn(): Promise<void> {
  // The first one may still run in the turn that waits for it: after I/O and before timers.
  return new Promise((resolve) => inNextTurn(() => inNextTurn(resolve)));
}

/**
 * Between two steps of a start: each may run code for the first time, which takes milliseconds, and all of them
 * together would make timers
 * and I/O wait. Virtual time stands still meanwhile, so that there nothing waits for anything.
 */
export async function betweenSteps(clock: Clock): Promise<void> {
  if (clock === systemClock) await nextTurn();
}

/** Calls back when all I/O of this turn of the event loop has been reported. Returns how to cancel it. */
export function afterTurn(callback: () => void): () => void {
  const handle = inNextTurn(callback);
  return () => notInNextTurn(handle);
}

/** How late the event loop came to what was due, since it was last asked, in seconds. */
export interface LoopDelay {
  /** Measured from the first call on, which has nothing to tell yet. */
  take(): { readonly p50: number; readonly p99: number; readonly max: number };
  stop(): void;
}

/**
 * Measured by real time, whatever clock the work follows: it is this process that is late. Holds no program. Looks fifty times a
 * second, which is nearly all that an idle operator does: so not before somebody wants to know.
 */
export function watchLoopDelay(): LoopDelay {
  const resolution = 20;
  let histogram: ReturnType<typeof monitorEventLoopDelay> | undefined;
  let stopped = false;
  const begin = (): void => {
    if (stopped) return;
    histogram = perfHooks().monitorEventLoopDelay({ resolution });
    histogram.enable();
  };
  // The histogram holds the whole time between two looks: what was waited for on purpose is not a delay.
  const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - resolution / 1000);
  return {
    take: () => {
      if (histogram === undefined) begin();
      if (histogram === undefined || histogram.count === 0) return { p50: 0, p99: 0, max: 0 };
      const [p50, p99, max] = [histogram.percentile(50), histogram.percentile(99), histogram.max];
      histogram.reset();
      return { p50: late(p50), p99: late(p99), max: late(max) };
    },
    stop: () => {
      stopped = true;
      histogram?.disable();
    },
  };
}

/** Resolves after every microtask that is pending now, and those they start, have run. */
export function quiescence(): Promise<void> {
  return new Promise((resolve) => inNextTurn(resolve));
}
