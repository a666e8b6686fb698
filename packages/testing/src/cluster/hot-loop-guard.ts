import { KilterError } from 'kilter';
import type { Connection, Runtime } from 'kilter/runtime';
import { withExchange } from './with-exchange.ts';

// A reconciler at rest asks for nothing, a busy one for some hundred things; without time passing nobody needs so many.
const mostAtOnce = 10_000;

/**
 * On a virtual clock a controller that wakes itself for ever never lets time pass: the test would hang, and no time-out
 * could end it. Its requests fail instead, which makes the controller back off, and the test can say what happened.
 */
export class HotLoopGuard {
  readonly #clock: Runtime['clock'];
  #at = -1;
  #count = 0;
  /** The first loop found; undefined while there is none. */
  found: KilterError | undefined;

  constructor(clock: Runtime['clock']) {
    this.#clock = clock;
  }

  /** The same connection, counted with all others of this guard. */
  over(connection: Connection): Connection {
    return withExchange(connection, async (request) => {
      this.#check(request.method, request.path);
      return connection.exchange(request);
    });
  }

  #check(method: string, path: string): void {
    const now = this.#clock.monotonic();
    this.#count = now === this.#at ? this.#count + 1 : 0;
    this.#at = now;
    if (this.#count < mostAtOnce) return;
    const message = `${mostAtOnce} requests without time passing; the last one: ${method} ${path}`;
    this.found ??= new KilterError('TESTING_HOT_LOOP', message);
    throw this.found;
  }
}
