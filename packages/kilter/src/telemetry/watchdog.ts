import { inspector, systemClock, type Timer, workerThreads } from '../internal/index.ts';
import { inBrief, type Logger } from './logger.ts';
import { watchdogThread } from './watchdog-thread.ts';

export interface WatchdogOptions {
  /** After half of it the stack is logged, after all of it the process is ended; in milliseconds. */
  readonly limit: number;
  /** What runs, for the last log line: `thing/default/a`. Asked in the middle of whatever holds the thread. */
  readonly running: () => readonly string[];
  readonly logger: Logger;
}

export interface Watchdog {
  /** Resolves when its thread is gone. */
  stop(): Promise<void>;
}

/** How many looks make a limit: a stall is known to a thirtieth of it. */
const looks = 30;

/** Each watchdog has its own name among those of the process: two operators may run in one. */
let count = 0;

/**
 * Watches the event loop from its own thread: a loop that never waits stops timers, probes and renewals alike, so
 * nobody on it can notice. By real time, whatever clock the work follows. Holds no program.
 */
export function watchLoop({ limit, running, logger }: WatchdogOptions): Watchdog {
  const name = `kilter.running.${(count += 1)}`;
  const globals = globalThis as unknown as Record<symbol, unknown>;
  globals[Symbol.for(name)] = () => JSON.stringify(running().slice(0, 100));
  const memory = new SharedArrayBuffer(8);
  const shared = new Int32Array(memory);
  const look = limit / looks;
  let timer: Timer;
  const beat = (): void => {
    Atomics.add(shared, 0, 1);
    Atomics.store(shared, 1, inspector().url() === undefined ? 0 : 1);
    timer = systemClock.timer(look / 2, beat);
    timer.hold?.(false);
  };
  beat();
  const question = `globalThis[Symbol.for(${JSON.stringify(name)})]?.()`;
  const thread = new (workerThreads().Worker)(watchdogThread, {
    eval: true,
    name: 'kilter watchdog',
    workerData: { memory, limit, look, question },
    // It needs next to nothing, and must not take what the operator is short of.
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
    execArgv: [],
    env: {},
    stdin: false,
  });
  thread.unref();
  thread.on('error', (error) =>
    logger.warn(inBrief(error), 'the event-loop watchdog has failed; the event loop is no longer watched'),
  );
  return {
    stop: async () => {
      timer.cancel();
      delete globals[Symbol.for(name)];
      await thread.terminate();
    },
  };
}
