import type { Entry } from './entry.ts';
import { MovableHeap } from './movable-heap.ts';

/** The keys of one fairness key. */
interface Lane {
  readonly name: string;
  /** Smaller is served sooner; a served lane gets the largest of all, so turns rotate. */
  turn: number;
  /** By rank; no heap in here is empty. Ordered by position. */
  readonly waiting: Map<number, MovableHeap<Entry>>;
}

/** The keys of one rank. */
interface Rank {
  /** Exactly the lanes that have keys of this rank, by turn. */
  readonly lanes: MovableHeap<Lane>;
  /** The same keys by the priority they were given, oldest first: whose age is to be looked at. */
  readonly ages: Map<number, MovableHeap<Entry>>;
}

// One step of ageing lifts an initial list (-100) to the level of changes (0).
const step = 100;

const byPosition = (a: Entry, b: Entry): number => a.position - b.position;
const byAge = (a: Entry, b: Entry): number => a.readySince - b.readySince || a.position - b.position;
const byTurn = (a: Lane, b: Lane): number => a.turn - b.turn;

/**
 * The keys that can be handed out, in order: effective priority, then turns of the fairness keys, then position.
 *
 * Effective priority is the given one plus 100 for each ageing period, never above the highest given priority among
 * these keys. So the next key always is one that reaches that highest priority; levels in between do not matter.
 */
export class ReadyKeys {
  readonly #ageing: number;
  /** Exactly the lanes with at least one key. */
  readonly #lanes = new Map<string, Lane>();
  /** Exactly the ranks with at least one key. A rank above the highest given priority counts as that priority. */
  readonly #ranks = new Map<number, Rank>();
  /** How many keys were given each priority; no zero is kept. */
  readonly #given = new Map<number, number>();
  #size = 0;
  /** The largest turn or position given so far. */
  #numbers = 0;

  constructor(ageing: number) {
    this.#ageing = ageing;
  }

  get size(): number {
    return this.#size;
  }

  /** Puts a key behind its peers. */
  add(entry: Entry, now: number): void {
    entry.readySince = now;
    entry.position = this.#nextNumber();
    this.#insert(entry, entry.priority);
  }

  /** Moves a key to the end of a higher level; its age is kept. */
  raise(entry: Entry, priority: number): void {
    this.#take(entry);
    entry.priority = priority;
    entry.position = this.#nextNumber();
    this.#insert(entry, priority);
  }

  /** Takes out the key whose turn it is. */
  next(now: number): Entry | undefined {
    if (this.#size === 0) return undefined;
    const top = this.#highestGiven();
    this.#promote(top, now);
    const lane = this.#nextLane(top);
    const entry = lane === undefined ? undefined : firstOf(lane, top);
    if (lane === undefined || entry === undefined) return undefined;
    this.#take(entry);
    this.#endTurn(lane);
    this.#dropIfEmpty(lane);
    return entry;
  }

  /** When the key that has waited longest became ready. */
  oldest(): number | undefined {
    let oldest: number | undefined;
    for (const { ages } of this.#ranks.values())
      for (const heap of ages.values()) oldest = Math.min(oldest ?? Infinity, heap.peek()?.readySince ?? Infinity);
    return oldest;
  }

  clear(): void {
    this.#lanes.clear();
    this.#ranks.clear();
    this.#given.clear();
    this.#size = 0;
  }

  #nextNumber(): number {
    this.#numbers += 1;
    return this.#numbers;
  }

  #highestGiven(): number {
    let highest = -Infinity;
    for (const priority of this.#given.keys()) highest = Math.max(highest, priority);
    return highest;
  }

  #insert(entry: Entry, rank: number): void {
    entry.rank = rank;
    const lane = this.#laneOf(entry.lane);
    const ranked = this.#rankOf(rank);
    heapIn(lane.waiting, rank, byPosition).place(entry);
    heapIn(ranked.ages, entry.priority, byAge).place(entry);
    ranked.lanes.place(lane);
    this.#given.set(entry.priority, (this.#given.get(entry.priority) ?? 0) + 1);
    this.#size += 1;
  }

  /** Leaves an empty lane in place, so that a key that is moved keeps its lane's turn. */
  #take(entry: Entry): void {
    const lane = this.#laneOf(entry.lane);
    const ranked = this.#rankOf(entry.rank);
    if (removeFrom(lane.waiting, entry.rank, entry)) ranked.lanes.remove(lane);
    removeFrom(ranked.ages, entry.priority, entry);
    if (ranked.lanes.size === 0) this.#ranks.delete(entry.rank);
    const left = (this.#given.get(entry.priority) ?? 1) - 1;
    if (left === 0) this.#given.delete(entry.priority);
    else this.#given.set(entry.priority, left);
    this.#size -= 1;
  }

  #laneOf(name: string): Lane {
    const found = this.#lanes.get(name);
    if (found !== undefined) return found;
    const lane: Lane = { name, turn: this.#nextNumber(), waiting: new Map() };
    this.#lanes.set(name, lane);
    return lane;
  }

  #rankOf(priority: number): Rank {
    const found = this.#ranks.get(priority);
    if (found !== undefined) return found;
    const rank: Rank = { lanes: new MovableHeap(byTurn), ages: new Map() };
    this.#ranks.set(priority, rank);
    return rank;
  }

  #dropIfEmpty(lane: Lane): void {
    if (lane.waiting.size === 0) this.#lanes.delete(lane.name);
  }

  /** Lifts every key that is old enough to the highest level. */
  #promote(top: number, now: number): void {
    for (const [priority, rank] of this.#ranks) {
      if (priority >= top) continue;
      for (const [given, heap] of rank.ages) {
        const bornBefore = now - Math.ceil((top - given) / step) * this.#ageing;
        for (let old = heap.peek(); old !== undefined && old.readySince <= bornBefore; old = heap.peek()) {
          this.#take(old);
          this.#insert(old, top);
        }
      }
    }
  }

  #nextLane(top: number): Lane | undefined {
    let best: Lane | undefined;
    for (const [priority, { lanes }] of this.#ranks) {
      const first = lanes.peek();
      if (priority >= top && first !== undefined && (best === undefined || first.turn < best.turn)) best = first;
    }
    return best;
  }

  #endTurn(lane: Lane): void {
    lane.turn = this.#nextNumber();
    for (const priority of lane.waiting.keys()) this.#rankOf(priority).lanes.place(lane);
  }
}

function firstOf(lane: Lane, top: number): Entry | undefined {
  let best: Entry | undefined;
  for (const [priority, heap] of lane.waiting) {
    const first = heap.peek();
    if (priority >= top && first !== undefined && (best === undefined || byPosition(first, best) < 0)) best = first;
  }
  return best;
}

function heapIn<K>(
  heaps: Map<K, MovableHeap<Entry>>,
  key: K,
  compare: (a: Entry, b: Entry) => number,
): MovableHeap<Entry> {
  const found = heaps.get(key);
  if (found !== undefined) return found;
  const heap = new MovableHeap(compare);
  heaps.set(key, heap);
  return heap;
}

/** Whether that was the last of its heap. */
function removeFrom<K>(heaps: Map<K, MovableHeap<Entry>>, key: K, entry: Entry): boolean {
  const heap = heaps.get(key);
  heap?.remove(entry);
  if (heap === undefined || heap.size > 0) return false;
  heaps.delete(key);
  return true;
}
