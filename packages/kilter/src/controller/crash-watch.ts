import { orAbort, type Clock } from '../internal/index.ts';
import { inBrief, type Logger } from '../telemetry/index.ts';
import {
  type CrashRecord,
  formatRecord,
  mostNames,
  nextReign,
  parseRecord,
  type Strikes,
  youth,
} from './crash-record.ts';
import { Turns } from './turns.ts';

/** Where the record is kept: it outlives the process. */
export interface CrashStore {
  read(signal: AbortSignal): Promise<string | undefined>;
  /** Refused when somebody else has written it since. */
  write(text: string, signal: AbortSignal): Promise<void>;
}

export interface CrashWatchOptions {
  readonly store: CrashStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly holder: string;
}

/** What the store may take, in milliseconds: nothing waits longer than that for a record that only helps after a crash. */
const patience = 5000;
/** For how long one run under suspicion keeps all others waiting. G-2 ends a loop sooner, and memory runs out sooner. */
const aloneFor = 30_000;

/**
 * Finds out which objects end the process. A reign that is ended young makes the next one careful: it announces every run
 * before it begins. What was announced when the process ended gets a strike and runs alone from then on; coming to its end,
 * whatever that is, clears it.
 */
export class CrashWatch {
  readonly #options: CrashWatchOptions;
  readonly #turns: Turns;
  /** As it was last stored or is about to be; undefined before the reign begins and where the store cannot be used. */
  #record: CrashRecord | undefined;
  /** Of the record, by name. */
  readonly #strikes = new Map<string, Strikes>();
  /** Runs that are announced and have not ended, with their generations. */
  readonly #running = new Map<string, number | undefined>();
  /** On the monotonic clock: until then every run is announced. Zero: none is, and nobody is under suspicion. */
  #carefulUntil = 0;
  /** At most one write is under way, and one more waits for it. */
  #writing: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  /** Nobody waits for the store any more. */
  readonly #over = new AbortController();

  constructor(options: CrashWatchOptions) {
    this.#options = options;
    this.#turns = new Turns(options.clock, aloneFor);
  }

  /** As this replica begins to lead. Never rejects: without the record nobody is known to be poison, and that is all. */
  async begin(): Promise<void> {
    const { store, clock, logger, holder } = this.#options;
    try {
      const before = parseRecord(await this.#within((signal) => store.read(signal)));
      const record = nextReign(before, { holder, now: clock.now() });
      for (const strike of record.strikes) this.#strikes.set(strike.id, strike);
      await this.#within((signal) => store.write(formatRecord(record), signal));
      this.#record = record;
      if (record.youngEnds > 0 || record.strikes.length > 0) this.#carefulUntil = clock.monotonic() + youth;
    } catch (error) {
      logger.warn(inBrief(error), 'the crash record cannot be used: objects that end the process are not detected');
      return;
    }
    const { youngEnds, strikes } = this.#record;
    if (youngEnds === 0) return;
    const suspects = strikes.map(({ id, count }) => `${id} (${count})`);
    logger.warn(
      { youngEnds, suspects },
      'the previous leader ended soon after its start: runs are recorded before they begin',
    );
  }

  /** As this replica stops in order. Never rejects, and is given up after `within` milliseconds: then the next one is careful. */
  async end(within: number): Promise<void> {
    if (this.#record === undefined) return;
    this.#record = { ...this.#record, stopped: true };
    this.#running.clear();
    const timer = this.#options.clock.timer(within, () => this.#over.abort(new Error('the operator is stopping')));
    await this.#flush();
    timer.cancel();
    this.#record = undefined;
  }

  /** How often in a row the process ended during a run of this generation. */
  strikesOf(id: string, generation: number | undefined): number {
    const known = this.#strikes.get(id);
    return known?.generation === generation ? (known?.count ?? 0) : 0;
  }

  /** Before a run; undefined where nothing has to be done. Resolves when it may begin, with what to call at its end. */
  enter(id: string, generation: number | undefined): Promise<() => void> | undefined {
    if (this.#record === undefined) return undefined;
    if (this.#carefulUntil === 0) return undefined;
    if (this.#options.clock.monotonic() < this.#carefulUntil) return this.#announce(id, generation);
    this.#relax();
    return undefined;
  }

  /** Suspects that have not run until now do not end this process, and their objects may be gone: nobody pays for them any longer. */
  #relax(): void {
    this.#carefulUntil = 0;
    this.#strikes.clear();
    void this.#flush();
  }

  /** Nothing is held against it any more. */
  clear(id: string): void {
    if (this.#strikes.delete(id)) void this.#flush();
  }

  async #announce(id: string, generation: number | undefined): Promise<() => void> {
    const leave = await this.#turns.take(this.#strikes.has(id));
    if (this.#running.size < mostNames) this.#running.set(id, generation);
    await this.#flush();
    return () => {
      this.#running.delete(id);
      this.clear(id);
      // Nobody announces anything after it: the record must not say for the rest of the reign that it runs.
      if (this.#carefulUntil === 0) void this.#flush();
      leave();
    };
  }

  /** Resolves once what is known now is stored, or cannot be. */
  #flush(): Promise<void> {
    if (this.#writing === undefined) return (this.#writing = this.#write());
    return (this.#next ??= this.#writing.then(() => {
      this.#next = undefined;
      return (this.#writing = this.#write());
    }));
  }

  async #write(): Promise<void> {
    const { store, logger } = this.#options;
    try {
      if (this.#record === undefined) return;
      const running = Array.from(this.#running, ([id, generation]) => ({ id, generation }));
      this.#record = { ...this.#record, running, strikes: [...this.#strikes.values()] };
      const text = formatRecord(this.#record);
      await this.#within((signal) => store.write(text, signal));
    } catch (error) {
      const stopping = this.#record?.stopped === true;
      this.#record = undefined;
      // Given up on the way down: nothing runs any more that would have to be announced.
      if (this.#over.signal.aborted) return;
      logger.warn(
        inBrief(error),
        stopping
          ? 'the stop could not be recorded: the next leader may take it for a crash, and records its runs before they begin'
          : 'the crash record could not be written: runs are no longer recorded before they begin',
      );
    } finally {
      if (this.#next === undefined) this.#writing = undefined;
    }
  }

  async #within<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const late = new AbortController();
    const timer = this.#options.clock.timer(patience, () =>
      late.abort(new Error(`no answer within ${patience / 1000} s`)),
    );
    const signal = AbortSignal.any([late.signal, this.#over.signal]);
    try {
      return await orAbort(ask(signal), signal);
    } finally {
      timer.cancel();
    }
  }
}
