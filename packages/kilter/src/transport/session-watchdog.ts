import type { Clock, Timer } from '../internal/index.ts';
import { type PingTimes, step, trusting, type Watchdog } from './ping-watchdog.ts';

export interface SessionWatchdogOptions {
  readonly clock: Pick<Clock, 'monotonic' | 'timer'>;
  readonly times: PingTimes;
  /** Read from the socket so far. */
  readonly bytes: () => number;
  /** Somebody still waits for the peer. */
  readonly needed: () => boolean;
  readonly ping: () => void;
  /** The peer is gone. */
  readonly lost: () => void;
}

/** Watches one session while somebody waits for it: an idle one is not asked, and holds no program. */
export class SessionWatchdog {
  readonly #options: SessionWatchdogOptions;
  #state: Watchdog;
  /** When bytes were last seen to come. */
  #readAt: number;
  /** Set while watching, and for a while after. */
  #timer: Timer | undefined;

  constructor(options: SessionWatchdogOptions) {
    this.#options = options;
    const now = options.clock.monotonic();
    this.#readAt = now;
    this.#state = trusting({ now, bytes: options.bytes() }, options.times);
  }

  /** Bytes came. Costs next to nothing: it is called for every one of them. */
  heard(): void {
    this.#readAt = this.#options.clock.monotonic();
  }

  start(): void {
    if (this.#timer === undefined) this.#timer = this.#arm();
    else this.#timer.hold?.(true);
  }

  /** Nobody waits now; somebody may in a moment, so that the timer is kept where it need not keep the program running. */
  rest(): void {
    if (this.#timer?.hold !== undefined) this.#timer.hold(false);
    else this.stop();
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** Somebody waited in vain: asks now, and not only after the silence has lasted. */
  suspect(): void {
    this.#look(true);
  }

  #arm(): Timer {
    const { clock } = this.#options;
    return clock.timer(Math.max(0, this.#state.wake - clock.monotonic()), () => {
      this.#timer = undefined;
      if (this.#options.needed()) this.#look(false);
    });
  }

  #look(suspect: boolean): void {
    const { clock, times, bytes, ping, lost } = this.#options;
    const look = { now: clock.monotonic(), bytes: bytes(), readAt: this.#readAt, suspect };
    const { state, act } = step(this.#state, look, times);
    this.#state = state;
    this.stop();
    if (act === 'lost') {
      lost();
      return;
    }
    if (this.#options.needed()) this.start();
    if (act === 'ping') ping();
  }
}
