// Three operators as processes, each with a user and a way to the server of its own; one that ends is started again.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { systemRuntime } from 'kilter/runtime';
import { TcpProxy } from '../packages/testing/integration/faults/tcp-proxy.test-support.ts';
import type { Reading } from './memory.ts';
import { heapQuestion } from './heap-question.ts';

const { clock } = systemRuntime;
const program = resolve(import.meta.dirname, 'operator.ts');
// As a kubelet would, but sooner: it is not what is measured.
const restartAfter = 1000;
const keptLog = 20_000;
// A full collection is not what an operator does by itself: seldom enough that its resident memory stays its own.
const heapEvery = 120_000;

export interface OperatorPlace {
  /** Its user to the server, by token. */
  readonly name: string;
  readonly token: string;
  readonly ca: string;
  readonly server: { readonly host: string; readonly port: number };
  readonly folder: string;
}

/** Asks the kernel for a port that nobody has. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

interface Life {
  readonly child: ChildProcess;
  readonly metricsPort: number;
  readonly started: number;
  readonly readings: Reading[];
  relists: number;
  /** When its heap was last asked for. */
  heapAsked: number;
  ended: boolean;
}

/** One of the operators: its process, and the next one when that has ended. */
export class RunningOperator implements AsyncDisposable {
  readonly name: string;
  readonly proxy: TcpProxy;
  readonly #kubeconfig: string;
  readonly #lives: Life[] = [];
  /** The end of what all its processes have said. */
  #log = '';
  #closing = false;
  /** How its processes ended, by signal or code. */
  readonly ends: string[] = [];

  private constructor(name: string, proxy: TcpProxy, kubeconfig: string) {
    this.name = name;
    this.proxy = proxy;
    this.#kubeconfig = kubeconfig;
  }

  static async start({ name, token, ca, server, folder }: OperatorPlace): Promise<RunningOperator> {
    const proxy = await TcpProxy.before(server);
    const kubeconfig = join(folder, `${name}.kubeconfig`);
    const cluster = {
      server: `https://127.0.0.1:${proxy.port}`,
      'certificate-authority-data': Buffer.from(ca).toString('base64'),
    };
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'chaos',
      clusters: [{ name: 'chaos', cluster }],
      users: [{ name, user: { token } }],
      contexts: [{ name: 'chaos', context: { cluster: 'chaos', user: name, namespace: 'default' } }],
    };
    writeFileSync(kubeconfig, JSON.stringify(config), { mode: 0o600 });
    const operator = new RunningOperator(name, proxy, kubeconfig);
    await operator.#begin();
    return operator;
  }

  async #begin(): Promise<void> {
    const metricsPort = await freePort();
    if (this.#closing) return;
    const flags = ['--kubeconfig', this.#kubeconfig, `--metrics-bind-address=127.0.0.1:${metricsPort}`];
    const args = ['--conditions=@kilter/source', program, ...flags, '--health-probe-bind-address=0'];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe', 'ipc'] });
    child.stdin?.on('error', () => undefined);
    const started = clock.monotonic();
    const life: Life = { child, metricsPort, started, readings: [], relists: 0, heapAsked: started, ended: false };
    this.#lives.push(life);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.#log = (this.#log + text).slice(-keptLog)));
    }
    child.once('exit', (code, signal) => {
      life.ended = true;
      this.ends.push(String(signal ?? code));
      if (!this.#closing) void clock.sleep(restartAfter).then(() => this.#begin());
    });
  }

  get #life(): Life | undefined {
    const last = this.#lives.at(-1);
    return last?.ended === false ? last : undefined;
  }

  get pid(): number | undefined {
    return this.#life?.child.pid;
  }

  get log(): string {
    return this.#log;
  }

  get lives(): readonly (readonly Reading[])[] {
    return this.#lives.map(({ readings }) => readings);
  }

  /** How old its process is, in seconds. */
  get age(): number {
    const life = this.#life;
    return life === undefined ? 0 : (clock.monotonic() - life.started) / 1000;
  }

  signal(signal: NodeJS.Signals): void {
    this.#life?.child.kill(signal);
  }

  /** What its heap holds after a full collection becomes a part of its next reading; at most every two minutes. */
  async readHeap(): Promise<void> {
    const life = this.#life;
    if (life === undefined || clock.monotonic() - life.heapAsked < heapEvery) return;
    life.heapAsked = clock.monotonic();
    await this.readMemory(await heapQuestion(life.child));
  }

  /** Its memory in bytes; undefined while it has no process. */
  async readMemory(heap?: number): Promise<number | undefined> {
    const life = this.#life;
    if (life?.child.pid === undefined) return undefined;
    // A process that ends while it is asked for is not an error.
    const told = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(life.child.pid)]).catch(() => undefined);
    const bytes = Number(told?.stdout.trim() ?? '') * 1024;
    if (!(bytes > 0)) return undefined;
    life.readings.push({ age: (clock.monotonic() - life.started) / 1000, bytes, heap });
    return bytes;
  }

  /** Complete reads of a kind since it was last asked; a process that does not answer has no news. */
  async newRelists(): Promise<number> {
    const life = this.#life;
    if (life === undefined) return 0;
    const url = `http://127.0.0.1:${life.metricsPort}/metrics`;
    const text = await fetch(url, { signal: AbortSignal.timeout(5000) }).then(
      (response) => response.text(),
      () => undefined,
    );
    if (text === undefined) return 0;
    const counts = [...text.matchAll(/^kilter_cache_relists_total\{[^}]*\} (\d+)$/gm)].map(([, count]) =>
      Number(count),
    );
    const all = counts.reduce((sum, count) => sum + count, 0);
    const news = all - life.relists;
    life.relists = all;
    return news;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing = true;
    const life = this.#life;
    if (life !== undefined) {
      const ended = new Promise((done) => life.child.once('exit', done));
      // Also wakes one that is stopped: SIGKILL is not held back.
      life.child.kill('SIGKILL');
      await ended;
    }
    await this.proxy[Symbol.asyncDispose]();
  }
}
