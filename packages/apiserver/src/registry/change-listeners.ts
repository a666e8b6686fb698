import type { JsonObject } from 'kilter/api';
import type { StoredChange } from '../calls/index.ts';
import type { Change } from '../storage/index.ts';
import { type Core, show } from './core.ts';

/** Those who receive changes in the form they are stored in; all get the same object, to read. */
export class ChangeListeners {
  readonly #listeners = new Set<(change: StoredChange) => void>();
  readonly close: () => void;

  constructor(core: Core) {
    this.close = core.storage.subscribe((change) => this.#tell(core, change));
  }

  add(listener: (change: StoredChange) => void): () => void {
    // One that is added twice is called twice.
    const told = (change: StoredChange): void => listener(change);
    this.#listeners.add(told);
    return () => this.#listeners.delete(told);
  }

  #tell(core: Core, { bucket, type, text, revision }: Change): void {
    const served = this.#listeners.size === 0 ? undefined : core.catalog.storedIn(bucket);
    if (served === undefined) return;
    let shown: JsonObject | undefined;
    const change: StoredChange = {
      type,
      resource: served.definition,
      // Many only want to know that something changed.
      get object() {
        return (shown ??= show(core, served, { text, revision }));
      },
    };
    for (const listener of [...this.#listeners]) listener(change);
  }
}
