import { type Cause, type MergedCause, type NamedRef, refOfKey } from '../api/index.ts';
import type { CollectedCauses } from './collected-causes.ts';
import type { Entry } from './entry.ts';
import type { HeldWork, Work } from './work.ts';

/** Its causes are put together when somebody looks at them: most runs do not. */
export class TakenWork implements HeldWork {
  readonly key: string;
  readonly ref: NamedRef;
  readonly priority: number;
  readonly failures: number;
  readonly takenAt: number;
  /** What the times of its causes count from, in milliseconds since 1970. */
  readonly #origin: number;
  readonly #cause: Cause | undefined;
  readonly #causedAt: number;
  readonly #collected: CollectedCauses | undefined;
  #causes: Work['causes'] | undefined = undefined;

  constructor({ key, priority, failures, cause, causedAt, causes }: Entry, taken: { at: number; origin: number }) {
    this.key = key;
    this.ref = refOfKey(key);
    this.priority = priority;
    this.failures = failures;
    this.takenAt = taken.at;
    this.#origin = taken.origin;
    this.#cause = cause;
    this.#causedAt = causedAt;
    this.#collected = causes;
  }

  get causes(): Work['causes'] {
    return (this.#causes ??= (this.#collected?.causes ?? this.#only()).map((cause) => this.#complete(cause)));
  }

  #only(): MergedCause[] {
    const at = this.#causedAt;
    return this.#cause === undefined ? [] : [{ ...this.#cause, count: 1, firstAt: at, lastAt: at }];
  }

  /** A change of the key's own object comes without its name. */
  #complete({ firstAt, lastAt, ...cause }: MergedCause): MergedCause {
    const times = { firstAt: this.#origin + firstAt, lastAt: this.#origin + lastAt };
    return cause.source === 'primary' ? { ...cause, ...times, ref: cause.ref ?? this.ref } : { ...cause, ...times };
  }

  get moreCauses(): number {
    return this.#collected?.more ?? 0;
  }
}
