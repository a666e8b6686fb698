import type { Informer, SharedCache } from '../cache/index.ts';
import { inWordsWithCauses, KilterError } from '../errors/index.ts';
import type { Clock } from '../internal/index.ts';
import type { Logger } from '../telemetry/index.ts';
import type { Part, PartContext } from './part.ts';

export interface PartGroupOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly cache: Pick<SharedCache, 'informer'>;
  readonly contextOf: (part: Part, signal: AbortSignal) => PartContext;
}

/** What is watched for a part that came while the operator ran. */
type Watched = readonly Pick<Informer, 'release'>[];

/** Parts that start and stop together. */
export class PartGroup {
  readonly #options: PartGroupOptions;
  readonly #stop = new AbortController();
  readonly #failure: PromiseWithResolvers<never> = Promise.withResolvers();
  /** By name: what runs. Settles with each, and never rejects. A job that is done leaves nothing behind, its name included. */
  readonly #running = new Map<string, Promise<void>>();
  /** What parts threw after they were told to end. */
  readonly #late: unknown[] = [];
  #waiting: { readonly part: Part; readonly watched: Watched }[] | undefined;

  constructor(parts: readonly Part[], options: PartGroupOptions) {
    this.#options = options;
    for (const part of parts) this.#declare(part);
    // What the operator was declared with stays cached: others may read it through the manager.
    this.#waiting = parts.map((part) => ({ part, watched: [] }));
    // Whoever waits hears of it; nobody has to.
    this.#failure.promise.catch(() => undefined);
  }

  /** Rejects with the first part that failed and without which the operator is not to continue. */
  get failed(): Promise<never> {
    return this.#failure.promise;
  }

  /** What still runs, by name. */
  get ends(): readonly { readonly name: string; readonly ended: Promise<void> }[] {
    return [...this.#running].map(([name, ended]) => ({ name: `part ${name}`, ended }));
  }

  get late(): readonly unknown[] {
    return this.#late;
  }

  start(): void {
    const parts = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const { part, watched } of parts) this.#begin(part, watched);
  }

  /** At once, or with the group where it has not started. */
  add(part: Part): void {
    if (this.#stop.signal.aborted) {
      throw new KilterError('MANAGER_STOPPED', `the part ${part.name} was added too late: the operator is stopping`);
    }
    if (this.#running.has(part.name) || this.#waiting?.some((other) => other.part.name === part.name)) {
      throw new KilterError('MANAGER_PART_INVALID', `two parts are named ${part.name}`);
    }
    const watched = this.#declare(part);
    if (this.#waiting === undefined) this.#begin(part, watched);
    else this.#waiting.push({ part, watched });
  }

  stop(reason: unknown): void {
    this.#waiting = [];
    this.#stop.abort(reason);
  }

  /** Watches what a part reads. Of one that comes while the operator runs, the first reads wait for the sync. */
  #declare({ reads }: Part): Watched {
    return reads.map((kind) => this.#options.cache.informer({ kind }));
  }

  #begin(part: Part, watched: Watched): void {
    if (this.#stop.signal.aborted) return;
    const life = this.#life(part)
      .then(() => Promise.all(watched.map((informer) => informer.release())))
      .then(() => void this.#running.delete(part.name));
    this.#running.set(part.name, life);
  }

  async #life(part: Part): Promise<void> {
    const { signal } = this.#stop;
    // A copy for each: what one part does to it is not seen by another.
    const context = this.#options.contextOf(part, signal);
    try {
      if (part.every === undefined) await part.run(context);
      else await this.#tick(part, part.every, context);
    } catch (error) {
      this.#failed(part, error);
    }
  }

  async #tick(part: Part, every: number, context: PartContext): Promise<void> {
    const { clock, logger } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        await part.run(context);
      } catch (error) {
        if (signal.aborted) throw error;
        logger.error({ part: part.name, err: partFailed(part, error) }, 'a part has failed; it is called again');
      }
      await clock.sleep(every, signal).catch(() => undefined);
    }
  }

  #failed(part: Part, thrown: unknown): void {
    const { signal } = this.#stop;
    const error = partFailed(part, thrown);
    if (signal.aborted) {
      // Ended by its own signal, it has only done what it was told.
      const isAbort = thrown === signal.reason || (thrown instanceof Error && thrown.name === 'AbortError');
      if (!isAbort) this.#late.push(error);
      return;
    }
    if (!part.optional) this.#failure.reject(error);
    else
      this.#options.logger.error(
        { part: part.name, err: error },
        'a part has failed; the operator continues without it',
      );
  }
}

function partFailed({ name }: Part, error: unknown): KilterError {
  return new KilterError('MANAGER_PART_FAILED', `the part ${name} failed: ${inWordsWithCauses(error)}`, {
    cause: error,
  });
}
