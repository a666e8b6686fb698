import { type KubeObject, type NamedRef, refOfKey } from '../api/index.ts';
import { type StoredObject, unnumbered } from './stored-object.ts';
import type { ObjectChange } from './view.ts';

/** A change of the store, before anyone has looked into the objects. */
export interface Delta {
  readonly type: 'add' | 'update' | 'delete';
  readonly key: string;
  /** Where it is not that of the newest state known. */
  readonly resourceVersion: string | undefined;
  readonly before: StoredObject | undefined;
  readonly after: StoredObject | undefined;
  readonly initial: boolean;
  readonly resync: boolean;
  readonly finalStateUnknown: boolean;
}

const plain = { resourceVersion: undefined, initial: false, resync: false, finalStateUnknown: false };

export function written(before: StoredObject | undefined, after: StoredObject, initial = false): Delta {
  return {
    type: before === undefined ? 'add' : 'update',
    key: after.key,
    resourceVersion: undefined,
    before,
    after,
    initial,
    resync: false,
    finalStateUnknown: false,
  };
}

/** The server said what was deleted: its last state, and the version of the deletion. */
export function deleted(last: StoredObject): Delta {
  return { ...plain, type: 'delete', key: last.key, before: last, after: undefined };
}

/** A re-sync did not find it any more: what is known is only the last state seen. */
export function vanished(held: StoredObject): Delta {
  return { ...deleted(held), finalStateUnknown: true };
}

/** Only the key of what was deleted is known. */
export function deletedByKey(identity: Pick<Delta, 'key' | 'resourceVersion'>, held?: StoredObject): Delta {
  return { ...plain, ...identity, type: 'delete', before: held, after: undefined, finalStateUnknown: true };
}

/** Nothing happened: the safety resync. */
export function resynced(object: StoredObject): Delta {
  return { ...written(object, object), resync: true };
}

/** A change as one handler gets it: what it tells of objects is read at the first look, and is this handler's own. */
export class DeliveredChange implements ObjectChange {
  readonly type: 'add' | 'update' | 'delete';
  readonly key: string;
  readonly number: number;
  readonly initial: boolean;
  readonly resync: boolean;
  readonly finalStateUnknown: boolean;
  readonly #delta: Delta;
  /** Undefined until looked at. */
  #before: KubeObject | undefined;
  #after: KubeObject | undefined;

  constructor(delta: Delta) {
    this.type = delta.type;
    this.key = delta.key;
    this.number = delta.after?.number ?? unnumbered;
    this.initial = delta.initial;
    this.resync = delta.resync;
    this.finalStateUnknown = delta.finalStateUnknown;
    this.#delta = delta;
  }

  get ref(): NamedRef {
    return refOfKey(this.key);
  }

  get resourceVersion(): string {
    const { resourceVersion, before, after } = this.#delta;
    return resourceVersion ?? (after ?? before)?.resourceVersion ?? '';
  }

  get before(): KubeObject | undefined {
    return (this.#before ??= this.#delta.before?.decode());
  }

  get after(): KubeObject | undefined {
    return (this.#after ??= this.#delta.after?.decode());
  }
}
