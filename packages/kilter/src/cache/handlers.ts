import type { Clock } from '../internal/index.ts';
import { type Delta, DeliveredChange } from './change.ts';
import type { ChangeHandler } from './view.ts';

interface Registration {
  readonly handler: ChangeHandler;
  /** Goes from true to false once; a handler that is not active is never called. */
  active: boolean;
  /**
   * What it has received while it still catches up with what was there before it: a key that is not in here is reported with
   * its newest state in its turn, and nothing of it before that. Undefined once it has caught up.
   */
  told: Set<string> | undefined;
  /** Nothing of its backlog is left. */
  caughtUp: boolean;
}

/** What a handler that came late has missed. */
export interface Backlog {
  /** Walked in slices: keys that come or go meanwhile may or may not be in it. */
  readonly keys: Iterable<string>;
  /** The newest state of a key; undefined where it is gone. */
  newest(key: string): Delta | undefined;
}

export interface HandlersOptions {
  readonly clock: Pick<Clock, 'pause'>;
  readonly failed: (error: unknown, key: string) => void;
}

/** The handlers of one informer. Each gets every change in order; one that throws loses nothing that follows. */
export class Handlers {
  readonly #options: HandlersOptions;
  /** Active registrations, in the order they came. Replaced, not changed: who walks them sees those of the beginning. */
  #registrations: readonly Registration[] = [];
  /** Batches that are being delivered in parts: a handler that has caught up meanwhile has met some of them in the store. */
  #telling = 0;

  constructor(options: HandlersOptions) {
    this.#options = options;
  }

  /** The backlog is delivered at once as far as this turn of the event loop goes, and then in slices. Returns how to remove it. */
  add(handler: ChangeHandler, backlog: Backlog): () => void {
    const registration: Registration = { handler, active: true, told: new Set(), caughtUp: false };
    const remove = (): void => {
      registration.active = false;
      registration.told = undefined;
      this.#registrations = this.#registrations.filter((one) => one !== registration);
    };
    // Present before its backlog is through: what happens meanwhile to other keys is reported as it happens.
    this.#registrations = [...this.#registrations, registration];
    this.#catchUp(registration, backlog, backlog.keys[Symbol.iterator]());
    return remove;
  }

  dispatch(delta: Delta): void {
    // A handler added by a handler has this change in its backlog already.
    for (const registration of this.#registrations) this.#tell(registration, delta);
  }

  /** As `dispatch`, one change at a time. */
  *telling(deltas: Iterable<Delta>): Generator<undefined> {
    const present = this.#registrations;
    this.#telling += 1;
    for (const delta of deltas) {
      for (const registration of present) this.#tell(registration, delta);
      yield;
    }
    this.#telling -= 1;
    if (this.#telling === 0) for (const one of this.#registrations) if (one.caughtUp) one.told = undefined;
  }

  #catchUp(registration: Registration, backlog: Backlog, keys: Iterator<string>): void {
    for (let next = keys.next(); next.done !== true; next = keys.next()) {
      const { told } = registration;
      if (told === undefined) return;
      const delta = told.has(next.value) ? undefined : backlog.newest(next.value);
      told.add(next.value);
      if (delta !== undefined) this.#deliver(registration, delta);
      const pause = this.#options.clock.pause();
      if (pause === undefined) continue;
      void pause.then(() => this.#catchUp(registration, backlog, keys));
      return;
    }
    registration.caughtUp = true;
    if (this.#telling === 0) registration.told = undefined;
  }

  #tell(registration: Registration, delta: Delta): void {
    const { told } = registration;
    if (told !== undefined && !isNews(told, delta)) return;
    this.#deliver(registration, delta);
  }

  #deliver(registration: Registration, delta: Delta): void {
    if (!registration.active) return;
    try {
      registration.handler(new DeliveredChange(delta));
    } catch (error) {
      this.#options.failed(error, delta.key);
    }
  }
}

/** Whether a handler that still catches up receives this now. It has never received what is not in `told`. */
function isNews(told: Set<string>, { type, key }: Delta): boolean {
  if (type === 'delete') return told.delete(key);
  if (type === 'update') return told.has(key);
  // One that is in the store already may have been met there.
  if (told.has(key)) return false;
  told.add(key);
  return true;
}
