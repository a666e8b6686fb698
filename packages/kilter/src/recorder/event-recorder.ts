import { inShort } from '../errors/index.ts';
import { orAbort } from '../internal/index.ts';
import { Event } from '../k8s/events/v1.ts';
import { Correlator, type Series } from './correlator.ts';
import { eventNames, eventOf, type Reporter, seriesOf } from './event-object.ts';
import { type Occurrence, occurrenceOf } from './occurrence.ts';
import { checkRecorderOptions, type RecorderOptions } from './options.ts';
import type { EventInput, Recorder } from './recorder.ts';
import { verdictOn } from './verdict.ts';

const mostPending = 1000;

type DropReason = 'invalid' | 'full' | 'spam' | 'refused' | 'stopped';

class EventRecorder implements Recorder {
  readonly #options: RecorderOptions;
  readonly #reporter: Reporter;
  readonly #correlator = new Correlator();
  readonly #nameOf: (object: string, at: number) => string;
  readonly #dropped: (reason: DropReason, count?: number) => void;
  /** At most `mostPending`, in order of recording. */
  #pending: Occurrence[] = [];
  /** Set while occurrences are being sent, one after the other. */
  #sending: Promise<void> | undefined;
  /** Set once stopped: nothing is accepted any more. */
  #stopping: Promise<void> | undefined;
  /** Set while what is pending is flushed: called for everything that is settled. */
  #heard: (() => void) | undefined;
  /** Aborts what is being sent, when the time for flushing is over. */
  readonly #giveUp = new AbortController();

  constructor(options: RecorderOptions) {
    const { reportingController, reportingInstance, runtime, metrics } = options;
    this.#options = options;
    this.#reporter = { reportingController, reportingInstance };
    this.#nameOf = eventNames(() => runtime.uuid());
    const counter = metrics?.counter('kilter_events_dropped_total', 'Events that were not written, by reason.');
    this.#dropped = (reason, count = 1) => counter?.inc({ reason }, count);
  }

  record(input: EventInput): void {
    const { runtime, logger } = this.#options;
    try {
      const { clock } = runtime;
      this.#accept(occurrenceOf(input, { at: clock.now(), tick: clock.monotonic() }));
    } catch (error) {
      // A run must not fail because of an Event about it.
      this.#dropped('invalid');
      logger.error({ err: error, object: inShort(input?.regarding) }, 'an Event was refused');
    }
  }

  stop(limits: Parameters<Recorder['stop']>[0]): Promise<void> {
    this.#stopping ??= this.#flush(limits);
    return this.#stopping;
  }

  #accept(occurrence: Occurrence): void {
    if (this.#stopping !== undefined) {
      this.#dropped('stopped');
      return;
    }
    if (this.#pending.length >= mostPending) {
      this.#dropped('full');
      return;
    }
    this.#pending.push(occurrence);
    this.#sending ??= this.#sendAll();
  }

  async #flush({ within, patience = within }: Parameters<Recorder['stop']>[0]): Promise<void> {
    const { runtime, logger } = this.#options;
    if (this.#sending === undefined) return;
    const { clock } = runtime;
    const giveUp = (): void => this.#giveUp.abort();
    const timer = clock.timer(within, giveUp);
    let silence = clock.timer(patience, giveUp);
    this.#heard = () => {
      silence.cancel();
      silence = clock.timer(patience, giveUp);
    };
    await this.#sending;
    timer.cancel();
    silence.cancel();
    this.#heard = undefined;
    const left = this.#pending.splice(0).length;
    if (left === 0) return;
    this.#dropped('stopped', left);
    logger.warn({ events: left }, 'Events were dropped: there was no time left to write them');
  }

  async #sendAll(): Promise<void> {
    const { signal } = this.#giveUp;
    // After the present turn: whoever records is never delayed by a request.
    await Promise.resolve();
    while (!signal.aborted) {
      const occurrence = this.#pending.shift();
      if (occurrence === undefined) break;
      await this.#deliver(occurrence).catch((error: unknown) => this.#fail(occurrence, error));
      this.#heard?.();
    }
    this.#sending = undefined;
  }

  async #deliver(occurrence: Occurrence): Promise<void> {
    const { series, allowed } = this.#correlator.observe(occurrence);
    if (!allowed) {
      this.#dropped('spam');
      return;
    }
    const name = this.#nameOf(occurrence.regarding.name, occurrence.at);
    for (let tries = 1; !(await this.#try(occurrence, series, { name, tries })); tries += 1);
  }

  /** One request; whether the occurrence is settled by it. */
  async #try(
    occurrence: Occurrence,
    series: Series,
    { name, tries }: { name: string; tries: number },
  ): Promise<boolean> {
    const verb = series.event === undefined ? 'create' : 'patch';
    try {
      await orAbort(this.#send(occurrence, series, name), this.#giveUp.signal);
      return true;
    } catch (error) {
      const { runtime } = this.#options;
      if (this.#giveUp.signal.aborted) return this.#stopped();
      const verdict = verdictOn({ error, verb, tries, chance: runtime.random() });
      if (verdict.type === 'recreate') series.event = undefined;
      if (verdict.type === 'exists') series.event = { name, namespace: namespaceOf(occurrence) };
      if (verdict.type === 'give-up') this.#fail(occurrence, error, verdict.silent);
      if (verdict.type !== 'retry') return verdict.type !== 'recreate';
      return this.#pause(verdict.afterMs);
    }
  }

  async #pause(ms: number): Promise<boolean> {
    try {
      await this.#options.runtime.clock.sleep(ms, this.#giveUp.signal);
      return false;
    } catch {
      return this.#stopped();
    }
  }

  #stopped(): true {
    this.#dropped('stopped');
    return true;
  }

  async #send(occurrence: Occurrence, series: Series, name: string): Promise<void> {
    const { client } = this.#options;
    const { signal } = this.#giveUp;
    if (series.event === undefined) {
      await client.create(eventOf(name, occurrence, { reporter: this.#reporter, series }), { signal });
      series.event = { name, namespace: namespaceOf(occurrence) };
    } else {
      await client.patch(Event, series.event, { series: seriesOf(series, occurrence) }, { signal });
    }
  }

  #fail({ regarding, reason }: Occurrence, error: unknown, silent = false): void {
    this.#dropped('refused');
    if (silent) return;
    const { kind, namespace, name } = regarding;
    this.#options.logger.warn({ err: error, kind, namespace, name, reason }, 'an Event could not be written');
  }
}

function namespaceOf({ regarding }: Occurrence): string {
  return regarding.namespace ?? 'default';
}

/** Writes Events as events.k8s.io/v1, in the background, in order, and never more than the cluster can bear. */
export function createRecorder(options: RecorderOptions): Recorder {
  checkRecorderOptions(options);
  return new EventRecorder(options);
}
