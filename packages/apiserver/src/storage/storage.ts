import { Bucket, type Stored } from './bucket.ts';
import type { Change, HistoryLimits } from './history.ts';
import type { StorageSnapshot } from './snapshot.ts';

export interface StorageLimits extends HistoryLimits {
  /** Characters of all stored objects together. */
  readonly maxStored: number;
}

export const defaultLimits: StorageLimits = {
  // The contract's own floor, and the real watch cache's.
  minEvents: 1000,
  minAgeMs: 75_000,
  // Far above what a test writes in 75 s, and small enough that a runaway controller cannot eat the heap.
  maxEvents: 50_000,
  maxCharacters: 64 * 2 ** 20,
  // A quarter of etcd's default quota of 2 GiB: this store shares a heap with its clients.
  maxStored: 512 * 2 ** 20,
};

export interface StorageOptions {
  readonly now: () => number;
  readonly limits?: Partial<StorageLimits> | undefined;
}

/** What the store holds, for reports. */
export interface StorageUsage {
  readonly revision: number;
  readonly objects: number;
  readonly characters: number;
  readonly historyEvents: number;
  readonly historyCharacters: number;
}

/** Thrown when a write would exceed `maxStored`. */
export class StorageFull extends Error {
  override readonly name = 'StorageFull';
  constructor() {
    super('the store is full: delete objects, or raise the limit maxStored');
  }
}

/**
 * Objects at rest, as JSON text under `bucket` and `key`, with one revision over all of them. Everything is synchronous:
 * a reader never sees half a write, and two writers never race.
 */
export class Storage {
  readonly #now: () => number;
  readonly #limits: StorageLimits;
  readonly #buckets = new Map<string, Bucket>();
  readonly #listeners = new Set<(change: Change) => void>();
  /** Committed changes the listeners have not received, oldest first; empty whenever no listener runs. */
  readonly #untold: Change[] = [];
  #telling = false;
  /** Grows by one with every change, over all buckets. Starts at 1, as etcd does. */
  #revision = 1;
  /** Revisions below this one are gone for new readers, even where history still holds them. */
  #compacted = 0;
  /** The summed length of all stored texts. */
  #characters = 0;

  constructor({ now, limits }: StorageOptions) {
    this.#now = now;
    this.#limits = { ...defaultLimits, ...limits };
  }

  get revision(): number {
    return this.#revision;
  }

  read(bucket: string, key: string): Stored | undefined {
    return this.#buckets.get(bucket)?.read(key);
  }

  write(bucket: string, key: string, text: string): Change {
    const before = this.read(bucket, key);
    const growth = text.length - (before?.text.length ?? 0);
    if (growth > 0 && this.#characters + growth > this.#limits.maxStored) throw new StorageFull();
    this.#characters += growth;
    this.#revision += 1;
    this.#bucket(bucket).put({ key, text, revision: this.#revision });
    return this.#commit({ type: before === undefined ? 'ADDED' : 'MODIFIED', bucket, key, text, before });
  }

  /** Takes an object away; the answer is undefined if there was none. */
  remove(bucket: string, key: string): Change | undefined {
    const before = this.read(bucket, key);
    if (before === undefined) return undefined;
    this.#characters -= before.text.length;
    this.#revision += 1;
    this.#bucket(bucket).take(key);
    return this.#commit({ type: 'DELETED', bucket, key, text: before.text, before });
  }

  /** An object as it was at a past revision; of one that is no longer known, as it is now. */
  readAt(bucket: string, key: string, revision: number): Stored | undefined {
    const then = this.listAt(bucket, key, revision);
    return then === undefined ? this.read(bucket, key) : then.find((stored) => stored.key === key);
  }

  list(bucket: string, prefix = ''): Stored[] {
    return this.#buckets.get(bucket)?.list(prefix) ?? [];
  }

  /** The list as it was at a past revision; undefined if that is no longer known. */
  listAt(bucket: string, prefix: string, revision: number): Stored[] | undefined {
    if (revision < this.#compacted) return undefined;
    return this.#bucket(bucket).listAt(prefix, revision);
  }

  /** The oldest revision a reader of this bucket can resume after. */
  oldest(bucket: string): number {
    return Math.max(this.#compacted, this.#bucket(bucket).history.lost);
  }

  /** The position in a bucket's changes after a revision; undefined if something after it is gone. */
  positionAfter(bucket: string, revision: number): number | undefined {
    return revision < this.#compacted ? undefined : this.#bucket(bucket).history.positionAfter(revision);
  }

  /** How far the changes of a bucket reach: the position of the next one. */
  end(bucket: string): number {
    return this.#bucket(bucket).history.end;
  }

  /** The change at a position, `'passed'` if it is already forgotten, undefined if it is still to come. */
  changeAt(bucket: string, position: number): Change | 'passed' | undefined {
    const { history } = this.#bucket(bucket);
    return history.passed(position) ? 'passed' : history.at(position);
  }

  /** Called after every change, synchronously and in order. */
  subscribe(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Nothing older than now can be read or resumed any more. Readers that are under way keep their place, as watches
   * of a real server outlive a compaction of etcd.
   */
  compact(): void {
    this.#compacted = this.#revision;
  }

  /** Everything that is stored now. Texts are shared, not copied. */
  snapshot(): StorageSnapshot {
    const objects = [...this.#buckets].flatMap(([bucket, held]) =>
      held.list('').map(({ key, revision, text }) => ({ bucket, key, revision, text })),
    );
    return { revision: this.#revision, objects };
  }

  /**
   * Holds what a snapshot holds, at its revision, even if that is an older one; no listener is called. What happened before is
   * not known any more, as to an API server that starts over a restored etcd.
   */
  restore({ revision, objects }: StorageSnapshot): void {
    const characters = objects.reduce((sum, { text }) => sum + text.length, 0);
    if (characters > this.#limits.maxStored) throw new StorageFull();
    this.#buckets.clear();
    this.#characters = characters;
    this.#revision = revision;
    this.#compacted = revision;
    for (const { bucket, ...stored } of objects) {
      this.begin(bucket);
      this.#bucket(bucket).put(stored);
    }
  }

  /** From now on the changes of a new bucket are its history: who asks for older ones has missed them. */
  begin(bucket: string): void {
    if (!this.#buckets.has(bucket)) this.#buckets.set(bucket, new Bucket(this.#limits, this.#revision));
  }

  /** Forgets an emptied bucket, history included, so that a later one of that name sees nothing of it. */
  drop(bucket: string): void {
    this.#characters -= this.list(bucket).reduce((sum, { text }) => sum + text.length, 0);
    this.#revision += 1;
    this.#buckets.set(bucket, new Bucket(this.#limits, this.#revision));
  }

  usage(): StorageUsage {
    const buckets = [...this.#buckets.values()];
    const sum = (of: (bucket: Bucket) => number): number => buckets.reduce((total, bucket) => total + of(bucket), 0);
    return {
      revision: this.#revision,
      objects: sum(({ size }) => size),
      characters: this.#characters,
      historyEvents: sum(({ history }) => history.size),
      historyCharacters: sum(({ history }) => history.characters),
    };
  }

  #bucket(name: string): Bucket {
    let bucket = this.#buckets.get(name);
    if (bucket === undefined) {
      // A bucket nobody wrote to has missed nothing: its history is complete from the beginning.
      bucket = new Bucket(this.#limits, 0);
      this.#buckets.set(name, bucket);
    }
    return bucket;
  }

  #commit({ before, ...change }: Omit<Change, 'revision' | 'previous'> & { before: Stored | undefined }): Change {
    const committed: Change = {
      ...change,
      revision: this.#revision,
      previous: before === undefined ? undefined : { text: before.text, revision: before.revision },
    };
    this.#bucket(change.bucket).history.push(committed, this.#now());
    this.#untold.push(committed);
    this.#tell();
    return committed;
  }

  /** A listener may write: what it writes is reported after the change at hand, so that all receive one order. */
  #tell(): void {
    if (this.#telling) return;
    this.#telling = true;
    try {
      for (let change = this.#untold.shift(); change !== undefined; change = this.#untold.shift()) {
        for (const listener of [...this.#listeners]) listener(change);
      }
    } finally {
      this.#telling = false;
    }
  }
}
