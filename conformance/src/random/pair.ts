// A real server and an embedded one, asked the same: the first difference between their answers.
import type { Case, Step } from '../case.ts';
import { type Difference, differences } from '../compare.ts';
import { Hooks } from '../hooks.ts';
import { normalForm } from '../normal-form.ts';
import { runSteps } from '../run-case.ts';
import type { Server, Servers } from '../server.ts';
import { scripts } from './admission.ts';

/** So many sequences share an embedded server: starting one takes longer than a sequence, and its store only grows. */
const perServer = 200;

type Taken = Server & AsyncDisposable;

export interface PairOptions {
  readonly real: Servers;
  readonly embedded: Servers;
  /** Part of the names of namespaces: two pairs on one server have others. */
  readonly name: string;
  /** What is there before the first sequence, on each server. */
  readonly setup: readonly Step[];
}

export class Pair implements AsyncDisposable {
  readonly #options: PairOptions;
  readonly #hooks: Hooks;
  /** How many cases were run, on whatever servers. */
  #count = 0;
  #real: Taken | undefined;
  #embedded: Taken | undefined;

  private constructor(options: PairOptions, hooks: Hooks) {
    this.#options = options;
    this.#hooks = hooks;
  }

  static async start(options: PairOptions): Promise<Pair> {
    return new Pair(options, await Hooks.start(scripts));
  }

  #names(ns: string): Record<string, string> {
    const run = `${this.#options.name}-${this.#options.real.run}`;
    return { ns, run, group: `${run}.example.com`, ...this.#hooks.names };
  }

  async #prepared(server: Taken): Promise<Taken> {
    const { stopped } = await runSteps({ steps: this.#options.setup }, server, this.#names('none'));
    if (stopped !== undefined) throw new Error(`what the sequences are about could not be set up: ${stopped}`);
    return server;
  }

  async #servers(): Promise<readonly [real: Server, embedded: Server]> {
    const { real, embedded } = this.#options;
    this.#real ??= await this.#prepared(await real.take('api'));
    if (this.#count % perServer === 0) {
      await this.#embedded?.[Symbol.asyncDispose]();
      this.#embedded = undefined;
    }
    this.#embedded ??= await this.#prepared(await embedded.take('api'));
    this.#count += 1;
    return [this.#real, this.#embedded];
  }

  /** The first of all differences; undefined if both gave the same answers. */
  async difference(testCase: Case): Promise<Difference | undefined> {
    const servers = await this.#servers();
    const ns = `${this.#options.name}-${this.#options.real.run}-${this.#count}`;
    const answers = servers.map(async (server) =>
      normalForm(testCase, await runSteps(testCase, server, this.#names(ns))),
    );
    const [expected = {}, actual = {}] = await Promise.all(answers);
    return differences(expected, actual)[0];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#embedded?.[Symbol.asyncDispose]();
    await this.#real?.[Symbol.asyncDispose]();
    await this.#hooks[Symbol.asyncDispose]();
  }
}
