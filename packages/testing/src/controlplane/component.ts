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
  /** The port it must use; without it, the kernel chooses. */
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
  readonly #order: ComponentOrder;
  readonly #guard: Guard;
  /** Of the process that runs now; another one after a restart. */
  #ward: Ward;
  readonly #log: string;
  readonly #grace: number;
  readonly #final = Promise.withResolvers<Ending>();
  hasEnded = false;
  #stopping: Promise<void> | undefined;
  /** Set while its process is replaced by another: the end of that one is not its own. */
  #restarting: Promise<void> | undefined;

  constructor(guard: Guard, order: ComponentOrder, ports: readonly number[]) {
    this.name = order.name;
    this.ports = ports;
    this.#guard = guard;
    this.#order = order;
    this.#log = join(order.folder, `${order.name}.log`);
    this.#grace = order.grace ?? defaultGrace;
    this.#ward = this.#begin();
  }

  #begin(): Ward {
    const { file, folder } = this.#order;
    const ward = this.#guard.start({ file, args: this.#order.args(this.ports), folder, log: this.#log });
    void ward.ended.then((ending) => {
      if (this.#restarting !== undefined) return;
      this.hasEnded = true;
      this.#final.resolve(ending);
    });
    return ward;
  }

  get pid(): number | undefined {
    return this.#ward.pid;
  }

  /** The end that no restart follows. */
  get ended(): Promise<Ending> {
    return this.#final.promise;
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

  /** Kills the process and starts another with its ports and files, `down` milliseconds later; resolves when that is ready. */
  restart(down = 0): Promise<void> {
    if (this.#stopping !== undefined || this.hasEnded) {
      return Promise.reject(new KilterError('TESTING_START_FAILED', `${this.name} has ended, and cannot be restarted`));
    }
    this.#restarting ??= this.#restart(down);
    return this.#restarting;
  }

  async #restart(down: number): Promise<void> {
    const before = this.#ward;
    before.signal('SIGKILL');
    const message = `waited ${killDeadline / 1000} s for the end of ${this.name} (pid ${before.pid})`;
    await within(before.ended, { ms: killDeadline, late: () => new KilterError('TESTING_STOP_FAILED', message) });
    await systemRuntime.clock.sleep(down);
    if (this.#stopping !== undefined) return;
    this.#ward = this.#begin();
    // From here on its end is news again, also while it starts.
    this.#restarting = undefined;
    const outcome = await untilReady(this, this.#order);
    if (outcome === 'ready') return;
    if ('ended' in outcome) throw failedStart(this, outcome.ended);
    throw lateStart(this, this.#order, outcome.late);
  }

  async #stop(): Promise<void> {
    await this.#settleRestart();
    this.#ward.signal('SIGTERM');
    const timer = systemRuntime.clock.timer(this.#grace, () => this.#ward.signal('SIGKILL'));
    await this.#gone(this.#grace + killDeadline).finally(() => timer.cancel());
  }

  /** A process that is just being replaced is not there to be ended. */
  async #settleRestart(): Promise<void> {
    const restarting = this.#restarting;
    if (restarting === undefined) return;
    // How it went is reported to whoever asked for it.
    await restarting.catch(() => undefined);
    if (this.#restarting === undefined) return;
    this.#restarting = undefined;
    this.hasEnded = true;
    this.#final.resolve({ code: null, signal: 'SIGKILL' });
  }

  async #kill(): Promise<void> {
    await this.#settleRestart();
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

function lateStart(component: Component, order: ComponentOrder, late: string): KilterError {
  const waited = `waited ${(order.within ?? readyDeadline) / 1000} s for ${order.name}: ${late}`;
  return new KilterError('TESTING_START_TIMEOUT', `${waited}; ${logInWords(order.name, component.log())}`);
}

/** Starts one process and waits until it is ready; whatever stops that leaves no process behind. */
export async function startComponent(guard: Guard, order: ComponentOrder): Promise<Component> {
  for (let attempt = 1; ; attempt += 1) {
    order.signal?.throwIfAborted();
    const { fixedPort } = order;
    const ports = fixedPort === undefined ? await freePorts(order.ports) : [fixedPort];
    const component = new Component(guard, order, ports);
    const outcome = await untilReady(component, order).catch(async (error: unknown) => {
      await component.kill();
      throw error;
    });
    if (outcome === 'ready') return component;
    if ('late' in outcome) {
      await component.kill();
      throw lateStart(component, order, outcome.late);
    }
    const decision = afterFailedStart({ attempt, choosable: fixedPort === undefined, log: component.log() });
    if (decision === 'failed') throw failedStart(component, outcome.ended);
    if (decision === 'taken') {
      const message = `${order.name} cannot listen on port ${takenPort(component.log(), ports)} of 127.0.0.1: it is taken`;
      throw new KilterError('TESTING_PORT_TAKEN', message);
    }
  }
}
