import { isMissingRule } from '../errors/index.ts';
import type { Runtime } from '../internal/index.ts';
import type { Next, Work, WorkQueue } from '../queue/index.ts';
import { ReconcileError } from '../reconcile/index.ts';
import { type Exemplar, type Journal, lazyLogger, type Logger, type Span, type Tracing } from '../telemetry/index.ts';
import { causeInWords } from './causes.ts';
import type { HotLoops } from './hot-loops.ts';
import type { KeyReconciler } from './key-reconciler.ts';
import { isAbortOf, isCalledOff, isOrdinary, isPassing } from './ordinary.ts';
import { type Ended, nextInWords, type Outcome, outcomeOf } from './outcome.ts';
import { RunEntry, type RunFacts, RunID } from './run-entry.ts';
import { RunLimits } from './run-limits.ts';
import type { RunMetrics } from './run-metrics.ts';
import { RunInProgress, type RunTools } from './running.ts';
import type { RunWritesOptions } from './run-writes.ts';
import type { ControllerSpec } from './spec.ts';

export interface LoopOptions {
  readonly spec: ControllerSpec;
  readonly queue: WorkQueue;
  readonly reconciler: KeyReconciler;
  readonly runtime: Runtime;
  readonly logger: Logger;
  readonly metrics: RunMetrics;
  readonly journal: Journal;
  /** Default: nothing is traced. */
  readonly tracing?: Tracing | undefined;
  readonly hotLoops: Pick<HotLoops, 'begin'>;
  readonly clientFor: RunTools['clientFor'];
  /** An object as the cache has it, before a run writes it. Default: nothing is known of it. */
  readonly before?: RunWritesOptions['before'] | undefined;
  /** Why no run may begin at the moment; undefined while one may. Default: always. */
  readonly closed?: (() => string | undefined) | undefined;
  /** Aborts what runs: at the end of a graceful stop, or when leadership is lost. */
  readonly signal: AbortSignal;
}

/** How often a worker behind a closed gate looks whether it is open, in milliseconds. */
const doorLook = 100;

/** The last that was seen in a bucket of run times, to be found in a trace. */
function exemplarOf(span: Span | undefined, value: number, at: number): Exemplar | undefined {
  return span?.ids === undefined ? undefined : { labels: span.ids, value, at };
}

interface Reported extends RunFacts {
  readonly id: RunID;
  readonly log: Logger;
}

/** Takes keys from the queue and runs them, `concurrency` at a time, until the queue is shut down. */
export class Loop {
  readonly #options: LoopOptions;
  readonly #limits: RunLimits;
  readonly #tools: RunTools;
  /** What runs now. Not a Set: one that is filled and emptied all the time leaves its tables behind. */
  readonly #running: Work[] = [];

  constructor(options: LoopOptions) {
    this.#options = options;
    const { spec, runtime, signal, metrics, clientFor, before = () => undefined } = options;
    const { clock } = runtime;
    this.#tools = { clock, before, clientFor };
    this.#limits = new RunLimits({ clock, timeout: spec.timeout, stop: signal, metrics });
  }

  /** The keys that run now. */
  get running(): ReadonlySet<string> {
    return new Set(this.#running.map(({ key }) => key));
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
        queue.done(work, { type: 'retry', reason: 'cancelled before it began' });
        continue;
      }
      // Every take has exactly one done, whatever happens in between.
      let next: Next = { type: 'retry', reason: 'the run could not be completed' };
      let hold = 0;
      this.#running.push(work);
      try {
        const run = this.#begin(work);
        ({ next, hold } = this.#conclude(run, await this.#carryOut(run)));
      } catch (error) {
        this.#options.logger.error({ err: error, key: work.key }, 'a run could not be completed');
      } finally {
        this.#leave(work);
        queue.done(work, next, { hold });
      }
    }
  }

  #leave(work: Work): void {
    const last = this.#running.pop() as Work;
    if (last !== work) this.#running[this.#running.indexOf(work)] = last;
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

  #begin(work: Work): RunInProgress {
    const { runtime, metrics, hotLoops } = this.#options;
    const id = new RunID(runtime);
    const startedAt = runtime.clock.now();
    const span = this.#span(work, startedAt);
    const log = this.#log(work, id, span);
    // It was asked for when the key was taken.
    const start = runtime.clock.recent();
    metrics.started();
    const limit = this.#limits.begin(log);
    const watch = hotLoops.begin(work);
    return new RunInProgress(work, { id, startedAt, start, span, log, limit, watch }, this.#tools);
  }

  #carryOut(run: RunInProgress): Promise<Ended> {
    const { reconciler } = this.#options;
    const { span } = run.begun;
    return span === undefined ? reconciler.run(run) : span.within(() => reconciler.run(run));
  }

  #conclude(run: RunInProgress, ended: Ended): { next: Next; hold: number } {
    const { runtime, metrics } = this.#options;
    const { work, begun } = run;
    const { id, startedAt, start, span, log, limit, watch } = begun;
    this.#limits.end(limit);
    if (ended.type === 'returned') run.returned();
    const judged = outcomeOf(ended);
    // By the result, not by the error: `throw undefined` is a failure too.
    const outcome = judged.result === 'error' ? { ...judged, error: this.#describe(judged.error, work, id) } : judged;
    const durationMs = runtime.clock.monotonic() - start;
    metrics.ended(outcome, durationMs / 1000, exemplarOf(span, durationMs / 1000, startedAt));
    span?.set({ 'kilter.result': outcome.result, 'kilter.reconcile_id': id.text });
    span?.end({ error: outcome.error });
    const { hold, found } = watch.end(log);
    if (ended.type === 'absent' || (ended.type === 'returned' && ended.gone === true)) watch.drop();
    const { timing, writes } = run;
    const gone = ended.type === 'threw' && ended.gone === true;
    const facts = { id, log, startedAt, durationMs, found, timing, writes, trace: span?.ids };
    this.#report(work, outcome, facts);
    if (outcome.result === 'error') this.#reportError(run, outcome, gone);
    return { next: outcome.next, hold };
  }

  #describe(error: unknown, { key }: Work, id: RunID): ReconcileError {
    return new ReconcileError(error, { controller: this.#options.spec.name, key, reconcileID: id.text });
  }

  /** One trace for each run, with the wait before it. */
  #span(work: Work, startedAt: number): Span | undefined {
    const { tracing, spec } = this.#options;
    if (tracing === undefined) return undefined;
    const { name, namespace } = work.ref;
    const attributes = {
      'kilter.controller': spec.name,
      'kilter.kind': spec.kind.names.kind,
      'kilter.name': name,
      ...(namespace !== undefined && { 'k8s.namespace.name': namespace }),
      'kilter.causes': causesOf(work),
      'kilter.failures': work.failures,
    };
    const span = tracing.start(`reconcile ${spec.name}`, { attributes, startedAt, parent: 'none' });
    const waiting = { startedAt: startedAt - work.waited, parent: span };
    tracing.start('queue wait', waiting).end({ at: startedAt });
    return span;
  }

  #log(work: Work, id: RunID, span: Span | undefined): Logger {
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
        ...span?.ids,
      }),
    );
  }

  #report(work: Work, outcome: Outcome, reported: Reported): void {
    const { id, log, durationMs } = reported;
    const { result } = outcome;
    this.#options.journal.record(new RunEntry({ controller: this.#options.spec.name, work, id }, outcome, reported));
    // Asked of the controller's logger: that of the run need not be made for a line nobody reads.
    if (result === 'error' || this.#options.logger.isLevelEnabled?.('debug') === false) return;
    log.debug({ causes: causesOf(work), result, next: nextInWords(outcome.next), durationMs }, 'reconciled');
  }

  /** `gone`: its object was deleted while it ran. */
  #reportError({ work, log, signal }: RunInProgress, outcome: Outcome, gone: boolean): void {
    const causes = causesOf(work);
    const next = nextInWords(outcome.next);
    const error = outcome.error instanceof Error ? outcome.error.message : undefined;
    // It was asked to end, and ended.
    const calledOff = isCalledOff(outcome.error) || isAbortOf(signal, outcome.error);
    if (calledOff) log.info({ causes, error }, 'the run was cancelled');
    else if (gone) log.info({ causes, next, error }, 'the object was deleted while it ran');
    else if (isPassing(outcome.error)) log.info({ causes, next, error }, 'the run failed');
    else if (isOrdinary(outcome.error)) log.warn({ causes, next, error }, 'the run failed');
    // What to grant is said in the message: a stack would only hide it.
    else if (isMissingRule(outcome.error)) log.error({ causes, next, error }, 'the run failed');
    else log.error({ causes, next, err: outcome.error }, 'the run failed');
  }
}

function causesOf({ causes }: Work): string[] {
  return causes.map(causeInWords);
}
