import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { ObjectKind } from './stub/objects.ts';

/** What a measured process is to do: its one argument. */
export interface Task {
  readonly mode: 'follow' | 'idle' | 'policy' | 'queue' | 'read' | 'webhook';
  readonly kubeconfig?: string;
  readonly kind?: ObjectKind;
  readonly count: number;
  readonly workers?: number;
  /** Look at the delays of the event loop, where there is one. */
  readonly delays?: boolean;
  /** Events carry the time they were sent at. */
  readonly stamped?: boolean;
  /** Every run writes a status. */
  readonly write?: boolean;
  readonly settle?: number;
  /** What becomes of reads of what is not declared. */
  readonly policy?: 'strict' | 'adhoc' | 'extend';
  readonly times?: number;
  /** Where webhooks are served, and the folder of their certificate. */
  readonly port?: number;
  readonly certificates?: string;
}

/** A line of a measured process. Times in milliseconds, memory in bytes, latencies in microseconds. */
export interface Report {
  readonly at: string;
  readonly wall: number;
  readonly cpu: number;
  readonly rss: number;
  readonly peak: number;
  readonly runs?: number;
  readonly reads?: number;
  readonly objects?: number;
  readonly latency?: { readonly p50: number; readonly p99: number; readonly max: number } | null;
  readonly delayP99?: number;
  readonly delayMax?: number;
  readonly turnP99?: number;
  readonly turnMax?: number;
}

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

/** A contestant at work. All that it uses is counted by itself; this side only talks to it. */
export class MeasuredProcess implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #patience: number;
  readonly #waiting: Report[] = [];
  #wake: () => void = () => undefined;
  #failure: string | undefined;

  constructor({ command, args }: Program, task: Task, patience: number) {
    this.#patience = patience;
    this.#process = spawn(command, [...args, JSON.stringify(task)], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#process.once('error', (error) => this.#end(String(error)));
    this.#process.once('exit', (code, signal) => this.#end(`ended with ${signal ?? code}`));
    this.#process.stdin?.on('error', () => undefined);
    if (this.#process.stdout === null) throw new Error('a measured process without an output');
    createInterface({ input: this.#process.stdout }).on('line', (line) => this.#hear(line));
  }

  #hear(line: string): void {
    const told = JSON.parse(line) as Report | { failure: string } | { complaint: unknown };
    if ('failure' in told) this.#failure = told.failure;
    else if ('complaint' in told) console.error(`  complaint: ${JSON.stringify(told.complaint).slice(0, 300)}`);
    else this.#waiting.push(told);
    this.#wake();
  }

  #end(how: string): void {
    // Lines that were written before the end may still be under way.
    setImmediate(() => {
      this.#failure ??= how;
      this.#wake();
    });
  }

  /** The next report of this name. kube-rs may have run everything before its store says that it is complete. */
  async next(at: string): Promise<Report> {
    const timer = setTimeout(
      () => this.#end(`nothing for ${this.#patience / 1000} s while waiting for "${at}"`),
      this.#patience,
    );
    try {
      for (;;) {
        const found = this.#waiting.findIndex((report) => report.at === at);
        const [report] = found < 0 ? [] : this.#waiting.splice(found, 1);
        if (report !== undefined) return report;
        if (this.#failure !== undefined) throw new Error(this.#failure.split('\n')[0]);
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      clearTimeout(timer);
    }
  }

  tell(word: string): void {
    this.#process.stdin?.write(`${word}\n`);
  }

  async ask(word: string, at: string): Promise<Report> {
    this.tell(word);
    return this.next(at);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null || this.#process.pid === undefined) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
  }
}
