import { buckets, type Counter, type Exemplar, type Histogram, type Metrics } from '../telemetry/index.ts';
import type { Outcome } from './outcome.ts';

const results = ['success', 'error', 'requeue', 'requeue_after'] as const;

type ResultLabels = Readonly<Record<Outcome['result'], { readonly controller: string; readonly result: string }>>;

/** What controller-runtime measures of its runs, under the same names. */
export class RunMetrics {
  readonly #labels: { readonly controller: string };
  readonly #results: ResultLabels;
  readonly #total: Counter;
  readonly #errors: Counter;
  readonly #terminal: Counter;
  readonly #panics: Counter;
  readonly #timeouts: Counter;
  readonly #time: Histogram;
  /** Runs in progress; equals the gauge's value. */
  #active = 0;
  readonly #setActive: (value: number) => void;
  /** Runs that outlived their timeout and have not ended; equals the gauge's value. */
  #stuck = 0;
  readonly #setStuck: (value: number) => void;

  constructor(metrics: Metrics, controller: string, concurrency: number) {
    this.#labels = Object.freeze({ controller });
    const labelled = results.map((result) => [result, Object.freeze({ controller, result })] as const);
    this.#results = Object.fromEntries(labelled) as ResultLabels;
    const counter = (name: string, help: string): Counter => metrics.counter(`controller_runtime_${name}`, help);
    this.#total = counter('reconcile_total', 'Runs by result.');
    this.#errors = counter('reconcile_errors_total', 'Runs that failed.');
    this.#terminal = counter('terminal_reconcile_errors_total', 'Runs that ended with a terminal error.');
    this.#panics = counter('reconcile_panics_total', 'Runs that ended with a programming error.');
    this.#timeouts = counter('reconcile_timeouts_total', 'Runs that exceeded the reconcile timeout.');
    this.#time = metrics.histogram('controller_runtime_reconcile_time_seconds', 'Duration of runs.', buckets.runs);
    metrics
      .gauge('controller_runtime_max_concurrent_reconciles', 'Keys that may run at the same time.')
      .set(concurrency, this.#labels);
    const active = metrics.gauge('controller_runtime_active_workers', 'Keys running now.');
    this.#setActive = (value) => active.set(value, this.#labels);
    const stuck = metrics.gauge('kilter_stuck_runs', 'Runs that exceeded the reconcile timeout and have not ended.');
    this.#setStuck = (value) => stuck.set(value, this.#labels);
    this.#startAtZero();
  }

  /** Counters exist before the first run, so that a rate over them is right from the start. */
  #startAtZero(): void {
    for (const result of results) this.#total.inc(this.#results[result], 0);
    for (const counter of [this.#errors, this.#terminal, this.#panics, this.#timeouts]) counter.inc(this.#labels, 0);
    this.#setActive(0);
    this.#setStuck(0);
  }

  started(): void {
    this.#setActive((this.#active += 1));
  }

  timedOut(): void {
    this.#timeouts.inc(this.#labels);
    this.#setStuck((this.#stuck += 1));
  }

  /** One that had timed out has ended after all. */
  cameBack(): void {
    this.#setStuck((this.#stuck -= 1));
  }

  ended(outcome: Outcome, seconds: number, exemplar?: Exemplar): void {
    this.#setActive((this.#active -= 1));
    this.#total.inc(this.#results[outcome.result]);
    if (outcome.result === 'error') this.#errors.inc(this.#labels);
    if (outcome.terminal) this.#terminal.inc(this.#labels);
    if (outcome.panic) this.#panics.inc(this.#labels);
    this.#time.observe(seconds, this.#labels, exemplar);
  }
}
