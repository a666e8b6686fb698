import { compareElements, type FieldPathElements, type PathElement } from './path-element.ts';

/**
 * An immutable set of fields, as a trie. A path may be a member without its parents, and a parent without what is below
 * it: owning the item of a list does not mean owning its fields.
 */
export class FieldSet {
  static readonly empty: FieldSet = new FieldSet(new Set(), new Map());

  /** Steps that end a path of the set. */
  readonly members: ReadonlySet<PathElement>;
  /** What is below a step; never an empty set. */
  readonly children: ReadonlyMap<PathElement, FieldSet>;

  constructor(members: ReadonlySet<PathElement>, children: ReadonlyMap<PathElement, FieldSet>) {
    this.members = members;
    this.children = children;
  }

  static of(paths: Iterable<FieldPathElements>): FieldSet {
    const draft = new FieldSetDraft();
    for (const path of paths) draft.insert(path);
    return draft.finish();
  }

  get isEmpty(): boolean {
    return this.members.size === 0 && this.children.size === 0;
  }

  has(path: FieldPathElements): boolean {
    const [head, ...rest] = path;
    if (head === undefined) return false;
    return rest.length === 0 ? this.members.has(head) : this.below(head).has(rest);
  }

  below(element: PathElement): FieldSet {
    return this.children.get(element) ?? FieldSet.empty;
  }

  union(other: FieldSet): FieldSet {
    if (other.isEmpty) return this;
    if (this.isEmpty) return other;
    const children = new Map(this.children);
    for (const [element, set] of other.children) children.set(element, this.below(element).union(set));
    return new FieldSet(new Set([...this.members, ...other.members]), children);
  }

  intersection(other: FieldSet): FieldSet {
    if (other.isEmpty) return FieldSet.empty;
    return new FieldSet(
      chosen(this.members, (element) => other.members.has(element)),
      this.#eachBelow((element, set) => set.intersection(other.below(element))),
    );
  }

  /** Members of this set that are not members of the other; what is below a member of the other stays. */
  difference(other: FieldSet): FieldSet {
    if (other.isEmpty) return this;
    return new FieldSet(
      chosen(this.members, (element) => !other.members.has(element)),
      this.#eachBelow((element, set) => set.difference(other.below(element))),
    );
  }

  /** Like `difference`, but a member of the other takes everything below it along. */
  without(other: FieldSet): FieldSet {
    if (other.isEmpty) return this;
    return new FieldSet(
      chosen(this.members, (element) => !other.members.has(element)),
      this.#eachBelow((element, set) =>
        other.members.has(element) ? FieldSet.empty : set.without(other.below(element)),
      ),
    );
  }

  /** The members with nothing below them. */
  leaves(): FieldSet {
    return new FieldSet(
      chosen(this.members, (element) => !this.children.has(element)),
      this.#eachBelow((_, set) => set.leaves()),
    );
  }

  equals(other: FieldSet): boolean {
    return (
      this.members.size === other.members.size &&
      this.children.size === other.children.size &&
      [...this.members].every((element) => other.members.has(element)) &&
      [...this.children].every(([element, set]) => set.equals(other.below(element)))
    );
  }

  /** All paths in the server's order: the members of a node before everything below it. */
  *paths(): Generator<PathElement[]> {
    for (const element of [...this.members].toSorted(compareElements)) yield [element];
    for (const element of [...this.children.keys()].toSorted(compareElements)) {
      for (const path of this.below(element).paths()) yield [element, ...path];
    }
  }

  #eachBelow(change: (element: PathElement, set: FieldSet) => FieldSet): Map<PathElement, FieldSet> {
    const changed = new Map<PathElement, FieldSet>();
    for (const [element, set] of this.children) {
      const next = change(element, set);
      if (!next.isEmpty) changed.set(element, next);
    }
    return changed;
  }
}

function chosen(elements: ReadonlySet<PathElement>, test: (element: PathElement) => boolean): Set<PathElement> {
  return new Set([...elements].filter(test));
}

/** A set under construction. */
export class FieldSetDraft {
  readonly #members = new Set<PathElement>();
  /** Every draft in here holds at least one path. */
  readonly #children = new Map<PathElement, FieldSetDraft>();

  /** The empty path is the whole object, which nobody owns. */
  insert(path: FieldPathElements, from = 0): void {
    const head = path[from];
    if (head === undefined) return;
    if (from === path.length - 1) {
      this.#members.add(head);
      return;
    }
    let child = this.#children.get(head);
    if (child === undefined) this.#children.set(head, (child = new FieldSetDraft()));
    child.insert(path, from + 1);
  }

  /** The set of what was put in; nothing may be put in after that. */
  finish(): FieldSet {
    if (this.#members.size === 0 && this.#children.size === 0) return FieldSet.empty;
    const children = new Map<PathElement, FieldSet>();
    for (const [element, draft] of this.#children) children.set(element, draft.finish());
    return new FieldSet(this.#members, children);
  }
}
