import type { Cause } from '../api/index.ts';
import { KilterError, toldThrown } from '../errors/index.ts';
import { type LabelValues, type Logger, type Metrics, rareLog } from '../telemetry/index.ts';
import type { Clock } from '../internal/index.ts';
import type { WorkQueue } from '../queue/index.ts';
import type { StartGate } from './start-gate.ts';

/** What every trigger of a controller shares. */
export interface TriggerContext {
  /** The controller's name. */
  readonly controller: string;
  readonly queue: Pick<WorkQueue, 'add' | 'addAfter'>;
  readonly clock: Clock;
  /** Opens with the controller: nobody is woken before. */
  readonly gate: StartGate;
  readonly logger: Logger;
  readonly metrics?: Metrics | undefined;
}

/** Counts what triggers do; what goes wrong in them is also told. */
export interface Report {
  woke(change: Cause['change']): void;
  /** A function of the user's. It mostly fails for every object, or every event: each form of failure is told once a minute. */
  failed(error: unknown, what: string, key?: string): void;
  /** What follows its own backoff, so that each time is news. */
  ended(error: unknown, what: string): void;
}

/** Tells failures apart without what they say of single objects: there are few. */
function formOf(error: unknown): string {
  if (error instanceof KilterError) return error.code;
  return error instanceof Error ? error.constructor.name : typeof error;
}

export function reportOf({ clock, controller, logger, metrics }: TriggerContext, source: Cause['source']): Report {
  const wakes = metrics?.counter('kilter_triggers_total', 'Keys given to queues, by source and change.');
  const errors = metrics?.counter('kilter_trigger_errors_total', 'Predicates, mappers and sources that threw.');
  errors?.inc({ controller, source }, 0);
  const rarely = rareLog(clock);
  const labels = new Map<Cause['change'], LabelValues>();
  const labelsOf = (change: Cause['change']): LabelValues => {
    const made = labels.get(change) ?? Object.freeze({ controller, source, change });
    labels.set(change, made);
    return made;
  };
  return {
    woke: (change) => wakes?.inc(labelsOf(change)),
    failed: (error, what, key) => {
      errors?.inc({ controller, source });
      // Thousands of lines, at the start or from a busy source, would say the same.
      rarely(`${what}: ${formOf(error)}`, (suppressed) => {
        const where = { controller, source, ...(key !== undefined && { key }) };
        logger.error({ err: toldThrown(error), ...where, ...(suppressed > 0 && { suppressed }) }, what);
      });
    },
    ended: (error, what) => {
      errors?.inc({ controller, source });
      logger.error({ err: toldThrown(error), controller, source }, what);
    },
  };
}
