import { type Client, isNotFound, KilterError, type Manager, type Operator } from 'kilter';
import type { Duration, Kind, KubeObject, Partially, Ref } from 'kilter/api';
import { CustomResourceDefinition } from 'kilter/k8s/apiextensions/v1';
import {
  type Connection,
  connectTo,
  type Runtime,
  systemRuntime,
  toMilliseconds,
  type VirtualClock,
} from 'kilter/runtime';
import { difference } from './difference.ts';
import { type EmbeddedServer, embeddedServer, type RecordedRequest } from './embedded-server.ts';
import { checkServed, isInstallable, servedManifest } from './served-manifest.ts';

export interface ClusterOptions {
  /** Started once the server is up and what it declares is installed. */
  operator?: Operator | readonly Operator[] | undefined;
  /** What is there before the operator starts. */
  objects?: readonly KubeObject[] | undefined;
  /** Custom resources to install beside those the operator declares. Of versions that differ, the one each kind speaks. */
  kinds?: readonly Kind[] | undefined;
  /** Time and chance. Default: the system's. With a virtual clock, waiting moves the clock. */
  runtime?: Runtime | undefined;
}

/** A pattern (its difference is shown), a predicate, or assertions that throw. */
export type Expected<T extends KubeObject> = Partially<T> | ((object: T) => boolean | void);

export interface WaitOptions {
  /** Default: 10 s. */
  within?: Duration | undefined;
}

export interface Cluster extends AsyncDisposable {
  /** Reads and writes the server directly, as a user of the cluster. */
  readonly client: Client;
  readonly server: EmbeddedServer;
  readonly connection: Connection;
  readonly managers: readonly Manager[];
  /** Every request the server has answered, the harness's own left out. */
  readonly requests: readonly RecordedRequest[];
  install(...kinds: readonly Kind[]): Promise<void>;
  /** Starts one more operator, with what it declares installed; resolves when it is ready. */
  start(operator: Operator): Promise<Manager>;
  /** Waits until the object is as expected; on failure it says the last difference. */
  eventually<T extends KubeObject>(kind: Kind<T>, ref: Ref, expected: Expected<T>, options?: WaitOptions): Promise<T>;
  gone<T extends KubeObject>(kind: Kind<T>, ref: Ref, options?: WaitOptions): Promise<void>;
}

// Short enough not to slow a test down, long enough not to load the server.
const pollInterval = 10;

/** What is wrong with an object, or undefined when it is as expected. */
function problemWith<T extends KubeObject>(object: T, expected: Expected<T>): string | undefined {
  if (typeof expected !== 'function') {
    const lines = difference(expected, object);
    return lines.length === 0 ? undefined : lines.join('\n');
  }
  try {
    return expected(object) === false ? `the predicate is false for ${JSON.stringify(object)}` : undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

class EmbeddedCluster implements Cluster {
  readonly client: Client;
  readonly server: EmbeddedServer;
  readonly connection: Connection;
  readonly managers: Manager[] = [];
  readonly #runtime: Runtime;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
    this.server = embeddedServer({ runtime });
    this.connection = this.server.connection('operator');
    this.client = connectTo(this.server.connection('harness'), { runtime, manager: 'kilter-testing' });
  }

  get requests(): readonly RecordedRequest[] {
    return this.server.requests.filter(({ user }) => user !== 'harness');
  }

  async install(...kinds: readonly Kind[]): Promise<void> {
    for (const kind of kinds.filter(isInstallable)) {
      const manifest = servedManifest(kind);
      const there = await this.client.find(CustomResourceDefinition, manifest.metadata.name);
      if (there !== undefined) {
        checkServed(kind, there);
        continue;
      }
      await this.client.create(manifest);
      await this.eventually(
        CustomResourceDefinition,
        manifest.metadata.name,
        (crd) =>
          crd.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') ?? false,
      );
    }
  }

  async start(operator: Operator): Promise<Manager> {
    await this.install(...operator.kinds);
    const manager = await operator.start({ connection: this.connection, runtime: this.#runtime });
    this.managers.push(manager);
    await this.#unlessTooLate(manager.ready);
    return manager;
  }

  async eventually<T extends KubeObject>(kind: Kind<T>, ref: Ref, ...rest: [Expected<T>, WaitOptions?]): Promise<T> {
    const [expected, options] = rest;
    let found: T | undefined;
    const look = async (): Promise<string | undefined> => {
      found = await this.client.find(kind, ref);
      return found === undefined ? 'it does not exist' : problemWith(found, expected);
    };
    await this.#poll(`${kind.names.kind} ${typeof ref === 'string' ? ref : ref.name}`, look, options);
    return found as T;
  }

  async gone<T extends KubeObject>(kind: Kind<T>, ref: Ref, options?: WaitOptions): Promise<void> {
    const look = async (): Promise<string | undefined> => {
      const found = await this.client.find(kind, ref).catch((error: unknown) => {
        if (isNotFound(error)) return undefined;
        throw error;
      });
      if (found === undefined) return undefined;
      const { finalizers, deletionTimestamp } = found.metadata;
      return `it is still there (deletionTimestamp ${deletionTimestamp}, finalizers ${JSON.stringify(finalizers)})`;
    };
    await this.#poll(`${kind.names.kind} ${typeof ref === 'string' ? ref : ref.name} to be gone`, look, options);
  }

  /** Fails with the last problem once the time is over. */
  async #poll(what: string, look: () => Promise<string | undefined>, options: WaitOptions = {}): Promise<void> {
    const within = toMilliseconds(options.within ?? '10s');
    const deadline = this.#runtime.clock.monotonic() + within;
    for (let problem = await look(); problem !== undefined; problem = await look()) {
      if (this.#runtime.clock.monotonic() >= deadline) {
        throw new Error(`waited ${within / 1000} s for ${what}:\n${problem}`);
      }
      await this.#pass(pollInterval);
    }
  }

  async #unlessTooLate(work: Promise<void>): Promise<void> {
    let settled = false;
    const mark = work.then(
      () => void (settled = true),
      () => void (settled = true),
    );
    // On a virtual clock nothing happens unless time is moved.
    while (!settled && 'advance' in this.#runtime.clock) await this.#pass(pollInterval);
    await mark;
    await work;
  }

  async #pass(ms: number): Promise<void> {
    const { clock } = this.#runtime;
    await ('advance' in clock ? (clock as VirtualClock).advance(ms) : clock.sleep(ms));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const failures: unknown[] = [];
    const stops = this.managers.map((manager) => manager.stop());
    for (const stop of stops) await this.#unlessTooLate(stop).catch((error: unknown) => failures.push(error));
    await this.server.close();
    if (this.server.hotLoop !== undefined) failures.unshift(this.server.hotLoop);
    if (failures.length > 0) throw failures[0];
  }
}

/** An embedded API server with the operator running on it; ends with its scope (`await using`). */
export async function cluster(options: ClusterOptions = {}): Promise<Cluster> {
  const env = new EmbeddedCluster(options.runtime ?? systemRuntime);
  try {
    await env.install(...(options.kinds ?? []));
    for (const object of options.objects ?? []) await env.client.create(object);
    for (const operator of [options.operator ?? []].flat()) await env.start(operator);
    return env;
  } catch (error) {
    await env[Symbol.asyncDispose]();
    throw error instanceof KilterError ? error : new Error('the cluster could not be started', { cause: error });
  }
}
