import { KilterError } from '../errors/index.ts';
import { aborted, betweenSteps, orAbort } from '../internal/index.ts';
import { inBrief } from '../telemetry/index.ts';
import type { Endpoint } from './endpoints.ts';
import type { Parts } from './parts.ts';
import { Shutdown, type Standing } from './shutdown.ts';

/** How long `onStartedLeading` may keep a leader from its work before that is told, in milliseconds. */
const slowHook = 10_000;
const hookWaits =
  'onStartedLeading has not returned: controllers and parts of the leader start after it; make what runs while this replica leads a part';

/** Order of start and stop. Runs once. */
export class Lifecycle {
  readonly #parts: Parts;
  readonly #stop: AbortSignal;
  readonly #ready: PromiseWithResolvers<void> = Promise.withResolvers();
  /** Open from the start to the end of the stop. */
  #endpoints: readonly Endpoint[] = [];
  #synced = false;
  /** Ends the access review with the operator. */
  readonly #reviewing = new AbortController();
  #led = false;
  /** Set once it leads and there is such a hook. */
  #hook: Standing['hook'];
  /** What the hook threw. */
  #hookThrew: unknown;
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

  /** Resolves after a graceful stop; rejects with the first failure, to which those of the stop are attached. */
  async run(): Promise<void> {
    const failures: unknown[] = [];
    const { uncaught } = this.#parts;
    const untilStop = this.#untilStop();
    // Whoever comes second is not waited for any more, and not news either.
    untilStop.catch(() => undefined);
    await (uncaught === undefined ? untilStop : Promise.race([untilStop, uncaught])).catch((error: unknown) => {
      // What a stop aborts has not failed; it is still logged, in case it is more than that.
      if (this.#stop.aborted) this.#parts.logger.debug({ err: error }, 'ended by the stop');
      else failures.push(error ?? new Error('undefined was thrown'));
    });
    this.#stopping = true;
    this.#reviewing.abort(new KilterError('MANAGER_STOPPED', 'the operator is stopping'));
    this.#tellStop(failures);
    const standing = { endpoints: this.#endpoints, led: this.#led, hook: this.#hook, failure: failures[0] };
    const problems = await new Shutdown(this.#parts, standing).run();
    for (const problem of problems) this.#tell(problem, 'failed while stopping');
    failures.push(...problems);
    const [first, ...others] = failures;
    this.#ready.reject(first ?? new KilterError('MANAGER_STOPPED', 'stopped before it was ready'));
    if (failures.length > 0) throw withSuppressed(first, others);
    this.#parts.logger.info('stopped');
  }

  #tellStop([failure]: readonly unknown[]): void {
    if (failure === undefined) this.#parts.logger.info({ reason: reasonOf(this.#stop) }, 'stopping');
    else if (this.#hookThrew === failure) this.#tell(failure, 'onStartedLeading failed; the operator is stopping');
    else this.#tell(failure, 'the operator is stopping because of a failure');
  }

  /** The only place that tells what ends an operator: who gets it from `done` need not. */
  #tell(failure: unknown, text: string): void {
    const { logger } = this.#parts;
    if (!(failure instanceof KilterError)) logger.error({ err: failure }, text);
    else logger.error(toldAlready.has(failure.code) ? { code: failure.code } : inBrief(failure), text);
  }

  async #untilStop(): Promise<void> {
    const { cache, runners, replicaRunners, replicaParts, webhooks, openEndpoints, clock, logger, work } = this.#parts;
    const groups = [replicaRunners, runners];
    this.#endpoints = await openEndpoints();
    await betweenSteps(clock);
    // Handlers first: a controller added to a running informer would need its initial list again.
    for (const group of groups) group.connect();
    await betweenSteps(clock);
    // In the very moment of a stop: not one key is handed out after it.
    this.#stop.addEventListener('abort', () => groups.forEach((group) => group.shutdown()), { once: true });
    // Together: what is read may have to be converted first, by this very replica.
    const started = Promise.all([cache.start(), webhooks?.start()]);
    await orAbort(Promise.race([started, this.#denied()]), this.#stop);
    this.#synced = true;
    this.#ready.resolve();
    logger.info('caches are synced');
    replicaParts.start();
    replicaRunners.start(work.signal);
    const failing = Promise.race([replicaParts.failed, replicaRunners.failed]);
    failing.catch(() => undefined);
    await Promise.race([this.#lead(), failing]);
    if (this.#stop.aborted) return;
    await Promise.race([this.#parts.crashes?.begin(), failing, aborted(this.#stop)]);
    if (this.#stop.aborted) return;
    this.#parts.leaderParts.start();
    runners.start(work.signal);
    await this.#whileLeading([failing, this.#parts.leaderParts.failed, runners.failed]);
  }

  /** Rejects where reading is denied. Once everything is read, that is disproved. */
  #denied(): Promise<never> {
    const denied = neverDone(this.#parts.review?.(this.#reviewing.signal) ?? Promise.resolve());
    denied.catch(() => undefined);
    return denied;
  }

  async #lead(): Promise<void> {
    const { election, hooks, clock, logger } = this.#parts;
    if (election === undefined) return;
    const { epoch } = await election.campaign(this.#stop);
    this.#led = true;
    // Won in the moment of the stop: nothing of a leader begins any more.
    if (hooks?.onStartedLeading === undefined || this.#stop.aborted) return;
    const stop = new AbortController();
    const { onStartedLeading } = hooks;
    const ended = (async () => onStartedLeading({ epoch, signal: stop.signal }))().catch((thrown: unknown) => {
      this.#hookThrew = thrown ?? new Error('onStartedLeading threw undefined');
      throw this.#hookThrew;
    });
    this.#hook = { ended, stop };
    const slow = clock.timer(slowHook, () => logger.warn(hookWaits));
    try {
      await this.#whileLeading([ended]);
    } finally {
      slow.cancel();
    }
  }

  /** As the first of the works ends, or with a stop; rejects when one fails or the lease is lost. */
  async #whileLeading(works: readonly Promise<void>[]): Promise<void> {
    const lost = this.#parts.election?.lost ?? new Promise<never>(() => undefined);
    await Promise.race([aborted(this.#stop), lost, ...works]);
  }
}

/** Told in full by who sees them, in that very moment. */
const toldAlready: ReadonlySet<string> = new Set(['MANAGER_UNCAUGHT', 'ELECTION_LOST']);

function reasonOf({ reason }: AbortSignal): string {
  return inBrief(reason).error;
}

/** The first failure as it was thrown, so that it can be recognised; what failed after it hangs on it. */
function withSuppressed(first: unknown, others: readonly unknown[]): unknown {
  if (others.length > 0 && first instanceof Error && Object.isExtensible(first)) {
    Object.defineProperty(first, 'suppressed', { value: others, configurable: true });
  }
  return first;
}

/** Only its failure is news. */
async function neverDone(work: Promise<void>): Promise<never> {
  await work;
  return new Promise<never>(() => undefined);
}
