import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

export interface ChildOptions {
  readonly args?: readonly string[];
  /** Flags of Node. Default: none, so that a child is as bare as a user's process. */
  readonly flags?: readonly string[];
  /** When a child that says nothing is ended, in milliseconds. */
  readonly patience?: number;
}

/** A process of its own that reports by messages: what it measures is not disturbed by what measures it. */
export class Child implements AsyncDisposable {
  readonly process: ChildProcess;
  readonly #patience: number;
  /** Messages nobody has asked for yet, oldest first. */
  readonly #inbox: unknown[] = [];
  #wake: () => void = () => undefined;
  #exit: string | undefined;

  constructor(file: URL, { args = [], flags = [], patience = 120_000 }: ChildOptions = {}) {
    this.#patience = patience;
    this.process = fork(file, [...args], { execArgv: [...flags], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.process.on('message', (message) => {
      this.#inbox.push(message);
      this.#wake();
    });
    this.process.on('exit', (code, signal) => {
      this.#exit = `${file.pathname.split('/').at(-1)} ended with ${signal ?? code}`;
      this.#wake();
    });
  }

  /** The next message. */
  async next<T>(): Promise<T> {
    const timer = setTimeout(() => {
      this.#exit ??= `no word for ${this.#patience / 1000} s`;
      this.#wake();
    }, this.#patience);
    try {
      while (this.#inbox.length === 0) {
        if (this.#exit !== undefined) throw new Error(this.#exit);
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      clearTimeout(timer);
    }
    const message = this.#inbox.shift() as T | { failure: string };
    if (typeof message === 'object' && message !== null && 'failure' in message) throw new Error(message.failure);
    return message as T;
  }

  async ask<T>(message: string): Promise<T> {
    this.process.send(message);
    return this.next<T>();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = once(this.process, 'exit');
    this.process.kill('SIGCONT');
    this.process.kill('SIGKILL');
    await ended;
  }
}

/** Starts a child, takes its one report and ends it. */
export async function reportOf<T>(file: URL, options: ChildOptions = {}): Promise<T> {
  await using child = new Child(file, options);
  return await child.next<T>();
}

export async function repeat<T>(times: number, once: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let time = 0; time < times; time += 1) results.push(await once());
  return results;
}
