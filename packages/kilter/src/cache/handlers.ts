import type { Clock } from '../internal/index.ts';
import { type Delta, DeliveredChange } from './change.ts';
import type { ChangeHandler } from './view.ts';

interface Registration {
  readonly handler: ChangeHandler;
  /** Goes from true to false once; a handler that is not active is never called. */
  active: boolean;
  /** Keys of its backlog that it has not been told of: it learns their newest state in its turn, and nothing before that. */
  readonly waiting: Set<string>;
}

/** What a handler that came late has missed. */
export interface Backlog {
  readonly keys: readonly string[];
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
  /** Active registrations, in the order they came. */
  readonly #registrations = new Set<Registration>();

  constructor(options: HandlersOptions) {
    this.#options = options;
  }

  /** The backlog is delivered at once as far as this turn of the event loop goes, and then in slices. Returns how to remove it. */
  add(handler: ChangeHandler, backlog: Backlog): () => void {
    const registration: Registration = { handler, active: true, waiting: new Set(backlog.keys) };
    const remove = (): void => {
      registration.active = false;
      registration.waiting.clear();
      this.#registrations.delete(registration);
    };
    // Present before its backlog is through: what happens meanwhile to other keys is told as it happens.
    this.#registrations.add(registration);
    this.#catchUp(registration, backlog);
    return remove;
  }

  dispatch(deltas: readonly Delta[]): void {
    // A handler added by a handler has all of this batch in its backlog already.
    const present = [...this.#registrations];
    for (const delta of deltas) for (const registration of present) this.#tell(registration, delta);
  }

  /** As `dispatch`, one change at a time. */
  *telling(deltas: Iterable<Delta>): Generator<undefined> {
    const present = [...this.#registrations];
    for (const delta of deltas) {
      for (const registration of present) this.#tell(registration, delta);
      yield;
    }
  }

  #catchUp(registration: Registration, backlog: Backlog): void {
    for (const key of registration.waiting) {
      const pause = this.#options.clock.pause();
      if (pause !== undefined) {
        void pause.then(() => this.#catchUp(registration, backlog));
        return;
      }
      registration.waiting.delete(key);
      const delta = backlog.newest(key);
      if (delta !== undefined) this.#deliver(registration, delta);
    }
  }

  #tell(registration: Registration, delta: Delta): void {
    if (!registration.waiting.has(delta.key)) this.#deliver(registration, delta);
    // It never heard of the object, so its end is not news either; a namesake that follows is.
    else if (delta.type === 'delete') registration.waiting.delete(delta.key);
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
