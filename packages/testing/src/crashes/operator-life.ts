import { KilterError } from 'kilter';
import type { Clock, Connection, ExchangeRequest, ExchangeResponse, Runtime } from 'kilter/runtime';
import { withExchange } from '../cluster/index.ts';

/** What becomes of one write of an operator. */
export type Fate = 'ordinary' | 'crash-before' | 'crash-after' | 'lost-answer';

type Timer = ReturnType<Clock['timer']>;

/** Never settles: what waits for it belongs to a process that is gone. */
const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

async function readToEnd({ body }: ExchangeResponse): Promise<void> {
  for await (const _ of body);
}

/**
 * One life of an operator, as a process has it: with its crash its timers, answers and streams stop in the same moment, and
 * none of its code runs any more.
 */
export class OperatorLife {
  readonly runtime: Runtime;
  readonly connection: Connection;
  readonly #world: Runtime;
  readonly #fateOf: (request: ExchangeRequest) => Fate;
  /** Nothing is answered and no timer fires. */
  #crashed = false;
  /** After `bury`: what is left of it may run to its end, without a server. */
  #buried = false;

  constructor(
    world: { readonly runtime: Runtime; readonly connection: Connection },
    fateOf: (request: ExchangeRequest) => Fate,
  ) {
    this.#world = world.runtime;
    this.#fateOf = fateOf;
    const { runtime, connection } = world;
    this.runtime = { clock: this.#clock(), random: () => runtime.random(), uuid: () => runtime.uuid() };
    this.connection = withExchange(connection, (request) => this.#exchange(connection, request));
  }

  get crashed(): boolean {
    return this.#crashed;
  }

  crash(): void {
    this.#crashed = true;
  }

  /** Once nobody looks at the world any more: lets a crashed operator be stopped, so that nothing of it stays behind. */
  bury(): void {
    this.#crashed = false;
    this.#buried = true;
  }

  async #exchange(connection: Connection, request: ExchangeRequest): Promise<ExchangeResponse> {
    if (this.#buried) throw new KilterError('TRANSPORT_CLOSED', 'the process has crashed');
    if (this.#crashed) return never();
    const fate = this.#fateOf(request);
    if (fate === 'crash-before') this.crash();
    if (this.#crashed) return never();
    const response = await connection.exchange(request).catch((error: unknown) => {
      if (this.#crashed) return never<ExchangeResponse>();
      throw error;
    });
    if (fate === 'crash-after' || fate === 'lost-answer') await readToEnd(response);
    if (fate === 'crash-after') this.crash();
    if (this.#crashed) return never();
    if (fate === 'lost-answer') {
      throw new KilterError('TRANSPORT_CONNECTION_LOST', 'the connection was closed before the answer');
    }
    return { ...response, body: this.#body(response) };
  }

  async *#body({ body }: ExchangeResponse): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      if (this.#crashed) await never();
      yield chunk;
    }
    if (this.#crashed) await never();
  }

  #clock(): Clock {
    const world = this.#world.clock;
    const timer = (ms: number, callback: () => void): Timer =>
      world.timer(ms, () => {
        if (!this.#crashed) callback();
      });
    const sleep: Clock['sleep'] = (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) {
          reject(signal.reason as Error);
          return;
        }
        const abort = (): void => {
          waiting.cancel();
          reject(signal?.reason as Error);
        };
        const waiting = timer(ms, () => {
          signal?.removeEventListener('abort', abort);
          resolve();
        });
        signal?.addEventListener('abort', abort, { once: true });
      });
    const pause = (): Promise<void> | undefined =>
      this.#crashed ? never() : world.pause()?.then(() => (this.#crashed ? never<void>() : undefined));
    const times = { now: () => world.now(), monotonic: () => world.monotonic(), recent: () => world.recent() };
    return { ...times, timer, sleep, pause };
  }
}
