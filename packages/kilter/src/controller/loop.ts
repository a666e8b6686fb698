import { keyOfRef } from '../api/index.ts';
import type { WriteObserver } from '../cache/index.ts';
import type { Client } from '../client/index.ts';
import { KilterError } from '../errors/index.ts';
import { Deadlines, type Due, type Runtime } from '../internal/index.ts';
import type { Next, Work, WorkQueue } from '../queue/index.ts';
import { ReconcileError, type Run } from '../reconcile/index.ts';
import { type Journal, lazyLogger, type Logger } from '../telemetry/index.ts';
import { causeInWords } from './causes.ts';
import type { HotLoop, HotLoops } from './hot-loops.ts';
import type { OneRun } from './one-run.ts';
import { isCalledOff, isOrdinary, isPassing } from './ordinary.ts';
import { nextInWords, type Outcome, outcomeOf } from './outcome.ts';
import type { RunMetrics } from './run-metrics.ts';
import type { ControllerSpec } from './spec.ts';

export interface LoopOptions {
  readonly spec: ControllerSpec;
  readonly queue: WorkQueue;
  readonly oneRun: OneRun;
  readonly runtime: Runtime;
  readonly logger: Logger;
  readonly metrics: RunMetrics;
  readonly journal: Journal;
  readonly hotLoops: Pick<HotLoops, 'begin'>;
  /** The client of a run, which remembers its writes for the key and shows them to an observer. */
  readonly clientFor: (key: string, observe: WriteObserver) => Client;
  /** Why no run may begin at the moment; undefined while one may. Default: always. */
  readonly closed?: (() => string | undefined) | undefined;
  /** Aborts what runs: at the end of a graceful stop, or when leadership is lost. */
  readonly signal: AbortSignal;
}

/** How often a worker behind a closed gate looks whether it is open, in milliseconds. */
const doorLook = 100;

/** Takes keys from the queue and runs them, `concurrency` at a time, until the queue is shut down. */
export class Loop {
  readonly #options: LoopOptions;
  /** When each run in progress is to be aborted. */
  readonly #deadlines: Deadlines;

  constructor(options: LoopOptions) {
    this.#options = options;
    this.#deadlines = new Deadlines(options.runtime.clock);
  }

  /** Resolves when every worker has ended. */
  async run(): Promise<void> {
    await Promise.all(Array.from({ length: this.#options.spec.concurrency }, () => this.#worker()));
  }

  async #worker(): Promise<void> {
    const { queue, runtime } = this.#options;
    for (;;) {
      // Runs without I/O follow each other by microtasks: unasked, they would keep timers and sockets waiting to the last key.
      const pause = runtime.clock.pause();
      if (pause !== undefined) await pause;
      const work = await queue.take();
      if (work === undefined) return;
      const door = this.#door();
      if (door !== undefined && !(await door)) {
        queue.done(work, { type: 'retry', reason: 'called off before it began' });
        continue;
      }
      // Every take has exactly one done, whatever happens in between.
      let next: Next = { type: 'retry', reason: 'the run could not be concluded' };
      let hold = 0;
      try {
        ({ next, hold } = await this.#handle(work));
      } catch (error) {
        this.#options.logger.error({ err: error, key: work.key }, 'a run could not be concluded');
      } finally {
        queue.done(work, next, { hold });
      }
    }
  }

  /**
   * Behind a closed gate every write would be refused: after a pause of the process a key waits here until it is known
   * whether this replica still leads, instead of a run for each that comes to nothing. Undefined while the gate is open.
   */
  #door(): Promise<boolean> | undefined {
    return this.#options.closed?.() === undefined ? undefined : this.#untilOpen();
  }

  /** Whether it opened, or work was called off first. */
  async #untilOpen(): Promise<boolean> {
    const { closed, runtime, signal } = this.#options;
    while (closed?.() !== undefined) {
      if (signal.aborted) return false;
      await runtime.clock.sleep(doorLook, signal).catch(() => undefined);
    }
    return !signal.aborted;
  }

  async #handle(work: Work): Promise<{ next: Next; hold: number }> {
    const { runtime, metrics, oneRun, clientFor, hotLoops } = this.#options;
    const reconcileID = runtime.uuid();
    const log = this.#log(work, reconcileID);
    const startedAt = runtime.clock.now();
    const start = runtime.clock.monotonic();
    metrics.started();
    const { signal, end } = this.#deadline(log);
    const identity = { controller: this.#options.spec.name, key: work.key, reconcileID };
    const describe = (error: unknown): ReconcileError => new ReconcileError(error, identity);
    const watch = hotLoops.begin(work);
    const run: Run = {
      ref: work.ref,
      key: work.key,
      causes: work.causes,
      signal,
      log,
      client: clientFor(work.key, watch.observe),
    };
    const ended = await oneRun.run(run);
    end();
    const judged = outcomeOf(ended);
    // By the result, not by the error: `throw undefined` is a failure too.
    const outcome = judged.result === 'error' ? { ...judged, error: describe(judged.error) } : judged;
    const durationMs = runtime.clock.monotonic() - start;
    metrics.ended(outcome, durationMs / 1000);
    const { hold, found } = watch.end(log);
    this.#report(work, outcome, { reconcileID, log, startedAt, durationMs, found });
    return { next: outcome.next, hold };
  }

  #log(work: Work, reconcileID: string): Logger {
    const { spec, logger } = this.#options;
    const { group, kind } = spec.kind.names;
    const { name, namespace = '' } = work.ref;
    return lazyLogger(() =>
      logger.child({
        controller: spec.name,
        controllerGroup: group,
        controllerKind: kind,
        [kind]: { namespace, name },
        namespace,
        name,
        reconcileID,
      }),
    );
  }

  #deadline(log: Logger): { signal: AbortSignal; end: () => void } {
    const { spec, metrics, signal: stop } = this.#options;
    const own = new AbortController();
    let timeouts = 0;
    const late = (): void => {
      timeouts += 1;
      due = this.#due(late);
      const seconds = (timeouts * spec.timeout) / 1000;
      const error = new KilterError('RECONCILE_TIMEOUT', `the run has taken ${seconds} s`);
      if (timeouts > 1) {
        log.error({ err: error }, 'the run is stuck: it was aborted, has not ended, and keeps its worker and its key');
        return;
      }
      metrics.timedOut();
      log.warn({ err: error }, 'the run is aborted; until it ends it keeps its worker and its key');
      own.abort(error);
    };
    let due = this.#due(late);
    // By hand: a signal made by AbortSignal.any lives as long as its longest source while anybody listens to it.
    const follow = (): void => own.abort(stop.reason);
    if (stop.aborted) follow();
    stop.addEventListener('abort', follow, { once: true });
    const end = (): void => {
      this.#deadlines.delete(due);
      stop.removeEventListener('abort', follow);
      if (timeouts === 0) return;
      metrics.cameBack();
      log.info('the run that was stuck has ended');
    };
    return { signal: own.signal, end };
  }

  #due(expire: () => void): Due {
    const { spec, runtime } = this.#options;
    const due = { due: runtime.clock.monotonic() + spec.timeout, expire };
    this.#deadlines.add(due);
    return due;
  }

  #report(
    work: Work,
    outcome: Outcome,
    {
      reconcileID,
      log,
      startedAt,
      durationMs,
      found,
    }: { reconcileID: string; log: Logger; startedAt: number; durationMs: number; found: HotLoop | undefined },
  ): void {
    const causes = work.causes.map(causeInWords);
    const next = nextInWords(outcome.next);
    const error = outcome.error instanceof Error ? outcome.error.message : undefined;
    const { result } = outcome;
    this.#options.journal.record({
      controller: this.#options.spec.name,
      key: keyOfRef(work.ref),
      reconcileID,
      causes,
      result,
      next,
      startedAt,
      durationMs,
      error,
      ...(found !== undefined && { hotLoop: found }),
    });
    if (result !== 'error') {
      // Asked of the controller's logger: that of the run need not be made for a line nobody reads.
      if (this.#options.logger.isLevelEnabled?.('debug') !== false) {
        log.debug({ causes, result, next, durationMs }, 'reconciled');
      }
    } else if (isCalledOff(outcome.error)) log.info({ causes, error }, 'the run was called off');
    else if (isPassing(outcome.error)) log.info({ causes, next, error }, 'the run failed');
    else if (isOrdinary(outcome.error)) log.warn({ causes, next, error }, 'the run failed');
    else log.error({ causes, next, err: outcome.error }, 'the run failed');
  }
}
