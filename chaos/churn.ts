// Users who change WebApps all the time.
import { apiErrorOf, type Client, isNotFound } from 'kilter';
import { systemRuntime } from 'kilter/runtime';
import { WebApp } from '../examples/webapp/src/webapp.ts';
import { absent } from './compare.ts';

const { clock } = systemRuntime;
export const namespaces = ['chaos-a', 'chaos-b'] as const;

export interface ChurnOptions {
  readonly client: Client;
  readonly random: () => number;
  readonly objects: number;
  /** Ends what is under way. */
  readonly signal: AbortSignal;
}

/** Creates, changes and deletes, and remembers what the server has acknowledged. */
export class Churn {
  readonly #options: ChurnOptions;
  /** The port each WebApp was last given, as the server confirmed it; one whose last change has no certain outcome is not in it. */
  readonly acknowledged = new Map<string, number>();
  #running: Promise<void> | undefined;
  #stop = false;
  #ports = 1;
  /** Changes that were made. */
  count = 0;

  constructor(options: ChurnOptions) {
    this.#options = options;
  }

  start(): void {
    this.#stop = false;
    this.#running = this.#run();
  }

  async pause(): Promise<void> {
    this.#stop = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    const { random, objects, signal } = this.#options;
    while (!this.#stop && !signal.aborted) {
      const which = Math.floor(random() * objects);
      const [namespace, name] = [namespaces[which % 2] as string, `app-${which}`];
      await (random() < 0.1 ? this.delete(namespace, name) : this.set(namespace, name));
      await clock.sleep(50 + random() * 100);
    }
  }

  /** Everything there should be, whether it was there or not. */
  async fill(): Promise<void> {
    for (let which = 0; which < this.#options.objects; which += 1) {
      await this.set(namespaces[which % 2] as string, `app-${which}`);
    }
  }

  forget(namespace?: string): void {
    for (const key of this.acknowledged.keys()) {
      if (namespace === undefined || key.startsWith(`${namespace}/`)) this.acknowledged.delete(key);
    }
  }

  async set(namespace: string, name: string): Promise<void> {
    const { client, random, signal } = this.#options;
    const key = `${namespace}/${name}`;
    this.#ports = (this.#ports % 60_000) + 1;
    const spec = { image: `nginx:1.${this.#ports % 7}`, replicas: Math.floor(random() * 3), port: this.#ports };
    await this.#attempt(key, spec.port, async () => {
      const patched = await client.patch(WebApp, { namespace, name }, { spec }, { signal }).catch((error: unknown) => {
        if (isNotFound(error)) return undefined;
        throw error;
      });
      // One that is being deleted takes the change along.
      if (patched !== undefined) return patched.metadata.deletionTimestamp === undefined;
      await client.create(WebApp.build({ namespace, name, spec }), { signal });
      return true;
    });
  }

  async delete(namespace: string, name: string): Promise<void> {
    await this.#attempt(`${namespace}/${name}`, absent, async () => {
      const { client, signal } = this.#options;
      await client.delete(WebApp, { namespace, name }, { signal });
      return true;
    });
  }

  async #attempt(key: string, port: number, act: () => Promise<boolean>): Promise<void> {
    const before = this.acknowledged.get(key);
    this.acknowledged.delete(key);
    this.count += 1;
    try {
      if (await act()) this.acknowledged.set(key, port);
    } catch (error) {
      // A server that refuses has changed nothing; without its answer nobody knows.
      if (port === absent && isNotFound(error)) this.acknowledged.set(key, absent);
      else if (isRefusal(error) && before !== undefined) this.acknowledged.set(key, before);
    }
  }
}

function isRefusal(error: unknown): boolean {
  const code = apiErrorOf(error)?.status.code;
  return code !== undefined && code >= 400 && code < 500;
}
