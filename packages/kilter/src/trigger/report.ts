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
  failed(error: unknown, what: string, key?: string): void;
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
      if (key === undefined) return logger.error({ err: toldThrown(error), controller, source }, what);
      // A mapper that throws mostly does so for every object: thousands of lines at the start would say the same.
      rarely(`${what}: ${formOf(error)}`, (suppressed) => {
        logger.error({ err: toldThrown(error), controller, source, key, ...(suppressed > 0 && { suppressed }) }, what);
      });
    },
  };
}
