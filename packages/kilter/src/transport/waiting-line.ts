import { KilterError } from '../errors/index.ts';
import type { Signal } from '../internal/index.ts';

interface Waiter<T> {
  resolve(value: T): void;
  reject(error: unknown): void;
}

/** Those who wait for the same thing, first come, first served; bounded, and each may leave at any time. */
export class WaitingLine<T> {
  readonly #most: number;
  /** At most `#most`; nobody in it is settled. */
  readonly #waiters = new Set<Waiter<T>>();
  readonly #left: () => void;

  /** `left` is called when somebody gave up. */
  constructor(most: number, left: () => void = () => undefined) {
    this.#most = most;
    this.#left = left;
  }

  get length(): number {
    return this.#waiters.size;
  }

  /** Rejects with the signal's reason when it aborts, and at once where the line is full. */
  wait(signal: Signal, what: string): Promise<T> {
    if (this.#waiters.size >= this.#most) {
      return Promise.reject(
        new KilterError('TRANSPORT_BUSY', `${this.#most} requests are already waiting for ${what}`),
      );
    }
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        this.#waiters.delete(waiter);
        signal.removeEventListener('abort', leave);
      };
      const leave = (): void => {
        settle();
        reject(signal.reason as Error);
        this.#left();
      };
      const waiter: Waiter<T> = {
        resolve: (value) => {
          settle();
          resolve(value);
        },
        reject: (error) => {
          settle();
          reject(error as Error);
        },
      };
      if (signal.aborted) {
        reject(signal.reason as Error);
        return;
      }
      this.#waiters.add(waiter);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** Gives to the first in line; false where nobody waits. */
  give(value: T): boolean {
    const [first] = this.#waiters;
    first?.resolve(value);
    return first !== undefined;
  }

  giveAll(value: T): void {
    for (const waiter of [...this.#waiters]) waiter.resolve(value);
  }

  failAll(error: unknown): void {
    for (const waiter of [...this.#waiters]) waiter.reject(error);
  }
}
