import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Child } from '../harness/child.ts';
import type { ServerStats } from './server.ts';

/** The server in its process, with a kubeconfig that leads to it. */
export class BenchServer implements AsyncDisposable {
  readonly kubeconfig: string;
  readonly #folder: string;
  readonly #child: Child;

  private constructor() {
    this.#folder = mkdtempSync(join(tmpdir(), 'kilter-bench-'));
    this.kubeconfig = join(this.#folder, 'kubeconfig');
    this.#child = new Child(new URL('server.ts', import.meta.url), {
      args: [this.kubeconfig],
      flags: ['--conditions=@kilter/source'],
    });
  }

  static async start(): Promise<BenchServer> {
    const server = new BenchServer();
    await server.#child.next();
    return server;
  }

  stats(): Promise<ServerStats> {
    return this.#child.ask('stats');
  }

  /** Counts from here on. */
  async reset(): Promise<void> {
    await this.#child.ask('reset');
  }

  /** Looks until the server sees what is expected. */
  async until(expected: (stats: ServerStats) => boolean): Promise<ServerStats> {
    for (let tries = 0; tries < 600; tries += 1) {
      const stats = await this.stats();
      if (expected(stats)) return stats;
      await sleep(50);
    }
    throw new Error(`the server sees ${JSON.stringify(await this.stats())}`);
  }

  /** Stops the process without a word to its clients, as a hung machine does. */
  freeze(): void {
    this.#child.process.kill('SIGSTOP');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
