// The embedded server, the model of AWS and its fleet, and replicas that can die, all on one virtual clock.
import { cluster, type EmbeddedCluster } from '@kilter/testing';
import { type Client, KilterError, type Logger, type Manager } from 'kilter';
import { formatTime } from 'kilter/api';
import { type Event, Node, Pod } from 'kilter/k8s/core/v1';
import { type Clock, type Connection, type Runtime, type VirtualClock, virtualRuntime } from 'kilter/runtime';
import type { Aws, AwsRegions } from './aws.ts';
import { EventRecycler, type Spec, type Status } from './event-recycler.ts';
import { AwsModel, type ModelOptions } from './fake/aws-model.ts';
import { nodeName, syncFleet } from './fake/fleet.ts';
import { recyclerOperator } from './operator.ts';

const ignore = (): void => undefined;
const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

/** What may happen at a write to the server or a call of AWS: called before and after each. */
export type Watch = (what: string, when: 'before' | 'after', replica: Replica) => void;

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
    for (const callback of this.#late.splice(0)) if (!this.#dead) callback();
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

  async through<T>(what: string, watch: Watch, effect: () => Promise<T>): Promise<T> {
    await this.alive();
    watch(what, 'before', this);
    await this.alive();
    const answer = await effect();
    watch(what, 'after', this);
    await this.alive();
    return answer;
  }

  runtime(world: Runtime): Runtime {
    const { clock } = world;
    const timer: Clock['timer'] = (ms, callback) => {
      const due = clock.timer(ms, () => {
        if (this.#dead) return;
        if (this.#paused === undefined) callback();
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
    const pause: Clock['pause'] = () => clock.pause()?.then(() => this.alive());
    return {
      clock: { now: () => clock.now(), monotonic: () => clock.monotonic(), timer, sleep, pause },
      random: () => world.random(),
      uuid: () => world.uuid(),
    };
  }

  connection(connection: Connection, watch: Watch): Connection {
    const { namespace, host } = connection;
    const exchange: Connection['exchange'] = async (request) => {
      const isWrite =
        request.method !== 'GET' && !/\/(leases|events|selfsubjectaccessreviews)(\/|\?|$)/.test(request.path);
      const effect = () => connection.exchange(request);
      if (!isWrite) await this.alive();
      const response = isWrite
        ? await this.through(`${request.method} ${request.path.split('?')[0]}`, watch, effect)
        : await effect();
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

  aws(regions: AwsRegions, watch: Watch): AwsRegions {
    return (name) => {
      const region = regions(name);
      const wrapped = Object.entries(region).map(([call, run]: [string, (...args: never[]) => Promise<unknown>]) => {
        const around = (...args: never[]) => {
          const isRead = call === 'group' || call === 'instances';
          return this.through(`aws ${call}`, isRead ? ignore : watch, () => run(...args));
        };
        return [call, around];
      });
      return Object.fromEntries(wrapped) as unknown as Aws;
    };
  }
}

export interface StageOptions extends Partial<Omit<ModelOptions, 'now'>> {
  readonly groups?: readonly { readonly name: string; readonly nodeGroup?: string; readonly size: number }[];
  readonly watch?: Watch;
  readonly isReady?: (id: string) => boolean;
}

export const term = 'failed to get sandbox image';

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
    const { groups = [], watch: _, isReady: __, ...rest } = options;
    const model = new AwsModel({ now: () => runtime.clock.now(), ...rest });
    const env = await cluster({ backend: 'embedded', runtime, kinds: [EventRecycler] });
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
    const { watch = ignore } = this.#options;
    const aws = replica.aws(this.model.regions, watch);
    const operator = recyclerOperator({ aws, election: { identity }, logger: replica.logger });
    const connection = replica.connection(this.env.connection, watch);
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
    const metadata = { name, namespace: 'default', labels: { app: 'web' }, ...given };
    const spec = {
      nodeName: nodeName(instance),
      containers: [{ name: 'c', image: 'i' }],
      terminationGracePeriodSeconds: 0,
    };
    return this.client.create({ ...Pod.build({ name, spec }), metadata });
  }

  /** A Warning Event about the Pod, as a kubelet writes it: in the core group. */
  async event(pod: Pod, given: Partial<Event> = {}): Promise<Event> {
    this.#events += 1;
    const time = formatTime(this.clock.now());
    const { name, namespace, uid } = pod.metadata;
    return this.client.create<Event>({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `e${this.#events}`, namespace: namespace ?? 'default' },
      type: 'Warning',
      reason: 'FailedCreatePodSandBox',
      message: `Failed to create pod sandbox: ${term} "pause:3.9"`,
      involvedObject: { apiVersion: 'v1', kind: 'Pod', name, namespace, uid },
      count: 1,
      firstTimestamp: time,
      lastTimestamp: time,
      source: { component: 'kubelet' },
      ...given,
    });
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
    throw new Error(`not within ${within / 1000} s; status ${JSON.stringify(await this.status(), undefined, 1)}`);
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
      const stopped = replica.manager?.stop().catch(ignore);
      let isOver = false;
      void stopped?.then(() => (isOver = true));
      while (stopped !== undefined && !isOver) await this.clock.advance(1000);
    }
    await this.env[Symbol.asyncDispose]();
  }
}
