import type { Json } from 'kilter/api';
import { fieldOf, isEmpty, isObject, sameValue } from '../values/index.ts';
import { type FieldSet, FieldSetDraft } from './field-set.ts';
import { groupItems } from './list-item.ts';
import { fieldElement, type FieldPathElements, type PathElement } from './path-element.ts';
import { type ListType, type MapType, type Shape, shapeOf, type Type } from './type.ts';

/** What a write did to an object, field by field. Only where duplicates came or went is a path in two of the sets. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

export function compare(before: Json, after: Json, type: Type): Comparison {
  const comparing = new Comparing();
  comparing.place({ path: [], before, after, type });
  return comparing.finish();
}

export function mapSets(comparison: Comparison, change: (set: FieldSet) => FieldSet): Comparison {
  return {
    added: change(comparison.added),
    modified: change(comparison.modified),
    removed: change(comparison.removed),
  };
}

/** One place in both objects; undefined where it is missing, and never on both sides. */
interface Pair {
  readonly path: FieldPathElements;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
  readonly type: Type;
}

class Comparing {
  readonly #added = new FieldSetDraft();
  readonly #modified = new FieldSetDraft();
  readonly #removed = new FieldSetDraft();

  finish(): Comparison {
    return { added: this.#added.finish(), modified: this.#modified.finish(), removed: this.#removed.finish() };
  }

  place(pair: Pair): void {
    const { path, before, after } = pair;
    const wasLeaf = shapesOf(pair).map((shape) => this.#shape(pair, shape));
    if (wasLeaf.at(-1) === true) return;
    // More than a leaf that came or went: the place itself did too, besides what is below it.
    if (before === undefined) this.#added.insert(path);
    else if (after === undefined) this.#removed.insert(path);
  }

  /** Returns whether the place was taken as a leaf. */
  #shape(pair: Pair, shape: Shape): boolean {
    const { path, before, after } = pair;
    const filled = [before, after].some((side) => hasShape(side, shape.kind) && !isEmpty(side));
    // Two empty sides are a leaf, so that null, {} and absence can be told apart.
    if (shape.kind === 'scalar' || !filled || (shape.kind === 'map' ? shape.map : shape.list).atomic) {
      this.#leaf(pair);
      return true;
    }
    if (shape.kind === 'map') this.#fields({ path, before: objectOr(before), after: objectOr(after) }, shape.map);
    else this.#items({ path, before: listOr(before), after: listOr(after) }, shape.list);
    return false;
  }

  #leaf({ path, before, after }: Pair): void {
    if (before === undefined) this.#added.insert(path);
    else if (after === undefined) this.#removed.insert(path);
    else if (!sameValue(before, after)) this.#modified.insert(path);
  }

  #fields(sides: Sides<Record<string, Json>>, map: MapType): void {
    for (const name of Object.keys(sides.before)) this.#field(sides, map, name);
    for (const name of Object.keys(sides.after)) {
      if (!Object.hasOwn(sides.before, name)) this.#field(sides, map, name);
    }
  }

  #field({ path, before, after }: Sides<Record<string, Json>>, map: MapType, name: string): void {
    this.place({
      path: [...path, fieldElement(name)],
      before: fieldOf(before, name),
      after: fieldOf(after, name),
      type: map.field(name) ?? {},
    });
  }

  #items(sides: Sides<Json[]>, list: ListType): void {
    const before = groupItems(sides.before, list);
    const after = groupItems(sides.after, list);
    for (const element of new Set([...before.keys(), ...after.keys()])) {
      const path = [...sides.path, element];
      this.#group({ path, before: before.get(element) ?? [], after: after.get(element) ?? [] }, list);
    }
  }

  /** Items of one identity. Duplicates count as one leaf: nothing shows which of them is which. */
  #group({ path, before, after }: Sides<Json[]>, list: ListType): void {
    const type = list.item();
    const [wereMany, areMany] = [before.length > 1, after.length > 1];
    if (wereMany && areMany) {
      if (!sameValue(before, after)) this.#modified.insert(path);
      return;
    }
    if (!wereMany && !areMany) {
      this.place({ path, before: before[0], after: after[0], type });
      return;
    }
    if (before.length === 1) this.place({ path, before: before[0], after: undefined, type });
    if (after.length === 1) this.place({ path, before: undefined, after: after[0], type });
    (wereMany ? this.#removed : this.#added).insert(path);
  }
}

interface Sides<T> {
  readonly path: readonly PathElement[];
  readonly before: T;
  readonly after: T;
}

const objectOr = (value: Json | undefined): Record<string, Json> => (isObject(value) ? value : {});

const listOr = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

const hasShape = (value: Json | undefined, kind: Shape['kind']): boolean =>
  kind === 'map' ? isObject(value) : kind === 'list' && Array.isArray(value);

/** Where a place without declared type changes its shape, it is looked at in both. */
function shapesOf({ before, after, type }: Pair): Shape[] {
  if (after === undefined) return [shapeOf(type, before)];
  const now = shapeOf(type, after);
  const was = before === undefined ? now : shapeOf(type, before);
  return was.kind === now.kind ? [now] : [was, now];
}
