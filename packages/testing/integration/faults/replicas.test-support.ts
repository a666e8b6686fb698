// Two replicas as processes of their own, on any server, and what the server accepted of whom and when.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Client } from 'kilter';
import { Lease } from 'kilter/k8s/coordination/v1';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { systemRuntime } from 'kilter/runtime';
import { thing } from '../thing.test-support.ts';

const { clock } = systemRuntime;

interface Stored {
  readonly by: string;
  /** On the monotonic clock of the test. */
  readonly at: number;
}

export interface ReplicasOptions {
  readonly client: Client;
  readonly kubeconfig: string;
  readonly namespace: string;
  /** Of the lease, in seconds. */
  readonly seconds: number;
  /** Before the program. Default: none. */
  readonly nodeFlags?: readonly string[];
}

class ReplicaProcess {
  readonly name: string;
  readonly child: ChildProcess;
  readonly ended: Promise<number | NodeJS.Signals>;
  output = '';

  constructor(name: string, args: readonly string[]) {
    this.name = name;
    this.child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    const ended = Promise.withResolvers<number | NodeJS.Signals>();
    this.ended = ended.promise;
    this.child.once('exit', (code, signal) => ended.resolve(code ?? signal ?? -1));
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => (this.output += chunk));
    }
  }
}

export class Replicas implements AsyncDisposable {
  readonly #options: ReplicasOptions;
  readonly #folder = mkdtempSync(join(tmpdir(), 'kilter-replicas-'));
  readonly #processes: ReplicaProcess[] = [];
  readonly #over = new AbortController();
  /** Every version of the ConfigMap that replicas write, as the server stored it. */
  readonly stored: Stored[] = [];
  /** When the Lease was last seen to be given back. */
  releasedAt: number | undefined;

  private constructor(options: ReplicasOptions) {
    this.#options = options;
  }

  static async start(options: ReplicasOptions): Promise<Replicas> {
    const replicas = new Replicas(options);
    const { client, namespace } = options;
    await client.create(ConfigMap.build({ name: 'beat', namespace, data: { by: '' } }));
    const work = thing('work');
    await client.create({ ...work, metadata: { ...work.metadata, namespace } });
    replicas.#follow();
    replicas.launch('one');
    await replicas.until(() => replicas.writer === 'one', 'the first replica to write');
    replicas.launch('two');
    await replicas.until(() => replicas.replica('two').output.includes('caches are synced'), 'the second replica');
    return replicas;
  }

  #follow(): void {
    const { client, namespace } = this.#options;
    const { signal } = this.#over;
    const quietly = (work: Promise<void>): void =>
      void work.catch((error: unknown) => signal.aborted || this.stored.push({ by: String(error), at: 0 }));
    quietly(
      (async () => {
        for await (const change of client.watch(ConfigMap, {
          namespace,
          fields: { 'metadata.name': 'beat' },
          signal,
        })) {
          const by = ('object' in change ? change.object : undefined)?.data?.['by'] ?? '';
          if (by !== '') this.stored.push({ by, at: clock.monotonic() });
        }
      })(),
    );
    quietly(
      (async () => {
        for await (const change of client.watch(Lease, {
          namespace,
          fields: { 'metadata.name': 'replicas' },
          signal,
        })) {
          if (('object' in change ? change.object : undefined)?.spec?.holderIdentity === '')
            this.releasedAt = clock.monotonic();
        }
      })(),
    );
  }

  launch(name: string): void {
    const { kubeconfig, namespace, seconds, nodeFlags = [] } = this.#options;
    const file = join(this.#folder, 'kubeconfig');
    writeFileSync(file, kubeconfig);
    const program = resolve(import.meta.dirname, 'replica.child.test-support.ts');
    const quietly = ['--metrics-bind-address=0', '--health-probe-bind-address=0'];
    const where = ['--kubeconfig', file, '--namespace', namespace, ...quietly];
    this.#processes.push(
      new ReplicaProcess(name, ['--conditions=@kilter/source', ...nodeFlags, program, name, String(seconds), ...where]),
    );
  }

  replica(name: string): ReplicaProcess {
    const found = this.#processes.findLast((one) => one.name === name);
    if (found === undefined) throw new Error(`there is no replica ${name}`);
    return found;
  }

  /** Who wrote last. */
  get writer(): string | undefined {
    return this.stored.at(-1)?.by;
  }

  /** Tells one replica what to do in its next run. */
  async tell(name: string, deed: string | null): Promise<void> {
    const { client, namespace } = this.#options;
    const { Thing } = await import('../thing.test-support.ts');
    await client.patch(Thing, { name: 'work', namespace }, { spec: { values: { [name]: deed } } } as never);
  }

  /** When the last write of one was stored, and the first of the other after it; resolves once there is one. */
  async handover(from: string, to: string): Promise<{ last: number; first: number }> {
    await this.until(() => this.writer === to, `${to} to write`);
    const first = this.stored.findIndex(({ by }) => by === to);
    return { last: this.stored.findLast(({ by }) => by === from)?.at ?? NaN, first: this.stored[first]?.at ?? NaN };
  }

  /** Writes of one that were stored after the first write of the other. */
  stale(from: string, to: string): number {
    const first = this.stored.findIndex(({ by }) => by === to);
    return first === -1 ? 0 : this.stored.slice(first).filter(({ by }) => by === from).length;
  }

  async until(holds: () => boolean, what: string): Promise<void> {
    const deadline = clock.monotonic() + 120_000;
    while (!holds()) {
      if (clock.monotonic() > deadline)
        throw new Error(
          `waited 120 s for ${what}:\n${this.#processes.map(({ name, output }) => `${name}: ${output.slice(-2000)}`).join('\n')}`,
        );
      await clock.sleep(20);
    }
  }

  pass(ms: number): Promise<void> {
    return clock.sleep(ms);
  }

  now(): number {
    return clock.monotonic();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    for (const { child } of this.#processes) child.kill('SIGKILL');
    await Promise.all(this.#processes.map(({ ended }) => ended));
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
