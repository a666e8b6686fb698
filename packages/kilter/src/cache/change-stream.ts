import type { KubeObject } from '../api/index.ts';
import type { CacheChange, ObjectChange } from './view.ts';

interface Pending {
  /** The newest change of the key. */
  change: ObjectChange;
  /** Whether the reader knows the object: it has received it, and not its deletion. */
  readonly known: boolean;
}

/**
 * Changes for a reader that takes its time. What it has not read yet is kept once per object, in its newest state, so that a slow
 * reader holds no more than the objects there are.
 */
export class ChangeStream<T extends KubeObject> implements AsyncIterableIterator<CacheChange<T>> {
  /** By key, in the order of the first change that was not read. */
  readonly #pending = new Map<string, Pending>();
  readonly #leave: () => void;
  /** Those who asked and have no answer yet. */
  #asking: (() => void)[] = [];
  #over = false;
  #error: unknown;

  /** `follow` begins to hand over changes, and returns how to end that. */
  constructor(follow: (take: (change: ObjectChange) => void) => () => void) {
    this.#leave = follow((change) => this.#take(change));
  }

  /** How many objects have changes that were not read. */
  get waiting(): number {
    return this.#pending.size;
  }

  /** Ends the stream once what waits is read; with an error where there is one. */
  end(error?: unknown): void {
    if (this.#over) return;
    this.#over = true;
    this.#error = error;
    this.#leave();
    this.#wake();
  }

  async next(): Promise<IteratorResult<CacheChange<T>, undefined>> {
    for (;;) {
      const [first] = this.#pending;
      if (first !== undefined) {
        this.#pending.delete(first[0]);
        return { done: false, value: told(first[1]) as CacheChange<T> };
      }
      if (this.#over) return this.#last();
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#asking.push(resolve);
      await promise;
    }
  }

  return(): Promise<IteratorResult<CacheChange<T>, undefined>> {
    this.#pending.clear();
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.return().then(() => undefined);
  }

  #last(): IteratorResult<CacheChange<T>, undefined> {
    const error = this.#error;
    this.#error = undefined;
    if (error !== undefined) throw error;
    return { done: true, value: undefined };
  }

  #take(change: ObjectChange): void {
    if (change.resync || this.#over) return;
    const { key } = change;
    const earlier = this.#pending.get(key);
    const known = earlier === undefined ? change.type !== 'add' : earlier.known;
    // Came and went before anybody looked.
    if (change.type === 'delete' && !known) this.#pending.delete(key);
    else if (earlier !== undefined) earlier.change = change;
    else this.#pending.set(key, { change, known });
    this.#wake();
  }

  #wake(): void {
    const asking = this.#asking;
    this.#asking = [];
    for (const wake of asking) wake();
  }
}

/** An object that was replaced by a namesake in the meantime is an update to a reader who knew the first. */
function told({ change, known }: Pending): CacheChange {
  const { ref, initial } = change;
  if (change.type === 'delete') return { type: 'delete', ref, object: change.before, initial: false };
  return { type: known ? 'update' : 'add', ref, object: change.after, initial: initial && !known };
}
