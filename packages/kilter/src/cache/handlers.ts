import { type Delta, DeliveredChange } from './change.ts';
import type { ChangeHandler } from './view.ts';

interface Registration {
  readonly handler: ChangeHandler;
  /** Goes from true to false once; a handler that is not active is never called. */
  active: boolean;
}

/** The handlers of one informer. Each gets every change in order; one that throws loses nothing that follows. */
export class Handlers {
  readonly #failed: (error: unknown, key: string) => void;
  /** Active registrations, in the order they came. */
  readonly #registrations = new Set<Registration>();

  constructor(failed: (error: unknown, key: string) => void) {
    this.#failed = failed;
  }

  /** `backlog` is what the handler missed. Returns how to remove it. */
  add(handler: ChangeHandler, backlog: readonly Delta[]): () => void {
    const registration = { handler, active: true };
    this.#deliver(registration, backlog);
    this.#registrations.add(registration);
    return () => {
      registration.active = false;
      this.#registrations.delete(registration);
    };
  }

  dispatch(deltas: readonly Delta[]): void {
    // A handler added by a handler has all of this batch in its backlog already.
    const present = [...this.#registrations];
    for (const delta of deltas) for (const registration of present) this.#deliver(registration, [delta]);
  }

  #deliver(registration: Registration, deltas: readonly Delta[]): void {
    for (const delta of deltas) {
      if (!registration.active) return;
      try {
        registration.handler(new DeliveredChange(delta));
      } catch (error) {
        this.#failed(error, delta.key);
      }
    }
  }
}
