import { type Client, KilterError, type Manager, type Operator, type StartOptions } from 'kilter';
import type { Duration, Kind, KubeObject } from 'kilter/api';
import {
  type ExchangeRequest,
  type OptionNames,
  type Runtime,
  systemRuntime,
  toMilliseconds,
  virtualRuntime,
} from 'kilter/runtime';
import { checkOptions, type Cluster, cluster, isVirtual, Waiting, webhooksOf } from '../cluster/index.ts';
import { type Fate, OperatorLife } from './operator-life.ts';
import { stateDifferences, worldState, type WorldState } from './world-state.ts';

/** The options of `crashEveryWrite`: the operator, the scenario, and what to compare. */
export interface CrashOptions<E = undefined> {
  /** Systems outside the cluster, fresh for every run; they outlive the operator's crashes. Default: none. */
  external?: (() => E) | undefined;
  /** The operator under test: called for every start, so that nothing it keeps in memory survives a crash. */
  operator: (world: { readonly external: E }) => Operator;
  /** Objects that exist before the operator starts. Default: none. */
  objects?: readonly KubeObject[] | undefined;
  /** What users do, one after the other; each step waits until the operator has written nothing for `quiet`. */
  steps: readonly ((user: Client) => Promise<unknown>)[];
  /**
   * How long the operator must have written nothing for a step to be over. Default: 10 s, or 8 s on a control plane.
   * Must be longer than the operator's longest wait: one that polls every 30 s needs '1m'.
   */
  quiet?: Duration | undefined;
  /** The kinds whose objects must be the same in the end. Default: those the operator declares. Set it to omit some. */
  compare?: readonly Kind[] | undefined;
  /** Returns what must be the same outside the cluster in the end. Default: nothing. */
  observe?: ((external: E) => unknown) | undefined;
  /**
   * Where it runs. Default: the embedded server, in virtual time. A control plane takes seconds for each step of each
   * run: use it for a sample of the writes.
   */
  backend?: 'embedded' | 'control-plane' | undefined;
  /** Which writes are tried, counted from 0. Default: all. Set it for a sample. */
  only?: ((write: number) => boolean) | undefined;
}

/** What `crashEveryWrite` tried. */
export interface CrashReport {
  /** The writes of the undisturbed run, in order: `PATCH /api/v1/namespaces/default/configmaps/a`. */
  readonly writes: readonly string[];
  /** The number of runs besides the undisturbed one: three for each write that was tried. */
  readonly runs: number;
}

const fates = ['crash-before', 'crash-after', 'lost-answer'] as const satisfies readonly Fate[];

const fateInWords: Readonly<Record<(typeof fates)[number], string>> = {
  'crash-before': 'a crash before',
  'crash-after': 'a crash after',
  'lost-answer': 'no answer to',
};

/** In milliseconds: how often the world is looked at, how long it must be left alone to be at rest, and how long all may take. */
const paces = {
  embedded: { look: 1000, quiet: 10_000, within: 300_000 },
  'control-plane': { look: 250, quiet: 8000, within: 90_000 },
} as const;

type Paces = Readonly<Record<'look' | 'quiet' | 'within', number>>;

const known: OptionNames<CrashOptions<unknown>> = {
  external: true,
  operator: true,
  objects: true,
  steps: true,
  quiet: true,
  compare: true,
  observe: true,
  backend: true,
  only: true,
};

function pacesOf({ backend = 'embedded', quiet }: Pick<CrashOptions, 'backend' | 'quiet'>): Paces {
  const usual = paces[backend];
  if (quiet === undefined) return usual;
  const asked = toMilliseconds(quiet);
  return { ...usual, quiet: asked, within: usual.within + 4 * asked };
}

/** Writes that say nothing of the operator's own work: they are neither counted nor disturbed. */
const aside = /\/(leases|events|[a-z]+reviews)(\/|\?|$)/;
const isWrite = ({ method, path }: ExchangeRequest): boolean =>
  method !== 'GET' && !aside.test(path) && !path.includes('dryRun=');

interface Fault {
  readonly write: number;
  readonly fate: (typeof fates)[number];
}

interface Observed {
  readonly world: WorldState;
  readonly outside: unknown;
}

/** Where and how the world differs. */
class BrokenRun extends Error {}

/** After so many the reader has seen the pattern. */
const mostBroken = 10;

/** One run of the scenario from its beginning to its end. */
class CrashRun<E> {
  readonly #options: CrashOptions<E>;
  readonly #runtime: Runtime;
  readonly #env: Cluster;
  readonly #fault: Fault | undefined;
  readonly #external: E;
  readonly #lives: { readonly life: OperatorLife; readonly manager: Manager; isReady: boolean }[] = [];
  /** How the webhooks of the present life are taken away. */
  readonly #served: (() => void)[] = [];
  readonly #paces: Paces;
  /** Of all lives together. */
  readonly writes: string[] = [];
  #lastWrite = 0;
  #kinds: readonly Kind[] = [];

  constructor(options: CrashOptions<E>, world: { runtime: Runtime; env: Cluster; fault: Fault | undefined }) {
    this.#options = options;
    this.#runtime = world.runtime;
    this.#env = world.env;
    this.#fault = world.fault;
    this.#external = options.external?.() as E;
    this.#paces = pacesOf(options);
  }

  /** How the world was after each step; with what is expected, it is waited for. */
  async run(expected?: readonly Observed[]): Promise<Observed[]> {
    const seen: Observed[] = [];
    try {
      for (const object of this.#options.objects ?? []) await this.#env.client.create(object);
      await this.#startLife();
      await this.#leads();
      for (const [step, act] of this.#options.steps.entries()) {
        await act(this.#env.client);
        seen.push(await this.#rest(expected?.[step], step));
      }
      if (this.#fault !== undefined && this.writes.length <= this.#fault.write) {
        throw this.#broken('it was not reached: two runs of the scenario do not make the same writes');
      }
      return seen;
    } finally {
      await this.#end();
    }
  }

  async #startLife(): Promise<void> {
    const operator = this.#options.operator({ external: this.#external });
    this.#kinds = this.#options.compare ?? operator.kinds;
    await this.#env.install(...operator.kinds);
    const world = { runtime: this.#runtime, connection: this.#env.connection };
    const life = new OperatorLife(world, (request) => this.#fateOf(request));
    const { connection, runtime } = life;
    const webhooks = await this.#webhooks(operator.name);
    const manager = await operator.start({ connection, runtime, logger: silent, webhooks });
    const started = { life, manager, isReady: false };
    this.#lives.push(started);
    // One that fails before says so by its `done`.
    manager.ready.then(
      () => (started.isReady = true),
      () => undefined,
    );
  }

  /**
   * Before anything is expected of it: a server with much to do lets it wait for its Lease longer than the world has to be still,
   * and what its webhooks make of an object is only the same where they are there.
   */
  async #leads(): Promise<void> {
    const { clock } = this.#runtime;
    const { look, within } = this.#paces;
    const over = clock.monotonic() + within;
    while (clock.monotonic() < over) {
      const last = this.#lives.at(-1);
      if (last?.life.crashed === true) await this.#startLife();
      else if (last?.isReady === true && last.manager.leading) return;
      await this.#pass(look);
    }
  }

  async #pass(ms: number): Promise<void> {
    const { clock } = this.#runtime;
    await (isVirtual(clock) ? clock.advance(ms) : clock.sleep(ms));
  }

  /** They are called over the server's own way to them, which a process that is gone no longer answers. */
  async #webhooks(operator: string): Promise<StartOptions['webhooks']> {
    const ground = await webhooksOf(this.#env, operator);
    for (const close of this.#served.splice(0)) close();
    if (ground === undefined || !('open' in ground)) return ground;
    return {
      open: (name, handler) => {
        const opened = ground.open(name, handler);
        this.#served.push(() => opened.close());
        return { ...opened, close: () => undefined };
      },
    };
  }

  #fateOf(request: ExchangeRequest): Fate {
    if (!isWrite(request)) return 'ordinary';
    const write = this.writes.push(`${request.method} ${request.path.split('?')[0]}`) - 1;
    this.#lastWrite = this.#runtime.clock.monotonic();
    return write === this.#fault?.write ? this.#fault.fate : 'ordinary';
  }

  async #observe(): Promise<Observed> {
    const { observe } = this.#options;
    const outside: unknown = observe === undefined ? undefined : structuredClone(observe(this.#external));
    return { world: await worldState(this.#env.client, this.#kinds), outside };
  }

  /** Waits until nothing is written any more and all is as expected. */
  async #rest(expected: Observed | undefined, step: number): Promise<Observed> {
    const { clock } = this.#runtime;
    const { look, quiet, within } = this.#paces;
    const over = clock.monotonic() + within;
    const still = expected === undefined ? quiet : look;
    this.#lastWrite = clock.monotonic();
    for (;;) {
      await this.#pass(look);
      if (this.#lives.at(-1)?.life.crashed === true) await this.#startLife();
      const isStill = clock.monotonic() - this.#lastWrite >= still;
      if (!isStill && clock.monotonic() < over) continue;
      const seen = await this.#observe();
      const problems = expected === undefined ? [] : differencesOf(expected, seen);
      if (isStill && problems.length === 0) return seen;
      if (clock.monotonic() < over) continue;
      const restless = `it was still writing after ${within / 1000} s and was never quiet for ${still / 1000} s; its last write: ${this.writes.at(-1) ?? 'none'}`;
      const why = problems.length === 0 ? [restless] : problems;
      throw this.#broken(`after step ${step + 1} of ${this.#options.steps.length}:\n  ${why.join('\n  ')}`);
    }
  }

  #broken(what: string): BrokenRun {
    if (this.#fault === undefined) return new BrokenRun(`undisturbed, ${what}`);
    const { write, fate } = this.#fault;
    const which = `${fateInWords[fate]} write ${write} (${this.writes[write] ?? 'never made'})`;
    return new BrokenRun(`${which}, ${what}`);
  }

  async #end(): Promise<void> {
    const { clock } = this.#runtime;
    const waiting = new Waiting({ clock, interval: 1000 });
    for (const { life, manager } of this.#lives) {
      const { crashed } = life;
      if (crashed) life.bury();
      // How a crashed operator ends, which nobody stopped, is not news.
      await waiting.settled(crashed ? manager.stop().catch(() => undefined) : manager.stop());
    }
  }
}

function differencesOf(expected: Observed, seen: Observed): string[] {
  const outside = JSON.stringify(expected.outside) === JSON.stringify(seen.outside);
  const told = `outside: expected ${JSON.stringify(expected.outside)}, found ${JSON.stringify(seen.outside)}`;
  return [...stateDifferences(expected.world, seen.world), ...(outside ? [] : [told])];
}

const ignore = (): void => undefined;
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore, child: () => silent };

/** A world for one run: new for each on the embedded server, one for all on a control plane, where the scenario must leave nothing. */
async function withWorlds<R>(
  backend: 'embedded' | 'control-plane',
  work: (world: () => Promise<{ runtime: Runtime; env: Cluster } & AsyncDisposable>) => Promise<R>,
): Promise<R> {
  if (backend === 'embedded') {
    return work(async () => {
      const runtime = virtualRuntime();
      const env = await cluster({ backend, runtime, hotLoops: 'allow' });
      return { runtime, env, [Symbol.asyncDispose]: () => env[Symbol.asyncDispose]() };
    });
  }
  await using env = await cluster({ backend, hotLoops: 'allow' });
  return await work(async () => ({ runtime: systemRuntime, env, [Symbol.asyncDispose]: async () => undefined }));
}

/** An operator that is given itself would keep over a crash what it has in memory. */
function checkScenario({ operator, steps }: { readonly operator: unknown; readonly steps: unknown }): void {
  const refuse = (what: string): never => {
    throw new KilterError('TESTING_OPTION_INVALID', `crashEveryWrite: ${what}`, { cure: scenarioCure });
  };
  if (typeof operator !== 'function') refuse('operator is not a function that makes the operator');
  const areSteps = Array.isArray(steps) && steps.every((step) => typeof step === 'function');
  if (!areSteps) refuse('steps is not a list of functions');
}

const scenarioCure = 'write crashEveryWrite({ operator: () => operator({ … }), steps: [(user) => user.create(…)] })';

/**
 * Runs a scenario once undisturbed, and then three times for each write the operator made: it crashes before that write
 * is sent, it crashes after the server has carried it out, and it continues without having received the answer. After
 * each step the cluster must be as in the undisturbed run: the same objects, no more and no fewer. Otherwise
 * TESTING_CRASH_NOT_SURVIVED says where and how it differs.
 */
export async function crashEveryWrite<E = undefined>(options: CrashOptions<E>): Promise<CrashReport> {
  checkOptions('crashEveryWrite', options, known as OptionNames<CrashOptions<E>>);
  checkScenario(options);
  const { backend = 'embedded', only = () => true } = options;
  return await withWorlds(backend, async (open) => {
    const once = async (
      fault?: Fault,
      expected?: readonly Observed[],
    ): Promise<{ seen: Observed[]; writes: readonly string[] }> => {
      await using world = await open();
      const run = new CrashRun(options, { ...world, fault });
      return { seen: await run.run(expected), writes: run.writes };
    };
    const notSurvived = (error: unknown, text: string): unknown =>
      error instanceof BrokenRun ? new KilterError('TESTING_CRASH_NOT_SURVIVED', text + error.message) : error;
    const { seen, writes } = await once().catch((error: unknown) => {
      throw notSurvived(error, '');
    });
    if (writes.length === 0) {
      throw new KilterError(
        'TESTING_CRASH_NOTHING_WRITTEN',
        `the operator made no write in ${options.steps.length} steps`,
      );
    }
    const tried = writes.map((_, write) => write).filter(only);
    const faults = tried.flatMap((write) => fates.map((fate): Fault => ({ write, fate })));
    const broken: unknown[] = [];
    for (const fault of faults) {
      if (broken.length === mostBroken) break;
      await once(fault, seen).catch((error: unknown) => broken.push(error));
    }
    const [first] = broken;
    if (broken.length > 1) throw notSurvived(first, `${broken.length} runs of ${faults.length}; the first: `);
    if (broken.length === 1) throw notSurvived(first, '');
    return { writes, runs: faults.length };
  });
}
