import { compareResourceVersions } from '../api/index.ts';
import type { StoredObject } from './stored-object.ts';

/** An own write that the store of one informer does not show yet. */
export interface AwaitedWrite {
  readonly key: string;
  readonly namespace: string | undefined;
  readonly uid: string;
  /** The version to arrive. Of a deletion: the last version known of what is deleted. */
  readonly resourceVersion: string;
  readonly deletion: boolean;
  /** A deletion that no finalizer holds up any more: the deleting version does not fulfil it. */
  readonly final?: boolean | undefined;
  /** The key of the run that wrote it, with its kind. */
  readonly madeFor: string | undefined;
}

interface Entry extends AwaitedWrite {
  /** False while a deletion is under way: it holds nobody, but its event must not be missed. */
  answered: boolean;
  /** There once somebody waits. */
  arrival: PromiseWithResolvers<void> | undefined;
}

/** What a read has to wait for: writes of one key, of one namespace, or all of them. */
export interface AwaitedScope {
  readonly key?: string | undefined;
  readonly namespace?: string | undefined;
  readonly madeFor?: string | undefined;
}

/** What the tracker asks the informer. */
export interface ArrivedState {
  held(key: string): StoredObject | undefined;
  /** The version up to which everything of a namespace has arrived. */
  progress(namespace: string | undefined): string | undefined;
}

function reaches(version: string | undefined, wanted: string): boolean {
  if (version === undefined) return false;
  const order = compareResourceVersions(version, wanted);
  return order === 0 || order === 1;
}

const none: readonly Entry[] = [];

/**
 * Entries by a word. A list for each is replaced, never changed: who goes through one can drop entries on the way. Nearly all have one
 * entry, for which a set would be ten times as large.
 */
class EntryLists {
  /** No list is empty. */
  readonly #lists = new Map<string, readonly Entry[]>();

  get size(): number {
    return this.#lists.size;
  }

  /** Asked with every event, and nearly always there are none. */
  of(word: string): readonly Entry[] {
    return this.#lists.get(word) ?? none;
  }

  all(): Entry[] {
    return [...this.#lists.values()].flat();
  }

  add(word: string, entry: Entry): void {
    const before = this.#lists.get(word);
    this.#lists.set(word, before === undefined ? [entry] : [...before, entry]);
  }

  delete(word: string, entry: Entry): void {
    const left = this.of(word).filter((one) => one !== entry);
    if (left.length === 0) this.#lists.delete(word);
    else this.#lists.set(word, left);
  }
}

/** The own writes one informer has still to show. */
export class AwaitedWrites {
  readonly #state: ArrivedState;
  /** By key. Bounded by the objects written that have not arrived, and as many again. */
  readonly #entries = new EntryLists();
  /** The same by their writer, where that is known. */
  readonly #made = new EntryLists();
  /** How many keys #entries may hold before those that arrived unnoticed are swept out. */
  #sweepAt = 64;
  /** Those somebody waits for: the only ones looked at with every event. */
  readonly #waitedFor = new Set<Entry>();

  constructor(state: ArrivedState) {
    this.#state = state;
  }

  /** Nothing is awaited, by anybody. */
  get empty(): boolean {
    return this.#entries.size === 0;
  }

  /** A write was answered with this version. */
  expectVersion(write: Omit<AwaitedWrite, 'deletion'>): void {
    const entry: Entry = { ...write, deletion: false, answered: true, arrival: undefined };
    if (this.#hasArrived(entry)) return;
    // The newer version stands for the older ones nobody waits for.
    for (const old of this.#of(write.key)) {
      if (!old.deletion && old.uid === write.uid && old.arrival === undefined) this.#drop(old);
    }
    this.#add(entry);
  }

  /**
   * A deletion is about to be sent. Returns what to confirm or withdraw afterwards; undefined where the object is
   * neither stored nor on its way here, because then its deletion will not be seen either.
   */
  expectDeletion(write: {
    readonly key: string;
    readonly namespace: string | undefined;
    readonly uid: string | undefined;
    readonly madeFor: string | undefined;
  }): AwaitedWrite | undefined {
    const coming = this.#of(write.key).findLast(({ deletion, uid }) => !deletion && (write.uid ?? uid) === uid);
    const held = this.#state.held(write.key);
    const known = coming ?? (held !== undefined && (write.uid ?? held.uid) === held.uid ? held : undefined);
    if (known === undefined) return undefined;
    const { uid, resourceVersion } = known;
    const entry: Entry = { ...write, uid, resourceVersion, deletion: true, answered: false, arrival: undefined };
    if (held !== undefined && held.uid === uid && held.deleting) return undefined;
    this.#add(entry);
    return entry;
  }

  /** A write was answered with an object that went with it: its last finalizer is gone. Awaited where it is still held. */
  expectEnd(write: Omit<AwaitedWrite, 'deletion' | 'final'>): void {
    if (this.#state.held(write.key)?.uid !== write.uid) return;
    this.#add({ ...write, deletion: true, final: true, answered: true, arrival: undefined });
  }

  confirm(write: AwaitedWrite): void {
    for (const entry of this.#of(write.key)) if (entry === write) entry.answered = true;
  }

  withdraw(write: AwaitedWrite): void {
    for (const entry of this.#of(write.key)) if (entry === write) this.#drop(entry);
  }

  /** The store now holds this object. */
  stored(object: StoredObject): void {
    for (const entry of this.#of(object.key)) {
      if (entry.deletion ? endsDeletion(entry, object) : reaches(object.resourceVersion, entry.resourceVersion)) {
        this.#drop(entry);
      }
    }
  }

  /** The server deleted this object; without a UID: whatever had the key. */
  removed(key: string, uid: string | undefined): void {
    for (const entry of this.#of(key)) if (entry.deletion && (uid ?? entry.uid) === entry.uid) this.#drop(entry);
  }

  /** More has arrived, possibly without touching any of the keys. */
  progressed(): void {
    for (const entry of this.#waitedFor) if (this.#hasArrived(entry)) this.#drop(entry);
  }

  /** A complete state was read: everything is looked at again. */
  replaced(): void {
    for (const entry of this.#all()) {
      const held = this.#state.held(entry.key);
      if (entry.deletion && held !== undefined) this.stored(held);
      else if (this.#hasArrived(entry)) this.#drop(entry);
    }
  }

  /** Another object has taken the key: what was written to the old one will not come. */
  forgetUid(key: string, uid: string): void {
    for (const entry of this.#of(key)) if (entry.uid === uid) this.#drop(entry);
  }

  /** The server's history went back: no awaited version will come. */
  forgetAll(): void {
    for (const entry of this.#all()) this.#drop(entry);
  }

  /** What is answered and not yet there. */
  outstanding({ key, namespace, madeFor }: AwaitedScope): AwaitedWrite[] {
    if (this.empty) return [];
    const candidates = key === undefined ? this.#from(madeFor) : this.#of(key);
    if (candidates.length === 0) return [];
    return candidates.filter((entry) => {
      if (!entry.answered) return false;
      if (namespace !== undefined && entry.namespace !== namespace) return false;
      if (madeFor !== undefined && entry.madeFor !== madeFor) return false;
      if (!this.#hasArrived(entry)) return true;
      this.#drop(entry);
      return false;
    });
  }

  isOutstanding(write: AwaitedWrite): boolean {
    return this.#of(write.key).some((entry) => entry === write);
  }

  /** Resolves when the write is there, or is not to be expected any more. */
  arrival(write: AwaitedWrite): Promise<void> {
    const entry = this.#of(write.key).find((candidate) => candidate === write);
    if (entry === undefined) return Promise.resolve();
    entry.arrival ??= Promise.withResolvers();
    this.#waitedFor.add(entry);
    return entry.arrival.promise;
  }

  #hasArrived({ key, namespace, resourceVersion, deletion }: Entry): boolean {
    const held = this.#state.held(key);
    const complete = reaches(this.#state.progress(namespace), resourceVersion);
    // A deletion's own version is unknown: its key must be gone after the version that was deleted.
    if (deletion) return held === undefined && complete;
    return complete || reaches(held?.resourceVersion, resourceVersion);
  }

  #of(key: string): readonly Entry[] {
    return this.#entries.of(key);
  }

  #from(madeFor: string | undefined): readonly Entry[] {
    return madeFor === undefined ? this.#all() : this.#made.of(madeFor);
  }

  #all(): Entry[] {
    return this.#entries.all();
  }

  #add(entry: Entry): void {
    if (this.#entries.size >= this.#sweepAt) {
      for (const old of this.#all()) if (this.#hasArrived(old)) this.#drop(old);
      this.#sweepAt = Math.max(64, 2 * this.#entries.size);
    }
    this.#entries.add(entry.key, entry);
    if (entry.madeFor !== undefined) this.#made.add(entry.madeFor, entry);
  }

  #drop(entry: Entry): void {
    this.#entries.delete(entry.key, entry);
    if (entry.madeFor !== undefined) this.#made.delete(entry.madeFor, entry);
    this.#waitedFor.delete(entry);
    entry.arrival?.resolve();
  }
}

/** The deleting version of the object, or another object that took its key since. */
function endsDeletion(entry: Entry, object: StoredObject): boolean {
  if (object.uid === entry.uid) return object.deleting && entry.final !== true;
  return compareResourceVersions(object.resourceVersion, entry.resourceVersion) !== -1;
}
