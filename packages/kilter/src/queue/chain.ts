/** What can stand in a chain, and in one chain at most. */
export class Link<T extends Link<T>> {
  /** Set exactly while it is in a chain. */
  chain: Chain<T> | undefined = undefined;
  before: T | undefined = undefined;
  after: T | undefined = undefined;
}

/** A list from which anything can be taken at once: what waits in line and may be called away. */
export class Chain<T extends Link<T>> {
  first: T | undefined = undefined;
  last: T | undefined = undefined;

  /** Puts it behind all others. */
  append(link: T): void {
    this.#insert(link, this.last);
  }

  /** Puts it behind the last one that does not come after it. Looks from the end: for what nearly comes in order. */
  insert(link: T, isAfter: (other: T, link: T) => boolean): void {
    let before = this.last;
    while (before !== undefined && isAfter(before, link)) before = before.before;
    this.#insert(link, before);
  }

  remove(link: T): void {
    const { before, after } = link;
    if (before === undefined) this.first = after;
    else before.after = after;
    if (after === undefined) this.last = before;
    else after.before = before;
    link.chain = undefined;
    link.before = undefined;
    link.after = undefined;
  }

  #insert(link: T, before: T | undefined): void {
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
