import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Child } from '../../harness/child.ts';
import type { StubOrder, StubStats } from './server.ts';

/** The stub in its process, with a kubeconfig that leads to it. */
export class StubServer implements AsyncDisposable {
  readonly kubeconfig: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'kilter-bench-'));
  readonly #child: Child;

  private constructor() {
    this.kubeconfig = join(this.#folder, 'kubeconfig');
    this.#child = new Child(new URL('server.ts', import.meta.url), {
      args: [this.kubeconfig],
      // It holds a gigabyte of prepared bytes.
      flags: ['--conditions=@kilter/source', '--max-old-space-size=4096'],
      patience: 600_000,
    });
  }

  static async start(): Promise<StubServer> {
    const server = new StubServer();
    await server.#child.next();
    return server;
  }

  order(given: StubOrder): Promise<StubStats> {
    return this.#child.ask(JSON.stringify(given));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
