import type { KubeObject } from '../api/index.ts';
import { KilterError } from '../errors/index.ts';
import type { StoredObject } from './stored-object.ts';
import type { StoreReader, StoreWriter } from './store.ts';

/** An index as its user names it. Where that user has none of the name, or is not given: the only one of that name. */
export interface IndexName {
  readonly name: string;
  readonly user?: string | undefined;
}

export interface UserIndexesOptions {
  readonly store: StoreReader & StoreWriter;
  /** For messages: `Kind.group`. */
  readonly label: string;
  failed(error: unknown, about: { index: string; key: string }): void;
}

const idOf = (name: string, user: string): string => `${user}:${name}`;

/** Indexes over one store, each under the name its user gave it: two users may use one name for different things. */
export class UserIndexes {
  readonly #options: UserIndexesOptions;
  /** Name -> those who declared it. No set is empty. */
  readonly #users = new Map<string, Set<string>>();

  constructor(options: UserIndexesOptions) {
    this.#options = options;
  }

  add({ name, user }: Required<IndexName>, keysOf: (object: KubeObject) => readonly string[]): void {
    this.#options.store.addIndex(idOf(name, user ?? ''), (stored) => {
      try {
        return keysOf(stored.decode());
      } catch (error) {
        // The object stays readable; only this index does not know it.
        this.#options.failed(error, { index: name, key: stored.key });
        return [];
      }
    });
    this.#users.set(name, (this.#users.get(name) ?? new Set<string>()).add(user ?? ''));
  }

  drop({ name, user }: Required<IndexName>): void {
    this.#options.store.dropIndex(idOf(name, user ?? ''));
    const users = this.#users.get(name);
    users?.delete(user ?? '');
    if (users?.size === 0) this.#users.delete(name);
  }

  by(index: IndexName, value: string): readonly StoredObject[] {
    return this.#options.store.by(this.#resolve(index), value);
  }

  has(index: IndexName, value: string, key: string): boolean {
    return this.#options.store.isIndexed(this.#resolve(index), value, key);
  }

  #resolve({ name, user }: IndexName): string {
    const { label } = this.#options;
    const users = this.#users.get(name) ?? new Set<string>();
    if (user !== undefined && users.has(user)) return idOf(name, user);
    const [first, ...more] = users;
    if (first === undefined) throw new KilterError('CACHE_INDEX_MISSING', `${label} has no index ${name}`);
    if (more.length > 0) {
      throw new KilterError('CACHE_INDEX_AMBIGUOUS', `${label} has ${users.size} indexes of the name ${name}`);
    }
    return idOf(name, first);
  }
}
