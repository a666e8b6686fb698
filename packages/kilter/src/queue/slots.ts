import type { Cause } from '../api/index.ts';
import { CollectedCauses } from './collected-causes.ts';
import type { Later } from './due.ts';
import { KnownSlots } from './known-slots.ts';
import { grown, Links, none, SlotChain } from './slot-chain.ts';
import type { Lane, Stand } from './stand.ts';

/** Bits of `Slots.states`. */
export const state = {
  /** Wants to run now; while it is in progress, that is after the present run. */
  dirty: 1,
  /** From take to done. */
  running: 2,
  /** Waits in its stand among those that have aged to its rank. */
  aged: 4,
  /** Nothing is known of the key but its slot. */
  idle: 8,
} as const;

// Of an operator's objects most come back: their slots are kept. Beyond so many, and more than are in use, the oldest is reused.
const mostIdle = 16_384;
const firstCapacity = 256;

/**
 * All a queue knows of its keys. A key has a slot, a small number, from its first add until its object is gone or others need
 * the slot; what is known of it lies at that number in each of these arrays. So a hundred thousand keys that wait are a few
 * arrays of numbers, and nothing for the garbage collector to copy; and a key that comes and goes makes no garbage.
 */
export class Slots {
  readonly #byKey = new Map<string, number>();
  readonly #byNumber = new KnownSlots();
  /** '' in a slot that is free. */
  readonly keys: string[] = [];
  /** The number its key came with last; `none` where it came without. */
  numbers: Int32Array = new Int32Array();
  /** The fairness key it takes turns under; undefined in a slot that is free. */
  readonly lanes: (Lane | undefined)[] = [];
  /** Where it waits, by its lane and the priority it is ranked by: its own, or one it has aged to. Set exactly while ready. */
  readonly stands: (Stand | undefined)[] = [];
  /** Why it wants to run, since the last take: one cause that occurred once, nearly always. */
  readonly causes: (Cause | CollectedCauses | undefined)[] = [];
  readonly later: (Later | undefined)[] = [];
  states: Uint8Array = new Uint8Array();
  /** When a single cause occurred, on the monotonic clock. */
  causedAt: Float64Array = new Float64Array();
  /** The highest one given since the key became dirty; means nothing while it is not. */
  priorities: Float64Array = new Float64Array();
  /** Order within its level: grows with every key that becomes ready or is raised. */
  positions: Float64Array = new Float64Array();
  /** When it became ready, on the monotonic clock: ageing and queue duration count from it. */
  readySince: Float64Array = new Float64Array();
  /** Neighbours in the line of its stand, or among the idle. */
  readonly line: Links = new Links();
  /** Neighbours among the ages. */
  readonly ages: Links = new Links();
  /** Where it lies in the heap of ages that came late, and in that of times; `none` where it does not. */
  agePlaces: Int32Array = new Int32Array();
  timePlaces: Int32Array = new Int32Array();
  /** Those with a key and nothing else, the one that is so the longest first. */
  readonly #idle = new SlotChain(this.line);
  #idleCount = 0;
  readonly #free: number[] = [];
  /** Slots from here on were never used. */
  #used = 0;

  /** How many slots there may be something in. */
  get used(): number {
    return this.#used;
  }

  /** The slot of a key, if it has one. */
  find(key: string): number {
    return this.#byKey.get(key) ?? none;
  }

  /** The same of a key with a number. That may have been another key's the last time: it counts only where the slot has this key. */
  findNumbered(key: string, number: number): number {
    const known = this.#byNumber.get(number);
    if (known >= 0 && this.keys[known] === key) return known;
    const slot = this.find(key);
    if (slot >= 0) this.know(slot, number);
    return slot;
  }

  /** From now on the slot is found by this number. */
  know(slot: number, number: number): void {
    this.numbers[slot] = number;
    this.#byNumber.set(number, slot);
  }

  /** A slot for a key that has none. Who had it before, if anybody, is given to `evicted`. */
  allocate(key: string, evicted: (slot: number) => void): number {
    const slot = this.#free.pop() ?? this.#reused(evicted) ?? this.#fresh();
    this.#byKey.set(key, slot);
    this.keys[slot] = key;
    this.numbers[slot] = none;
    return slot;
  }

  /** Nothing is kept of the key. */
  free(slot: number): void {
    if (((this.states[slot] as number) & state.idle) !== 0) this.wake(slot);
    this.#byKey.delete(this.keys[slot] as string);
    this.keys[slot] = '';
    this.causes[slot] = undefined;
    this.later[slot] = undefined;
    this.states[slot] = 0;
    this.#free.push(slot);
  }

  /** Only the slot itself is kept, in case the key comes back. */
  rest(slot: number): void {
    this.states[slot] = state.idle;
    this.#idle.append(slot);
    this.#idleCount += 1;
  }

  /** The key of a slot at rest has come back. */
  wake(slot: number): void {
    this.states[slot] = 0;
    this.#idle.remove(slot);
    this.#idleCount -= 1;
  }

  addCause(slot: number, cause: Cause, at: number): void {
    const known = this.causes[slot];
    if (known === undefined) {
      this.causes[slot] = cause;
      this.causedAt[slot] = at;
    } else if (known instanceof CollectedCauses) known.add(cause, at);
    else {
      const collected = new CollectedCauses(known, this.causedAt[slot] as number);
      collected.add(cause, at);
      this.causes[slot] = collected;
    }
  }

  #reused(evicted: (slot: number) => void): number | undefined {
    if (this.#idleCount <= Math.max(mostIdle, this.#used / 2)) return undefined;
    const oldest = this.#idle.first;
    evicted(oldest);
    this.free(oldest);
    return this.#free.pop();
  }

  #fresh(): number {
    const slot = this.#used;
    if (slot === this.states.length) this.#grow(Math.max(firstCapacity, 2 * slot));
    this.#used += 1;
    this.lanes.push(undefined);
    this.stands.push(undefined);
    this.causes.push(undefined);
    this.later.push(undefined);
    return slot;
  }

  #grow(capacity: number): void {
    const before = this.states.length;
    this.states = grown(this.states, capacity);
    this.numbers = grown(this.numbers, capacity);
    this.causedAt = grown(this.causedAt, capacity);
    this.priorities = grown(this.priorities, capacity);
    this.positions = grown(this.positions, capacity);
    this.readySince = grown(this.readySince, capacity);
    this.line.grow(capacity);
    this.ages.grow(capacity);
    this.agePlaces = grown(this.agePlaces, capacity).fill(none, before);
    this.timePlaces = grown(this.timePlaces, capacity).fill(none, before);
  }
}
