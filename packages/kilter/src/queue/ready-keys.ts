import { Ages } from './ages.ts';
import { MovableHeap } from './movable-heap.ts';
import { none, SlotChain } from './slot-chain.ts';
import { type Slots, state } from './slots.ts';
import type { Lane, Rank, Stand } from './stand.ts';

// One step of ageing lifts an initial list (-100) to the level of changes (0).
const step = 100;

// A hundred thousand keys of one list come of age together: they rise with the keys that are taken, not all with one of them.
const mostRises = 1000;

// Ranks that are empty are mostly used again at once: making them again for each change costs more than the change.
const mostRanks = 16;

const byTurn = (a: Stand, b: Stand): number => a.lane.turn - b.lane.turn;
const placeOf = ({ place }: Stand): number => place;
const putAt = (stand: Stand, place: number): void => {
  stand.place = place;
};

/**
 * The keys that can be handed out, in order: effective priority, then turns of the fairness keys, then position.
 *
 * Effective priority is the given one plus 100 for each ageing period, never above the highest given priority among
 * these keys. So the next key always is one that reaches that highest priority; levels in between do not matter.
 *
 * A key that comes and goes costs the same however many wait: it is put at the end of a line and taken from its front.
 */
export class ReadyKeys {
  readonly #slots: Slots;
  readonly #ageing: number;
  /** By name; exactly those with slots. */
  readonly #lanes = new Map<string, Lane>();
  /** The ranks with at least one key, and some that had one. One above the highest given priority counts as that priority. */
  #ranks: Rank[] = [];
  /** The highest priority given to any of the keys; -Infinity without keys. */
  #top = -Infinity;
  #size = 0;
  /** The largest turn or position given so far. */
  #numbers = 0;

  constructor(slots: Slots, ageing: number) {
    this.#slots = slots;
    this.#ageing = ageing;
  }

  get size(): number {
    return this.#size;
  }

  /** From now on the key takes turns under this name. Not while it is ready. */
  join(slot: number, name: string): void {
    const { lanes } = this.#slots;
    if (lanes[slot]?.name === name) return;
    this.leave(slot);
    let lane = this.#lanes.get(name);
    if (lane === undefined) {
      lane = { name, turn: 0, size: 0, slots: 0, stands: [] };
      this.#lanes.set(name, lane);
    }
    lane.slots += 1;
    lanes[slot] = lane;
  }

  /** The slot belongs to nobody any more. Not while it is ready. */
  leave(slot: number): void {
    const { lanes } = this.#slots;
    const lane = lanes[slot];
    if (lane === undefined) return;
    lanes[slot] = undefined;
    lane.slots -= 1;
    if (lane.slots === 0) this.#lanes.delete(lane.name);
  }

  /** Puts a key behind its peers of the priority it was given. */
  add(slot: number, now: number): void {
    const { readySince, positions, priorities } = this.#slots;
    readySince[slot] = now;
    positions[slot] = this.#nextNumber();
    this.#insert(slot, priorities[slot] as number);
  }

  /** Moves a key to the end of a higher level; its age is kept. */
  raise(slot: number, priority: number): void {
    const { lane } = this.#slots.stands[slot] as Stand;
    // A key that is moved keeps its lane's turn.
    lane.size += 1;
    this.#take(slot);
    this.#slots.priorities[slot] = priority;
    this.#slots.positions[slot] = this.#nextNumber();
    this.#insert(slot, priority);
    lane.size -= 1;
  }

  /** Takes out the key whose turn it is, if there is one. */
  next(now: number): number {
    if (this.#size === 0) return none;
    const top = this.#top;
    if (this.#ranks.length > 1) this.#promote(top, now);
    const lane = this.#nextLane(top) as Lane;
    const slot = this.#firstOf(lane, top);
    this.#take(slot);
    lane.turn = this.#nextNumber();
    for (const stand of lane.stands) if (stand.place >= 0) stand.rank.stands.place(stand);
    return slot;
  }

  /** When the key that has waited longest became ready. */
  oldest(): number | undefined {
    let oldest: number | undefined;
    for (const { own, others } of this.#ranks) {
      for (const each of [own, ...others.values()]) {
        const slot = each.oldest();
        if (slot < 0) continue;
        const since = this.#slots.readySince[slot] as number;
        if (oldest === undefined || since < oldest) oldest = since;
      }
    }
    return oldest;
  }

  #nextNumber(): number {
    this.#numbers += 1;
    return this.#numbers;
  }

  #insert(slot: number, priority: number): void {
    const { lanes, stands, priorities, positions, states } = this.#slots;
    const lane = lanes[slot] as Lane;
    // A lane that had no keys comes back behind those that wait.
    if (lane.size === 0) lane.turn = this.#nextNumber();
    lane.size += 1;
    const stand = this.#standOf(lane, priority);
    stands[slot] = stand;
    const given = priorities[slot] as number;
    if (given === priority) stand.given.append(slot);
    else {
      states[slot] = (states[slot] as number) | state.aged;
      stand.aged.insert(slot, positions);
    }
    if (stand.place < 0) stand.rank.stands.place(stand);
    this.#agesOf(stand.rank, given).add(slot);
    (given === priority ? stand.rank : this.#rankOf(given)).given += 1;
    if (given > this.#top) this.#top = given;
    this.#size += 1;
  }

  #take(slot: number): void {
    const { stands, priorities, states } = this.#slots;
    const stand = stands[slot] as Stand;
    const { lane, rank, given, aged } = stand;
    const priority = priorities[slot] as number;
    stands[slot] = undefined;
    const bits = states[slot] as number;
    ((bits & state.aged) === 0 ? given : aged).remove(slot);
    states[slot] = bits & ~state.aged;
    const ages = this.#agesOf(rank, priority);
    ages.remove(slot);
    if (ages.empty && rank.others.size > mostRanks) rank.others.delete(priority);
    lane.size -= 1;
    if (given.first < 0 && aged.first < 0) rank.stands.remove(stand);
    const own = rank.priority === priority ? rank : this.#rankOf(priority);
    own.given -= 1;
    this.#size -= 1;
    if (own.given === 0 && priority === this.#top) this.#top = this.#highestGiven();
    if (this.#ranks.length > mostRanks) this.#dropUnused(rank, own);
  }

  #highestGiven(): number {
    let highest = -Infinity;
    for (const { priority, given } of this.#ranks) if (given > 0 && priority > highest) highest = priority;
    return highest;
  }

  /** A priority per key must not become a rank per key: there are few of them, or those that are not used go. */
  #dropUnused(...ranks: readonly Rank[]): void {
    for (const unused of ranks) {
      if (unused.given > 0 || unused.stands.size > 0) continue;
      this.#ranks = this.#ranks.filter((rank) => rank !== unused);
      for (const lane of this.#lanes.values()) lane.stands = lane.stands.filter(({ rank }) => rank !== unused);
    }
  }

  #standOf(lane: Lane, priority: number): Stand {
    for (const stand of lane.stands) if (stand.rank.priority === priority) return stand;
    const { line } = this.#slots;
    const rank = this.#rankOf(priority);
    const stand: Stand = { lane, rank, given: new SlotChain(line), aged: new SlotChain(line), place: none };
    lane.stands.push(stand);
    return stand;
  }

  #rankOf(priority: number): Rank {
    for (const rank of this.#ranks) if (rank.priority === priority) return rank;
    const stands = new MovableHeap<Stand>(byTurn, placeOf, putAt);
    const rank: Rank = { priority, given: 0, stands, own: new Ages(this.#slots), others: new Map() };
    this.#ranks.push(rank);
    return rank;
  }

  #agesOf(rank: Rank, given: number): Ages {
    if (given === rank.priority) return rank.own;
    let found = rank.others.get(given);
    if (found === undefined) {
      found = new Ages(this.#slots);
      rank.others.set(given, found);
    }
    return found;
  }

  /** Lifts keys that are old enough to the highest level. */
  #promote(top: number, now: number): void {
    let left = mostRises;
    for (const rank of this.#ranks) {
      if (rank.priority >= top || rank.stands.size === 0) continue;
      left = this.#promoteFrom(rank.own, rank.priority, { top, now, left });
      for (const [given, ages] of rank.others) left = this.#promoteFrom(ages, given, { top, now, left });
    }
  }

  #promoteFrom(ages: Ages, given: number, { top, now, left }: { top: number; now: number; left: number }): number {
    const bornBefore = now - Math.ceil((top - given) / step) * this.#ageing;
    const { readySince, stands } = this.#slots;
    let rises = left;
    let slot = ages.oldest();
    for (; rises > 0 && slot >= 0 && (readySince[slot] as number) <= bornBefore; slot = ages.oldest(), rises -= 1) {
      const { lane } = stands[slot] as Stand;
      lane.size += 1;
      this.#take(slot);
      this.#insert(slot, top);
      lane.size -= 1;
    }
    return rises;
  }

  #nextLane(top: number): Lane | undefined {
    let best: Lane | undefined;
    for (const { priority, stands } of this.#ranks) {
      if (priority < top) continue;
      const first = stands.peek()?.lane;
      if (first !== undefined && (best === undefined || first.turn < best.turn)) best = first;
    }
    return best;
  }

  /** The first key of a lane that has one of this rank or above. */
  #firstOf({ stands }: Lane, top: number): number {
    const { positions } = this.#slots;
    let best = none;
    const isBefore = (slot: number): boolean =>
      slot >= 0 && (best < 0 || (positions[slot] as number) < (positions[best] as number));
    for (const { rank, given, aged } of stands) {
      if (rank.priority < top) continue;
      if (isBefore(given.first)) best = given.first;
      if (isBefore(aged.first)) best = aged.first;
    }
    return best;
  }
}
