import type { KubeObject, NamedRef } from '../api/index.ts';
import type { StoredObject } from './stored-object.ts';
import type { ObjectChange } from './view.ts';

/** A change of the store, before anyone has looked into the objects. */
export interface Delta {
  readonly type: 'add' | 'update' | 'delete';
  readonly key: string;
  readonly ref: NamedRef;
  readonly resourceVersion: string;
  readonly before: StoredObject | undefined;
  readonly after: StoredObject | undefined;
  readonly initial: boolean;
  readonly resync: boolean;
  readonly finalStateUnknown: boolean;
}

const plain = { initial: false, resync: false, finalStateUnknown: false };

export function written(before: StoredObject | undefined, after: StoredObject, initial = false): Delta {
  const { key, ref, resourceVersion } = after;
  const type = before === undefined ? 'add' : 'update';
  return { ...plain, type, key, ref, resourceVersion, before, after, initial };
}

/** The server said what was deleted: its last state, and the version of the deletion. */
export function deleted(last: StoredObject): Delta {
  const { key, ref, resourceVersion } = last;
  return { ...plain, type: 'delete', key, ref, resourceVersion, before: last, after: undefined };
}

/** A re-sync did not find it any more: what is known is only the last state seen. */
export function vanished(held: StoredObject): Delta {
  return { ...deleted(held), finalStateUnknown: true };
}

/** Only the key of what was deleted is known. */
export function deletedByKey(identity: Pick<Delta, 'key' | 'ref' | 'resourceVersion'>, held?: StoredObject): Delta {
  return { ...plain, ...identity, type: 'delete', before: held, after: undefined, finalStateUnknown: true };
}

/** Nothing happened: the safety resync. */
export function resynced(object: StoredObject): Delta {
  return { ...written(object, object), resync: true };
}

/** A change as one handler gets it: objects are decoded at the first look, and are this handler's own. */
export class DeliveredChange implements ObjectChange {
  readonly type: 'add' | 'update' | 'delete';
  readonly key: string;
  readonly ref: NamedRef;
  readonly resourceVersion: string;
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
    this.ref = delta.ref;
    this.resourceVersion = delta.resourceVersion;
    this.initial = delta.initial;
    this.resync = delta.resync;
    this.finalStateUnknown = delta.finalStateUnknown;
    this.#delta = delta;
  }

  get before(): KubeObject | undefined {
    return (this.#before ??= this.#delta.before?.decode());
  }

  get after(): KubeObject | undefined {
    return (this.#after ??= this.#delta.after?.decode());
  }
}
