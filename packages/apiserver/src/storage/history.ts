/** One stored change, as a watcher or a snapshot needs it. Texts are shared with the store, never copied. */
export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly bucket: string;
  readonly key: string;
  readonly revision: number;
  /** The content after the change; of a deletion, the last content. */
  readonly text: string;
  /** What stood there before; undefined for an addition. */
  readonly previous: { readonly text: string; readonly revision: number } | undefined;
}

export interface HistoryLimits {
  /** Kept at least, whatever their age. */
  readonly minEvents: number;
  /** Events younger than this are kept up to the two maxima. */
  readonly minAgeMs: number;
  readonly maxEvents: number;
  /** Characters of content held by the events of one bucket. */
  readonly maxCharacters: number;
}

interface Entry {
  readonly change: Change;
  readonly at: number;
}

/** The recent changes of one bucket, numbered by position so that a reader can hold its place while old ones go. */
export class History {
  readonly #limits: HistoryLimits;
  /** Ascending by revision, without gaps: every change of the bucket after `#lost`. */
  #entries: Entry[] = [];
  /** How many leading entries are already forgotten; cut off in batches, as cutting one costs as much as all. */
  #forgotten = 0;
  /** The position of `#entries[0]`. */
  #base = 0;
  /** The revision of the newest change that is no longer held; resuming after an older one would miss it. */
  #lost: number;
  /** The characters held by the entries that are not forgotten. */
  #characters = 0;

  constructor(limits: HistoryLimits, since: number) {
    this.#limits = limits;
    this.#lost = since;
  }

  /** The oldest revision one can resume after. */
  get lost(): number {
    return this.#lost;
  }

  /** The position the next change will get. */
  get end(): number {
    return this.#base + this.#entries.length;
  }

  get size(): number {
    return this.#entries.length - this.#forgotten;
  }

  get characters(): number {
    return this.#characters;
  }

  push(change: Change, now: number): void {
    this.#entries.push({ change, at: now });
    this.#characters += change.text.length;
    this.#forget(now);
  }

  /** The change at a position, or undefined if it is forgotten or still to come. */
  at(position: number): Change | undefined {
    const index = position - this.#base;
    return index < this.#forgotten ? undefined : this.#entries[index]?.change;
  }

  /** Whether the change at this position was forgotten: who still needed it has lost its place. */
  passed(position: number): boolean {
    return position < this.#base + this.#forgotten;
  }

  /** Where a reader starts who has seen everything up to a revision; undefined if something after it is forgotten. */
  positionAfter(revision: number): number | undefined {
    if (revision < this.#lost) return undefined;
    let low = this.#forgotten;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#entries[middle]?.change.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return this.#base + low;
  }

  /** The changes after a revision, newest first: how a snapshot of the past is undone from the present. */
  *newestFirst(after: number): Generator<Change> {
    for (let index = this.#entries.length - 1; index >= this.#forgotten; index -= 1) {
      const change = this.#entries[index]?.change;
      if (change === undefined || change.revision <= after) return;
      yield change;
    }
  }

  #forget(now: number): void {
    const { minEvents, minAgeMs, maxEvents, maxCharacters } = this.#limits;
    const oldest = (): Entry | undefined => this.#entries[this.#forgotten];
    for (let entry = oldest(); entry !== undefined && this.size > 1; entry = oldest()) {
      const spare = this.size > minEvents && now - entry.at > minAgeMs;
      if (!spare && this.size <= maxEvents && this.#characters <= maxCharacters) break;
      this.#forgotten += 1;
      this.#lost = entry.change.revision;
      this.#characters -= entry.change.text.length;
    }
    if (this.#forgotten <= this.#entries.length / 2) return;
    this.#base += this.#forgotten;
    this.#entries = this.#entries.slice(this.#forgotten);
    this.#forgotten = 0;
  }
}
