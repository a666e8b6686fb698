import type { SharedCache } from '../cache/index.ts';
import type { ControllerRunner } from '../controller/index.ts';
import type { Election } from '../election/index.ts';
import { KilterError } from '../errors/index.ts';
import { aborted, type Clock, orAbort } from '../internal/index.ts';
import type { Recorder } from '../recorder/index.ts';
import type { Logger } from '../telemetry/index.ts';
import type { Endpoint } from './endpoints.ts';
import type { ResolvedElection } from './options.ts';

/** The parts of one started operator, in the order they stand on each other. */
export interface Parts {
  readonly cache: SharedCache;
  readonly runners: readonly ControllerRunner[];
  readonly election: Election | undefined;
  readonly hooks: Pick<ResolvedElection, 'onStartedLeading' | 'onStoppedLeading'> | undefined;
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly gracefulStop: number;
  /** Opens the metrics and probe servers; none unless asked for. */
  readonly openEndpoints: () => Promise<readonly Endpoint[]>;
}

// After the deadline aborted what still ran, it gets this long to notice before it is named as stuck.
const lastMoment = 1000;

/** Order of start and stop. Runs once. */
export class Lifecycle {
  readonly #parts: Parts;
  readonly #stop: AbortSignal;
  /** Aborts what runs: at the deadline of a stop, or at once when leadership is lost. */
  readonly #work = new AbortController();
  readonly #ready: PromiseWithResolvers<void> = Promise.withResolvers();
  /** Open from the start to the end of the stop. */
  #endpoints: readonly Endpoint[] = [];
  #synced = false;
  #led = false;
  /** From the first moment of a stop, whatever began it. */
  #stopping = false;

  constructor(parts: Parts, stop: AbortSignal) {
    this.#parts = parts;
    this.#stop = stop;
    // Whoever waits for readiness sees the failure; nobody has to wait.
    this.#ready.promise.catch(() => undefined);
  }

  /** Resolves once caches are synced; rejects if that does not come to pass. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  get endpoints(): readonly Endpoint[] {
    return this.#endpoints;
  }

  /** Why the operator is not ready; false from the first moment of a stop. */
  readiness(): string | undefined {
    if (this.#stop.aborted || this.#stopping) return 'stopping';
    return this.#synced ? undefined : 'caches are not synced';
  }

  /** Resolves after a graceful stop; rejects with the first failure. */
  async run(): Promise<void> {
    const failures: unknown[] = [];
    await this.#untilStop().catch((error: unknown) => {
      // What a stop aborts has not failed; it is still told, in case it is more than that.
      if (this.#stop.aborted) this.#parts.logger.debug({ err: error }, 'ended by the stop');
      else failures.push(error);
    });
    if (failures.length > 0) this.#parts.logger.error({ err: failures[0] }, 'the operator stops');
    await this.#shutDown(failures).catch((error: unknown) => failures.push(error));
    this.#ready.reject(failures[0] ?? new KilterError('MANAGER_STOPPED', 'stopped before it was ready'));
    if (failures.length === 1) throw failures[0];
    if (failures.length > 1) throw new AggregateError(failures, String(failures[0]), { cause: failures[0] });
  }

  async #untilStop(): Promise<void> {
    const { cache, runners, openEndpoints, logger } = this.#parts;
    this.#endpoints = await openEndpoints();
    // Handlers first: a controller added to a running informer would need its initial list again.
    for (const runner of runners) runner.connect();
    await orAbort(cache.start(), this.#stop);
    this.#synced = true;
    this.#ready.resolve();
    logger.info('caches are synced');
    await this.#lead();
    if (this.#stop.aborted) return;
    const loops = runners.map((runner) => runner.start(this.#work.signal));
    await this.#whileLeading(loops.map(neverDone));
  }

  async #lead(): Promise<void> {
    const { election, hooks } = this.#parts;
    if (election === undefined) return;
    const { epoch } = await election.campaign(this.#stop);
    this.#led = true;
    const { onStartedLeading } = hooks ?? {};
    if (onStartedLeading !== undefined) {
      await this.#whileLeading([Promise.resolve(onStartedLeading({ epoch, signal: this.#work.signal }))]);
    }
  }

  /** As the first of the works ends, or with a stop; rejects when one fails or the lease is lost. */
  async #whileLeading(works: readonly Promise<void>[]): Promise<void> {
    const lost = this.#parts.election?.lost ?? new Promise<never>(() => undefined);
    await Promise.race([aborted(this.#stop), lost, ...works]);
  }

  async #shutDown(failures: readonly unknown[]): Promise<void> {
    const { cache, runners, recorder, clock, gracefulStop, hooks } = this.#parts;
    this.#stopping = true;
    this.#parts.logger.info('stopping');
    const deadline = clock.monotonic() + gracefulStop;
    const left = (): number => Math.max(0, deadline - clock.monotonic());
    for (const runner of runners) runner.shutdown();
    // A failure leaves no grace: after a lost lease another replica may already write.
    if (failures.length > 0) this.#work.abort(failures[0]);
    const stuck = await this.#drain(failures.length > 0 ? 0 : left());
    const problems: unknown[] = stuck.length === 0 ? [] : [stillRunning(stuck)];
    const attempt = async (work: () => unknown): Promise<void> => {
      try {
        await work();
      } catch (error) {
        problems.push(error);
      }
    };
    await attempt(() => cache.stop());
    for (const endpoint of this.#endpoints) await attempt(() => endpoint.close());
    if (this.#led) await attempt(() => this.#bounded(hooks?.onStoppedLeading, left()));
    // Released only after all guarded work has ended; else it runs out, because nothing renews it any more.
    if (stuck.length === 0 && failures.length === 0) await attempt(() => this.#parts.election?.release());
    else this.#parts.election?.abandon();
    await attempt(() => recorder.stop(left()));
    if (problems.length === 1) throw problems[0];
    if (problems.length > 1) throw new AggregateError(problems, String(problems[0]), { cause: problems[0] });
  }

  /** A hook may not hold up the stop for ever. */
  async #bounded(hook: (() => void | Promise<void>) | undefined, ms: number): Promise<void> {
    if (hook === undefined) return;
    const over = new AbortController();
    const timer = this.#parts.clock.timer(ms, () => over.abort(stillRunning(['onStoppedLeading'])));
    try {
      await orAbort(Promise.resolve(hook()), over.signal);
    } finally {
      timer.cancel();
    }
  }

  /** Waits for running work, aborts it at the deadline, and names what did not end even then. */
  async #drain(ms: number): Promise<string[]> {
    const { runners, clock } = this.#parts;
    const running = new Set(runners.map((runner) => runner.name));
    const ends = Promise.all(runners.map((runner) => runner.drained().then(() => running.delete(runner.name))));
    for (const wait of [ms, lastMoment]) {
      const over = new AbortController();
      const timer = clock.timer(wait, () => over.abort());
      await Promise.race([ends, aborted(over.signal)]);
      timer.cancel();
      this.#work.abort(new KilterError('MANAGER_STOPPED', 'the graceful stop is over'));
      if (running.size === 0) return [];
    }
    return [...running];
  }
}

function stillRunning(names: readonly string[]): KilterError {
  return new KilterError('MANAGER_STOP_TIMEOUT', `still running: ${names.join(', ')}`);
}

/** A loop that ends by itself has been shut down: only its failure is news. */
async function neverDone(loop: Promise<void>): Promise<never> {
  await loop;
  return new Promise<never>(() => undefined);
}
