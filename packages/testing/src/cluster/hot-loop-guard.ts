import { KilterError } from 'kilter';
import type { Connection, Runtime } from 'kilter/runtime';
import { withExchange } from './with-exchange.ts';

// A reconciler at rest asks for nothing, a busy one for some hundred things; without time passing nobody needs so many.
const mostAtOnce = 10_000;
// Nor is one object changed so often at one moment. Creating counts for the collection, and there a thousand are ordinary.
const mostToOne = 200;
const changing = new Set(['PUT', 'PATCH', 'DELETE']);

/**
 * On a virtual clock a controller that triggers itself for ever never lets time pass: the test would hang, and no time-out
 * could end it. Its requests fail instead, which makes the controller back off, and the test can say what happened.
 */
export class HotLoopGuard {
  readonly #clock: Runtime['clock'];
  #at = -1;
  #count = 0;
  /** Changes since time passed, by object. */
  readonly #changes = new Map<string, number>();
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
    if (now !== this.#at) this.#changes.clear();
    this.#count = now === this.#at ? this.#count + 1 : 0;
    this.#at = now;
    if (this.#count >= mostAtOnce)
      this.#fail(`${mostAtOnce} requests without time passing; the last one: ${method} ${path}`);
    if (!changing.has(method)) return;
    const changes = (this.#changes.get(path) ?? 0) + 1;
    this.#changes.set(path, changes);
    if (changes >= mostToOne) this.#fail(`${method} ${path} was sent ${mostToOne} times without time passing`);
  }

  #fail(message: string): never {
    this.found ??= new KilterError('TESTING_HOT_LOOP', message);
    throw this.found;
  }
}
