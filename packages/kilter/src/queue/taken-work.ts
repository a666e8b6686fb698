import { type Cause, type MergedCause, type NamedRef, refOfKey } from '../api/index.ts';
import { CollectedCauses } from './collected-causes.ts';
import { none } from './slot-chain.ts';
import type { Slots } from './slots.ts';
import type { HeldWork, Work } from './work.ts';

type Occurrences = Pick<MergedCause, 'count' | 'firstAt' | 'lastAt'>;

/** Its reference and its causes are put together when somebody looks at them, the causes each time again: most runs do not. */
export class TakenWork implements HeldWork {
  readonly key: string;
  readonly number: number;
  readonly priority: number;
  readonly failures: number;
  readonly takenAt: number;
  readonly waited: number;
  readonly slot: number;
  place: number = none;
  /** What the times of its causes count from, which are monotonic, in milliseconds since 1970. */
  readonly #origin: number;
  readonly #collected: Cause | CollectedCauses | undefined;
  readonly #causedAt: number;
  #ref: NamedRef | undefined = undefined;

  constructor(slots: Slots, slot: number, taken: { readonly at: number; readonly origin: number }) {
    this.slot = slot;
    this.key = slots.keys[slot] as string;
    this.number = slots.numbers[slot] as number;
    this.priority = slots.priorities[slot] as number;
    this.failures = slots.later[slot]?.failures ?? 0;
    this.takenAt = taken.at;
    this.waited = taken.at - (slots.readySince[slot] as number);
    this.#origin = taken.origin;
    this.#collected = slots.causes[slot];
    this.#causedAt = slots.causedAt[slot] as number;
  }

  get ref(): NamedRef {
    return (this.#ref ??= refOfKey(this.key));
  }

  get causes(): Work['causes'] {
    const collected = this.#collected;
    if (collected === undefined) return [];
    const told = { count: 1, firstAt: this.#causedAt, lastAt: this.#causedAt };
    if (!(collected instanceof CollectedCauses)) return [this.#complete(collected, told)];
    return collected.causes.map((cause) => this.#complete(cause, cause));
  }

  /** A change of the key's own object comes without its name. */
  #complete(cause: Cause, { count, firstAt, lastAt }: Occurrences): MergedCause {
    const times = { count, firstAt: Math.round(this.#origin + firstAt), lastAt: Math.round(this.#origin + lastAt) };
    if (cause.source !== 'primary') return { ...cause, ...times };
    return { ...cause, ...times, ref: cause.ref ?? this.ref };
  }

  get moreCauses(): number {
    return this.#collected instanceof CollectedCauses ? this.#collected.more : 0;
  }
}
