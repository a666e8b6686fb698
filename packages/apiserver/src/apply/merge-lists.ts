import type { Json } from 'kilter/api';
import { identify } from './list-item.ts';
import type { PathElement } from './path-element.ts';
import type { ListType } from './type.ts';

interface Merging {
  readonly list: ListType;
  mergeItem(live: Json | undefined, applied: Json | undefined): Json | undefined;
}

interface Item {
  readonly element: PathElement;
  readonly value: Json;
}

/**
 * Two associative lists in one. Items of the applied list come in its order; an item only the live list has keeps its
 * place relative to the live items around it, and comes before applied items that would otherwise stand there.
 */
export function mergeLists(live: readonly Json[], applied: readonly Json[], merging: Merging): Json[] {
  const weave = new Weave(itemsOf(live, merging.list), itemsOf(applied, merging.list), merging);
  return weave.run();
}

function itemsOf(items: readonly Json[], list: ListType): Item[] {
  return items.flatMap((value) => {
    const identified = identify(value, list);
    return 'problem' in identified ? [] : [{ element: identified.element, value }];
  });
}

class Weave {
  readonly #live: Item[];
  readonly #applied: Item[];
  readonly #merging: Merging;
  readonly #liveValues = new Map<PathElement, Json>();
  readonly #appliedValues: ReadonlyMap<PathElement, Json>;
  /** Items both lists have and the output does not yet, in applied order: the first is the next one due. */
  readonly #shared: PathElement[];
  readonly #written = new Set<PathElement>();
  readonly #out: Json[] = [];
  /** Everything before these positions is in the output, or will come with the applied list. */
  #liveAt = 0;
  #appliedAt = 0;

  constructor(live: Item[], applied: Item[], merging: Merging) {
    this.#live = live;
    this.#applied = applied;
    this.#merging = merging;
    for (const { element, value } of live) {
      // Duplicates are not merged with an applied item, they give way to it.
      this.#liveValues.set(element, this.#liveValues.has(element) ? null : value);
    }
    this.#appliedValues = new Map(applied.map(({ element, value }) => [element, value]));
    this.#shared = applied.map(({ element }) => element).filter((element) => this.#liveValues.has(element));
  }

  run(): Json[] {
    while (this.#liveAt < this.#live.length || this.#appliedAt < this.#applied.length) this.#step();
    return this.#out;
  }

  #step(): void {
    const live = this.#live[this.#liveAt];
    const applied = this.#applied[this.#appliedAt];
    if (live === undefined) return this.#takeApplied(applied);
    if (live.element === applied?.element) {
      this.#liveAt += 1;
      return this.#takeApplied(applied);
    }
    const isShared = this.#appliedValues.has(live.element);
    const outOfTurn = applied !== undefined && this.#shared.length > 0 && this.#shared[0] !== live.element;
    if (isShared && outOfTurn) {
      this.#liveAt += 1;
      return;
    }
    if (!isShared) {
      this.#liveAt += 1;
      return this.#write(this.#merging.mergeItem(live.value, undefined));
    }
    if (this.#written.has(live.element)) this.#liveAt += 1;
    this.#takeApplied(applied);
  }

  #takeApplied(item: Item | undefined): void {
    if (item === undefined) return;
    const { element, value } = item;
    this.#appliedAt += 1;
    this.#written.add(element);
    if (this.#shared[0] === element) this.#shared.shift();
    this.#write(this.#merging.mergeItem(this.#liveValues.get(element), value));
  }

  #write(item: Json | undefined): void {
    if (item !== undefined) this.#out.push(item);
  }
}
