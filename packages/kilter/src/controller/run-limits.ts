import { KilterError } from '../errors/index.ts';
import { type Clock, Deadlines, type Due } from '../internal/index.ts';
import type { Logger } from '../telemetry/index.ts';
import type { RunMetrics } from './run-metrics.ts';

export interface RunLimitsOptions {
  readonly clock: Clock;
  /** After so many milliseconds a run is aborted. */
  readonly timeout: number;
  /** Aborts every run. */
  readonly stop: AbortSignal;
  readonly metrics: Pick<RunMetrics, 'timedOut' | 'cameBack'>;
}

/** What ends a run from outside: its timeout, and the stop of all of them. */
export interface RunLimit {
  readonly signal: AbortSignal;
}

/**
 * The signals of all runs in progress. They follow the stop by one listener for all: a signal made by AbortSignal.any
 * lives as long as its longest source while anybody listens to it, and a listener for each run costs more than the run.
 */
export class RunLimits {
  readonly #options: RunLimitsOptions;
  /** Of exactly the runs in progress, and of none after the stop, which has its own time. */
  readonly #deadlines: Deadlines<TimedRun>;
  readonly #again = (run: TimedRun): void => this.#deadlines.add(run);
  readonly #stopAll = (): void => {
    for (const run of this.#deadlines.pending()) {
      run.abort(this.#options.stop.reason);
      // One that never ends must not keep a program running that has given it up.
      this.#deadlines.delete(run);
    }
  };

  constructor(options: RunLimitsOptions) {
    this.#options = options;
    this.#deadlines = new Deadlines(options.clock);
    options.stop.addEventListener('abort', this.#stopAll, { once: true });
  }

  begin(log: Logger): RunLimit {
    const run = new TimedRun(this.#options, log, this.#again);
    if (this.#options.stop.aborted) run.abort(this.#options.stop.reason);
    else this.#deadlines.add(run);
    return run;
  }

  /** Every run that was begun ends. */
  end(limit: RunLimit): void {
    const run = limit as TimedRun;
    this.#deadlines.delete(run);
    run.end();
  }

  /** No more runs will begin. */
  close(): void {
    this.#options.stop.removeEventListener('abort', this.#stopAll);
  }
}

class TimedRun implements RunLimit, Due {
  /** On the monotonic clock; moves on each time it has passed. */
  due: number;
  place = -1;
  readonly #options: RunLimitsOptions;
  readonly #log: Logger;
  readonly #again: (run: TimedRun) => void;
  readonly #own = new AbortController();
  /** How often it has passed its timeout. */
  #timeouts = 0;

  constructor(options: RunLimitsOptions, log: Logger, again: (run: TimedRun) => void) {
    this.#options = options;
    this.#log = log;
    this.#again = again;
    this.due = options.clock.recent() + options.timeout;
  }

  get signal(): AbortSignal {
    return this.#own.signal;
  }

  abort(reason: unknown): void {
    this.#own.abort(reason);
  }

  expire(): void {
    const { clock, timeout, metrics } = this.#options;
    this.#timeouts += 1;
    this.due = clock.monotonic() + timeout;
    this.#again(this);
    const seconds = (this.#timeouts * timeout) / 1000;
    const error = new KilterError('RECONCILE_TIMEOUT', `the run has taken ${seconds} s`);
    if (this.#timeouts > 1) {
      const stuck = 'the run is stuck: it was aborted but has not ended, and still holds its worker and its key';
      this.#log.error({ err: error }, stuck);
      return;
    }
    metrics.timedOut();
    this.#log.warn({ err: error }, 'the run is aborted; until it ends, it holds its worker and its key');
    this.#own.abort(error);
  }

  end(): void {
    if (this.#timeouts === 0) return;
    this.#options.metrics.cameBack();
    this.#log.info('the run that was stuck has ended');
  }
}
