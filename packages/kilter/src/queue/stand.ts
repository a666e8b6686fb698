import type { Ageing, Ages } from './ages.ts';
import type { Chain, Link } from './chain.ts';
import type { MovableHeap, Placed } from './movable-heap.ts';

/** What waits in a line, and ages there. */
export type Waiting<T extends Waiting<T>> = Link<T> & Ageing<T>;

/** The keys of one fairness key. */
export interface Lane<T extends Waiting<T>> {
  readonly name: string;
  /** Smaller is served sooner; a served lane gets the largest of all, so turns rotate. */
  turn: number;
  /** Keys that wait in it. One without any is kept for a while; it has no turn. */
  size: number;
  /** By rank. */
  readonly stands: Map<number, Stand<T>>;
}

/** The keys of one lane and one rank, in two lines: the first of both is the one with the smaller position. */
export interface Stand<T extends Waiting<T>> extends Placed {
  readonly lane: Lane<T>;
  readonly rank: Rank<T>;
  /** Those that were given this rank, by position: whoever comes is the last. */
  readonly given: Chain<T>;
  /** Those that have aged to it, by position: whoever comes is nearly always the last. */
  readonly aged: Chain<T>;
}

/** The keys of one rank, and how many were given it as their priority. One that has neither is kept for a while. */
export interface Rank<T extends Waiting<T>> {
  readonly priority: number;
  given: number;
  /** Those that have keys, by turn. */
  readonly stands: MovableHeap<Stand<T>>;
  /** The same keys by the priority they were given: whose age is to be looked at. */
  readonly ages: Map<number, Ages<T>>;
}
