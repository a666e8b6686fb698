import { hasCode, KilterError } from '../errors/index.ts';
import { aborted, type Clock, orAbort } from '../internal/index.ts';
import type { Endpoint } from './endpoints.ts';
import type { Parts } from './parts.ts';
import { lastMoment, type StopTimes, stopTimes } from './stop-times.ts';

/** How far the operator has come when its stop begins. */
export interface Standing {
  readonly endpoints: readonly Endpoint[];
  /** It has led. */
  readonly led: boolean;
  /** The hook that was called when it began to lead, and how to tell it that the time of leading is over. */
  readonly hook: { readonly ended: Promise<void>; readonly stop: AbortController } | undefined;
  /** Why it stops, where that is a failure: then nothing gets any grace. */
  readonly failure: unknown;
}

interface Work {
  readonly name: string;
  readonly ended: Promise<unknown>;
  /** What of it runs now, by name; without, it is one thing that is called by its own. */
  readonly running?: () => readonly string[];
}

/** Behind a server that hangs, the runs of all workers are stuck; the first of them say enough. */
const mostNamed = 10;

export function stillRunning(names: readonly string[]): KilterError {
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
  return new KilterError('MANAGER_STOP_TIMEOUT', `still running: ${names.slice(0, mostNamed).join(', ')}${more}`);
}

function namesOf({ name, running }: Work): readonly string[] {
  const names = running?.() ?? [];
  return names.length === 0 ? [name] : names;
}

const stopped = (): KilterError => new KilterError('MANAGER_STOPPED', 'the operator is stopping');

/** Resolves with the work, after so long, or with the signal; leaves no timer behind. */
async function atMost(clock: Clock, ms: number, works: readonly Promise<unknown>[]): Promise<void> {
  const over = new AbortController();
  const timer = clock.timer(ms, () => over.abort());
  await Promise.race([...works, aborted(over.signal)]);
  timer.cancel();
}

/** The way down, in order, under one deadline. Runs once. */
export class Shutdown {
  readonly #parts: Parts;
  readonly #standing: Standing;
  readonly #times: StopTimes;
  /** In the order they happened. */
  readonly #problems: unknown[] = [];
  /** Settles with the loss of the Lease; never without. */
  readonly #loss: Promise<void>;
  #lost: { readonly error: unknown } | undefined;

  constructor(parts: Parts, standing: Standing) {
    this.#parts = parts;
    this.#standing = standing;
    this.#times = stopTimes(parts.clock, parts.gracefulStop);
    // Who led is a leader until the release: a loss on the way down is a loss.
    const { election } = parts;
    const lost = election === undefined || !standing.led ? new Promise<never>(() => undefined) : election.lost;
    this.#loss = lost.catch((error: unknown) => this.#lose(error));
  }

  /** What went wrong on the way, first the loss of the Lease. */
  async run(): Promise<readonly unknown[]> {
    const { cache, runners, replicaRunners, webhooks, recorder, election } = this.#parts;
    for (const group of [replicaRunners, runners]) group.shutdown();
    if (this.#standing.failure !== undefined) this.#abort(this.#standing.failure);
    const stuck = await this.#drain();
    if (stuck.length > 0) this.#problems.push(stillRunning(stuck));
    const recorded = stuck.length === 0 && !this.#hurried ? this.#recordStop() : undefined;
    await this.#attempt(() => cache.stop());
    // Requests that came until now are answered: a Service sends them here for a while.
    await this.#attempt(() => webhooks?.close());
    for (const endpoint of this.#standing.endpoints) await this.#attempt(() => endpoint.close());
    if (this.#standing.led) await this.#attempt(() => this.#stoppedLeading());
    await recorded;
    // Only after all guarded work has ended; else it runs out, because nothing renews it any more.
    if (stuck.length === 0 && this.#releasable) await this.#attempt(() => election?.release(this.#times.left()));
    election?.abandon();
    await this.#attempt(() => recorder.stop(this.#eventLimits()));
    return this.#lost === undefined ? this.#problems : [this.#lost.error, ...this.#problems];
  }

  /** The next leader is to know that nobody ended this one. Not waited for where the server has just not answered. */
  async #recordStop(): Promise<void> {
    const { crashes, election } = this.#parts;
    if (crashes === undefined || !this.#standing.led || election?.answered === false) return;
    await crashes.end(Math.min(lastMoment, this.#times.left() / 4));
  }

  /** After a failure nothing is known of the state of things; but where nobody caught an error, the gate has ended all guarded work. */
  get #releasable(): boolean {
    return !this.#hurried || (this.#lost === undefined && hasCode(this.#standing.failure, 'MANAGER_UNCAUGHT'));
  }

  get #hurried(): boolean {
    return this.#standing.failure !== undefined || this.#lost !== undefined;
  }

  #lose(error: unknown): void {
    // Already the reason of this stop.
    if (error !== this.#standing.failure) this.#lost = { error };
    this.#abort(error);
  }

  #abort(reason: unknown): void {
    this.#parts.work.abort(reason);
    this.#parts.replicaParts.stop(reason);
    this.#parts.leaderParts.stop(reason);
    this.#standing.hook?.stop.abort(reason);
  }

  async #attempt(work: () => unknown): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#problems.push(error);
    }
  }

  /** Ended by its own signal, or the reason of this stop already, it is not news; anything else failed on the way down. */
  #hookFailed(error: unknown): void {
    const { failure, hook } = this.#standing;
    const isAbort = error === hook?.stop.signal.reason || (error instanceof Error && error.name === 'AbortError');
    if (!isAbort && error !== failure) this.#problems.push(error);
  }

  /** Waits for running work, aborts it in time, and names what did not end even then. */
  async #drain(): Promise<readonly string[]> {
    const { runners, replicaRunners, replicaParts, leaderParts, cache, clock, work } = this.#parts;
    const { hook } = this.#standing;
    const controllers: readonly Work[] = [...replicaRunners.ends, ...runners.ends];
    const hooks: Work[] =
      hook === undefined
        ? []
        : [{ name: 'onStartedLeading', ended: hook.ended.catch((error) => this.#hookFailed(error)) }];
    const open = new Set<Work>();
    const ends = (works: readonly Work[]): Promise<unknown> =>
      Promise.all(
        works.map((part) => {
          open.add(part);
          return part.ended.then(() => open.delete(part));
        }),
      );
    const partsEnd = ends(replicaParts.ends);
    const controllersEnd = ends(controllers);
    const hooksEnd = ends([...hooks, ...leaderParts.ends]);
    const grace = (): number => (this.#hurried ? 0 : this.#times.grace());
    replicaParts.stop(stopped());
    await atMost(clock, grace(), [partsEnd, this.#loss]);
    await atMost(clock, grace(), [controllersEnd, this.#loss]);
    leaderParts.stop(stopped());
    hook?.stop.abort(stopped());
    await atMost(clock, grace(), [hooksEnd, this.#loss]);
    work.abort(stopped());
    if (open.size === 0) {
      this.#lateParts();
      return [];
    }
    // Reads that wait for the cache end now: what runs on after this waits for something of its own.
    await this.#attempt(() => cache.stop());
    // A short stop has less than that: half of what is left is for what follows.
    const moment = this.#hurried ? lastMoment : Math.min(lastMoment, this.#times.left() / 2);
    await atMost(clock, moment, [Promise.all([partsEnd, controllersEnd, hooksEnd])]);
    this.#lateParts();
    return [...open].flatMap(namesOf);
  }

  /** What parts threw instead of ending. */
  #lateParts(): void {
    const { replicaParts, leaderParts } = this.#parts;
    this.#problems.push(...replicaParts.late, ...leaderParts.late);
  }

  /** A hook may not hold up the stop: half of the time that is left is for what follows. */
  async #stoppedLeading(): Promise<void> {
    const { hooks, clock } = this.#parts;
    if (hooks?.onStoppedLeading === undefined) return;
    const over = new AbortController();
    const ms = this.#hurried ? lastMoment : this.#times.left() / 2;
    const timer = clock.timer(ms, () => over.abort(stillRunning(['onStoppedLeading'])));
    try {
      await orAbort(Promise.resolve(hooks.onStoppedLeading()), over.signal);
    } finally {
      timer.cancel();
    }
  }

  /** A server that does not answer for the Lease does not take Events either. */
  #eventLimits(): { within: number; patience: number } {
    const patience = this.#parts.election?.answered === false ? 0 : lastMoment;
    return { within: this.#hurried ? Math.min(this.#times.left(), lastMoment) : this.#times.left(), patience };
  }
}
