import { join } from 'node:path';
import { KilterError } from 'kilter';
import { systemRuntime } from 'kilter/runtime';
import { afterFailedStart, freePorts } from './free-port.ts';
import { type Ending, endingInWords, type Guard, type Ward } from './guard.ts';
import { logEnd, logInWords } from './log-end.ts';
import { orAbort, within } from './within.ts';

export interface ComponentOrder {
  readonly name: string;
  readonly file: string;
  readonly folder: string;
  /** How many ports it listens on. */
  readonly ports: number;
  /** The port it was told to use; without it, the kernel chooses. */
  readonly fixedPort?: number | undefined;
  args(ports: readonly number[]): readonly string[];
  /** What it still lacks to be ready; undefined when it is. */
  problem(ports: readonly number[]): Promise<string | undefined>;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until it must be ready. */
  readonly within?: number | undefined;
  /** Milliseconds it may take to end when it is asked to. */
  readonly grace?: number | undefined;
}

// An API server needs 3 s on an idle machine; ten of them at once on two cores need most of this.
const readyDeadline = 90_000;
const pollInterval = 50;
// Servers that were asked to end do so in less than a second, or hang on a request that nobody will finish.
const defaultGrace = 5000;
const killDeadline = 10_000;

/** One process of the control plane, up and ready. */
export class Component {
  readonly name: string;
  readonly ports: readonly number[];
  readonly #ward: Ward;
  readonly #log: string;
  readonly #grace: number;
  hasEnded = false;
  #stopping: Promise<void> | undefined;

  constructor(order: ComponentOrder, ward: Ward, ports: readonly number[]) {
    this.name = order.name;
    this.ports = ports;
    this.#ward = ward;
    this.#log = join(order.folder, `${order.name}.log`);
    this.#grace = order.grace ?? defaultGrace;
    void ward.ended.then(() => (this.hasEnded = true));
  }

  get pid(): number | undefined {
    return this.#ward.pid;
  }

  get ended(): Promise<Ending> {
    return this.#ward.ended;
  }

  /** Whether its end is wanted. */
  get stopping(): boolean {
    return this.#stopping !== undefined;
  }

  log(): string {
    const { unlogged } = this.#ward;
    return unlogged === undefined ? logEnd(this.#log) : `${logEnd(this.#log)}\n(the rest is lost: ${unlogged})`;
  }

  /** For messages. */
  ending(ending: Ending): string {
    const pid = this.pid === undefined ? '' : ` (pid ${this.pid})`;
    return `${this.name}${pid} ${endingInWords(ending)}`;
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  /** At once, for what is not worth an orderly end. */
  kill(): Promise<void> {
    this.#stopping ??= this.#kill();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.#ward.signal('SIGTERM');
    const timer = systemRuntime.clock.timer(this.#grace, () => this.#ward.signal('SIGKILL'));
    await this.#gone(this.#grace + killDeadline).finally(() => timer.cancel());
  }

  async #kill(): Promise<void> {
    this.#ward.signal('SIGKILL');
    await this.#gone(killDeadline);
  }

  async #gone(ms: number): Promise<void> {
    const message = `waited ${ms / 1000} s for the end of ${this.name} (pid ${this.pid})`;
    await within(this.ended, { ms, late: () => new KilterError('TESTING_STOP_FAILED', message) });
  }
}

type Outcome = 'ready' | { readonly ended: Ending } | { readonly late: string };

async function untilReady(component: Component, order: ComponentOrder): Promise<Outcome> {
  const { clock } = systemRuntime;
  const deadline = clock.monotonic() + (order.within ?? readyDeadline);
  const ended = component.ended.then((ending) => ({ ended: ending }));
  for (;;) {
    const looked = order.problem(component.ports).catch((error: unknown) => String(error));
    const outcome = await orAbort(Promise.race([looked, ended]), order.signal);
    if (outcome === undefined) return 'ready';
    if (typeof outcome !== 'string') return outcome;
    if (clock.monotonic() >= deadline) return { late: outcome };
    await Promise.race([clock.sleep(pollInterval, order.signal), ended]);
  }
}

function takenPort(log: string, ports: readonly number[]): string {
  return /:(\d+): bind: address already in use/.exec(log)?.[1] ?? ports.join(' or ');
}

function failedStart(component: Component, ending: Ending): KilterError {
  const log = logInWords(component.name, component.log());
  return new KilterError('TESTING_START_FAILED', `${component.ending(ending)} while it was starting; ${log}`);
}

/** Starts one process and waits until it is ready; whatever stops that leaves no process behind. */
export async function startComponent(guard: Guard, order: ComponentOrder): Promise<Component> {
  for (let attempt = 1; ; attempt += 1) {
    order.signal?.throwIfAborted();
    const { fixedPort } = order;
    const ports = fixedPort === undefined ? await freePorts(order.ports) : [fixedPort];
    const log = join(order.folder, `${order.name}.log`);
    const ward = guard.start({ file: order.file, args: order.args(ports), folder: order.folder, log });
    const component = new Component(order, ward, ports);
    const outcome = await untilReady(component, order).catch(async (error: unknown) => {
      await component.kill();
      throw error;
    });
    if (outcome === 'ready') return component;
    if ('late' in outcome) {
      await component.kill();
      const waited = `waited ${(order.within ?? readyDeadline) / 1000} s for ${order.name}: ${outcome.late}`;
      const message = `${waited}; ${logInWords(order.name, component.log())}`;
      throw new KilterError('TESTING_START_TIMEOUT', message);
    }
    const decision = afterFailedStart({ attempt, choosable: fixedPort === undefined, log: component.log() });
    if (decision === 'failed') throw failedStart(component, outcome.ended);
    if (decision === 'taken') {
      const message = `${order.name} cannot listen on port ${takenPort(component.log(), ports)} of 127.0.0.1: it is taken`;
      throw new KilterError('TESTING_PORT_TAKEN', message);
    }
  }
}
