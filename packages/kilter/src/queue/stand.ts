import type { Ages } from './ages.ts';
import type { MovableHeap } from './movable-heap.ts';
import type { SlotChain } from './slot-chain.ts';

/** The keys of one fairness key. */
export interface Lane {
  readonly name: string;
  /** Smaller is served sooner; a served lane gets the largest of all, so turns rotate. */
  turn: number;
  /** Keys that wait in it. */
  size: number;
  /** Slots that belong to it, waiting or not: it goes with the last of them. */
  slots: number;
  /** One for each rank it has had keys of. */
  stands: Stand[];
}

/** The keys of one lane and one rank, in two lines: the first of both is the one with the smaller position. */
export interface Stand {
  readonly lane: Lane;
  readonly rank: Rank;
  /** Those that were given this rank, by position: whoever comes is the last. */
  readonly given: SlotChain;
  /** Those that have aged to it, by position: whoever comes is nearly always the last. */
  readonly aged: SlotChain;
  /** Where it lies among the stands of its rank; `none` where it has no keys. */
  place: number;
}

/** The keys of one rank, and how many were given it as their priority. One that has neither is kept for a while. */
export interface Rank {
  readonly priority: number;
  given: number;
  /** Those that have keys, by turn. */
  readonly stands: MovableHeap<Stand>;
  /** Its keys that were given this priority, and those that were given another: whose age is to be looked at. */
  readonly own: Ages;
  readonly others: Map<number, Ages>;
}
