// Two replicas as processes that write all the time; whoever leads is stopped by SIGSTOP in the middle of it, again and again. What the
// server stored says, by its versions, whether anything of a leader came after its term.
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
const program = resolve(import.meta.dirname, 'writer.child.test-support.ts');
const objects = 24;

export interface WritersOptions {
  readonly client: Client;
  readonly kubeconfig: string;
  readonly namespace: string;
  /** Of the lease, in seconds. */
  readonly seconds: number;
}

interface Process {
  readonly identity: string;
  readonly child: ChildProcess;
  readonly ended: Promise<number | NodeJS.Signals>;
  output: string;
}

/** What the server stored, by the version it stored it as. */
interface Stored {
  readonly version: bigint;
  readonly by: string;
}

export class Writers implements AsyncDisposable {
  readonly #options: WritersOptions;
  readonly #folder = mkdtempSync(join(tmpdir(), 'kilter-writers-'));
  readonly #running = new Map<string, Process>();
  readonly #over = new AbortController();
  readonly #writes: Stored[] = [];
  readonly #holders: Stored[] = [];
  #launched = 0;
  #failure: unknown;
  /** Of processes that ended, by identity. */
  readonly ends = new Map<string, number | NodeJS.Signals>();

  private constructor(options: WritersOptions) {
    this.#options = options;
    writeFileSync(join(this.#folder, 'kubeconfig'), options.kubeconfig);
  }

  static async start(options: WritersOptions): Promise<Writers> {
    const writers = new Writers(options);
    const { client, namespace } = options;
    for (let n = 0; n < objects; n += 1) {
      const name = `work-${n}`;
      await client.create(ConfigMap.build({ name, namespace, data: { by: '' } }));
      const work = thing(name);
      await client.create({ ...work, metadata: { ...work.metadata, namespace } });
    }
    writers.#follow();
    writers.#launch();
    writers.#launch();
    return writers;
  }

  #follow(): void {
    const { client, namespace } = this.#options;
    const { signal } = this.#over;
    const quietly = (work: Promise<void>): void =>
      void work.catch((error: unknown) => (signal.aborted ? undefined : (this.#failure = error)));
    const follow = async (kind: typeof ConfigMap | typeof Lease, note: (object: never, version: bigint) => void) => {
      for await (const change of client.watch(kind as typeof ConfigMap, { namespace, signal })) {
        if (!('object' in change)) continue;
        note(change.object as never, BigInt(change.object.metadata.resourceVersion ?? ''));
      }
      throw new Error('a watch of the test has ended');
    };
    quietly(
      follow(ConfigMap, ({ data }: ConfigMap, version) => {
        const by = data?.['by'] ?? '';
        if (by !== '') this.#writes.push({ version, by });
      }),
    );
    quietly(
      follow(Lease, ({ metadata, spec }: Lease, version) => {
        if (metadata.name === 'writers') this.#holders.push({ version, by: spec?.holderIdentity ?? '' });
      }),
    );
  }

  #launch(): void {
    const { namespace, seconds } = this.#options;
    this.#launched += 1;
    const identity = `writer-${this.#launched}`;
    const quietly = ['--metrics-bind-address=0', '--health-probe-bind-address=0'];
    const where = ['--kubeconfig', join(this.#folder, 'kubeconfig'), '--namespace', namespace, ...quietly];
    const args = ['--conditions=@kilter/source', program, identity, String(seconds), ...where];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    const { promise: ended, resolve: end } = Promise.withResolvers<number | NodeJS.Signals>();
    const started: Process = { identity, child, ended, output: '' };
    child.once('exit', (code, signal) => {
      this.#running.delete(identity);
      this.ends.set(identity, code ?? signal ?? -1);
      end(code ?? signal ?? -1);
      // As a kubelet does.
      if (!this.#over.signal.aborted) this.#launch();
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (started.output = (started.output + text).slice(-4000)));
    }
    this.#running.set(identity, started);
  }

  /** The last one that took the Lease, where it still runs and has written. */
  get #leader(): Process | undefined {
    const by = this.#holders.at(-1)?.by ?? '';
    return this.#writes.at(-1)?.by === by ? this.#running.get(by) : undefined;
  }

  get writes(): number {
    return this.#writes.length;
  }

  /** Stops the leader in the middle of its writes until another one writes, then lets it continue; resolves when it has ended. */
  async stopLeader(chance: number): Promise<number | NodeJS.Signals> {
    await this.#until(() => this.#leader !== undefined && this.#running.size === 2, 'a leader that writes');
    await clock.sleep(50 + chance * 400);
    const leader = this.#leader;
    if (leader === undefined) return this.stopLeader(chance);
    leader.child.kill('SIGSTOP');
    try {
      await this.#until(
        () => this.#leader !== undefined && this.#leader.identity !== leader.identity,
        `the leader after ${leader.identity}`,
      );
    } finally {
      leader.child.kill('SIGCONT');
    }
    const ended = await leader.ended;
    // What it still sent, if anything, has arrived and been told.
    await clock.sleep(300);
    return ended;
  }

  /** Writes that were stored after the term of their writer had ended. */
  get stale(): string[] {
    const ends = new Map<string, bigint>();
    let last: Stored | undefined;
    for (const held of this.#holders.toSorted((a, b) => Number(a.version - b.version))) {
      if (last !== undefined && last.by !== held.by && !ends.has(last.by)) ends.set(last.by, held.version);
      last = held;
    }
    return this.#writes.flatMap(({ version, by }) => {
      const end = ends.get(by);
      return end !== undefined && version > end ? [`${by} wrote ${version} after its term had ended with ${end}`] : [];
    });
  }

  get terms(): number {
    return new Set(this.#holders.map(({ by }) => by).filter((by) => by !== '')).size;
  }

  async #until(holds: () => boolean, what: string): Promise<void> {
    const deadline = clock.monotonic() + 120_000;
    while (!holds()) {
      if (this.#failure !== undefined) throw this.#failure;
      if (clock.monotonic() > deadline) {
        const told = [...this.#running.values()].map(({ identity, output }) => `${identity}: ${output.slice(-2000)}`);
        throw new Error(`waited 120 s for ${what}:\n${told.join('\n')}`);
      }
      await clock.sleep(10);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    const all = [...this.#running.values()];
    for (const { child } of all) child.kill('SIGKILL');
    await Promise.all(all.map(({ ended }) => ended));
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
