import { KilterError } from 'kilter';
import { systemRuntime } from 'kilter/runtime';
import type { Report } from './guardian/messages.ts';
import { removeFolder } from './guardian/remove-folder.ts';
import {
  endOrphans,
  type GuardianEnd,
  type GuardianProcess,
  passedEnvironment,
  startGuardian,
} from './guardian-process.ts';
import { within } from './within.ts';

/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
  /** Set where it never ran, or where its guardian was killed and took it along. */
  readonly why?: string | undefined;
}

export interface ProcessOrder {
  readonly file: string;
  readonly args: readonly string[];
  /** Where it runs; its HOME too. */
  readonly folder: string;
  readonly log: string;
}

export type EndSignal = 'SIGTERM' | 'SIGKILL';

/** A process under guard. */
export interface Ward {
  /** Undefined until it runs. */
  readonly pid: number | undefined;
  /** Resolves once it is gone and its log is complete. */
  readonly ended: Promise<Ending>;
  /** Why its output is not kept, where that is so. */
  readonly unlogged: string | undefined;
  signal(signal: EndSignal): void;
}

export interface GuardOptions {
  /** Logs stay when the folder goes. */
  readonly keepLogs: boolean;
  readonly signal?: AbortSignal | undefined;
}

// A cold start of Node takes some 50 ms; on a machine that is busy with many of them, seconds.
const startDeadline = 30_000;
const closeDeadline = 15_000;

class GuardedProcess implements Ward {
  pid: number | undefined;
  unlogged: string | undefined;
  readonly ended: Promise<Ending>;
  readonly signal: (signal: EndSignal) => void;
  readonly end: (ending: Ending) => void;

  constructor(signal: (signal: EndSignal) => void) {
    const { promise, resolve } = Promise.withResolvers<Ending>();
    this.ended = promise;
    this.end = resolve;
    this.signal = signal;
  }
}

export function endingInWords({ code, signal, why }: Ending): string {
  if (why !== undefined) return why;
  return signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
}

function stopFailed(pid: number): KilterError {
  const message = `waited ${closeDeadline / 1000} s for the guardian (pid ${pid}) to end its processes`;
  return new KilterError('TESTING_STOP_FAILED', message);
}

/** Those whose end has not been reported, by id. */
class Wards {
  readonly #byId = new Map<number, GuardedProcess>();
  /** Counts up: an id is never used twice. */
  #last = 0;

  add(signal: (id: number, signal: EndSignal) => void): { id: number; ward: GuardedProcess } {
    this.#last += 1;
    const id = this.#last;
    const ward = new GuardedProcess((which) => signal(id, which));
    this.#byId.set(id, ward);
    return { id, ward };
  }

  hear(report: Report): void {
    const ward = report.is === 'ready' ? undefined : this.#byId.get(report.id);
    if (ward === undefined || report.is === 'ready') return;
    if (report.is === 'started') ward.pid = report.pid;
    else if (report.is === 'unlogged') ward.unlogged = report.why;
    else {
      this.#byId.delete(report.id);
      const unstarted = { code: null, signal: null };
      ward.end(report.is === 'ended' ? report : { ...unstarted, why: `could not be run: ${report.why}` });
    }
  }

  /** All of them; none is expected to report again. */
  takeAll(): GuardedProcess[] {
    const all = [...this.#byId.values()];
    this.#byId.clear();
    return all;
  }
}

/**
 * This process's end of a guardian: its own process that starts servers and outlives this one just long enough to
 * end them and to remove their folder.
 */
export class Guard {
  readonly folder: string;
  /** Logs stay when a folder goes. */
  readonly keepLogs: boolean;
  readonly #guardian: GuardianProcess;
  readonly #wards: Wards;
  /** Rejects where the guardian was killed and its folder cannot be removed. */
  readonly #gone: Promise<void>;
  /** Set when the guardian is gone; nothing can be started then. */
  #end: GuardianEnd | undefined;
  #closing: Promise<void> | undefined;

  private constructor(guardian: GuardianProcess, wards: Wards, place: { folder: string; keepLogs: boolean }) {
    this.folder = place.folder;
    this.keepLogs = place.keepLogs;
    this.#guardian = guardian;
    this.#wards = wards;
    this.#gone = guardian.gone.then((end) => this.#lost(end));
    // Told to whoever closes; nobody else could do anything about it.
    this.#gone.catch(() => undefined);
  }

  get pid(): number {
    return this.#guardian.pid;
  }

  static async start({ keepLogs, signal }: GuardOptions): Promise<Guard> {
    const wards = new Wards();
    const guardian = startGuardian(keepLogs, (report) => wards.hear(report));
    const unstarted = guardian.gone.then(({ words }) => {
      throw new KilterError('TESTING_START_FAILED', `the guardian of the control plane did not start: it ${words}`, {
        cure: 'see its message; TMPDIR must name a folder that you may write to',
      });
    });
    const late = (): Error =>
      new KilterError(
        'TESTING_START_TIMEOUT',
        `waited ${startDeadline / 1000} s for the guardian of the control plane`,
      );
    try {
      const ready = Promise.race([guardian.ready, unstarted]);
      const folder = await within(ready, { ms: startDeadline, signal, late });
      return new Guard(guardian, wards, { folder, keepLogs });
    } catch (error) {
      guardian.dismiss();
      await within(guardian.gone, { ms: closeDeadline, late: () => stopFailed(guardian.pid) });
      throw error;
    }
  }

  /** Starts a process. What cannot be started has ended with a reason. */
  start(order: ProcessOrder): Ward {
    const signal = (id: number, which: EndSignal): void => this.#guardian.tell({ do: 'signal', id, signal: which });
    const { id, ward } = this.#wards.add(signal);
    if (this.#end !== undefined || this.#closing !== undefined) {
      this.#wards.hear({ is: 'refused', id, why: 'its guardian is gone' });
    } else {
      const environment = { ...passedEnvironment(), HOME: order.folder };
      this.#guardian.tell({ do: 'start', id, ...order, environment });
    }
    return ward;
  }

  /** The guardian has gone. Where nobody dismissed it, it was killed, and what it guarded must end all the same. */
  async #lost(end: GuardianEnd): Promise<void> {
    this.#end = end;
    const orphans = this.#wards.takeAll();
    const why = `was ended because its guardian (pid ${this.pid}) ${end.words}`;
    const pids = orphans.flatMap(({ pid }) => pid ?? []);
    if (!end.orderly) await endOrphans(this.pid, pids);
    for (const ward of orphans) ward.end({ code: null, signal: 'SIGKILL', why });
    if (end.orderly) return;
    // Whoever waited for them reads their logs first.
    await systemRuntime.clock.sleep(0);
    removeFolder(this.folder, this.keepLogs);
  }

  /** Ends at once what still runs, and removes the folder. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#guardian.dismiss();
    await within(this.#gone, { ms: closeDeadline, late: () => stopFailed(this.pid) });
  }
}
