import { Ages } from './ages.ts';
import { Chain } from './chain.ts';
import type { Entry } from './entry.ts';
import { MovableHeap } from './movable-heap.ts';
import type * as stands from './stand.ts';

type Lane = stands.Lane<Entry>;
type Rank = stands.Rank<Entry>;
type Stand = stands.Stand<Entry>;

// One step of ageing lifts an initial list (-100) to the level of changes (0).
const step = 100;

// A hundred thousand keys of one list come of age together: they rise with the keys that are taken, not all with one of them.
const mostRises = 1000;

// Lanes and ranks that are empty are mostly used again at once: making them anew for each change costs more than the change.
const mostKept = 1000;
const mostRanks = 16;

const byTurn = (a: Stand, b: Stand): number => a.lane.turn - b.lane.turn;
const isBehind = (other: Entry, entry: Entry): boolean => other.position > entry.position;

/**
 * The keys that can be handed out, in order: effective priority, then turns of the fairness keys, then position.
 *
 * Effective priority is the given one plus 100 for each ageing period, never above the highest given priority among
 * these keys. So the next key always is one that reaches that highest priority; levels in between do not matter.
 *
 * A key that comes and goes costs the same however many wait: it is put at the end of a line and taken from its front.
 */
export class ReadyKeys {
  readonly #ageing: number;
  /** The lanes with at least one key, and some that had one. */
  readonly #lanes = new Map<string, Lane>();
  /** The ranks with at least one key, and some that had one. One above the highest given priority counts as that priority. */
  readonly #ranks = new Map<number, Rank>();
  #size = 0;
  /** The largest turn or position given so far. */
  #numbers = 0;

  constructor(ageing: number) {
    this.#ageing = ageing;
  }

  get size(): number {
    return this.#size;
  }

  /** The same name, as the lane has it that is known by it: a name per key would be a string per key. */
  laneName(name: string): string {
    return this.#lanes.get(name)?.name ?? name;
  }

  /** Puts a key behind its peers. */
  add(entry: Entry, now: number): void {
    entry.readySince = now;
    entry.position = this.#nextNumber();
    this.#insert(entry, entry.priority);
  }

  /** Moves a key to the end of a higher level; its age is kept. */
  raise(entry: Entry, priority: number): void {
    const { lane } = entry.stand as Stand;
    // A key that is moved keeps its lane's turn.
    lane.size += 1;
    this.#take(entry);
    entry.priority = priority;
    entry.position = this.#nextNumber();
    this.#insert(entry, priority);
    lane.size -= 1;
  }

  /** Takes out the key whose turn it is. */
  next(now: number): Entry | undefined {
    if (this.#size === 0) return undefined;
    const top = this.#highestGiven();
    if (this.#ranks.size > 1) this.#promote(top, now);
    const lane = this.#nextLane(top);
    const entry = lane === undefined ? undefined : firstOf(lane, top);
    if (lane === undefined || entry === undefined) return undefined;
    this.#take(entry);
    lane.turn = this.#nextNumber();
    for (const stand of lane.stands.values()) if (stand.place >= 0) stand.rank.stands.place(stand);
    if (lane.size === 0 && this.#lanes.size > mostKept) this.#lanes.delete(lane.name);
    return entry;
  }

  /** When the key that has waited longest became ready. */
  oldest(): number | undefined {
    let oldest: number | undefined;
    for (const { ages } of this.#ranks.values()) {
      for (const each of ages.values()) {
        const since = each.oldest()?.readySince;
        if (since !== undefined && (oldest === undefined || since < oldest)) oldest = since;
      }
    }
    return oldest;
  }

  clear(): void {
    this.#lanes.clear();
    this.#ranks.clear();
    this.#size = 0;
  }

  #nextNumber(): number {
    this.#numbers += 1;
    return this.#numbers;
  }

  #highestGiven(): number {
    let highest = -Infinity;
    for (const { priority, given } of this.#ranks.values()) if (given > 0 && priority > highest) highest = priority;
    return highest;
  }

  #insert(entry: Entry, priority: number): void {
    const stand = this.#standOf(this.#laneOf(entry.lane), priority);
    entry.stand = stand;
    stand.lane.size += 1;
    if (entry.priority === priority) stand.given.append(entry);
    else stand.aged.insert(entry, isBehind);
    if (stand.place < 0) stand.rank.stands.place(stand);
    agesOf(stand.rank, entry.priority).add(entry);
    this.#rankOf(entry.priority).given += 1;
    this.#size += 1;
  }

  #take(entry: Entry): void {
    const stand = entry.stand as Stand;
    const { lane, rank, given, aged } = stand;
    entry.stand = undefined;
    entry.chain?.remove(entry);
    const ages = agesOf(rank, entry.priority);
    ages.remove(entry);
    if (ages.empty && rank.ages.size > mostRanks) rank.ages.delete(entry.priority);
    lane.size -= 1;
    if (given.first === undefined && aged.first === undefined) rank.stands.remove(stand);
    const own = this.#rankOf(entry.priority);
    own.given -= 1;
    for (const one of [rank, own]) this.#dropIfMany(one);
    this.#size -= 1;
  }

  /** A priority per key must not become a rank per key: there are few of them, or those that are not used go. */
  #dropIfMany({ priority, given, stands }: Rank): void {
    if (this.#ranks.size <= mostRanks || given > 0 || stands.size > 0) return;
    this.#ranks.delete(priority);
    for (const lane of this.#lanes.values()) lane.stands.delete(priority);
  }

  #standOf(lane: Lane, priority: number): Stand {
    const found = lane.stands.get(priority);
    if (found !== undefined) return found;
    const rank = this.#rankOf(priority);
    const stand: Stand = { lane, rank, given: new Chain(), aged: new Chain(), place: -1 };
    lane.stands.set(priority, stand);
    return stand;
  }

  /** A lane that had no keys comes back behind those that wait. */
  #laneOf(name: string): Lane {
    const found = this.#lanes.get(name);
    if (found !== undefined && found.size > 0) return found;
    const lane: Lane = found ?? { name, turn: 0, size: 0, stands: new Map() };
    lane.turn = this.#nextNumber();
    if (found === undefined) this.#lanes.set(name, lane);
    return lane;
  }

  #rankOf(priority: number): Rank {
    const found = this.#ranks.get(priority);
    if (found !== undefined) return found;
    const rank: Rank = { priority, given: 0, stands: new MovableHeap(byTurn), ages: new Map() };
    this.#ranks.set(priority, rank);
    return rank;
  }

  /** Lifts keys that are old enough to the highest level. */
  #promote(top: number, now: number): void {
    let left = mostRises;
    for (const rank of this.#ranks.values()) {
      if (rank.priority >= top) continue;
      for (const [given, ages] of rank.ages) {
        const bornBefore = now - Math.ceil((top - given) / step) * this.#ageing;
        let old = ages.oldest();
        for (; left > 0 && old !== undefined && old.readySince <= bornBefore; old = ages.oldest(), left -= 1) {
          const { lane } = old.stand as Stand;
          lane.size += 1;
          this.#take(old);
          this.#insert(old, top);
          lane.size -= 1;
        }
      }
    }
  }

  #nextLane(top: number): Lane | undefined {
    let best: Lane | undefined;
    for (const { priority, stands } of this.#ranks.values()) {
      const first = priority < top ? undefined : stands.peek()?.lane;
      if (first !== undefined && (best === undefined || first.turn < best.turn)) best = first;
    }
    return best;
  }
}

function firstOf({ stands }: Lane, top: number): Entry | undefined {
  let best: Entry | undefined;
  for (const { rank, given, aged } of stands.values()) {
    if (rank.priority < top) continue;
    for (const first of [given.first, aged.first])
      if (first !== undefined && (best === undefined || first.position < best.position)) best = first;
  }
  return best;
}

function agesOf({ ages }: Rank, given: number): Ages<Entry> {
  const found = ages.get(given);
  if (found !== undefined) return found;
  const made = new Ages<Entry>();
  ages.set(given, made);
  return made;
}
