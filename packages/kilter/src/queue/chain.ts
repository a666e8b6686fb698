/** The place of something in a chain. It is in one chain at most. */
export class Link<T> {
  readonly of: T;
  /** Set exactly while it is in a chain. */
  chain: Chain<T> | undefined;
  before: Link<T> | undefined;
  after: Link<T> | undefined;

  constructor(of: T) {
    this.of = of;
    this.chain = undefined;
    this.before = undefined;
    this.after = undefined;
  }
}

/** A list from which anything can be taken at once: what waits in line and may be called away. */
export class Chain<T> {
  first: Link<T> | undefined = undefined;
  last: Link<T> | undefined = undefined;

  /** Puts it behind all others. */
  append(link: Link<T>): void {
    this.#insert(link, this.last);
  }

  /** Puts it behind the last one that does not come after it. Looks from the end: for what nearly comes in order. */
  insert(link: Link<T>, isAfter: (other: T, of: T) => boolean): void {
    let before = this.last;
    while (before !== undefined && isAfter(before.of, link.of)) before = before.before;
    this.#insert(link, before);
  }

  remove(link: Link<T>): void {
    const { before, after } = link;
    if (before === undefined) this.first = after;
    else before.after = after;
    if (after === undefined) this.last = before;
    else after.before = before;
    link.chain = undefined;
    link.before = undefined;
    link.after = undefined;
  }

  #insert(link: Link<T>, before: Link<T> | undefined): void {
    const after = before === undefined ? this.first : before.after;
    link.chain = this;
    link.before = before;
    link.after = after;
    if (before === undefined) this.first = link;
    else before.after = link;
    if (after === undefined) this.last = link;
    else after.before = link;
  }
}
