// The embedded server, the model of AWS and its fleet, and replicas that can die, all on one virtual clock.
import { cluster, type EmbeddedCluster } from '@kilter/testing';
import { type Client, KilterError, type Logger, type Manager } from 'kilter';
import { type Event, Node, type Pod } from 'kilter/k8s/core/v1';
import { type Clock, type Connection, type Runtime, type VirtualClock, virtualRuntime } from 'kilter/runtime';
import { type Aws, AwsError, type AwsRegions } from './aws.ts';
import { EventRecycler, type Spec, type Status } from './event-recycler.ts';
import { AwsModel, type ModelOptions } from './fake/aws-model.ts';
import { syncFleet } from './fake/fleet.ts';
import { podOn, term, warningAbout } from './fake/sickness.ts';
import { recyclerOperator } from './operator.ts';

const ignore = (): void => undefined;
const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

/**
 * What becomes of a write to the server or a call of AWS. `before`, `after`: the replica dies there. `lost`: it has its effect, and the
 * caller gets no answer. `doubled`: it arrives twice.
 */
export type Fate = 'before' | 'after' | 'lost' | 'doubled';

/** Called for every write to the server and every call of AWS, but for those that only keep the Lease. */
export type FateOf = (what: string, replica: Replica) => Fate | undefined | void;

interface Passage<T> {
  readonly what: string;
  readonly fateOf: FateOf;
  readonly effect: () => Promise<T>;
  /** What the caller learns where the answer is lost. */
  readonly lost: () => Error;
}

const lostAnswer = 'the connection was closed before the answer';

/** One process: with its death its timers, answers and calls stop in the same moment. */
export class Replica {
  readonly identity: string;
  manager: Manager | undefined;
  readonly lines: string[] = [];
  #dead = false;
  #buried = false;
  /** Timers that fell due in a pause. */
  readonly #late: (() => void)[] = [];
  #paused: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;

  constructor(identity: string) {
    this.identity = identity;
  }

  get logger(): Logger {
    const write = (...parts: unknown[]): void =>
      void this.lines.push(parts.map((part) => JSON.stringify(part)).join(' '));
    const logger: Logger = { debug: ignore, info: ignore, warn: write, error: write, child: () => logger };
    return logger;
  }

  get dead(): boolean {
    return this.#dead;
  }

  kill(): void {
    this.#dead = true;
  }

  /** As SIGSTOP does: its timers are late by as long as it takes. */
  pause(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#paused = { promise, resolve };
  }

  resume(): void {
    this.#paused?.resolve();
    this.#paused = undefined;
    if (this.#dead) return;
    for (const callback of this.#late.splice(0)) callback();
  }

  bury(): void {
    this.#dead = false;
    this.#buried = true;
    this.resume();
  }

  /** Runs nothing of a process that is dead, and what belongs to a paused one later. */
  async alive(): Promise<void> {
    if (this.#buried) throw new KilterError('TRANSPORT_CLOSED', 'the process has crashed');
    if (this.#dead) return never();
    await this.#paused?.promise;
    if (this.#dead) return never();
  }

  async through<T>({ what, fateOf, effect, lost }: Passage<T>): Promise<T> {
    await this.alive();
    const fate = fateOf(what, this);
    if (fate === 'before') this.kill();
    await this.alive();
    const answer = await effect().catch(async (error: unknown) => {
      await this.alive();
      throw error;
    });
    // What the second one is told, nobody reads.
    if (fate === 'doubled') await effect().then(ignore, ignore);
    if (fate === 'after') this.kill();
    await this.alive();
    if (fate === 'lost') throw lost();
    return answer;
  }

  runtime(world: Runtime): Runtime {
    const { clock } = world;
    const timer: Clock['timer'] = (ms, callback) => {
      const due = clock.timer(ms, () => {
        if (!this.#dead && this.#paused === undefined) callback();
        else this.#late.push(callback);
      });
      return due;
    };
    const sleep: Clock['sleep'] = (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) return reject(signal.reason as Error);
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
    const pause: Clock['pause'] = () => clock.pause()?.then(() => this.alive().catch(ignore));
    const times = { now: () => clock.now(), monotonic: () => clock.monotonic(), recent: () => clock.recent() };
    return {
      clock: { ...times, timer, sleep, pause },
      random: () => world.random(),
      uuid: () => world.uuid(),
    };
  }

  connection(connection: Connection, fateOf: FateOf): Connection {
    const { namespace, host } = connection;
    const lost = () => new KilterError('TRANSPORT_CONNECTION_LOST', lostAnswer);
    const exchange: Connection['exchange'] = async (request) => {
      const isWrite = request.method !== 'GET' && !/\/(leases|selfsubjectaccessreviews)(\/|\?|$)/.test(request.path);
      const what = `${request.method} ${request.path.split('?')[0]}`;
      const effect = () => connection.exchange(request);
      if (!isWrite) await this.alive();
      const response = isWrite ? await this.through({ what, fateOf, effect, lost }) : await effect();
      await this.alive();
      return { ...response, body: this.#body(response.body) };
    };
    return { namespace, host, exchange, close: () => connection.close() };
  }

  async *#body(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      await this.alive();
      yield chunk;
    }
    await this.alive();
  }

  aws(regions: AwsRegions, fateOf: FateOf): AwsRegions {
    const lost = () => new AwsError('unreachable', lostAnswer);
    return (name) => {
      const region = regions(name);
      const wrapped = Object.entries(region).map(([call, run]: [string, (...args: never[]) => Promise<unknown>]) => {
        const around = (...args: never[]) =>
          this.through({ what: `aws ${call}`, fateOf, effect: () => run(...args), lost });
        return [call, around];
      });
      return Object.fromEntries(wrapped) as unknown as Aws;
    };
  }
}

export interface StageOptions extends Partial<Omit<ModelOptions, 'now'>> {
  readonly groups?: readonly { readonly name: string; readonly nodeGroup?: string; readonly size: number }[];
  readonly fateOf?: FateOf;
  readonly isReady?: (id: string) => boolean;
  /** Operators run under the rules they declare, and what they ask for is compared with these (`env.permissions`). */
  readonly rbac?: 'derived';
}

export class Stage implements AsyncDisposable {
  readonly env: EmbeddedCluster;
  readonly clock: VirtualClock;
  readonly runtime: Runtime;
  readonly model: AwsModel;
  readonly replicas: Replica[] = [];
  readonly #options: StageOptions;
  #over = false;
  #events = 0;
  /** What the Nodes were last brought in line with. */
  #synced = '';
  readonly #failures: unknown[] = [];

  private constructor(
    env: EmbeddedCluster,
    world: { runtime: Runtime & { clock: VirtualClock }; model: AwsModel },
    options: StageOptions,
  ) {
    this.env = env;
    this.runtime = world.runtime;
    this.clock = world.runtime.clock;
    this.model = world.model;
    this.#options = options;
  }

  static async open(options: StageOptions = {}): Promise<Stage> {
    const runtime = virtualRuntime();
    const { groups = [], fateOf: _, isReady: __, rbac, ...rest } = options;
    // AWS has a clock of its own, which is right.
    const began = runtime.clock.now() - runtime.clock.monotonic();
    const model = new AwsModel({ now: () => began + runtime.clock.monotonic(), ...rest });
    const env = await cluster({ backend: 'embedded', runtime, kinds: [EventRecycler], rbac });
    const stage = new Stage(env, { runtime, model }, options);
    for (const { name, nodeGroup, size } of groups) {
      model.addGroup({ name, ...(nodeGroup !== undefined && { nodeGroup }), min: 1, max: size + 2, desired: size });
    }
    await stage.#sync();
    stage.#keepSyncing();
    return stage;
  }

  get client(): Client {
    return this.env.client;
  }

  async #sync(): Promise<void> {
    const { isReady } = this.#options;
    const instances = () => this.model.instancesNow();
    const state = instances()
      .map(({ id, state: is }) => `${id} ${is} ${isReady?.(id)}`)
      .join();
    if (state === this.#synced) return;
    this.#synced = state;
    return syncFleet({ client: this.client, instances, ...(isReady && { isReady: ({ id }) => isReady(id) }) });
  }

  #keepSyncing(): void {
    this.clock.timer(2000, () => {
      if (this.#over) return;
      this.#sync().then(
        () => this.#keepSyncing(),
        (error: unknown) => this.#failures.push(error),
      );
    });
  }

  async start(identity: string): Promise<Replica> {
    const replica = new Replica(identity);
    this.replicas.push(replica);
    const { fateOf = ignore } = this.#options;
    const aws = replica.aws(this.model.regions, fateOf);
    const operator = recyclerOperator({ aws, election: { identity }, logger: replica.logger });
    if (this.#options.rbac !== undefined) {
      replica.manager = await this.env.start(operator);
      return replica;
    }
    const connection = replica.connection(this.env.connection, fateOf);
    replica.manager = await operator.start({ connection, runtime: replica.runtime(this.runtime) });
    replica.manager.done.catch(ignore);
    return replica;
  }

  /** Warnings and errors. */
  linesOf(replica: Replica): readonly string[] {
    return replica.lines;
  }

  /** An EventRecycler with a threshold of 3, and whatever else is given. */
  async recycler(spec: Partial<Spec> = {}, name = 'sandbox'): Promise<void> {
    await this.client.create(EventRecycler.build({ name, spec: { searchTerms: [term], threshold: 3, ...spec } }));
  }

  async patchSpec(spec: Partial<Spec>): Promise<void> {
    await this.client.patch(EventRecycler, 'sandbox', { spec });
  }

  async status(name = 'sandbox'): Promise<Status> {
    return (await this.client.get(EventRecycler, name)).status ?? {};
  }

  condition = async (type: string, name = 'sandbox') =>
    (await this.status(name)).conditions?.find((one) => one.type === type);

  /** A Pod on the Node of this instance. */
  async pod(name: string, instance: string, given: Partial<Pod['metadata']> = {}): Promise<Pod> {
    return this.client.create(podOn(instance, { name, ...given }));
  }

  async event(pod: Pod, given: Partial<Event> = {}): Promise<Event> {
    this.#events += 1;
    return this.client.create(warningAbout(pod, { name: `e${this.#events}`, now: this.clock.now() }, given));
  }

  /** Makes a group sick: as many occurrences as the threshold wants. */
  async sicken(group: string, count = 3): Promise<void> {
    const [instance] = this.model.groupNow(group)?.instances ?? [];
    if (instance === undefined) throw new Error(`${group} has no instance`);
    const name = `sick-${group}-${this.#events}`;
    await this.event(await this.pod(name, instance.id), { count });
  }

  async pass(ms: number): Promise<void> {
    await this.clock.advance(ms);
    if (this.#failures.length > 0) throw this.#failures[0];
  }

  /** Lets time pass until it is so; in steps of five seconds. */
  async until(isSo: () => boolean | Promise<boolean>, within = 30 * 60_000): Promise<void> {
    for (let waited = 0; waited <= within; waited += 5000) {
      if (await isSo()) return;
      await this.pass(5000);
    }
    const all = (await this.client.list(EventRecycler)).map(({ metadata: { name }, status }) => ({ name, ...status }));
    throw new Error(`not within ${within / 1000} s; status ${JSON.stringify(all, undefined, 1)}`);
  }

  /** Waits for the end of so many recycles. */
  async history(entries: number, name = 'sandbox'): Promise<NonNullable<Status['recycleHistory']>> {
    await this.until(async () => ((await this.status(name)).recycleHistory ?? []).length >= entries);
    return (await this.status(name)).recycleHistory ?? [];
  }

  /** Nodes on which nothing may be scheduled. */
  async cordoned(): Promise<string[]> {
    const nodes = await this.client.list(Node);
    return nodes.filter(({ spec }) => spec?.unschedulable).map(({ metadata }) => metadata.name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over = true;
    for (const replica of this.replicas) {
      if (replica.dead) replica.bury();
      replica.resume();
      let isStopped = replica.manager === undefined;
      void replica.manager?.stop().then(
        () => (isStopped = true),
        () => (isStopped = true),
      );
      for (let waited = 0; !isStopped; waited += 1000) {
        if (waited > 300_000) throw new Error(`${replica.identity} does not stop`);
        await this.clock.advance(1000);
      }
    }
    await this.env[Symbol.asyncDispose]();
  }
}
