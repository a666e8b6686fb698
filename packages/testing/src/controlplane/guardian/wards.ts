import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { LogFile } from './log-file.ts';
import type { Report, SignalCommand, StartCommand } from './messages.ts';

// A server that complains in a loop must not fill the disk; two halves of this hold hours of ordinary logging.
const mostLogBytes = 8 * 1024 * 1024;

/** The processes the guardian has started and not yet seen the end of. */
export class Wards {
  readonly #report: (report: Report) => void;
  /** Holds every process between its start and its `close` event: a pid in here cannot belong to anybody else. */
  readonly #running = new Map<number, ChildProcess>();
  #onEmpty: (() => void) | undefined;

  constructor(report: (report: Report) => void) {
    this.#report = report;
  }

  start({ id, file, args, folder, environment, log }: StartCommand): void {
    // Output goes through this process: should it be killed, whatever its wards write next ends them (SIGPIPE).
    const stdio: StdioOptions = ['ignore', 'pipe', 'pipe'];
    let child: ChildProcess;
    try {
      child = spawn(file, args, { cwd: folder, env: { ...environment }, stdio, windowsHide: true });
    } catch (error) {
      // Node reports some reasons as an event and throws others, such as an executable for another processor.
      this.#report({ is: 'refused', id, why: String(error) });
      return;
    }
    this.#running.set(id, child);
    if (child.pid !== undefined) this.#report({ is: 'started', id, pid: child.pid });
    child.on('error', (error) => this.#refused(id, child, error));
    this.#keepLog(id, child, log);
    child.on('close', (code, signal) => {
      if (child.pid === undefined) return;
      this.#forget(id);
      this.#report({ is: 'ended', id, code, signal });
    });
  }

  #refused(id: number, child: ChildProcess, error: Error): void {
    // 'error' also tells of a signal that could not be sent; the process is there all the same.
    if (child.pid !== undefined) return;
    this.#forget(id);
    this.#report({ is: 'refused', id, why: error.message });
  }

  #keepLog(id: number, child: ChildProcess, path: string): void {
    let file: LogFile | undefined;
    const unlogged = (error: unknown): void => {
      file = undefined;
      this.#report({ is: 'unlogged', id, why: error instanceof Error ? error.message : String(error) });
    };
    const attempt = (act: () => void): void => {
      try {
        act();
      } catch (error) {
        unlogged(error);
      }
    };
    attempt(() => (file = new LogFile(path, mostLogBytes)));
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => attempt(() => file?.write(chunk)));
    }
    child.on('close', () => attempt(() => file?.close()));
  }

  signal({ id, signal }: SignalCommand): void {
    this.#running.get(id)?.kill(signal);
  }

  #forget(id: number): void {
    this.#running.delete(id);
    if (this.#running.size === 0) this.#onEmpty?.();
  }

  /** Ends all at once; resolves when the last is gone. */
  async end(): Promise<void> {
    if (this.#running.size === 0) return;
    const empty = new Promise<void>((resolve) => (this.#onEmpty = resolve));
    for (const child of this.#running.values()) child.kill('SIGKILL');
    await empty;
  }
}
