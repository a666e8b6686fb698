import type { WriteObserver } from '../cache/index.ts';
import type { Client } from '../client/index.ts';
import { isMissingRule } from '../errors/index.ts';
import type { Runtime } from '../internal/index.ts';
import type { Next, Work, WorkQueue } from '../queue/index.ts';
import { ReconcileError, type Run } from '../reconcile/index.ts';
import { type Journal, lazyLogger, type Logger } from '../telemetry/index.ts';
import { causeInWords } from './causes.ts';
import type { HotLoop, HotLoops } from './hot-loops.ts';
import type { OneRun } from './one-run.ts';
import { isCalledOff, isOrdinary, isPassing } from './ordinary.ts';
import { nextInWords, type Outcome, outcomeOf } from './outcome.ts';
import { RunLimits } from './run-limits.ts';
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
  readonly clientFor: (work: Work, observe: WriteObserver) => Client;
  /** Why no run may begin at the moment; undefined while one may. Default: always. */
  readonly closed?: (() => string | undefined) | undefined;
  /** Aborts what runs: at the end of a graceful stop, or when leadership is lost. */
  readonly signal: AbortSignal;
}

/** How often a worker behind a closed gate looks whether it is open, in milliseconds. */
const doorLook = 100;

/** The ID of a run, drawn when somebody wants to know it. */
class RunID {
  readonly #runtime: Runtime;
  #text: string | undefined = undefined;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  get text(): string {
    return (this.#text ??= this.#runtime.uuid());
  }
}

interface Reported {
  readonly id: RunID;
  readonly log: Logger;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly found: HotLoop | undefined;
}

/** Takes keys from the queue and runs them, `concurrency` at a time, until the queue is shut down. */
export class Loop {
  readonly #options: LoopOptions;
  readonly #limits: RunLimits;

  constructor(options: LoopOptions) {
    this.#options = options;
    const { spec, runtime, signal, metrics } = options;
    this.#limits = new RunLimits({ clock: runtime.clock, timeout: spec.timeout, stop: signal, metrics });
  }

  /** Resolves when every worker has ended. */
  async run(): Promise<void> {
    try {
      await Promise.all(Array.from({ length: this.#options.spec.concurrency }, () => this.#worker()));
    } finally {
      this.#limits.close();
    }
  }

  async #worker(): Promise<void> {
    const { queue, runtime } = this.#options;
    for (;;) {
      // Runs without I/O follow each other by microtasks: unasked, they would keep timers and sockets waiting to the last key.
      const pause = runtime.clock.pause();
      if (pause !== undefined) await pause;
      const work = queue.takeReady() ?? (await queue.take());
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
    const id = new RunID(runtime);
    const log = this.#log(work, id);
    const startedAt = runtime.clock.now();
    const start = runtime.clock.monotonic();
    metrics.started();
    const limit = this.#limits.begin(log);
    const watch = hotLoops.begin(work);
    const run: Run = {
      ref: work.ref,
      key: work.key,
      causes: work.causes,
      signal: limit.signal,
      log,
      client: clientFor(work, watch.observe),
    };
    const ended = await oneRun.run(run);
    this.#limits.end(limit);
    const judged = outcomeOf(ended);
    // By the result, not by the error: `throw undefined` is a failure too.
    const outcome = judged.result === 'error' ? { ...judged, error: this.#describe(judged.error, work, id) } : judged;
    const durationMs = runtime.clock.monotonic() - start;
    metrics.ended(outcome, durationMs / 1000);
    const { hold, found } = watch.end(log);
    if (ended.type === 'absent' || (ended.type === 'returned' && ended.gone === true)) watch.drop();
    this.#report(work, outcome, { id, log, startedAt, durationMs, found });
    return { next: outcome.next, hold };
  }

  #describe(error: unknown, { key }: Work, id: RunID): ReconcileError {
    return new ReconcileError(error, { controller: this.#options.spec.name, key, reconcileID: id.text });
  }

  #log(work: Work, id: RunID): Logger {
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
        reconcileID: id.text,
      }),
    );
  }

  #report(work: Work, outcome: Outcome, { id, log, startedAt, durationMs, found }: Reported): void {
    // What the record keeps is named one by one: an error may hold anything, and a thousand records are kept.
    const { result, next: follows } = outcome;
    const causes = (): string[] => work.causes.map(causeInWords);
    const next = (): string => nextInWords(follows);
    const error = outcome.error instanceof Error ? outcome.error.message : undefined;
    // Nearly all records are overwritten before anybody reads them: words are found when somebody does.
    this.#options.journal.record(() => ({
      controller: this.#options.spec.name,
      key: work.key,
      reconcileID: id.text,
      causes: causes(),
      result,
      next: next(),
      startedAt,
      durationMs,
      error,
      ...(found !== undefined && { hotLoop: found }),
    }));
    if (result !== 'error') {
      // Asked of the controller's logger: that of the run need not be made for a line nobody reads.
      if (this.#options.logger.isLevelEnabled?.('debug') !== false) {
        log.debug({ causes: causes(), result, next: next(), durationMs }, 'reconciled');
      }
    } else if (isCalledOff(outcome.error)) log.info({ causes: causes(), error }, 'the run was called off');
    else if (isPassing(outcome.error)) log.info({ causes: causes(), next: next(), error }, 'the run failed');
    else if (isOrdinary(outcome.error)) log.warn({ causes: causes(), next: next(), error }, 'the run failed');
    // What to grant is said in the message: a stack would only hide it.
    else if (isMissingRule(outcome.error)) log.error({ causes: causes(), next: next(), error }, 'the run failed');
    else log.error({ causes: causes(), next: next(), err: outcome.error }, 'the run failed');
  }
}
